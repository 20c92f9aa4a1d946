# SPDX-License-Identifier: Apache-2.0
# Powers of the paired t test and intervals of a standardised effect, from R's
# noncentral t distribution.
#
#     Rscript tests/oracle/plan_power.R > tests/oracle/plan_power.tsv
#
# Columns: what, topics, effect, level or confidence, sides, value(s).
cat("# SPDX-License-Identifier: Apache-2.0\n")
put <- function(...) cat(..., sep = "\t")
for (n in c(2, 5, 25, 50, 200)) for (d in c(0, 0.2, 0.4, 1)) for (sides in 1:2) {
    c <- qt(0.05 / sides, n - 1, lower.tail = FALSE)
    p <- pt(c, n - 1, ncp = d * sqrt(n), lower.tail = FALSE)
    if (sides == 2) p <- p + pt(-c, n - 1, ncp = d * sqrt(n))
    put("power", n, d, 0.05, sides, sprintf("%.15g\n", p))
}
for (n in c(10, 50)) for (d in c(0.1, 0.5)) {
    t <- d * sqrt(n)
    at <- function(q) uniroot(function(x) pt(t, n - 1, ncp = x * sqrt(n)) - q, c(-3, 3),
                              tol = 1e-13)$root
    put("interval", n, d, 0.95, 2, sprintf("%.12g", at(0.975)), sprintf("%.12g\n", at(0.025)))
}

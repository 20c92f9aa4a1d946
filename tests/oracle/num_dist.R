# SPDX-License-Identifier: Apache-2.0
# The cases of num_dist.tsv again by R (nmath), and quantiles.
#
# usage: Rscript num_dist.R num_dist.tsv > num_dist_r.tsv
#
# R and the 50-digit values agree to the tolerance written here, which is the
# library's bar or, where R itself is further off, what R reaches.  R has no
# beta-binomial.
lines <- readLines(commandArgs(TRUE)[1])
lines <- lines[!startsWith(lines, "#")]
p <- function(f, lower) function(...) f(..., lower.tail = lower)
tails <- function(name, f) setNames(list(p(f, TRUE), p(f, FALSE)), paste0(name, c("_cdf", "_sf")))
hyper <- function(f) function(k, N, K, n, ...) f(k, K, N - K, n, ...)
functions <- c(
  list(digamma = digamma, log_beta = lbeta,
       norm_log_pdf = function(x) dnorm(x, log = TRUE),
       t_log_pdf = function(x, df) dt(x, df, log = TRUE),
       gamma_log_pdf = function(x, s) dgamma(x, s, log = TRUE),
       beta_log_pdf = function(x, a, b) dbeta(x, a, b, log = TRUE),
       binom_pmf = dbinom, hyper_pmf = hyper(dhyper)),
  tails("norm", pnorm), tails("t", pt), tails("gamma", pgamma), tails("beta", pbeta), tails("binom", pbinom),
  tails("hyper", hyper(phyper)))
write <- function(name, tol, args, v)
  cat(name, sprintf("%g", tol), sprintf("%.17g", args), sprintf("%.17g\n", v), sep = "\t")
cat("# SPDX-License-Identifier: Apache-2.0\n# made by num_dist.R with", R.version.string, "\n")
skipped <- 0
for (line in strsplit(lines, "\t")) {
  f <- functions[[line[1]]]
  if (is.null(f)) next
  args <- as.numeric(line[3:(length(line) - 1)])
  want <- as.numeric(line[length(line)])
  bar <- as.numeric(line[2])
  v <- suppressWarnings(do.call(f, as.list(args)))
  scale <- if (grepl("log_", line[1])) max(1, abs(want)) else abs(want)
  off <- abs(v - want) / scale
  tol <- bar
  if (!is.finite(off) || off > 1e-6) { skipped <- skipped + 1; next }
  if (off > bar / 4) tol <- bar + 2 * off
  write(line[1], signif(tol, 2), args, v)
}
cat("#", skipped, "cases left out where R is off by more than 1e-6\n")
for (q in c(1e-12, 0.001, 0.025, 0.3, 0.5, 0.8, 0.975)) {
  write("norm_quantile", 1e-10, q, qnorm(q))
  for (df in c(1, 4.5, 29, 1e5)) {
    write("t_quantile", 1e-10, c(q, df), qt(q, df))
    write("t_isf", 1e-10, c(q, df), qt(q, df, lower.tail = FALSE))
  }
  for (s in c(0.5, 3.25, 1000))
    write("chisq_isf", 1e-10, c(q, s), qchisq(q, s, lower.tail = FALSE))
  for (ab in list(c(0.5, 0.5), c(2, 3), c(0.5, 30.5), c(400, 1300.5), c(1e5, 3e6))) {
    write("beta_quantile", 1e-10, c(q, ab), qbeta(q, ab[1], ab[2]))
    write("beta_isf", 1e-10, c(q, ab), qbeta(q, ab[1], ab[2], lower.tail = FALSE))
  }
}

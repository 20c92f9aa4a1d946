# SPDX-License-Identifier: Apache-2.0
# Makes tests/oracle/compare.tsv: pairs of systems compared by R's own functions,
# coin's exact signed-rank test, and the enumeration of all sign flips.
# Made with R 4.2.2 and coin 1.4-2:  Rscript compare.R > compare.tsv
suppressMessages(library(coin))
set.seed(20261116)

# Scores with ties and zeros (steps of 0.1) beside plain ones.
topics <- 18
base <- round(rbeta(topics, 1.2, 3), 1)
x <- rbind(A = base,
           B = round(pmin(1, pmax(0, base + sample(c(-0.1, 0, 0, 0.1, 0.2), topics, TRUE))), 1),
           C = round(rbeta(topics, 1.5, 3), 4),
           D = round(pmin(1, base + abs(rnorm(topics, 0.08, 0.1))), 4),
           E = round(rbeta(topics, 2, 2.5), 1))
margin <- 0.05
num <- function(v) format(v, digits = 17, trim = TRUE)
put <- function(...) cat(paste(..., sep = "\t"), "\n", sep = "")

for (s in rownames(x)) put("score", s, paste(num(x[s, ]), collapse = " "))

flips <- function(d) {                     # all 2^n sums, in two halves
  n <- length(d); h <- n %/% 2
  sums <- function(v) as.vector(as.matrix(expand.grid(rep(list(c(-1, 1)), length(v)))) %*% v)
  s <- as.vector(outer(sums(d[1:h]), sums(d[(h + 1):n]), "+"))
  mean(abs(s) >= abs(sum(d)) - 1e-9)
}
tests <- list(
  sign = function(d) binom.test(sum(d > 0), sum(d != 0))$p.value,
  wilcoxon = function(d) pvalue(wilcoxsign_test(d ~ rep(0, length(d)), distribution = "exact",
                                                zero.method = "Wilcoxon"))[1],
  t = function(d) t.test(d)$p.value,
  randomisation = flips)
# The larger p of t and of t corrected for skewness, Hall (1992), of a mean beyond mu.
beyond <- function(d, mu, side) {
  n <- length(d); w <- (mean(d) - mu) / sd(d)
  g <- mean((d - mean(d))^3) / mean((d - mean(d))^2)^1.5
  h <- sqrt(n) * (w + g * w^2 / 3 + g^2 * w^3 / 27 + g / (6 * n))
  max(t.test(d, mu = mu, alternative = side)$p.value, pt(h, n - 1, lower.tail = side == "less"))
}
pairs <- combn(rownames(x), 2)
p <- sapply(tests, function(f) apply(pairs, 2, function(k) f(round(x[k[1], ] - x[k[2], ], 10))))
for (i in seq_len(ncol(pairs))) {
  d <- round(x[pairs[1, i], ] - x[pairs[2, i], ], 10)   # 0.3 - 0.2 ties with 0.2 - 0.1
  ci <- t.test(d)$conf.int
  n <- length(d); se <- sd(d) / sqrt(n)
  put("pair", pairs[1, i], pairs[2, i], num(mean(d)), num(ci[1]), num(ci[2]), sum(d > 0),
      sum(d == 0), sum(d < 0), num(sd(d)), num(mean(d) / sd(d)),
      num((sum(d > 0) + sum(d == 0) / 2) / n),
      num(pt((mean(d) - margin) / se, n - 1)),
      num(beyond(d, -margin, "greater")),
      num(max(beyond(d, -margin, "greater"), beyond(d, margin, "less"))))
  for (k in names(tests))
    put("test", pairs[1, i], pairs[2, i], k, num(p[i, k]),
        num(p.adjust(p[, k], "bonferroni")[i]), num(p.adjust(p[, k], "holm")[i]),
        num(p.adjust(p[, k], "BH")[i]))
}

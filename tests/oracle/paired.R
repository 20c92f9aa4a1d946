# SPDX-License-Identifier: Apache-2.0
# Makes tests/oracle/paired.tsv: tests on paired differences by R's own
# functions and, for the signed-rank test with ties and zeros, by coin.
# Made with R 4.2.2 and coin 1.4-2:  Rscript paired.R > paired.tsv
suppressMessages(library(coin))
options(digits = 17)
set.seed(20261115)

round4 <- function(x) round(x, 4)
vectors <- list(
  plain12 = round4(rnorm(12, 0.05, 0.1)),
  plain30 = round4(rnorm(30, 0.02, 0.08)),
  tied25 = round(rnorm(25, 0.03, 0.1), 1),
  zeros20 = c(rep(0, 6), round4(rnorm(14, 0.04, 0.1))),
  tiedzeros40 = round(rnorm(40, 0.02, 0.07), 1),
  long80 = round4(rnorm(80, 0.01, 0.1)),
  longtied70 = round(rnorm(70, 0.03, 0.12), 1),
  positive6 = c(0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
  exact50 = round4(rnorm(50, 0.03, 0.1)))

cat("vector\ttest\talternative\tstatistic\tp\tdifferences\n")
put <- function(name, test, alternative, statistic, p, d)
  cat(name, test, alternative, format(statistic, digits = 17), format(p, digits = 17),
      paste(format(d, digits = 17, trim = TRUE), collapse = " "), sep = "\t", "\n")

sides <- c("two.sided", "greater", "less")
for (name in names(vectors)) {
  d <- vectors[[name]]
  wins <- sum(d > 0); n <- sum(d != 0)
  for (side in sides) {
    put(name, "sign", side, wins, binom.test(wins, n, 0.5, alternative = side)$p.value, d)
    tt <- t.test(d, alternative = side)
    put(name, "t", side, tt$statistic, tt$p.value, d)
    nz <- d[d != 0]
    v <- sum(rank(abs(nz))[nz > 0])
    if (length(nz) <= 50) {
      w <- wilcoxsign_test(d ~ rep(0, length(d)), zero.method = "Wilcoxon",
                           distribution = "exact", alternative = side)
      put(name, "wilcoxon", side, v, pvalue(w)[1], d)
      ra <- rank(abs(d)); vp <- sum(ra[d > 0])
      w <- wilcoxsign_test(d ~ rep(0, length(d)), zero.method = "Pratt",
                           distribution = "exact", alternative = side)
      put(name, "pratt", side, vp, pvalue(w)[1], d)
    } else {
      w <- suppressWarnings(wilcox.test(nz, alternative = side, exact = FALSE))
      put(name, "wilcoxon", side, v, w$p.value, d)
    }
  }
}
p <- c(0.001, 0.04, 0.03, 0.2, 0.5, 0.0005, 0.04, 1)
for (m in c("bonferroni", "holm", "BH"))
  cat("adjust", m, "-", 0, 0, paste(format(p.adjust(p, m), digits = 17, trim = TRUE),
      collapse = " "), sep = "\t", "\n")

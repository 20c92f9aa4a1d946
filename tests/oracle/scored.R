# SPDX-License-Identifier: Apache-2.0
# Rscript scored.R < scored.tsv: the largest difference from pROC's areas, variances,
# covariances, z and p of DeLong's paired test.
suppressMessages(library(pROC))
worst <- 0
for (line in readLines("stdin")) {
  if (startsWith(line, "#")) next
  f <- strsplit(line, "\t")[[1]]
  y <- as.integer(strsplit(f[1], "")[[1]])
  a <- as.numeric(strsplit(f[2], ",")[[1]]) / 100
  b <- as.numeric(strsplit(f[3], ",")[[1]]) / 100
  ra <- roc(y, a, levels = c(0, 1), direction = "<", quiet = TRUE)
  rb <- roc(y, b, levels = c(0, 1), direction = "<", quiet = TRUE)
  t <- roc.test(ra, rb, method = "delong", paired = TRUE)
  ours <- as.numeric(f[4:10])
  pR <- c(auc(ra), auc(rb), var(ra), var(rb), cov(ra, rb), t$statistic, t$p.value)
  worst <- max(worst, abs(ours - pR))
}
cat(format(worst, digits = 3), "\n")

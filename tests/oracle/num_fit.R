# SPDX-License-Identifier: Apache-2.0
# Reference values of the Poisson fit and of Kendall's tau-b in
# tests/unit/test_num_tools.c.
#
# usage: Rscript num_fit.R
options(digits = 17)
lam <- rep(c(.5, .55, .6, .65, .7, .75, .8, .85, .9, .95, 1), each = 6)
n <- rep(c(1, 5, 10, 25, 50, 100), 11)
j <- c(4, 11, 13, 25, 52, 79, 6, 14, 33, 39, 65, 103, 6, 30, 37, 70, 137, 196, 16, 42,
       62, 114, 194, 259, 13, 38, 92, 165, 275, 448, 23, 79, 130, 248, 356, 662, 36, 120,
       186, 358, 579, 923, 44, 172, 264, 447, 815, 1314, 62, 238, 361, 642, 1039, 1769,
       82, 290, 498, 905, 1407, 2380, 114, 377, 637, 1181, 2031, 3241)
fit <- glm(j ~ log(lam) + log(n), family = poisson, epsilon = 1e-15, maxit = 100)
cat("coefficients", format(coef(fit), digits = 17), "\n")
cat("covariance", format(vcov(fit), digits = 17), "\n")
cat("deviance", format(c(deviance(fit), fit$null.deviance), digits = 17), "\n")
x <- c(1, 2, 2, 3, 3, 3, 5, 8, 8, 9, 10, 10)
y <- c(2, 1, 4, 4, 4, 6, 5, 5, 9, 9, 7, 12)
cat("kendall", format(cor(x, y, method = "kendall"), digits = 17), "\n")
cat("pearson", format(cor(x, y), digits = 17), "\n")

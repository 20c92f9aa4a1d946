# SPDX-License-Identifier: Apache-2.0
# Makes tests/oracle/scores.tsv: variance parts by lme4, exact McNemar by R's own binom.test.
# Made with R 4.2.2 and lme4 1.1-31:  Rscript scores.R > scores.tsv
suppressMessages(library(lme4))
options(digits = 17)
set.seed(21)
S <- 5; I <- 9; R <- 3
d <- expand.grid(repeat_ = 1:R, item = 1:I, system = 1:S)
d$score <- round(0.5 + rnorm(S, 0, 0.15)[d$system] + rnorm(I, 0, 0.2)[d$item] +
  rnorm(S * I, 0, 0.1)[(d$system - 1) * I + d$item] + rnorm(nrow(d), 0, 0.12), 4)
number <- function(x) formatC(x, digits = 17, format = "g")
cat("scores", S, I, R, paste(number(d$score), collapse = " "), sep = "\t", "\n")
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-14, maxfun = 1e6))
m <- lmer(score ~ 1 + (1 | system) + (1 | item) + (1 | system:item), d, control = tight)
v <- as.data.frame(VarCorr(m))
part <- function(name) number(v$vcov[v$grp == name])
cat("parts", part("system"), part("item"), part("system:item"), part("Residual"), sep = "\t", "\n")
one <- d[d$repeat_ == 1, ]
m1 <- lmer(score ~ 1 + (1 | system) + (1 | item), one, control = tight)
v <- as.data.frame(VarCorr(m1))
cat("parts_of_one", part("system"), part("item"), part("Residual"), 0, sep = "\t", "\n")
for (bc in list(c(9, 2), c(0, 5), c(3, 3), c(30, 14), c(1, 0)))
  cat("mcnemar", bc, number(binom.test(bc[1], sum(bc))$p.value), sep = "\t", "\n")

# SPDX-License-Identifier: Apache-2.0
"""Calibration of probabilities by statsmodels and numpy: prints calibration.tsv.

usage: python3 calibration.py > calibration.tsv      (pip install statsmodels numpy)

A line is: labels, probabilities in percent, then ECE of 10 bins, slope and intercept with their
standard errors (logistic regression without penalty on logit(p)), and reliability, resolution,
uncertainty and what is left of the Brier score, by Murphy's (1973) definitions.
"""
import numpy as np
import statsmodels.api as sm

rng = np.random.default_rng(8)
for n, bend in ((40, 1.0), (60, 0.5), (100, 1.7), (100, 1.0)):
    p = np.round(np.clip(rng.beta(1.2, 1.4, n), 0.01, 0.99), 2)
    x = np.log(p / (1 - p))
    y = rng.random(n) < 1 / (1 + np.exp(-(0.3 + bend * x)))
    fit = sm.Logit(y, sm.add_constant(x)).fit(disp=0, tol=1e-12)
    which = np.clip(np.ceil(p * 10 - 1e-9).astype(int) - 1, 0, 9)
    ece = reliability = resolution = 0.0
    for b in range(10):
        here = which == b
        if here.any():
            w, gap = here.mean(), y[here].mean() - p[here].mean()
            ece += w * abs(gap)
            reliability += w * gap ** 2
            resolution += w * (y[here].mean() - y.mean()) ** 2
    uncertainty = y.mean() * (1 - y.mean())
    within = np.mean((y - p) ** 2) - reliability + resolution - uncertainty
    print("".join("01"[int(v)] for v in y), ",".join(f"{100 * v:.0f}" for v in p),
          *(f"{v:.12g}" for v in (ece, fit.params[1], fit.bse[1], fit.params[0], fit.bse[0],
                                  reliability, resolution, uncertainty, within)), sep="\t")

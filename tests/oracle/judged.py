# SPDX-License-Identifier: Apache-2.0
"""Makes tests/oracle/judged.tsv: prediction-powered means by ppi_py, and regressions by numpy.

Made with ppi-python 0.2.3 and numpy 2.4.6: python3 judged.py > judged.tsv
Lines: the estimate with power tuning (PPI++); with lambda = N / (n + N), which is the difference
estimator over all items; with lambda = 0, people alone; the regression estimator by least squares;
then human labels, the judge's scores of these items, its scores of the others.
"""
import numpy as np
from ppi_py import ppi_mean_pointestimate

rng = np.random.default_rng(67)


def line(n, more, binary, noise, shift):
    z = rng.normal(size=n + more)
    f = z * (1 - noise) + noise * rng.normal(size=n + more) + shift
    y = 0.5 * z + 0.3 * rng.normal(size=n + more)
    if binary:
        y, f = (y > 0).astype(float), (f > 0).astype(float)
    y, f = np.round(y[:n], 4), np.round(f, 4)
    mine, others = f[:n], f[n:]
    ppi = ppi_mean_pointestimate(y, mine, others).item()
    difference = ppi_mean_pointestimate(y, mine, others, lam=more / (n + more)).item()
    alone = ppi_mean_pointestimate(y, mine, others, lam=0).item()
    slope, at = np.polyfit(mine, y, 1)
    regression = at + slope * f.mean()
    print(*(repr(float(v)) for v in (ppi, difference, alone, regression)),
          *(" ".join(f"{v:g}" for v in x) for x in (y, mine, others)), sep="\t")


line(12, 30, False, 0.3, 0.2)
line(30, 90, False, 0.9, 0.0)
line(25, 60, True, 0.2, 0.3)
line(40, 50, True, 0.6, -0.2)
line(15, 20, False, -1.5, 0.0)  # lambda is at its limit

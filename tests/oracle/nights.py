# SPDX-License-Identifier: Apache-2.0
"""Levels of nightly tests beside a shared baseline, by scipy: for tests/unit/test_nights.c.

usage: nights.py
"""
import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

A = np.linspace(-9, 9, 20001)
WEIGHTS = norm.pdf(A) / norm.pdf(A).sum()


def any_alarm(limits, parts, nights):
    expected = sum(nights * norm.cdf((-c - np.sqrt(p) * A) / np.sqrt(1 - p)) for c, p in zip(limits, parts))
    return (WEIGHTS * np.minimum(1, expected)).sum()


def limit(part, nights, alpha):
    return brentq(lambda c: any_alarm([c], [part], nights) - alpha, 0, 9, xtol=1e-12)


def levels(r, nights, alpha):
    parts = [r, r / (r + (1 - r) / 7)]
    excess = lambda each: any_alarm([limit(p, nights, each) for p in parts], parts, nights) - alpha
    each = alpha / 2 if excess(alpha / 2) >= -1e-12 else brentq(excess, alpha / 2, alpha, xtol=1e-12)
    return [norm.sf(limit(p, nights, each)) for p in parts]


for case in ((0.0, 365, 0.05), (0.5, 365, 0.05), (0.9, 365, 0.05), (0.5, 30, 0.05), (0.2, 100, 0.1)):
    print(*case, *(f"{level:.8g}" for level in levels(*case)))

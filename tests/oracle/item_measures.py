#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures of tables of attempts, by numpy, scipy and enumeration: item_measures.tsv.

usage: item_measures.py > item_measures.tsv

pass@k and pass^k by enumerating every choice of k attempts; Fieller's limits as the roots of the
t statistic of a - r b, found by bisection; order-statistic limits by the binomial distribution.
The table of attempts is made by a formula, so that the C test makes the same.
"""
import itertools
import math

import numpy as np
from scipy import optimize, stats

ITEMS, ATTEMPTS = 90, 4


def passed(t, k):
    return (t * 7 + k * k * 5 + t * k) % 11 < 2 + t % 5


def cost(t, k):
    return 0.25 + (t * 13 + k * 29) % 17 / 8 + (t % 9 == 0) * 3


def put(name, *values):
    print(name, *(repr(float(v)) for v in values), sep="\t")


for n, c, k in ((8, 3, 1), (8, 3, 4), (8, 8, 4), (8, 0, 2), (5, 4, 5), (16, 9, 4)):
    trials = list(itertools.combinations([1] * c + [0] * (n - c), k))
    put(f"pass {n} {c} {k}", np.mean([any(x) for x in trials]), np.mean([all(x) for x in trials]))

wins = np.array([[passed(t, k) for k in range(ATTEMPTS)] for t in range(ITEMS)], float)
costs = np.array([[cost(t, k) for k in range(ATTEMPTS)] for t in range(ITEMS)])
for k in (2, 4):
    choices = list(itertools.combinations(range(ATTEMPTS), k))
    put(f"pass@{k}", np.mean([[row[list(c)].max() for c in choices] for row in wins]))
    put(f"pass^{k}", np.mean([[row[list(c)].min() for c in choices] for row in wins]))

a, b = costs.mean(axis=1), wins.mean(axis=1)
ratio = costs.sum() / wins.sum()
least = stats.t.ppf(0.975, ITEMS - 1)


def above(r):
    d = a - r * b
    return d.mean() / (d.std(ddof=1) / math.sqrt(ITEMS))


put("cost/score", ratio, optimize.brentq(lambda r: above(r) - least, 1e-9, ratio),
    optimize.brentq(lambda r: above(r) + least, ratio, 1e3))

first = np.sort(costs[:, 0])
for p in (0.5, 0.95):
    low = max(r for r in range(1, ITEMS + 1) if stats.binom.cdf(r - 1, ITEMS, p) <= 0.025)
    high = min(r for r in range(1, ITEMS + 1) if stats.binom.sf(r - 1, ITEMS, p) <= 0.025)
    put(f"p{100 * p:g}", np.quantile(first, p, method="inverted_cdf"), first[low - 1],
        first[high - 1])

# SPDX-License-Identifier: Apache-2.0
"""Score limits of a mean over sets of shares, for tests/unit/test_set_shares.c.

Made with scipy 1.17.1 and numpy 2.4.6: python3 set_shares.py prints right answers, items, weights and
both limits at 95 %.  Shares with a given mean are found by roots within roots, from the equations
as they stand; the library goes along Lagrange's multiplier in closed form.
"""
import numpy as np
from scipy import optimize, stats

Z = stats.norm.isf(0.025)


def share(right, items, pull):
    """Where right / p - wrong / (1 - p) = pull."""
    if right == 0:
        return 0.0
    if right == items:
        return min(1.0, items / pull)
    slope = lambda p: right / p - (items - right) / (1 - p) - pull
    return optimize.brentq(slope, 1e-15, 1 - 1e-15, xtol=1e-16, rtol=1e-14)


def likeliest(mean, right, items, weight):
    """The likeliest shares with this mean."""
    shares = lambda force: np.array([share(*of) for of in zip(right, items, force * weight)])
    at = optimize.brentq(lambda e: shares(np.exp(e)) @ weight - mean, -20, 30, xtol=1e-14)
    return shares(np.exp(at))


def score_lower(right, items, weight):
    seen = right / items @ weight

    def excess(mean):
        p = likeliest(mean, right, items, weight)
        return seen - mean - Z * np.sqrt((weight ** 2 * p * (1 - p) / (items - 1)).sum())

    return optimize.brentq(excess, seen * 1e-6, seen * (1 - 1e-7), xtol=1e-14)


def few_lower(right, items, weight):
    """Mid-P of few right answers."""
    seen = right / items @ weight
    count = seen ** 2 / (weight ** 2 * right / items ** 2).sum()
    if count > 3.5:
        return 1.0
    rest = count / seen - count
    tail = lambda p: 0.5 * (stats.beta.cdf(p, count, rest + 1)
                            + (stats.beta.cdf(p, count + 1, rest) if rest > 1e-9 else 0))
    return optimize.brentq(lambda p: tail(p) - 0.025, 0, seen, xtol=1e-15)


def lower(right, items, weight):
    return min(score_lower(right, items, weight), few_lower(right, items, weight)) \
        if right.sum() > 0 else 0.0


for case in (([3, 299], [3, 300], [1, 1]), ([3, 300], [3, 300], [1, 1]),
             ([3, 4, 9], [5, 4, 10], [1, 1, 1]), ([3, 4, 9], [5, 4, 10], [1, 2, 5]),
             ([10, 0], [10, 20], [1, 1]), ([40, 90, 77], [50, 100, 80], [1, 1, 1])):
    right, items, weight = (np.array(c, float) for c in case)
    weight /= weight.sum()
    print(*case, "%.12f" % lower(right, items, weight),
          "%.12f" % (1 - lower(items - right, items, weight)))

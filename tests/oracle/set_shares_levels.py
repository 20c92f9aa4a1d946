# SPDX-License-Identifier: Apache-2.0
"""How often score limits of a mean over sets of shares hold it, where sets differ in level.

usage: set_shares_levels.py [REPLICATES]      (3,000; doc/methods/suites.md quotes its last lines)

A simulation of the formulas, independent of the library: an interval holds the truth if the test
of the truth does not reject.  Made with numpy 2.4.6 and scipy 1.17.1.
"""
import sys

import numpy as np
from scipy import stats

Z, FEW = stats.norm.isf(0.025), 3.5
rng = np.random.default_rng(5)
replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 3000


def accepted(right, items, weight, truth):
    """By the score test, with the shares that are most likely if the mean is the truth."""
    def shares(force):
        c = force[:, None] * weight
        b = c + items
        root = np.sqrt(np.maximum(0, (c - items) ** 2 + 4 * c * (items - right)))
        with np.errstate(all="ignore"):
            p = np.where(b >= 0, 2 * right / (b + root), (b - root) / (2 * c))
        return np.clip(np.nan_to_num(p), 0, 1)

    low, high = np.full(len(right), -1e7), np.full(len(right), 1e7)
    for _ in range(70):
        middle = (low + high) / 2
        above = shares(middle) @ weight > truth
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    p = shares((low + high) / 2)
    variance = (p * (1 - p) / (items - 1)) @ weight ** 2
    return (right / items @ weight - truth) ** 2 <= Z * Z * variance


def few(right, items, weight, truth):
    """By mid-P, where few are right and more than expected."""
    mean, squares = right / items @ weight, right / items ** 2 @ weight ** 2
    with np.errstate(all="ignore"):
        count = mean ** 2 / squares
        rest = count / mean - count
        p = (stats.beta.cdf(truth, count, rest + 1)
             + np.where(rest > 1e-9, stats.beta.cdf(truth, count + 1, rest), 0)) / 2
    return (mean > truth) & (count <= FEW) & (p >= 0.025)


def held(items, share, weight=None):
    items, share = np.array(items, float), np.array(share, float)
    weight = np.ones(len(items)) if weight is None else np.array(weight, float)
    weight = weight / weight.sum()
    truth = share @ weight
    right = rng.binomial(items.astype(int), share, (replicates, len(items)))
    return (accepted(right, items, weight, truth) | few(right, items, weight, truth)
            | few(items - right, items, weight, 1 - truth)).mean()


found = []
for sets in (3, 5, 8, 20):
    for n in (5, 10, 20, 50, 100):
        for share in (np.linspace(.5, .99, sets), np.linspace(.02, .98, sets),
                      [.99 if k % 2 else .5 for k in range(sets)], [.3] + [.99] * (sets - 1),
                      [.7] + [.9999] * (sets - 1)):
            found.append(held([n] * sets, share))
print("levels differ: %.3f to %.3f, mean %.3f" % (min(found), max(found), np.mean(found)))
found = [held([n] * sets, [1 - wrong / sets / n] * sets) for sets in (2, 5, 8) for n in (10, 50)
         for wrong in (.02, .05, .1, .17, .25, .35, .5, .7, 1, 1.5, 2, 3, 4, 6, 8)]
print("few wrong: %.3f to %.3f, mean %.3f" % (min(found), max(found), np.mean(found)))
found = [held([20] * 8, [share] * 8, [1] * 7 + [7]) for share in (.5, .8, .95, .99)]
print("one of eight sets weighs half: %.3f to %.3f" % (min(found), max(found)))

# SPDX-License-Identifier: Apache-2.0
"""How often 95 % intervals of a difference of shares over fixed sets hold it: Tango's and Bonett and
Price's, on the settings of `study all --coverage --only scores`.

usage: set_differences.py [REPLICATES]      (5,000; doc/methods/suites.md quotes its last lines)

A simulation of the formulas, independent of the library: two systems whose latent numbers correlate
by .5, the second with the same share or half the odds; an interval holds the truth if the test of the
truth does not reject.  Made with numpy 2.4.6 and scipy 1.17.1.
"""
import sys

import numpy as np
from scipy import stats

BORROWED = 8
SHARES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.02)
replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
rng = np.random.default_rng(1)


def draw_sizes(sets, most):
    """Ten items each, or from ten to `most`, alike as to the logarithm."""
    return np.rint(most * (10 / most) ** rng.random((replicates, sets))).astype(int)


def draw(items, first, second):
    """Items that the first alone has right, and the second alone."""
    both = stats.multivariate_normal.cdf([stats.norm.ppf(first), stats.norm.ppf(second)],
                                         cov=[[1, 0.5], [0.5, 1]])
    wins = rng.binomial(items, first - both)
    return wins, rng.binomial(items - wins, (second - both) / (1 - first + both))


def worth(items, wins, losses):
    """Wins, losses and items of one set that would be as sure, and degrees of freedom."""
    n, sets = items.astype(float), items.shape[1]
    means, squares = (wins - losses) / n, (wins + losses) / n
    mean, square = means.mean(1), squares.mean(1)
    all_mean, all_square = (wins - losses).sum(1) / n.sum(1), (wins + losses).sum(1) / n.sum(1)
    pooled = np.maximum(0, square - mean ** 2)
    wider = all_square - all_mean ** 2 > pooled
    centre = np.where(wider, all_mean, mean)[:, None]
    pooled = np.where(wider, all_square - all_mean ** 2, pooled)[:, None]
    own = (squares - means ** 2) / (n - 1)
    pulled = (n * own + BORROWED * (pooled + n / (n + BORROWED) * (means - centre) ** 2) / n) / (n + BORROWED)
    parts, alike = pulled / sets ** 2, 1 / n / sets ** 2
    variance, most = parts.sum(1), (n - 1).sum(1)
    with np.errstate(all="ignore"):
        seen = np.where(variance > 0, variance ** 2 / (parts ** 2 / (n - 1 + BORROWED)).sum(1), most)
        df = np.minimum(np.minimum(seen, most), alike.sum(1) ** 2 / (alike ** 2 / (n - 1 + BORROWED)).sum(1))
        of = np.where((variance > 0) & (square > mean ** 2), (square - mean ** 2) / variance, 1 / alike.sum(1))
    return (square + mean) / 2 * of, (square - mean) / 2 * of, of, df


def tango(b, c, n, t, d):
    y = (2 * n - b + c) * d - b - c
    lost = (np.sqrt(y * y + 8 * n * c * d * (1 - d)) - y) / (4 * n)
    return (b - c - n * d) ** 2 <= t * t * n * (2 * lost + d * (1 - d)) + 1e-9


def bonett_price(b, c, n, t, d):
    mean, square = (b - c) / (n + 2), (b + c + 2) / (n + 2)
    return (mean - d) ** 2 <= t * t * (square - mean ** 2) / (n + 2) + 1e-12


print("sets, items, method, other system: coverage by share; mean, least")
kept = {}
for sets, most in ((5, 10), (8, 10), (20, 10), (5, 300), (8, 300), (20, 300)):
    rows = {}
    for share in SHARES:
        items = draw_sizes(sets, most)
        for odds, other in (("same", share), ("half the odds", share / (2 - share))):
            b, c, n, df = worth(items, *draw(items, share, other))
            for method in (tango, bonett_price):
                held = method(b, c, n, stats.t.isf(0.025, df), share - other).mean()
                rows.setdefault((method.__name__, odds), []).append(held)
    for (name, odds), held in rows.items():
        kept.setdefault((name, odds), []).extend(held)
        print(sets, f"10 to {most}", name, odds, *(f"{h:.3f}" for h in held),
              f"; {np.mean(held):.3f}, {min(held):.3f}", sep=" ")
for (name, odds), held in kept.items():
    print(f"all, {name}, {odds}: {np.mean(held):.4f}, {min(held):.3f} to {max(held):.3f}")

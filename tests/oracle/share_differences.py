# SPDX-License-Identifier: Apache-2.0
"""How often 95 % intervals of a difference of shares hold it, over fixed sets or clusters: Tango's and
Bonett and Price's, on the settings of `study all --coverage --only scores`.

usage: share_differences.py sets|clusters|skewed [REPLICATES]      (5,000; quoted in doc/methods/)

A simulation of the formulas, independent of the library: two systems whose latent numbers correlate
by .5, the second with the same share or half the odds; an interval holds the truth if the test of the
truth does not reject.  Made with numpy 2.4.6 and scipy 1.17.1.
"""
import sys

import numpy as np
from scipy import stats

BORROWED = 8
SHARES = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.02)
replicates = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
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


def latent(threshold, unit, item, icc):
    """Answers of a system: half of what varies is the units' and items', half its own."""
    own = np.sqrt(icc / 2) * rng.standard_normal(unit.shape)
    rest = np.sqrt((1 - icc) / 2)
    base = np.sqrt(icc / 2) * unit + own
    return [base + rest * i + rest * rng.standard_normal(unit.shape) > threshold for i in item]


def cluster_sizes(units):
    """2 to 20 items, most have few."""
    return 2 + np.floor(18 * rng.random((replicates, units)) ** 2).astype(int)


def analyse(sizes, total, square):
    """The mean of clusters' items, its variance and degrees of freedom, residuals and shares."""
    w, n = sizes.astype(float), sizes.sum(1, keepdims=True)
    mean, h = total.sum(1, keepdims=True) / n, w / n
    left, g = total - w * mean, 1 / (1 - h)
    variance = (left ** 2 * g).sum(1) / n[:, 0] ** 2
    spread = square - 2 * mean * total + w * mean ** 2
    with np.errstate(all="ignore"):
        seen = (left ** 2 - spread).sum(1) / (w * w - w).sum(1) / (spread.sum(1) / w.sum(1))
    seen = np.clip(np.nan_to_num(seen), 0, 1)[:, None]
    v = (1 - seen) * w + seen * w * w
    off = -2 * h * v + h * h * v.sum(1, keepdims=True)
    gv, gw, gwv, all_v = (g * v * v).sum(1), (g * h * h).sum(1), (g * h * v).sum(1), v.sum(1)
    pairs = 2 * gv * gw + gw ** 2 * all_v ** 2 + 2 * gwv ** 2 - 4 * all_v * gw * gwv
    df = ((v + off) * g).sum(1) ** 2 / (pairs - ((off * g) ** 2).sum(1) + (((v + off) * g) ** 2).sum(1))
    return mean[:, 0], variance, df, left, h


def skewed(units, icc):
    """t of 10 less log-normal numbers: coverage of all, and where the skewness of the mean seen is
    above .25 and below."""
    sizes = cluster_sizes(units)
    unit = np.sqrt(icc) * rng.standard_normal(sizes.shape)
    x = [np.where(i < sizes, 10 - np.exp(0.7 * (unit + np.sqrt(1 - icc) * rng.standard_normal(sizes.shape))), 0)
         for i in range(20)]
    mean, variance, df, left, _ = analyse(sizes, sum(x), sum(y * y for y in x))
    held = abs(mean - 10 + np.exp(0.245)) <= stats.t.isf(0.025, df) * np.sqrt(variance)
    seen = abs((left ** 3).sum(1)) > 0.25 * (left ** 2).sum(1) ** 1.5
    print(f"{units} clusters, icc {icc}, skewed, t: {held.mean():.3f}; {held[seen].mean():.3f} of {seen.mean():.2f}, "
          f"{held[~seen].mean():.3f} of the others", flush=True)


def clustered(units, icc, first, second):
    """The same of clusters."""
    sizes = cluster_sizes(units)
    unit = rng.standard_normal(sizes.shape)
    item = [rng.standard_normal(sizes.shape) for _ in range(20)]
    a, b = (latent(stats.norm.isf(p), unit, item, icc) for p in (first, second))
    moved = [np.where(i < sizes, 1.0 * x - 1.0 * y, 0) for i, (x, y) in enumerate(zip(a, b))]
    total, square = sum(moved), sum(m * m for m in moved)
    mean, variance, df, _, h = analyse(sizes, total, square)
    of = square.sum(1) / sizes.sum(1)
    with np.errstate(all="ignore"):
        many = np.where((variance > 0) & (of > mean ** 2), (of - mean ** 2) / variance, 1 / (h * h).sum(1))
    return (of + mean) / 2 * many, (of - mean) / 2 * many, many, df


def measure(kept, label, draws):
    """draws: (share, other share, function of both to what worth() returns)"""
    rows = {}
    for share, other, made in draws:
        b, c, n, df = made(share, other)
        odds = "same" if share == other else "half the odds"
        for method in (tango, bonett_price):
            held = method(b, c, n, stats.t.isf(0.025, df), share - other).mean()
            rows.setdefault(f"{method.__name__}, {odds}", []).append(held)
    for name, held in rows.items():
        kept.setdefault(name, []).extend(held)
        print(f"{label}, {name}:", *(f"{h:.3f}" for h in held), f"; {np.mean(held):.3f}, {min(held):.3f}",
              flush=True)


everything = {}
ALL = [(p, q) for p in SHARES for q in (p, p / (2 - p))]
if sys.argv[1] == "sets":
    for sets, most in ((5, 10), (8, 10), (20, 10), (5, 300), (8, 300), (20, 300)):
        def over_sets(p, q, sets=sets, most=most):
            items = draw_sizes(sets, most)
            return worth(items, *draw(items, p, q))
        measure(everything, f"{sets} sets of 10 to {most}", [(p, q, over_sets) for p, q in ALL])
elif sys.argv[1] == "skewed":
    for units in (20, 50):
        for icc in (0.2, 0.6):
            skewed(units, icc)
else:
    for units in (10, 20, 50):
        for icc, grid in ((0.2, ALL), (0.0, [(0.69, 0.69)]), (0.6, [(0.69, 0.69)])):
            measure(everything, f"{units} clusters, icc {icc}",
                    [(p, q, lambda p, q, u=units, r=icc: clustered(u, r, p, q)) for p, q in grid])
for name, held in everything.items():
    print(f"all, {name}: {np.mean(held):.4f}, {min(held):.3f} to {max(held):.3f}")

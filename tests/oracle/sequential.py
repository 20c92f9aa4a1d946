# SPDX-License-Identifier: Apache-2.0
"""Reference values of limits that hold while one looks: sequential.tsv.

usage: sequential.py > sequential.tsv

Looks: bounds by root finding on paths carried along an even grid.  Evidence: the projection of the
guess by nested root finding, block by block, not by the closed form.  Counts: every
number tried, in rational arithmetic but for the beta function.  Means: a fine walk over m of
the gamblers' capital.
"""
import math
import random
from fractions import Fraction as F

import numpy as np
from scipy import optimize, special, stats

rng = random.Random(7)


def crossed(z, tau, step=0.01):
    """P(Z_k >= z_k for some k): what stays below is carried from look to look on an even grid,
    by Simpson's rule; scipy's multivariate normal agrees to 1e-5, but takes hours for more."""
    at = mass = None
    for k, (c, t) in enumerate(zip(z, tau)):
        bound, sd = c * math.sqrt(t), math.sqrt(t - (tau[k - 1] if k else 0))
        n = 2 * int(math.ceil((bound + 9) / step / 2))
        x = np.linspace(-9, bound, n + 1)
        w = np.ones(n + 1)
        w[1:-1:2], w[2:-1:2] = 4, 2
        f = (stats.norm.pdf(x / sd) / sd if k == 0
             else np.exp(-.5 * ((x[:, None] - at) / sd) ** 2) @ mass / (sd * math.sqrt(2 * math.pi)))
        at, mass = x, f * w * (x[1] - x[0]) / 3
    return 1.0 - mass.sum()


def looks(shape, tau, level):
    if shape in ("pocock", "obrien-fleming"):
        def z(c):
            return [c if shape == "pocock" else c / math.sqrt(t) for t in tau]
        c = optimize.brentq(lambda c: crossed(z(c), tau) - level, 1.0, 4.5, xtol=1e-7)
        return z(c)
    out = []
    for k, t in enumerate(tau):
        spent = (level * math.log(1 + (math.e - 1) * t) if shape == "spend-pocock"
                 else 2 * stats.norm.sf(stats.norm.isf(level / 2) / math.sqrt(t)))
        out.append(optimize.brentq(lambda b: crossed(out + [b], tau[:k + 1]) - spent,
                                   0.5, 7.5, xtol=1e-7))
    return out


def project(p, d, w, C):
    """The q with sum w q <= C nearest to p in Kullback and Leibler's sense: the gradient of the
    loss is -lambda w, each q by root finding, lambda by root finding around that."""
    if np.dot(w, p) <= C:
        return np.asarray(p)
    def at(l):
        return np.array([optimize.brentq(lambda q: dk * (pk - q) - l * wk * q * (1 - q), 0, 1,
                                         xtol=1e-15, rtol=1e-14) for pk, dk, wk in zip(p, d, w)])
    high = 1e-6
    while np.dot(w, at(high)) > C:
        high *= 2
        if high * np.abs(w).sum() > 1e9: # only an extreme truth is left
            return at(1e9 / np.abs(w).sum())
    return at(optimize.brentq(lambda l: np.dot(w, at(l)) - C, 0, high, xtol=1e-16, rtol=1e-13))


def evidence(strata, blocks, t, upper):
    n, r = np.zeros(len(strata)), np.zeros(len(strata))
    c = np.array([(1 - t if s[1] else -t) * (-1 if upper else 1) for s in strata])
    size = np.array([s[0] for s in strata], float)
    e = most = 0.0
    for drawn, found in blocks:
        live = size > n
        p = ((r + .5) / (n + 1))[live]
        w, C = (c * (size - n))[live], -(c @ r)
        if np.minimum(w, 0).sum() > C + 1e-9:
            return math.inf
        d, x = np.array(drawn, float)[live], np.array(found, float)[live]
        q = project(p, d, w, C)
        e += float(np.sum(x * np.log(p / q) + (d - x) * np.log((1 - p) / (1 - q))))
        most = max(most, e)
        n, r = n + drawn, r + found
    impossible = np.minimum(c * (size - n), 0).sum() > -(c @ r) + 1e-9
    return math.inf if impossible else most


def count_limits(N, n, r, a, b, level):
    def ordered(K):
        top = F(math.comb(K, r) * math.comb(N - K, n - r), math.comb(N, n))
        return top / math.comb(n, r)
    need = math.exp(special.betaln(a + r, b + n - r) - special.betaln(a, b)) * level
    kept = [K for K in range(N + 1) if float(ordered(K)) > need]
    return kept[0], kept[-1]


print("# by sequential.py: kind, then its columns")
for shape, tau, level in [("pocock", [.2, .4, .6, .8, 1], .05), ("obrien-fleming", [.2, .4, .6, .8, 1], .05),
                          ("pocock", [.25, .5, .75, 1], .025), ("obrien-fleming", [1 / 3, 2 / 3, 1], .1),
                          ("pocock", [.1, .15, 1], .05), ("obrien-fleming", [.5, 1], .01),
                          ("spend-obrien-fleming", [.3, .35, .8, 1], .05), ("spend-pocock", [.1, .5, .9], .05),
                          ("spend-pocock", [.2, .4, .6, .8, 1], .025)]:
    z = looks(shape, tau, level)
    print("looks", shape, repr(level), ",".join(map(repr, tau)), ",".join("%.6f" % v for v in z), sep="\t")
for design, d, K, n in [([(500, 1), (9500, 0)], [1, 10], [250, 28], 60), ([(40, 1), (60, 0)], [2, 3], [20, 5], 14),
                        ([(100, 1), (200, 1), (300, 0), (5000, 0)], [1, 2, 3, 20], [60, 80, 10, 12], 40)]:
    left = [[1] * k + [0] * (N - k) for (N, _), k in zip(design, K)]
    for pool in left:
        rng.shuffle(pool)
    blocks = []
    for _ in range(n):
        found, drawn = [], []
        for s, pool in enumerate(left):
            take = [pool.pop() for _ in range(min(d[s], len(pool)))]
            drawn.append(len(take))
            found.append(sum(take))
        if sum(drawn) == 0:
            break
        blocks.append((np.array(drawn), np.array(found)))
    text = ";".join(",".join(f"{a}/{b}" for a, b in zip(*k)) for k in blocks)
    for t, upper in [(.3, 0), (.6, 0), (.75, 0), (.9, 1), (.98, 1)]:
        print("evidence", ",".join(f"{N}{'r' if side else 'u'}" for N, side in design), text, t, upper,
              "%.9f" % evidence(design, blocks, t, upper), sep="\t")
for N, n, r, a, b, level in [(50, 10, 0, .5, .5, .05), (50, 10, 3, .5, .5, .05), (200, 60, 60, 1, 1, .1),
                             (1000, 300, 2, .5, 60, .05), (30, 30, 4, .5, .5, .05), (20, 0, 0, .5, .5, .05),
                             (858, 150, 9, .5, .5, .01)]:
    print("count", N, n, r, a, b, level, *count_limits(N, n, r, a, b, level), sep="\t")
for t, known in [(.7, 20), (.75, 30), (.8, 14), (.8, 13), (.9, 100), (.95, 59), (.95, 500), (.8, 1000)]:
    j = next((j for j in range(1, known + 1) if stats.binom.cdf(j - 1, known, t) >= .95), 0)
    print("qbcb", t, known, j, sep="\t")
for A, N, n, k, t in [(80, 1000, 200, 1, .8), (80, 1000, 200, 0, .95), (10, 100, 90, 2, .9), (5, 40, 40, 0, .95)]:
    most = math.floor((A + k) / t - A) + 1
    p = 0.0 if most > N - n + k else stats.hypergeom(N, most, n).cdf(k)
    print("stop", A, N, n, k, t, "%.12g" % p, sep="\t")

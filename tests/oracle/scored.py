# SPDX-License-Identifier: Apache-2.0
"""Reference values of scored items: scored.tsv.

usage: scored.py > scored.tsv

Rational arithmetic from the definitions, pair by pair: area under the ROC curve,
DeLong's variances and covariance, average precision (its standard error by moving the
weight of each item), the calibration error's moments.  scored.R compares the areas and
tests with R's pROC.  Scores are written in hundredths.
"""
import math
import random
from fractions import Fraction as F


def placements(y, s):
    pos = [x for x, t in zip(s, y) if t]
    neg = [x for x, t in zip(s, y) if not t]
    k = lambda a, b: F(1) if a > b else F(1, 2) if a == b else F(0)
    return ([sum(k(a, b) for b in neg) / len(neg) for a in pos],
            [sum(k(a, b) for a in pos) / len(pos) for b in neg])


def cov(u, v):
    mu, mv = sum(u) / len(u), sum(v) / len(v)
    return sum((a - mu) * (b - mv) for a, b in zip(u, v)) / (len(u) - 1) / len(u)


def delong(y, a, b):
    (p, q), (r, s) = placements(y, a), placements(y, b)
    return (sum(p) / len(p), sum(r) / len(r), cov(p, p) + cov(q, q), cov(r, r) + cov(s, s),
            cov(p, r) + cov(q, s))


def ap(y, s, w):
    total = sum(wi for wi, t in zip(w, y) if t)
    return sum(w[i] * sum(w[j] for j in range(len(y)) if y[j] and s[j] >= s[i])
               / sum(w[j] for j in range(len(y)) if s[j] >= s[i])
               for i in range(len(y)) if y[i]) / total


def main():
    rng = random.Random(8)
    print("# by scored.py: labels, a, b, auc a, auc b, variance a, variance b, covariance, "
          "z, p, ap a, its se")
    for k in range(16):
        n = rng.randint(8, 40)
        while True:
            y = [int(rng.random() < 0.4) for _ in range(n)]
            if 2 <= sum(y) <= n - 2:
                break
        step = rng.choice((1, 10))
        a = [min(max(round(rng.gauss(50 + 25 * t, 20) / step) * step, 0), 100) for t in y]
        b = [min(max(round((x + rng.gauss(10 * t, 20)) / step) * step, 0), 100)
             for x, t in zip(a, y)]
        ua, ub, va, vb, c = delong(y, a, b)
        se = math.sqrt(va + vb - 2 * c)
        z = float(ua - ub) / se
        one = [F(1)] * n
        base, tiny = ap(y, a, one), F(1, 10 ** 9)
        moves = [(ap(y, a, [F(1) + tiny * (i == j) for j in range(n)]) - base) / tiny
                 for i in range(n)]
        print("".join(map(str, y)), ",".join(map(str, a)), ",".join(map(str, b)),
              *(repr(float(x)) for x in (ua, ub, va, vb, c, z, math.erfc(abs(z) / math.sqrt(2)),
                                         base, math.sqrt(sum(float(m) ** 2 for m in moves)))),
              sep="\t")


main()

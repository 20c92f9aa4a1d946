# SPDX-License-Identifier: Apache-2.0
"""Intervals and p of differences of areas, for the pairs of scored.tsv: auc_difference.tsv.

usage: auc_difference.py scored.tsv > auc_difference.tsv

From the formulas of doc/methods/scored.md, with Simpson's rule for Student's t.
"""
import math
import sys


def t_tail(x, df):
    """P(T > x), x >= 0: with T = sqrt(df) tan(u) the density is a power of cos(u)."""
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    low, n = math.atan(x / math.sqrt(df)), 4000
    step = (math.pi / 2 - low) / n
    f = [max(math.cos(low + i * step), 0.0) ** (df - 1) for i in range(n + 1)]
    return scale * step / 3 * (f[0] + f[n] + 4 * sum(f[1:n:2]) + 2 * sum(f[2:n:2]))


def bisect(inside, a, b):
    for _ in range(60):
        c = (a + b) / 2
        a, b = (c, b) if inside(c) else (a, c)
    return (a + b) / 2


class System:
    def __init__(self, y, s):
        beats = lambda a, b: 1.0 if a > b else 0.5 if a == b else 0.0
        pos = [x for x, t in zip(s, y) if t]
        neg = [x for x, t in zip(s, y) if not t]
        self.m, self.n = m, n = len(pos), len(neg)
        self.place = ([sum(beats(a, b) for b in neg) / n for a in pos],
                      [sum(beats(a, b) for a in pos) / m for b in neg])
        self.area = area = sum(self.place[0]) / m
        of = [sum((x - area) ** 2 for x in p) / (len(p) - 1) / len(p) for p in self.place]
        self.variance = sum(of)
        self.df, self.share, self.k, self.r = m + n - 2.0, 0.5, 0.0, 1.0
        if self.variance > 0:
            self.know(of)

    def know(self, of):
        m, n, area = self.m, self.n, self.area
        self.df = max(sum(of) ** 2 / (of[0] ** 2 / (m - 1) + of[1] ** 2 / (n - 1)), 3.0)
        share = of[0] * m / (of[0] * m + of[1] * n)
        lost = [[1 - x if area >= 0.5 else x for x in p] for p in self.place]
        more = [[x - min(l) for x in l] for l in lost]
        if all(max(l) > 0 for l in more):
            self.k = min(sum(l) ** 2 / sum(x * x for x in l) for l in more)
        k = self.k
        believed = (k * share + 1) / (k + 2)
        self.share = max(share, believed) if m < n else min(share, believed)
        x = self.variance / self.formula(area)
        self.r = max(x, (k * x + 10) / (k + 10))

    def formula(self, theta):
        spread = (1 - theta) / (2 - theta) + theta / (1 + theta)
        part = self.share * (self.n - 1) + (1 - self.share) * (self.m - 1)
        return theta * (1 - theta) * (1 + part * spread) / (self.m * self.n)


def compare(y, a, b):
    one, two = System(y, a), System(y, b)
    d, df = one.area - two.area, min(one.df, two.df)
    cov = sum(sum((u - one.area) * (v - two.area) for u, v in zip(p, q)) / (len(p) - 1) / len(p)
              for p, q in zip(one.place, two.place))
    left = max(1 - 2 * cov / (one.variance + two.variance), 1 / (1 + min(one.k, two.k)))

    def variance(delta):
        part = 0.5
        for _ in range(12):
            at = min(max(one.area + (delta - d) * part, 0, delta), 1, 1 + delta)
            va, vb = one.r * one.formula(at), two.r * two.formula(at - delta)
            part = (part + va / (va + vb)) / 2
        return left * (va + vb)

    t = bisect(lambda x: t_tail(x, df) > 0.025, 0.0, 20.0)
    inside = lambda delta: (delta - d) ** 2 < t * t * variance(delta)
    z = bisect(lambda x: math.erfc(x / math.sqrt(2)) > 0.05, 0.0, 20.0)
    se = math.sqrt(one.variance + two.variance - 2 * cov)
    return (min(bisect(inside, d, -1.0), max(d - z * se, -1.0)),
            max(bisect(inside, d, 1.0), min(d + z * se, 1.0)),
            max(2 * t_tail(abs(d) / math.sqrt(variance(0.0)), df), math.erfc(abs(d) / se / math.sqrt(2))))


def main():
    print("# by auc_difference.py, a line for each of scored.tsv: lower, upper, p")
    for line in open(sys.argv[1]):
        if not line.startswith("#"):
            y, a, b = line.split("\t")[:3]
            print(*map(repr, compare([int(x) for x in y], [float(x) for x in a.split(",")],
                                     [float(x) for x in b.split(",")])), sep="\t")


main()

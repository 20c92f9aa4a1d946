# SPDX-License-Identifier: Apache-2.0
"""What 95 % intervals of a difference of two paired shares hold: the table of
doc/methods/binary.md.

usage: paired_shares.py [gate] [10|20|50|100...]

All outcomes (b, c) of n items are counted with their probabilities, over 300 truths: b + c
from .02 to .6 of the items in 15 steps, split from all to none in 20.  Prints for each n and
method the mean and the least coverage and the mean width.

gate: how often, at most, one-sided limits of 95 % are above the true difference: -.01 to -.2 with
losses of 0 to .3 more.
"""
import math
import sys

Z = 1.959963984540054
T = {10: 2.2621571627982053, 20: 2.09302405440831, 50: 2.0095752371292397, 100: 1.9842169515864176}


def bonett_price(b, c, n):
    d, s = (b - c) / (n + 2), (b + c + 2) / (n + 2)
    h = Z * math.sqrt((s - d * d) / (n + 2))
    return d - h, d + h


def undeclared(b, c, n):
    """Student's t, and Tango's where all differences are equal."""
    d = (b - c) / n
    v = (b + c) / n - d * d
    h = T[n] * math.sqrt(max(0.0, v) / (n - 1))
    return (d - h, d + h) if v > 1e-12 else tango(b, c, n)


def agresti_min(b, c, n):
    return wald(b + 0.5, c + 0.5, n + 2)


def wald(b, c, n):
    d = (b - c) / n
    h = Z * math.sqrt(max(0.0, (b + c) / n - d * d) / n)
    return d - h, d + h


def tango(b, c, n):
    """The differences that the score test does not reject."""
    def score(d):
        x = 2 * n
        y = -b - c + (2 * n - b + c) * d
        w = -c * d * (1 - d)
        q = (math.sqrt(max(0.0, y * y - 4 * x * w)) - y) / (2 * x)
        v = n * (2 * q + d * (1 - d))
        return (b - c - n * d) / math.sqrt(v) if v > 1e-14 else math.copysign(
            math.inf if abs(b - c - n * d) > 1e-12 else 0.0, b - c - n * d)

    def root(level, lo, hi):
        for _ in range(60):
            mid = 0.5 * (lo + hi)
            lo, hi = (mid, hi) if score(mid) > level else (lo, mid)
        return 0.5 * (lo + hi)

    d = (b - c) / n
    return root(Z, -1.0, d) if d > -1 else -1.0, root(-Z, d, 1.0) if d < 1 else 1.0


def power(p, k):
    return 1.0 if k == 0 else p ** k


def held(method, n):
    limits = {(b, c): method(b, c, n) for b in range(n + 1) for c in range(n + 1 - b)}
    ways = {(b, c): math.comb(n, b) * math.comb(n - b, c) for b, c in limits}
    found, widths = [], []
    for i in range(15):
        both = 0.02 + (0.6 - 0.02) * i / 14
        for j in range(20):
            p = both * j / 19
            q = both - p
            cover = width = 0.0
            for (b, c), (lower, upper) in limits.items():
                chance = ways[b, c] * power(p, b) * power(q, c) * power(1 - both, n - b - c)
                cover += chance * (lower - 1e-12 <= p - q <= upper + 1e-12)
                width += chance * (upper - lower)
            found.append(cover)
            widths.append(width)
    return sum(found) / len(found), min(found), sum(widths) / len(widths)


def passed(method, n):
    most = 0.0
    for margin in (0.01, 0.02, 0.05, 0.1, 0.2):
        above = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)
                 if method(b, c, n)[0] > 1e-12 - margin]
        for i in range(13):
            p, q = 0.3 * i / 12, 0.3 * i / 12 + margin
            most = max(most, sum(math.comb(n, b) * math.comb(n - b, c) * power(p, b) * power(q, c)
                                 * power(1 - p - q, n - b - c) for b, c in above))
    return most


if sys.argv[1:2] == ["gate"]:
    Z = 1.6448536269514722
    for size in [int(a) for a in sys.argv[2:]] or [10, 20, 50, 100, 200]:
        print(size, *(f"{m.__name__} %.3f;" % passed(m, size) for m in (tango, bonett_price)), flush=True)
    sys.exit()
for size in [int(a) for a in sys.argv[1:]] or [10, 20, 50, 100]:
    print(size, *(f"{m.__name__} %.3f, %.3f, width %.3f;" % held(m, size)
                  for m in (tango, bonett_price, agresti_min, undeclared, wald)), flush=True)

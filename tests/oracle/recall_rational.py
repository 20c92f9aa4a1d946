#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exact posteriors of recall, F1 and yield in rational arithmetic.

Writes recall_rational.tsv: prior a and b (rational), strata of the retrieved
and unretrieved segment, quantity, x or q, the exact answer.  Half-integer
priors are rational too: ratios of gamma functions of arguments that differ by
whole numbers are products of rationals.
"""
import itertools
from fractions import Fraction as F


def stratum(N, n, r, a, b):
    """The posterior of a stratum's yield, a dict yield -> probability."""
    M, A, B = N - n, a + r, b + n - r
    w = F(1)
    p = {r: w}
    for k in range(M):
        w *= F(M - k) * (k + A) / ((k + 1) * (M - k - 1 + B))
        p[r + k + 1] = w
    total = sum(p.values())
    return {k: v / total for k, v in p.items()}


def convolve(p, q):
    out = {}
    for (i, x), (k, y) in itertools.product(p.items(), q.items()):
        out[i + k] = out.get(i + k, 0) + x * y
    return out


def segment(strata, a, b, shared):
    out = {0: F(1)}
    for N, n, r in strata:
        share = 1
        if shared == 2 and 0 < n < N:
            share = F(N, n) / sum(F(M, m) for M, m, _ in strata if 0 < m < M)
        out = convolve(out, stratum(N, n, r, a * share, b * share))
    return out


def law(p1, p0, N1, quantity):
    out, z = {}, p1.get(0, 0) * p0.get(0, 0)
    for (i, x), (k, y) in itertools.product(p1.items(), p0.items()):
        if quantity == "recall":
            if i + k == 0:
                continue
            v, m = F(i, i + k), x * y / (1 - z)
        elif quantity == "f1":
            v, m = F(2 * i, i + k + N1), x * y
        else:
            v, m = F(i + k), x * y
        out[v] = out.get(v, 0) + m
    return sorted(out.items())


CASES = [
    ([(20, 10, 5)], [(30, 10, 1)]),
    ([(12, 4, 3)], [(25, 6, 0)]),
    ([(9, 3, 0)], [(14, 5, 2)]),
    ([(7, 2, 0)], [(9, 3, 0)]),
    ([(8, 8, 5)], [(40, 5, 2)]),
    ([(6, 6, 6)], [(10, 10, 3)]),
    ([(1, 1, 1)], [(1, 0, 0)]),
    ([(10, 4, 3), (6, 2, 1)], [(20, 5, 1), (15, 3, 0)]),
    ([(5, 2, 2), (5, 2, 1), (4, 1, 0)], [(16, 4, 0), (9, 3, 1), (12, 3, 0)]),
    ([(5, 5, 2), (5, 2, 1)], [(16, 16, 1), (9, 3, 1)]),
]
PRIORS = [("1/2", "1/2", 0), ("1", "1", 0), ("1/3", "5/2", 0),
          ("1/2", "1/2", 2)]
XS = ["0", "1/10", "1/4", "1/2", "3/5", "7/10", "3/4", "9/10", "1"]
QS = ["1/40", "1/20", "1/2", "19/20", "39/40"]


def text(strata):
    return ";".join(":".join(map(str, s)) for s in strata)


def main():
    with open("recall_rational.tsv", "w") as out:
        out.write("# prior a, b, shared by strata (2: by N/n) or not; retrieved; unretrieved; what; "
                  "argument; answer\n# made by recall_rational.py\n")
        for (s1, s0), (a, b, shared) in itertools.product(CASES, PRIORS):
            p1, p0 = (segment(s, F(a), F(b), shared) for s in (s1, s0))
            for quantity in ("recall", "f1", "yield"):
                dist = law(p1, p0, sum(s[0] for s in s1), quantity)
                rows = []
                for x in XS if quantity != "yield" else ["0", "3", "7", "10"]:
                    rows.append(("cdf", x, sum(m for v, m in dist if v <= F(x))))
                    rows.append(("below", x, sum(m for v, m in dist if v < F(x))))
                for q in QS:
                    sum_, it = F(0), iter(dist)
                    while sum_ < F(q):
                        v, m = next(it)
                        sum_ += m
                    rows.append(("quantile", q, v))
                for what, arg, answer in rows:
                    out.write("\t".join([repr(float(F(a))), repr(float(F(b))), str(shared),
                                         text(s1), text(s0), quantity + "-" + what,
                                         repr(float(F(arg))), repr(float(answer))]) + "\n")


main()

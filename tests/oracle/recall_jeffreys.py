#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""P(recall <= x), P(F1 <= x), P(yield <= x) under Jeffreys' beta posteriors.

One-dimensional quadrature in 30-digit arithmetic (mpmath), over the retrieved
share with the unretrieved tail as an incomplete beta function.  Writes
recall_jeffreys.tsv.
"""
import mpmath as mp

mp.mp.dps = 30
CASES = [(50, 10, 7, 950, 30, 1), (300, 100, 0, 5000, 300, 2), (2000, 100, 50, 100000, 100, 0),
         (8, 8, 5, 992, 50, 2), (1000, 200, 180, 4000, 500, 20), (40, 12, 12, 60, 9, 9),
         (200000, 1500, 900, 2000000, 4000, 12), (7, 2, 0, 9, 3, 0)]


def tail(z, a, b):
    if z <= 0:
        return mp.mpf(1)
    if z >= 1:
        return mp.mpf(0)
    return mp.betainc(a, b, z, 1, regularized=True)


def prob(case, threshold, upward, kinks):
    """threshold: R1 -> limit on R0; the event is R0 >= it, or R0 <= it."""
    N1, n1, r1, N0, n0, r0 = map(mp.mpf, case)
    h = mp.mpf(1) / 2
    a1, b1, a0, b0 = r1 + h, n1 - r1 + h, r0 + h, n0 - r0 + h
    M1, M0 = N1 - n1, N0 - n0

    def inner(R1):
        t = tail((threshold(R1) - r0) / M0, a0, b0)
        return t if upward else 1 - t

    if M1 == 0:
        return inner(r1)
    mean = a1 / (a1 + b1)
    sd = mp.sqrt(mean * (1 - mean) / (a1 + b1 + 1))
    cuts = [mean + k * sd for k in (-12, -8, -5, -3, -1.5, 0, 1.5, 3, 5, 8, 12, 20)]
    cuts += [(k - r1) / M1 for k in kinks]
    cuts = sorted({mp.mpf(0), mp.mpf(1)} | {c for c in cuts if 0 < c < 1})
    angles = [mp.asin(mp.sqrt(c)) for c in cuts]
    norm = 2 / mp.beta(a1, b1)

    def f(t):
        s, c = mp.sin(t), mp.cos(t)
        return norm * s ** (2 * a1 - 1) * c ** (2 * b1 - 1) * inner(r1 + M1 * s * s)

    return mp.quad(f, angles)


def main():
    with open("recall_jeffreys.tsv", "w") as out:
        out.write("# N1 n1 r1 N0 n0 r0, quantity, x, P(quantity <= x); made by "
                  "recall_jeffreys.py\n")
        for case in CASES:
            N1, n1, r1, N0, n0, r0 = case
            est1, est0 = N1 * (r1 + .5) / (n1 + 1), N0 * (r0 + .5) / (n0 + 1)
            rows = []
            for x in (0.2, 0.5, 0.9, est1 / (est1 + est0)):
                s = (1 - mp.mpf(x)) / mp.mpf(x)
                rows.append(("recall", x, prob(case, lambda R: R * s, True,
                                               [r0 / s, (r0 + N0 - n0) / s])))
            for x in (0.3, 2 * est1 / (est1 + est0 + N1)):
                X = mp.mpf(x)
                rows.append(("f1", x, prob(case, lambda R: (R * (2 - X) - X * N1) / X, True,
                                           [(k * X + X * N1) / (2 - X)
                                            for k in (r0, r0 + N0 - n0)])))
            x = est1 + est0
            rows.append(("yield", x, prob(case, lambda R: x - R, False,
                                          [x - r0, x - r0 - N0 + n0])))
            for quantity, x, p in rows:
                out.write("\t".join(map(str, case)) + f"\t{quantity}\t{float(x)!r}\t"
                          f"{mp.nstr(p, 17)}\n")


main()

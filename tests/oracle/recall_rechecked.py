#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The posterior of the relevant documents of a segment whose sample was rechecked in part, by
enumeration in rational arithmetic.

Of N documents n were judged and r called relevant; of these k were rechecked and c are relevant, of
the other n - r m were rechecked and d are.  Writes recall_rechecked.tsv: the seven numbers, a count
and the probability that at most so many documents are relevant.
"""
import fractions
import math
import os

HALF = fractions.Fraction(1, 2)


def rising(x, k):
    out = fractions.Fraction(1)
    for i in range(k):
        out *= x + i
    return out


def betabin(k, n, a, b):
    return math.comb(n, k) * rising(a, k) * rising(b, n - k) / rising(a + b, n)


def posterior(seen, relevant, size):
    """Probabilities of 0, 1, ... size relevant of size documents, of which so many were seen."""
    left = size - seen
    return {relevant + x: betabin(x, left, relevant + HALF, seen - relevant + HALF)
            for x in range(left + 1)}


def relevant_of(N, n, r, k, c, m, d):
    out = [fractions.Fraction(0)] * (N + 1)
    for called, p in posterior(n, r, N).items():
        for yes, q in posterior(k, c, called).items():
            for no, s in posterior(m, d, N - called).items():
                out[yes + no] += p * q * s
    assert sum(out) == 1
    return out


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recall_rechecked.tsv")
    with open(path, "w", encoding="utf-8") as f:
        print("# N n r k c m d x P(relevant <= x); by recall_rechecked.py", file=f)
        for case in ((12, 6, 3, 2, 1, 2, 0), (20, 8, 5, 4, 4, 3, 1), (30, 10, 0, 0, 0, 5, 1),
                     (25, 25, 10, 5, 3, 6, 0), (40, 12, 9, 9, 7, 3, 3)):
            below = fractions.Fraction(0)
            for x, p in enumerate(relevant_of(*case)):
                below += p
                if 0.01 < below < 0.99:
                    print(*case, x, f"{float(below):.15g}", sep="\t", file=f)


main()

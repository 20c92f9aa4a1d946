#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Moments of a difference in average precision, two ways that share nothing
with the library: all relevance assignments in rational arithmetic up to 12
documents; beyond that sums over all pairs with 30 digits (mpmath).

    /usr/bin/python3 tests/oracle/incomplete.py > tests/oracle/incomplete.tsv

Columns: form, ranks of a, ranks of b (0: not returned), relevance, mean,
variance, absolute tolerance.
"""
from fractions import Fraction as F
from itertools import combinations, product

import mpmath as mp

mp.mp.dps = 30

CASES = [
    ("3 1 2",
     "3 2 1",
     "0.5 0.5 0.5"),
    ("2 4 3 5 1",
     "4 2 1 5 3",
     "0.5 0.8 0.5 0.5 1.0"),
    ("1 4 3 5 6 2",
     "2 3 4 0 1 0",
     "0.1 0.1 0.5 0.3 0.3 0.3"),
    ("1 2 5 3 6 4 7 8",
     "6 7 8 5 3 2 4 1",
     "0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5"),
    ("5 7 6 2 1 10 9 3 4 8",
     "0 3 4 5 0 0 2 0 6 1",
     "0.0 0.0 0.5 0.5 1.0 0.1 0.5 0.8 0.0 0.0"),
    ("4 2 3 11 7 5 6 1 10 8 12 9",
     "9 1 8 12 3 6 5 10 2 7 4 11",
     "0.5 0.8 0.5 0.0 0.5 0.0 1.0 0.5 0.3 0.5 1.0 1.0"),
    ("17 44 49 50 36 28 32 13 9 45 39 30 40 42 5 41 12 27 15 38 24 46 6 26 16 48 10 37 20 "
     "11 18 35 8 25 29 7 21 19 34 4 3 47 43 2 1 33 31 23 22 14 ",
     "5 41 11 24 35 39 29 33 14 32 45 18 43 47 50 22 9 19 40 23 48 2 20 36 6 16 38 15 25 "
     "46 10 31 12 30 27 17 44 1 42 8 21 37 49 13 4 7 34 3 28 26 ",
     "0.5 0.05 0.05 0.05 0.05 0.2 0.05 0.5 0.05 0.05 0.2 0.05 0.05 0.05 0.5 0.2 0.05 0.05 "
     "0.05 0.05 0.2 0.5 0.05 0.05 0.05 0.2 0.05 0.05 0.5 0.05 0.2 0.05 0.05 0.05 0.05 0.5 "
     "0.05 0.05 0.05 0.05 0.2 0.05 0.5 0.05 0.05 0.2 0.05 0.05 0.05 0.5 "),
]


def inverse_max(r, i, j):
    return F(0) if r[i] == 0 or r[j] == 0 else F(1, max(r[i], r[j]))


def coefficients(a, b):
    m = range(len(a))
    return {(i, j): inverse_max(a, i, j) - inverse_max(b, i, j)
            for i in m for j in m if i <= j}


def enumerated(c, p):
    """E and Var of Q/S, and the moments of Q and S."""
    total = dict.fromkeys(("r", "rr", "q", "qq", "s", "ss", "qs"), F(0))
    for x in product((0, 1), repeat=len(p)):
        chance = F(1)
        for xi, pi in zip(x, p):
            chance *= pi if xi else 1 - pi
        if chance == 0:
            continue
        on = [i for i, xi in enumerate(x) if xi]
        q = sum(c[i, i] for i in on) + sum(c[i, j] for i, j in combinations(on, 2))
        s = len(on)
        r = q / s if s else F(0)
        for name, value in (("r", r), ("rr", r * r), ("q", q), ("qq", q * q), ("s", s),
                            ("ss", s * s), ("qs", q * s)):
            total[name] += chance * value
    return total


def numerator(c, p):
    """E and Var of Q over all pairs, for independent documents."""
    m = range(len(p))
    line = [c[i, i] + sum(c[min(i, j), max(i, j)] * p[j] for j in m if j != i) for i in m]
    mean = sum(p[i] * (c[i, i] + line[i]) for i in m) / 2
    v = [x * (1 - x) for x in p]
    var = sum(v[i] * line[i] ** 2 for i in m) \
        + sum(c[i, j] ** 2 * v[i] * v[j] for i, j in combinations(m, 2))
    return mean, var


def show(form, case, mean, variance, tolerance):
    cells = [",".join(x.split()) for x in case]
    print("\t".join([form, *cells, mp.nstr(mp.mpf(mean), 17), mp.nstr(mp.mpf(variance), 17),
                     tolerance]))


def real(x):
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, F) else x


def tell(case):
    a, b = ([int(x) for x in case[k].split()] for k in (0, 1))
    p = [F(x) for x in case[2].split()]
    c = coefficients(a, b)
    if len(a) > 12:
        c = {k: real(x) for k, x in c.items()}
        q, var = numerator(c, [real(x) for x in p])
        show("plain", case, q / real(sum(p)), var / real(sum(p)) ** 2, "1e-13")
        return
    t = enumerated(c, p)
    mu, var_q, var_s = t["s"], t["qq"] - t["q"] ** 2, t["ss"] - t["s"] ** 2
    cov, rho = t["qs"] - t["q"] * t["s"], t["q"] / t["s"]
    show("plain", case, real(rho), real(var_q / mu ** 2), "1e-13")
    show("delta", case, real(rho - cov / mu ** 2 + rho * var_s / mu ** 2),
         real((var_q - 2 * rho * cov + rho ** 2 * var_s) / mu ** 2), "1e-13")


print("# SPDX-License-Identifier: Apache-2.0")
for one in CASES:
    tell(one)

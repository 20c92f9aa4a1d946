#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The ideal bootstrap of small samples: every multiset with its probability,
means and comparisons in rational arithmetic, the rest with 40 digits (mpmath).

    /usr/bin/python3 tests/oracle/mean_interval.py > tests/oracle/mean_interval.tsv

Columns: quantity, sample, confidence, expected values, absolute tolerance.
Quantiles are the infinite bootstrap's (the least atom that reaches the level).
"""
from collections import defaultdict
from fractions import Fraction as F
from itertools import combinations_with_replacement
from math import factorial

import mpmath as mp

mp.mp.dps = 40

SAMPLES = [
    (["0.05", "0.12", "0.2", "0.33", "0.61"], "0.95"),
    (["0.05", "0.12", "0.2", "0.33", "0.61"], "0.9"),
    (["0", "0", "0.1", "0.25", "0.7"], "0.9"),
    (["0.9", "0.95", "1", "1", "0.4"], "0.9"),
    (["0.02", "0.08", "0.15", "0.22", "0.4", "0.55"], "0.9"),
    (["0.3", "0.3", "0.3", "0.6"], "0.8"),
]


def real(x):
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, F) else mp.mpf(x)


def phi_inverse(p):
    return mp.sqrt(2) * mp.erfinv(2 * real(p) - 1)


def atoms(x):
    """Mean -> probability over all resamples."""
    n, out = len(x), defaultdict(F)
    for picked in combinations_with_replacement(range(n), n):
        ways = factorial(n)
        for i in set(picked):
            ways //= factorial(picked.count(i))
        out[sum(x[i] for i in picked) / n] += F(ways, n ** n)
    return sorted(out.items())


def quantile(dist, p):
    total = F(0)
    for value, weight in dist:
        total += weight
        if real(total) >= real(p):
            return value
    return dist[-1][0]


def student(p, df):
    return mp.findroot(
        lambda t: 1 - mp.betainc(df / mp.mpf(2), mp.mpf(1) / 2, 0,
                                 df / (df + t * t), regularized=True) / 2 - p, 2)


def show(*values):
    return " ".join(mp.nstr(real(v), 17) for v in values)


def tell(name, x, confidence, values, tolerance):
    print(name, ",".join(x), confidence, show(*values), tolerance, sep="\t")


def main():
    print("# made by mean_interval.py: all multisets, rational arithmetic, mpmath")
    for text, confidence in SAMPLES:
        x = [F(t) for t in text]
        n, mean, dist = len(x), sum(x) / len(x), atoms(x)
        tail = (1 - F(confidence)) / 2
        d = [mean - (sum(x) - v) / (n - 1) for v in x]
        a = real(sum(v ** 3 for v in d)) / (6 * real(sum(v * v for v in d)) ** mp.mpf("1.5"))
        z0 = phi_inverse(sum(w for v, w in dist if v < mean))
        z = phi_inverse(1 - tail)
        levels = [mp.ncdf(z0 + (z0 + s * z) / (1 - a * (z0 + s * z))) for s in (-1, 1)]
        logits = [(mp.log(real(v) / (1 - real(v))), real(w)) for v, w in dist if 0 < v < 1]
        kept = sum(w for _, w in logits)
        mu = sum(v * w for v, w in logits) / kept
        sd = mp.sqrt(sum((v - mu) ** 2 * w for v, w in logits) / kept)
        t = student(1 - real(tail), n - 1)
        tell("acceleration", text, confidence, [a], "1e-12")
        tell("bias", text, confidence, [z0], "1e-12")
        tell("bca_levels", text, confidence, levels, "1e-12")
        tell("percentile", text, confidence, [quantile(dist, tail), quantile(dist, 1 - tail)], "1e-12")
        tell("bca", text, confidence, [quantile(dist, p) for p in levels], "1e-12")
        tell("logit_moments", text, confidence, [mu, sd], "1e-12")
        tell("logit", text, confidence,
             [1 / (1 + mp.exp(-mu - s * t * sd)) for s in (-1, 1)], "1e-12")
        se = mp.sqrt(real(sum((v - mean) ** 2 for v in x)) / (n - 1) / n)
        tell("t", text, confidence, [real(mean) + s * t * se for s in (-1, 1)], "1e-12")


main()

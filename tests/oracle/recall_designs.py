#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Least coverage of recall's default interval in designs drawn at random.

One or two retrieved and one to three unretrieved strata of 8 to 4,000 documents, sampled at any
rates; truths drawn at random, at most two fifths of a stratum relevant; all samples with up to a
few finds a stratum are summed, and truths that need more are left out.  Prints the least coverage
of 95 % intervals and of lower and upper one-sided limits.

Usage: recall_designs.py LIBRARY DESIGNS [SEED]   (LIBRARY: libintervale.so; numpy is needed)
"""
import ctypes
import itertools
import math
import random
import sys

import numpy as np


class Stratum(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("size", "sampled", "relevant")]


class Segments(ctypes.Structure):
    _fields_ = [("retrieved", ctypes.POINTER(Stratum)), ("unretrieved", ctypes.POINTER(Stratum)),
                ("retrieved_count", ctypes.c_size_t), ("unretrieved_count", ctypes.c_size_t)]


class Options(ctypes.Structure):
    _fields_ = [("method", ctypes.c_int), ("confidence", ctypes.c_double),
                ("one_sided", ctypes.c_bool), ("a", ctypes.c_double), ("b", ctypes.c_double)]


class Interval(ctypes.Structure):
    _fields_ = [("lower", ctypes.c_double), ("upper", ctypes.c_double)]


def between(low, high):
    return int(math.exp(random.uniform(math.log(low), math.log(high))))


def log_choose(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def chance(x, N, K, n):
    if x > K or n - x > N - K:
        return 0.0
    return math.exp(log_choose(K, x) + log_choose(N - K, n - x) - log_choose(N, n))


def limits(library, memory, rows, retrieved, one_sided):
    strata = (Stratum * len(rows))(*[Stratum(*r) for r in rows])
    rest = ctypes.cast(ctypes.byref(strata, retrieved * ctypes.sizeof(Stratum)), ctypes.POINTER(Stratum))
    segments = Segments(strata, rest, retrieved, len(rows) - retrieved)
    out = Interval()
    rc = library.iv_recall_interval_of(ctypes.byref(out), ctypes.byref(segments),
                                       ctypes.byref(Options(one_sided=one_sided)), memory, None)
    return (out.lower, out.upper) if rc == 0 else (0.0, 1.0)


def design(library, memory):
    """Rows of coverage, two-sided, lower and upper, of one design, one a truth."""
    retrieved, others = random.choice((1, 1, 2)), random.choice((1, 2, 3))
    strata = []
    for i in range(retrieved + others):
        N = between(8, 4000)
        n = N if i < retrieved and random.random() < 0.5 else min(N - 1, between(3, N + 1))
        strata.append((N, n, random.randint(1, N) if n == N else None))
    free = sum(known is None for _, _, known in strata)
    most = [0 if known is not None else min(n, (0, 30, 10, 6, 4, 3)[free]) for _, n, known in strata]
    samples = list(itertools.product(*[range(m + 1) for m in most]))
    two, one = [], []
    for x in samples:
        rows = [(N, n, r if known is None else known) for (N, n, known), r in zip(strata, x)]
        two.append(limits(library, memory, rows, retrieved, False))
        one.append(limits(library, memory, rows, retrieved, True))
    two, one = np.array(two), np.array(one)
    for _ in range(250):
        K = [known if known is not None else 0 if random.random() < 0.25
             else min(N, int(math.exp(random.uniform(0, math.log(min(N, N * m / 2.5 / n) + 1)))))
             for (N, n, known), m in zip(strata, most)]
        R1, R0 = sum(K[:retrieved]), sum(K[retrieved:])
        if R1 + R0 == 0:
            continue
        p = np.ones(1)
        for (N, n, known), k, m in zip(strata, K, most):
            own = [1.0] if known is not None else [chance(x, N, k, n) for x in range(m + 1)]
            p = np.outer(p, own).ravel()
        missing = 1.0 - p.sum()
        if missing > 0.005:
            continue
        truth = R1 / (R1 + R0)
        lower, upper = two[:, 0] <= truth + 1e-12, truth <= two[:, 1] + 1e-12
        yield (p[lower & upper].sum() + missing, p[one[:, 0] <= truth + 1e-12].sum() + missing,
               p[truth <= one[:, 1] + 1e-12].sum() + missing, strata, K)


def main():
    library = ctypes.CDLL(sys.argv[1])
    memory = ctypes.c_void_p()
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    assert library.iv_recall_posterior_new(ctypes.byref(memory), None) == 0
    rows = [row for _ in range(int(sys.argv[2])) for row in design(library, memory)]
    print(f"{len(rows)} truths, mean {np.mean([r[0] for r in rows]):.3f}")
    for i, what in enumerate(("interval", "lower limit", "upper limit")):
        least = min(rows, key=lambda r: r[i])
        print(f"{what}: {least[i]:.4f} at the least, strata {least[3]}, relevant {least[4]}")


main()

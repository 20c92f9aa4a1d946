#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often two bootstrap tests of a mean of 0 reject at .05 when it is 0.

usage: bootstrap_level.py [MATRIX.csv] [--nulls N] [--resamples B]

Prints the table of doc/methods/comparing.md: differences centred at their mean
before they are resampled, resampled with either sign, and Student's t.  With a
score matrix (a system a row, a topic a column, names first) also differences of
real pairs, with signs by chance or less their mean.  Needs numpy; R's qt() gave
the two quantiles of t.
"""
import argparse
import csv

import numpy as np

T975 = {25: 2.063898561628021, 50: 2.009575234489209}


def studentised(d):
    """t of each row."""
    n = d.shape[-1]
    mean = d.mean(axis=-1)
    spread = np.sqrt(np.maximum(d.var(axis=-1, ddof=1), 0.0) / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 0.0, mean / spread, np.where(mean == 0.0, 0.0, np.inf))


def p_value(seen, drawn):
    return (np.count_nonzero(np.abs(drawn) >= abs(seen) - 1e-12) + 1.0) / (drawn.size + 1.0)


def rejects(d, resamples, rng):
    """Whether each of the three tests rejects at .05."""
    n = d.size
    seen = float(studentised(d))
    at = rng.integers(0, n, (resamples, n))
    centred = (d - d.mean())[at]
    either = d[at] * rng.choice([-1.0, 1.0], (resamples, n))
    return (p_value(seen, studentised(centred)) <= 0.05,
            p_value(seen, studentised(either)) <= 0.05,
            abs(seen) >= T975[n])


def read_matrix(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return np.array([[float(x) for x in row[1:]] for row in rows])


def makers(matrix):
    def pair(n, rng):
        a, b = rng.choice(matrix.shape[0], 2, replace=False)
        return (matrix[a] - matrix[b])[rng.choice(matrix.shape[1], n, replace=False)]

    def wide(n, rng):
        return rng.normal(size=n) * np.where(rng.random(n) < 0.1, 4.0, 1.0)

    def centred_pair(n, rng):
        a, b = rng.choice(matrix.shape[0], 2, replace=False)
        d = matrix[a] - matrix[b]
        return (d - d.mean())[rng.integers(0, d.size, n)]

    if matrix is not None:
        yield "real pairs, signs by chance", \
            lambda n, rng: pair(n, rng) * rng.choice([-1.0, 1.0], n)
        yield "real pairs less their mean", centred_pair
    yield "normal", lambda n, rng: rng.normal(size=n)
    yield "normal, one in ten four times as wide", wide
    yield "exponential less its mean", lambda n, rng: rng.exponential(size=n) - 1.0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("matrix", nargs="?")
    parser.add_argument("--nulls", type=int, default=20000)
    parser.add_argument("--resamples", type=int, default=999)
    options = parser.parse_args()
    matrix = read_matrix(options.matrix) if options.matrix else None
    print("| differences | centred, 25 | either sign, 25 | t, 25 "
          "| centred, 50 | either sign, 50 | t, 50 |\n|---|---|---|---|---|---|---|")
    for name, draw in makers(matrix):
        cells = []
        for n in (25, 50):
            rng = np.random.default_rng(1)
            counts = sum(np.array(rejects(draw(n, rng), options.resamples, rng))
                         for _ in range(options.nulls))
            cells += [f"{c / options.nulls:.3f}"[1:] for c in counts]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Krippendorff's alpha from its definition, in fractions: values of test_alpha.c.

The pairs of labels of each item, with weight 1 / (labels of the item - 1), against all
pairs of labels of items that have two or more; the distance of grades counts the labels
between them.  The package krippendorff 0.9.0 (pip) gives the same to 15 digits.
"""
from fractions import Fraction as F

# Items by assessors a, b, c, d; None: not labelled.
DATA = [
    (1, 1, None, 1), (2, 2, 3, 2), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 2, 2), (1, 2, 3, 4),
    (4, 4, 4, 4), (1, 1, 2, 1), (2, 2, 2, 2), (None, 5, 5, 5), (None, None, 1, 1),
    (None, None, 3, None),
]


def alpha(items, distance):
    items = [[x for x in row if x is not None] for row in items]
    items = [row for row in items if len(row) > 1]
    every = [x for row in items for x in row]
    count = {c: every.count(c) for c in set(every)}
    n = len(every)
    seen = sum(F(distance(x, y, count), len(row) - 1) for row in items
               for i, x in enumerate(row) for k, y in enumerate(row) if i != k) / n
    chance = F(sum(count[x] * (count[y] - (x == y)) * distance(x, y, count)
                   for x in count for y in count), 1) / (n * (n - 1))
    return 1 - seen / chance


def nominal(x, y, count):
    return F(x != y)


def ordinal(x, y, count):
    low, high = min(x, y), max(x, y)
    between = sum(count[g] for g in count if low <= g <= high)
    return (F(between) - F(count[x] + count[y], 2)) ** 2


def interval(x, y, count):
    return F(x - y) ** 2


if __name__ == "__main__":
    for scale in (nominal, ordinal, interval):
        value = alpha(DATA, scale)
        print(scale.__name__, value, repr(float(value)))

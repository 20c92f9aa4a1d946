# SPDX-License-Identifier: Apache-2.0
"""Reference values of areas of several classes: auc_classes.tsv.

usage: auc_classes.py > auc_classes.tsv
       auc_classes.py sklearn < auc_classes.tsv

Rational arithmetic from the definitions, pair by pair.  What an item moves an average by is
found by giving it a little more weight: variances and the covariance of two systems' macro
averages are sums over classes of n / (n - 1) times the sum of squares (products) of that.
With `sklearn` it prints the largest difference from scikit-learn's roc_auc_score
(multi_class="ovr"), brier_score_loss and log_loss.  Probabilities are written in hundredths,
item by item.
"""
import math
import random
import sys
from fractions import Fraction as F


def areas(y, s, w, classes):
    """The area of each class against the rest, items having weights."""
    out = []
    for k in range(classes):
        pos = [i for i, t in enumerate(y) if t == k]
        neg = [i for i, t in enumerate(y) if t != k]
        won = sum(w[i] * w[j] * (F(1) if s[i][k] > s[j][k] else F(1, 2) if s[i][k] == s[j][k] else 0)
                  for i in pos for j in neg)
        out.append(won / sum(w[i] for i in pos) / sum(w[j] for j in neg))
    return out


def averages(y, s, w, classes):
    a = areas(y, s, w, classes)
    of = [sum(w[i] for i, t in enumerate(y) if t == k) / sum(w) for k in range(classes)]
    return sum(a) / classes, sum(x * v for x, v in zip(a, of))


def moves(y, s, classes):
    n, tiny = len(y), F(1, 10 ** 9)
    base = averages(y, s, [F(1)] * n, classes)
    each = [averages(y, s, [F(1) + tiny * (i == j) for j in range(n)], classes) for i in range(n)]
    return [[float((x[w] - base[w]) / tiny) for x in each] for w in range(2)]


def product(y, u, v, classes):
    return sum(sum(a * b for a, b, t in zip(u, v, y) if t == k) * y.count(k) / (y.count(k) - 1)
               for k in range(classes))


def draw(rng, y, classes, apart):
    out = []
    for t in y:
        e = [math.exp(rng.gauss(apart * (k == t), 1)) for k in range(classes)]
        p = [1 + int((100 - classes) * x / sum(e)) for x in e]
        p[-1] += 100 - sum(p)
        out.append(p)
    return out


def write():
    rng = random.Random(5)
    print("# by auc_classes.py: labels, a, b, macro a, weighted a, macro b, variances of these, "
          "covariance of the macro averages, brier a, log loss a")
    for case in range(12):
        classes = 3 + case % 3
        y = [k for k in range(classes) for _ in range(rng.randint(2, 9))]
        rng.shuffle(y)
        a, b = draw(rng, y, classes, 1.5), draw(rng, y, classes, 0.8)
        one = [F(1)] * len(y)
        (macro, weighted), other = averages(y, a, one, classes), averages(y, b, one, classes)[0]
        (m, w), o = moves(y, a, classes), moves(y, b, classes)[0]
        brier = sum(sum((F(p, 100) - (k == t)) ** 2 for k, p in enumerate(row))
                    for row, t in zip(a, y)) / len(y)
        loss = -sum(math.log(row[t] / 100) for row, t in zip(a, y)) / len(y)
        flat = [",".join(str(p) for row in s for p in row) for s in (a, b)]
        print("".join(map(str, y)), *flat,
              *(repr(float(x)) for x in (macro, weighted, other, product(y, m, m, classes),
                                         product(y, w, w, classes), product(y, o, o, classes),
                                         product(y, m, o, classes), brier, loss)), sep="\t")


def compare():
    import numpy as np
    from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
    worst = 0.0
    for line in sys.stdin:
        if line.startswith("#"):
            continue
        f = line.split("\t")
        y = np.array([int(c) for c in f[0]])
        a, b = (np.array([int(x) for x in t.split(",")]).reshape(len(y), -1) / 100 for t in f[1:3])
        ours = [float(x) for x in f[3:]]
        theirs = [roc_auc_score(y, a, multi_class="ovr"),
                  roc_auc_score(y, a, multi_class="ovr", average="weighted"),
                  roc_auc_score(y, b, multi_class="ovr"),
                  brier_score_loss(y, a), log_loss(y, a)]
        worst = max(worst, *(abs(x - z) for x, z in zip(ours[:3] + ours[7:], theirs)))
    print(worst)


if sys.argv[1:] == ["sklearn"]:
    compare()
else:
    write()

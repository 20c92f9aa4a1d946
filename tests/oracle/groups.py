# SPDX-License-Identifier: Apache-2.0
"""Values of groups and their gaps, by fairlearn, scikit-learn and scipy: prints groups.tsv.

usage: python3 groups.py > groups.tsv      (pip install fairlearn scikit-learn scipy)

Values by group and the largest difference are fairlearn's MetricFrame; limits of a gap are MOVER's
(Zou and Donner 2008) from scipy's quantiles of Jeffreys' posterior, and p the level at which a limit
is 0, by scipy's brentq.  A line is: gold, predictions and groups of items as texts, metric, then for
each group value, lower, upper, gap, its limits and p; the largest gap with its limits.
"""
import random

from fairlearn.metrics import MetricFrame, selection_rate, true_negative_rate
from scipy.optimize import brentq
from scipy.stats import beta
from sklearn.metrics import accuracy_score, precision_score, recall_score

METRICS = {"accuracy": accuracy_score, "recall": recall_score, "precision": precision_score,
           "selection_rate": selection_rate, "specificity": true_negative_rate}


def counts(metric, pairs):
    if metric == "accuracy":
        return sum(g == p for g, p in pairs), len(pairs)
    if metric == "selection_rate":
        return sum(p for _, p in pairs), len(pairs)
    if metric == "specificity":
        return sum(not (g or p) for g, p in pairs), sum(not g for g, _ in pairs)
    some = [(g, p) for g, p in pairs if (g if metric == "recall" else p)]
    return sum(g and p for g, p in some), len(some)


def limits(k, n, level):
    return (beta.ppf(level, k + .5, n - k + .5) if k else 0.0,
            beta.isf(level, k + .5, n - k + .5) if k < n else 1.0)


def gap(a, b, level):
    (la, ua), (lb, ub) = limits(*a, level), limits(*b, level)
    p, q = a[0] / a[1], b[0] / b[1]
    return (p - q, p - q - ((p - la) ** 2 + (ub - q) ** 2) ** .5,
            p - q + ((ua - p) ** 2 + (q - lb) ** 2) ** .5)


def p_value(a, b):
    d = gap(a, b, .025)[0]
    if d == 0:
        return 1.0
    end = (lambda u: gap(a, b, u)[1]) if d > 0 else (lambda u: gap(a, b, u)[2])
    if (end(.4999999) > 0) != (d > 0):
        return 1.0
    return 2 * brentq(end, 1e-16, .4999999, xtol=1e-15, rtol=1e-12)


random.seed(11)
for n in (40, 60, 150, 300):
    gold = [random.random() < .5 for _ in range(n)]
    group = [random.choice("aaab" "bccc") for _ in range(n)]
    said = [y if random.random() < {"a": .9, "b": .6, "c": .75}[g] else not y
            for y, g in zip(gold, group)]
    for name, metric in METRICS.items():
        frame = MetricFrame(metrics=metric, y_true=gold, y_pred=said, sensitive_features=group)
        parts = {g: counts(name, [(y, s) for y, s, h in zip(gold, said, group) if h == g])
                 for g in "abc"}
        out = []
        for g in "abc":
            rest = counts(name, [(y, s) for y, s, h in zip(gold, said, group) if h != g])
            out += [frame.by_group[g], *limits(*parts[g], .025), *gap(parts[g], rest, .025),
                    p_value(parts[g], rest)]
        pairs = [(g, h) for g in "abc" for h in "abc" if g < h]
        wide = [gap(parts[g], parts[h], .025 / 3) for g, h in pairs]
        alone = [gap(parts[g], parts[h], .025) for g, h in pairs]
        out += [frame.difference(method="between_groups"),
                max(0.0, *(max(x[1], -x[2]) for x in wide)),
                max(max(x[2], -x[1]) for x in alone)]
        bits = ["".join("01"[x] for x in list_) for list_ in (gold, said)]
        print(*bits, "".join(group), name, *(f"{x:.10g}" for x in out), sep="\t")

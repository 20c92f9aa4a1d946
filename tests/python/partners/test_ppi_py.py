# SPDX-License-Identifier: Apache-2.0
"""A judge's scores corrected by human labels: estimates equal those of ppi_py.

Intervals differ: ppi_py's are normal, with lambda as known; intervale's have t, CR2 and the error of the slope.
"""
import random

import numpy as np
import pytest
from ppi_py import ppi_mean_pointestimate

import intervale


def items(seed, labels, more, noise, binary=False):
    """Human labels of some items, the judge's scores of these, and its scores of the others."""
    rng = random.Random(seed)
    human = [rng.gauss(0.0, 1.0) for _ in range(labels + more)]
    judge = [(1.0 - noise) * y + noise * rng.gauss(0.0, 1.0) + 0.2 for y in human]
    if binary:
        human, judge = ([float(v > 0.0) for v in of] for of in (human, judge))
    return np.array(human[:labels]), np.array(judge[:labels]), np.array(judge[labels:])


CASES = {"good": items(1, 40, 100, 0.4), "useless": items(2, 60, 300, 1.0), "0 and 1": items(5, 50, 200, 0.3, True),
         "most labelled": items(4, 90, 30, 0.3), "lambda is 1": items(3, 20, 1000, 0.2),
         "lambda is 0": items(6, 40, 80, 2.5)}


def lambda_of(estimator, human, beside, others):
    """Which lambda of ppi_py is that estimator; None: ppi_py's own choice."""
    slope = {"difference": 1.0, "human": 0.0, "regression": np.polyfit(beside, human, 1)[0], "ppi": None}[estimator]
    return None if slope is None else slope * len(others) / (len(human) + len(others))


def theirs(estimator, human, beside, others):
    lam = lambda_of(estimator, human, beside, others)
    return ppi_mean_pointestimate(human, beside, others, lam=lam).item()


def columns(human, beside, others, system="A"):
    scores = [*beside, *others]
    return {"system": [system] * len(scores), "item": list(range(len(scores))), "judge": scores,
            "human": [*human] + [None] * len(others)}


def both(one, other):
    return {name: one[name] + other[name] for name in one}


HOW = {"score": "judge", "human": "human", "human_design": "random"}


@pytest.mark.parametrize("estimator", ["ppi", "difference", "human", "regression"])
@pytest.mark.parametrize("case", CASES)
def test_means(case, estimator):
    found = intervale.evaluate_scores(columns(*CASES[case]), judge_estimator=estimator, **HOW)
    assert found.measures[0].value == pytest.approx(theirs(estimator, *CASES[case]), rel=0, abs=1e-9)


def test_cases_reach_both_limits_of_lambda():
    for case, lam in (("lambda is 1", 1.0), ("lambda is 0", 0.0)):
        assert theirs("ppi", *CASES[case]) == ppi_mean_pointestimate(*CASES[case], lam=lam).item()


@pytest.mark.parametrize("estimator", ["ppi", "difference", "regression"])
def test_means_of_repeats(estimator):
    human, beside, others = CASES["good"]
    tables = []
    for repeat, shift in enumerate((-0.5, 0.125, 0.375)):  # adds up to 0, by item with another sign
        sign = np.where(np.arange(140) % 2 == 0, shift, -shift)
        tables.append(columns(human - sign[:40], beside + sign[:40], others + sign[40:]))
        tables[-1]["repeat"] = [repeat] * 140
    found = intervale.evaluate_scores(both(both(*tables[:2]), tables[2]), judge_estimator=estimator, **HOW)
    assert found.measures[0].value == pytest.approx(theirs(estimator, *CASES["good"]), rel=0, abs=1e-9)


def test_weighted_means():
    human, beside, others = CASES["good"]
    weight = np.array([1.0 + t % 4 for t in range(140)])
    lam = weight[40:].sum() / weight.sum()
    want = ppi_mean_pointestimate(human, beside, others, lam=lam, w=weight[:40], w_unlabeled=weight[40:]).item()
    found = intervale.evaluate_scores({**columns(*CASES["good"]), "weight": list(weight)},
                                      judge_estimator="difference", **HOW)
    assert found.measures[0].value == pytest.approx(want, rel=0, abs=1e-9)


@pytest.mark.parametrize("estimator", ["ppi", "difference", "human", "regression"])
def test_differences_of_two_systems(estimator):
    one, other = items(8, 40, 100, 0.4), items(9, 60, 80, 0.6)
    scores = both(columns(*one), columns(*other, system="B"))
    pair = intervale.compare_scores(scores, judge_estimator=estimator, **HOW).pairs[0]
    want = theirs(estimator, *one) - theirs(estimator, *other)
    assert pair.difference == pytest.approx(want if pair.a == "A" else -want, rel=0, abs=1e-9)

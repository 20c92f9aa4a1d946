# SPDX-License-Identifier: Apache-2.0
"""Groups as arrays, and the reliability chart of a classifier."""
import random

import pytest

import intervale


@pytest.fixture(name="data")
def made():
    r = random.Random(5)
    gold = [int(r.random() < 0.4) for _ in range(300)]
    scores = [round(min(1.0, max(0.0, 0.3 * y + 0.7 * r.random())), 4) for y in gold]
    return gold, scores, [r.choice(["north", "south", "west"]) for _ in gold]


def test_groups_as_an_array_are_those_of_a_column(data):
    gold, scores, groups = data
    array = intervale.roc(gold, scores, groups=groups)
    table = intervale.classify({"label": gold, "score": scores, "place": groups},
                               groups=["place"])
    both = [{(row.group, row.measure): (row.value, row.lower, row.gap) for row in found.groups}
            for found in (array, table)]
    areas = [{k: v for k, v in one.items() if k[1] == "AUC"} for one in both]
    assert areas[0] == areas[1] and len(areas[0]) == 3


def test_reliability_is_drawn_for_each_system(data):
    pytest.importorskip("matplotlib").use("Agg")
    gold, scores, _ = data
    ax = intervale.roc(gold, scores).plot(kind="reliability")
    assert ax.get_xlabel() and len(ax.get_lines()) >= 2  # the diagonal and a system

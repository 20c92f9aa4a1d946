# SPDX-License-Identifier: Apache-2.0
"""ASReview's own simulation stops by our rule, and stores and loads a cycle that has it."""
import os
import pathlib
import random
import re

import asreview
import numpy
import pytest
from asreview.models.queriers import Random
from intervale.asreview import ControlStopper

RELEVANT = [i % 5 == 0 for i in range(600)]
CONTROL = {i: int(RELEVANT[i]) for i in random.Random(3).sample(range(600), 200)}  # 37 relevant ones


def reviewed(rule, records=600):
    """The numbers of the records in the order of a simulated review that stops by the rule."""
    cycle = asreview.ActiveLearningCycle(querier=Random(random_state=5), stopper=rule)
    run = asreview.Simulate(numpy.zeros((records, 1)), [int(r) for r in RELEVANT[:records]], [cycle],
                            stopper=-1, skip_transform=True, print_progress=False)
    run.review()
    return [int(r) for r in run._results["record_id"]]


def test_a_simulated_review_stops_with_the_control_record_that_suffices(tmp_path):
    path = tmp_path / "control.csv"
    path.write_text("record_id,included\n" + "".join(f"{r},{label}\n" for r, label in CONTROL.items()))
    for control in (CONTROL, str(path)):
        rule = ControlStopper(control, target=0.8)
        seen = reviewed(rule)
        found = [CONTROL.get(r, 0) for r in seen]
        assert sum(found) == rule.needed() < sum(CONTROL.values()) and found[-1] == 1 and len(seen) < 600


def test_another_target_stops_later():
    assert len(reviewed(ControlStopper(CONTROL, target=0.7))) < len(reviewed(ControlStopper(CONTROL, target=0.9)))


def test_a_review_of_all_records_ends_without_the_rule():
    few = {r: label for r, label in CONTROL.items() if not label}
    assert len(reviewed(ControlStopper(CONTROL), records=40)) == 40
    with pytest.raises(ValueError, match="none of 156 control records is relevant"):
        reviewed(ControlStopper(few))


def test_a_cycle_with_the_rule_is_stored_and_loaded(tmp_path, monkeypatch):
    # ASReview finds the rule as an entry point of the installed package.
    text = (pathlib.Path(os.environ["INTERVALE_ROOT"]) / "pyproject.toml").read_text(encoding="utf-8")
    entry = re.search(r'entry-points."(asreview[^"]*)"\]\n(\w+) = "([^"]*)"', text)
    made = tmp_path / "intervale-0.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: intervale\nVersion: 0\n")
    (made / "entry_points.txt").write_text("[{}]\n{} = {}\n".format(*entry.groups()))
    monkeypatch.syspath_prepend(tmp_path)
    control = tmp_path / "control.csv"
    control.write_text("record_id,included\n" + "".join(f"{r},{label}\n" for r, label in CONTROL.items()))
    asreview.ActiveLearningCycle(querier=Random(), stopper=ControlStopper(str(control), 0.9)).to_file(tmp_path / "cycle.json")
    rule = asreview.ActiveLearningCycle.from_file(tmp_path / "cycle.json").stopper
    assert type(rule) is ControlStopper and rule.needed() == ControlStopper(CONTROL, 0.9).needed()

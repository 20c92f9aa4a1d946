# SPDX-License-Identifier: Apache-2.0
"""ranx' objects go in, and intervale.compat.ranx stands in for it."""
import random

import pytest
import ranx

import intervale
import intervale.compat.ranx as ours

METRICS = ["hits", "hits@5", "hit_rate", "hit_rate@3", "precision", "precision@10", "recall", "recall@10", "f1",
           "f1@10", "r-precision", "mrr", "mrr@2", "map", "map@5", "ndcg", "ndcg@10", "ndcg_burges@10", "bpref",
           "rbp.95", "dcg", "dcg@5", "map-l2", "ndcg@10-l2", "precision@10-l3"]


def collection():
    rng = random.Random(3)
    some = lambda k: [f"d\u00e9{d}" for d in rng.sample(range(200), k)]
    qrels = {f"q{t}": {d: rng.choice([0, 0, 1, 2, 3]) for d in some(40)} for t in range(30)}
    runs = [{f"q{t}": {d: rng.random() for d in some(rng.randint(3, 60))} for t in range(30)} for _ in range(3)]
    return qrels, runs


def test_its_objects_are_read():
    qrels, runs = collection()
    theirs = [ranx.Run(run, name=f"r{i}") for i, run in enumerate(runs)]
    want = intervale.evaluate(qrels, {f"r{i}": run for i, run in enumerate(runs)}, ["AP", "nDCG@10"])
    assert intervale.evaluate(ranx.Qrels(qrels), theirs, ["AP", "nDCG@10"]).measures == want.measures
    grown = ranx.Run(name="r0")  # names of no fixed width
    for topic, of in runs[0].items():
        grown.add(topic, list(of), list(of.values()))
    assert intervale.evaluate(qrels, grown, "AP").measures[0].value == pytest.approx(
        next(r.value for r in want.measures if (r.run, r.measure) == ("r0", "AP")), abs=1e-15)


def test_values_and_tests_are_its_own():
    qrels, runs = collection()
    want_of, mine_of = ranx.Qrels(qrels), ours.Qrels(qrels)
    for run in runs:
        want = ranx.evaluate(want_of, ranx.Run(run), METRICS)
        assert ours.evaluate(mine_of, ours.Run(run), METRICS) == pytest.approx(want, abs=1e-12)
    theirs, mine = (of.compare(judged, [of.Run(r, name=f"r{i}") for i, r in enumerate(runs)], ["map", "ndcg@10"],
                               max_p=0.5).to_dict() for of, judged in ((ranx, want_of), (ours, mine_of)))
    for name in ("r0", "r1", "r2"):
        assert mine[name]["win_tie_loss"] == theirs[name]["win_tie_loss"]
        for other, of in theirs[name]["comparisons"].items():
            assert mine[name]["comparisons"][other] == pytest.approx(of, abs=1e-10)

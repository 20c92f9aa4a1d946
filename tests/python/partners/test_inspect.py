# SPDX-License-Identifier: Apache-2.0
"""Inspect's own package runs a task with our metric, and its logs are compared."""
import intervale
import intervale.inspect_ai as ours
import pytest
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import accuracy, match
from inspect_ai.solver import solver

SAMPLES = [Sample(id=i, input=f"q{i}", target="yes", metadata={"doc": i // 2}) for i in range(40)]


@solver
def answers(step):
    async def solve(state, generate):
        state.output = ModelOutput.from_content("m", "no" if state.sample_id % step == 0 else "yes")
        return state
    return solve


def log_of(folder, step, tag, epochs=1, metrics=None):
    task = Task(name="quiz", dataset=SAMPLES, solver=answers(step), scorer=match(), epochs=epochs,
                metrics=metrics or [accuracy()])
    log, = evaluate(task, model="mockllm/model", log_dir=str(folder), display="none", tags=[tag])
    assert log.status == "success", log.error
    return log


def table(step, tag, **more):
    return {"system": [tag] * 40, "item": [str(i) for i in range(40)],
            "score": [float(i % step != 0) for i in range(40)], **more}


def test_the_metric_has_the_limits_of_evaluate_scores(tmp_path):
    log = log_of(tmp_path, 4, "main", metrics=[accuracy(), ours.interval(cluster="doc")])
    got = {m.name: m.value for s in log.results.scores for m in s.metrics.values()}
    row = intervale.evaluate_scores(table(4, "main", cluster=[str(i // 2) for i in range(40)])).measures[0]
    assert got["accuracy"] == got["mean"] == row.value == 0.75
    assert (got["lower"], got["upper"]) == (row.lower, row.upper)


def test_logs_are_compared_as_scores_are(tmp_path):
    logs = [log_of(tmp_path, 4, "main"), log_of(tmp_path, 3, "new")]
    both = table(4, "mockllm/model main")
    for name, column in table(3, "mockllm/model new").items():
        both[name] = both[name] + column
    for options in ({}, {"baseline": "mockllm/model main", "margin": 0.3, "gate": True}):
        found, want = ours.compare(logs, **options), intervale.compare_scores(both, **options)
        assert found.sentence == want.sentence and found.verdict == want.verdict
    paths = sorted(str(p) for p in tmp_path.iterdir())
    assert ours.compare(paths).sentence == ours.compare(logs).sentence


def test_epochs_are_repeats_and_unknown_scorers_are_refused(tmp_path):
    log = log_of(tmp_path, 4, "main", epochs=3)
    columns = ours.scores_of(log)
    assert sorted(set(columns["repeat"])) == ["1", "2", "3"] and len(columns["score"]) == 120
    with pytest.raises(ValueError, match="no score of 'exact', but of match"):
        ours.scores_of(log, scorer="exact")
    with pytest.raises(ValueError, match="no metadata 'page'"):
        ours.interval(cluster="page")([type("S", (), {"sample_id": 1, "sample_metadata": {}, "score": type("V", (), {"value": 1})})])

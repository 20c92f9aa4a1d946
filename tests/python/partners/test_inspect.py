# SPDX-License-Identifier: Apache-2.0
"""Inspect's own package runs a task with our metric, and its logs are compared."""
import csv
import io
import os
import subprocess

import intervale
import intervale.inspect_ai as ours
import pytest
from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.analysis import (EvalModel, SampleScores, SampleSummary, evals_df, events_df,
                                 samples_df)
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score, accuracy, match, mean, scorer
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


@scorer(metrics={"exact": [mean()], "length": [mean()]})
def both():
    async def score(state, target):
        said = state.output.completion
        return Score(value={"exact": said == target.text, "length": len(said)}, answer=said,
                     explanation="compared", metadata={"by": "text"})
    return score


def of_tool(command, *words):
    """The rows of the answer's first table, or the error's one line."""
    done = subprocess.run([os.environ["INTERVALE_TOOL"], command, "--scores", "--format", "csv", *map(str, words)],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        assert done.stderr.count("\n") == 1, done
        return done.stderr
    return [{k: v for k, v in r.items() if k != "run"} for r in csv.DictReader(io.StringIO(done.stdout))]


def test_data_frames_have_the_numbers_of_the_logs(tmp_path):
    logs = tmp_path / "logs"
    for model, step in (("one", 4), ("two", 3)):
        evaluate(Task(name="quiz", dataset=SAMPLES, solver=answers(step), scorer=[match(), both()], epochs=2),
                 model=f"mockllm/{model}", log_dir=str(logs), display="none")
    want = of_tool("eval", logs)
    assert {r["measure"] for r in want} == {"match", "both.exact", "both.length"} and len(want) == 6
    key = lambda r: (r["measure"], r["value"])
    for name, columns in (("plain", None), ("details", SampleSummary + SampleScores + EvalModel)):
        frame = samples_df(str(logs), **({"columns": columns} if columns else {}))
        frame.to_csv(tmp_path / f"{name}.csv", index=name == "plain")
        assert sorted(of_tool("eval", tmp_path / f"{name}.csv"), key=key) == sorted(want, key=key)
    assert of_tool("compare", tmp_path / "details.csv")[0]["p"] == of_tool("compare", logs)[0]["p"]
    frame.assign(model="one").to_csv(tmp_path / "same.csv", index=False)
    assert of_tool("eval", tmp_path / "same.csv").endswith("--columns system=eval_id names other systems\n")
    for name, frame in (("evals", evals_df(str(logs))), ("events", events_df(str(logs)))):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
        assert "samples_df() of Inspect exports them" in of_tool("eval", tmp_path / f"{name}.csv")

# SPDX-License-Identifier: Apache-2.0
"""Intervals and paired tests for evaluations of Inspect (the package inspect_ai).

    @task
    def mine():
        return Task(..., scorer=[match()], metrics=[intervale.inspect_ai.interval()])

    found = intervale.inspect_ai.compare(eval(tasks, model=[one, two]), baseline="one")
"""
from __future__ import annotations

from typing import Any, Dict, List, Optional

from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import Metric, SampleScore, metric, value_to_float

from . import compare_scores, evaluate_scores
from ._result import Result

_number = value_to_float()


@metric
def interval(confidence: float = 0.95, cluster: Optional[str] = None) -> Metric:
    """The mean with the limits of its interval, as intervale's eval.

    cluster names a member of the samples' metadata, such as the document that questions are about.
    Inspect reduces epochs before it computes metrics, so items are samples.
    """

    def compute(scores: List[SampleScore]) -> Dict[str, Any]:
        table: Dict[str, list] = {"item": [], "system": [], "score": []}
        if cluster is not None:
            table["cluster"] = []
        for i, sample in enumerate(scores):
            table["item"].append(str(i if sample.sample_id is None else sample.sample_id))
            table["system"].append("this")
            table["score"].append(_number(sample.score.value))
            if cluster is not None:
                if cluster not in (sample.sample_metadata or {}):
                    raise ValueError(f"sample {sample.sample_id!r} has no metadata {cluster!r} to be its cluster")
                table["cluster"].append(str(sample.sample_metadata[cluster]))
        row = evaluate_scores(table, confidence=confidence).measures[0]
        return {"mean": row.value, "lower": row.lower, "upper": row.upper}

    return compute


def scores_of(logs, scorer: Optional[str] = None, cluster: Optional[str] = None) -> Dict[str, list]:
    """The scores of logs, or paths of logs, as columns: system is the model, repeat the epoch, set the task.

    Several logs of one model need different task_args or roles to be told apart: give each log a tag.
    """
    table: Dict[str, list] = {"system": [], "item": [], "repeat": [], "set": [], "score": []}
    if cluster is not None:
        table["cluster"] = []
    for given in logs if isinstance(logs, (list, tuple)) else [logs]:
        log = given if isinstance(given, EvalLog) else read_eval_log(str(given))
        if log.status != "success":
            raise ValueError(f"the log of {log.eval.model} on {log.eval.task} has status {log.status!r}")
        for sample in log.samples or []:
            known = sample.scores or {}
            name = scorer if scorer is not None else next(iter(known), None)
            if name not in known:
                raise ValueError(f"sample {sample.id!r} of {log.eval.task} has no score of {name!r}, but of "
                                 f"{', '.join(known) or 'none'}")
            table["system"].append(" ".join([str(log.eval.model), *(log.eval.tags or [])]))
            table["item"].append(str(sample.id))
            table["repeat"].append(str(sample.epoch))
            table["set"].append(log.eval.task)
            table["score"].append(_number(known[name].value))
            if cluster is not None:
                table["cluster"].append(str((sample.metadata or {})[cluster]))
    if len(set(table["set"])) < 2:
        del table["set"]
    if len(set(table["repeat"])) < 2:
        del table["repeat"]
    return table


def compare(logs, *, scorer: Optional[str] = None, cluster: Optional[str] = None, **options) -> Result:
    """Which models differ: `intervale compare --scores` of logs; options are those of compare_scores()."""
    return compare_scores(scores_of(logs, scorer, cluster), **options)

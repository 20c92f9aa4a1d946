# SPDX-License-Identifier: Apache-2.0
"""intervale as a provider of ir_measures.

    >>> import ir_measures
    >>> from ir_measures import AP, nDCG
    >>> from intervale.ir_measures import provider
    >>> provider.calc_aggregate([AP, nDCG@10], qrels, run)

Importing the module registers it: ir_measures.providers.registry["intervale"].  Values
are those of ir_measures' own providers; aggregated ones are numbers that know their
interval (value.lower, value.upper; None: there is none).  Judged topics that a run misses count as 0, as
with ir_measures' own providers; intervale.evaluate() excludes them unless complete=True.
"""
from __future__ import annotations

import functools
import math

import ir_measures
from ir_measures import providers

from . import BadArgument, evaluate, measures as known_measures
from ._evaluator import RelevanceEvaluator


class Estimate(float):
    """A number with the limits of its interval."""
    lower = upper = None

    def __repr__(self):
        if self.lower is None:
            return float.__repr__(self)
        return f"{float(self):.4f} [{self.lower:.4f}, {self.upper:.4f}]"


@functools.lru_cache(maxsize=None)
def _is_known(name: str) -> bool:
    try:
        known_measures(name)
        return True
    except BadArgument:
        return False


def _ours(measure) -> str:
    """The measure's name here; ERR's largest grade is 4, as gdeval has it."""
    if measure.NAME == "ERR":
        return f"ERR(max=4){str(measure)[len('ERR'):]}"
    return str(measure)


def _reads_groups(measure) -> bool:
    return _families().get(measure.NAME) == "subtopics"


@functools.lru_cache(maxsize=None)
def _families() -> dict:
    return {row.ir_measures: row.family for row in known_measures()}


def _there(measure) -> str:
    """What is 0 where ir_measures gives no Accuracy: no relevant document is retrieved."""
    level = f"(rel={measure['rel']})"
    return f"P{level}@{measure['cutoff']}" if "cutoff" in measure.params \
        else f"NumRet{level}"


class IntervaleEvaluator(providers.Evaluator):
    """Scores runs on the judgments it was made with."""

    def __init__(self, wanted, qrels):
        wanted = list(dict.fromkeys(wanted))
        self._groups = any(map(_reads_groups, wanted))
        records = list(ir_measures.util.QrelsConverter(qrels).as_namedtuple_iter())
        super().__init__(wanted, {r.query_id for r in records})
        # One judgment a document, or those of each subtopic: a measure reads either.
        self._parts = []
        for groups in (False, True):
            part = [m for m in wanted if _reads_groups(m) == groups]
            if part:
                known = records if groups else \
                    ir_measures.util.QrelsConverter(records).as_dict_of_dict()
                self._parts.append((part, known, groups))

    def iter_calc(self, run):
        """As the others, with a value for every topic; but Accuracy where there is none."""
        for metric in super().iter_calc(run):
            if (metric.measure, metric.query_id) not in self._left_out:
                yield metric

    def _iter_calc(self, run):
        ranked, self._left_out = _dicts(run), set()
        for part, known, groups in self._parts:
            asked = list(dict.fromkeys([*map(_ours, part), *(_there(m) for m in part
                                                             if m.NAME == "Accuracy")]))
            scorer = RelevanceEvaluator(known, asked, groups=groups)
            for topic, values in scorer.evaluate(ranked).items():
                values = dict(zip(asked, values.values()))  # a name may be written otherwise
                for measure in part:
                    value = values[_ours(measure)]
                    if measure.NAME == "Accuracy" and values[_there(measure)] == 0.0:
                        self._left_out.add((measure, topic))
                        continue
                    if not math.isnan(value):
                        yield ir_measures.Metric(query_id=topic, measure=measure, value=value)

    def calc_aggregate(self, run):
        """The means, each with its interval over all judged topics."""
        run = _dicts(run)
        found = super().calc_aggregate(run)
        for part, known, groups in self._parts:
            rows = evaluate(known, [run], list(map(_ours, part)), complete=True,
                            judgments_format="groups" if groups else None).measures
            for measure, row in zip(part, rows):
                value = Estimate(found[measure])
                if row.lower is not None:
                    value.lower, value.upper = row.lower, row.upper
                found[measure] = value
        return found


def _dicts(run):
    return ir_measures.util.RunConverter(run).as_dict_of_dict()


class IntervaleProvider(providers.Provider):
    """Every measure of ir_measures that intervale computes."""
    NAME = "intervale"

    def supports(self, measure) -> bool:
        measure.validate_params()
        return _is_known(_ours(measure))

    def _evaluator(self, measures, qrels):
        return IntervaleEvaluator(measures, qrels)


provider = providers.register(IntervaleProvider())
__all__ = ["Estimate", "IntervaleEvaluator", "IntervaleProvider", "provider"]

# SPDX-License-Identifier: Apache-2.0
"""intervale as a provider of ir_measures.

    >>> import ir_measures
    >>> from ir_measures import AP, nDCG
    >>> from intervale.ir_measures import provider
    >>> provider.calc_aggregate([AP, nDCG@10], qrels, run)

Importing the module registers it: ir_measures.providers.registry["intervale"].  Values
are those of ir_measures' own providers; aggregated ones are numbers that know their
interval (value.lower, value.upper; None: there is none).
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


class IntervaleEvaluator(providers.Evaluator):
    """Scores runs on the judgments it was made with."""

    def __init__(self, wanted, qrels):
        qrels = ir_measures.util.QrelsConverter(qrels).as_dict_of_dict()
        super().__init__(list(wanted), set(qrels))
        self._qrels = qrels
        self._names = {_ours(m): m for m in self.measures}
        self._scorer = RelevanceEvaluator(qrels, list(self._names))

    def _iter_calc(self, run):
        for topic, values in self._scorer.evaluate(_dicts(run)).items():
            for name, value in values.items():
                if not math.isnan(value):
                    yield ir_measures.Metric(query_id=topic, measure=self._names[name],
                                             value=value)

    def calc_aggregate(self, run):
        """The means, each with its interval over all judged topics."""
        found = super().calc_aggregate(run)
        rows = evaluate(self._qrels, [_dicts(run)], list(self._names), complete=True).measures
        limits = {row.measure: row for row in rows}
        for name, measure in self._names.items():
            value = Estimate(found[measure])
            row = limits.get(name)
            if row is not None and row.lower is not None:
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

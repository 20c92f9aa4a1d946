# SPDX-License-Identifier: Apache-2.0
"""pytrec_eval's way to ask: an evaluator that keeps the judgments, called run by run."""
from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_int32, c_size_t, c_void_p

from . import _memory
from ._base import _call, _declare, _ERR, _lib, _P, _texts, _whole, iv_str, iv_work
from ._questions import iv_evaluated, iv_evaluating, iv_source

TYPE_CHECKING = False  # what only annotations name is not imported: an import takes time
if TYPE_CHECKING:
    from typing import Dict

_declare(c_int, "iv_evaluate", [POINTER(_P), POINTER(iv_source), POINTER(iv_evaluating),
                                POINTER(iv_work), _ERR])
_declare(POINTER(iv_evaluated), "iv_evaluation_view", [_P])
_declare(None, "iv_evaluation_grid", [POINTER(c_double), _P, c_size_t])


def _names(measures) -> list:
    """As trec_eval's -m takes them: pytrec_eval writes P_5, P_5,10 and P.5,10 alike, and one
    of these replaces the cut-offs of a plain P."""
    names = [str(m) for m in measures]
    cut = {n.rstrip("0123456789.,").rstrip("_") for n in names if n[-1:].isdigit()}
    return [n for n in names if n not in cut]


class RelevanceEvaluator:
    """RelevanceEvaluator(qrel, measures).evaluate(run), as pytrec_eval's.

    qrel and run are {topic: {document: number}}, or whatever evaluate() takes; measures are
    names of trec_eval or of ir_measures.  evaluate() gives {topic: {measure: value}} for the
    topics that were judged and retrieved; a topic of the run without documents has the values
    of an empty list.
    """

    def __init__(self, query_relevance, measures, relevance_level: int = 1,
                 judged_docs_only_flag: bool = False, groups: bool = False, depth: int = 0):
        self.measures = [measures] if isinstance(measures, str) \
            else sorted(measures, key=str) if isinstance(measures, (set, frozenset)) \
            else list(measures)
        self.relevance_level, self._judged_only = relevance_level, judged_docs_only_flag
        self._depth = depth  # documents of a topic to look at; 0: all
        empty = isinstance(query_relevance, dict) and not any(query_relevance.values())
        self._judgments = None if empty else _memory.judgments(query_relevance, groups)
        self._given = query_relevance if isinstance(query_relevance, dict) else {}

    def evaluate(self, scores) -> Dict[str, Dict[str, float]]:
        """The values of each topic of one run."""
        if self._judgments is None or (isinstance(scores, dict) and not scores):
            return {}
        missing = [str(t) for t, of in scores.items() if not of] \
            if isinstance(scores, dict) and not all(scores.values()) else []
        if self.measures:
            found = self._evaluate(scores, missing)
        else:
            judged = {str(t) for t, of in self._given.items() if of}
            found = {str(t): {} for t in scores if str(t) in judged}
        if not missing:
            return found
        asked = {str(t) for t in scores}
        return {t: values for t, values in found.items() if t in asked}

    def _evaluate(self, scores, missing) -> Dict[str, Dict[str, float]]:
        judged = self._judgments
        if len(missing) == len(scores) and self._given:  # a run has a document: of a topic aside
            aside = {"no topic but " + " ".join(map(str, self._given)): {"-": 0}}
            judged, scores = _memory.judgments({**self._given, **aside}), aside
        run = _memory.run(scores, "")
        ranked = (c_void_p * 1)(run.made)
        source = iv_source(judged=judged.made, ranked=ctypes.cast(ranked, c_void_p),
                           ranked_count=1)
        how = iv_evaluating(measures=_texts(_names(self.measures)), interval=_none())
        how.measure.level = _whole("relevance_level", self.relevance_level, c_int32) or -1
        how.measure.judged_only, how.measure.depth = self._judged_only, self._depth
        how.complete = bool(missing)
        made = c_void_p()
        _call(_lib.iv_evaluate, byref(made), byref(source), byref(how), byref(iv_work(1)))
        try:
            return _values(made)
        finally:
            _lib.iv_evaluation_free(made)


def _none() -> int:
    from ._base import _index
    return _index("interval", "none", "iv_interval_names")


def _values(evaluation) -> Dict[str, Dict[str, float]]:
    view = _lib.iv_evaluation_view(evaluation).contents
    topics = [ctypes.string_at(t.ptr, t.len).decode("utf-8", "surrogateescape")
              for t in view.topics[:view.topic_count]]
    found: Dict[str, Dict[str, float]] = {topic: {} for topic in topics}
    grid = (c_double * (view.topic_count or 1))()
    for m in range(view.measure_count):
        measure = view.measures[m]
        if measure.text or not measure.per_topic:
            continue
        _lib.iv_evaluation_grid(grid, evaluation, m)
        name = measure.name.decode()
        for topic, value in zip(topics, grid):
            found[topic][name] = value
    return found

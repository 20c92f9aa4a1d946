# SPDX-License-Identifier: Apache-2.0
"""In the place of pytrec_eval: import intervale.compat.pytrec_eval as pytrec_eval.

What it lacks are values of a whole run, or no numbers: num_q, gm_map, gm_bpref, runid, relstring.
"""
from __future__ import annotations

import math
import warnings
from collections.abc import Iterable

from .. import RelevanceEvaluator as _Evaluator, measures as _measures

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Set

    supported_measures: Set[str]
    supported_nicknames: Dict[str, Set[str]]

__all__ = ["RelevanceEvaluator", "compute_aggregated_measure", "parse_qrel", "parse_run",
           "supported_measures", "supported_nicknames"]

_WHOLE = frozenset(("num_q", "gm_map", "gm_bpref", "runid", "relstring"))  # of a run, or no numbers
_NICKNAMES = ("official", "set", "all_trec")


class RelevanceEvaluator(_Evaluator):
    __doc__ = _Evaluator.__doc__

    def __init__(self, query_relevance, measures, relevance_level: int = 1,
                 judged_docs_only_flag: bool = False):
        super().__init__(query_relevance, measures, relevance_level, judged_docs_only_flag)
        _Evaluator({"q": {"d": 1}}, self.measures).evaluate({"q": {"d": 1.0}})  # refuses unknown names
        lacking = sorted(_WHOLE.intersection(map(str, self.measures)))
        if lacking:
            warnings.warn(f"{', '.join(lacking)}: no value of a topic, and left out; "
                          "intervale.evaluate() has those of a run", stacklevel=2)


def _columns(lines: Iterable, count: int, what: str) -> Iterable:
    """The columns of each line that has some."""
    for number, line in enumerate(lines, 1):
        words = line.split()
        if words and len(words) != count:
            raise ValueError(f"{what}:{number}: {len(words)} columns, expected {count}")
        if words:
            yield number, words


def _parse(lines: Iterable, count: int, at: int, number_of, what: str) -> Dict[str, Dict[str, Any]]:
    found: Dict[str, Dict[str, Any]] = {}
    for number, words in _columns(lines, count, what):
        of = found.setdefault(words[0], {})
        if words[2] in of:
            raise ValueError(f"{what}:{number}: document {words[2]!r} again in topic {words[0]!r}")
        of[words[2]] = number_of(words[at])
    return found


def parse_qrel(f_qrel: Iterable) -> Dict[str, Dict[str, int]]:
    """{topic: {document: grade}} of the lines of a file of judgments."""
    return _parse(f_qrel, 4, 3, int, "qrel")


def parse_run(f_run: Iterable) -> Dict[str, Dict[str, float]]:
    """{topic: {document: score}} of the lines of a run."""
    return _parse(f_run, 6, 4, float, "run")


def compute_aggregated_measure(measure: str, values: Iterable) -> float:
    """The value over topics: of counts the sum, of gm_ measures, whose values are logarithms, the
    exponential of the mean, else the mean."""
    values = [float(v) for v in values]
    if measure.startswith("num_"):
        return math.fsum(values)
    mean = math.fsum(values) / len(values) if values else math.nan
    return math.exp(mean) if measure.startswith("gm_") else mean


def _of(nickname: str) -> Set[str]:
    """The measures of a set, without their cut-offs."""
    known = sorted((row.measure for row in _measures().table() if row.measure), key=len)
    values = _Evaluator({"q": {"d": 1}}, [nickname]).evaluate({"q": {"d": 1.0}})["q"]
    return {max((k for k in known if name == k or name.startswith(k + "_")), key=len)
            for name in values}


def __getattr__(name: str):
    if name == "supported_measures":
        made: Any = _of("all_trec")
    elif name == "supported_nicknames":
        made = {nickname: _of(nickname) for nickname in _NICKNAMES}
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = made
    return made

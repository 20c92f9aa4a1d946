# SPDX-License-Identifier: Apache-2.0
"""In the place of ranx: import intervale.compat.ranx as ranx, or from intervale.compat.ranx import
Qrels, Run, evaluate, compare.

Nothing is compiled, and numpy is needed for return_mean=False only.  compare() tests by the library;
its report has the intervals too (report.found).  Documents of equal score are in the order of
trec_eval.  What it lacks: fuse, normalize, optimize_fusion, plot, ranxhub, dcg_burges, typed lists of numba.
"""
from __future__ import annotations

import gzip
import json
import math
import os
from collections.abc import Mapping

from .. import RelevanceEvaluator as _Evaluator, compare_scores as _compare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Sequence, Union

__all__ = ["Qrels", "Report", "Run", "compare", "evaluate"]


class _Numbers:
    """{topic: {document: number}}, as both are."""
    _number: Any = float
    _column = "score"

    def __init__(self, given: Optional[Mapping] = None, name: Optional[str] = None):
        self.name, self._of = name, {}  # type: Optional[str], Dict[str, Dict[str, Any]]
        for topic, of in (given or {}).items():
            self._of[topic] = {doc: self._number(x) for doc, x in of.items()}
        self.sorted = bool(given)
        if given:
            self.sort()

    def sort(self) -> None:
        """Topics by name, documents by their numbers, the largest first."""
        self._of = {t: dict(sorted(of.items(), key=lambda x: -x[1])) for t, of in sorted(self._of.items())}
        self.sorted = True

    def add_score(self, q_id: str, doc_id: str, score) -> None:
        """One number, new or in the place of another."""
        self._of.setdefault(q_id, {})[doc_id] = self._number(score)
        self.sorted = False

    def add(self, q_id: str, doc_ids: Sequence[str], scores: Sequence) -> None:
        """The numbers of a topic."""
        self.add_multi([q_id], [doc_ids], [scores])

    def add_multi(self, q_ids: Sequence[str], doc_ids: Sequence[Sequence[str]],
                  scores: Sequence[Sequence]) -> None:
        """The numbers of several topics."""
        for topic, docs, of in zip(q_ids, doc_ids, scores):
            self._of[topic] = dict(zip(docs, map(self._number, of)))
        self.sort()

    @classmethod
    def from_dict(cls, d: Mapping, name: Optional[str] = None):
        """Of {topic: {document: number}}."""
        return cls(d, name)

    @classmethod
    def from_df(cls, df, q_id_col: str = "q_id", doc_id_col: str = "doc_id",
                score_col: str = "score", name: Optional[str] = None):
        """Of a data frame."""
        of: Dict[str, Dict[str, Any]] = {}
        for topic, doc, number in zip(df[q_id_col], df[doc_id_col], df[score_col]):
            of.setdefault(str(topic), {})[str(doc)] = number
        return cls(of, name)

    @classmethod
    def from_parquet(cls, path, q_id_col: str = "q_id", doc_id_col: str = "doc_id",
                     score_col: str = "score", pd_kwargs: Optional[Dict[str, Any]] = None,
                     name: Optional[str] = None):
        """Of a Parquet file, by pandas."""
        import pandas
        return cls.from_df(pandas.read_parquet(path, **(pd_kwargs or {})), q_id_col, doc_id_col, score_col, name)

    @classmethod
    def from_file(cls, path, kind: Optional[str] = None, name: Optional[str] = None):
        """Of a file as TREC's, perhaps by gzip, or of JSON."""
        path = os.fspath(path)
        kind = kind or os.path.splitext(path)[1][1:]
        with gzip.open(path, "rt") if kind == "gz" else open(path, encoding="utf-8") as file:
            if kind == "json":
                return cls(json.load(file), name)
            of: Dict[str, Dict[str, Any]] = {}
            for line in file:
                topic, _, doc, *rest = line.split()
                of.setdefault(topic, {})[doc] = rest[0] if len(rest) == 1 else rest[1]
                name = name or (rest[2] if len(rest) > 2 else None)
            return cls(of, name)

    def save(self, path, kind: Optional[str] = None) -> None:
        """As a file of JSON, or as TREC's."""
        kind = kind or os.path.splitext(os.fspath(path))[1][1:]
        with open(path, "w", encoding="utf-8") as file:
            if kind == "json":
                json.dump(self._of, file)
            else:
                file.writelines(self._lines())

    def _lines(self):
        for topic, of in self._of.items():
            for rank, (doc, score) in enumerate(of.items()):
                yield f"{topic} Q0 {doc} {rank + 1} {score} {self.name}\n"

    def to_dict(self) -> Dict[str, Dict[str, Any]]:
        """As {topic: {document: number}}."""
        return {topic: dict(of) for topic, of in self._of.items()}

    def to_dataframe(self):
        """As a pandas.DataFrame with the columns q_id, doc_id and score."""
        import pandas
        return pandas.DataFrame([(t, d, x) for t, of in self._of.items() for d, x in of.items()],
                                columns=["q_id", "doc_id", "score"])

    def keys(self):
        """The topics."""
        return self._of.keys()

    def __getitem__(self, q_id):
        return dict(self._of[q_id])

    def __len__(self) -> int:
        return len(self._of)

    def __repr__(self) -> str:
        return repr(self._of)

    size = property(__len__)


class Qrels(_Numbers):
    """Judgments: {topic: {document: grade}}."""
    _number = staticmethod(lambda x: int(float(x)))
    qrels = property(lambda self: self._of)

    def _lines(self):
        return (f"{t} 0 {d} {x}\n" for t, of in self._of.items() for d, x in of.items())

    def set_relevance_level(self, rel_lvl: int = 1) -> None:
        """That grade becomes 1, those above it as many more, those below it 0."""
        self._of = {t: {d: max(g - rel_lvl + 1, 0) for d, g in of.items()} for t, of in self._of.items()}


class Run(_Numbers):
    """A run: {topic: {document: score}}; evaluate() leaves scores, mean_scores and std_scores."""
    run = property(lambda self: self._of)

    def __init__(self, run: Optional[Mapping] = None, name: Optional[str] = None):
        super().__init__(run, name)
        self.scores: Dict[str, Dict[str, float]] = {}
        self.mean_scores: Dict[str, float] = {}
        self.std_scores: Dict[str, float] = {}
        self.metadata: Dict[str, Any] = {}

    def make_comparable(self, qrels: Qrels) -> Run:
        """Has the topics that were judged, those it missed with nothing."""
        self._of = {topic: self._of.get(topic, {}) for topic in qrels.keys()}
        self.sort()
        return self


def _at_least(judged: Mapping, level: int) -> Dict[str, Dict[str, Any]]:
    return {t: {d: g if g >= level else min(g, 0) for d, g in of.items()} for t, of in judged.items()}


# Their names, and ours without and with a cut-off; None: there is none.
_NAMES = {"map": ("AP", "AP@%d"), "mrr": ("RR", "RR@%d"), "ndcg": ("nDCG", "nDCG@%d"),
          "ndcg_burges": ("nDCG(dcg='exp-log2')", "nDCG(dcg='exp-log2')@%d"),
          "precision": ("SetP", "P@%d"), "recall": ("SetR", "R@%d"), "r-precision": ("Rprec", "Rprec"),
          "bpref": ("Bpref", "Bpref"), "hits": ("num_rel_ret", None), "dcg": ("dcg", None),
          "hit_rate": ("Success@1000000", "Success@%d")}


def _scores(judged: Mapping, run: Mapping, metric: str) -> Dict[str, float]:
    """The value of each topic."""
    name, _, level = metric.partition("-l")
    if level not in ("", "1"):
        judged = _at_least(judged, int(level))
    values = lambda names, depth=0: _Evaluator(judged, names, depth=depth).evaluate(run)
    if name.startswith("rbp"):  # their gains are the grades: as many steps
        p = name.partition("." if "." in name else "@")[2]
        if not p:
            raise ValueError("rbp needs its persistence, such as rbp.95")
        steps = max((g for of in judged.values() for g in of.values()), default=1)
        found = values([f"RBP(rel={g},p=0.{p})" for g in range(1, max(steps, 1) + 1)])
        return {t: math.fsum(of.values()) for t, of in found.items()}
    base, _, cut = name.partition("@")
    k = int(cut or 0)
    if base == "f1":
        pairs = {t: tuple(of.values()) for t, of in values([f"P@{k}", f"R@{k}"] if k else
                                                          ["SetP", "SetR"]).items()}
        return {t: 2 * p * r / (p + r) if p + r > 0 else 0.0 for t, (p, r) in pairs.items()}
    if base not in _NAMES:
        raise ValueError(f"there is no metric {base!r}, expected one of: {', '.join(_NAMES)}, f1, rbp")
    plain, at = _NAMES[base]
    found = values([plain if k == 0 or at is None else at % k if "%" in at else at],
                   k if at is None else 0)
    return {t: value for t, of in found.items() for value in of.values()}


def _mapping(given, names: Optional[List[str]] = None) -> Dict[str, Dict[str, Any]]:
    """Whatever evaluate() takes: ours, dictionaries, or of each topic an array of (document, number),
    in its order."""
    if isinstance(given, (_Numbers, Mapping)):
        return given._of if isinstance(given, _Numbers) else dict(given)
    ranked = names is not None
    return {str(i): {str(d): len(of) - k if ranked else g for k, (d, g) in enumerate(
        (row[0], row[1]) for row in of)} for i, of in enumerate(given)}


def evaluate(qrels, run, metrics: Union[str, Sequence[str]], return_mean: bool = True,
             return_std: bool = False, threads: int = 0, save_results_in_run: bool = True,
             make_comparable: bool = False):
    """{metric: mean}, or a number where there is one metric; of each topic without return_mean.
    One thread does the work, whatever threads says."""
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    if make_comparable and isinstance(run, Run):
        run.make_comparable(qrels)
    judged, ranked = _mapping(qrels), _mapping(run, names)
    assert judged.keys() == ranked.keys(), (
        "Qrels and Run query ids do not match. Pass `make_comparable=True` to add empty results for "
        "queries missing from the run and remove those not appearing in qrels.")
    found: Dict[str, Any] = {}
    for name in names:
        of = _scores(judged, ranked, name)
        scores = {t: of.get(str(t), 0.0) for t in sorted(ranked)}
        mean = math.fsum(scores.values()) / (len(scores) or 1)
        std = math.sqrt(math.fsum((x - mean) ** 2 for x in scores.values()) / (len(scores) or 1))
        if isinstance(run, Run) and save_results_in_run:
            run.scores[name], run.mean_scores[name] = scores, mean
            if return_std:
                run.std_scores[name] = std
        found[name] = {"mean": mean, "std": std} if return_mean and return_std else mean
        if not return_mean:
            import numpy
            found[name] = numpy.array(list(scores.values()))
    return found[names[0]] if len(names) == 1 else found


_TESTS = {"student": {"test": "t", "correct": "none"}, "tukey": {"correct": "tukey"},
          "fisher": {"test": "randomisation", "correct": "none"}}


def _tukey(scores):
    """The p-values of ranx's Tukey test, which takes runs as independent samples; found has those of
    runs on the same topics."""
    try:
        from scipy.stats import tukey_hsd
    except ImportError:
        raise ImportError('stat_test="tukey" needs scipy (tukey_hsd), as in ranx; '
                          'intervale.compare(correct="tukey") does not') from None
    return tukey_hsd(*[list(s.values()) for s in scores]).pvalue


class _Pairs(dict):
    """By both models: a frozenset, or a tuple in any order."""

    def __missing__(self, pair):
        if not isinstance(pair, tuple):
            raise KeyError(pair)
        return self[frozenset(pair)]


class Report:
    """What compare() found: results, comparisons, win_tie_loss as ranx has them, and found, the
    library's answer for each metric, with intervals."""

    def __init__(self, **parts):
        self.__dict__.update(parts)

    def _score(self, score: float) -> str:
        if self.show_percentages:
            return f"{100 * score:.{max(self.rounding_digits - 2, 0)}f}"
        return f"{score:.{self.rounding_digits}f}"

    def to_dict(self) -> Dict[str, Any]:
        """As ranx writes it."""
        made: Dict[str, Any] = {"metrics": self.metrics, "model_names": self.model_names,
                                "stat_test": self.stat_test}
        for name in self.model_names:
            others = [o for o in self.model_names if o != name]
            made[name] = {
                "scores": self.results[name],
                "comparisons": {o: {m: self.comparisons[frozenset((name, o))][m]["p_value"]
                                    for m in self.metrics} for o in others},
                "win_tie_loss": {o: self.win_tie_loss[name, o] for o in others}}
        return made

    def to_dataframe(self):
        """The means, a row each model."""
        import pandas
        return pandas.DataFrame([{"model_names": n, **self.results[n]} for n in self.model_names])

    def to_latex(self) -> str:
        """The tables of a paper, one each metric."""
        return "\n".join(found.to("latex", "paper") for found in self.found.values())

    def save(self, path) -> None:
        """to_dict() as JSON."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_dict(), file, indent=4)

    def __str__(self) -> str:
        rows = [["#", "Model", *self.metrics]]
        for i, name in enumerate(self.model_names):
            cells = []
            for m in self.metrics:
                better = [chr(97 + k) for k, o in enumerate(self.model_names) if o != name
                          and self.comparisons[frozenset((name, o))][m]["significant"]
                          and self.results[name][m] > self.results[o][m]]
                cells.append(self._score(self.results[name][m]) + ("^" + "".join(better)) * bool(better))
            rows.append([chr(97 + i), name, *cells])
        wide = [max(map(len, column)) for column in zip(*rows)]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, wide)).rstrip() for row in rows)

    __repr__ = __str__


def compare(qrels, runs: Sequence[Run], metrics: Union[str, Sequence[str]], stat_test: str = "student",
            n_permutations: int = 1000, max_p: float = 0.01, random_seed: int = 42, threads: int = 0,
            rounding_digits: int = 3, show_percentages: bool = False,
            make_comparable: bool = False) -> Report:
    """The means of runs and tests of their differences, by the library: student, fisher (its sign
    flips are counted, whatever n_permutations), or tukey."""
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    models = [run.name or f"run_{i + 1}" for i, run in enumerate(runs)]
    if stat_test.lower() not in _TESTS:
        raise ValueError(f"stat_test is {stat_test!r}, expected one of: {', '.join(_TESTS)}")
    for run in runs:
        evaluate(qrels, run, names, make_comparable=make_comparable)
    results = {model: {m: run.mean_scores[m] for m in names} for model, run in zip(models, runs)}
    pairs = _Pairs()
    counts: Dict[Any, Any] = {}
    found = {}
    for m in names:
        found[m] = _compare({model: run.scores[m] for model, run in zip(models, runs)}, name=m,
                            seed=random_seed, confidence=1 - max_p, progress=False, threads=threads,
                            label=f"tab:paper-{m}",
                            **_TESTS[stat_test.lower()])
        independent = _tukey([run.scores[m] for run in runs]) if stat_test.lower() == "tukey" else None
        for row in found[m].pairs:
            p = 1.0 if row.p_adjusted is None else row.p_adjusted
            if independent is not None:
                p = float(independent[models.index(row.a)][models.index(row.b)])
            pairs.setdefault(frozenset((row.a, row.b)), {})[m] = {"p_value": p, "significant": p <= max_p}
            for key, w, l in (((row.a, row.b), row.wins, row.losses), ((row.b, row.a), row.losses, row.wins)):
                counts.setdefault(key, {})[m] = {"W": w, "T": row.ties, "L": l}
    return Report(model_names=models, metrics=names, results=results, comparisons=pairs,
                  win_tie_loss=counts, max_p=max_p, stat_test=stat_test, found=found,
                  rounding_digits=rounding_digits, show_percentages=show_percentages)

# SPDX-License-Identifier: Apache-2.0
"""Evaluation with intervals: search engines, classifiers, document reviews.

A thin layer over the shared library libintervale, with nothing but the
standard library.  Its functions answer what the commands of the same name do,
to the last digit:

    >>> import intervale
    >>> for s in intervale.evaluate("qrels", ["runA", "runB"], ["AP", "nDCG@10"]):
    ...     print(s.run, s.measure, s.value, s.lower, s.upper)
    >>> intervale.compare("qrels", ["runA", "runB"]).pairs[0].p
    >>> intervale.recall((2000, 100, 50), (100000, 100, 3)).lower
    >>> intervale.prf({"A": (80, 20, 40), "B": (75, 10, 45)})
    >>> intervale.prf_compare({"A": (80, 20, 40), "B": (75, 10, 45)})

What does not exist (an interval of one topic, a precision of 0/0) is None.
What the library refuses raises Error, with the library's own message; the
subclasses are also the built-in exceptions one would expect (ValueError for a
bad argument or file, OSError for a file that cannot be read).  Results are
plain named tuples: nothing has to be closed or freed, and functions may be
called from many threads.

The library is looked for in the environment variable INTERVALE_LIBRARY (the
file, or the folder that holds it), near this file (the prefix it is installed
under, or a build folder of the source tree), and where the system looks.
"""
from __future__ import annotations

import contextlib
import ctypes
import math
import operator
import os
import pathlib
from ctypes import (POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int,
                    c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p)
from typing import Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

__all__ = ["BadArgument", "BadFile", "Comparison", "ComparedRun", "Error", "FileFailure",
           "Metric", "MetricDifference", "NoData", "NotAccurate", "OutOfMemory", "Pair",
           "PairedCounts", "Quantity", "Recall", "Score", "compare", "compare_scores",
           "evaluate", "prf", "prf_compare", "prf_paired", "read_matrix", "recall", "version"]

# ------------------------------------------------------------------ errors --


class Error(Exception):
    """What the library said, and its code (one of the IV_E* values)."""
    code = 0


class OutOfMemory(Error, MemoryError):
    """An allocation failed."""
    code = -1


class FileFailure(Error, OSError):
    """The operating system refused a read or a write."""
    code = -2


class BadFile(Error, ValueError):
    """The input is not in the format it claims; the message begins FILE:LINE:."""
    code = -3


class BadArgument(Error, ValueError):
    """A value is outside its domain."""
    code = -4


class NoData(Error, ValueError):
    """The input is valid, but there is nothing to compute from."""
    code = -5


class NotAccurate(Error, ArithmeticError):
    """A computation did not reach its accuracy."""
    code = -6


_KINDS = {kind.code: kind for kind in Error.__subclasses__()}

# ----------------------------------------------------- the library's structs --
# Fields as the headers in include/intervale have them; tests/python/layout.py
# compares them with what the C compiler says.  Two that the library fills in
# whole may be larger here: what a later version adds to them does no harm.


class iv_err(Structure):
    _fields_ = [("code", c_int), ("msg", c_char * 340), ("file", c_char * 160),
                ("line", c_uint64)]


class iv_str(Structure):
    _fields_ = [("ptr", c_void_p), ("len", c_size_t)]


class iv_progress(Structure):
    _fields_ = [("report", c_void_p), ("user", c_void_p)]


class iv_work(Structure):
    _fields_ = [("threads", c_int), ("seed", c_uint64), ("progress", iv_progress)]


class iv_measure_info(Structure):
    _fields_ = [("name", c_char_p), ("ir_name", c_char_p), ("family", c_char_p),
                ("usage", c_char_p), ("brief", c_char_p), ("text", c_char_p), ("kind", c_int),
                ("summary", c_int), ("lowest", c_double), ("highest", c_double),
                ("per_topic", c_bool), ("overall", c_bool), ("graded", c_bool)]


class iv_measure_options(Structure):
    _fields_ = [("dialect", c_int), ("level", c_int32), ("depth", c_size_t),
                ("judged_only", c_bool), ("collection", c_int64), ("as_trec_eval", c_bool)]


class iv_value_info(Structure):
    _fields_ = [("name", c_char_p), ("measure", POINTER(iv_measure_info)),
                ("lowest", c_double), ("highest", c_double), ("cutoff", c_size_t),
                ("point", c_double), ("level", c_int32), ("judged_only", c_bool),
                ("persistence", c_double), ("exponential", c_bool), ("max_grade", c_int32)]


class iv_resampling(Structure):
    _fields_ = [("confidence", c_double), ("resamples", c_size_t)]


class iv_texts(Structure):
    _fields_ = [("at", POINTER(c_char_p)), ("count", c_size_t)]


class iv_source(Structure):
    _fields_ = [("judgments", c_char_p), ("judgments_format", c_int), ("judged", c_void_p),
                ("runs", iv_texts), ("run_format", c_int), ("ranked", c_void_p),
                ("ranked_count", c_size_t)]


class iv_evaluating(Structure):
    _fields_ = [("measures", iv_texts), ("measure", iv_measure_options), ("complete", c_bool),
                ("texts", c_bool), ("bounds", c_bool), ("ties", c_bool),
                ("differences", c_bool), ("interval", c_int), ("resampling", iv_resampling),
                ("estimator", c_int), ("unjudged", c_int)]


class iv_evaluated_measure(Structure):
    _fields_ = [("name", c_char_p), ("info", POINTER(iv_value_info)), ("text", c_bool),
                ("per_topic", c_bool), ("overall", c_bool), ("count", c_bool),
                ("inferred", c_bool), ("has_bounds", c_bool), ("has_ties", c_bool)]


class iv_run_oddities(Structure):
    _fields_ = [("many_tags", c_bool), ("misranked_line", c_uint64)]


class iv_run_notes(Structure):
    _fields_ = [(name, c_size_t) for name in ("not_judged", "float_ties", "ties",
                                              "top_retrieved", "top_unjudged", "retrieved",
                                              "unjudged")] + [("odd", iv_run_oddities)]


class iv_evaluated_run(Structure):
    _fields_ = [("name", c_char_p), ("tag", c_char_p), ("path", c_char_p), ("bytes", c_uint64),
                ("topics", c_size_t), ("missing", POINTER(iv_str)),
                ("missing_count", c_size_t), ("noted", iv_run_notes)]


class iv_bounds(Structure):
    _fields_ = [("lower", c_double), ("upper", c_double)]


class iv_ties(Structure):
    _fields_ = [("lower", c_double), ("expected", c_double), ("upper", c_double)]


class iv_mean(Structure):
    _fields_ = [("topics", c_size_t), ("value", c_double), ("se", c_double),
                ("lower", c_double), ("upper", c_double), ("method", c_int),
                ("replaced", c_bool), ("gap", c_int), ("constant", c_bool),
                ("dropped", c_size_t), ("bounds", iv_bounds), ("ties", iv_ties),
                ("se_judgments", c_double), ("se_topics", c_double), ("without", c_size_t)]


class iv_evaluated(Structure):
    _fields_ = [("runs", POINTER(iv_evaluated_run)), ("run_count", c_size_t),
                ("measures", POINTER(iv_evaluated_measure)), ("measure_count", c_size_t),
                ("means", POINTER(iv_mean)), ("topics", POINTER(iv_str)),
                ("topic_count", c_size_t), ("judged_topics", c_size_t),
                ("judgments_bytes", c_uint64), ("sampling", c_void_p), ("certain", c_bool),
                ("resampling", iv_resampling), ("estimator", c_int)]


class iv_compare_options(Structure):
    _fields_ = [("tests", POINTER(c_int)), ("test_count", c_size_t), ("ties", c_int),
                ("zeros", c_int), ("alternative", c_int), ("correction", c_int),
                ("baseline", c_size_t), ("interval", c_int), ("margin", c_double),
                ("confidence", c_double), ("resamples", c_size_t), ("permutations", c_size_t)]


class iv_differences(Structure):
    _fields_ = [("n", c_size_t), ("wins", c_size_t), ("ties", c_size_t), ("losses", c_size_t),
                ("mean", c_double), ("sd", c_double), ("effect", c_double)]


class iv_compared_pair(Structure):
    _fields_ = [("a", c_size_t), ("b", c_size_t), ("only_a", c_size_t), ("only_b", c_size_t),
                ("found", iv_differences), ("superiority", c_double), ("lower", c_double),
                ("upper", c_double), ("gap", c_int), ("p_above", c_double),
                ("p_noninferior", c_double), ("p_equivalent", c_double)]


class iv_test(Structure):
    _fields_ = [("p", c_double), ("statistic", c_double), ("used", c_size_t),
                ("exact", c_bool), ("why", c_char_p)]


class iv_compared_test(Structure):
    _fields_ = [("kind", c_int), ("test", iv_test), ("p_adjusted", c_double),
                ("correction", c_int)]


class iv_compared_run(Structure):
    _fields_ = [("topics", c_size_t), ("mean", c_double), ("lower", c_double),
                ("upper", c_double), ("method", c_int), ("rank", c_size_t),
                ("rank_lower", c_size_t), ("rank_upper", c_size_t), ("boot_lower", c_size_t),
                ("boot_upper", c_size_t), ("p_best", c_double), ("letters", c_char_p)]


class iv_stratum(Structure):
    _fields_ = [("size", c_int64), ("sampled", c_int64), ("relevant", c_int64)]


class iv_segments(Structure):
    _fields_ = [("retrieved", POINTER(iv_stratum)), ("unretrieved", POINTER(iv_stratum)),
                ("retrieved_count", c_size_t), ("unretrieved_count", c_size_t)]


class iv_recall_options(Structure):
    _fields_ = [("method", c_int), ("confidence", c_double), ("one_sided", c_bool),
                ("a", c_double), ("b", c_double)]


class iv_recall_interval(Structure):
    _fields_ = [("lower", c_double), ("upper", c_double)]


class iv_prf_counts(Structure):
    _fields_ = [("tp", c_int64), ("fp", c_int64), ("fn", c_int64), ("tn", c_int64)]


class iv_prf_prior(Structure):
    _fields_ = [("right", c_double), ("wrong", c_double)]


class iv_prf_cells(Structure):
    _fields_ = [("tp", c_double), ("fp", c_double), ("fn", c_double), ("tn", c_double)]


class iv_prf_metric(Structure):
    _fields_ = [("kind", c_int), ("beta", c_double)]


class iv_credible(Structure):
    _fields_ = [("lower", c_double), ("upper", c_double), ("kind", c_int),
                ("one_sided", c_bool)]


class iv_posterior_gap(Structure):
    _fields_ = [("greater", c_double), ("mean", c_double), ("lower", c_double),
                ("upper", c_double)]


class iv_drawn_summary(Structure):
    _fields_ = [("mean", c_double), ("mode", c_double), ("lower", c_double),
                ("upper", c_double), ("mean_error", c_double), ("mode_error", c_double),
                ("lower_error", c_double), ("upper_error", c_double)]


class iv_draw_plan(Structure):
    _fields_ = [("draws", c_size_t), ("stream", c_uint32)]


class iv_paired_cells(Structure):
    _fields_ = [("a", c_double), ("b", c_double), ("rest", c_double)]


# ---------------------------------------------------------- finding it --

_FITS = "0.1."  # versions whose structs are those above


def _candidates() -> Iterable[str]:
    """Names to try, the surest first."""
    given = os.environ.get("INTERVALE_LIBRARY")
    names = ("libintervale.so", "libintervale.so.1", "libintervale.dylib")
    if given:
        folder = pathlib.Path(given)
        yield from (str(folder / n) for n in names) if folder.is_dir() else (given,)
        return
    for folder in pathlib.Path(__file__).resolve().parents:
        for place in (".", "lib", "lib64", "lib/*-linux-gnu", "build/release", "build/dev"):
            for name in names:
                yield from sorted(str(p) for p in folder.glob(f"{place}/{name}"))
    yield from names[1:]


def _load() -> ctypes.CDLL:
    tried = []
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
        except OSError as error:
            tried.append(f"{name}: {error}")
            continue
        library.iv_version.restype = c_char_p
        found = library.iv_version().decode()
        if found.startswith(_FITS):
            return library
        tried.append(f"{name}: version {found}, expected {_FITS}x")
    raise ImportError("no libintervale that fits; set INTERVALE_LIBRARY to its path\n"
                      + "\n".join(tried))


_lib = _load()


def _declare(result, *names_and_arguments):
    """Tells ctypes what some functions take and give."""
    *names, arguments = names_and_arguments
    for name in names:
        function = getattr(_lib, name)
        function.restype, function.argtypes = result, arguments


_P, _ERR = c_void_p, POINTER(iv_err)
_declare(c_char_p, "iv_err_text", [c_char_p, _ERR])
_declare(c_int, "iv_evaluate", [POINTER(_P), POINTER(iv_source), POINTER(iv_evaluating),
                                POINTER(iv_work), _ERR])
_declare(POINTER(iv_evaluated), "iv_evaluation_view", [_P])
_declare(None, "iv_evaluation_grid", [POINTER(c_double), _P, c_size_t])
_declare(None, "iv_evaluation_free", "iv_matrix_free", "iv_comparison_free",
         "iv_recall_posterior_free", "iv_posterior_free", [_P])
_declare(c_size_t, "iv_matrix_systems", "iv_matrix_topics", "iv_comparison_shared", [_P])
_declare(iv_str, "iv_matrix_system", "iv_matrix_topic", [_P, c_size_t])
_declare(c_char_p, "iv_interval_gap_text", [c_int])
_declare(POINTER(c_char_p), "iv_interval_names", "iv_pair_test_names", "iv_correction_names",
         "iv_recall_method_names", "iv_estimator_names", "iv_unjudged_names", [])
_declare(c_int, "iv_matrix_load", [POINTER(_P), c_char_p, c_int, _ERR])
_declare(c_double, "iv_matrix_score", [_P, c_size_t, c_size_t])
_declare(c_int, "iv_compare", [POINTER(_P), POINTER(c_double), c_size_t, c_size_t,
                               POINTER(iv_compare_options), POINTER(iv_work), _ERR])
_declare(c_size_t, "iv_comparison_pairs", [POINTER(POINTER(iv_compared_pair)), _P])
_declare(c_size_t, "iv_comparison_tests", [POINTER(POINTER(iv_compared_test)), _P, c_size_t])
_declare(c_size_t, "iv_comparison_runs", [POINTER(POINTER(iv_compared_run)), _P])
_declare(c_bool, "iv_recall_has_posterior", [c_int])
_declare(c_int, "iv_recall_posterior_new", [POINTER(_P), _ERR])
_declare(c_int, "iv_recall_interval_of", [POINTER(iv_recall_interval), POINTER(iv_segments),
                                          POINTER(iv_recall_options), _P, _ERR])
_declare(c_double, "iv_recall_estimate", [POINTER(iv_segments)])
_declare(c_double, "iv_recall_plain", [POINTER(iv_segments), c_int, c_double])
_declare(c_double, "iv_recall_prior_share", [_P])
_declare(c_double, "iv_recall_mean", [_P, c_int, c_double])
_declare(c_double, "iv_recall_quantile", "iv_recall_at_least", [_P, c_int, c_double, c_double])
_declare(iv_recall_interval, "iv_recall_limits", [_P, c_int, c_double, c_double, c_bool])
_declare(c_int, "iv_prf_update", [POINTER(iv_prf_cells), iv_prf_prior, POINTER(iv_prf_counts),
                                  POINTER(iv_prf_counts), _ERR])
_declare(c_char_p, "iv_prf_name", [c_char_p, iv_prf_metric])
_declare(c_double, "iv_prf_value", [iv_prf_metric, POINTER(iv_prf_counts)])
_declare(c_int, "iv_posterior_prf", [POINTER(_P), POINTER(iv_prf_cells), iv_prf_metric, _ERR])
_declare(c_double, "iv_posterior_mean", "iv_posterior_mode", [_P])
_declare(c_int, "iv_posterior_interval", [POINTER(iv_credible), _P, c_double, c_int, _ERR])
_declare(c_int, "iv_posterior_compare", [POINTER(iv_posterior_gap), _P, _P, c_double, _ERR])
_declare(c_int, "iv_prf_draw", [POINTER(c_double), POINTER(iv_prf_cells), c_size_t,
                                POINTER(iv_prf_metric), c_size_t, POINTER(iv_draw_plan),
                                POINTER(iv_work), _ERR])
_declare(c_int, "iv_summarise_draws", [POINTER(iv_drawn_summary), POINTER(c_double), c_size_t,
                                       c_double, c_int, _ERR])
_declare(c_int, "iv_paired_compare", [POINTER(iv_posterior_gap), iv_paired_cells, c_double,
                                      _ERR])
_declare(c_double, "iv_paired_greater", "iv_paired_difference", "iv_paired_log_odds",
         [iv_paired_cells])
_declare(c_double, "iv_mcnemar", [c_int64, c_int64])

# ----------------------------------------------------------- calling it --

_Path = Union[str, bytes, "os.PathLike[str]"]


def _call(function, *arguments) -> None:
    """Calls what may fail, and raises what the library says."""
    err = iv_err()
    code = function(*arguments, byref(err))
    if code < 0:
        text = ctypes.create_string_buffer(544) # IV_ERR_TEXT_SIZE
        _lib.iv_err_text(text, byref(err))
        raise _KINDS.get(code, Error)(text.value.decode("utf-8", "replace"))


@contextlib.contextmanager
def _owned(make, free, *arguments):
    """An object of the library's, freed at the end."""
    out = c_void_p()
    _call(make, byref(out), *arguments)
    try:
        yield out
    finally:
        free(out)


def _text(s: iv_str) -> str:
    return ctypes.string_at(s.ptr, s.len).decode("utf-8", "surrogateescape") if s.len else ""


def _name(s: bytes) -> str:
    return s.decode("utf-8", "surrogateescape")


def _words(texts: Sequence[bytes]):
    return (c_char_p * len(texts))(*texts)


def _real(x: float) -> Optional[float]:
    """None for what does not exist."""
    return x if math.isfinite(x) else None


def _names(function) -> List[str]:
    names, out = function(), []
    while names[len(out)] is not None:
        out.append(names[len(out)].decode())
    return out


def _index(what: str, given: str, names: Sequence[str]) -> int:
    if given in names:
        return names.index(given)
    raise BadArgument(f"{what} is {given!r}, expected one of: {', '.join(names)}")


def _whole(given, least: int, most: int) -> Optional[List[int]]:
    """The numbers if all are whole and in range, else None."""
    try:
        numbers = [operator.index(k) for k in given]
    except TypeError:
        return None
    return numbers if all(least <= k <= most for k in numbers) else None


def _check_options(confidence: float, threads: int, seed: int) -> None:
    if not 0.0 < confidence < 1.0:
        raise BadArgument(f"confidence is {confidence!r}, expected a number between 0 and 1")
    if not 0 <= threads <= 10000:
        raise BadArgument(f"threads is {threads!r}, expected 0 (all) or a number of threads")
    if not 0 <= seed < 2 ** 64:
        raise BadArgument(f"seed is {seed!r}, expected a whole number from 0 to 2^64 - 1")


def version() -> str:
    """The version of the library in use."""
    return _lib.iv_version().decode()


# ------------------------------------------------------------------- eval --


class Score(NamedTuple):
    """A measure of a run over topics."""
    run: str
    measure: str
    topics: int
    value: float
    se: Optional[float]           #: standard error of the mean
    lower: Optional[float]        #: interval for the mean over topics of the kind
    upper: Optional[float]
    method: str                   #: of the interval: logit, t, ...
    why: str                      #: why there is no interval, if there is none
    missing: Tuple[str, ...]      #: judged topics that the run lacks
    not_judged: int               #: topics of the run without judgments
    by_topic: Dict[str, float]    #: the values that the mean is of
    se_judgments: Optional[float] #: sampled judgments: what judging all would remove
    se_topics: Optional[float]    #: and what it would not


_JUDGMENTS = ["any", "qrels", "prels", "stratified", "beir"]
_RUNS = ["any", "trec", "msmarco"]
_GEOMETRIC = 2   # IV_SUMMARY_GEOMETRIC
_NOT_ASKED = 1   # IV_GAP_NOT_ASKED
_ZERO = -1       # IV_ZERO


def _measure_options(o: dict) -> iv_measure_options:
    if o["compat"] not in (9, 10):
        raise BadArgument(f"compat is {o['compat']!r}, expected 9 or 10")
    if o["depth"] is not None and o["depth"] < 1:
        raise BadArgument(f"depth is {o['depth']!r}, expected at least 1")
    if o["level"] < 0:
        raise BadArgument(f"level is {o['level']!r}, expected at least 0")
    return iv_measure_options(dialect=o["compat"] - 9, level=o["level"] or _ZERO,
                              depth=o["depth"] or 0, judged_only=o["judged_only"])


@contextlib.contextmanager
def _evaluated(judgments: _Path, runs, measures: Optional[Sequence[str]], o: dict,
               interval: int, resamples: int = 0):
    """An evaluation, and all there is to know of it but values of topics."""
    if isinstance(runs, (str, bytes, os.PathLike)):
        runs = [runs]
    if isinstance(measures, str):
        measures = [measures]
    paths = [os.fsencode(p) for p in runs]
    if not paths:
        raise BadArgument("there are no runs")
    _check_options(o["confidence"], o["threads"], o["seed"])
    files, names = _words(paths), _words([m.encode() for m in measures or []])
    source = iv_source(
        judgments=os.fsencode(judgments), runs=iv_texts(files, len(paths)),
        judgments_format=_index("judgments_format", o["judgments_format"], _JUDGMENTS),
        run_format=_index("run_format", o["run_format"], _RUNS))
    how = iv_evaluating(
        measures=iv_texts(names, len(names)), measure=_measure_options(o),
        complete=o["complete"], interval=interval,
        resampling=iv_resampling(o["confidence"], resamples),
        estimator=_index("estimator", o["estimator"] or "auto",
                         _names(_lib.iv_estimator_names)),
        unjudged=_index("unjudged", o["unjudged"] or "refuse", _names(_lib.iv_unjudged_names)))
    with _owned(_lib.iv_evaluate, _lib.iv_evaluation_free, byref(source), byref(how),
                byref(iv_work(o["threads"], o["seed"]))) as e:
        yield e, _lib.iv_evaluation_view(e).contents


def _values(e, x: iv_evaluated, measure: int) -> List[Dict[str, float]]:
    """Run by run the values of the topics that the run has."""
    n = x.topic_count
    grid = (c_double * (x.run_count * n or 1))()
    _lib.iv_evaluation_grid(grid, e, measure)
    topics = [_text(t) for t in x.topics[:n]]
    return [{t: v for t, v in zip(topics, grid[r * n:(r + 1) * n]) if not math.isnan(v)}
            for r in range(x.run_count)]


def evaluate(judgments: _Path, runs, measures: Optional[Sequence[str]] = None, *,
             ci: Optional[str] = None, confidence: float = 0.95, resamples: int = 10000,
             seed: int = 1, level: int = 1, depth: Optional[int] = None,
             complete: bool = False, judged_only: bool = False, compat: int = 9,
             estimator: Optional[str] = None, unjudged: Optional[str] = None,
             judgments_format: str = "any", run_format: str = "any",
             threads: int = 0) -> List[Score]:
    """Every measure of every run, with its interval: `intervale eval`.

    judgments and runs are paths (runs: one or many); measures are names in
    trec_eval's way or ir_measures', the usual ones unless given.  ci is none,
    logit, percentile, bca or t; unless given, logit for measures in [0, 1] and
    t for others.  complete counts judged topics that a run misses, with
    nothing retrieved.  Judgments that are a sample are told by their format;
    estimator and unjudged are for them.

    Gives the scores run by run, in the order given, measure by measure.
    """
    o = dict(confidence=confidence, seed=seed, threads=threads, level=level, depth=depth,
             complete=complete, judged_only=judged_only, compat=compat, estimator=estimator,
             unjudged=unjudged, judgments_format=judgments_format, run_format=run_format)
    methods = _names(_lib.iv_interval_names)
    if resamples < 1:
        raise BadArgument(f"resamples is {resamples!r}, expected at least 1")
    out = []
    with _evaluated(judgments, runs, measures, o, _index("ci", ci or "auto", methods),
                    resamples) as (e, x):
        kinds = x.measures[:x.measure_count]
        values = [_values(e, x, i) for i in range(x.measure_count)]
        for r, run in enumerate(x.runs[:x.run_count]):
            missing = tuple(_text(t) for t in run.missing[:run.missing_count])
            for i, kind in enumerate(kinds):
                m = x.means[r * x.measure_count + i]
                if kind.text or not kind.overall or not math.isfinite(m.value):
                    continue
                why = _lib.iv_interval_gap_text(m.gap).decode() if m.gap > _NOT_ASKED else ""
                sampled = x.sampling is not None
                out.append(Score(
                    _name(run.name), kind.name.decode(), m.topics, m.value, _real(m.se),
                    _real(m.lower), _real(m.upper), methods[m.method], why, missing,
                    run.noted.not_judged, values[i][r],
                    _real(m.se_judgments) if sampled else None,
                    _real(m.se_topics) if sampled else None))
    return out


eval = evaluate  # pylint: disable=redefined-builtin  # the command's name

# ---------------------------------------------------------------- compare --


class Pair(NamedTuple):
    """One test of two runs; difference and wins are a's, a - b."""
    a: str
    b: str
    topics: int
    difference: float
    lower: Optional[float]
    upper: Optional[float]
    wins: int
    ties: int
    losses: int
    test: str
    p: Optional[float]
    p_adjusted: Optional[float]   #: for how many pairs there are
    correction: str
    statistic: Optional[float]
    exact: bool                   #: p was computed, not approximated or drawn
    why: str                      #: why there is no p, if there is none
    sd: Optional[float]
    effect: Optional[float]       #: difference / sd
    superiority: float            #: (wins + ties / 2) / topics
    only_a: int                   #: topics that b lacks
    only_b: int
    p_above: Optional[float]      #: with a margin: P(difference > margin)
    p_noninferior: Optional[float]
    p_equivalent: Optional[float]


class ComparedRun(NamedTuple):
    """A run among all, on the topics that all have."""
    run: str
    mean: Optional[float]
    lower: Optional[float]
    upper: Optional[float]
    rank: int
    rank_lower: int
    rank_upper: int
    p_best: Optional[float]
    group: Optional[str]          #: runs that share a letter do not differ
    boot_lower: Optional[int]
    boot_upper: Optional[int]
    topics: int
    method: str                   #: of the mean's interval: logit, or t


class Comparison(NamedTuple):
    """Pairs in the order of the runs, and the runs, best first."""
    pairs: List[Pair]
    runs: List[ComparedRun]
    topics: int                   #: that all runs have


def compare(judgments: _Path, runs: Sequence[_Path], measure: str = "AP", *,
            level: int = 1, depth: Optional[int] = None, complete: bool = False,
            judged_only: bool = False, compat: int = 9, judgments_format: str = "any",
            run_format: str = "any", **options) -> Comparison:
    """Which runs differ, and by how much: `intervale compare`.

    The options of compare_scores() apply, and those of evaluate() that say how
    runs are scored.
    """
    o = dict(confidence=options.get("confidence", 0.95), seed=options.get("seed", 1),
             threads=options.get("threads", 0), level=level, depth=depth, complete=complete,
             judged_only=judged_only, compat=compat, estimator=None, unjudged=None,
             judgments_format=judgments_format, run_format=run_format)
    if not isinstance(measure, str):
        raise BadArgument("compare takes one measure")
    none = _index("ci", "none", _names(_lib.iv_interval_names))
    with _evaluated(judgments, runs, [measure], o, none) as (e, x):
        if x.measure_count != 1:
            raise BadArgument(f"compare takes one measure, and {measure!r} gives "
                              f"{x.measure_count}")
        kind = x.measures[0]
        if (kind.text or not kind.per_topic
                or kind.info and kind.info.contents.measure.contents.summary == _GEOMETRIC):
            raise BadArgument(f"measure {measure!r} is no mean of numbers of topics: nothing "
                              "to compare")
        scores = {_name(run.name): row for run, row in zip(x.runs[:x.run_count],
                                                           _values(e, x, 0))}
        topics = [_text(t) for t in x.topics[:x.topic_count]]
    return compare_scores(scores, topics=topics, **options)


def read_matrix(path: _Path, by: str = "systems") -> Dict[str, Dict[str, float]]:
    """The scores of a CSV file, {system: {topic: score}}, missing ones left out.

    by: what a row stands for, systems or topics.
    """
    with _owned(_lib.iv_matrix_load, _lib.iv_matrix_free, os.fsencode(path),
                _index("by", by, ["systems", "topics"])) as m:
        topics = [_text(_lib.iv_matrix_topic(m, t)) for t in range(_lib.iv_matrix_topics(m))]
        out: Dict[str, Dict[str, float]] = {}
        for s in range(_lib.iv_matrix_systems(m)):
            row = {t: _lib.iv_matrix_score(m, s, k) for k, t in enumerate(topics)}
            out[_text(_lib.iv_matrix_system(m, s))] = {t: v for t, v in row.items()
                                                       if not math.isnan(v)}
        return out


def compare_scores(scores: Mapping[str, Mapping[str, float]], *,
                   topics: Optional[Sequence[str]] = None, baseline: Optional[str] = None,
                   tests: Sequence[str] = ("randomisation",), alternative: str = "two-sided",
                   correction: Optional[str] = None, ties: str = "discard",
                   zeros: str = "drop", ci: str = "t", margin: Optional[float] = None,
                   confidence: float = 0.95, resamples: int = 10000,
                   permutations: int = 100000, seed: int = 1,
                   threads: int = 0) -> Comparison:
    """The same from scores, {run: {topic: score}}: `intervale compare --matrix`.

    A pair is compared on the topics that both runs have.  topics lists them in
    the order that random sign flips are dealt out, which changes the last
    digits of a simulated p; unless given, as they first come in scores.

    baseline: compare each run with this one, not all pairs.  tests: sign,
    wilcoxon, t, randomisation, bootstrap.  correction: none, bonferroni, holm,
    bh or tukey; unless given tukey, but holm for one-sided tests of all pairs
    or where all runs together share fewer than two topics.  ci: none, t,
    percentile or bca.  margin: the least difference that matters.
    """
    _check_options(confidence, threads, seed)
    names = list(scores)
    if topics is None:
        topics = list(dict.fromkeys(t for row in scores.values() for t in row))
    used = [t for t in topics if any(t in row for row in scores.values())]
    values = (c_double * (len(names) * len(used) or 1))(
        *(float(scores[n].get(t, math.nan)) for n in names for t in used))
    o = iv_compare_options()
    tests = [tests] if isinstance(tests, str) else list(dict.fromkeys(tests))
    if not tests:
        raise BadArgument("there are no tests")
    # Understood in either spelling.
    tests = ["randomisation" if t == "randomization" else t for t in tests]
    kinds = (c_int * len(tests))(
        *(_index("a test", t, _names(_lib.iv_pair_test_names)) for t in tests))
    o.tests, o.test_count = kinds, len(tests)
    o.ties = _index("ties", ties, ["discard", "split"])
    o.zeros = _index("zeros", zeros, ["drop", "rank"])
    o.alternative = _index("alternative", alternative, ["two-sided", "greater", "less"])
    o.interval = _index("ci", ci, _names(_lib.iv_interval_names))
    o.margin = 0 if margin is None else margin or _ZERO
    o.confidence, o.resamples, o.permutations = confidence, resamples, permutations
    if baseline is not None:
        o.baseline = 1 + _index("baseline", baseline, names)
    corrections = _names(_lib.iv_correction_names)
    o.correction = _index("correction", correction or "auto", corrections)
    with _owned(_lib.iv_compare, _lib.iv_comparison_free, values, len(names), len(used),
                byref(o), byref(iv_work(threads, seed))) as c:
        return Comparison(_pairs(c, names, corrections), _compared_runs(c, names),
                          _lib.iv_comparison_shared(c))


def _pairs(c, names, corrections) -> List[Pair]:
    pairs, tests = POINTER(iv_compared_pair)(), POINTER(iv_compared_test)()
    kinds, out = _names(_lib.iv_pair_test_names), []
    for i in range(_lib.iv_comparison_pairs(byref(pairs), c)):
        p, d = pairs[i], pairs[i].found
        for k in range(_lib.iv_comparison_tests(byref(tests), c, i)):
            t = tests[k]
            out.append(Pair(
                names[p.a], names[p.b], d.n, d.mean, _real(p.lower), _real(p.upper), d.wins,
                d.ties, d.losses, kinds[t.kind], _real(t.test.p), _real(t.p_adjusted),
                corrections[t.correction], _real(t.test.statistic), t.test.exact,
                (t.test.why or b"").decode(), _real(d.sd), _real(d.effect), p.superiority,
                p.only_a, p.only_b, _real(p.p_above), _real(p.p_noninferior),
                _real(p.p_equivalent)))
    return out


def _compared_runs(c, names) -> List[ComparedRun]:
    runs, methods = POINTER(iv_compared_run)(), _names(_lib.iv_interval_names)
    out = []
    for i in range(_lib.iv_comparison_runs(byref(runs), c)):
        r = runs[i]
        out.append(ComparedRun(
            names[i], _real(r.mean), _real(r.lower), _real(r.upper), r.rank, r.rank_lower,
            r.rank_upper, _real(r.p_best), r.letters.decode() if r.letters else None,
            r.boot_lower or None, r.boot_upper or None, r.topics, methods[r.method]))
    return sorted(out, key=lambda r: r.rank)


# ----------------------------------------------------------------- recall --


class Quantity(NamedTuple):
    """What the posterior says of one quantity."""
    estimate: Optional[float]     #: the plain one, from N r / n
    mean: Optional[float]
    median: Optional[float]
    lower: Optional[float]
    upper: Optional[float]


class Recall(NamedTuple):
    """Recall and its interval."""
    recall: Optional[float]       #: the plain estimate
    lower: float
    upper: float
    method: str
    confidence: float
    prior_share: Optional[float]  #: of the posterior yield, that the prior brings in
    p_target: Optional[float]     #: P(recall >= target), if asked for
    measures: Dict[str, Quantity] #: recall, precision, f1 (and F-beta), elusion
    yields: Dict[str, Quantity]   #: relevant documents: retrieved, unretrieved, all


def _segment(what: str, given) -> "ctypes.Array[iv_stratum]":
    """One (N, n, r), or several of them."""
    given = list(given)
    rows = given if given and isinstance(given[0], (tuple, list)) else [given]
    strata = [_whole(s, -2 ** 63, 2 ** 63 - 1) for s in rows]
    for s, numbers in zip(rows, strata):
        if numbers is None or len(numbers) != 3:
            raise BadArgument(f"a stratum of {what} is {s!r}, expected whole numbers N, n, r")
    return (iv_stratum * len(rows))(*(tuple(s) for s in strata))


def recall(retrieved, unretrieved, *, method: str = "betabin-shared",
           confidence: float = 0.95, one_sided: bool = False,
           target: Optional[float] = None, beta: float = 1.0,
           prior: Optional[Tuple[float, float]] = None) -> Recall:
    """How complete a search was, and how sure that is: `intervale recall`.

    Each side is (N, n, r): documents, how many of them were sampled, and how
    many of those are relevant; or a list of such strata.  prior is the (a, b)
    of a beta distribution, with betabin-shared one a segment, with
    betabin-half one a stratum.  measures and yields are empty for methods
    without a posterior.
    """
    _check_options(confidence, 0, 1)
    names = _names(_lib.iv_recall_method_names)
    number = _index("method", method, names)
    if prior is not None:
        if method not in ("auto", "betabin-shared", "betabin-half"):
            raise BadArgument(f"prior goes with betabin-shared or betabin-half, not {method}")
    if not 0.0 < beta < math.inf:
        raise BadArgument(f"beta is {beta!r}, expected a number above 0")
    sides = [_segment("retrieved", retrieved), _segment("unretrieved", unretrieved)]
    s = iv_segments(sides[0], sides[1], len(sides[0]), len(sides[1]))
    a, b = prior or (0.0, 0.0)
    o = iv_recall_options(number, confidence, one_sided, a, b)
    found = iv_recall_interval()
    with _owned(_lib.iv_recall_posterior_new, _lib.iv_recall_posterior_free) as w:
        _call(_lib.iv_recall_interval_of, byref(found), byref(s), byref(o), w)
        posterior = _lib.iv_recall_has_posterior(number)
        if target is not None and not posterior:
            raise BadArgument(f"target needs a method with a posterior; {method} has none")

        def quantity(which: int, scale: float = 1.0, f: float = 1.0) -> Quantity:
            i = _lib.iv_recall_limits(w, which, f, confidence, one_sided)
            return Quantity(*(_real(scale * x) for x in (
                _lib.iv_recall_plain(byref(s), which, f), _lib.iv_recall_mean(w, which, f),
                _lib.iv_recall_quantile(w, which, f, 0.5), i.lower, i.upper)))

        measures, yields = {}, {}
        if posterior:
            size = [float(sum(x.size for x in side)) for side in sides]
            measures = {"recall": quantity(0), "precision": quantity(1), "f1": quantity(2)}
            if beta != 1.0:
                measures[f"f{beta:g}"] = quantity(2, f=beta)
            measures["elusion"] = quantity(4)
            yields = {"retrieved": quantity(1, size[0]), "unretrieved": quantity(4, size[1]),
                      "all": quantity(3)}
        return Recall(
            _real(_lib.iv_recall_estimate(byref(s))), found.lower, found.upper,
            method if prior is None else "betabin-prior", confidence,
            _real(_lib.iv_recall_prior_share(w)) if posterior else None,
            None if target is None else _lib.iv_recall_at_least(w, 0, 1.0, target), measures,
            yields)


# -------------------------------------------------------------------- prf --


class Metric(NamedTuple):
    """A metric of a system: of its counts, and as a posterior distribution."""
    system: str
    metric: str
    value: Optional[float]        #: of the counts; None where it is 0/0
    mean: float
    mode: Optional[float]
    lower: float
    upper: float
    drawn: bool                   #: by Monte Carlo; else exact


class MetricDifference(NamedTuple):
    """How probable it is that a beats b, and by how much."""
    a: str
    b: str
    metric: str
    probability: float
    difference: float
    lower: float
    upper: float
    drawn: bool


class PairedCounts(NamedTuple):
    """Two systems on the same items, by who was right."""
    a_only: int
    b_only: int
    agree: int
    probability: float            #: that a is right more often
    difference: float
    lower: float
    upper: float
    log_odds: float
    mcnemar_p: float              #: exact, two-sided


class _Row:
    """A metric while it is worked on: a posterior, or draws."""

    def __init__(self, system, metric, name, value):
        self.system, self.metric, self.name, self.value = system, metric, name, value
        self.posterior = self.draws = None
        self.mean = math.nan  # of draws, where it is known


_F, _SPECIFICITY, _MCC = 2, 3, 6


def _count(given) -> iv_prf_counts:
    numbers = _whole(given, 0, 10 ** 12)
    if numbers is None or len(numbers) not in (3, 4):
        raise BadArgument(f"counts are {given!r}, expected whole numbers TP, FP, FN and "
                          "perhaps TN, from 0 to 10^12")
    return iv_prf_counts(*numbers, *([-1] if len(numbers) == 3 else []))


class _Posteriors:
    """All rows of all systems; the library's objects live as long as `stack`."""

    def __init__(self, stack, counts, prior, beta, interval, confidence, draws, seed, threads,
                 earlier):
        _check_options(confidence, threads, seed)
        if not isinstance(counts, Mapping):
            counts = {"system": counts}
        if not counts:
            raise BadArgument("there are no counts")
        pair = prior if isinstance(prior, (tuple, list)) else (prior, prior)
        self.prior = iv_prf_prior(*pair)
        self.kind = _index("interval", interval, ["equal", "hdi"])
        self.confidence, self.draws = confidence, draws
        self.seed, self.threads, self.stack = seed, threads, stack
        betas = dict.fromkeys([1.0, *([beta] if isinstance(beta, (int, float)) else beta)])
        self.metrics = [iv_prf_metric(0, 0.0), iv_prf_metric(1, 0.0),
                        *(iv_prf_metric(_F, float(x)) for x in betas),
                        *(iv_prf_metric(k, 0.0) for k in range(_SPECIFICITY, _MCC + 1))]
        if not 1000 <= draws <= 10 ** 8:
            raise BadArgument(f"draws is {draws!r}, expected 1000 to 10^8")
        self.earlier = _count(earlier) if earlier is not None else None
        self.systems = list(counts)
        self.stream, self.rows = 0, []
        all_counts = {name: {k: _count(v) for k, v in
                             (given if isinstance(given, Mapping) else {None: given}).items()}
                      for name, given in counts.items()}
        each = [c for categories in all_counts.values() for c in categories.values()]
        if any(c.tn < 0 for c in each):  # rows of all systems shall be alike
            for c in each:
                c.tn = -1
        for name, categories in all_counts.items():
            self._add(name, categories)

    def _update(self, counts) -> iv_prf_cells:
        cells = iv_prf_cells()
        _call(_lib.iv_prf_update, byref(cells), self.prior, byref(counts),
              byref(self.earlier) if self.earlier is not None else None)
        return cells

    def _row(self, system, metric, what, value) -> _Row:
        room = ctypes.create_string_buffer(48)
        name = _lib.iv_prf_name(room, metric).decode()
        row = _Row(system, metric, name if what is None else f"{name}[{what}]", value)
        self.rows.append(row)
        return row

    def _draw(self, cells, metrics):
        """Draws of macro averages over categories, a list for each metric."""
        out = (c_double * (self.draws * len(metrics)))()
        plan = iv_draw_plan(self.draws, self.stream)
        work = iv_work(self.threads, self.seed)
        _call(_lib.iv_prf_draw, out, (iv_prf_cells * len(cells))(*cells), len(cells),
              (iv_prf_metric * len(metrics))(*metrics), len(metrics), byref(plan), byref(work))
        return [out[k * self.draws:(k + 1) * self.draws] for k in range(len(metrics))]

    def _exact(self, row, cells):
        row.posterior = self.stack.enter_context(
            _owned(_lib.iv_posterior_prf, _lib.iv_posterior_free, byref(cells), row.metric))

    def _add(self, system, categories):
        for what, counts in categories.items():
            cells = self._update(counts)
            for m in self.metrics:
                if m.kind >= _SPECIFICITY and counts.tn < 0:
                    continue
                row = self._row(system, m, what, _lib.iv_prf_value(m, byref(counts)))
                if m.kind == _MCC:
                    row.draws = self._draw([cells], [m])[0]
                else:
                    self._exact(row, cells)
            self.stream += 1
        if len(categories) < 2:
            return
        averaged = [m for m in self.metrics if m.kind < _SPECIFICITY]
        known = all(c.tn >= 0 for c in categories.values())
        total = iv_prf_counts(*(sum(getattr(c, k) for c in categories.values())
                                for k in ("tp", "fp", "fn")),
                              sum(c.tn for c in categories.values()) if known else -1)
        for m in averaged:
            self._exact(self._row(system, m, "micro", _lib.iv_prf_value(m, byref(total))),
                        self._update(total))
        drawn = self._draw([self._update(c) for c in categories.values()], averaged)
        for m, draws in zip(averaged, drawn):
            value = mean = 0.0
            for what, counts in categories.items():
                value += _lib.iv_prf_value(m, byref(counts)) / len(categories)
            row = self._row(system, m, "macro", value)
            for what in categories:
                one = next(r for r in self.rows if r.system == system
                           and r.name == row.name.replace("[macro]", f"[{what}]"))
                mean += _lib.iv_posterior_mean(one.posterior)
            row.draws, row.mean = draws, mean / len(categories)
        self.stream += 1

    def summary(self, draws, kind) -> iv_drawn_summary:
        out = iv_drawn_summary()
        _call(_lib.iv_summarise_draws, byref(out), (c_double * len(draws))(*draws), len(draws),
              self.confidence, kind)
        return out

    def tell(self, row) -> Metric:
        if row.draws is not None:
            s = self.summary(row.draws, self.kind)
            return Metric(row.system, row.name, _real(row.value),
                          s.mean if math.isnan(row.mean) else row.mean, _real(s.mode), s.lower,
                          s.upper, True)
        i = iv_credible()
        _call(_lib.iv_posterior_interval, byref(i), row.posterior, self.confidence, self.kind)
        return Metric(row.system, row.name, _real(row.value),
                      _lib.iv_posterior_mean(row.posterior),
                      _real(_lib.iv_posterior_mode(row.posterior)), i.lower, i.upper, False)

    def difference(self, a, b) -> MetricDifference:
        if a.draws is None:
            gap = iv_posterior_gap()
            _call(_lib.iv_posterior_compare, byref(gap), a.posterior, b.posterior,
                  self.confidence)
            return MetricDifference(a.system, b.system, a.name, gap.greater, gap.mean,
                                    gap.lower, gap.upper, False)
        gaps = [x - y for x, y in zip(a.draws, b.draws)]
        more = sum(1.0 if g > 0.0 else 0.5 if g == 0.0 else 0.0 for g in gaps)
        s = self.summary(gaps, 0)
        mean = a.mean - b.mean
        return MetricDifference(a.system, b.system, a.name, more / len(gaps),
                                s.mean if math.isnan(mean) else mean, s.lower, s.upper, True)


def prf(counts, *, prior: Union[float, Tuple[float, float]] = 0.5,
        beta: Union[float, Sequence[float]] = (), interval: str = "equal",
        confidence: float = 0.95, draws: int = 100000, seed: int = 1, threads: int = 0,
        earlier: Optional[Sequence[int]] = None) -> List[Metric]:
    """Precision, recall, F and their kin as distributions: `intervale prf`.

    counts is (TP, FP, FN) or (TP, FP, FN, TN) of one system, or a mapping from
    systems to such; a system's value may be a mapping from categories, which
    are then averaged too (micro and macro).  Where all counts have TN come
    specificity, accuracy, balanced accuracy and MCC; if some lack it, it is
    left out of all.

    prior is added to the counts, a number to all, a pair to those that are
    right and those that are wrong.  earlier holds the counts of an earlier
    collection, whose posterior is the prior.  beta asks for F-beta beside F1.
    interval: equal (tails) or hdi (highest density).
    """
    with contextlib.ExitStack() as stack:
        p = _Posteriors(stack, counts, prior, beta, interval, confidence, draws, seed,
                        threads, earlier)
        return [p.tell(row) for row in p.rows]


def prf_compare(counts, *, prior: Union[float, Tuple[float, float]] = 0.5,
                beta: Union[float, Sequence[float]] = (), confidence: float = 0.95,
                draws: int = 100000, seed: int = 1, threads: int = 0,
                earlier: Optional[Sequence[int]] = None) -> List[MetricDifference]:
    """P(a beats b), for systems on different items: `intervale prf --compare`.

    counts as for prf(), of two or more systems.
    """
    with contextlib.ExitStack() as stack:
        p = _Posteriors(stack, counts, prior, beta, "equal", confidence, draws, seed, threads,
                        earlier)
        if len(p.systems) < 2:
            raise BadArgument("a comparison needs two systems; there is one")
        out = []
        for k, a in enumerate(p.systems):
            for b in p.systems[k + 1:]:
                there = {row.name: row for row in p.rows if row.system == b}
                out += [p.difference(row, there[row.name]) for row in p.rows
                        if row.system == a and row.name in there]
        return out


def prf_paired(gold: Sequence, a: Sequence, b: Sequence, *,
               prior: Union[float, Tuple[float, float]] = 0.5,
               confidence: float = 0.95) -> PairedCounts:
    """Who is right more often, on the same items: `intervale prf --paired`.

    gold, a and b hold the labels of the same items, of any kind that can be
    compared.
    """
    _check_options(confidence, 0, 1)
    if not len(gold) == len(a) == len(b) > 0:
        raise BadArgument(f"there are {len(gold)}, {len(a)} and {len(b)} labels, expected as "
                          "many of each, and at least one")
    right, wrong = prior if isinstance(prior, (tuple, list)) else (prior, prior)
    if not (0.0 < right < math.inf and 0.0 < wrong < math.inf):
        raise BadArgument(f"prior is {prior!r}, expected numbers above 0")
    alone = 2.0 * right * wrong / (right + wrong)
    a_only = sum(x == g != y for g, x, y in zip(gold, a, b))
    b_only = sum(y == g != x for g, x, y in zip(gold, a, b))
    agree = len(gold) - a_only - b_only
    cells = iv_paired_cells(a_only + alone, b_only + alone, agree + alone)
    gap = iv_posterior_gap()
    _call(_lib.iv_paired_compare, byref(gap), cells, confidence)
    return PairedCounts(a_only, b_only, agree, _lib.iv_paired_greater(cells),
                        _lib.iv_paired_difference(cells), gap.lower, gap.upper,
                        _lib.iv_paired_log_odds(cells), _lib.iv_mcnemar(a_only, b_only))

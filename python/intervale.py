# SPDX-License-Identifier: Apache-2.0
"""Evaluation with intervals: search engines, classifiers, document reviews.

A thin layer over the shared library libintervale, with nothing but the
standard library.  Its functions ask the library what the commands of the tool
ask it, and get the same answer: the sentence, the notes, the tables, the page.

    >>> import intervale
    >>> found = intervale.evaluate("qrels", ["runA", "runB"], ["AP", "nDCG@10"])
    >>> print(found.sentence)
    >>> for row in found.measures:
    ...     print(row.run, row.measure, row.value, row.lower, row.upper)
    >>> intervale.compare("qrels", ["runA", "runB"]).pairs[0].p
    >>> intervale.recall((2000, 100, 50), (100000, 100, 3)).recall[0].lower
    >>> intervale.prf({"A": (80, 20, 40), "B": (75, 10, 45)}, compare=True)

Every function takes the options of its command (confidence=0.9, seed=7,
threads=1, ...), and what is not given is the library's default: none stands
here.  options("compare") lists their names beside seed, threads and progress.  What does not exist (an interval
of one topic, a precision of 0/0) is None.

What the library refuses raises Error, with the library's own message; the
subclasses are also the built-in exceptions one would expect (ValueError for a
bad argument or file, OSError for a file that cannot be read).  Functions may
be called from many threads.

The library is looked for in the environment variable INTERVALE_LIBRARY (the
file, or the folder that holds it), near this file (the prefix it is installed
under, or a build folder of the source tree), and where the system looks.
"""
from __future__ import annotations

import collections
import ctypes
import operator
import os
import pathlib
import weakref
from ctypes import (POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int,
                    c_int32, c_int64, c_size_t, c_uint64, c_void_p)
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

__all__ = ["BadArgument", "BadFile", "Cancelled", "Error", "FileFailure", "NoData",
           "NotAccurate", "OutOfMemory", "Result", "compare", "compare_scores", "evaluate",
           "options", "overlap", "prf", "prf_paired", "recall", "version"]

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


class Cancelled(Error):
    """A progress function asked to stop."""
    code = -7


_KINDS = {kind.code: kind for kind in Error.__subclasses__()}

# ----------------------------------------------------- the library's structs --
# Fields as the headers in include/intervale have them; tests/python/layout.py
# compares them with what the C compiler says.


class iv_err(Structure):
    _fields_ = [("code", c_int), ("msg", c_char * 340), ("file", c_char * 160),
                ("line", c_uint64)]


class iv_str(Structure):
    _fields_ = [("ptr", c_void_p), ("len", c_size_t)]


class iv_texts(Structure):
    _fields_ = [("at", POINTER(c_char_p)), ("count", c_size_t)]


class iv_reals(Structure):
    _fields_ = [("at", POINTER(c_double)), ("count", c_size_t)]


class iv_integers(Structure):
    _fields_ = [("at", POINTER(c_int64)), ("count", c_size_t)]


_REPORT = ctypes.CFUNCTYPE(c_int, c_void_p, c_double)


class iv_progress(Structure):
    _fields_ = [("report", _REPORT), ("user", c_void_p)]


class iv_work(Structure):
    _fields_ = [("threads", c_int), ("seed", c_uint64), ("progress", iv_progress)]


class iv_column(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("digits", c_int), ("audience", c_int),
                ("about", c_char_p)]


class iv_cell(Structure):
    _fields_ = [("missing", c_bool), ("text", iv_str), ("integer", c_int64), ("real", c_double)]


class iv_report_options(Structure):
    _fields_ = [("format", c_int), ("table", c_char_p), ("width", c_int), ("utf8", c_bool),
                ("colour", c_bool), ("no_notes", c_bool), ("elsewhere", c_char_p)]


class iv_source(Structure):
    _fields_ = [("judgments", c_char_p), ("judgments_format", c_int), ("judged", c_void_p),
                ("runs", iv_texts), ("run_format", c_int), ("ranked", c_void_p),
                ("ranked_count", c_size_t)]


class iv_measure_options(Structure):
    _fields_ = [("dialect", c_int), ("level", c_int32), ("depth", c_size_t),
                ("judged_only", c_bool), ("collection", c_int64), ("as_trec_eval", c_bool)]


class iv_resampling(Structure):
    _fields_ = [("confidence", c_double), ("resamples", c_size_t)]


class iv_evaluating(Structure):
    _fields_ = [("measures", iv_texts), ("measure", iv_measure_options), ("complete", c_bool),
                ("texts", c_bool), ("bounds", c_bool), ("ties", c_bool),
                ("differences", c_bool), ("interval", c_int), ("resampling", iv_resampling),
                ("estimator", c_int), ("unjudged", c_int)]


class iv_eval_question(Structure):
    _fields_ = [("source", iv_source), ("how", iv_evaluating), ("topics", c_bool),
                ("no_summary", c_bool), ("matrix", c_char_p), ("trec", c_void_p)]


class iv_compare_options(Structure):
    _fields_ = [("tests", POINTER(c_int)), ("test_count", c_size_t), ("ties", c_int),
                ("zeros", c_int), ("alternative", c_int), ("correction", c_int),
                ("baselines", POINTER(c_size_t)), ("baseline_count", c_size_t),
                ("interval", c_int), ("margin", c_double),
                ("confidence", c_double), ("resamples", c_size_t), ("permutations", c_size_t)]


class iv_compare_question(Structure):
    _fields_ = [("source", iv_source), ("scoring", iv_evaluating), ("matrix", c_char_p),
                ("by", c_int), ("values", POINTER(c_double)), ("systems", iv_texts),
                ("topics", iv_texts), ("groups", c_char_p), ("baselines", iv_texts),
                ("tests", iv_texts), ("how", iv_compare_options)]


class iv_strata_row(Structure):
    _fields_ = [("name", iv_str), ("size", c_int64), ("sampled", c_int64),
                ("relevant", c_int64), ("line", c_uint64)]


class iv_strata_table(Structure):
    _fields_ = [("rows", POINTER(iv_strata_row)), ("runs", POINTER(iv_str)),
                ("retrieved", POINTER(c_bool)), ("row_count", c_size_t),
                ("run_count", c_size_t), ("path", c_char_p), ("bytes", c_uint64),
                ("ignored", c_char_p)]


class iv_recall_question(Structure):
    _fields_ = [("retrieved", iv_integers), ("unretrieved", iv_integers), ("strata", c_char_p),
                ("runs", c_char_p), ("table", POINTER(iv_strata_table)), ("run", c_char_p),
                ("sample", c_char_p), ("ranking", c_void_p), ("judged", c_void_p),
                ("collection", c_char_p), ("at", iv_integers), ("drawn_at", c_int64),
                ("level", c_int64), ("unsampled", c_int), ("unjudged", c_int),
                ("judgments_format", c_int), ("method", c_int), ("confidence", c_double),
                ("one_sided", c_bool), ("guaranteed", c_bool), ("prior", iv_reals),
                ("target", c_double),
                ("beta", c_double), ("draws", c_int64), ("density", c_bool)]


class iv_prf_counts(Structure):
    _fields_ = [("tp", c_int64), ("fp", c_int64), ("fn", c_int64), ("tn", c_int64)]


class iv_prf_entry(Structure):
    _fields_ = [("system", c_char_p), ("category", c_char_p), ("counts", iv_prf_counts)]


class iv_labels_options(Structure):
    _fields_ = [("positive", c_char_p), ("classes", c_char_p)]


class iv_said(Structure):
    _fields_ = [("name", c_char_p), ("labels", POINTER(c_char_p))]


class iv_prf_input(Structure):
    _fields_ = [("entries", POINTER(iv_prf_entry)), ("entry_count", c_size_t),
                ("counts", iv_texts), ("files", iv_texts), ("labels", c_char_p),
                ("labels_as", iv_labels_options), ("labelled", c_void_p),
                ("prior_counts", iv_texts)]


class iv_prf_options(Structure):
    _fields_ = [("prior", iv_reals), ("beta", iv_reals), ("interval", c_int),
                ("confidence", c_double), ("guaranteed", c_bool), ("draws", c_int64),
                ("compare", c_bool), ("paired", c_bool)]


class iv_prf_question(Structure):
    _fields_ = [("from_", iv_prf_input), ("how", iv_prf_options)]


class iv_overlap_options(Structure):
    _fields_ = [("persistence", c_double), ("ties", c_int), ("top", c_size_t),
                ("depth", c_size_t)]


class iv_overlap_question(Structure):
    _fields_ = [("from_", iv_source), ("how", iv_overlap_options), ("resampling", iv_resampling)]


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


_P, _ERR, _TEXTS = c_void_p, POINTER(iv_err), POINTER(c_char_p)
_declare(c_char_p, "iv_err_text", [c_char_p, _ERR])
_declare(c_int, "iv_result_new", [POINTER(_P), c_char_p, _ERR])
_declare(None, "iv_result_free", "iv_labels_free", [_P])
_declare(None, "iv_result_seed", [_P, c_uint64])
_declare(c_int, "iv_result_status", [_P, _ERR])
_declare(c_char_p, "iv_result_answer_text", "iv_table_name", [_P])
_declare(c_size_t, "iv_result_notes", "iv_result_methods", "iv_result_assumptions",
         "iv_result_references", [POINTER(_TEXTS), _P])
_declare(c_bool, "iv_result_is_legend", [_P, c_size_t])
_declare(c_size_t, "iv_result_tables", "iv_table_rows", [_P])
_declare(_P, "iv_result_table_at", [_P, c_size_t])
_declare(c_size_t, "iv_table_columns", [POINTER(POINTER(iv_column)), _P])
_declare(iv_cell, "iv_table_cell", [_P, c_size_t, c_size_t])
_declare(c_int, "iv_report_write", [_P, _P, POINTER(iv_report_options), _ERR])
_declare(c_bool, "iv_format_find", [POINTER(c_int), c_char_p])
_declare(c_int, "iv_labels_build", [POINTER(_P), _TEXTS, POINTER(iv_said), c_size_t, c_size_t,
                                    POINTER(iv_labels_options), _ERR])
_libc = ctypes.CDLL(None)
_libc.open_memstream.restype, _libc.open_memstream.argtypes = _P, [POINTER(_P), POINTER(c_size_t)]
_libc.fclose.argtypes = _libc.free.argtypes = [_P]

# ----------------------------------------------------------- calling it --

_Path = Union[str, bytes, "os.PathLike[str]"]


def _call(function, *arguments) -> None:
    """Calls what may fail, and raises what the library says."""
    err = iv_err()
    code = function(*arguments, byref(err))
    if code < 0:
        text = ctypes.create_string_buffer(544)  # IV_ERR_TEXT_SIZE
        _lib.iv_err_text(text, byref(err))
        raise _KINDS.get(code, Error)(text.value.decode("utf-8", "replace"))


def _bytes(given: Any) -> bytes:
    return given if isinstance(given, bytes) else os.fsencode(given) \
        if isinstance(given, os.PathLike) else str(given).encode("utf-8", "surrogateescape")


def _decode(text: Optional[bytes]) -> Optional[str]:
    return None if text is None else text.decode("utf-8", "surrogateescape")


def _texts(given: Iterable) -> iv_texts:
    words = [_bytes(x) for x in ([given] if isinstance(given, (str, bytes, os.PathLike))
                                 else given)]
    return iv_texts((c_char_p * len(words))(*words), len(words))


def _whole(what: str, given) -> int:
    try:
        return operator.index(given)
    except TypeError:
        raise BadArgument(f"{what} is {given!r}, expected a whole number") from None


def _index(what: str, given: str, function: str) -> int:
    names_of = getattr(_lib, function)
    names_of.restype, names_of.argtypes = _TEXTS, []
    names, known = names_of(), []
    while names[len(known)] is not None:
        known.append(names[len(known)].decode())
    if given not in known:
        raise BadArgument(f"{what} is {given!r}, expected one of: {', '.join(known)}")
    return known.index(given)


def version() -> str:
    """The version of the library in use."""
    return _lib.iv_version().decode()


# -------------------------------------------------------------- questions --
# The options of each command: where they stand in the library's question, and
# the function that names the values of an enum.  The defaults are the library's.

_ZERO = -1  # IV_ZERO: the number 0, where 0 would be "not given"


def _scoring(how: str) -> Dict[str, Tuple[str, ...]]:
    return {"level": (how + ".measure.level",), "depth": (how + ".measure.depth",),
            "judged_only": (how + ".measure.judged_only",), "complete": (how + ".complete",),
            "compat": (how + ".measure.dialect", "iv_dialect_names"),
            "estimator": (how + ".estimator", "iv_estimator_names"),
            "unjudged": (how + ".unjudged", "iv_unjudged_names"),
            "judgments_format": ("source.judgments_format", "iv_judgments_format_names"),
            "run_format": ("source.run_format", "iv_run_format_names")}


_OPTIONS: Dict[str, Dict[str, Tuple[str, ...]]] = {
    "eval": {**_scoring("how"), "ci": ("how.interval", "iv_interval_names"),
             "confidence": ("how.resampling.confidence",),
             "resamples": ("how.resampling.resamples",), "collection": ("how.measure.collection",),
             "bounds": ("how.bounds",), "ties": ("how.ties",), "per_topic": ("topics",),
             "no_summary": ("no_summary",), "write_matrix": ("matrix",)},
    "compare": {**_scoring("scoring"), "by": ("by", "iv_matrix_rows_names"),
                "groups": ("groups",), "baseline": ("baselines",), "tests": ("tests",),
                "sign_ties": ("how.ties", "iv_sign_ties_names"),
                "zeros": ("how.zeros", "iv_zeros_names"),
                "alternative": ("how.alternative", "iv_alternative_names"),
                "correction": ("how.correction", "iv_correction_names"),
                "ci": ("how.interval", "iv_interval_names"), "margin": ("how.margin",),
                "confidence": ("how.confidence",), "resamples": ("how.resamples",),
                "permutations": ("how.permutations",)},
    "recall": {"runs": ("runs",), "at": ("at",), "drawn_at": ("drawn_at",), "level": ("level",),
               "unsampled": ("unsampled", "iv_unsampled_names"),
               "unjudged": ("unjudged", "iv_unjudged_names"),
               "judgments_format": ("judgments_format", "iv_judgments_format_names"),
               "method": ("method", "iv_recall_method_names"), "confidence": ("confidence",),
               "one_sided": ("one_sided",), "guaranteed": ("guaranteed",), "prior": ("prior",),
               "target": ("target",), "beta": ("beta",), "draws": ("draws",), "density": ("density",)},
    "prf": {"positive": ("from_.labels_as.positive",), "classes": ("from_.labels_as.classes",),
            "prior_counts": ("from_.prior_counts",), "prior": ("how.prior",),
            "beta": ("how.beta",), "interval": ("how.interval", "iv_interval_kind_names"),
            "confidence": ("how.confidence",), "draws": ("how.draws",),
            "compare": ("how.compare",), "paired": ("how.paired",),
            "guaranteed": ("how.guaranteed",)},
    "overlap": {"persistence": ("how.persistence",), "ties": ("how.ties", "iv_rbo_ties_names"),
                "top": ("how.top",), "depth": ("how.depth",),
                "run_format": ("from_.run_format", "iv_run_format_names"),
                "confidence": ("resampling.confidence",), "resamples": ("resampling.resamples",)},
}
_CAN_BE_ZERO = {"level", "margin"}


def options(command: str) -> List[str]:
    """The names of the options that a command takes, beside seed, threads and progress."""
    return sorted(_OPTIONS[command])


def _numbers(name: str, kind, given):
    many = list(given) if isinstance(given, Iterable) else [given]
    if kind is iv_integers:
        return iv_integers((c_int64 * len(many))(*(_whole(name, x) for x in many)), len(many))
    return iv_reals((c_double * len(many))(*many), len(many))


def _value(name: str, kind, given, words: Optional[str]):
    """What a field of that type holds when `given` is asked for."""
    if words is not None:
        return _index(name, str(given), words)
    if kind is iv_texts:
        return _texts(given)
    if kind in (iv_reals, iv_integers):
        return _numbers(name, kind, given)
    if kind is c_char_p:
        return _bytes(given)
    if kind is c_bool:
        return bool(given)
    number = float(given) if kind is c_double else _whole(name, given)
    if number < 0:
        raise BadArgument(f"{name} is {given!r}, expected at least 0")
    if number == 0 and name not in _CAN_BE_ZERO:
        raise BadArgument(f"{name} is {given!r}, expected above 0")
    return number or _ZERO


def _fill(question: Structure, command: str, given: Mapping[str, Any]) -> None:
    known = _OPTIONS[command]
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"{command} has no option {name!r}; it has {', '.join(sorted(known))}")
        if value is None:
            continue
        *way, last = known[name][0].split(".")
        place = question
        for step in way:
            place = getattr(place, step)
        kind = dict(place._fields_)[last]
        words = known[name][1] if len(known[name]) > 1 else None
        setattr(place, last, _value(name, kind, value, words))


# ---------------------------------------------------------------- answers --


def _list(function, result) -> List[str]:
    texts = _TEXTS()
    count = function(byref(texts), result)
    return [_decode(texts[i]) for i in range(count)]


_TEXT, _INTEGER, _FOR_PEOPLE = 0, 1, 2  # of iv_kind and iv_audience


def _cell(cell: iv_cell, kind: int):
    if cell.missing:
        return None
    if kind == _TEXT:
        return _decode(ctypes.string_at(cell.text.ptr, cell.text.len))
    return cell.integer if kind == _INTEGER else cell.real


def _rows(table) -> list:
    """The rows of a table as named tuples; columns that only repeat for people are left out."""
    columns = POINTER(iv_column)()
    count = _lib.iv_table_columns(byref(columns), table)
    kept = [(i, columns[i].kind, columns[i].name.decode()) for i in range(count)
            if columns[i].audience != _FOR_PEOPLE]
    Row = collections.namedtuple("Row", [name for *_, name in kept], rename=True)
    return [Row(*(_cell(_lib.iv_table_cell(table, row, i), kind) for i, kind, _ in kept))
            for row in range(_lib.iv_table_rows(table))]


class Result:
    """What the library answers.

    sentence, notes, methods, assumptions, references are texts; tables holds the
    tables by name, lists of named tuples, each of which is an attribute too
    (result.pairs).  Going through a result goes through its first table.
    """

    def __init__(self, handle):
        self._handle = handle
        self._finalizer = weakref.finalize(self, _lib.iv_result_free, handle)
        self.sentence = _decode(_lib.iv_result_answer_text(handle))
        self.notes = [n for i, n in enumerate(_list(_lib.iv_result_notes, handle))
                      if not _lib.iv_result_is_legend(handle, i)]
        self.methods = _list(_lib.iv_result_methods, handle)
        self.assumptions = _list(_lib.iv_result_assumptions, handle)
        self.references = _list(_lib.iv_result_references, handle)
        self.tables = {}
        for i in range(_lib.iv_result_tables(handle)):
            table = _lib.iv_result_table_at(handle, i)
            self.tables[_lib.iv_table_name(table).decode()] = _rows(table)

    def __getattr__(self, name):
        tables = self.__dict__.get("tables", {})
        if name in tables:
            return tables[name]
        raise AttributeError(f"the result has no table {name!r}; it has {', '.join(tables)}")

    def __iter__(self):
        return iter(next(iter(self.tables.values()), []))

    def __len__(self):
        return len(next(iter(self.tables.values()), []))

    def __repr__(self):
        return f"<intervale.Result: {self.sentence or ', '.join(self.tables)}>"

    def __str__(self):
        return self.to("text")

    def to(self, format: str = "text", table: Optional[str] = None) -> str:
        """The result as the tool writes it: text, tsv, csv, json, markdown, latex, html, vega."""
        how = iv_report_options(table=None if table is None else _bytes(table))
        number = c_int()
        if not _lib.iv_format_find(byref(number), _bytes(format)):
            raise BadArgument(f"there is no format {format!r}")
        how.format = number.value
        room, size = c_void_p(), c_size_t()
        stream = _libc.open_memstream(byref(room), byref(size))
        if not stream:
            raise OutOfMemory("out of memory")
        try:
            _call(_lib.iv_report_write, stream, self._handle, byref(how))
        finally:
            _libc.fclose(stream)
            text = ctypes.string_at(room, size.value)
            _libc.free(room)
        return text.decode("utf-8", "surrogateescape")

    def save(self, path: _Path, format: str = "html", table: Optional[str] = None) -> None:
        """Writes that to a file."""
        pathlib.Path(os.fsdecode(path)).write_text(self.to(format, table), encoding="utf-8",
                                                   errors="surrogateescape", newline="")


def _ask(command: str, question: Structure, given: Dict[str, Any]) -> Result:
    """Fills in the options and asks the library."""
    threads, seed = given.pop("threads", None) or 0, given.pop("seed", None) or 0
    report = given.pop("progress", None)
    if not 0 <= threads <= 10000:
        raise BadArgument(f"threads is {threads!r}, expected 0 (all) or a number of threads")
    if not 0 <= seed < 2 ** 64:
        raise BadArgument(f"seed is {seed!r}, expected a whole number from 0 to 2^64 - 1")
    _fill(question, command, given)
    work = iv_work(threads, seed)
    if report is not None:  # called with the share that is done; True stops the work
        work.progress.report = _REPORT(lambda _, done: int(bool(report(done))))
    answer = getattr(_lib, "iv_answer_" + command)
    answer.restype, answer.argtypes = c_int, [_P, POINTER(type(question)), POINTER(iv_work), _ERR]
    handle = c_void_p()
    _call(_lib.iv_result_new, byref(handle), command.encode())
    try:
        _call(answer, handle, byref(question), byref(work))
        _call(_lib.iv_result_status, handle)
    except BaseException:
        _lib.iv_result_free(handle)
        raise
    return Result(handle)


def evaluate(judgments: _Path, runs, measures=None, **given) -> Result:
    """Every measure of every run, with its interval: `intervale eval`.

    judgments and runs are paths (runs: one or many); measures are names in trec_eval's way
    or ir_measures'.  per_topic=True: its rows are those of topics, too.
    """
    q = iv_eval_question()
    q.source.judgments, q.source.runs = _bytes(judgments), _texts(runs)
    q.how.measures = _texts(measures or [])
    return _ask("eval", q, given)


def compare(judgments: Optional[_Path] = None, runs=(), measures=None, *,
            matrix: Optional[_Path] = None, **given) -> Result:
    """Which runs differ, and by how much: `intervale compare`.

    From judgments and runs, as evaluate() takes them, or from a file of scores (matrix).
    Tables: pairs, runs and more.
    """
    q = iv_compare_question()
    q.scoring.measures = _texts(measures or [])
    if matrix is not None:
        q.matrix = _bytes(matrix)
    else:
        q.source.judgments = None if judgments is None else _bytes(judgments)
        q.source.runs = _texts(runs)
    return _ask("compare", q, given)


def compare_scores(scores: Mapping[str, Mapping[str, float]], *,
                   topics: Optional[Sequence[str]] = None, name=None, **given) -> Result:
    """The same from scores in memory, {run: {topic: score}}; name says what they are."""
    if topics is None:
        topics = list(dict.fromkeys(t for row in scores.values() for t in row))
    nan = float("nan")
    q = iv_compare_question()
    q.values = (c_double * (len(scores) * len(topics) or 1))(
        *(float(row.get(t, nan)) for row in scores.values() for t in topics))
    q.systems, q.topics = _texts(scores), _texts(topics)
    q.scoring.measures = _texts([] if name is None else name)
    return _ask("compare", q, given)


def overlap(runs, **given) -> Result:
    """How alike runs are, without judgments: `intervale overlap`.

    runs are paths, two or more.  Tables: pairs, judging, topics.
    """
    q = iv_overlap_question()
    q.from_.runs = _texts(runs)
    return _ask("overlap", q, given)


def _strata(retrieved, unretrieved) -> iv_strata_table:
    sides = [list(retrieved), list(unretrieved)]
    rows = (iv_strata_row * sum(map(len, sides)))()
    marks = (c_bool * len(rows))(*([True] * len(sides[0]) + [False] * len(sides[1])))
    names = [ctypes.create_string_buffer(str(i + 1).encode()) for i in range(len(rows))]
    for row, name, counts in zip(rows, names, sides[0] + sides[1]):
        row.name = iv_str(ctypes.addressof(name), len(name.value))
        row.size, row.sampled, row.relevant = (_whole("a count", k) for k in counts)
    run = ctypes.create_string_buffer(b"review")
    runs = (iv_str * 1)(iv_str(ctypes.addressof(run), len(run.value)))
    table = iv_strata_table(rows, runs, marks, len(rows), 1)
    table.keep = names, run  # as long as the table
    return table


def recall(retrieved=None, unretrieved=None, *, strata: Optional[_Path] = None,
           run: Optional[_Path] = None, sample: Optional[_Path] = None, collection=None,
           **given) -> Result:
    """How complete a search was, and how sure that is: `intervale recall`.

    Each side is (N, n, r): documents, how many of them were sampled, and how many of those
    are relevant; or a list of such strata.  Or strata is a file of them; or run and sample are
    files, and collection the number of documents ("run": those it ranks).  Tables: recall,
    measures, yield, data.
    """
    q = iv_recall_question()
    if retrieved is not None and any(isinstance(x, Iterable) for x in retrieved):
        q.table = ctypes.pointer(_strata(retrieved, unretrieved))
    elif retrieved is not None or unretrieved is not None:
        q.retrieved = _numbers("retrieved", iv_integers, retrieved or ())
        q.unretrieved = _numbers("unretrieved", iv_integers, unretrieved or ())
    for field, value in (("strata", strata), ("run", run), ("sample", sample),
                         ("collection", collection)):
        if value is not None:
            setattr(q, field, _bytes(value))
    return _ask("recall", q, given)


def _counts(what, given) -> iv_prf_counts:
    numbers = [_whole(f"a count of {what}", k) for k in given]
    if len(numbers) not in (3, 4):
        raise BadArgument(f"counts are {given!r}, expected TP, FP, FN and perhaps TN")
    return iv_prf_counts(*numbers, *([-1] if len(numbers) == 3 else []))


def prf(counts=None, *, labels: Optional[_Path] = None, **given) -> Result:
    """Precision, recall, F and their kin as distributions: `intervale prf`.

    counts is (TP, FP, FN) or (TP, FP, FN, TN) of one system, or a mapping from systems to
    such; a system's value may be a mapping from categories, which are then averaged too.  Or
    labels is a file of labels.  compare=True compares systems on different items, paired=True
    on the same ones.  Tables: metrics, comparison, ...
    """
    q = iv_prf_question()
    if counts is not None:
        systems = counts if isinstance(counts, Mapping) else {"system": counts}
        flat = [(_bytes(s), None if c is None else _bytes(c), _counts(s, k))
                for s, of in systems.items()
                for c, k in (of if isinstance(of, Mapping) else {None: of}).items()]
        q.from_.entries = (iv_prf_entry * (len(flat) or 1))(*(iv_prf_entry(*x) for x in flat))
        q.from_.entry_count = len(flat)
    if labels is not None:
        q.from_.labels = _bytes(labels)
    return _ask("prf", q, given)


def prf_paired(gold: Sequence, systems: Mapping[str, Sequence], *, positive=None, classes=None,
               **given) -> Result:
    """The same from labels in memory, of systems on the same items: `intervale prf --paired`."""
    items = len(gold)
    said = (iv_said * (len(systems) or 1))()
    for place, (name, labels) in zip(said, systems.items()):
        if len(labels) != items:
            raise BadArgument(f"{name} has {len(labels)} labels, and gold {items}")
        place.name, place.labels = _bytes(name), _texts(map(str, labels)).at
    how = iv_labels_options(None if positive is None else _bytes(positive),
                            None if classes is None else _bytes(classes))
    made = c_void_p()
    _call(_lib.iv_labels_build, byref(made), _texts(map(str, gold)).at, said, len(systems), items,
          byref(how))
    try:
        q = iv_prf_question()
        q.from_.labelled = made
        given.setdefault("paired", True)
        return _ask("prf", q, given)
    finally:
        _lib.iv_labels_free(made)

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
    >>> intervale.compare("qrels", ["runA", "runB"]).pairs[0].p_adjusted
    >>> intervale.recall((2000, 100, 50), (100000, 100, 3)).recall[0].lower
    >>> intervale.prf({"A": (80, 20, 40), "B": (75, 10, 45)}, compare=True)

Judgments and runs are files, or what is in memory: dictionaries of dictionaries
as pytrec_eval has them, ir_measures' records, data frames of pandas, polars or
Arrow with the columns of ir_measures or PyTerrier, ranx' Qrels and Run.

Every function takes the options of its command by name (confidence=0.9,
correct="holm", judgments_format="prels", seed=7, threads=1).  The defaults are
those of the command.  options(intervale.compare) explains each option.  progress is a
function that gets the proportion of the work that is done; it stops the work by
returning True.  progress=False shows nothing.  Values that do not exist (an interval of
one topic, a precision of 0/0) are None.

Errors are of the class Error; its subclasses are also Python's own exceptions (ValueError
for a bad argument or file, OSError for a file that cannot be read).  Functions may
be called from many threads and in forked processes.

The library is looked for in the environment variable INTERVALE_LIBRARY (the
file, or the folder that holds it), beside this file, near it (the prefix it is
installed under, or a build folder of the source tree), and where the system looks.
"""
from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Mapping, Sequence
from ctypes import (POINTER, Structure, byref, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t,
                    c_uint64, c_void_p)

from . import _memory, _progress, _scores
from ._base import (BadArgument, BadFile, Cancelled, Error, FileFailure, NoData, NotAccurate,
                    OutOfMemory, _bytes, _call, _declare, _ERR, _index, _lib, _P, _path, _patiently,
                    _shown, _texts, _whole, _with_hint, _words, iv_integers, iv_reals, iv_str, iv_texts,
                    iv_work)
from ._evaluator import RelevanceEvaluator
from ._questions import (COMMANDS, iv_labels_options, iv_prf_counts, iv_prf_entry,
                         iv_strata_row, iv_strata_table)
from ._result import Result, Table, _Memory
from ._scores import names_of
from ._signature import explain

TYPE_CHECKING = False  # what only annotations name is not imported: an import takes time
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional

    from ._base import _Path

__all__ = ["BadArgument", "BadFile", "Cancelled", "Error", "FileFailure", "NoData",
           "NotAccurate", "OutOfMemory", "RelevanceEvaluator", "Result", "Table", "agree",
           "check", "classify", "compare", "compare_scores", "evaluate", "evaluate_scores", "incomplete",
           "measures", "next", "options", "overlap", "plan_cost", "plan_elusion", "plan_looks",
           "plan_machine", "plan_pilot", "plan_power", "plan_recall", "plan_sample",
           "plan_gate", "plan_topics", "pool", "prefer", "prf", "prf_paired", "recall", "roc", "sample", "simulate", "sort",
           "version", "watch"]

_declare(c_int, "iv_labels_parse", [POINTER(_P), c_char_p, c_char_p, c_size_t,
                                    POINTER(iv_labels_options), _ERR])
_declare(c_int, "iv_labels_load", [POINTER(_P), c_char_p, POINTER(iv_labels_options),
                                   POINTER(iv_work), _ERR])
_declare(c_int, "iv_csv_parse", [POINTER(_P), c_char_p, c_char_p, c_size_t, _ERR])


def version() -> str:
    """The version of the library in use."""
    return _lib.iv_version().decode()


__version__ = version()

# -------------------------------------------------------------- questions --

_ZERO = -1  # IV_ZERO: the number 0, where 0 would be "not given"


def _command_of(function: str) -> str:
    """The command of a function."""
    return {"evaluate": "eval", "evaluate_scores": "eval", "compare_scores": "compare",
            "prf_paired": "prf"}.get(function, function.replace("_", " "))


class _Options(dict):
    """Options and what each is, a line each."""

    def __repr__(self):
        return "\n".join(f"{name}: {about}" for name, about in self.items())


def options(command) -> Dict[str, str]:
    """The options that a function (evaluate, or "evaluate") or a command of the tool ("eval",
    "plan recall") takes, by name, and what each is, beside seed, threads and progress."""
    command = _command_of(str(getattr(command, "__name__", command)))
    if command not in COMMANDS:
        raise BadArgument(f"there is no command {command!r}, expected one of: "
                          f"{', '.join(COMMANDS)}")
    return _Options((name, about if words is None else f"{about}: {', '.join(_words(words))}")
                    for name, (_, words, _, about) in sorted(COMMANDS[command][1].items()))


def _numbers(name: str, kind, given):
    many = list(given) if isinstance(given, Iterable) else [given]
    if kind is iv_integers:
        return iv_integers((c_int64 * len(many))(*(_whole(name, x) for x in many)), len(many))
    try:
        return iv_reals((c_double * len(many))(*many), len(many))
    except (TypeError, OverflowError):
        raise BadArgument(f"{name} is {_shown(given)}, expected numbers") from None


def _value(name: str, kind, given, words: Optional[str], zero: bool):
    """What a field of that type holds when `given` is asked for."""
    if words is not None:
        return _index(name, str(given), words)
    if kind is iv_texts:
        return _texts([f"{k}={v}" for k, v in given.items()] if isinstance(given, Mapping) else given, name)
    if kind in (iv_reals, iv_integers):
        return _numbers(name, kind, given)
    if kind is c_char_p:
        return _bytes(given, name)
    if kind is c_bool:
        return bool(given)
    try:
        number = float(given) if kind is c_double else _whole(name, given, kind)
    except BadArgument:
        raise
    except (TypeError, ValueError, OverflowError):
        raise BadArgument(f"{name} is {_shown(given)}, expected a number") from None
    if number < 0:
        raise BadArgument(f"{name} is {given!r}, expected at least 0")
    if number == 0 and not zero:
        raise BadArgument(f"{name} is {given!r}, expected above 0")
    return number or _ZERO


def _fill(question: Structure, command: str, given: Mapping[str, Any]) -> None:
    known = COMMANDS[command][1]
    for name, value in given.items():
        if name == "confidence" and name not in known and "alpha" in known and value is not None:
            name, value = "alpha", 1 - value  # a plan's level is that of a test
        if name not in known:
            import difflib
            meant = "".join(f" (did you mean {m!r}?)" for m in difflib.get_close_matches(name, known, 1))
            function = {"eval": "evaluate"}.get(command, command.replace(" ", "_"))
            raise TypeError(f"{function}() has no option {name!r}{meant}; intervale.options({function!r}) "
                            "lists them")
        if value is None:
            continue
        path, words, zero, _ = known[name]
        *way, last = path.split(".")
        place = question
        for step in way:
            place = getattr(place, step)
        setattr(place, last, _value(name, dict(place._fields_)[last], value, words, zero))


def _refuse_both(**given) -> None:
    """Refuses arguments of which only one would be used."""
    names = [f"{n}=" for n, x in given.items() if x is not None and not (
        isinstance(x, (list, tuple)) and len(x) == 0)]
    if len(names) > 1:
        raise BadArgument(f"{names[0]} cannot be used with {names[1]}")


_WRITTEN = {"eval": ("matrix", "write_scores"), "next": ("write",), "sort": ("sorted",)}


def _paths(place: Structure) -> Iterable:
    """Every text of a question, by its field: any may be a file that is read."""
    for name, kind in place._fields_:
        value = getattr(place, name)
        if kind is c_char_p and value:
            yield name, value
        elif kind is iv_texts:
            yield from ((name, value.at[i]) for i in range(value.count))
        elif isinstance(value, Structure):
            yield from _paths(value)


def _refuse_to_replace(command: str, question: Structure, held) -> None:
    """As the tool: what is written is no file that is read."""
    written = _WRITTEN.get(command, ())
    for name in written:
        place = getattr(question, name)
        if not place or place == b"-" or not os.path.isfile(place):
            continue
        read = [p for field, p in _paths(question) if field not in written]
        read += [h.path for h in held or () if getattr(h, "path", None) is not None]
        if any(os.path.exists(p) and os.path.samefile(p, place) for p in read):
            raise BadArgument(f"{os.fsdecode(place)} would be replaced, and it is a file that is "
                              "read; expected another")


def _ask(command: str, question: Structure, given: Dict[str, Any], partly: bool = False,
         held: Optional[list] = None, folder=None) -> Result:
    """Fills in the options and asks the library.  partly: what could be found is told,
    though something could not.  held: what must live until the answer.  folder: of files that
    were made, whose places nobody is told."""
    threads = _whole("threads", given.pop("threads", None) or 0, c_int)
    seed = given.pop("seed", None)
    if seed is not None and not isinstance(seed, bool) and seed == 0:
        raise BadArgument("seed is 0, expected 1 or more")
    seed = _whole("seed", seed or 0, c_uint64)
    report = given.pop("progress", None)
    if threads > 10000:
        raise BadArgument(f"threads is {threads!r}, expected 0 (all) or at most 10000")
    _fill(question, command, given)
    _refuse_to_replace(command, question, held)
    shown = None
    if report is True or (report is None and _progress.watched()):
        report = shown = _progress.Progress(command)
    answer = getattr(_lib, "iv_answer_" + command.replace(" ", "_"))
    handle = c_void_p()
    _call(_lib.iv_result_new, byref(handle), command.encode())
    failed = None
    try:
        try:
            _patiently(answer, handle, byref(question), progress=report or None, threads=threads,
                       seed=seed)
        except Error as error:
            _with_hint(error, COMMANDS[command][1])
            for made in [h for h in held or () if hasattr(h, "named")]:
                error.args = (made.named(str(error)), *error.args[1:])
            if not partly or _lib.iv_result_tables(handle) == 0:
                raise
            failed = error
        _call(_lib.iv_result_status, handle)
    except BaseException:
        _lib.iv_result_free(handle)
        raise
    finally:
        if shown is not None:
            shown.close()
    result = Result(handle, [h.path for h in held or () if getattr(h, "path", None) is not None])
    result.failed = failed
    for made in [folder] if folder is not None else [h for h in held or () if hasattr(h, "named")]:
        result._name_inputs(made.named)
    return result


def _source(place: Structure, judgments: Any, runs: Any, given=None) -> list:
    """Puts judgments and runs there; what is returned must live until the answer."""
    held: list = []
    if given and given.get("machine") is not None:
        given["machine"] = _labels_as_files(given["machine"], held)
    if _memory.is_path(judgments):
        place.judgments = _path("judgments", judgments)
    elif judgments is not None:
        groups = (given or {}).get("judgments_format") == "groups"
        held.append(_memory.judgments(judgments, groups))
        if groups:
            del given["judgments_format"]  # it is what they are
        place.judged = held[-1].made
    many = _memory.many(runs)
    if all(_memory.is_path(run) for _, run in many):
        place.runs = _texts((_path("runs", run) for _, run in many), "runs")
        return held
    array, ranked = _ranked(many)
    place.ranked, place.ranked_count = array, len(ranked)
    return [*held, *ranked]


def _labels_as_files(labels, held: list, name: str = "machine") -> list:
    """Labels as the library reads them: files, made of what is in memory."""
    if _memory.is_path(labels) or _memory.is_columns(labels):
        labels = [labels]
    folder = _memory.Folder().__enter__()
    held.append(folder)  # whose files end with it
    return [x if _memory.is_path(x) else folder.file(f"{name}{i + 1}", _memory.judgments_text(x, name))
            for i, x in enumerate(labels)]


def _ranked(many):
    """Runs of the library's own, as one array, and what keeps them."""
    ranked = []
    for name, run in many:
        if _memory.is_path(run):
            made = c_void_p()
            _call(_lib.iv_run_load, byref(made), _path("runs", run), 0, None)
            ranked.append(_memory.Held(made, "iv_run_free", run))
        else:
            ranked.append(_memory.run(run, name))
    array = (c_void_p * len(ranked))(*(r.made for r in ranked))
    if ranked:
        ranked[0].array = array  # as long as they
    return ctypes.cast(array, c_void_p), ranked


_declare(c_int, "iv_run_load", [POINTER(_P), c_char_p, c_int, POINTER(iv_work), _ERR])
for _command, (_kind, _) in COMMANDS.items():
    _declare(c_int, "iv_answer_" + _command.replace(" ", "_"),
             [_P, POINTER(_kind), POINTER(iv_work), _ERR])

# --------------------------------------------------------------- commands --


def evaluate(judgments, runs, measures=None, **given) -> Result:
    """Every measure of every run, with its interval: `intervale eval`.

    measures are names of trec_eval or ir_measures, or objects of ir_measures.
    Judged topics that a run misses are excluded from its means; complete=True counts them as 0, as
    the provider of ir_measures does.  Tables: measures, topics.
    """
    q = COMMANDS["eval"][0]()
    held = _source(q.source, judgments, runs, given)
    given["measure"] = names_of(measures, given.get("measure"))
    return _ask("eval", q, given, held=held)


def compare(judgments=None, runs=(), measures=None, *, matrix: Optional[_Path] = None,
            **given) -> Result:
    """Which runs differ, and by how much: `intervale compare`.

    From judgments and runs, as evaluate() takes them, or from the frame of PyTerrier's
    Experiment(perquery=True) alone; matrix is a file of scores.  Tables: pairs, runs, topics, paper.
    """
    if matrix is None and not _memory.is_frame(runs) and not _memory.many(runs):
        if not _memory.is_frame(judgments):
            raise BadArgument("no runs were given; compare_scores() compares scores")
        return compare_scores(judgments, measures, **given)
    q = COMMANDS["compare"][0]()
    held = None
    _refuse_both(matrix=matrix, judgments=judgments)
    if matrix is not None:
        held = _scores.take_records(q, _path("matrix", matrix), given)
    else:
        held = _source(q.source, judgments, runs, given)
    given["measure"] = names_of(measures, given.get("measure"))
    return _ask_gate("compare", q, given, held)


def evaluate_scores(scores, measures=None, *, score=None, human: Optional[str] = None,
                    **given) -> Result:
    """Means of scores of any kind with their intervals: `intervale eval --scores`.

    A file or several, of any format that doc/formats.md names, or parts that
    evaluate(write_scores=...) wrote; or columns,
    {"system": [...], "item": [...], "score": [...]} and perhaps measure, repeat, cluster,
    set, weight, or a data frame of them; columns={"score": "acc"} says which is what.
    score is the column of a judge's scores (several: of judges), human that of labels by people, empty where nobody
    looked; human_design says how people chose.
    Tables: measures, errors, sets, variance.
    """
    q = COMMANDS["eval"][0]()
    _scores.take_roles(given, score=score, human=human)
    held = _scores.take_records(q, _scores.as_table(scores), given)
    given["measure"] = names_of(measures, given.get("measure"))
    return _ask("eval", q, given, held=held)


def compare_scores(scores, measures=None, *, systems: Optional[Sequence[str]] = None,
                   topics: Optional[Sequence[str]] = None, name=None, score=None,
                   human: Optional[str] = None, **given) -> Result:
    """Which systems differ, from scores of any kind: `intervale compare --scores`.

    scores are {system: {topic: score}}, a matrix of systems x topics (systems= and topics= name them), a
    long table with the columns system, topic and score, a wide table with a column for each
    system (and perhaps topic), or files or columns as evaluate_scores() takes them, with measures,
    repeats, clusters and sets.  measures says which to compare; name is what a score is called.
    score is the column of a judge's scores (several: of judges), human that of labels by people (human_design).
    """
    q = COMMANDS["compare"][0]()
    _scores.take_roles(given, score=score, human=human)
    return _ask_gate("compare", q, given, _take_scores(q, scores, systems, topics, given, measures, name))


def watch(scores, measures=None, **given) -> Result:
    """Has a system that is evaluated every night become worse than a baseline: `intervale watch`.

    scores are files, one a night, or columns as evaluate_scores() takes them, with a column date (or
    night, day) unless each night is a system.  Tables: tonight, nights.
    """
    q = COMMANDS["watch"][0]()
    given["measure"] = names_of(measures, given.get("measure"))
    return _ask("watch", q, given, held=_scores.take_nights(q, scores, given))


def _ask_gate(command: str, q: Structure, given: Dict[str, Any], held: Optional[list]) -> Result:
    """_ask(), where each way of a gate is one."""
    if given.get("gate_on_worse") or given.get("gate_sets"):
        given.setdefault("gate", True)
    return _ask(command, q, given, held=held)


def _take_scores(q, scores, systems, topics, given, measures, name=None):
    """Scores of any kind into a question; returns what must live until the answer."""
    given["measure"] = names_of(measures, given.get("measure"))
    scores = _scores.as_table(scores)
    if _scores.is_records(scores, given.get("columns"), given["measure"]):
        for of, names in (("systems", systems), ("topics", topics)):
            if names is not None:
                raise BadArgument(f"{of}= cannot be used with scores that name them")
        if name is not None:
            given["columns"] = _scores.named(given.get("columns"), name)
        return _scores.take_records(q, scores, given)
    if given.get("columns") is not None:
        raise BadArgument(f"columns is {_shown(given['columns'])}, and the scores have no columns; "
                          "expected files or a table")
    if given["measure"] is not None:
        raise BadArgument(f"measures is {_shown(given['measure'])}, and the scores have no measures; "
                          "name= names them")
    given["measure"] = names_of(name)
    _scores.take_grid(q, *_scores.grid(scores, systems, topics))
    return None


def overlap(runs, **given) -> Result:
    """How alike runs are, without judgments: `intervale overlap`.

    Tables: pairs, topics.
    """
    return _ask_of_runs("overlap", None, runs, given)


def _order_of(result: Result, by_topic: bool):
    """The scores of a result, on each topic or their means."""
    name = "measures" if "measures" in result.tables else "runs"
    if name not in result.tables:
        raise BadArgument("orders has a result without means of runs, expected one of evaluate() or compare()")
    measures = sorted({row.measure for row in result.table(name)})
    if len(measures) != 1:
        raise BadArgument(f"orders has a result of {', '.join(measures)}, expected one measure")
    if not by_topic:
        return {row.run: row.value if name == "measures" else row.mean for row in result.table(name)}
    scores: Dict[str, Any] = {}
    for row in result.topics:
        scores.setdefault(row.run, {})[row.topic] = row.value
    return scores


def _order_text(given, by_topics: bool) -> bytes:
    """Scores in memory as the text of a file of scores."""
    if isinstance(given, Mapping) and not any(isinstance(v, Mapping) for v in given.values()):
        given = {name: {"score": value} for name, value in given.items()}  # one of each system
    if not _memory.is_columns(given) and not (isinstance(given, Iterable) and all(
            isinstance(row, Iterable) and not isinstance(row, (str, bytes)) for row in given)):
        raise BadArgument(f"orders is {_shown(given)}, expected a path or scores")
    rows, systems, topics = _scores.grid(given)
    names, heads = (topics, systems) if by_topics else (systems, topics)
    rows = list(zip(*rows)) if by_topics else rows
    return _memory.table_text({"": names, **{h: [row[k] for row in rows] for k, h in
                                             enumerate(map(str, heads))}})


def agree(judgments=None, runs=(), *, orders: Sequence = (), labels=(), assessors=None,
          other=None, reproduced=None, scores=None, score=None, human: Optional[str] = None,
          **given) -> Result:
    """Do judges agree, do two sets of scores order systems alike: `intervale agree`.

    assessors: a table with the columns item, assessor, label (topic, stratum, retrieved).
    Tables: alpha, assessors, kappas, majority.

    scores: a table as compare_scores() takes it, by judges: score is their columns, human that of
    labels by people.  Tables: bias, agreement, groups.

    Judgments, the reference, and labels of judges (runs are ordered by each).  Tables: judges,
    confusion, calibration.

    Judgments and runs with other (judgments), reproduced (the runs made again, by their names or the
    tags of files if both have the same, else in their order) or other_measure; or orders, two sets of scores as
    compare_scores() takes them, or two results of one measure each: Kendall's tau of their rankings.
    Tables: orders, systems, pairs, effects.

    Each is a file or in memory, as evaluate() takes judgments and runs; labels are {judge: them}.
    """
    q = COMMANDS["agree"][0]()
    held: list = []
    if scores is not None:
        _refuse_both(scores=scores, orders=orders, labels=labels)
        _refuse_both(scores=scores, judgments=judgments, assessors=assessors)
        _scores.take_roles(given, score=score, human=human)
        held = _scores.take_records(q, _scores.as_table(scores), given)
        return _ask("agree", q, given, held=held)
    _refuse_both(assessors=assessors, orders=orders, labels=labels)
    _refuse_both(assessors=assessors, orders=orders, judgments=judgments)
    _refuse_both(orders=orders, runs=runs)
    with _memory.Folder() as folder:
        spilled = lambda name, x, text: x if _memory.is_path(x) else folder.file(name, text(x))
        if assessors is not None:
            if not _memory.is_columns(assessors) and not _memory.is_path(assessors):
                raise BadArgument(f"assessors is {_shown(assessors)}, expected a path or a table")
            q.assessors = _path("assessors", spilled("assessors", assessors, _memory.table_text))
            held = _source(q.source, None, runs)
        elif len(orders) > 0:
            if len(orders) != 2 or _memory.is_path(orders) or _memory.is_columns(orders):
                raise BadArgument(f"orders is {_shown(orders)}, expected two files or sets of scores")
            by_topic = all("measures" in x.tables for x in orders if isinstance(x, Result))
            orders = [_order_of(x, by_topic) if isinstance(x, Result) else x for x in orders]
            text = lambda x: _order_text(x, given.get("by") == "topics")
            q.a_matrix, q.b_matrix = (_path("orders", spilled(f"orders{i + 1}", x, text))
                                      for i, x in enumerate(orders))
        elif _memory.is_path(labels) or _memory.is_frame(labels) or labels:
            if judgments is None:
                raise BadArgument("judgments is None, expected those that labels are compared with")
            judges = _memory.many(labels, "label")
            q.source.judgments = _path("judgments", spilled(
                "judgments", judgments, lambda x: _memory.judgments_text(x, "judgments")))
            q.beside = _texts(
                [*(spilled(n, x, lambda x, n=n: _memory.judgments_text(x, f"labels {n}")) for n, x in judges),
                 *(spilled(n, x, lambda x, n=n: _memory.run_text(x, n))
                   for n, x in _memory.many(runs))], "labels")
        else:
            held = _source(q.source, judgments, runs)
            if other is not None and not _memory.is_path(other):
                held.append(_memory.judgments(other, where="other"))
                q.other_judged, other = held[-1].made, None
            if reproduced is not None:
                if isinstance(runs, Mapping) and isinstance(reproduced, Mapping) \
                        and set(runs) == set(reproduced):
                    reproduced = {name: reproduced[name] for name in runs}
                many = _memory.many(reproduced, "again")  # no names of runs by chance
                reproduced = [x for _, x in many]
                if not all(map(_memory.is_path, reproduced)):
                    q.again_ranked, ranked = _ranked(many)
                    q.again_ranked_count, reproduced = len(ranked), None
                    held += ranked
        given.update(other=other, reproduced=reproduced)
        return _ask("agree", q, given, held=held, folder=folder)


def _as_columns(what: str, y_true, given) -> Dict[str, Any]:
    """y_true and predictions or scores as scikit-learn has them, an array or {system: array}, as the
    columns of a table; scores of several classes are a matrix, whose columns are the classes sorted."""
    plain = lambda x: x.tolist() if hasattr(x, "tolist") else list(x)
    columns: Dict[str, Any] = {"y_true": plain(y_true)}
    if given is None:
        raise BadArgument(f"y_true is given, and {what} is not; expected both")
    if any(isinstance(cell, (list, tuple)) for cell in columns["y_true"][:1]):
        raise BadArgument("y_true has a row for each item, expected one label")
    many = given if isinstance(given, Mapping) else _memory.columns_of(given) if _memory.is_frame(given) \
        else {"system": given}
    classes = sorted(set(columns["y_true"]), key=lambda c: (str(type(c)), c))
    for name, cells in many.items():
        cells = plain(cells)
        if not (cells and isinstance(cells[0], (list, tuple))):
            columns[str(name)] = cells
        elif len(cells[0]) == 2 == len(classes):  # predict_proba() of two classes
            columns[str(name)] = [row[1] for row in cells]
        elif len(cells[0]) != len(classes):
            raise BadArgument(f"{what} of {name} has {len(cells[0])} columns, and y_true {len(classes)} classes")
        else:
            columns.update({f"{name}_{c}" if len(many) > 1 else f"p_{c}": column
                            for c, column in zip(classes, zip(*cells))})
    columns.setdefault("id", list(range(1, len(columns["y_true"]) + 1)))  # equal rows are items, too
    return columns


def _of_scores(command, table, y_score, y_true, groups, given) -> Result:
    if y_score is not None and y_true is None:
        table, y_true = None, table
    if y_true is not None:
        table = _as_columns("y_score", y_true, y_score)
        _refuse_both(gold=given.get("gold"), y_true=y_true)
        given["gold"] = "y_true"
    return _of_table(command, _with_groups(table, groups, given), given)


def _with_groups(table, groups, given):
    """A table with the columns of groups: names of its own, an array, or {name: array}."""
    if groups is None:
        return table
    _refuse_both(groups=groups, columns=given.get("columns"))
    names = [groups] if isinstance(groups, str) else list(groups)
    if isinstance(groups, Mapping) or not all(isinstance(n, str) for n in names) \
            or not (_memory.is_path(table) or set(names) <= set(_memory.columns_of(table))):
        arrays = groups if isinstance(groups, Mapping) else {"group": groups}
        if _memory.is_path(table):
            raise BadArgument("groups are arrays, and the table is a file; expected names of its columns")
        table = {**_memory.columns_of(table), **{str(n): list(a) for n, a in arrays.items()}}
        names = list(map(str, arrays))
    given["columns"] = [f"group={name}" for name in names]
    return table


def classify(table=None, y_score=None, *, y_true=None, groups=None, **given) -> Result:
    """One page on classifiers: `intervale classify`; its save("page.html") writes it.

    table is a file, a data frame or {name: column}, or y_true and y_score are arrays, as roc() takes
    them.  groups: names of columns, an array, or {name: array}.

    Tables: measures, operating, gaps, groups, cells, pairs, calibration; of labels classes, comparison.
    """
    return _of_scores("classify", table, y_score, y_true, groups, given)


def roc(table=None, y_score=None, *, y_true=None, groups=None, **given) -> Result:
    """How good the scores of classifiers are: `intervale roc`.

    roc(y_true, y_score), also by name, takes arrays as scikit-learn does: scores, or what predict_proba()
    returns; of several systems y_score is {system: array}.

    table is a file, a data frame or {name: column}: gold (or label, truth, y_true, target) and the
    scores of each system; of three classes or more a column for each class (cat, p_cat, or A_cat
    and B_cat of two systems).  groups: names of columns, an array, or {name: array}.

    Tables: measures, pairs, threshold, curves; classes; groups, gaps.
    """
    return _of_scores("roc", table, y_score, y_true, groups, given)


def prefer(votes, **given) -> Result:
    """Which system people, or a judge, prefer: `intervale prefer`.

    votes is a file, a data frame or {name: column}: a, b (or model_a, model_b), winner (a, b, tie or
    the name of a system), perhaps item and judge.  Tables: systems, pairs, position, judges.
    """
    return _of_table("prefer", votes, given)


def _of_table(command, table, given) -> Result:
    """A command whose only input is a file, or a table in memory."""
    if not _memory.is_columns(table):
        return _ask(command, COMMANDS[command][0](file=_path("table", table)), given)
    text, made = _memory.table_text(table), c_void_p()
    _call(_lib.iv_csv_parse, byref(made), b"table", text, len(text))
    try:
        return _ask(command, COMMANDS[command][0](table=made), given)
    finally:
        _lib.iv_csv_free(made)


def incomplete(judgments, runs, **given) -> Result:
    """Which run is better, as far as the judgments go: `intervale incomplete`."""
    return _ask_of_runs("incomplete", judgments, runs, given)


def pool(judgments, runs, measures=None, **given) -> Result:
    """How much each run depends on its own part of the judgments: `intervale pool`.

    measures is one.  groups is a file with the columns run and group.  Table: pool.
    """
    given["measure"] = ",".join(map(os.fsdecode, names_of(measures, given.get("measure")) or [])) or None
    return _ask_of_runs("pool", judgments, runs, given)


def next(judgments, runs, **given) -> Result:  # pylint: disable=redefined-builtin
    """Which judgments would tell the runs apart: `intervale next`."""
    return _ask_of_runs("next", judgments, runs, given)


def sample(runs, *, output: Optional[_Path] = None, judged=None, labels=None, **given) -> Result:
    """Which documents to judge, within a budget: `intervale sample`.

    The file to fill in is the result's form; it is written to output, if that is given.  labels are
    judgments that fill it in, such as those of people; documents without one keep the grade -1.
    """
    held: list = []
    if labels is not None:
        given["labels"], = _labels_as_files([labels], held, "labels")
    with _Memory() as memory:
        result = _ask_of_runs("sample", judged, runs, given, held, form=memory.stream)
    result.form = memory.text.decode("utf-8", "surrogateescape")
    if output is not None:
        with open(os.fsdecode(output), "xb") as file:
            file.write(memory.text)
    return result


def _ask_of_runs(command: str, judgments, runs, given, held=(), **fields) -> Result:
    q = COMMANDS[command][0]()
    held = [*held, *_source(q.from_, judgments, runs)]
    for name, value in fields.items():
        setattr(q, name, value)
    return _ask(command, q, given, held=held)


def plan_recall(**given) -> Result:
    """How many documents to judge for a recall interval: `intervale plan recall`."""
    return _ask("plan recall", COMMANDS["plan recall"][0](), given)


def plan_power(**given) -> Result:
    """Topics, power or the smallest difference, from the other two: `intervale plan power`.

    A difference needs its standard deviation, sd; effect is their ratio.
    """
    return _ask("plan power", COMMANDS["plan power"][0](), given)


def plan_topics(judgments=None, runs=(), measures=None, *, matrix: Optional[_Path] = None,
                **given) -> Result:
    """How many topics are needed to find a difference like that of a pilot: `intervale plan topics`.

    From judgments and runs of the pilot, as evaluate() takes them, or from its scores alone, as
    compare_scores() takes them; matrix is a file of scores.
    """
    q = COMMANDS["plan topics"][0]()
    return _ask("plan topics", q, given, held=_pilot(q, judgments, runs, measures, matrix, given, "plan_power() "
                                                     "plans from a difference and its sd"))


def plan_gate(judgments=None, runs=(), measures=None, *, matrix: Optional[_Path] = None, **given) -> Result:
    """How many items let a gate pass if nothing changed, and which losses it finds: `intervale plan gate`.

    From a pilot, as plan_topics() takes it, or from numbers: rate= or sd=, correlation=.
    """
    q = COMMANDS["plan gate"][0]()
    numbers = judgments is None and matrix is None and ("rate" in given or "sd" in given)
    return _ask("plan gate", q, given, held=None if numbers else _pilot(
        q, judgments, runs, measures, matrix, given, "or rate= or sd="))


def _pilot(q, judgments, runs, measures, matrix, given, otherwise) -> Any:
    """Puts a pilot's judgments and runs, or its scores, into the question; what must be kept meanwhile."""
    _refuse_both(matrix=matrix, judgments=judgments)
    given["measure"] = names_of(measures, given.get("measure"))
    held: Any = None
    judgments = _scores.as_table(judgments)
    if _memory.is_frame(runs) or len(runs) > 0:
        held = _source(q.from_, judgments, runs, given)
    elif judgments is not None and given.pop("scores", None):
        held = _scores.take_records(q, judgments, given)
    elif _memory.is_columns(judgments) or (isinstance(judgments, Iterable) and not (
            _memory.is_path(judgments) or any(map(_memory.is_path, judgments)))):
        if not _scores.is_records(judgments, given.get("columns")):
            judgments = _scores.records(judgments)
        held = _scores.take_records(q, judgments, given)
    elif judgments is None and matrix is None:
        raise BadArgument("judgments is None, expected those of a pilot and its runs, or its scores; " + otherwise)
    else:
        held = _scores.take_records(q, _path("matrix", judgments if matrix is None else matrix), given)
    return held


def plan_cost(pilot: Optional[_Path] = None, **given) -> Result:
    """Many topics with few judgments, or few with many: `intervale plan cost`."""
    q = COMMANDS["plan cost"][0](pilot=None if pilot is None else _path("pilot", pilot))
    return _ask("plan cost", q, given)


def plan_elusion(**given) -> Result:
    """How many documents show that little was missed: `intervale plan elusion`."""
    return _ask("plan elusion", COMMANDS["plan elusion"][0](), given)


def plan_looks(**given) -> Result:
    """How to share the error between looks at unfinished work: `intervale plan looks`."""
    return _ask("plan looks", COMMANDS["plan looks"][0](), given)


def plan_pilot(judgments, runs, **given) -> Result:
    """What a few judged topics say of a whole experiment: `intervale plan pilot`."""
    return _ask_of_runs("plan pilot", judgments, runs, given)


def plan_machine(pilot, runs, *, machine, width: float, **given) -> Result:
    """How many documents people should label beside automatic labels: `intervale plan machine`."""
    q = COMMANDS["plan machine"][0]()
    given.update(machine=machine, width=width)
    held = _source(q.source, pilot, runs, given)
    return _ask("plan machine", q, given, held=held)


def plan_sample(pilot, runs, **given) -> Result:
    """How many documents to judge, when they are sampled: `intervale plan sample`."""
    return _ask_of_runs("plan sample", pilot, runs, given)


def check(files, **given) -> Result:
    """What files are, and what is wrong with them: `intervale check`.

    The result's failed is the error a reader would raise; None: there is none.
    """
    q = COMMANDS["check"][0](files=_texts(files, "files"))
    return _ask("check", q, given, partly=True)


def measures(*names: str, **given) -> Result:
    """Which measures there are: `intervale measures`."""
    return _ask("measures", COMMANDS["measures"][0](names=_texts(names, "a measure")), given)


def simulate(directory: _Path, **given) -> Result:
    """Makes a test collection whose truth is known: `intervale simulate`."""
    return _ask("simulate", COMMANDS["simulate"][0](directory=_path("directory", directory)), given)


def sort(file: _Path, output: _Path, **given) -> Result:
    """The lines of a file by topic, larger than memory: `intervale sort -o output`."""
    q = COMMANDS["sort"][0]()
    q.file, q.sorted = _path("file", file), _path("output", output)
    return _ask("sort", q, given)


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
    q = COMMANDS["recall"][0]()
    for what, side in (("retrieved", retrieved), ("unretrieved", unretrieved)):
        if side is not None and not isinstance(side, Iterable):
            raise BadArgument(f"{what} is {_shown(side)}, expected (N, n, r)")
    if retrieved is not None and any(isinstance(x, Iterable) for x in retrieved):
        q.table = ctypes.pointer(_strata(retrieved, unretrieved))
    elif retrieved is not None or unretrieved is not None:
        q.retrieved = _numbers("retrieved", iv_integers, retrieved or ())
        q.unretrieved = _numbers("unretrieved", iv_integers, unretrieved or ())
    for place, field, value in ((q, "strata", strata), (q.ranked, "run", run),
                                (q.ranked, "sample", sample),
                                (q.ranked, "collection", collection)):
        if value is not None:
            setattr(place, field, _bytes(value, field))
    return _ask("recall", q, given)


def _counts(what, given) -> iv_prf_counts:
    numbers = [_whole(f"a count of {what}", k) for k in given]
    if len(numbers) not in (3, 4):
        raise BadArgument(f"counts are {_shown(given)}, expected TP, FP, FN and perhaps TN")
    return iv_prf_counts(*numbers, *([-1] if len(numbers) == 3 else []))


def _labels_of(labels, given, predictions) -> c_void_p:
    """Labels in memory, read as a file of them is; the options of reading leave `given`."""
    how, made = iv_labels_options(), c_void_p()
    for name in ("positive", "classes", "gold", "threshold"):
        value = given.pop(name, None)
        setattr(how, name, None if value is None else _bytes(value, name))
    system = given.pop("system", None)
    how.systems = _texts([system] if isinstance(system, str) else system or [])
    how.predictions = _texts(predictions or [], "predictions")
    columns = given.pop("columns", None)
    how.columns = _texts([columns] if isinstance(columns, str) else columns or [])
    if _memory.is_path(labels):
        _call(_lib.iv_labels_load, byref(made), _path("labels", labels), byref(how), None,
              options=COMMANDS["prf"][1])
    else:
        text = _memory.table_text(labels)
        _call(_lib.iv_labels_parse, byref(made), b"labels", text, len(text), byref(how),
              options=COMMANDS["prf"][1])
    return made


def _predictions_of(given) -> list:
    """Tables of predictions in memory, and files beside them: of each its name and its columns,
    a system each but for id.  In a mapping of tables they are called by its names."""
    tables = lambda many: all(_memory.is_path(x) or _memory.is_columns(x) for x in many)
    named = isinstance(given, Mapping) and len(given) > 0 and tables(given.values())
    if named:
        many = list(given.items())
    elif _memory.is_columns(given):
        many = [("predictions", given)]
    elif isinstance(given, Iterable) and tables(given := list(given)):
        many = [(os.fsdecode(x) if _memory.is_path(x) else f"predictions{i + 1}", x)
                for i, x in enumerate(given)]
    else:
        raise BadArgument(f"predictions is {_shown(given)}, expected a table with id and a column "
                          "for each system, a list of tables, or {system: table}")
    read = [(str(name), _memory.read_table(x) if _memory.is_path(x) else _memory.columns_of(x))
            for name, x in many]
    all_names = [n for _, columns in read for n in columns]
    made = []
    for name, columns in read:
        systems = [n for n in columns if n not in ("id", "")]
        called = {n: name if named and len(systems) == 1 else
                  f"{name}:{n}" if named or all_names.count(n) > 1 else n for n in systems}
        made.append((name, {called.get(n, n): cells for n, cells in columns.items()}))
    return made


def prf(counts=None, y_pred=None, *, labels=None, predictions=None, y_true=None, groups=None, **given) -> Result:
    """Precision, recall, F and other metrics of classifiers with intervals: `intervale prf`.

    prf(y_true, y_pred), also by name, takes arrays as scikit-learn does; of several systems y_pred is
    {system: array} or a data frame.  report() of the result has the layout of classification_report.

    counts are (TP, FP, FN) or (TP, FP, FN, TN), or {system: counts}; with {system: {category: counts}}
    there are averages over categories, too.

    labels is a file, a data frame or {name: column}: gold (or label, truth, y_true, target) and a column
    for each system.  With predictions, labels has id and gold; predictions is a table with id and
    the systems' columns, a list of tables or {system: table}.  groups: names of columns of labels, an
    array, or {name: array}.

    compare=True compares systems on different items, paired=True on the same items.
    Tables: metrics, comparison, ...
    """
    q = COMMANDS["prf"][0]()
    if y_pred is not None and y_true is None:
        counts, y_true = None, counts
    if y_true is not None:
        _refuse_both(gold=given.get("gold"), y_true=y_true)
        _refuse_both(labels=labels, y_true=y_true)
        labels = _as_columns("y_pred", y_true, y_pred)
        given["gold"] = "y_true"
    if groups is not None and labels is None:
        raise BadArgument("groups needs labels, or y_true and y_pred: counts have no items")
    labels = _with_groups(labels, groups, given)
    if counts is not None:
        systems = counts if isinstance(counts, Mapping) else {"system": counts}
        flat = [(_bytes(s), None if c is None else _bytes(c), _counts(s, k))
                for s, of in systems.items()
                for c, k in (of if isinstance(of, Mapping) else {None: of}).items()]
        q.from_.entries = (iv_prf_entry * (len(flat) or 1))(*(iv_prf_entry(*x) for x in flat))
        q.from_.entry_count = len(flat)
    if labels is None or (_memory.is_path(labels) and _only_paths(predictions)):
        q.from_.labels = None if labels is None else _path("labels", labels)
        return _ask("prf", q, {**given, "predictions": predictions})
    of = predictions.values() if isinstance(predictions, Mapping) else \
        predictions if isinstance(predictions, (list, tuple)) else [predictions]
    read = [x for x in (labels, *of) if _memory.is_path(x)]
    with _memory.Folder() as folder:  # read and joined as files are
        if not _only_paths(predictions):
            predictions = [folder.file(name, _memory.table_text(table))
                           for name, table in _predictions_of(predictions)]
        made = _labels_of(labels, given, predictions)
    held = [_memory.Held(made, "iv_labels_free"), *(_memory.Held(None, "iv_labels_free", x)
                                                    for x in read)]
    q.from_.labelled = ctypes.cast(made, type(q.from_.labelled))
    return _ask("prf", q, given, held=held)


def _only_paths(given) -> bool:
    """Files, or nothing?"""
    return given is None or _memory.is_path(given) or (
        isinstance(given, (list, tuple)) and all(_memory.is_path(x) for x in given))


def prf_paired(gold: Sequence, systems: Mapping[str, Sequence], **given) -> Result:
    """prf(y_true=gold, y_pred=systems, paired=True)."""
    given.setdefault("paired", True)
    return prf(gold, systems, **given)


for _name in __all__:  # help() and completion have every option and an example, by _signature.py
    if hasattr(globals()[_name], "__code__"):
        explain(globals()[_name], _command_of(_name))


def __dir__() -> List[str]:
    return [*__all__, "__doc__", "__name__", "__version__"]

# SPDX-License-Identifier: Apache-2.0
"""Runs, judgments and scores that are in memory, in whatever way.

Dictionaries of dictionaries, data frames of any library, iterables of records: each
becomes columns, whose texts cross into the library in one piece.
"""
from __future__ import annotations

import ctypes
import os
import re
import struct
from array import array
from collections.abc import Iterable, Mapping
from ctypes import POINTER, byref, c_double, c_int, c_int32, c_int64, c_size_t, c_void_p

from ._base import (BadArgument, BY_GROUPS, Error, _bytes, _call, _declare, _encoded, _ERR, _lib,
                    _P, _shown, iv_str, iv_work)
from ._questions import USUAL, iv_judgment_columns, iv_run_columns, iv_text_column

TYPE_CHECKING = False  # what only annotations name is not imported: an import takes time
if TYPE_CHECKING:
    from typing import Any, List, Optional, Tuple

_declare(c_int, "iv_run_build", [POINTER(c_void_p), ctypes.c_char_p, POINTER(iv_run_columns),
                                 POINTER(iv_work), _ERR])
_declare(c_int, "iv_judgments_build", [POINTER(c_void_p), ctypes.c_char_p,
                                       POINTER(iv_judgment_columns), POINTER(iv_work), _ERR])
_declare(c_int, "iv_csv_load", [POINTER(_P), ctypes.c_char_p, POINTER(iv_work), _ERR])
_declare(c_size_t, "iv_csv_columns", "iv_csv_rows", [_P])
_declare(iv_str, "iv_csv_column", [_P, c_size_t])
_declare(iv_str, "iv_csv_cell", [_P, c_size_t, c_size_t])

# Names of columns, as pytrec_eval, ir_measures, PyTerrier, ranx, BEIR and people have
# them; where a frame has several, the first counts (PyTerrier's docid is its own number).
_TOPIC = ("qid", "query_id", "q_id", "query-id", "topic_id", "topic", "queryid")
_DOCNO = ("docno", "doc_id", "corpus-id", "docid", "document_id", "doc", "pid")
_GRADE = ("relevance", "label", "rel", "grade", "score")
_SCORE = ("score",)
_RANK = ("rank",)
_PI = ("pi", "probability", "inclusion_probability")
_GROUP = ("subtopic", "subtopic_id", "group", "intent", "intent_id")
_RUN = ("run", "tag", "system")


def is_path(given: Any) -> bool:
    return isinstance(given, (str, bytes, os.PathLike))


def is_frame(given: Any) -> bool:
    """Is it a table of named columns: of pandas, polars, Arrow?"""
    if type(given).__name__ == "LazyFrame":
        raise BadArgument("a LazyFrame has no rows yet, expected a DataFrame: its collect()")
    return hasattr(given, "column_names") or (hasattr(given, "columns")
                                              and hasattr(given, "__getitem__"))


_INDEX = {*_TOPIC, *_DOCNO, *_RUN, "name", *(name for names in USUAL.values() for name in names)}


def flat(frame):
    """A frame whose rows are called by columns only: an index of pandas that has a usual name is one."""
    known = [n for n in getattr(getattr(frame, "index", None), "names", ()) if n in _INDEX]
    return frame.reset_index(known) if known and not set(known) & set(frame.columns) else frame


def _names(frame) -> List[str]:
    return [str(c) for c in (frame.column_names if hasattr(frame, "column_names")
                             else frame.columns)]


def _cells(frame, name: str) -> list:
    """A column as a list; names may be numbers in the frame."""
    if hasattr(frame, "columns") and not hasattr(frame, "column_names"):
        name = next((c for c in frame.columns if str(c) == name), name)
    column = frame[name]
    for way in ("tolist", "to_list", "to_pylist"):  # of pandas and numpy, polars, Arrow
        if hasattr(column, way):
            return getattr(column, way)()
    return list(column)


def is_columns(given: Any) -> bool:
    """Is it a frame, or {name: column}?"""
    return is_frame(given) or isinstance(given, Mapping)


def joined(given: Any):
    """{name: Series of pandas} as the frame that pandas makes of it, by their index."""
    if isinstance(given, Mapping) and given and all(hasattr(c, "reindex") for c in given.values()):
        import pandas
        return pandas.DataFrame(dict(given))
    return given


def columns_of(given: Any) -> dict:
    """The columns of a frame, or of {name: column}, as lists."""
    given = joined(given)
    if not isinstance(given, Mapping):
        return {n: _cells(given, n) for n in _names(given)}
    for name, column in given.items():
        if isinstance(column, (str, bytes)) or not isinstance(column, Iterable):
            raise BadArgument(f"column {name!r} is {_shown(column)}, expected a list of cells")
    return {str(n): list(column) for n, column in given.items()}


def table_text(given: Any) -> bytes:
    """Named columns as the text of a table; what is not a number or missing is empty."""
    import csv
    import io
    of = columns_of(given)
    names, columns = list(of), list(of.values())
    if len({len(c) for c in columns}) > 1:
        raise BadArgument("columns of " + ", ".join(f"{n} ({len(c)} rows)" for n, c
                                                    in zip(names, columns)) + " differ in length")
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    rows.writerow(names)
    rows.writerows(["" if v is None or v != v else v for v in row] for row in zip(*columns))
    try:
        return out.getvalue().encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        for i, row in enumerate(zip(*columns)):
            for name, cell in zip(names, row):
                _encoded(str(cell), f"{name} of row {i + 1}")
        return _encoded(", ".join(map(str, names)), "the names of columns")


def read_table(path: Any) -> dict:
    """The columns of a file by name."""
    made = c_void_p()
    _call(_lib.iv_csv_load, byref(made), _bytes(path), byref(iv_work(1)))
    try:
        text = lambda s: ctypes.string_at(s.ptr, s.len).decode("utf-8", "surrogateescape")
        return {text(_lib.iv_csv_column(made, k)): [text(_lib.iv_csv_cell(made, i, k)) for i
                                                    in range(_lib.iv_csv_rows(made))]
                for k in range(_lib.iv_csv_columns(made))}
    finally:
        _lib.iv_csv_free(made)


# What names of files cannot have.
_NOT_IN_NAMES = r'[\\/:*?"<>|\x00-\x1f]' if os.name == "nt" else r"[/\0]"


class Folder:
    """Files of what is in memory, for what the library reads from files only: they end with the
    block, and messages have their names alone."""

    def __enter__(self):
        self._place, self._count = None, 0
        return self

    def file(self, name: str, text: bytes) -> str:
        """The path of a new file."""
        if self._place is None:
            import tempfile
            self._place = tempfile.TemporaryDirectory()
        self._count += 1
        folder = os.path.join(self._place.name, str(self._count))
        os.mkdir(folder)
        path = os.path.join(folder, re.sub(_NOT_IN_NAMES, "_", name)[:100])
        with open(path, "wb") as file:
            file.write(text)
        return path

    def named(self, text: str) -> str:
        """A text without the places of these files."""
        if self._place is None:
            return text
        place = r"[\\/]".join(re.escape(part) for part in self._place.name.split(os.sep))
        return re.sub(place + r"[\\/]\d+[\\/]", "", text)

    def __del__(self):
        if self._place is not None:
            self._place.cleanup()
            self._place = None

    def __exit__(self, kind, error, trace):
        if self._place is not None:
            self._place.cleanup()
        if isinstance(error, Error) and self.named(str(error)) != str(error):
            raise kind(self.named(str(error))) from None


def _of_ranx(given):
    """The typed dictionary of ranx' Qrels and Run; None: it is neither."""
    return next((getattr(given, name) for name in ("qrels", "run") if hasattr(given, "to_dict")
                 and hasattr(getattr(given, name, None), "_numba_type_")), None)


def _find(frame, what: str, known: Tuple[str, ...], where: str) -> str:
    names = _names(frame)
    for name in known:
        if name in names:
            return name
    raise BadArgument(f"{where}: no column of {what}s ({', '.join(known)}) among its columns "
                      f"{', '.join(names)}")


def _find_score(frame, where: str) -> Tuple[str, bool]:
    """The column of scores, or of ranks."""
    names = _names(frame)
    like = [n for n in names if "score" in n.lower()]
    if len(like) > 1:
        raise BadArgument(f"{where}: several columns could be the scores: {', '.join(like)}; "
                          "expected one (rename or drop the others)")
    if like:
        return like[0], False
    return _find(frame, "score", _SCORE + _RANK, where), True


def _joined(texts: List[str], what: str, where: str) -> bytes:
    """Texts as one piece, a line each."""
    try:
        return "\n".join(texts).encode("utf-8", "surrogateescape")
    except (TypeError, UnicodeEncodeError):
        pass
    plain = []
    for i, text in enumerate(texts):
        if isinstance(text, str):
            text = _encoded(text, f"{where}: {what} of row {i + 1}")
        elif not isinstance(text, bytes):
            try:
                text = str(text.__index__()).encode()  # a whole number of any kind
            except (AttributeError, TypeError):
                raise BadArgument(f"{where}: {what} {text!r} of row {i + 1}, expected a name"
                                  ) from None
        plain.append(text)
    return b"\n".join(plain)


def _numbers(code: str, values: Iterable, what: str, where: str, locate) -> array:
    """Numbers as an array of C's."""
    values = values if isinstance(values, list) else list(values)
    try:
        return array(code, values)
    except (TypeError, OverflowError, ValueError):
        pass
    made = array(code)
    for i, value in enumerate(values):
        try:
            number = float(value) if not isinstance(value, (str, bytes)) else None
        except (TypeError, ValueError, OverflowError):
            number = None
        if number is None or (code == "i" and not (number == int(number) if number == number
                                                   and abs(number) < 2 ** 31 else False)):
            raise BadArgument(f"{where}: {what} {_shown(value)} of {locate(i)}, expected a "
                              f"{'whole ' if code == 'i' else ''}number")
        made.append(int(number) if code == "i" else number)
    return made


class _Part:
    """Some rows of a frame: a slice, or their numbers."""

    def __init__(self, frame, rows):
        self._frame, self._rows = frame, rows
        self.column_names = [n for n in _names(frame) if n not in _RUN]

    def __getitem__(self, name: str):
        column = self._frame[name]
        if isinstance(self._rows, slice):
            return getattr(column, "iloc", column)[self._rows]
        return column.take(self._rows) if hasattr(column, "take") else [column[i] for i in self._rows]


def _coded(column):
    """Numbers of the names in a column, by first appearance, as a numpy array, and the names; None
    where the column's library has no way to do so, or a name is missing."""
    if hasattr(column, "factorize"):  # pandas
        codes, names = column.factorize()
    elif hasattr(column, "dictionary_encode"):  # Arrow
        coded = column.combine_chunks().dictionary_encode()
        if coded.null_count:
            return None
        codes, names = coded.indices.to_numpy(), coded.dictionary.to_pylist()
    else:
        return None
    return (codes, names) if len(codes) and codes.min() >= 0 else None


def _runs_of(frame) -> dict:
    """The rows of each run as a frame, by the column that says which; none where it does not."""
    column = next((n for n in _RUN if n in _names(frame)), None)
    if column is None:
        return {}
    if hasattr(frame, "partition_by"):  # polars
        return {str(f[column][0]): f for f in frame.partition_by(column, maintain_order=True)}
    coded = _coded(frame[column])
    if coded is not None:
        codes, names = coded
        order = None if (codes[1:] >= codes[:-1]).all() else codes.argsort(kind="stable")
        ends = (codes if order is None else codes[order]).searchsorted(range(len(names)), "right")
        parts = [slice(a, b) for a, b in zip([0, *ends.tolist()], ends.tolist())]
        return {str(name): _Part(frame, part if order is None else order[part])
                for name, part in zip(names, parts)}
    rows: dict = {}
    for i, name in enumerate(_cells(frame, column)):
        rows.setdefault(str(name), []).append(i)
    return {name: _Part(frame, of) for name, of in rows.items()}


class _Rows:
    """The columns of a run or of judgments, taken from whatever it is."""

    def __init__(self, given: Any, kind: str, where: str, groups: bool = False):
        self.where, self.kind, self._by_groups = where, kind, groups
        self.repeats: Optional[array] = None
        self._of, self._docs = None, []  # of a mapping: the mappings of its topics
        self._text: Optional[bytes] = None  # of ranx: the documents, a line each
        self.pi, self.groups, self.iteration = None, None, False
        self.several = dict  # tells the runs that a frame says are in it
        by_topic = None if isinstance(given, Mapping) else _of_ranx(given)
        if by_topic is not None:
            self._from_ranx(by_topic)
        elif isinstance(given, Mapping):
            self._from_mapping(given)
        elif is_frame(given):
            self._from_frame(flat(given))
        elif isinstance(given, Iterable) and not is_path(given):
            self._from_records(list(given))
        else:
            raise BadArgument(f"{where} is {type(given).__name__}, expected a path, a mapping, a "
                              "data frame or records")
        if not self.topics:
            raise BadArgument(f"{where}: no rows, expected at least one")

    @property
    def docs(self) -> list:
        """The document of each row."""
        if self._text is not None:
            self._docs, self._text = self._text.decode("utf-8", "surrogatepass").split("\n"), None
        if self._of is not None:
            self._docs, self._of = [doc for of in self._of for doc in of], None
        return self._docs

    def _what(self) -> Tuple[str, str]:
        return ("d", "score") if self.kind == "run" else ("i", "grade")

    def _locate(self, i: int) -> str:
        """Words for a row, from 0."""
        topic, at = self.topics[i] if self.repeats is None else None, i
        if self.repeats is not None:
            for topic, count in zip(self.topics, self.repeats):
                if at < count:
                    break
                at -= count
        return f"topic {topic!r}, document {self.docs[i]!r}"

    def _from_mapping(self, given: Mapping) -> None:
        rows = []
        for topic, of in given.items():
            if not isinstance(of, Mapping):
                raise BadArgument(f"{self.where}: topic {topic!r} is {type(of).__name__}, "
                                  "expected a mapping from documents to "
                                  f"{self._what()[1]}s")
            if of:
                rows.append((topic, of))
        self.topics, self._of = [topic for topic, _ in rows], [of for _, of in rows]
        self.repeats = array("q", map(len, self._of))
        code, what = self._what()
        try:  # topic by topic, while what it holds is at hand
            self.values = bytearray().join([struct.pack(f"{len(of)}{code}", *of.values())
                                            for of in self._of])
        except (struct.error, OverflowError):
            self.values = _numbers(code, [x for of in self._of for x in of.values()], what,
                                   self.where, self._locate)

    def _from_ranx(self, by_topic) -> None:
        from ._ranx import columns
        topics, self._text, counts, numbers = columns(by_topic)
        self.topics = [topic for topic, count in zip(topics, counts) if count]
        self.repeats = array("q", counts[counts > 0].tolist())
        self.values = numbers if self.kind == "run" else numbers.astype("int32")

    def _joined_docs(self) -> bytes:
        if self._text is not None:
            return self._text
        if self._of is not None:
            try:
                return "\n".join(map("\n".join, self._of)).encode("utf-8", "surrogateescape")
            except (TypeError, UnicodeEncodeError):
                pass
        return _joined(self.docs, "document", self.where)

    def _from_frame(self, frame) -> None:
        topic = _find(frame, "topic", _TOPIC, self.where)
        doc = _find(frame, "document", _DOCNO, self.where)
        self.topics, self._docs = _cells(frame, topic), _cells(frame, doc)
        if self.kind == "run":
            self.several = lambda: _runs_of(frame)
            name, ranks = _find_score(frame, self.where)
            cells = _cells(frame, name)
            self.values = _numbers("d", cells, "score", self.where, self._locate)
            if ranks:
                self.values = array("d", [-x for x in self.values])
            return
        self.values = _numbers("i", _cells(frame, _find(frame, "grade", _GRADE, self.where)),
                               "grade", self.where, self._locate)
        weights = [n for n in _PI if n in _names(frame)]
        known = _GROUP + (("iteration",) if self._by_groups else ())
        groups = [n for n in known if n in _names(frame)]
        self.iteration = "iteration" in _names(frame)
        if groups:
            self.groups = _cells(frame, groups[0])
        elif weights:
            self.pi = _numbers("d", _cells(frame, weights[0]), "probability", self.where,
                               self._locate)

    def _from_records(self, records: list) -> None:
        """Of ir_measures: named tuples, or anything with those attributes."""
        last = "score" if self.kind == "run" else "relevance"
        try:
            self.topics = [r.query_id for r in records]
            self._docs = [r.doc_id for r in records]
            values = [getattr(r, last) for r in records]
            self.iteration = self.kind != "run" and hasattr(records[0], "iteration")
            if self._by_groups and self.kind != "run":
                self.groups = [r.iteration for r in records]
        except AttributeError:
            odd = next((r for r in records if not all(hasattr(r, a) for a in
                                                      ("query_id", "doc_id", last))), None)
            raise BadArgument(f"{self.where}: record {_shown(odd)}, expected the attributes query_id, doc_id "
                              f"and {last}, or a data frame") from None
        self.values = _numbers(self._what()[0], values, self._what()[1], self.where, self._locate)

    def text(self, name: str = "") -> bytes:
        """As the text of a file: a run of that name, scores of documents, or judgments."""
        count = range(len(self.topics) if self.repeats is None else len(self.repeats))
        topics = self.topics if self.repeats is None else [self.topics[i] for i in count
                                                           for _ in range(self.repeats[i])]
        values = array(self._what()[0])
        values.frombytes(bytes(self.values))
        tag = "_".join(name.split())
        lines = []
        for i, (topic, doc, value) in enumerate(zip(map(str, topics), map(str, self.docs), values)):
            for what, word in (("topic", topic), ("document", doc)):
                if len(word.split()) != 1:
                    raise BadArgument(f"{self.where}: {what} {word!r} of row {i + 1}, expected a "
                                      "name without blanks")
            if self.kind == "run":
                lines.append(f"{topic} Q0 {doc} 0 {value!r} {tag}" if tag else f"{topic} {doc} {value!r}")
            elif self.pi is not None:
                lines.append(f"{topic} {doc} {value} 1 {self.pi[i]!r}")
            else:
                lines.append(f"{topic} {self.groups[i] if self.groups is not None else 0} {doc} {value}")
        return _encoded("\n".join(lines) + "\n", self.where)

    def _several_said(self) -> str:
        several = self.several()
        if len(several) < 2:
            return ""
        return (f"; {len(several)} runs are in this frame, which runs= takes alone, or one "
                "frame for each")

    def build(self, name: str):
        """The library's own; the caller frees it."""
        topics = _joined(self.topics, "topic", self.where)
        docs = self._joined_docs()
        count = sum(self.repeats) if self.repeats is not None else len(self.docs)
        values = ((c_double if self.kind == "run" else c_int32) * count).from_buffer(self.values)
        columns = (iv_run_columns if self.kind == "run" else iv_judgment_columns)()
        columns.count = count
        columns.topic = iv_text_column(joined=topics, bytes=len(topics))
        if self.repeats is not None:
            columns.topic.repeats = (c_int64 * len(self.repeats)).from_buffer(self.repeats)
            columns.topic.distinct = len(self.repeats)
        columns.docno = iv_text_column(joined=docs, bytes=len(docs))
        if self.kind == "run":
            columns.score, columns.tag = values, _bytes(name)
        else:
            columns.grade = values
            if self.groups is not None:
                groups = _joined(self.groups, "group", self.where)
                columns.group = iv_text_column(joined=groups, bytes=len(groups))
            if self.pi is not None:
                columns.pi = (c_double * len(self.pi)).from_buffer(self.pi)
        made = c_void_p()
        build = _lib.iv_run_build if self.kind == "run" else _lib.iv_judgments_build
        try:
            _call(build, byref(made), _bytes(self.where), byref(columns), byref(iv_work(1)))
        except BadArgument as error:
            if 0 < error.line <= len(self.docs):
                again = self.iteration and self.groups is None and "is a duplicate of" in str(error)
                raise BadArgument(f"{error} ({self._locate(error.line - 1)})"
                                  + (" unless their iteration is a subtopic" + BY_GROUPS if again
                                     else self._several_said())) from None
            for what, names in (("topic", self.topics), ("document", self.docs)):
                for i, name in enumerate(map(str, names)):
                    if not name or "\n" in name or "\0" in name:
                        where = self._locate(i) if what == "document" else f"row {i + 1}"
                        raise BadArgument(f"{self.where}: {what} {name!r} ({where}), expected a "
                                          "name on one line") from None
            raise
        return made


class Held:
    """Something of the library's that lives as long as this object; path: the file it is from."""

    def __init__(self, made: c_void_p, free: str, path: Any = None):
        self.made, self._free, self.path = made, getattr(_lib, free), path

    def __del__(self):
        if self.made:
            self._free(self.made)
            self.made = None


def run(given: Any, name: str) -> Held:
    """A run in memory."""
    return Held(_Rows(given, "run", f"run {name}" if name else "run").build(name), "iv_run_free")


def of_dataset(given: Any, what: str):
    """The records of a dataset of ir_datasets; anything else as it is."""
    records = getattr(given, what, None)
    return list(records()) if callable(records) else given


def judgments(given: Any, groups: bool = False, where: str = "judgments") -> Held:
    """Judgments in memory.  groups: their iteration is the subtopic."""
    given = of_dataset(given, "qrels_iter")
    return Held(_Rows(given, "judgments", where, groups).build(""), "iv_judgments_free")


def run_text(given: Any, name: str) -> bytes:
    """A run in memory as the text of a file."""
    return _Rows(given, "run", f"run {name}").text(name)


def judgments_text(given: Any, where: str) -> bytes:
    """Judgments in memory, or scores of documents, as the text of a file."""
    given = of_dataset(given, "qrels_iter")
    try:
        return _Rows(given, "judgments", where).text()
    except BadArgument as error:
        try:
            return _Rows(given, "run", where).text()
        except BadArgument:
            raise error from None


def _called(run):
    """The name of a run: of ranx, or in the column of a frame that holds one run."""
    rows = list(_runs_of(flat(run))) if not is_path(run) and is_frame(run) else []
    return rows[0] if len(rows) == 1 else getattr(run, "name", None)


def many(runs: Any, what: str = "run") -> List[Tuple[Optional[str], Any]]:
    """Runs with their names; a path has none, and what has none gets a number."""
    runs = of_dataset(runs, "scoreddocs_iter")
    rows = _runs_of(flat(runs)) if is_frame(runs) else {}
    if rows:  # all of them in one frame
        return list(rows.items())
    if is_path(runs) or is_frame(runs) or hasattr(runs, "to_dict"):
        runs = [runs]
    elif isinstance(runs, Mapping):
        first = next(iter(runs.values()), None)
        of_topics = isinstance(first, Mapping) and not isinstance(
            next(iter(first.values()), None), Mapping)
        if not of_topics:
            return [(str(name), run) for name, run in runs.items()]
        runs = [runs]
    elif isinstance(runs, Iterable):
        runs = list(runs)
        if runs and hasattr(runs[0], "query_id") and not is_frame(runs[0]):
            runs = [runs]
    else:
        raise BadArgument(f"{what}s is {type(runs).__name__}, expected paths, mappings, data frames "
                          "or records")
    names = [_called(r) for r in runs]
    return [(None if is_path(r) else str(n) if isinstance(n, str) and n else f"{what}{i + 1}", r)
            for i, (n, r) in enumerate(zip(names, runs))]

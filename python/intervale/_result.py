# SPDX-License-Identifier: Apache-2.0
"""What the library answers, as Python sees it."""
from __future__ import annotations

import ctypes
import math
import os
import weakref
from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_int, c_int64, c_size_t, c_void_p

from ._base import (BadArgument, OutOfMemory, _bytes, _call, _declare, _decode, _ERR, _in_python, _lib, _P,
                    _path, _TEXTS, _words)
from ._questions import iv_citation, iv_claim, iv_column, iv_input, iv_note, iv_report_options

TYPE_CHECKING = False  # what only annotations name is not imported: an import takes time
if TYPE_CHECKING:
    from typing import Dict, List, Optional

    from ._base import _Path

_declare(c_int, "iv_result_new", [POINTER(_P), c_char_p, _ERR])
_declare(c_int, "iv_result_status", [_P, _ERR])
_declare(c_char_p, "iv_result_answer_text", "iv_table_name", [_P])
_declare(c_int, "iv_result_has_verdict", [POINTER(POINTER(iv_claim)), POINTER(c_size_t), _P])
_declare(c_char_p, "iv_verdict_name", [c_int])
_declare(c_size_t, "iv_result_methods", "iv_result_assumptions", [POINTER(_TEXTS), _P])
_declare(c_size_t, "iv_result_notes", [POINTER(POINTER(iv_note)), _P])
_declare(c_size_t, "iv_result_citations", [POINTER(POINTER(iv_citation)), _P])
_declare(c_char_p, "iv_result_method_text", [_P])
_declare(c_size_t, "iv_result_tables", "iv_table_rows", [_P])
_declare(_P, "iv_result_table_at", [_P, c_size_t])
_declare(c_size_t, "iv_table_columns", [POINTER(POINTER(iv_column)), _P])
_declare(c_int, "iv_report_write", [_P, _P, POINTER(iv_report_options), _ERR])
_declare(c_bool, "iv_format_is_built", [c_int])
_declare(c_size_t, "iv_result_charts", [POINTER(_P), _P])
_declare(c_size_t, "iv_result_inputs", [POINTER(POINTER(iv_input)), _P])
_declare(c_int, "iv_outfile_open", [POINTER(_P), c_char_p, _ERR])
_declare(c_int, "iv_outfile_commit", [_P, _ERR])
_declare(_P, "iv_outfile_stream", [_P])
_declare(None, "iv_outfile_abandon", [_P])
_declare(c_int, "iv_table_arrow", [_P, _P, _ERR])
_declare(_P, "iv_memory_open", [POINTER(_P), POINTER(c_size_t)])
_declare(c_int, "iv_memory_close", [_P, POINTER(_P), _ERR])
_declare(None, "iv_memory_free", [_P])


class _Memory:
    """A stream into memory of the library: `with _Memory() as m`, then m.text."""

    def __enter__(self) -> "_Memory":
        self._room, self._size = c_void_p(), c_size_t()
        self.stream = _lib.iv_memory_open(byref(self._room), byref(self._size))
        if not self.stream:
            raise OutOfMemory("out of memory")
        return self

    def __exit__(self, kind, *rest) -> None:
        try:
            _call(_lib.iv_memory_close, self.stream, byref(self._room))
            self.text = ctypes.string_at(self._room, self._size.value)
        except OutOfMemory:
            if kind is None:
                raise
        finally:
            _lib.iv_memory_free(self._room)

_TEXT, _INTEGER, _FOR_PEOPLE = 0, 1, 2  # of iv_kind and iv_audience

# ------------------------------------------------------------------ arrow --
# The structs of the Arrow C data interface, as its specification has them.


class _ArrowArray(Structure):
    pass


_ArrowArray._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
    ("n_children", c_int64), ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(_ArrowArray))), ("dictionary", c_void_p),
    ("release", ctypes.CFUNCTYPE(None, POINTER(_ArrowArray))), ("private_data", c_void_p)]


class _ArrowStream(Structure):
    pass


_ArrowStream._fields_ = [
    ("get_schema", c_void_p),
    ("get_next", ctypes.CFUNCTYPE(c_int, POINTER(_ArrowStream), POINTER(_ArrowArray))),
    ("get_last_error", c_void_p),
    ("release", ctypes.CFUNCTYPE(None, POINTER(_ArrowStream))), ("private_data", c_void_p)]

_capsule_new = ctypes.pythonapi.PyCapsule_New
_capsule_new.restype, _capsule_new.argtypes = ctypes.py_object, [_P, c_char_p, _P]
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = _P, [_P, c_char_p]
_streams: Dict[int, _ArrowStream] = {}  # handed out and not yet let go


@ctypes.PYFUNCTYPE(None, c_void_p)
def _let_go(capsule):
    """The end of a capsule: releases the stream, unless whoever took it has moved it away."""
    stream = _streams.pop(_capsule_pointer(capsule, b"arrow_array_stream"), None)
    if stream is not None and stream.release:
        stream.release(byref(stream))


def _column(array: _ArrowArray, kind: int) -> list:
    """The cells of a column as Python's values, None where there is none."""
    rows = array.length
    if rows == 0:
        return []
    if kind == _TEXT:
        offsets = (c_int64 * (rows + 1)).from_address(array.buffers[1])[:]
        text = ctypes.string_at(array.buffers[2], offsets[rows])
        cells = [text[a:b].decode("utf-8", "surrogateescape")
                 for a, b in zip(offsets, offsets[1:])]
    else:
        kind_of = c_int64 if kind == _INTEGER else ctypes.c_double
        cells = (kind_of * rows).from_address(array.buffers[1])[:]
    if array.null_count:
        bits = ctypes.string_at(array.buffers[0], rows // 8 + 1)
        cells = [cell if bits[i >> 3] >> (i & 7) & 1 else None for i, cell in enumerate(cells)]
    return cells


# ----------------------------------------------------------------- tables --


_kinds_of_rows: dict = {}


def _row(columns):
    """The named tuple with these columns."""
    if columns not in _kinds_of_rows:
        from collections import namedtuple
        kind = _kinds_of_rows[columns] = namedtuple("Row", columns, rename=True)
        kind.__reduce__ = lambda row: (_remade, (columns, tuple(row)))  # rows may go to other processes
    return _kinds_of_rows[columns]


def _remade(columns, cells):
    return _row(columns)._make(cells)


def _refuse_to_leave(self):
    raise TypeError(f"a {type(self).__name__} stays in its process; expected rows, such as list(found.pairs), or "
                    "found.to('json')")


def _brief(cells) -> List[str]:
    """Cells of a column for people; its numbers have the same digits behind the point."""
    tried = [f"{c:.4g}" for c in cells if isinstance(c, float)]
    way = ".3e" if any("e" in t for t in tried) else \
        f".{max((len(t.partition('.')[2]) for t in tried), default=0)}f"
    texts = ["-" if c is None else format(c, way) if isinstance(c, float) else str(c)
             for c in cells]
    return [t if len(t) <= 30 else t[:27] + "..." for t in texts]


class Table:
    """A table: its rows, in order, are named tuples.

    columns are the names, about says what each of them is.  Whatever speaks Arrow takes
    it as it is (pyarrow.table(t), polars.DataFrame(t)), without a copy cell by cell.
    """

    def __init__(self, handle, owner):
        self._handle, self._owner = handle, owner
        self.name = _lib.iv_table_name(handle).decode()
        found = POINTER(iv_column)()
        count = _lib.iv_table_columns(byref(found), handle)
        kept = [found[i] for i in range(count) if found[i].audience != _FOR_PEOPLE]
        self.columns = [c.name.decode() for c in kept]
        self.about = {c.name.decode(): _decode(c.about) for c in kept}
        stream, array = self._stream(), _ArrowArray()
        stream.get_next(byref(stream), byref(array))
        try:
            cells = [_column(array.children[i].contents, c.kind) for i, c in enumerate(kept)]
        finally:
            array.release(byref(array))
            stream.release(byref(stream))
        self._rows = list(map(_row(tuple(self.columns))._make, zip(*cells)))

    __reduce__ = _refuse_to_leave

    def __len__(self):
        return len(self._rows)

    def __iter__(self):
        return iter(self._rows)

    def __getitem__(self, at):
        """A row by its number, or a column by its name, as a list."""
        if isinstance(at, str):
            if at not in self.columns:
                raise KeyError(f"table {self.name!r} has no column {at!r}; it has {', '.join(self.columns)}")
            place = self.columns.index(at)
            return [row[place] for row in self._rows]
        return self._rows[at]

    def __eq__(self, other):
        return self._rows == (other._rows if isinstance(other, Table) else other)

    def __repr__(self):
        """Its name and size, and the first rows, as many columns as fit a line."""
        shown, width = [], 0
        for i, name in enumerate(self.columns):
            column = [name, *_brief([row[i] for row in self._rows[:5]])]
            wide = max(map(len, column))
            width += wide + 2
            if width > 90 and shown:
                break
            text = any(isinstance(row[i], str) for row in self._rows[:5])
            shown.append([c.ljust(wide) if text else c.rjust(wide) for c in column])
        more = ["..."] * (len(shown) < len(self.columns))
        rows = ["  ".join([*line, *more]).rstrip() for line in zip(*shown)]
        if len(self) > 5:
            rows.append("...")
        return "\n".join([f"<intervale.Table {self.name}: {len(self)} rows x {len(self.columns)} "
                          "columns>", *rows])

    def _stream(self) -> _ArrowStream:
        stream = _ArrowStream()
        _call(_lib.iv_table_arrow, byref(stream), self._handle)
        return stream

    def __arrow_c_stream__(self, requested_schema=None):
        stream = self._stream()
        _streams[ctypes.addressof(stream)] = stream
        return _capsule_new(ctypes.addressof(stream), b"arrow_array_stream",
                            ctypes.cast(_let_go, c_void_p))

    def to_dict(self) -> Dict[str, list]:
        """The columns by name."""
        return {name: [row[i] for row in self] for i, name in enumerate(self.columns)}

    def to_pandas(self):
        """As a pandas.DataFrame."""
        import pandas
        return pandas.DataFrame(self.to_dict(), columns=self.columns)

    def to_polars(self):
        """As a polars.DataFrame."""
        import polars
        return polars.DataFrame(self)

    def to_arrow(self):
        """As a pyarrow.Table."""
        import pyarrow
        return pyarrow.table(self)

    def _repr_html_(self) -> str:
        from ._notebook import table
        return table(self)


# ----------------------------------------------------------------- result --


def _list(function, result) -> List[str]:
    texts = _TEXTS()
    count = function(byref(texts), result)
    return [_decode(texts[i]) for i in range(count)]


_SEVERITIES = ("note", "warning", "error")  # of iv_severity


def _rows(function, kind, handle):
    """The structs that a function lists."""
    rows = POINTER(kind)()
    count = function(byref(rows), handle)
    return [rows[i] for i in range(count)]


def _claims(handle):
    """Each claim as json has it: what is not known is None."""
    rows, count = POINTER(iv_claim)(), c_size_t()
    _lib.iv_result_has_verdict(byref(rows), byref(count), handle)
    kinds, strengths = _words("iv_claim_kind_names"), _words("iv_claim_strength_names")
    found = []
    for c in rows[:count.value]:
        given = {name: getattr(c, name) for name, _ in iv_claim._fields_ if name != "unknown"}
        given.update(text=c.text, verdict=_lib.iv_verdict_name(c.verdict), kind=kinds[c.kind],
                     strength=strengths[c.strength], items=c.items or None)
        found.append({name: _decode(x) if isinstance(x, bytes) else None if isinstance(x, float)
                      and not math.isfinite(x) else x for name, x in given.items()})
    return found


class _Owner:
    """Keeps the library's result for as long as somebody looks at it or at its tables."""

    def __init__(self, handle):
        weakref.finalize(self, _lib.iv_result_free, handle)


# What files are called that hold a format, and a picture.
_SUFFIXES = {"htm": "html", "tex": "latex", "md": "markdown", "txt": "text"}
_PICTURES = ("svg", "pdf", "png")


def _report(format: str, table: Optional[str], still=False) -> iv_report_options:
    format = _SUFFIXES.get(format, format)
    known = _words("iv_format_names")
    if format not in known:
        raise BadArgument(f"there is no format {format!r}, expected one of: {', '.join(known)}; "
                          f"save() and plot() make {', '.join(_PICTURES)}")
    return iv_report_options(known.index(format), None if table is None else _bytes(table), still=still)


class Result:
    """What the library answers.

    sentence, notes, method, methods, assumptions, references are texts; messages are the
    notes with id and severity, citations the papers that method rests on; tables holds the
    tables by name, lists of named tuples, each of which is an attribute too
    (result.pairs).  verdict says what became of a claim, where there was one: "PASS",
    "FAIL", "INCONCLUSIVE"; else None; claims are all of them, as in json.  Going through a result goes through its first table.
    """

    def __init__(self, handle, inputs=()):
        self._handle, self._owner = handle, _Owner(handle)
        self.sentence = _decode(_lib.iv_result_answer_text(handle))
        self.messages = [{"id": _decode(n.id), "severity": _SEVERITIES[n.severity],
                          "text": _in_python(_decode(n.text))}
                         for n in _rows(_lib.iv_result_notes, iv_note, handle) if not n.people]
        self.messages.sort(key=lambda m: m["severity"] != "warning")
        self.notes = [m["text"] for m in self.messages]
        self.method = _in_python(_decode(_lib.iv_result_method_text(handle)))
        self.citations = [{name: _decode(getattr(c, name)) for name, _ in iv_citation._fields_}
                          for c in _rows(_lib.iv_result_citations, iv_citation, handle)]
        self.verdict = _decode(_lib.iv_verdict_name(
            _lib.iv_result_has_verdict(None, None, handle)))
        self.claims = _claims(handle)
        self.methods = _list(_lib.iv_result_methods, handle)
        self.assumptions = _list(_lib.iv_result_assumptions, handle)
        self.references = [c["text"] for c in self.citations]
        self.has_charts = _lib.iv_result_charts(byref(c_void_p()), handle) > 0
        read = POINTER(iv_input)()
        count = _lib.iv_result_inputs(byref(read), handle)
        self._inputs = [os.path.abspath(os.fsdecode(path)) for path
                        in (*(read[i].path for i in range(count)), *inputs)]
        self.tables: Dict[str, Table] = {}
        for i in range(_lib.iv_result_tables(handle)):
            table = Table(_lib.iv_result_table_at(handle, i), self._owner)
            self.tables[table.name] = table

    def _name_inputs(self, named) -> None:
        """Calls what was read by other names, in what is written, too."""
        self._read = POINTER(iv_input)()  # which keeps them
        for i in range(_lib.iv_result_inputs(byref(self._read), self._handle)):
            self._read[i].path = os.fsencode(named(os.fsdecode(self._read[i].path)))
        self._inputs = [i for i in self._inputs if i == named(i)]

    def __getattr__(self, name):
        tables = self.__dict__.get("tables", {})
        if name in tables:
            return tables[name]
        raise AttributeError(f"the result has no table {name!r}; it has {', '.join(tables)}")

    __reduce__ = _refuse_to_leave

    def __dir__(self):
        return [*super().__dir__(), *self.tables]

    def __iter__(self):
        return iter(self.table())

    def __len__(self):
        return len(self.table())

    def __bool__(self):
        return True

    def __repr__(self):
        return f"<intervale.Result: {self.sentence or ', '.join(self.tables)}>"

    def __str__(self):
        return "\n".join(_in_python(line) if line.startswith(("note: ", "warning: ", "(")) else line
                         for line in self.to("text").rstrip("\n").split("\n"))

    def table(self, name: Optional[str] = None) -> Table:
        """The table of that name; the first."""
        if name is None:
            return next(iter(self.tables.values()), [])
        if name not in self.tables:
            raise BadArgument(f"the result has no table {name!r}; it has "
                              f"{', '.join(self.tables)}")
        return self.tables[name]

    def to_pandas(self, table: Optional[str] = None):
        """A table, the first unless named, as a pandas.DataFrame."""
        return self.table(table).to_pandas()

    def to_polars(self, table: Optional[str] = None):
        """A table, the first unless named, as a polars.DataFrame."""
        return self.table(table).to_polars()

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table().__arrow_c_stream__(requested_schema)

    def to(self, format: str = "text", table: Optional[str] = None) -> str:
        """The result as the tool writes it: text, tsv, csv, json, jsonl,
        markdown, latex, html, vega."""
        return self._written(_report(format, table))

    def _written(self, how: iv_report_options) -> str:
        with _Memory() as memory:
            _call(_lib.iv_report_write, memory.stream, self._handle, byref(how))
        return memory.text.decode("utf-8", "surrogateescape")

    def report(self) -> str:
        """Of prf(): precision, recall, F1 and support of each class and their averages, with intervals,
        laid out as scikit-learn's classification_report."""
        if "classes" not in self.tables:
            raise BadArgument("the result has no table 'classes'; prf() of labels has one")
        lines = self.to("text", "classes").split("\n\n")
        return next(part for part in lines if part.split(None, 1)[0] in ("class", "system")) + "\n"

    def to_html(self) -> str:
        """The page that the tool writes, with its charts."""
        return self.to("html")

    def vega(self, table: Optional[str] = None) -> dict:
        """The charts as a Vega-Lite specification, with their data."""
        import json
        return json.loads(self.to("vega", table))

    def save(self, path: _Path, format: Optional[str] = None, table: Optional[str] = None) -> None:
        """Writes it to a file; the format is that of its name (.html, .csv, .tex, .json, ...;
        .svg, .pdf, .png are pictures: pip install intervale[plot]).  format may name a table.

        A file that is there is replaced, whole and with its permissions, but never one that
        the result was made from; a link stays, a device or a pipe is written to.
        """
        place = os.path.abspath(os.fsdecode(_path("path", path)))
        suffix = os.path.splitext(place)[1][1:]
        if table is None and format in self.tables:  # save("t.tex", "paper"), as to("latex", "paper")
            format, table = None, format
        self._refuse_input(place)
        if (format or suffix) in _PICTURES:
            from ._plot import save
            return save(self, place, format or suffix, table)
        how = _report(format or suffix or "text", table)
        file = c_void_p()
        _call(_lib.iv_outfile_open, byref(file), os.fsencode(place))
        try:
            _call(_lib.iv_report_write, _lib.iv_outfile_stream(file), self._handle, byref(how))
        except BaseException:
            _lib.iv_outfile_abandon(file)
            raise
        _call(_lib.iv_outfile_commit, file)

    def _refuse_input(self, place: str) -> None:
        if os.path.isfile(place) and any(os.path.exists(i) and os.path.samefile(i, place)
                                         for i in self._inputs):
            raise BadArgument(f"{place} is a file that the result was made from, expected another")

    def plot(self, table: Optional[str] = None, ax=None, *, kind: Optional[str] = None):
        """The intervals of a table, the first that has some unless named, as a matplotlib.axes.Axes; of
        several measures a list of them.  "ranks": ranks that are still possible; "topics": the
        difference on each topic, at most 12 pairs.  ax: to draw on.
        kind="reliability": observed proportions against probabilities, of roc()."""
        from ._plot import axes, reliability
        if kind not in (None, "reliability"):
            raise BadArgument(f"kind is {kind!r}, expected 'reliability' or None")
        return axes(self, table, ax) if kind is None else reliability(self, ax)

    def _repr_html_(self) -> str:
        from ._notebook import shown
        return shown(self)

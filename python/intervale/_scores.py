# SPDX-License-Identifier: Apache-2.0
"""Scores of any kind: files of them, columns of records, and grids of systems x topics."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from ctypes import c_bool, c_char_p, c_double

from . import _memory
from ._base import BadArgument, _bytes, _declare, _lib, _path, _shown, _texts
from ._questions import USUAL

TYPE_CHECKING = False  # what only annotations name is not imported: an import takes time
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional, Tuple

_declare(c_bool, "iv_is_scores_part", [c_char_p])

_NUMBERS = ("score", "weight", "human")
# Names of columns are those of files; PyTerrier calls systems so.
_KNOWN = {**USUAL, "system": (*USUAL["system"], "name"), "date": ()}  # dates are for watch()
_WAS = {"suite": "set"}  # the role's name before 0.3
_PLAIN = {"system", "item", "score"}  # what a grid has room for
_AND = ",score="  # between columns of scores, as the tool has it


def names_of(measures, *others) -> Optional[List[str]]:
    """What is asked for, a name or several, by whichever of these words."""
    for given in (measures, *others):
        if given is None:
            continue
        if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
            given = [given]
        return [g if isinstance(g, bytes) or g is None else str(g) for g in given] or None
    return None


def _asked(columns) -> Dict[str, str]:
    """The roles of columns that the caller named: {role: name}, or "role=name"."""
    if columns is None:
        return {}
    if isinstance(columns, Mapping):
        return {_WAS.get(str(r), str(r)): _joined(n) for r, n in columns.items()}
    asked = {}
    for text in [columns] if isinstance(columns, str) else columns:
        for part in str(text).split(","):
            role, equals, name = part.partition("=")
            if not equals or not role or not name:
                raise BadArgument(f"columns is {_shown(columns)}, expected role=name or {{role: name}}")
            role = _WAS.get(role, role)
            if role in asked and role != "score":
                raise BadArgument(f"columns is {_shown(columns)}, expected one column for {role}")
            asked[role] = asked[role] + _AND + name if role in asked else name
    return asked


def _joined(name) -> str:
    """A column, or several of scores."""
    return _AND.join(map(str, name)) if isinstance(name, (list, tuple)) else str(name)


def _stacked(columns: dict, asked: Dict[str, str]) -> Tuple[dict, Dict[str, str]]:
    """Several columns of scores below each other: the measure is the column."""
    judges = asked.get("score", "").split(_AND)
    if len(judges) < 2:
        return columns, asked
    for name in judges:
        if name not in columns:
            raise BadArgument(f"scores: no column {name!r} for score; the columns are {', '.join(columns)}")
    rows = len(columns[judges[0]])
    longer = {name: list(column) * len(judges) for name, column in columns.items() if name not in judges}
    longer["score"] = [x for name in judges for x in columns[name]]
    longer["measure"] = [name for name in judges for _ in range(rows)]
    if "item" not in asked and not any(name in columns for name in _KNOWN["item"]):
        longer["item"] = list(range(1, rows + 1)) * len(judges)
    return longer, {**asked, "score": "score", "measure": "measure"}


def named(columns, name) -> Dict[str, str]:
    """The roles of columns, and that all scores are of the measure `name`."""
    return {**_asked(columns), "measure": f"@name:{name}"}


def take_roles(given: Dict[str, Any], **roles) -> None:
    """Adds columns that have a word of their own to the others: score="judge"."""
    asked = {role: _joined(name) for role, name in roles.items() if name is not None}
    if asked:
        given["columns"] = {**_asked(given.get("columns")), **asked}


def _roles(names: List[str], asked: Dict[str, str]) -> Dict[str, str]:
    """Which column is what: as asked for, or by a usual name."""
    for role, name in asked.items():
        if role not in (*_KNOWN, "binary"):
            raise BadArgument(f"columns has the role {role!r}, expected one of: "
                              f"{', '.join(_KNOWN)}, binary")
        if name.startswith("@name:") and role not in _NUMBERS:
            continue
        if name.startswith("@"):
            raise BadArgument(f"columns has {role}={name}, which is taken from the path of a file; "
                              "scores in memory have none, expected the name of a column")
        if name not in names:
            raise BadArgument(f"scores: no column {name!r} for {role}; the columns are {', '.join(names)}")
    asked = {"score" if r == "binary" else r: n for r, n in asked.items()}
    found = {}
    for role, usual in _KNOWN.items():
        for name in [asked[role]] if role in asked else [n for n in usual if n in names][:1]:
            found[role] = name
    return found


def as_table(scores):
    """Records, a mapping each with a system or a score, as {name: column}; anything else as it is."""
    if not isinstance(scores, (list, tuple)) or not scores or not all(isinstance(r, Mapping) for r in scores):
        return scores
    names = list(dict.fromkeys(str(name) for record in scores for name in record))
    if _is_wide(names, {}):
        raise BadArgument(f"scores: record {_shown(scores[0])}, expected one with a system, an item and a "
                          "score; of a mapping for each system {system: {topic: score}}")
    return {name: [record.get(name) for record in scores] for name in names}


def _is_table(scores) -> bool:
    """A frame, or {name: column}: not {system: {topic: score}}."""
    return _memory.is_columns(scores) and not (isinstance(scores, Mapping) and any(
        isinstance(v, Mapping) for v in scores.values()))


def _columns(scores) -> dict:
    columns = _memory.columns_of(_memory.flat(_memory.joined(scores)))
    if not any(columns.values()):
        raise BadArgument("scores: no rows, expected at least one")
    if len({len(c) for c in columns.values()}) > 1:
        raise BadArgument("scores: columns of " + ", ".join(
            f"{n} ({len(c)} rows)" for n, c in columns.items()) + " differ in length")
    return columns


def _is_wide(names: List[str], asked: Dict[str, str]) -> bool:
    """No column of systems and none of scores, but one for each system?"""
    return not asked and {*_KNOWN["system"], "score", "value"}.isdisjoint(names)


def is_records(scores, columns=None, measures=None) -> bool:
    """Files of scores, or columns with more than a grid has: a name for the scores too."""
    if _memory.is_path(scores):
        return True
    if _is_table(scores):
        names = list(map(str, scores)) if isinstance(scores, Mapping) else \
            _memory._names(_memory.flat(scores))
        asked = _asked(columns)
        return not _is_wide(names, asked) and (isinstance(scores, Mapping) or bool(asked)
                                               or measures is not None or not set(_roles(names, asked)) <= _PLAIN)
    return isinstance(scores, (list, tuple)) and len(scores) > 0 and all(map(_memory.is_path, scores))


def take_records(q, scores, given: Dict[str, Any]):
    """Puts files, or columns, into a question; returns what must live as long as it."""
    q.scores.given = True
    source = q.scores.from_
    asked = _asked(given.get("columns"))
    if not _memory.is_columns(scores):
        files = [scores] if _memory.is_path(scores) else list(scores)
        names = _texts([_path("scores", x) for x in files], "scores")
        if files and _lib.iv_is_scores_part(_bytes(files[0], "scores")):
            q.scores.given = False  # an evaluation in parts
            q.source.parts = names
        else:
            source.files = names
        if asked:
            given["columns"] = [f"{role}={name}" for role, name in asked.items()]
        return None
    given.pop("columns", None)
    if not _is_table(scores):
        scores = records(scores)
    return _take_columns(q, source, _columns(scores), asked, given.get("measure"))


def take_nights(q, scores, given: Dict[str, Any]):
    """The same; a column is the date by its usual name, too."""
    scores = as_table(scores)
    names = [] if not _is_table(scores) else list(map(str, scores)) if isinstance(scores, Mapping) \
        else _memory._names(_memory.flat(scores))
    dates = [n for n in USUAL["date"] if n in names]
    if dates and "date" not in _asked(given.get("columns")):
        given["columns"] = {**_asked(given.get("columns")), "date": dates[0]}
    return take_records(q, scores, given)


def _take_columns(q, source, columns: dict, asked: Dict[str, str], measure=None) -> list:
    if _AND in asked.get("score", ""):
        source.columns = _texts([f"score={asked['score']}"])  # measures are columns of scores
    elif asked.get("score") or asked.get("binary"):  # its name says whether lower is better
        source.columns = _texts([f"score={asked.get('score') or asked['binary']}"])
    columns, asked = _stacked(columns, asked)
    roles = _roles(list(columns), asked)
    if "score" not in roles or ("item" not in roles and "system" in roles):
        raise BadArgument(f"scores: no column of the {'item' if 'score' in roles else 'score'} "
                          f"among the columns {', '.join(columns)}")
    if "binary" in asked:
        q.scores.binary = True
    rows, held = len(columns[roles["score"]]), []
    if "measure" not in roles and measure == [roles["score"]]:
        roles["measure"] = f"@name:{roles['score']}"  # scores may be called like their column
    cells = {role: [name[6:]] * rows if name.startswith("@name:") else columns[name]
             for role, name in roles.items()}
    cells.setdefault("item", range(1, rows + 1))
    cells.setdefault("system", ["system"] * rows)
    for role, column in cells.items():
        if role not in _NUMBERS:
            setattr(source, "suite" if role == "set" else role, _texts([str(v) for v in column]))
            continue
        column = [float("nan") if v is None else v for v in column]
        column = _memory._numbers("d", column, role, "scores", lambda i: f"row {i + 1}")
        values = (c_double * (len(column) or 1))(*column)
        getattr(source, role).at, getattr(source, role).count = values, len(column)
        held.append(values)
    return held


# ------------------------------------------------------------------ grids --


def _of_wide(columns: dict) -> Dict[str, Dict[str, float]]:
    """A row for each topic, a column for each system, and perhaps one of topics."""
    item = [n for n in _KNOWN["item"] if n in columns][:1]
    systems = [n for n in columns if n not in item]
    if len(systems) < 2:
        raise BadArgument(f"scores: the columns {', '.join(columns)}, expected system, topic and score, "
                          "or one for each of two systems or more")
    rows = len(columns[systems[0]])
    topics = [str(t) for t in (columns[item[0]] if item else range(1, rows + 1))]
    if len(set(topics)) < rows:
        raise BadArgument(f"scores: a topic occurs twice in column {item[0]!r}")
    return {s: dict(zip(topics, columns[s])) for s in systems}


def _of_table(scores) -> Dict[str, Dict[str, float]]:
    """A long table (system, topic, score), or a wide one."""
    columns = _columns(scores)
    if _is_wide(list(columns), {}):
        return _of_wide(columns)
    roles = _roles(list(columns), {})
    for role in ("system", "item", "score"):
        if role not in roles:
            raise BadArgument(f"scores: no column of the {role} ({', '.join(_KNOWN[role])}) among "
                              f"the columns {', '.join(columns)}")
    grid: Dict[str, Dict[str, float]] = {}
    for system, topic, score in zip(*(columns[roles[r]] for r in ("system", "item", "score"))):
        row = grid.setdefault(str(system), {})
        if str(topic) in row:
            raise BadArgument(f"scores: system {system!r} has two scores of topic {topic!r}")
        row[str(topic)] = score
    return grid


def _by_text(name, row: Mapping) -> dict:
    """Scores by the texts of topics: 1 is '1'."""
    made = {str(topic): score for topic, score in row.items()}
    if len(made) < len(row):
        raise BadArgument(f"scores: system {name!r} has two scores of one topic, as a number and as a text")
    return made


def grid(scores, systems=None, topics=None) -> Tuple[list, list, list]:
    """Scores in memory as rows of systems, whatever they are."""
    if _is_table(scores):
        scores = _of_table(scores)
    if isinstance(scores, Mapping):
        for name, row in scores.items():
            if not isinstance(row, Mapping):
                raise BadArgument(f"scores of {name!r} are {_shown(row)}, expected {{topic: score}} as "
                                  "those of the others")
        scores = {name: _by_text(name, row) for name, row in scores.items()}
        if topics is None:
            topics = list(dict.fromkeys(t for row in scores.values() for t in row))
        return ([[row.get(t, float("nan")) for t in topics] for row in scores.values()],
                list(scores), topics)
    if not isinstance(scores, Iterable) or not all(
            isinstance(row, Iterable) and not isinstance(row, (str, bytes)) for row in scores):
        raise BadArgument(f"scores is {_shown(scores)}, expected files, a table, "
                          "{system: {topic: score}} or rows of systems")
    rows = [list(row) for row in scores]  # a matrix, systems x topics
    if not rows:
        raise BadArgument("scores: no rows, expected at least one")
    systems = systems or [f"system{i + 1}" for i in range(len(rows))]
    topics = topics or [str(i + 1) for i in range(len(rows[0]))]
    if len(systems) != len(rows) or any(len(row) != len(topics) for row in rows):
        raise BadArgument(f"scores have {len(rows)} rows of {len(rows[0])}, "
                          f"expected {len(systems)} systems and {len(topics)} topics")
    return rows, systems, topics


def records(scores) -> Dict[str, list]:
    """A grid as columns; what is missing is left out."""
    rows, systems, topics = grid(scores)
    cells = [(s, t, v) for s, row in zip(systems, rows) for t, v in zip(topics, row)
             if v is not None and v == v]
    return dict(zip(("system", "item", "score"), map(list, zip(*cells))))


def take_grid(q, rows: list, systems: list, topics: list) -> None:
    """Puts a grid into a question that has values, systems and topics."""
    values = (c_double * (len(rows) * len(topics) or 1))()
    for i, row in enumerate(rows):
        for k, value in enumerate(row):
            try:
                values[i * len(topics) + k] = float("nan") if value is None else float(value)
            except (TypeError, ValueError, OverflowError):
                raise BadArgument(f"the score of {systems[i]} on {topics[k]} is {_shown(value)}, "
                                  "expected a number") from None
    q.values = values
    q.systems, q.topics = _texts(systems), _texts(topics)

# SPDX-License-Identifier: Apache-2.0
"""Intervals as pictures, by matplotlib; other charts by vl-convert.  Neither is needed for the rest."""
from __future__ import annotations

import os

from ._base import BadArgument

_MIDDLE = ("difference", "value", "mean", "estimate", "recall")  # what an interval is of
_EXTRA = "pip install intervale[plot]"


def _middle(table):
    """The column between lower and upper; None: the table has no intervals."""
    if not {"lower", "upper"} <= set(table.columns):
        return None
    return next((c for c in _MIDDLE if c in table.columns), None)


def _intervals(result, name):
    """The table to draw: the one that is named, or the first with intervals; None: there is none."""
    tables = [result.table(name)] if name is not None else list(result.tables.values())
    return next((t for t in tables if _middle(t) and any(r.lower is not None for r in t)), None)


def _points(table):
    """Of each row with an interval its words, estimate and limits."""
    middle = _middle(table)
    words = [c for c in table.columns[:table.columns.index(middle)]
             if any(isinstance(getattr(row, c), str) for row in table)]
    pair = {"a", "b"} <= set(words)
    rest = [c for c in words if not (pair and c in "ab")
            and len({getattr(row, c) for row in table}) > 1] or ([] if pair else words[:1])
    rows = [row for row in table if None not in (getattr(row, middle), row.lower, row.upper)]
    said = [", ".join(([f"{row.a} - {row.b}"] if pair else [])
                      + [str(getattr(row, c)) for c in rest if getattr(row, c) is not None])
            for row in rows]
    return said, [(getattr(row, middle), row.lower, row.upper) for row in rows], middle


def _draw(result, name, ax):
    table = _intervals(result, name)
    if table is None:
        raise BadArgument("the result has no table of intervals to draw"
                          if name is None else f"table {name!r} has no intervals to draw")
    said, values, middle = _points(table)
    places = range(len(values))
    ax.errorbar([v for v, _, _ in values], places, fmt="o", capsize=3, color="#1f4e79",
                xerr=[[max(v - low, 0) for v, low, _ in values],
                      [max(high - v, 0) for v, _, high in values]])
    ax.set_yticks(list(places), said)
    ax.invert_yaxis()
    ax.locator_params(axis="x", nbins=5)
    if middle == "difference":
        ax.axvline(0, color="0.6", linewidth=1)
    measures = {getattr(row, "measure", None) for row in table}
    ax.set_xlabel(f"{middle} of {measures.pop()}" if len(measures) == 1 and None not in measures
                  else middle)
    return ax


def axes(result, name=None, ax=None):
    """Result.plot()."""
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError(f"plot() needs matplotlib: {_EXTRA}") from None
        table = _intervals(result, name)
        rows = len(table) if table is not None else 1
        figure, ax = pyplot.subplots(figsize=(6, 1 + 0.35 * min(rows, 60)), layout="constrained")
        try:
            return _draw(result, name, ax)
        except BaseException:
            pyplot.close(figure)
            raise
    return _draw(result, name, ax)


def reliability(result, ax=None):
    """Result.plot(kind="reliability")."""
    table = result.tables.get("reliability")
    if not table:
        raise BadArgument("the result has no table 'reliability': roc() of probabilities has one")
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError(f"plot() needs matplotlib: {_EXTRA}") from None
        ax = pyplot.subplots(figsize=(5, 5), layout="constrained")[1]
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=1)
    for system in dict.fromkeys(row.system for row in table):
        rows = [row for row in table if row.system == system and row.observed is not None]
        x = [row.probability for row in rows]
        line, = ax.plot(x, [row.observed for row in rows], marker="o", label=system)
        ax.fill_between(x, [row.lower for row in rows], [row.upper for row in rows], alpha=0.18,
                        color=line.get_color())
    ax.set(xlabel="probability", ylabel="proportion of positive items", xlim=(0, 1), ylim=(0, 1))
    ax.legend()
    return ax


def _by_matplotlib(result, name, format: str) -> bytes:
    import io
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    made = io.BytesIO()
    rows = len(_intervals(result, name))
    with rc_context({"svg.hashsalt": "intervale", "svg.fonttype": "none", "pdf.fonttype": 42}):
        figure = Figure(figsize=(6, 1 + 0.35 * min(rows, 60)), layout="constrained")
        FigureCanvasAgg(figure)
        _draw(result, name, figure.subplots())
        no_date = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(format)
        figure.savefig(made, format=format, dpi=200, metadata=no_date)
    return made.getvalue()


def _by_vega(result, name, format: str) -> bytes:
    import vl_convert
    made = getattr(vl_convert, f"vegalite_to_{format}")(result.to("vega", name))
    return made.encode() if isinstance(made, str) else made


def save(result, place: str, format: str, name=None) -> None:
    """Result.save() of a picture; the same bytes each time.  Intervals are drawn by matplotlib,
    other charts, and all where that is not installed, by vl-convert."""
    ways = ([_by_matplotlib] if _intervals(result, name) is not None else []) \
        + ([_by_vega] if result.has_charts else [])
    if not ways:
        raise BadArgument("the result has nothing to draw")
    for way in ways:
        try:
            made = way(result, name, format)
            break
        except ImportError:
            continue
    else:
        needs = "matplotlib" if _by_matplotlib in ways else "vl-convert-python"
        raise ImportError(f"{os.path.basename(place)} needs {needs}: {_EXTRA}")
    with open(place, "wb") as file:
        file.write(made)

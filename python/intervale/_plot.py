# SPDX-License-Identifier: Apache-2.0
"""Intervals as pictures, by matplotlib; other charts by vl-convert.  Neither is needed for the rest."""
from __future__ import annotations

import os

from ._base import BadArgument

_MIDDLE = ("difference", "value", "mean", "estimate", "recall")  # what an interval is of
_MOST = 12  # pictures in a figure
_EXTRA = "pip install intervale[plot]"


def _middle(table):
    """The column between lower and upper; None: the table has no intervals."""
    if not {"lower", "upper"} <= set(table.columns):
        return None
    return next((c for c in _MIDDLE if c in table.columns), None)


def _intervals(result, name):
    """The table to draw: the one that is named, or the first with intervals; None: there is none."""
    if name == "ranks" and name not in result.tables and "runs" in result.tables:
        name = "runs"
    tables = [result.table(name)] if name is not None else list(result.tables.values())
    if name == "topics" and "difference" in tables[0].columns:
        return tables[0]
    return next((t for t in tables if _middle(t) and any(r.lower is not None for r in t)), None)


def _points(rows, columns, ends):
    """Of each row with an interval its words, estimate and limits."""
    words = [c for c in columns[:min(columns.index(end) for end in ends)]
             if any(isinstance(getattr(row, c), str) for row in rows)]
    pair = {"a", "b"} <= set(words)
    rest = [c for c in words if not (pair and c in "ab")
            and len({getattr(row, c) for row in rows}) > 1] or ([] if pair else words[:1])
    rows = [row for row in rows if None not in [getattr(row, end) for end in ends]]
    said = [", ".join(([f"{row.a} - {row.b}"] if pair else [])
                      + [str(getattr(row, c)) for c in rest if getattr(row, c) is not None])
            for row in rows]
    return said, [tuple(getattr(row, end) for end in ends) for row in rows]


def _forest(ax, rows, columns, ends):
    said, values = _points(rows, columns, ends)
    places = range(len(values))
    ax.errorbar([v for v, _, _ in values], places, fmt="o", capsize=3, color="#1f4e79",
                xerr=[[max(v - low, 0) for v, low, _ in values],
                      [max(high - v, 0) for v, _, high in values]])
    ax.set_yticks(list(places), said)
    ax.set_ylim(len(values) - 0.4, -0.6)
    ax.locator_params(axis="x", nbins=5, integer=ends[0] == "rank")
    if ends[0] == "rank" and values:
        ax.set_xlim(0.5, max(high for _, _, high in values) + 0.5)
    if ends[0] == "difference":
        ax.axvline(0, color="0.6", linewidth=1)
    measures = {getattr(row, "measure", None) for row in rows}
    ax.set_xlabel(f"{ends[0]} {'by' if ends[0] == 'rank' else 'of'} {measures.pop()}"
                  if len(measures) == 1 and None not in measures else ends[0])


def _topics(ax, rows):
    """A bar for each topic, the highest first; the three at each end have their names."""
    rows = sorted((r for r in rows if r.difference is not None), key=lambda r: -r.difference)
    ax.bar(range(len(rows)), [r.difference for r in rows], width=0.9,
           color=["#0072b2" if r.difference >= 0 else "#d55e00" for r in rows])
    for place, row in enumerate(rows):
        if min(place, len(rows) - 1 - place) < 3 and row.difference:
            up = row.difference < 0
            ax.annotate(str(row.topic), (place, 0), (0, 2 if up else -2), rotation=90, fontsize=8,
                        textcoords="offset points", ha="center", va="bottom" if up else "top")
    ax.axhline(0, color="0.6", linewidth=1)
    ax.margins(0.01, 0.2)
    ax.set_xticks([])
    ax.set(title=f"{rows[0].a} - {rows[0].b}", xlabel="topic",
           ylabel=f"difference in {rows[0].measure}")


def _panels(result, name, apart=True):
    """(height, function that draws on axes) of each picture: one a measure, or a pair of topics."""
    table = _intervals(result, name)
    ranks = ("rank", "rank_lower", "rank_upper")
    if table is None or (name == "ranks" and not set(ranks) <= set(table.columns)):
        raise BadArgument("the result has no table of intervals to draw"
                          if name is None else f"table {name!r} has no intervals to draw")
    bars = name == "topics" and "difference" in table.columns
    by = "pair" if bars else "measure" if apart and "measure" in table.columns else None
    parts: dict = {}
    for row in table:
        parts.setdefault(getattr(row, by) if by else None, []).append(row)
    ends = ranks if name == "ranks" else () if bars else (_middle(table), "lower", "upper")
    most = 60 if len(parts) == 1 else 30
    return [(2.6, lambda ax, rows=rows: _topics(ax, rows)) if bars
            else (1 + 0.35 * min(len(rows), most),
                  lambda ax, rows=rows: _forest(ax, rows, table.columns, ends))
            for rows in list(parts.values())[:_MOST]]


def _onto(figure, panels):
    """The axes of a figure, one a panel, drawn."""
    all_axes = figure.subplots(len(panels), 1, squeeze=False, gridspec_kw={
        "height_ratios": [height for height, _ in panels]})[:, 0]
    for ax, (_, draw) in zip(all_axes, panels):
        draw(ax)
    return list(all_axes)


def _pyplot():
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError(f"plot() needs matplotlib: {_EXTRA}") from None
    return pyplot


def axes(result, name=None, ax=None):
    """Result.plot()."""
    panels = _panels(result, name, ax is None)
    if ax is not None:
        if len(panels) > 1:
            raise BadArgument(f"table {name!r} is {len(panels)} pictures, which ax= has no room for")
        panels[0][1](ax)
        return ax
    figure = _pyplot().figure(figsize=(6, sum(height for height, _ in panels)), layout="constrained")
    drawn = _onto(figure, panels)
    return drawn[0] if len(drawn) == 1 else drawn


def reliability(result, ax=None):
    """Result.plot(kind="reliability")."""
    table = result.tables.get("reliability")
    if not table:
        raise BadArgument("the result has no table 'reliability': roc() of probabilities has one")
    if ax is None:
        ax = _pyplot().subplots(figsize=(5, 5), layout="constrained")[1]
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
    made, panels = io.BytesIO(), _panels(result, name)
    with rc_context({"svg.hashsalt": "intervale", "svg.fonttype": "none", "pdf.fonttype": 42}):
        figure = Figure(figsize=(6, sum(height for height, _ in panels)), layout="constrained")
        FigureCanvasAgg(figure)
        _onto(figure, panels)
        no_date = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(format)
        figure.savefig(made, format=format, dpi=200, metadata=no_date)
    return made.getvalue()


def _by_vega(result, name, format: str) -> bytes:
    import vl_convert
    from ._result import _report
    made = getattr(vl_convert, f"vegalite_to_{format}")(result._written(_report("vega", name, True)))
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

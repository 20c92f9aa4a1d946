# SPDX-License-Identifier: Apache-2.0
"""Results in the cells of notebooks."""
from __future__ import annotations

import html
import itertools
import json
import os

from ._base import _in_python, _index, _lib

_numbers = itertools.count(1)
_MOST = 200  # rows that a table shows
_given = False  # the libraries that draw went out with an earlier result

_DRAW = """(() => {
  const draw = () => window.vegaEmbed && window.vegaEmbed('#%s', %s,
    { mode: 'vega-lite', actions: false, renderer: 'svg' });
  if (!draw()) window.addEventListener('intervale', draw, { once: true });
})();"""


def _libraries(result) -> str:
    """The scripts that draw, from the library's own page; they come once a session."""
    page = result.to("html")
    script = page[page.rindex("<script>") + len("<script>"):page.rindex("</script>")]
    libraries = script[:script.rindex("// What a report does when it is opened")]
    # Whatever module loader a notebook has, the libraries must not see it.
    return ("(function (define, module, exports) {\n" + libraries + "\n}).call(window);\n"
            "window.dispatchEvent(new Event('intervale'));")


def _inert(text: str) -> str:
    """JSON that cannot end a script."""
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")


def _charts(result) -> str:
    global _given
    if not result.has_charts or not _lib.iv_format_is_built(_index("format", "html",
                                                                   "iv_format_names")):
        return ""
    place = f"intervale-{os.getpid()}-{next(_numbers)}"
    spec = result.to("vega")
    parts = [f'<div id="{place}"></div>',
             f"<script>{_DRAW % (place, _inert(json.dumps(json.loads(spec))))}</script>"]
    if not _given:
        _given = True
        parts.append(f"<script>{_libraries(result)}</script>")
    return "\n".join(parts)


def table(rows) -> str:
    """A table as a cell shows it."""
    def cell(value):
        small = isinstance(value, float) and 0 < abs(value) < 0.0001
        text = "" if value is None else f"{value:.1e}" if small else \
            f"{value:.4f}" if isinstance(value, float) else str(value)
        align = ' style="text-align:right;white-space:nowrap"' if isinstance(value, (int, float)) else ""
        return f"<td{align}>{html.escape(text)}</td>"

    head = "".join(f'<th title="{html.escape(rows.about[c] or "")}">{html.escape(c)}</th>'
                   for c in rows.columns)
    body = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows[:_MOST])
    more = f"<p>{len(rows) - _MOST} more rows</p>" if len(rows) > _MOST else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _main(result) -> str:
    """What print shows below the answer: tables with their columns for people, and notes."""
    import re
    plain = lambda text: html.unescape(re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", text.strip()))
    blocks, name, rows, notes = [], "", [], []
    for line in [*result.to("markdown").splitlines(), ""]:
        if line.startswith("|"):
            rows.append([plain(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
            continue
        if line.startswith("- "):
            notes.append(f"<li>{html.escape(_in_python(plain(line[2:])) or '')}</li>")
        if rows and name != "paper":
            blocks.append((name, rows))
        rows, heading = [], re.fullmatch(r"\*\*(.+)\*\*", line)
        name = heading[1] if heading else name
    parts = []
    for name, (head, marks, *body) in blocks:
        sides = ["right" if m.endswith(":") else "left" for m in marks]
        line = lambda cells, tag, sides=sides: "<tr>" + "".join(
            f'<{tag} style="text-align:{side}">{html.escape(c)}</{tag}>'
            for c, side in zip(cells, sides)) + "</tr>"
        more = f"<p>{len(body) - _MOST} more rows</p>" if len(body) > _MOST else ""
        caption = f"<caption>{html.escape(name)}</caption>" if len(blocks) > 1 and name else ""
        parts.append(f"<table>{caption}<thead>{line(head, 'th')}</thead><tbody>"
                     f"{''.join(line(row, 'td') for row in body[:_MOST])}</tbody></table>{more}")
    return "\n".join([*parts, f"<ul>{''.join(notes)}</ul>" if notes else ""])


def shown(result) -> str:
    """A result as a cell shows it: what print shows, which needs no script, then charts; tables with
    all their columns are folded."""
    parts = ['<div class="intervale">']
    if result.sentence:
        parts.append(f"<p><strong>{html.escape(result.sentence)}</strong></p>")
    parts.append(_main(result))
    parts.append(_charts(result))
    for rows in result.tables.values():
        parts.append(f"<details><summary>{html.escape(rows.name)}, {len(rows)} rows x "
                     f"{len(rows.columns)} columns</summary>{table(rows)}</details>")
    return "\n".join([*parts, "</div>"])

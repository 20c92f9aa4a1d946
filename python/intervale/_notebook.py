# SPDX-License-Identifier: Apache-2.0
"""Results in the cells of notebooks."""
from __future__ import annotations

import html
import itertools
import json
import os

from ._base import _index, _lib

_numbers = itertools.count(1)
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
        text = "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)
        align = ' style="text-align:right"' if isinstance(value, (int, float)) else ""
        return f"<td{align}>{html.escape(text)}</td>"

    most = 200
    head = "".join(f'<th title="{html.escape(rows.about[c] or "")}">{html.escape(c)}</th>'
                   for c in rows.columns)
    body = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows[:most])
    more = f"<p>{len(rows) - most} more rows</p>" if len(rows) > most else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def shown(result) -> str:
    """A result as a cell shows it: words and tables that need no script, then charts."""
    parts = ['<div class="intervale">']
    if result.sentence:
        parts.append(f"<p><strong>{html.escape(result.sentence)}</strong></p>")
    for i, rows in enumerate(result.tables.values()):
        body = table(rows)
        parts.append(body if i == 0 else f"<details><summary>{html.escape(rows.name)}, "
                                         f"{len(rows)} rows</summary>{body}</details>")
    if result.notes:
        items = "".join(f"<li>{html.escape(note)}</li>" for note in result.notes)
        parts.append(f"<ul>{items}</ul>")
    parts.append(_charts(result))
    return "\n".join([*parts, "</div>"])

# SPDX-License-Identifier: Apache-2.0
"""Results in notebooks, and progress on the way to them."""
from __future__ import annotations

import html
import itertools
import json
import os
import sys
import time

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
        parts.append(f"<script>{_inert(_libraries(result))}</script>")
    return "\n".join(parts)


def shown(result) -> str:
    """A result as a cell shows it: words and tables that need no script, then charts."""
    parts = ['<div class="intervale">']
    if result.sentence:
        parts.append(f"<p><strong>{html.escape(result.sentence)}</strong></p>")
    for i, table in enumerate(result.tables.values()):
        body = table._repr_html_()
        parts.append(body if i == 0 else f"<details><summary>{html.escape(table.name)}, "
                                         f"{len(table)} rows</summary>{body}</details>")
    if result.notes:
        items = "".join(f"<li>{html.escape(note)}</li>" for note in result.notes)
        parts.append(f"<ul>{items}</ul>")
    parts.append(_charts(result))
    return "\n".join([*parts, "</div>"])


class Progress:
    """Shows how far long work is, from a second on; tqdm does it where there is one."""

    def __init__(self, what: str):
        self.what, self.begun, self.bar = what, time.monotonic(), None

    def __call__(self, done: float) -> bool:
        if self.bar is None and time.monotonic() - self.begun > 1.0:
            self.bar = self._make()
        if self.bar is not None:
            self.bar(done)
        return False

    def _make(self):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return self._plain
        bar = tqdm(total=100, desc=self.what, bar_format="{desc}: {percentage:3.0f}% {bar}")

        def show(done):
            bar.n = round(100 * done)
            bar.refresh()

        self.close = bar.close
        return show

    def _plain(self, done: float) -> None:
        print(f"\r{self.what}: {100 * done:3.0f}%", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.bar is not None:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def watched() -> bool:
    """Does somebody look: a terminal or a notebook?"""
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)

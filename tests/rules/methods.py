# SPDX-License-Identifier: Apache-2.0
"""Each page of a method has its parts, and the index lists it.

usage: methods.py ROOT

Question, formula, assumptions, when not to use it, measured coverage (or evidence, with the
command that makes it), references.  Pages of doc/methods that are of no method (how numbers are
made, what was measured) have nothing to assume and are named below.  A page is at most 900 words.
"""
import pathlib
import re

import rule

OTHERS = {"README.md", "coverage.md", "numbers.md", "papers.md", "simulation.md"}
MOST_WORDS = 900
PARTS = {
    "question": r"^## The question|^\*\*?Question\.|^\*\*The question\.|^\*How sure [^*]*\?\*",
    "formula": r"^    \S.*=|^\| .*[=(^].*\|$",
    "assumptions": r"^## Assumptions$",
    "when not to use it": r"^## When (it fails|not to use it)",
    "measured coverage": r"^## (Evidence|Measured)",
    "references": r"^## References$",
}


def check(root):
    folder = pathlib.Path("doc/methods")
    pages = sorted(p for p in rule.tracked(root) if p.parent == folder and p.suffix == ".md")
    index = folder / "README.md"
    listed = ""
    if index in pages:
        listed = (pathlib.Path(root) / index).read_text(encoding="utf-8")
    for page in pages:
        if page.name in OTHERS:
            continue
        if f"({page.name})" not in listed:
            yield f"{index}: does not list {page.name}"
        text = (pathlib.Path(root) / page).read_text(encoding="utf-8")
        for part, pattern in PARTS.items():
            if not re.search(pattern, text, re.M):
                yield f"{page}: no part '{part}'"
        if len(text.split()) > MOST_WORDS:
            yield f"{page}: {len(text.split())} words, at most {MOST_WORDS}"
        evidence = text.partition("\n## Evidence")[2].partition("\n## ")[0]
        if evidence and not re.search(r"`(?:intervale |study |unit/|--)|^    intervale ", evidence, re.M):
            yield f"{page}: the evidence names no command that makes it"


PAGE = ("# A\n*Question.* What?\n\n    x = 1\n\n## Assumptions\n## When it fails\n"
        "## Evidence\n`intervale study a`\n## References\n")
SOUND = {"doc/methods/README.md": "[a](a.md) [numbers](numbers.md)\n", "doc/methods/a.md": PAGE,
         "doc/methods/numbers.md": "# Numbers\n"}
PLANTED = [({"doc/methods/a.md": PAGE.replace(gone, "")}, f"no part '{part}'") for part, gone in (
    ("question", "*Question.* What?"), ("formula", "    x = 1"),
    ("assumptions", "## Assumptions"), ("when not to use it", "## When it fails"),
    ("measured coverage", "## Evidence"),
    ("references", "## References"))] + [
    ({"doc/methods/a.md": PAGE.replace("`intervale study a`", "")}, "names no command"),
    ({"doc/methods/a.md": PAGE + "word " * 900}, "words, at most 900"),
    ({"doc/methods/b.md": PAGE}, "does not list b.md")]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

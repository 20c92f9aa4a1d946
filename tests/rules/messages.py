# SPDX-License-Identifier: Apache-2.0
"""Every row of a message has a claim: a command line that says it, and one that does not.

usage: messages.py ROOT

The claims are in tests/cli/messages.py and tests/cli/coverage_warnings.py, which carry
them out.
"""
import pathlib
import re

import rule

ROW = re.compile(r'\{\s*"([a-z0-9.-]+)",\s*IV_(?:ERROR|WARNING|NOTE)\b')
CLAIM = re.compile(r'\bclaim\(\s*"([a-z0-9.-]+)"')


def check(root):
    claims = set()
    for name in ("messages.py", "coverage_warnings.py"):
        claims |= set(CLAIM.findall((pathlib.Path(root) / "tests" / "cli" / name)
                                    .read_text(encoding="utf-8")))
    rows = {}
    for path, text in rule.sources(root, "src", "cli"):
        for found in ROW.finditer(text):
            rows.setdefault(found[1], f"{path}:{text.count(chr(10), 0, found.start()) + 1}")
    for name in sorted(set(rows) - claims):
        yield f"{rows[name]}: no claim about '{name}' in tests/cli/messages.py"
    for name in sorted(claims - set(rows)):
        yield f"tests/cli: a claim about '{name}', which no row has"
    if not rows:
        yield "no row of a message found"


MADE = "tests/cli/messages.py"
COVER = "tests/cli/coverage_warnings.py"
ROWS = "src/base/rows.c"
SOUND = {ROWS: '{ "a.few", IV_WARNING, NULL, "Few." },\n{ "a.many",\n  IV_NOTE, NULL, "Many." },\n',
         MADE: 'claim("a.few", "a few", "a many")\n', COVER: '    claim("a.many", one, two)\n'}
PLANTED = [
    ({MADE: ""}, f"{ROWS}:1: no claim about 'a.few'"),
    ({COVER: ""}, f"{ROWS}:2: no claim about 'a.many'"),
    ({MADE: SOUND[MADE] + 'claim("a.old", "a", "b")\n'}, "a claim about 'a.old', which no row has"),
    ({ROWS: "", MADE: "", COVER: ""}, "no row of a message"),
]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

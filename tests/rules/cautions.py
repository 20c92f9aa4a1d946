# SPDX-License-Identifier: Apache-2.0
"""Each threshold of a warning is a row of src/result/cautions.c: its page exists, the words or
figures it rests on are there, messages it decides exist, and the code uses it.

usage: cautions.py ROOT
"""
import pathlib
import re

import rule

TABLE = "src/result/cautions.c"
ROW = re.compile(r'^    \[(IV_\w+)\] = \{([^,]+),((?:\s*"[^"]*"){1,4}),((?:\s*"[^"]*")+),'
                 r'\s*"([^"]*)",((?:\s*"[^"]*")+),\s*([0-9.]+) \}', re.M)
ID = re.compile(r"^[a-z-]+\.[a-z-]+$")


def words(literals):
    """String literals side by side, as one line."""
    return " ".join("".join(re.findall(r'"([^"]*)"', literals)).split())


def check(root):
    root = pathlib.Path(root)
    sources = dict(rule.sources(root, "src"))
    table = sources.pop(pathlib.Path(TABLE), "")
    names = re.findall(r"^    \[(IV_\w+)\]", table, re.M)
    rows = {m[1]: m for m in ROW.finditer(table)}
    header = sources.pop(pathlib.Path(TABLE.replace(".c", ".h")), "")
    listed = re.search(r"typedef enum iv_caution \{(.*?)\} iv_caution;",
                       rule.without_comments(header), re.S)
    code = "\n".join(rule.without_comments(text) for text in sources.values())
    for name in re.findall(r"IV_\w+", listed[1] if listed else "")[:-1]:
        if name not in names:
            yield f"{TABLE}: no row of {name}"
    for name in names:
        if name not in rows:
            yield f"{TABLE}: {name}: expected a number, what is counted, what is decided, a page, "\
                  "a cell, a figure"
            continue
        _, _, _, decides, page, cell, measured = rows[name].groups()
        path = root / "doc" / page
        text = " ".join(path.read_text(encoding="utf-8").split()) if path.is_file() else None
        if text is None:
            yield f"{TABLE}: {name}: there is no page doc/{page}"
        elif not words(cell) or words(cell) not in text:
            yield f"{TABLE}: {name}: doc/{page} does not say '{words(cell)}'"
        elif float(measured) and not words(cell).endswith(measured):
            yield f"{TABLE}: {name}: '{words(cell)}' has no {measured}"
        for message in filter(ID.match, words(decides).split()):
            if f'"{message}"' not in code:
                yield f"{TABLE}: {name}: there is no message '{message}'"
        if not re.search(rf"\b{name}\b", code):
            yield f"{TABLE}: {name} is not used"
    if not names:
        yield f"{TABLE}: no row"


HEADER = TABLE.replace(".c", ".h")
PAGE, USER = "doc/methods/few.md", "src/stat/few.c"
SOUND = {TABLE: '    [IV_FEW] = { 5, "items", "a.few",\n'
                '        "methods/few.md", "Below 5 items: "\n        "0.83", 0.83 },\n',
         HEADER: "typedef enum iv_caution { IV_FEW, IV_CAUTIONS } iv_caution;\n",
         PAGE: "# Few\n\nBelow 5\nitems: 0.83 was measured.\n",
         USER: 'say("a.few", n < iv_caution_at(IV_FEW));\n'}
PLANTED = [
    ({PAGE: None}, "no page doc/methods/few.md"),
    ({PAGE: "Below 6 items: 0.83\n"}, "does not say 'Below 5 items: 0.83'"),
    ({TABLE: SOUND[TABLE].replace(", 0.83 }", ", 0.84 }")}, "has no 0.84"),
    ({USER: 'say("a.few", n < 5);\n'}, "IV_FEW is not used"),
    ({USER: 'say("a.less", IV_FEW);\n'}, "no message 'a.few'"),
    ({HEADER: "typedef enum iv_caution { IV_FEW, IV_MORE, IV_CAUTIONS } iv_caution;\n"},
     "no row of IV_MORE"),
    ({TABLE: "    [IV_FEW] = { 5 },\n"}, "expected a number"),
    ({TABLE: ""}, "no row"),
]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

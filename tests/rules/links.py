# SPDX-License-Identifier: Apache-2.0
"""Links between the documents lead somewhere: to a file, and to a heading of it.

usage: links.py ROOT
"""
import os
import pathlib
import re

import rule


def anchors(text):
    """The anchors that headings get, and those set by hand."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    names = set(re.findall(r'<a id="([^"]+)">', text))
    for title in re.findall(r"^#+ +(.*?)\s*$", text, re.M):
        title = re.sub(r"<[^>]*>|`", "", title)
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()
        names.add(re.sub(r"[^\w\- ]", "", title).replace(" ", "-"))
    return names


def check(root):
    root = pathlib.Path(root)
    files = set(rule.tracked(root))
    folders = {parent for path in files for parent in path.parents}
    pages = {p: (root / p).read_text(encoding="utf-8") for p in files if p.suffix == ".md"}
    for page, text in sorted(pages.items()):
        plain = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text,
                       flags=re.M | re.S)
        for m in re.finditer(r"\]\(([^)\s]+)\)", plain):
            where = f"{page}:{plain.count(chr(10), 0, m.start()) + 1}"
            path, _, anchor = m[1].partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            target = page if not path else pathlib.Path(os.path.normpath(page.parent / path))
            if target not in files and target not in folders:
                yield f"{where}: there is no {m[1]}"
            elif anchor and target in pages and anchor not in anchors(pages[target]):
                yield f"{where}: {target} has no heading for #{anchor}"


SOUND = {
    "README.md": "# Top\n[a](doc/a.md) [b](doc/a.md#one-two) [c](#top) [d](https://x.y/z) [e](doc)\n"
                 "```\n[no](nowhere)\n```\n",
    "doc/a.md": '## One `two`\n[up](../README.md)\n<a id="x"></a>\n[x](#x)\n',
}
PLANTED = [
    ({"doc/a.md": "## One `two`\n[up](README.md)\n"}, "doc/a.md:2: there is no README.md"),
    ({"doc/a.md": "## One three\n"}, "README.md:2: doc/a.md has no heading for #one-two"),
    ({"README.md": "\n[a](#none)\n"}, "README.md:2: README.md has no heading"),
]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

# SPDX-License-Identifier: Apache-2.0
"""The documents as a web site: pages of documents, commands and interfaces, search, examples that run in
the page, and the tool in the browser.  Needs no network, and no packages but Python's own.

usage: site.py FOLDER TOOL [WEB]

TOOL is the intervale that says its options (schema) and tries the examples; WEB is the folder of
tools/web.sh, without which nothing runs in the pages.  A link that leads nowhere is an error.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import site_examples
import site_pages
from site_markdown import Page, blocks

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/RESULTS.md", "examples/README.md",
             "packaging/README.md", "python/intervale/guide.md")
FRONT = (("Start", "start.html"), ("Which command?", "doc/choosing.html"), ("Commands", "commands/index.html"),
         ("How to", "doc/howto/index.html"), ("Methods", "doc/methods/index.html"), ("C", "c/index.html"),
         ("Python", "python/index.html"))


def resolve(page, target, pages, copies, bad):
    """Where a link leads, relative to the page."""
    if re.match(r"[a-z]+:", target):
        return target
    path, _, anchor = target.partition("#")
    here = pathlib.PurePosixPath(page.name).parent
    if not path:
        if anchor not in page.anchors:
            bad.append(f"{page.source}: no heading #{anchor}")
        return target
    source = pathlib.PurePosixPath(os.path.normpath(page.source.parent / path))
    if (ROOT / source).is_dir() and str(source / "README.md") in pages:
        source = source / "README.md"
    if str(source) in pages:
        other = pages[str(source)]
        if anchor and anchor not in other.anchors:
            bad.append(f"{page.source}: {source} has no heading #{anchor}")
        name = other.name
    elif (ROOT / source).is_file():
        copies.add(str(source))
        name = str(source) if source.suffix == ".svg" else f"{source}.txt"
    else:
        bad.append(f"{page.source}: {target} is not there")
        return target
    return os.path.relpath(name, here or ".") + (f"#{anchor}" if anchor else "")


def frame(page, body, has_tool):
    up = "../" * str(page.name).count("/")
    front = (*FRONT, ("In the browser", "tool/index.html")) if has_tool else FRONT
    links = "".join(f'<a href="{up}{name}"{" aria-current=page" if name == page.name else ""}>{html.escape(title)}</a>'
                    for title, name in front)
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width,initial-scale=1">'
            f'<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
            f"<title>{html.escape(page.title)}{'' if page.name == 'index.html' else ' - intervale'}</title>"
            f'<link rel="stylesheet" href="{up}site.css">\n<script src="{up}site.js" data-up="{up}"'
            f'{" data-tool" if has_tool else ""} defer></script></head>\n'
            f'<body{" class=front" if page.name == "index.html" else ""}><a class="skip" href="#main">To the content</a>'
            f'<header><a class="name" href="{up}index.html">intervale</a><nav aria-label="Site">{links}</nav>'
            f'<search><input id="search" type="search" placeholder="Search (press /)" aria-label="Search" '
            f'autocomplete="off"></search></header>\n<ol id="found" aria-live="polite" aria-label="Found" hidden></ol>'
            f'<main id="main" tabindex="-1">{body}</main>\n</body></html>\n')


def front_page(readme, commands, has_tool):
    """What it is, a command with its answer, a picture, whom it is for: from the README."""
    text = readme.text
    page = Page(pathlib.PurePosixPath("README.md"))
    page.name, page.title = "index.html", "intervale: the score, and how sure it is"
    lead = re.search(r"^# intervale\n\n(.*?)\n\n", text, re.S | re.M)[1]
    table, = re.findall(r"(^\| you \|.*?\n)\n", text, re.S | re.M)
    console = re.search(r"^## Search\n.*?(```console\n.*?```\n)", text, re.S | re.M)[1]
    how = re.search(r"^\*\*How to\*\*: (.*?)\n\n", text, re.S | re.M)[1]
    picture = re.search(r"(!\[[^\]]*\]\(doc/img/eval\.svg\))", text)[1]
    cards = []
    for row in table.strip().split("\n")[2:]:
        you, ask, command = (c.strip() for c in row.strip("|").split("|"))
        names = dict.fromkeys(c.split()[0] for c in re.findall(r"`([^`]+)`", command))
        files = {n: next(c for c in commands if c.split()[0] == n) for n in names}
        links = " ".join(f'<a href="{site_pages.command_file(c)}">{n}</a>' for n, c in files.items())
        cards.append(f"<li><b>You {html.escape(you)}</b><span>{html.escape(site_pages.capital(ask))}</span><span>{links}</span></li>")
    examples = blocks(console.split("\n"), page)  # the second is the one that is shown
    shown = re.findall(r"<figure.*?</figure>", examples, re.S)[1]
    tool = '<a class="button" href="tool/index.html">Try it in the browser</a>' if has_tool else ""
    return page, (f'<div class="hero"><div><h1>The score, and how sure it is</h1>{blocks([lead], page)}'
                  f'<p class="actions"><a class="button go" href="start.html">Start</a>{tool}'
                  f'<a class="button" href="doc/choosing.html">Which command?</a></p></div>'
                  f"<div>{blocks([picture], page)}</div></div>{shown}"
                  f'<h2>For whom</h2><ul class="cards">{"".join(cards)}</ul>'
                  f"<h2>How to</h2>{blocks([how], page)}")


def documents():
    sources = [s for s in DOCUMENTS if (ROOT / s).exists()]
    sources += sorted(str(p.relative_to(ROOT)) for p in (ROOT / "doc").rglob("*.md"))
    return {s: Page(pathlib.PurePosixPath(s)) for s in sources}


def with_examples(body, page, runner):
    """The body with what lets the page run its examples."""
    if not page.examples:
        return body
    runs = runner.run(getattr(page, "manual", None), page.examples, page.files)
    return re.sub(r' data-example="(\d+)"', lambda m: f' data-run="{html.escape(runs[int(m[1])])}"'
                  if runs[int(m[1])] else "", body)


def index_of(page, body):
    """Entries of the search: each section of a page; an option of a command is one."""
    plain = lambda part: " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part)).split())  # noqa: E731
    keywords = getattr(page, "keywords", "")
    parts = re.split(r'(?=<(?:h[1-3]|tr) id=")', body)
    out = []
    for n, part in enumerate(parts):
        anchor = re.match(r'<(?:h[1-3]|tr) id="([^"]+)"', part)
        heading = re.match(r'<(?:h[1-3]|tr) id="[^"]+">(?:<td>)?(.*?)</(?:h[1-3]|td)>', part, re.S)
        title = plain(heading[1]) if heading else ""
        if n == 0 or plain(part):
            out.append([page.name + (f"#{anchor[1]}" if anchor and n else ""), page.title,
                        "" if title == page.title else title, plain(part)[:4000], keywords if n == 0 else ""])
    return out


def dead_links(out):
    """Links of the pages that lead to no file, or to no anchor."""
    texts = {p.relative_to(out).as_posix(): p.read_text(encoding="utf-8") for p in out.rglob("*.html")}
    anchors = {n: set(re.findall(r'\sid="([^"]+)"', t)) for n, t in texts.items()}
    for name, text in sorted(texts.items()):
        if name.startswith("tool/"):
            continue
        for target in re.findall(r'(?:href|src)="([^"]*)"', text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = html.unescape(target).partition("#")
            place = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if path.endswith("/"):
                place = f"{place}/index.html"
            if not (out / place).is_file():
                yield f"{name}: {target} is not there"
            elif anchor and not place.startswith("tool/") and anchor not in anchors.get(place, ()):
                yield f"{name}: no anchor {target}"


def write_pages(out, everything, runner, pages, has_tool):
    """Writes pages and what they link to; returns the search index and dead links."""
    copies, bad, index = set(), [], []
    for page, body in everything:
        if isinstance(page, Page):
            body = re.sub("\1([^\1]*)\1", lambda m, p=page: html.escape(resolve(
                p, html.unescape(m[1]), pages, copies, bad)), body)
        elif not has_tool:
            body = re.sub(r"<p><a [^>]*data-tool>.*?</p>", "", body)
        if page.name != "index.html":
            index += index_of(page, body)
        place = out / page.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(frame(page, with_examples(body, page, runner), has_tool), encoding="utf-8")
    for name in copies:
        place = out / (name if name.endswith(".svg") else f"{name}.txt")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, place)
    for name, content in runner.files.items():
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_bytes(content)
    return index, bad, len(copies)


def main(folder, tool, web=None):
    out = pathlib.Path(folder)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    schema = json.loads(subprocess.run([tool, "schema"], check=True, capture_output=True).stdout)
    pages = documents()
    made = [*site_pages.commands(schema, pages), *site_pages.c_pages(),
            *site_pages.python_pages({c["name"] for c in schema["commands"]})]
    everything = [front_page(pages["README.md"], [c["name"] for c in schema["commands"]], web is not None)]
    everything += [(p, blocks(p.text.split("\n"), p)) for p in pages.values()] + [(p, p.body) for p in made]
    if web:
        shutil.copytree(web, out / "tool")
    runner = site_examples.Runner(tool)
    try:
        index, bad, copies = write_pages(out, everything, runner, pages, web is not None)
    finally:
        runner.close()
    for name, sources in (("site.css", ("src/report/web/design.css", "tools/site_layout.css")),
                          ("site.js", ("tools/site_script.js",))):
        (out / name).write_text("".join((ROOT / s).read_text(encoding="utf-8") for s in sources), encoding="utf-8")
    (out / "index.js").write_text(f"window.searchIndex = {json.dumps(index)};\n", encoding="utf-8")
    bad += dead_links(out)
    for line in bad:
        print(line, file=sys.stderr)
    runs = sum((out / p.name).read_text(encoding="utf-8").count("data-run=") for p, _ in everything)
    print(f"{out}: {len(everything)} pages, {copies} files, {runs} examples that run, {len(bad)} dead links")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

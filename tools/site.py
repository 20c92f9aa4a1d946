# SPDX-License-Identifier: Apache-2.0
"""The documents as a web site: one page a document, with search; no network, no
packages but Python's own.

usage: site.py FOLDER

The first page is a question, its answer and a picture, taken from README.md.  Links
between documents lead to pages, links into the source to a copy of the file, and a
link that leads nowhere is an error.
"""
import html
import json
import os
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STYLE = """:root{color-scheme:light dark}
body{max-width:46rem;margin:0 auto;padding:1rem;font:17px/1.55 system-ui,sans-serif}
nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:baseline;border-bottom:1px solid #8886}
nav b{margin-right:auto}nav input{font:inherit;width:11rem}
pre{overflow-x:auto;padding:.7rem;background:#8881;font-size:13.5px;line-height:1.4}
code{font-family:ui-monospace,monospace;font-size:.9em}table{border-collapse:collapse}
div.t{overflow-x:auto}td,th{padding:.2rem .6rem;border-bottom:1px solid #8884;text-align:left;
vertical-align:top}img{max-width:100%;background:#fff}#found{list-style:none;padding:0}
#found mark{background:#fd08}h1,h2,h3{line-height:1.25}"""
SCRIPT = """const box=document.querySelector('#search'),list=document.querySelector('#found');
let index=null;
async function find(){const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);
 list.replaceChildren();if(!words.length)return;
 index??=window.searchIndex;
 const hits=index.map(e=>({...e,score:words.reduce((s,w)=>{const n=e.text.toLowerCase()
  .split(w).length-1;const t=e.title.toLowerCase().includes(w)?20:0;
  return s===null||n+t===0?null:s+n+t},0)})).filter(e=>e.score!==null)
  .sort((a,b)=>b.score-a.score).slice(0,12);
 for(const h of hits){const li=document.createElement('li'),a=document.createElement('a');
  a.href=base+h.page;a.textContent=h.title;li.append(a);
  const at=h.text.toLowerCase().indexOf(words[0]);
  li.append(' \\u2013 '+h.text.slice(Math.max(0,at-50),at+90));list.append(li)}
 if(!hits.length)list.textContent='Nothing found.'}
box.addEventListener('input',find);"""


class Page:
    """A document and what becomes of it."""

    def __init__(self, source):
        self.source = source
        self.name = {"README.md": "start.html"}.get(str(source)) or str(
            source.with_suffix(".html"))
        if source.name == "README.md" and str(source) != "README.md":
            self.name = str(source.parent / "index.html")
        self.text = (ROOT / source).read_text(encoding="utf-8")
        self.title = re.search(r"^# (.+)$", self.text, re.M)[1]
        self.anchors = set()
        self.links = []


def slug(text):
    plain = re.sub(r"<[^>]+>", "", text).lower()
    return re.sub(r"[^\w\- ]", "", html.unescape(plain)).strip().replace(" ", "-")


def inline(text, page):
    """Emphasis, code, links and pictures of one piece of text."""
    codes = []

    def keep(m):
        codes.append(f"<code>{html.escape(m[2].strip())}</code>")
        return f"\0{len(codes) - 1}\0"

    def link(m):
        page.links.append(m[3])
        target = html.escape(m[3])
        if m[1]:
            return f'<img src="\1{target}\1" alt="{m[2]}">'
        return f'<a href="\1{target}\1">{m[2]}</a>'

    def mark(m):
        page.anchors.add(m[1])
        codes.append(m[0])
        return f"\0{len(codes) - 1}\0"

    text = re.sub(r"(`+)(.+?)\1", keep, text, flags=re.S)
    text = re.sub(r'<a id="([^"]+)"></a>', mark, text)
    text = html.escape(text, quote=False)
    text = re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", link, text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text, flags=re.S)
    text = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?!\w)", r"<i>\1</i>", text)
    return re.sub("\0(\\d+)\0", lambda m: codes[int(m[1])], text)


def table(lines, page):
    rows = [[c.replace("\\|", "|") for c in re.split(r"(?<!\\)\|", l.strip().strip("|"))]
            for l in lines]
    out = ["<div class=t><table>"]
    for i, row in enumerate(r for n, r in enumerate(rows) if n != 1):
        tag = "th" if i == 0 else "td"
        out.append("<tr>" + "".join(f"<{tag}>{inline(c.strip(), page)}</{tag}>"
                                    for c in row) + "</tr>")
    return "\n".join(out + ["</table></div>"])


def items(lines, page):
    """A list, perhaps with lists inside."""
    kind = "ol" if re.match(r"\s*\d+\.", lines[0]) else "ul"
    width = len(lines[0]) - len(lines[0].lstrip())
    out, current = [f"<{kind}>"], []

    def close():
        if current:
            first = re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", current[0])
            indent = len(current[0]) - len(first)
            inner = [l[indent:] if not l[:indent].strip() else l.lstrip() for l in current[1:]]
            out.append(f"<li>{blocks([first, *inner], page, True)}</li>")

    for line in lines:
        begins = re.match(r"(\s*)(?:[-*]|\d+\.)\s", line)
        if begins and len(begins[1]) <= width:
            close()
            current = []
        current.append(line)
    close()
    return "\n".join(out + [f"</{kind}>"])


def blocks(lines, page, tight=False):
    """Lines of Markdown as HTML."""
    out, i = [], 0
    while i < len(lines):
        line = lines[i]
        j = i + 1
        if not line.strip() or line.startswith("<!--"):
            while line.startswith("<!--") and "-->" not in lines[j - 1]:
                j += 1
        elif line.lstrip().startswith("```"):
            while not lines[j].lstrip().startswith("```"):
                j += 1
            out.append(f"<pre><code>{html.escape(chr(10).join(lines[i + 1:j]))}</code></pre>")
            j += 1
        elif heading := re.match(r"(#{1,6}) (.*)", line):
            text = inline(heading[2], page)
            name = slug(text)
            page.anchors.add(name)
            out.append(f'<h{len(heading[1])} id="{name}">{text}</h{len(heading[1])}>')
        elif line.lstrip().startswith("|"):
            while j < len(lines) and lines[j].lstrip().startswith("|"):
                j += 1
            out.append(table(lines[i:j], page))
        elif re.match(r"\s*(?:[-*]|\d+\.)\s", line):
            while j < len(lines) and (lines[j].startswith("  ") or re.match(
                    r"(?:[-*]|\d+\.)\s", lines[j]) or (not lines[j].strip() and j + 1 < len(lines)
                    and re.match(r"  +\S|(?:[-*]|\d+\.)\s", lines[j + 1]))):
                j += 1
            out.append(items([l for l in lines[i:j] if l.strip()], page))
        elif line.startswith("    "):
            while j < len(lines) and (lines[j].startswith("    ") or not lines[j].strip()):
                j += 1
            out.append(f"<pre><code>{html.escape(chr(10).join(l[4:] for l in lines[i:j]))}"
                       "</code></pre>")
        else:
            while j < len(lines) and lines[j].strip() and not re.match(
                    r"```|#{1,6} |\||(?:[-*]|\d+\.)\s", lines[j].lstrip()):
                j += 1
            text = inline("\n".join(lines[i:j]), page)
            out.append(text if tight and not out else f"<p>{text}</p>")
        i = j
    return "\n".join(out)


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


def frame(page, body, front):
    up = "../" * str(page.name).count("/")
    links = "".join(f' <a href="{up}{p.name}">{html.escape(t)}</a>' for t, p in front)
    return (f'<!doctype html>\n<html lang="en"><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{html.escape(page.title)}</title><style>{STYLE}</style>\n"
            f'<nav><b><a href="{up}index.html">intervale</a></b>{links}'
            f'<input id="search" type="search" placeholder="Search" aria-label="Search"></nav>'
            f'<ul id="found"></ul>\n<main>{body}</main>\n'
            f'<script>const base="{up}"</script><script src="{up}index.js"></script>'
            f"<script>{SCRIPT}</script>\n</html>\n")


def front_page(readme):
    """A question, an answer and a picture, from the README."""
    text = readme.text
    question = re.search(r"(^## Search\n.*?```console\n.*?```\n)", text, re.S | re.M)[1]
    picture = re.search(r"(!\[[^\]]*\]\(doc/img/eval\.svg\))", text)[1]
    words = re.search(r"^# intervale\n\n(.*?\n\n.*?\n)\n", text, re.S | re.M)[1]
    return f"# intervale\n\n{question}\n{picture}\n\n{words}\n[Begin here](README.md).\n"


def main(folder):
    out = pathlib.Path(folder)
    sources = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/RESULTS.md",
               "examples/README.md", "packaging/README.md"]
    sources += sorted(str(p.relative_to(ROOT)) for p in (ROOT / "doc").rglob("*.md"))
    pages = {s: Page(pathlib.PurePosixPath(s)) for s in sources if (ROOT / s).exists()}
    first = Page(pathlib.PurePosixPath("README.md"))
    first.name, first.text = "index.html", front_page(pages["README.md"])
    everything = [first, *pages.values()]
    bodies = {p.name: blocks(p.text.split("\n"), p) for p in everything}
    copies, bad, index = set(), [], []
    front = [(t, pages[s]) for t, s in (
        ("Use", "README.md"), ("Which method", "doc/choosing.md"),
        ("Methods", "doc/methods/README.md"), ("Measures", "doc/measures.md"),
        ("Formats", "doc/formats.md"))]
    shutil.rmtree(out, ignore_errors=True)
    for p in everything:
        body = re.sub("\1([^\1]*)\1", lambda m, p=p: html.escape(resolve(
            p, html.unescape(m[1]), pages, copies, bad)), bodies[p.name])
        place = out / p.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(frame(p, body, front), encoding="utf-8")
        if p is not first:
            plain = html.unescape(re.sub(r"<[^>]+>", " ", body))
            index.append({"page": p.name, "title": p.title, "text": " ".join(plain.split())})
    for name in copies:
        place = out / (name if name.endswith(".svg") else f"{name}.txt")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, place)
    (out / "index.js").write_text(f"window.searchIndex={json.dumps(index)};\n", encoding="utf-8")
    for line in bad:
        print(line, file=sys.stderr)
    print(f"{out}: {len(everything)} pages, {len(copies)} files, {len(bad)} dead links")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-License-Identifier: Apache-2.0
"""Markdown of the documents as HTML, for tools/site.py."""
import html
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent


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
        self.examples = []  # lines of console blocks, for tools/site_examples.py
        self.files = dict(re.findall(r"^```text ([\w.-]+)\n(.*?)^```", self.text, re.M | re.S))


def slug(text):
    plain = re.sub(r"<[^>]+>", "", text).lower()
    return re.sub(r"[^\w\- ]", "", html.unescape(plain)).strip().replace(" ", "-")


def inline(text, page):
    """Emphasis, code, links and pictures of one piece of text."""
    codes = []

    def keep(m):
        options = re.sub(r"(?<!\S)--?[a-z][\w-]*", r"<span>\g<0></span>", html.escape(m[2].strip()))
        codes.append(f"<code>{options}</code>")
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
    out = ['<div class="scroll"><table>']
    for i, row in enumerate(r for n, r in enumerate(rows) if n != 1):
        cells = [(inline(c.strip(), page), "th" if i == 0 and c.strip() else "td") for c in row]
        wide = [" class=long" if len(c) > 80 and len(row) > 2 else "" for c in row]
        out.append("<tr>" + "".join(f"<{tag}{w}>{text}</{tag}>" for (text, tag), w in zip(cells, wide)) + "</tr>")
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


def fenced(kind, text, page):
    """A block of code.  A command and what it prints are an example, which a reader may run."""
    if kind != "console":
        name = re.match(r"text ([\w.-]+)$", kind)
        title = f"<figcaption>{name[1]}</figcaption>" if name else ""
        return f'<figure>{title}<pre><code>{html.escape(text)}</code></pre></figure>'
    return "".join(example(part.rstrip("\n"), page) for part in re.split(r"^(?=\$ )", text, flags=re.M) if part)


def example(text, page):
    line, _, shown = text.partition("\n")
    while line.endswith("\\"):
        more, _, shown = shown.partition("\n")
        line = line[:-1] + more.removeprefix("> ")
    page.examples.append(line.removeprefix("$ "))
    # A sentence wraps on a narrow screen; a row of a table, which has blanks between columns, does not.
    shown = "".join("\n" + (f"<span>{html.escape(row)}</span>" if row and "  " not in row else html.escape(row))
                    for row in shown.split("\n")) if shown else ""
    return (f'<figure class="example" data-example="{len(page.examples) - 1}"><pre><code>'
            f"<b>{html.escape(line)}</b>{shown}</code></pre></figure>")


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
            out.append(fenced(line.strip("` "), "\n".join(lines[i + 1:j]), page))
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

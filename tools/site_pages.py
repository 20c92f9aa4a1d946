# SPDX-License-Identifier: Apache-2.0
"""Pages that are not documents, for tools/site.py: a page per command from the option tables, and
the interfaces of C (from the headers) and Python (from its modules)."""
import ast
import html
import pathlib
import re
import runpy
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULES = ("pytest_plugin", "inspect_ai", "asreview", "mcp", "ir_measures", "pyterrier", "spark")


class Made:
    """A page as tools/site.py wants it: its name, title, body and examples.  up leads to the site's top."""

    def __init__(self, name, title, body, keywords="", brief=""):
        self.name, self.title, self.body, self.keywords = name, title, body, keywords
        self.brief = brief
        self.examples, self.files = [], {}
        self.manual = None


def escape(text):
    return html.escape(text, quote=False)


def capital(text):
    return text[:1].upper() + text[1:]


def linked(text, names):
    """Text with --options as code and names of commands as links."""
    text = escape(text)
    text = re.sub(r"(?<![\w-])(--[a-z][a-z-]*)", r"<code class=option>\1</code>", text)
    return re.sub(r"(?<![\w-])intervale ([a-z]+(?: [a-z]+)?)", lambda m: next(
        (f'<a href="{n.replace(" ", "-")}.html">intervale {n}</a>{m[1][len(n):]}' for n in (m[1], m[1].split()[0])
         if n in names), m[0]), text)


def prose(text, names):
    return "\n".join(f"<pre>{escape(part)}</pre>" if part.startswith(" ") else f"<p>{linked(part, names)}</p>"
                     for part in text.split("\n\n"))


def command_file(name):
    return f"commands/{name.replace(' ', '-')}.html"


# ---------------------------------------------------------------- commands --

def option_row(option, names):
    value = f" <i>{escape(option['value'])}</i>" if option.get("value") else ""
    spelled = [f"-{option['letter']}"] if option.get("letter") else []
    spelled += [f"--{option['name']}"] if option.get("name") else []
    key = option.get("name") or option["letter"]
    words = option.get("words") or []
    more = f"<br><span class=soft>One of: {escape(', '.join(words))}.</span>" if words else ""
    if option.get("usual"):
        more += f"<br><span class=soft>Default: {escape(option['usual'])}.</span>"
    text = linked(capital(option["help"]), names)
    return (f'<tr id="option-{key}"><td><code>{", ".join(spelled)}{value}</code></td>'
            f"<td>{text}{'' if text.endswith(('.', '?')) else '.'}{more}</td></tr>")


def option_tables(command, names):
    """The command's own options by their headings, then those that many commands share, folded."""
    groups, shared = [("Options", [])], []
    for option in command["options"]:
        if option["kind"] == "heading":
            groups.append((option["help"], []))
        else:
            (shared if option.get("shared") else groups[-1][1]).append(option_row(option, names))
    head = "<tr><th>option</th><th>what it does</th></tr>"
    out = [f"<h2>{escape(title)}</h2><div class=scroll><table class=options>{head}{''.join(rows)}</table></div>"
           for title, rows in groups if rows]
    if shared:
        out.append(f"<h2>Options of many commands</h2><details><summary>{len(shared)} options: confidence, format, "
                   f"output and others</summary><div class=scroll><table class=options>{head}{''.join(shared)}"
                   "</table></div></details>")
    return "\n".join(out)


def command_page(command, names, read_more, asked):
    name = command["name"]
    usage = "\n".join(f"intervale {name} [OPTION...] {way}".rstrip()
                      for way in command.get("operands", "").split(" | "))
    page = Made(command_file(name), f"intervale {name}", "", " ".join(asked), command["summary"])
    page.manual = f"intervale-{name.replace(' ', '-')}.1"
    shown = []
    for example in command.get("examples") or []:
        page.examples.append(example["line"])
        shown.append(f"<p>{linked(example['shows'], names)}</p>"
                     f'<figure class="example" data-example="{len(page.examples) - 1}"><pre><code>'
                     f"<b>$ {escape(example['line'])}</b></code></pre></figure>")
    form = (f'<p><a class=button href="../tool/#{name.replace(" ", "-")}" data-tool>Open the form in the browser'
            "</a></p>") if command.get("reports") else ""
    more = "".join(f'<li><a href="../{p.name}">{escape(p.title)}</a></li>' for p in read_more)
    page.body = (f"<h1>intervale {name}</h1><p class=lead>{escape(capital(command['summary']))}</p>"
                 f"<pre><code>{escape(usage)}</code></pre>{prose(command['description'], names)}{form}"
                 + (f"<h2>Examples</h2>{''.join(shown)}" if shown else "") + option_tables(command, names)
                 + (f"<h2>Read more</h2><ul>{more}</ul>" if more else ""))
    return page


def questions(text, names):
    """The rows of the page of questions that name each command."""
    found = {n: [] for n in names}
    for row in re.findall(r"^\|(.*)\|$", text, re.M):
        for code in re.findall(r"`([a-z][^`]*)`", row):
            words = code.removeprefix("intervale ").split()
            name = next((n for n in (" ".join(words[:2]), words[0]) if n in found), None)
            if name:
                found[name].append(re.sub(r"\]\([^)]*\)|[`\[|*]", " ", row))
    return found


def commands(schema, pages):
    """A page per command, and the list of them."""
    names = [c["name"] for c in schema["commands"]]
    asked = questions(pages["doc/choosing.md"].text, names)
    made, groups = [], {}
    for command in schema["commands"]:
        name = re.escape(command["name"])
        more = [p for s, p in pages.items() if s.startswith("doc/") and "/" in s and len(re.findall(
            rf"(?:intervale |`){name}(?![\w-])", p.text)) >= 2][:8]
        page = command_page(command, names, more, asked[command["name"]])
        made.append(page)
        groups.setdefault(command["group"], []).append((command, page))
    body = ["<h1>Commands</h1><p class=lead>A page for each, with its options and examples.</p>"]
    for group, members in groups.items():
        rows = "".join(f'<tr><td><a href="{p.name.split("/")[1]}">{c["name"]}</a></td><td>{escape(c["summary"])}</td>'
                       "</tr>" for c, p in members)
        body.append(f"<h2>{group}</h2><div class=scroll><table>{rows}</table></div>")
    return [Made("commands/index.html", "Commands", "\n".join(body)), *made]


# ----------------------------------------------------------------------- C --

def comment_text(comment):
    """A C comment as HTML: paragraphs, and code where it is indented."""
    lines = [re.sub(r"^ ?\*( |$)", "", line) for line in
             re.sub(r"^/\* ?|\s*\*/$", "", comment.strip()).strip("\n").split("\n")]
    text = "\n".join(lines).strip("\n")
    return "\n".join(f"<pre>{escape(part)}</pre>" if part.startswith("  ") else f"<p>{escape(part)}</p>"
                     for part in re.split(r"\n\s*\n", text) if part.strip())


def declared(code):
    """The name that a declaration introduces."""
    m = re.search(r"\b(?:struct|enum|union) (iv_\w+)[^;]*\{|\b(iv_\w+)\(|#define (IV_\w+)|\b(iv_\w+);", code)
    return next((g for g in m.groups() if g), None) if m else None


def header(path):
    """The page of a header: comments at the margin are text, what follows is code."""
    text = path.read_text(encoding="utf-8").split("*/", 1)[1]
    parts = re.findall(r'^#include "(intervale/\w+/(\w+)\.h)"', text, re.M)
    text = re.sub(r"^(#(include|if|ifn?def|else|endif|define \w+_H$).*|IV_(BEGIN|END)_C)$", "", text, flags=re.M)
    brief, body, seen = "", [], []
    if parts and f"/{path.stem}/" in parts[0][0]:
        rows = "".join(f'<li><a href="{name}.html"><code>{file}</code></a></li>' for file, name in parts)
        body.append(f"<ul>{rows}</ul>")
    for comment, code in re.findall(r"(^/\*.*?\*/)|((?:^(?!/\*)[^\n]*\n)+)", text, re.M | re.S):
        rule = re.match(r"/\* -+ (.*?) -+ \*/", comment)
        if rule:
            body.append(f"<h2 class=part>{escape(rule[1].capitalize())}</h2>")
        elif comment:
            body.append(comment_text(comment))
            if not brief:  # the lead, which is not repeated below
                brief = " ".join(re.sub(r"[/*]+", " ", comment).split()).split(" -- ")[-1].split(". ")[0]
                words = r"\s+".join(map(re.escape, escape(brief).rstrip(".").split()))
                body[-1] = re.sub(rf"^<p>(\w+ --\s+)?{words}\.?\s*(</p>)?",
                                  lambda m: "" if m[2] else "<p>", body[-1])
        for part in re.split(r"\n\s*\n", code):
            part = part.strip("\n")
            if not part.strip():
                continue
            name = declared(part)
            if name and name not in seen:
                seen.append(name)
                body.append(f'<h2 id="{name}"><code>{name}</code></h2>')
                if len(body) > 1 and body[-2].startswith("<p>"):
                    body[-2:] = [body[-1], body[-2]]
            body.append(f"<pre><code>{escape(part)}</code></pre>")
    links = " · ".join(f'<a href="#{n}">{n}</a>' for n in seen)
    toc = f"<details><summary>{len(seen)} declarations</summary><p class=toc>{links}</p></details>" if seen else ""
    title = path.relative_to(ROOT / "include").as_posix()
    page = Made(f"c/{path.stem}.html", title, f"<h1><code>{title}</code></h1><p class=lead>{escape(brief)}</p>"
                + toc + "\n".join(body), "C library function " + " ".join(seen), brief)
    page.names = seen
    return page


def c_pages():
    made = [header(p) for p in sorted((ROOT / "include/intervale").rglob("*.h"))]
    rows = "".join(f'<tr><td><a href="{p.name.split("/")[1]}"><code>{p.title}</code></a></td><td>{escape(p.brief)}</td>'
                   f"<td class=n>{len(p.names)}</td></tr>" for p in made)
    body = ('<h1>The C library</h1><p class=lead>Public headers. <code>#include &lt;intervale.h&gt;</code> has all.</p>'
            '<p>How a program uses it: <a href="../doc/howto/program.html">a guide</a> and '
            '<a href="../examples/index.html">complete programs</a>.</p>'
            f"<div class=scroll><table><tr><th>header</th><th>subject</th><th>declarations</th></tr>{rows}</table></div>")
    return [Made("c/index.html", "The C library", body, "C library headers functions"), *made]


# ------------------------------------------------------------------ Python --

def doc_text(text):
    """A docstring as HTML."""
    return "\n".join(f"<pre>{escape(textwrap.dedent(part))}</pre>" if part.startswith(("    ", ">>>"))
                     else f"<p>{escape(part)}</p>" for part in re.split(r"\n\s*\n", text or "") if part.strip())


def python_entry(node, prefix, examples=()):
    """A function or class with its signature, docstring and example."""
    is_class = isinstance(node, ast.ClassDef)
    signature = "" if is_class else f"({ast.unparse(node.args)})"
    out = [f'<h2 id="{node.name}"><code>{prefix}{node.name}</code></h2>',
           f"<pre><code>{'class ' if is_class else ''}{node.name}{escape(signature)}</code></pre>",
           doc_text(ast.get_docstring(node))]
    if node.name in examples:
        out.append(doc_text(examples[node.name]))
    for part in node.body if is_class else []:
        if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
            out.append(f"<h3><code>.{part.name}({escape(ast.unparse(part.args))})</code></h3>"
                       + doc_text(ast.get_docstring(part)))
    return "\n".join(out)


def python_module(path, public=None):
    """(docstring, entries) of the public functions and classes of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = [n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))
             and (n.name in public if public else not n.name.startswith("_"))]
    return ast.get_docstring(tree), nodes


def python_pages(names):
    folder = ROOT / "python/intervale"
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    public = next(set(ast.literal_eval(n.value)) for n in tree.body if isinstance(n, ast.Assign)
                  and getattr(n.targets[0], "id", "") == "__all__")
    about, nodes = python_module(folder / "__init__.py", public)
    examples = runpy.run_path(str(folder / "_examples.py"))["EXAMPLES"]
    for name in ("_result.py", "_evaluator.py", "_base.py"):
        nodes += python_module(folder / name, public)[1]
    body = ["<h1>The Python package</h1><p class=lead>Functions do what the commands do, and take their options by "
            'name. <a href="../doc/python.html">A guide</a> comes first.</p>', doc_text(about)]
    for node in sorted(nodes, key=lambda n: n.name.lower()):
        body.append(python_entry(node, "intervale.", examples))
        command = {"evaluate": "eval", "evaluate_scores": "eval", "compare_scores": "compare",
                   "prf_paired": "prf"}.get(node.name, node.name.replace("_", " "))
        if command in names and isinstance(node, ast.FunctionDef):
            body.append(f'<p>Options: those of <a href="../{command_file(command)}">intervale {command}</a>, '
                        "with _ for -.</p>")
    made = [Made("python/index.html", "The Python package", "\n".join(body), "Python API functions")]
    for name in MODULES:
        about, nodes = python_module(folder / f"{name}.py")
        made.append(Made(f"python/{name}.html", f"intervale.{name}", f"<h1><code>intervale.{name}</code></h1>"
                         + doc_text(about) + "\n".join(python_entry(n, f"{name}.") for n in nodes), "Python"))
    rows = "".join(f'<li><a href="{p.name.split("/")[1]}"><code>{p.title}</code></a></li>' for p in made[1:])
    made[0].body += f"<h2>Modules beside other packages</h2><ul>{rows}</ul>"
    return made

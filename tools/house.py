# SPDX-License-Identifier: Apache-2.0
"""Counts how large the project is, and holds each count to its recorded maximum.

usage: house.py ROOT [--tool INTERVALE] [--check | --update]

Without a switch it prints the counts.  --check fails when a count is above the maximum in
tools/house.txt.  --update lowers the record to today's counts, those of lines and words
rounded up: a small change leaves the record alone, growth is noticed.  A maximum is raised only
by hand, in the commit that needs it, with a reason.  --tool adds the counts that need the tool.
"""
import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "rules"))
import c_names  # noqa: E402
import rule  # noqa: E402

RECORD = "tools/house.txt"
CODE = {".c", ".h", ".cpp", ".inc", ".def"}
MOST_COLUMNS = 100
# A maximum is a multiple of this, at least half of it above the count.
STEPS = {"code lines": 250, "words of README": 100, "words of CHANGELOG": 100,
         "words of doc": 100, "header lines that a .c file sees, median": 50,
         "header lines that a .c file sees, most": 250}
# Words of our own for what the field has a word for; what people read shall have none.
PRIVATE = re.compile(
    r"\b(told|errs|odd|oddit(?:y|ies)|spread|drawn|contest|scorecard|inquiry|rectified)\b"
    r"|\bholds? (?:less|more|its|their|the mean|0?\.\d)|cannot be told|shown to be|room for"
    r"|people's judgments|what people judged|machine's labels|made again|orders of systems"
    r"|near-copies|for certain|left out|of the kind\b|\bthese topics|difference that matters"
    r"|\bshares? of\b|looks at the data|\bso that\b|\bas such\b|\bto be had\b|\bfor want of\b|\blet go\b"
    r"|\btells? (?:nothing|of\b|whether)|tell(?:s|ing)? \w+(?: \w+)? apart", re.I)

# The same of names of columns.
COLUMN = re.compile(r'\{ "(?:\w+_)?(?:share|worth|apart|spread|drawn|holds|told|odd|doubt)(?:_\w+)?", IV_AT')


def module_of(path):
    return "/".join(path.parts[:2]) if path.parts[0] == "src" else path.parts[0]


def circles(files):
    """How many files use names of each other, directly or around a circle."""
    graph = c_names.graph_of_files({p: t for p, t in files.items() if p.suffix == ".c"})
    return sum(p in c_names.reached(graph, p) for p in graph)


def entered(files, name):
    """The modules whose definitions a command reaches, itself included."""
    graph, place = c_names.graph_of_names(files)
    return {module_of(place[key]) for key in c_names.reached(graph, (None, name)) | {(None, name)}
            if key in place} - {"include"}


def code_lines(text):
    return sum(1 for line in rule.without_comments(text).split("\n") if line.strip())


def header_lines(files):
    """For each .c file, the code lines of our headers that it sees through all its includes."""
    places = {re.sub(r"^(?:src|cli|include)/", "", str(p)): p for p in files if p.suffix == ".h"}
    size = {p: code_lines(files[p]) for p in places.values()}
    graph = {}
    for path, text in files.items():
        names = re.findall(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]',
                           rule.without_comments(text), re.M)
        graph[path] = {places[n] for n in names if n in places}
    return {p: sum(size[h] for h in c_names.reached(graph, p)) for p in files if p.suffix == ".c"}


def opens_with_comment(text):
    """A comment is the first thing below the licence."""
    return re.match(r"\s*/[*/]", text.partition("\n")[2]) is not None


def named_like_public(files):
    """Static functions of .c files that have the prefix of public ones."""
    return sum(d.static and d.is_function and d.name.startswith("iv_")
               for p, t in files.items() if p.suffix == ".c" for d in c_names.definitions(t))


def private_words(text):
    """How many stand in the texts of a C file: literals with a blank, not names and formats."""
    plain = rule.without_directives(rule.without_comments(text))
    literals = re.findall(r'"((?:\\.|[^"\\\n])*)"', plain)
    return sum(len(PRIVATE.findall(x)) for x in literals if " " in x) + len(COLUMN.findall(plain))


def words(root, names):
    return sum(len((pathlib.Path(root) / n).read_text(encoding="utf-8").split()) for n in names)


def counts_of_sources(root):
    tracked = rule.tracked(root)
    files = {p: (pathlib.Path(root) / p).read_text(encoding="utf-8") for p in tracked
             if p.suffix in CODE and p.parts[0] in ("src", "cli", "include")}
    out = collections.Counter()
    for path, text in files.items():
        plain = rule.without_comments(text)
        lines = code_lines(text)
        out["code lines"] += lines
        out[f"code lines of {module_of(path)}"] += lines
        out["lines over 100 columns"] += sum(len(x) > MOST_COLUMNS for x in text.split("\n"))
        out["private words in messages and help"] += private_words(text)
        if path.parts[0] == "cli":
            out["options declared"] += len(re.findall(r"^\s+(?:\{ )?OPT_(?!HEADING)[A-Z0-9_]+\(", plain, re.M))
        if path.parts[0] == "include":
            for line, _ in rule.declarations(text):
                stable = "IV_EXPERIMENTAL" not in text.split("\n")[line - 1]
                out["public functions"] += 1
                out["public functions, stable"] += stable
    out["files in circles"] = circles(files)
    seen = header_lines(files)
    out["header lines that a .c file sees, median"] = int(statistics.median(seen.values()))
    out["header lines that a .c file sees, most"] = max(seen.values())
    out["modules that a recall request enters"] = len(entered(files, "cmd_recall"))
    out["files without an opening comment"] = sum(not opens_with_comment(t)
                                                  for t in files.values())
    out["static functions with the public prefix"] = named_like_public(files)
    pages = [p for p in tracked if p.suffix == ".md" and p.parts[0] in ("doc", "README.md", "examples")]
    out["private words in documents"] = sum(
        len(PRIVATE.findall((pathlib.Path(root) / p).read_text(encoding="utf-8"))) for p in pages)
    out["words of README"] = words(root, ["README.md"])
    out["words of CHANGELOG"] = words(root, ["CHANGELOG.md"])
    out["words of doc"] = words(root, [p for p in tracked if p.parts[0] == "doc" and p.suffix == ".md"])
    return out


def counts_of_tool(tool):
    def run(*args):
        return subprocess.run([tool, *args], capture_output=True, text=True, check=True).stdout
    commands = json.loads(run("schema"))["commands"]
    pages = [run("help", *c["name"].split()) for c in commands]
    wrapped = sum(len(re.findall(r"\n  (?:-\w,|   ) --\S.*  \S.*\n {20}", p)) for p in pages)
    return {"lines of the longest help": max(p.count("\n") for p in pages),
            "options over a line in short help": wrapped}


def recorded(root):
    out = {}
    for line in (pathlib.Path(root) / RECORD).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, most = line.split("#")[0].rpartition(" ")
            out[name.strip()] = int(most)
    return out


def check(root, counts=None):
    most = recorded(root)
    for name, count in (counts or counts_of_sources(root)).items():
        if "code lines of" in name:
            continue  # shown; only their sum is held
        if name not in most:
            yield f"{RECORD}: no maximum for '{name}', now {count}"
        elif count > most[name]:
            yield (f"{name}: {count}, at most {most[name]}; remove something, or "
                   f"raise it in {RECORD} and give the reason in the commit")


def rounded(name, count):
    step = STEPS.get(name)
    return count if step is None else -(-(2 * count + step) // (2 * step)) * step


def update(root, counts):
    path = pathlib.Path(root) / RECORD
    most = recorded(root)
    head = [x for x in path.read_text(encoding="utf-8").splitlines() if x.startswith("#")]
    counts = {n: rounded(n, c) for n, c in counts.items()}
    both = {n: min(counts.get(n, m), m) for n, m in most.items() if n in counts or "help" in n}
    both.update({n: c for n, c in counts.items() if n not in most and "code lines of" not in n})
    path.write_text("\n".join(head + [f"{n} {both[n]}" for n in sorted(both)]) + "\n", encoding="utf-8")


def self_test():
    """A count that has gone blind fails too."""
    def files(**texts):
        return {pathlib.Path("src/base", n.replace("_", ".")): t for n, t in texts.items()}

    def expect(what, found, wanted):
        if found != wanted:
            sys.exit(f"self-test: {what}: {found}, expected {wanted}")
    back = "int iv_b(void)\n{\n    return iv_a();\n}\n"
    expect("no circle", circles(files(a_c="int iv_a(void)\n{\n    return s.iv_b;\n}\n", b_c=back)), 0)
    expect("a function behind IV_NAMES()", circles(files(
        a_c='IV_NAMES(iv_a_names, "x", "y")\n\nint iv_a(void)\n{\n    return iv_b();\n}\n', b_c=back)), 2)
    expect("a name that IV_NAMES() defines", circles(files(
        a_c='IV_NAMES(iv_a_names, "x")\nint iv_c(void)\n{\n    return iv_b();\n}\n',
        b_c="int iv_b(void)\n{\n    return !iv_a_names();\n}\n")), 2)
    expect("a table of functions", circles(files(
        a_c='static const row rows[] = { { "x", iv_b } };\nint iv_a(void)\n{\n    return 1;\n}\n',
        b_c=back)), 2)
    expect("a table that is used", circles(files(
        a_c="const int iv_rows[] = { 1 };\nint iv_a(void)\n{\n    return iv_b();\n}\n",
        b_c="int iv_b(void)\n{\n    return iv_rows[0];\n}\n")), 2)
    seen = header_lines(files(
        a_c='#include "base/a.h"\n#include "base/b.h"\n', a_h='#include "base/b.h"\n\n/* One.\n */\n',
        b_h="int x;\n"))
    expect("headers through headers, each once", list(seen.values()), [2])
    expect("modules of a request", entered({
        pathlib.Path("cli/a.c"): "const cmd cmd_recall = { run };\nstatic int run(void) { return iv_b(); }\n",
        pathlib.Path("src/x/b.c"): "int iv_b(void) { return 1; }\n",
        pathlib.Path("src/y/c.c"): "int iv_c(void) { return 1; }\n"}, "cmd_recall"), {"cli", "src/x"})
    head = f"/* {rule.SPDX} */\n"
    expect("opening comments", [opens_with_comment(head + x) for x in (
        "/* Counts. */\n", "\n/* Counts. */\n", '#include "a.h"\n/* Counts. */\n')], [True, True, False])
    expect("static functions", named_like_public(files(
        a_c="static int iv_a(void)\n{\n}\nstatic int b(void)\n{\n}\nint iv_c(void)\n{\n}\n")), 1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("root")
    p.add_argument("--tool")
    p.add_argument("--check", action="store_true")
    p.add_argument("--update", action="store_true")
    a = p.parse_args()
    counts = counts_of_sources(a.root)
    if a.tool:
        counts.update(counts_of_tool(a.tool))
    if a.update:
        update(a.root, counts)
    if a.check:
        self_test()
        found = list(check(a.root, counts))
        sys.exit("\n".join(found) if found else 0)
    for name in sorted(counts):
        print(f"{name:40} {counts[name]:8}")


if __name__ == "__main__":
    main()

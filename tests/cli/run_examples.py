# SPDX-License-Identifier: Apache-2.0
"""Every example of the manual runs, and what the documentation shows is true.

usage: run_examples.py TOOL ROOT

Examples run in a folder that holds the files they name: a small collection
made by the tool itself, and what is in tests/cli/examples.  An example that
needs another file gets it there, or in prepare() below.

In README.md and doc/, lines "$ intervale ..." of blocks fenced as ```console
run in such a folder too, and must print what stands below them; "..." stands
for any number of lines.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tool

ROOT = pathlib.Path(sys.argv[2])


def prepare(folder):
    """The files that examples name."""
    done = tool.run("simulate", "--topics", "60", "--documents", "200", "--runs", "4",
                    "--seed", "1", "-o", "made", cwd=folder)
    if done.returncode != 0:
        sys.exit(f"no collection for the examples: {done.stderr.decode()}")
    made = folder / "made"
    shutil.copy(made / "qrels", folder / "qrels")
    shutil.copytree(made / "runs", folder / "runs")
    for run, name in zip(sorted((made / "runs").iterdir()), ("run.txt", "runA", "runB", "bm25")):
        target = folder / ("runs/bm25" if name == "bm25" else name)
        text = run.read_text()
        target.write_text(text.replace(" " + run.name + "\n", f" {name}\n"))
    shutil.rmtree(made)
    topics = sorted({line.split()[0] for line in (folder / "qrels").read_text().splitlines()})
    (folder / "kinds.tsv").write_text("topic\tgroup\n" + "".join(
        f"{t}\t{'odd' if int(t) % 2 else 'even'}\n" for t in topics))
    # Numbers that look like scores: a fixed walk over [0, 1).
    rows = [[(i * 0.618034 + s * 0.0917 + i * i * 0.0713) % 1 for i in range(100)]
            for s in range(5)]
    matrix = "run," + ",".join(str(301 + i) for i in range(100)) + "\n" + "".join(
        f"sys{s}," + ",".join(f"{v:.4f}" for v in row) + "\n" for s, row in enumerate(rows))
    (folder / "scores.csv").write_text(matrix)
    (folder / "ap.csv").write_text(matrix)
    own = ROOT / "tests/cli/examples"
    if own.is_dir():
        shutil.copytree(own, folder, dirs_exist_ok=True)


def shell(line, folder):
    """Runs a line as a user would; the terminal shows both streams."""
    return subprocess.run(["sh", "-c", line], cwd=folder, env=tool.environment(), check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600)


def manual_examples(folder):
    """(page, line) of the examples of each manual page."""
    pages = folder / "pages"
    pages.mkdir()
    tool.expect(tool.run("manual", "--directory", str(pages)).returncode == 0, "no pages")
    for page in sorted(pages.iterdir()):
        examples = page.read_text().partition(".SH EXAMPLES\n")[2].partition("\n.SH")[0]
        for block in re.findall(r"^\.nf\n(.*?)^\.fi$", examples, re.M | re.S):
            line = block.strip().replace("\\&", "")
            for code, char in (("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ha", "^"),
                               ("\\(ti", "~"), ("\\e", "\\")):
                line = line.replace(code, char)
            yield page.name, line
    shutil.rmtree(pages)


def console_blocks(text):
    """(line, expected output) of the commands in ```console blocks."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for part in re.split(r"^(?=\$ )", block, flags=re.M):
            line, _, shown = part.partition("\n")
            while line.endswith("\\"): # a long command goes on
                more, _, shown = shown.partition("\n")
                line = line[:-1] + more.removeprefix("> ")
            if line.startswith("$ intervale"):
                yield line[2:], shown


def as_shown(shown, got):
    pattern = "".join("(?:[^\n]*\n)*" if s == "..." else re.escape(s) + r"[ ]*\n"
                      for s in shown.rstrip("\n").split("\n"))
    return re.fullmatch(pattern, got) is not None or not shown.strip() and not got.strip()


def check_manual():
    count = 0
    with tempfile.TemporaryDirectory(prefix="intervale-examples-") as name:
        folder = pathlib.Path(name)
        prepare(folder)
        for page, line in list(manual_examples(folder)):
            done = shell(line, folder)
            tool.expect(done.returncode == 0 and done.stdout, f"{page}: {line}\nexit",
                        done.returncode, done.stdout.decode())
            count += 1
    tool.expect(count >= 5, f"only {count} examples in the manual")


def check_page(page):
    blocks = list(console_blocks(page.read_text(encoding="utf-8")))
    if not blocks:
        return
    with tempfile.TemporaryDirectory(prefix="intervale-examples-") as name:
        folder = pathlib.Path(name)
        prepare(folder)
        for line, shown in blocks:
            done = shell(line, folder)
            got = done.stdout.decode()
            tool.expect(as_shown(shown, got), f"{page.name}: $ {line}\nshows\n{shown}\nbut is\n{got}")


def self_test():
    text = "```console\n$ intervale a\nx\n...\ny\n$ ls\n$ intervale b \\\n> c\n```\n"
    got = list(console_blocks(text))
    assert got == [("intervale a", "x\n...\ny\n"), ("intervale b c", "")], got
    assert as_shown("x\n...\ny\n", "x\n1\n2\ny\n") and not as_shown("x\n", "y\n")
    assert as_shown("", "") and not as_shown("", "x\n") and not as_shown("x\ny\n", "x\n")


self_test()
check_manual()
for document in [ROOT / "README.md", *sorted((ROOT / "doc").rglob("*.md"))]:
    if document.is_file():
        check_page(document)
tool.finish()

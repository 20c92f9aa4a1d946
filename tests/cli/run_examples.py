# SPDX-License-Identifier: Apache-2.0
"""Every example of the manual and of --help runs, every command has some and says
what to cite, and what the documentation shows is true.

usage: run_examples.py TOOL ROOT

The examples of a page run in a folder of their own that holds the files they
name: a small collection made by the tool itself (see prepare() below), what is
in tests/cli/examples, and what is in its folder named as the page.

In README.md and doc/, lines "$ intervale ..." of blocks fenced as ```console
run in such a folder too, and must print what stands below them; "..." stands
for any number of lines. A block fenced as ```text NAME is a file that is there
from then on.
"""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import tool

ROOT = pathlib.Path(sys.argv[2])
UPDATE = "--update" in sys.argv[3:]  # of the examples in pages
LIMIT = 3 # seconds; an example that works longer without complaint is good


def prepare(folder):
    """The files that examples name."""
    done = tool.run("simulate", "--topics", "60", "--documents", "200", "--runs", "6",
                    "--seed", "1", "-o", "made", cwd=folder)
    if done.returncode != 0:
        sys.exit(f"no collection for the examples: {done.stderr.decode()}")
    made = folder / "made"
    shutil.copy(made / "qrels", folder / "qrels")
    shutil.copytree(made / "runs", folder / "runs")
    for run, name in zip(sorted((made / "runs").iterdir()),
                         ("run.txt", "runA", "runB", "runC", "new", "bm25")):
        target = folder / ("runs/bm25" if name == "bm25" else name)
        text = run.read_text()
        target.write_text(text.replace(" " + run.name + "\n", f" {name}\n"))
    shutil.rmtree(made)
    lines = (folder / "qrels").read_text().splitlines(keepends=True)
    topics = sorted({line.split()[0] for line in lines})
    (folder / "full.qrels").write_text("".join(lines))
    (folder / "judged.qrels").write_text("".join(lines[::9]))
    (folder / "assessed.csv").write_text("topic,item,assessor,label\n" + "".join(
        f"{t},{d},{who},{int(g) if (i * 7 + k) % (6 + k) else 1 - min(int(g), 1)}\n"
        for i, (t, _, d, g) in enumerate(s.split() for s in lines[::9])
        for k, who in enumerate(("anna", "ben", "cara"))))
    (folder / "pilot.qrels").write_text("".join(s for s in lines if s.split()[0] in topics[:10]))
    # Automatic labels of all, wrong now and then; people's of a random sample.
    (folder / "llm.qrels").write_text("".join(
        f"{t} 0 {d} {1 - min(int(g), 1) if i % 11 == 0 else g}\n"
        for i, (t, _, d, g) in enumerate(s.split() for s in lines)))
    for name in ("sample.qrels", "sampled.qrels"):
        (folder / name).write_text("".join(random.Random(1).sample(lines, 1500)))
    chosen = set(random.Random(2).sample(range(200), 60))
    (folder / "answers.csv").write_text("system,item,repeat,document,kind,judge,human\n" + "".join(
        f"{s},q{i},{r},d{i // 4},{'long' if i % 3 else 'short'},{int(y or (i + r) % 9 == 0)},"
        f"{int(y) if r == 1 and i in chosen else ''}\n" for k, s in enumerate(("old", "new"))
        for i in range(200) for r in (1, 2, 3) for y in [i * 7919 % 100 < 60 + 10 * k]))
    # Labels and a score of a classifier, by group; a series of nights, in one file and in one a night.
    (folder / "loans.csv").write_text("id,gold,model,region\n" + "".join(
        f"{i},{i % 2},{(i % 2 + (i % 17 == 0)) % 2},{'east' if i % 5 < 2 else 'west'}\n" for i in range(400)))
    (folder / "risk.csv").write_text("id,gold,model,region\n" + "".join(
        f"{i},{i % 2},{(i % 2 * 40 + i * 7919 % 60) / 100},{'east' if i % 5 < 2 else 'west'}\n" for i in range(400)))
    (folder / "families.csv").write_text("document,family,segment\n" + "".join(
        f"m{i},f{i // 3},{'retrieved' if i < 900 else 'unretrieved'}\n" for i in range(3000)))
    nights = [(f"2026-03-{d:02d}", f"v{d}", i, (i * 7919 + d * 31) % 100 < 70) for d in range(1, 9) for i in range(60)]
    (folder / "history.csv").write_text("date,build,item,score\n" + "".join(
        f"{d},{b},{i},{int(y)}\n" for d, b, i, y in nights))
    (folder / "nights").mkdir()
    for night in sorted({d for d, *_ in nights}):
        (folder / "nights" / f"{night}.csv").write_text("date,system,item,score\n" + "".join(
            f"{night},{s},{i},{int(y) if s == 'new' else int(i % 10 < 7)}\n" for d, _, i, y in nights if d == night
            for s in ("main", "new")))
    (folder / "kinds.tsv").write_text("topic\tgroup\n" + "".join(
        f"{t}\t{'odd' if int(t) % 2 else 'even'}\n" for t in topics))
    # A sample, completed from the judgments.
    tool.run("sample", "--budget", "20", "-o", "judge.txt",
             *sorted(f"runs/{p.name}" for p in (folder / "runs").iterdir()), cwd=folder)
    if (folder / "judge.txt").exists():
        grade = {tuple(s.split()[0:3:2]): s.split()[3] for s in lines}
        filled = [s if s[0] == "#" else " ".join([*s.split()[:2], grade[tuple(s.split()[:2])],
                                                  *s.split()[3:]])
                  for s in (folder / "judge.txt").read_text().splitlines()]
        (folder / "judge.txt").write_text("\n".join(filled) + "\n")
    prepare_session(folder, lines)
    # Numbers that look like scores: a fixed walk over [0, 1).
    rows = [[(i * 0.618034 + s * 0.0917 + i * i * 0.0713) % 1 for i in range(100)]
            for s in range(5)]
    matrix = "run," + ",".join(str(301 + i) for i in range(100)) + "\n" + "".join(
        f"sys{s}," + ",".join(f"{v:.4f}" for v in row) + "\n" for s, row in enumerate(rows))
    for name in ("scores.csv", "ap.csv"):
        (folder / name).write_text(matrix)
    (folder / "pilot.csv").write_text(matrix.replace("sys0,", "bm25,"))
    shutil.copytree(ROOT / "tests/cli/examples", folder, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("intervale*"))


def prepare_session(folder, lines):
    """A sample with texts, a session of it that is judged, and the strata of a review."""
    tool.run("sample", "--budget", "5", "-o", "sample.prels", "runA", "runB", cwd=folder)
    drawn = [s.split()[:2] for s in (folder / "sample.prels").read_text().splitlines()
             if s[0] != "#"]
    lists = {"hits": [f"h{i}" for i in range(20)], "rest": [f"r{i}" for i in range(60)]}
    (folder / "lists").mkdir()
    for name, documents in lists.items():
        (folder / "lists" / name).write_text("\n".join(documents) + "\n")
    (folder / "review.csv").write_text("stratum,segment,N,n,r\nhits,retrieved,20,10,0\n"
                                       "rest,unretrieved,60,30,0\n")
    (folder / "refs.ris").write_text("".join(f"TY  - JOUR\nTI  - Title of record {i}\nER  - \n" for i in range(500)))
    documents = {d for _, d in drawn}.union(*lists.values(), (s.split()[2] for s in lines))
    (folder / "corpus.jsonl").write_text("".join(
        f'{{"_id": "{d}", "title": "", "text": "text of {d}"}}\n' for d in sorted(documents)))
    (folder / "queries.jsonl").write_text("".join(
        f'{{"_id": "{t}", "text": "query {t}"}}\n' for t in sorted({t for t, _ in drawn})))
    shutil.copy(folder / "qrels", folder / "done.qrels")
    tool.run("judge", "new", "judge.db", "--design", "sample.prels", "--documents",
             "corpus.jsonl", cwd=folder)
    tool.run("judge", "import", "judge.db", "done.qrels", cwd=folder)
    tool.run("judge", "backup", "judge.db", "copy.db", cwd=folder)


def prepare_page(sandbox, folder, page):
    """The same for one manual page, with what it has of its own."""
    shutil.copytree(sandbox, folder)
    own = ROOT / "tests/cli/examples" / page.removesuffix(".1")
    if own.is_dir():
        shutil.copytree(own, folder, dirs_exist_ok=True)
    if page == "intervale-next.1": # something is left to be judged
        lines = (folder / "qrels").read_text().splitlines(keepends=True)
        (folder / "qrels").write_text("".join(lines[::20]))
    if page == "intervale-web.1":
        (folder / "build/web").mkdir(parents=True)
        for name in ("index.html", "intervale.js", "intervale.wasm"):
            (folder / "build/web" / name).write_text(
                '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">\n')
    if page == "intervale-judge-rank.1":
        (folder / "judge.db").unlink()
        (folder / "one.run").write_text("review Q0 d1 1 2 a\nreview Q0 d2 2 1 a\n")
        tool.run("judge", "new", "judge.db", "--queue", "one.run", "--missing-documents", "show-id", cwd=folder)
        (folder / "ranking.txt").write_text("d2\nd1\n")
    if page == "intervale-judge-duplicates.1":
        (folder / "two.ris").write_text("TY  - JOUR\nID  - 1\nTI  - A title that is long enough\nER  - \n"
                                        "TY  - JOUR\nID  - 2\nTI  - Another title, which is long\nER  - \n"
                                        "TY  - JOUR\nID  - 31\nTI  - A title that is long enough\nER  - \n"
                                        "TY  - JOUR\nID  - 7-12\nTI  - Another title, which is long\nER  - \n")
        tool.run("judge", "new", "screening.db", "--queue", "two.ris", cwd=folder)
    if page == "intervale-judge-serve.1":
        shutil.copy(folder / "judge.db", folder / "review.db")
    if page == "intervale-recall.1": # a sample of a collection of 5000
        (folder / "run.txt").write_text("".join(
            f"1 Q0 doc{d} {d + 1} {1000 - d} run\n" for d in range(600)))
        (folder / "judged.qrels").write_text("".join(
            f"1 0 doc{d} {int(d < 400 and d % 3 > 0)}\n" for d in range(0, 5000, 23)))


def shell(line, folder, limit=None):
    """Runs a line as a user would: (status, what the terminal shows).

    The status is None if it was still at work at the limit.
    """
    with subprocess.Popen(["sh", "-c", line], cwd=folder, env=tool.environment(),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True) as child:
        try:
            shown = child.communicate(timeout=limit)[0]
            return child.returncode, shown.decode()
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL) # the shell and what it started
            return None, child.communicate()[0].decode()


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
    """(line, expected output) of the commands in ```console blocks.

    A file is (None, (name, content)).
    """
    for name, content, block in re.findall(
            r"^```(?:text ([\w.-]+)\n(.*?)|console\n(.*?))^```", text, re.M | re.S):
        if name:
            yield None, (name, content)
            continue
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


def check_commands(examples):
    """Each command has an example, the same in --help-all."""
    overview = tool.run("help").stdout.decode()
    names = re.findall(r"^  ([a-z]+(?: [a-z]+)?)(?:  .*)?$", overview, re.M)
    tool.expect(len(names) >= 25, "only", len(names), "commands")
    for name in names:
        page = f"intervale-{name.replace(' ', '-')}.1"
        lines = [line for where, line in examples if where == page]
        tool.expect(any(re.search(rf"\bintervale {name}\b", s) for s in lines),
                    f"{page}: no example")
        shown = tool.run(*name.split(), "--help-all").stdout.decode()
        shown = re.findall(r"^  (\S.*)$", shown.partition("\nExamples:\n")[2], re.M)
        tool.expect(shown == lines, f"{name} --help-all has other examples than {page}")


def mentioned_options(text, names):
    """(command, option) of commands named in `code`, which may leave out intervale."""
    for span in re.findall(r"`([^`\n]+)`", text):
        words = span.removeprefix("intervale ").split()
        name = next((n for n in (" ".join(words[:2]), words[0]) if n in names), None)
        if name is not None:
            yield from ((name, w.split("=")[0]) for w in words if re.match(r"--?[A-Za-z]", w))


def check_mentioned(pages):
    """What the documents say a command takes, it takes."""
    overview = tool.run("help").stdout.decode()
    names = set(re.findall(r"^  ([a-z]+(?: [a-z]+)?)(?:  .*)?$", overview, re.M))
    seen, helps = set(), {n: tool.run(*n.split(), "--help-all").stdout.decode() for n in names}
    for page in pages:
        for name, option in mentioned_options(page.read_text(encoding="utf-8"), names):
            seen.add((name, option))
            known = helps[name]
            tool.expect(re.search(rf"^ *(?:-\w, )?{re.escape(option)}\b", known, re.M),
                        f"{page.name}: {name} does not take {option}")
    tool.expect(len(seen) >= 30, f"only {len(seen)} options are mentioned")


def check_manual():
    count = 0
    with tempfile.TemporaryDirectory(prefix="intervale-examples-") as name:
        sandbox = pathlib.Path(name) / "files"
        sandbox.mkdir()
        prepare(sandbox)
        examples = list(manual_examples(pathlib.Path(name)))
        check_commands(examples)
        for page, line in examples:
            folder = pathlib.Path(name) / page
            if not folder.exists():
                prepare_page(sandbox, folder, page)
            begun = time.monotonic()
            # An example begins without what it writes; others have the file as an input.
            for written in re.findall(r"(?:-o|--output|--write-matrix)[ =](\S+)", line):
                if (folder / written).is_file():
                    (folder / written).rename(folder / "aside")
            status, shown = shell(line, folder, LIMIT)
            if (folder / "aside").exists():
                (folder / "aside").rename(folder / written)
            print(f"{time.monotonic() - begun:6.1f} s  {line}", flush=True)
            complaint = re.search(r"^intervale[^:\n]*: (?!note: )", shown, re.M)
            no_pages = "--format html" in line and "format html is not in this build" in shown
            tool.expect(not complaint if status is None else status == 0 or no_pages,
                        f"{page}: {line}\nexit", status, shown)
            count += 1
    tool.expect(count >= 5, f"only {count} examples in the manual")


def update(page, line, shown, got):
    """Puts what a command prints now into the page, which showed something else."""
    text = page.read_text(encoding="utf-8")
    old = f"$ {line}\n{shown}"
    if "\n...\n" not in shown and text.count(old) == 1:
        new = "\n".join(x.rstrip() for x in got.split("\n"))
        page.write_text(text.replace(old, f"$ {line}\n{new}"), encoding="utf-8")


def check_page(page):
    blocks = list(console_blocks(page.read_text(encoding="utf-8")))
    if not blocks:
        return
    with tempfile.TemporaryDirectory(prefix="intervale-examples-") as name:
        folder = pathlib.Path(name)
        prepare(folder)
        for line, shown in blocks:
            if line is None:
                (folder / shown[0]).write_text(shown[1], encoding="utf-8")
                continue
            got = shell(line, folder)[1]
            if UPDATE and not as_shown(shown, got):
                update(page, line, shown, got)
                continue
            tool.expect(as_shown(shown, got), f"{page.name}: $ {line}\nshows\n{shown}\nbut is\n{got}")


def self_test():
    text = "```text f.x\nq\n```\n```console\n$ intervale a\nx\n...\ny\n$ ls\n" \
        "$ intervale b \\\n> c\n```\n```\nno\n```\n```text\nno\n```\n"
    got = list(console_blocks(text))
    assert got == [(None, ("f.x", "q\n")), ("intervale a", "x\n...\ny\n"),
                   ("intervale b c", "")], got
    assert as_shown("x\n...\ny\n", "x\n1\n2\ny\n") and not as_shown("x\n", "y\n")
    got = list(mentioned_options("`intervale a b --x` `a -q 1` `--y` `c --z=1`", {"a", "a b"}))
    assert got == [("a b", "--x"), ("a", "-q")], got
    assert as_shown("", "") and not as_shown("", "x\n") and not as_shown("x\ny\n", "x\n")


if __name__ == "__main__":
    self_test()
    if UPDATE:  # the pages alone
        for document in [ROOT / "README.md", *sorted((ROOT / "doc").rglob("*.md"))]:
            check_page(document)
        sys.exit(0)
    check_mentioned([ROOT / "README.md", ROOT / "doc/choosing.md", ROOT / "doc/formats.md",
                     *sorted((ROOT / "doc/methods").glob("*.md"))])
    check_manual()
    for document in [ROOT / "README.md", *sorted((ROOT / "doc").rglob("*.md"))]:
        if document.is_file():
            check_page(document)
    tool.finish()

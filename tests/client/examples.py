# SPDX-License-Identifier: Apache-2.0
"""The programs in examples/ print what the commands print.

usage: examples.py TOOL ROOT PROGRAM...

Each answers its question on a small collection, and every number must be the
command's, rounded as the program rounds it; and each refuses what it cannot
read with one line.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import tool  # pylint: disable=wrong-import-position

PROGRAMS = {pathlib.Path(p).stem: os.path.abspath(p) for p in sys.argv[3:]}
MOST_LINES = 60
RUNS = ["runs/sim01", "runs/sim02", "runs/sim03"]


def shown(name, *words, status=0):
    done = subprocess.run([PROGRAMS[name], *words], capture_output=True, text=True, check=False,
                          timeout=120)
    tool.expect(done.returncode == status, name, words, "exit", done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


def asked(*words):
    """The first rows of a command's tables, by name."""
    done = tool.run(*words, "--format", "json")
    tool.expect(done.returncode == 0, words, done.stderr)
    return {t["name"]: t["rows"] for t in json.loads(done.stdout)["tables"]}


def same(name, got, wanted):
    tool.expect(got == wanted, f"{name} prints\n{got}expected\n{wanted}")


def check_answers():
    r = asked("eval", "-m", "nDCG@10", "qrels", RUNS[0])["measures"][0]
    same("score_run", shown("score_run", "qrels", RUNS[0], "nDCG@10"),
         f"nDCG@10 {r['value']:.4f}, 95 % interval {r['lower']:.4f} to {r['upper']:.4f}, "
         "20 topics, 0 missing\n")
    # Scores that differ only beyond float: y counts as tied with x, and sorts first.
    pathlib.Path("near.qrels").write_text("1 0 x 1\n1 0 y 0\n2 0 x 1\n2 0 y 0\n",
                                          encoding="utf-8")
    pathlib.Path("near.run").write_text(
        "1 Q0 x 1 9.0000000001 t\n1 Q0 y 2 9 t\n2 Q0 x 1 9.1 t\n2 Q0 y 2 9 t\n",
        encoding="utf-8")
    r = asked("eval", "-m", "AP", "near.qrels", "near.run")["measures"][0]
    same("score_run", shown("score_run", "near.qrels", "near.run"),
         f"AP {r['value']:.4f}, 95 % interval {r['lower']:.4f} to {r['upper']:.4f}, "
         "2 topics, 0 missing\n")
    tool.expect(r["value"] == 0.75, "ties beyond float", r)

    r = asked("compare", "qrels", *RUNS[:2])["pairs"][0]
    same("compare_runs", shown("compare_runs", "qrels", *RUNS[:2]),
         f"a - b {r['difference']:.4f}, 95 % interval {r['lower']:.4f} to {r['upper']:.4f}, "
         f"p {r['p']:.4f}, 20 topics\n")

    lines = pathlib.Path("qrels").read_text(encoding="utf-8").splitlines(keepends=True)
    topics = sorted({s.split()[0] for s in lines})[:12]
    pathlib.Path("some.qrels").write_text("".join(s for s in lines if s.split()[0] in topics),
                                          encoding="utf-8")
    t = asked("recall", "--retrieved", "10000,500,350", "--unretrieved", "990000,2000,3",
              "--target", "0.75")
    r, y = t["recall"][0], t["yield"][2]
    same("recall_review", shown("recall_review", "10000", "500", "350", "990000", "2000", "3"),
         f"recall {r['recall']:.4f}, 95 % interval {r['lower']:.4f} to {r['upper']:.4f}\n"
         f"at least 0.75 with probability {r['p_target']:.4f}\n"
         f"{y['lower']:.0f} to {y['upper']:.0f} relevant documents in all\n")

    t = asked("prf", "--compare", "--counts", "A=80,20,40", "--counts", "B=75,10,45")
    a, b = t["metrics"][:3], t["metrics"][3:]
    same("score_classifier", shown("score_classifier", "80", "20", "40", "75", "10", "45"), "".join(
        f"{x['metric']} A {x['mean']:.4f} ({x['lower']:.4f} to {x['upper']:.4f}) "
        f"B {y['mean']:.4f} ({y['lower']:.4f} to {y['upper']:.4f}) "
        f"P(A > B) {c['probability']:.4f}\n" for x, y, c in zip(a, b, t["comparison"])))

    tool.run("sample", "--budget", "20", "--depth", "100", "-o", "judge.txt", *RUNS)
    drawn = re.sub(r"^# .*\n", "", pathlib.Path("judge.txt").read_text(encoding="utf-8"),
                   flags=re.M)
    tool.expect(drawn.count("\n") > 20 * 20, "no sample")
    same("draw_sample", re.sub(r"^# .*\n", "", shown("draw_sample", *RUNS), flags=re.M), drawn)

    r = asked("plan", "power", "--test", "t", "--sides", "two", "--effect", "0.3", "--power",
              "0.8")["power"][0]
    p = asked("plan", "power", "--test", "t", "--sides", "two", "--effect", "0.3", "--topics",
              str(r["topics"]))["power"][0]
    same("plan_power", shown("plan_power", "0.3", "0.8"),
         f"{r['topics']} topics find an effect of 0.3 with power {p['power']:.4f}\n")

    said = shown("plan_recall", "1000", "300", "0.4")
    n1, n0 = map(int, re.findall(r"judge (\d+) retrieved and (\d+) other", said)[0])
    rows = asked("plan", "recall", "--population", "1000", "--retrieved", "300", "--recall",
                 "0.7,0.9,0.9", "--precision", "0.5", "--width", "0.4")["plan"]
    together = [r for r in rows if r["recall"] is None][0]
    tool.expect((n1, n0) == (together["retrieved"], together["unretrieved"]), said, together)
    tool.expect(said.count("expect an interval of") == 2, said)


def array(text, name):
    """The words of an array in a C source."""
    words = re.search(rf"\b{name}\[ROWS\] = {{(.*?)}};", text, re.S)[1]
    return [w.strip().strip('"') for w in words.split(",")]


def check_report():
    """From arrays, the very bytes that the command writes from files: but for the files'
    names and sizes, which json and pages tell."""
    text = (ROOT / "examples" / "compare_report.c").read_text(encoding="utf-8")
    topics = array(text, "topics")
    with open("small.qrels", "w", encoding="utf-8") as out:
        for t, d, g in zip(topics, array(text, "judged"), array(text, "grades")):
            out.write(f"{t} 0 {d} {g}\n")
    for run in ("first", "second"):
        with open(run, "w", encoding="utf-8") as out:
            for k, (t, d) in enumerate(zip(topics, array(text, run))):
                out.write(f"{t} Q0 {d} {k % 3 + 1} {9 - k % 3} {run}\n")
    for form in ("text", "tsv", "csv", "json", "jsonl", "markdown", "latex", "html", "vega"):
        words = ["--format", form, "small.qrels", "first", "second"]
        made = tool.run("compare", *words)
        if b"not in this build" in made.stderr:
            continue
        said = shown("compare_report", form, "report", *words)
        got = pathlib.Path("report").read_bytes()
        files = rb'(?s)"inputs": \[.*?\]' if form.startswith("json") else rb"(?s)<dt>Inputs</dt>.*?</dd>\n?"
        tool.expect(re.sub(files, b"", got) == re.sub(files, b"", made.stdout), "compare_report",
                    form, "writes", got[:2000], "expected", made.stdout[:2000])
        if form == "text":
            tool.expect(got.startswith(said.encode()), "compare_report says", said)


def check_refusals():
    for name, words, part in (
            ("score_run", ["qrels"], "usage: "), ("score_run", ["nothing", RUNS[0]], "nothing"),
            ("score_run", ["qrels", RUNS[0], "mpa"], "map"),
            ("compare_runs", ["qrels", RUNS[0], "nothing"], "nothing"),
            ("compare_report", ["pdf", "report"], "usage: "),
            ("recall_review", ["10", "20", "5", "100", "10", "1"], "20"),
            ("score_classifier", ["1", "2", "x", "1", "2", "3"], "usage: "),
            ("draw_sample", [], "usage: "), ("draw_sample", ["nothing"], "nothing"),
            ("plan_power", ["0.3", "1.5"], "power"),
            ("plan_recall", ["10", "20", "0.1"], "retrieved")):
        said = shown(name, *words, status=1)
        tool.expect(part in said and said.count("\n") == 1, name, words, "says", said)


def check_sources():
    sources = sorted((ROOT / "examples").glob("*.c"))
    listed = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    tool.expect(sorted(PROGRAMS) == [s.stem for s in sources], "not tested:", sources)
    for source in [*sources, *sorted((ROOT / "examples").glob("*.py"))]:
        lines = source.read_text(encoding="utf-8").count("\n")
        tool.expect(lines < MOST_LINES, f"{source.name}: {lines} lines, under {MOST_LINES}")
        tool.expect(f"({source.name})" in listed, f"examples/README.md lacks {source.name}")


with tempfile.TemporaryDirectory(prefix="intervale-examples-") as folder:
    os.chdir(folder)
    made = tool.run("simulate", "--topics", "20", "--documents", "300", "--runs", "3", "--seed",
                    "4", "-o", "made")
    tool.expect(made.returncode == 0, made.stderr)
    os.symlink("made/qrels", "qrels")
    os.symlink("made/runs", "runs")
    check_sources()
    check_answers()
    check_report()
    check_refusals()
    os.chdir("/")
tool.finish()

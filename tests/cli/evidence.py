# SPDX-License-Identifier: Apache-2.0
"""The quick evidence: which published figures do not hold, and what intervals cover.

usage: evidence.py TOOL
"""
import csv
import io
import pathlib
import tempfile

import tool

# Besides these every figure agrees; each has its reason in the table.
WRONG = {
    "webber-numbers": {"n = 20: coverage of Wald"},
    "webber-scenarios": {"legal: mean N / 1000", "legal: mean n0"},
    "goutte-2": {"earn, ltc: linear > quadratic, %"},
    "carterette-numbers": {
        "3.2: h for power .60", "3.2: share of topics for power .60",
        "3.2: share of topics for power .95", "3.4: topics instead of 50 at certainty .8",
        "5.1: judgments at certainty .8", "5.1: topics at certainty .68",
        "5.2.1: certainty of least cost", "5.2.1: topics", "5.2.1: judgments",
        "5.2.1: judgments at that certainty"},
    "carterette-2": {"n = 25, h = 0.35: predicted", "n = 50, h = 0.25: predicted",
                     "n = 50, h = 0.35: predicted", "n = 100, h = 0.25: predicted"},
    "aslam-numbers": {"2.1: interval so made narrower by",
                      "eq 5: the same of its approximation"},
}
CELLS = {"webber-numbers": 5, "webber-scenarios": 18, "webber-ix": 54, "webber-x": 36,
         "webber-xii": 168, "goutte-numbers": 6, "goutte-1": 33, "goutte-2": 39,
         "carterette-numbers": 23, "carterette-2": 9, "aslam-numbers": 10}


def rows(*words, cwd=None):
    done = tool.run("study", "all", "--quick", "--format", "tsv", *words, cwd=cwd)
    tool.expect(done.returncode == 0, words, done.stderr.decode())
    return list(csv.DictReader(io.StringIO(done.stdout.decode()), delimiter="\t")), done


def check_papers():
    found, done = rows("--papers")
    count, differ = {}, {}
    for r in found:
        table = f"{r['paper']}-{r['table']}"
        count[table] = count.get(table, 0) + 1
        if r["verdict"] == "differs":
            differ.setdefault(table, set()).add(r["cell"])
            tool.expect(r["reason"] not in ("", "not explained"), "no reason", r)
        tool.expect(r["verdict"] in ("agrees", "differs"), r)
        if r["verdict"] == "agrees": # recomputed from the row
            tool.expect(abs(float(r["ours"]) - float(r["published"]))
                        <= float(r["tolerance"]) + 2e-6, r)
    tool.expect(count == CELLS, "cells", count)
    tool.expect(differ == WRONG, "differ", differ)
    notes = done.stderr.decode()
    for table in ("park-1", "park-2", "park-3", "carterette-2", "aslam-comparison", "aslam-1"):
        tool.expect(f"note: {table}: " in notes, "nothing said of", table)


def check_in_kind(folder):
    tool.expect(tool.run("simulate", "--topics", "20", "--documents", "300", "--runs", "8",
                         "-o", "made", cwd=folder).returncode == 0, "simulate")
    runs = sorted(f"made/runs/{p.name}" for p in (folder / "made/runs").iterdir())
    words = ["--papers", "--only", "aslam-comparison", "--only", "aslam-1", "--qrels",
             "made/qrels", *runs]
    found, one = rows(*words, "--threads", "1", cwd=folder)
    _, two = rows(*words, "--threads", "2", cwd=folder)
    tool.expect(one.stdout == two.stdout, "threads change the output")
    tool.expect({r["verdict"] for r in found} <= {"agrees", "differs", "other data"}, "verdicts")
    tool.expect(len([r for r in found if r["table"] == "comparison"]) == 62, len(found))
    for r in found: # a claim is that something is above 0
        if r["verdict"] != "other data":
            tool.expect((float(r["ours"]) > 0) == (r["verdict"] == "agrees"), r)


def check_coverage():
    parts = {"eval": 132, "compare": 0, "sample": 336}
    found, _ = rows("--coverage", *(w for p in parts for w in ("--only", p)))
    for part, count in parts.items():
        mine = [r for r in found if r["command"] == part]
        tool.expect(len(mine) == count or count == 0 < len(mine), part, len(mine))
    intervals = [r for r in found if r["below"] != ""]
    for r in intervals:
        total = sum(float(r[c]) for c in ("coverage", "below", "above"))
        tool.expect(abs(total - 1) < 1e-9, r)
    levels = {r["nominal"] for r in intervals}
    tool.expect(levels == {"0.8", "0.9", "0.95", "0.99"}, levels)


def check_usage():
    for words, part in ((["--only", "weber"], "did you mean 'webber'"),
                        (["--papers", "--only", "eval"], "names nothing"),
                        (["--qrels", "x"], "go together"),
                        (["--review", "x"], "go together")):
        done = tool.run("study", "all", *words)
        tool.expect(done.returncode == 2 and part in done.stderr.decode(), words, done.stderr)


with tempfile.TemporaryDirectory(prefix="intervale-evidence-") as name:
    check_usage()
    check_in_kind(pathlib.Path(name))
    check_coverage()
    check_papers()
tool.finish()

# SPDX-License-Identifier: Apache-2.0
"""Answers that a user of version 0.3 could believe wrongly, where no test of the subject has them.

usage: misled.py TOOL

On 0.3.0 every case fails.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])
rng = random.Random(4)
failures = []


def run(*words):
    return subprocess.run([TOOL, *words], capture_output=True, text=True, check=False)


def told(*words):
    return json.loads(run(*words, "--format", "json").stdout)


def rows(answer, table):
    return next(t["rows"] for t in answer["tables"] if t["name"] == table)


def write(name, header, lines):
    with open(name, "w", encoding="utf-8") as f:
        f.write(header + "\n" + "".join(",".join(str(x) for x in line) + "\n" for line in lines))
    return name


def one_standard_deviation():
    """plan topics and compare say the same of one file with repeats."""
    base = [rng.random() for _ in range(30)]
    file = write("repeats.csv", "system,item,repeat,score", [
        [s, i, k, round(min(1, max(0, b + 0.05 * (s == "a") + rng.gauss(0, 0.1))), 3)] for i, b in enumerate(base) for s in "ab" for k in range(3)])
    of = [rows(told(*words, "--scores", file), table)[0] for words, table in ((["plan", "topics"], "topics"), (["compare"], "pairs"))]
    assert of[0]["sd"] == of[1]["sd"] and of[0]["difference"] == of[1]["difference"], of


def ids_are_no_classifier():
    """A column that other commands take for ids is no score of roc."""
    for name in ("item", "doc_id", "question_id", "sample_id", "task_id", "instance_id", "topic", "query_id", "qid", "prompt_id"):
        file = write("roc.csv", f"{name},gold,main", [[i, i % 2, round(0.3 * (i % 2) + rng.random(), 3)] for i in range(40)])
        assert {r["system"] for r in rows(told("roc", file), "measures")} == {"main"}, name
    file = write("roc.csv", "topic,id,gold,main", [[i // 4, i, i % 2, round(rng.random(), 3)] for i in range(40)])
    for words in (("roc",), ("prf", "--threshold", "0.5", "--labels")):
        answer = told(*words, file)
        assert not any("topic" in r.values() for t in answer["tables"] for r in t["rows"]), answer
        assert any("'topic'" in n["text"] for n in answer["notes"]), answer["notes"]


def a_confusion_matrix_of_two():
    """Labels 0 and 1 need no --classes."""
    file = write("two.csv", "id,gold,a", [[i, i % 2, int(i % 5 > 1)] for i in range(40)])
    done = run("prf", "--labels", file, "--table", "confusion")
    assert done.returncode == 0 and "gold \\ predicted" in done.stdout, done


def colours_on_both_sides_of_zero():
    """Equal differences have equally dark colours, whatever their sign."""
    file = write("many.csv", "item,system,score", [[i, f"s{k}", round(rng.random() * 0.3 + (0.4 if k == 3 else k * 0.02), 3)]
                                                  for k in range(12) for i in range(30)])
    scales = re.findall(r'"scheme": "blueorange"[^}]*', run("compare", "--scores", file, "--format", "vega").stdout)
    assert scales, "no heat map"
    for scale in scales:
        low, high = json.loads(re.search(r'"domain": (\[[^\]]*\])', scale)[1])
        assert low == -high < 0, scale


def unused_files_are_refused():
    """papers names the papers that take data."""
    subprocess.run([TOOL, "simulate", "--topics", "4", "--documents", "20", "--runs", "2", "-o", "c", "--quiet"], check=True, capture_output=True)
    done = run("papers", "webber", "--quick", "--qrels", "c/qrels", "c/runs/sim01", "c/runs/sim02")
    assert done.returncode == 2 and "not used" in done.stderr, done


def tests_named_are_tests_made():
    """Above 1,000 items, and with clusters, no exact test decides."""
    def gate(count, words=()):
        file = write("gate.csv", "item,system,cluster,score" if words else "item,system,score", [
            [i, s, *([i // 4] if words else []), int((i * 7 + k * 3) % 10 < 7)] for i in range(count) for k, s in enumerate("ab")])
        return told("compare", "--scores", file, "--gate", "--baseline", "a", "--margin", "0.2")
    assert "exact" in gate(900)["method"]
    for answer in (gate(1200), gate(80, ("clusters",))):
        assert "exact" not in answer["method"], answer["method"]
    assert "Dean & Pagano" in gate(80, ("clusters",))["method"]


def a_margin_that_people_read():
    """Each tail of a margin test is a column that says its hypothesis in words."""
    file = write("two.csv", "item,system,score", [[i, s, round(rng.random(), 3)] for i in range(30) for s in "ab"])
    text = run("compare", "--scores", file, "--baseline", "a", "--margin", "0.03").stdout
    assert "p (loss below 0.03)" in text and "H1" not in text, text


def scores_of_distances():
    """-Z is trec_eval's: distances from the means of reference runs."""
    subprocess.run([TOOL, "simulate", "--topics", "4", "--documents", "20", "--runs", "2", "--seed", "1", "-o", "z", "--quiet"], check=True,
                   capture_output=True)
    value = ["eval", "--format", "trec", "-q", "-m", "map"]
    plain = dict(line.split()[1:] for line in run(*value, "z/qrels", "z/runs/sim01").stdout.splitlines())
    with open("standard", "w", encoding="utf-8") as f:
        f.writelines(f"{t} map 0.2 0.5\n" for t in plain)
    done = run(*value, "-Z", "standard", "z/qrels", "z/runs/sim01")
    assert done.returncode == 0, done.stderr
    turned = dict(line.split()[1:] for line in done.stdout.splitlines())
    assert plain and all(abs(float(turned[t]) - (float(v) - 0.2) / 0.5) < 2e-4 for t, v in plain.items()), (plain, turned)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for case in (one_standard_deviation, ids_are_no_classifier, a_confusion_matrix_of_two, colours_on_both_sides_of_zero, unused_files_are_refused,
                 tests_named_are_tests_made, a_margin_that_people_read, scores_of_distances):
        try:
            case()
        except Exception as e:  # each case is told
            failures.append(case.__name__)
            print(f"{case.__name__}: {type(e).__name__}: {str(e)[:400]}")
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)

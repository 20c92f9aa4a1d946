# SPDX-License-Identifier: Apache-2.0
"""Answers that a user of version 0.3 could believe wrongly, where no test of the subject has them.

usage: misled.py TOOL

On 0.3.0 every case fails; the last one reads the source.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
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


def a_measure_is_computed_or_refused():
    table = write("passes.csv", "system,item,score", [("a", i, i % 3 > 0) for i in range(9)])
    for name, told_why in (("pass@4", "needs 4 attempts of an item; the most is 1"),
                           ("nonsense", "the scores have no measure 'nonsense', but 'score'")):
        done = run("eval", "--scores", table, "-m", name)
        assert done.returncode != 0 and told_why in done.stderr and not done.stdout, done


def inspect_log(path, task, model, seed):
    """A log of Inspect as JSON: 40 items of a task, answered by a model."""
    mine = random.Random(seed)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"version": 2, "status": "success", "eval": {"task": task, "model": model, "eval_id": path}, "samples": [
            {"id": i, "epoch": 1, "input": f"{task} {i}", "scores": {"match": {"value": mine.choice("CCI")}}} for i in range(40)]}, f)
    return path


def what_logs_need():
    """Two prompts with one model, and two tasks with the same ids: the message names the option that works."""
    prompts = [inspect_log(f"prompts/{p}/log.json", "math", "mock/x", k) for k, p in enumerate(("terse", "polite"))]
    done = run("compare", "--scores", *prompts)
    assert done.returncode == 1 and "--columns system=@folder" in done.stderr, done
    pair = rows(told("compare", "--scores", "--columns", "system=@folder", *prompts), "pairs")[0]
    assert {pair["a"], pair["b"]} == {"terse", "polite"} and pair["topics"] == 40, pair
    tasks = [inspect_log(f"tasks/{t}.json", t, f"mock/{t}", k) for k, t in enumerate(("math", "facts"))]
    done = run("compare", "--scores", *tasks)
    assert done.returncode == 1 and "items of 2 sets (tasks) are different items: --columns set=@name:TEXT" in done.stderr, done
    assert rows(told("compare", "--scores", "--columns", "set=@name:all", *tasks), "pairs")[0]["topics"] == 40


def the_night_that_lost():
    """Of ten nights a gate names the one with the clearest loss, wherever it stands, whatever the verdict."""
    easy = [rng.uniform(0.5, 0.95) for _ in range(300)]
    for bad, worse, items, verdict in ((4, 9, 300, "FAIL"), (9, 4, 300, "FAIL"), (4, 9, 12, "INCONCLUSIVE")):
        loss = {bad: 0.25, worse: 0.45}
        file = write("nights.csv", "system,item,score", [
            [f"night-{t}" if t else "main", i, int(rng.random() < p - loss.get(t, 0))] for t in range(11) for i, p in enumerate(easy[:items])])
        answer = told("compare", "--scores", file, "--baseline", "main", "--gate", "--margin", "0.05")
        assert answer["verdict"] == verdict and f"night-{worse} " in answer["answer"].split(".")[0], answer["answer"]


def five_equal_clusters():
    """Four degrees of freedom are four, however they round: no answer has the warning of fewer."""
    for size in range(2, 10):
        for seed in range(4):
            mine = random.Random(10 * size + seed)
            file = write("five.csv", "item,group,score", [[i, i // size, round(mine.random(), 3)] for i in range(5 * size)])
            notes = told("eval", "--scores", file, "--columns", "cluster=group")["notes"]
            assert not any(n["id"] == "scores.few-units" for n in notes), (size, seed, notes)


SENTENCES = ("may shift all items at once", "estimate this poorly", "(H1:", "in such comparisons of TREC runs", "allow for rare cases with a large loss",
             "each a item", "a item ", "a assessor ")


def sentences_that_nobody_understood():
    """They stand in no text of the tool, however its source breaks the lines."""
    top, found = os.path.join(HERE, "..", ".."), 0
    for folder, _, files in (x for part in ("src", "cli") for x in os.walk(os.path.join(top, part))):
        for name in (f for f in files if f.endswith((".c", ".h"))):
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                text = re.sub(r'"\s*\n\s*"', "", f.read())
            found += text.count("of the")
            for s in SENTENCES:
                assert s not in text, (name, s)
    assert found > 1000, "no source"


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for case in (one_standard_deviation, ids_are_no_classifier, a_confusion_matrix_of_two, colours_on_both_sides_of_zero, unused_files_are_refused,
                 tests_named_are_tests_made, a_margin_that_people_read, scores_of_distances, what_logs_need, the_night_that_lost, five_equal_clusters,
                 a_measure_is_computed_or_refused, sentences_that_nobody_understood):
        try:
            case()
        except Exception as e:  # each case is told
            failures.append(case.__name__)
            print(f"{case.__name__}: {type(e).__name__}: {str(e)[:400]}")
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)

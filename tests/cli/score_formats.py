# SPDX-License-Identifier: Apache-2.0
"""Files of other tools are read as they are: every mean is the mean of what was written,
and a broken one is told with its line.

usage: score_formats.py TOOL
"""
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data"))
import score_files  # noqa: E402


def run(*arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)


def means(held):
    """By system and measure, the mean over sets of means over items of means over repeats."""
    cells = {}
    for (system, item, measure), values in held.items():
        where = item.split("/")[0] if "/" in item else ""
        cells.setdefault((system, measure), {}).setdefault(where, []).append(
            sum(values) / len(values))
    return {k: sum(sum(v) / len(v) for v in sets.values()) / len(sets) for k, sets in cells.items()}


def check(name, paths, held):
    said = run("eval", "--scores", "--format", "json", *paths)
    assert said.returncode == 0, (name, said.stderr)
    table = next(t for t in json.loads(said.stdout)["tables"] if t["name"] == "measures")
    found = {(r["run"], r["measure"]): r["value"] for r in table["rows"]}
    want = means(held)
    assert found.keys() == want.keys(), (name, sorted(found), sorted(want))
    for k, value in want.items():
        assert abs(found[k] - value) < 1e-12, (name, k, found[k], value)


def check_broken(path):
    """Cut in the middle of what the tool wrote, it is refused with file and line."""
    with open(path, "rb") as f:
        whole = f.read()
    cut = path + ".cut"
    with open(cut, "wb") as f:
        f.write(whole[:len(whole) * 2 // 3])
    said = run("eval", "--scores", cut)
    line = said.stderr.strip()
    assert said.returncode == 1 and "\n" not in line and f"{cut}:" in line, (path, said)


tool = sys.argv[1]
with tempfile.TemporaryDirectory() as folder:
    made = score_files.write_all(folder)
    for name, files in made.items():
        held = {k: v for one in files.values() for k, v in one.items()}
        if name == "lm_eval":  # the two tasks have measures of their own
            for task in ("gsm8k", "arc_easy"):
                some = [p for p in files if task in p]
                check(name, some, {k: v for p in some for k, v in files[p].items()})
        else:
            check(name, list(files), held)
        if name not in ("inspect_frame", "trec_eval"):
            check_broken(next(iter(files)))
    paths = [p for p in made["lm_eval"] if "gsm8k" in p]
    said = run("compare", "--scores", "--columns", "cluster=doc.page", "--binary", "-m",
               "exact_match,strict-match", *paths)
    assert said.returncode == 0 and "10 clusters" in said.stdout, said
    said = run("eval", "--scores", "--binary", *made["pytrec_eval"])
    assert said.returncode == 1 and "expected 0 or 1 of binary scores" in said.stderr, said
    # A suite: every set and all of them, with one correction, Holm's; and the first two.
    suite = os.path.join(folder, "suite.csv")
    with open(suite, "w", encoding="utf-8") as f:
        f.write("system,suite,item,score\n")
        for s, shift in enumerate((0.0, 0.02, 0.4)):
            for k, name in enumerate(("x", "y", "z")):
                f.writelines(f"s{s},{name},{i},{shift + (i * (7 + k + s) % 11) / 11}\n"
                             for i in range(15))
    told = json.loads(run("compare", "--scores", "--format", "json", suite).stdout)
    rows = next(t for t in told["tables"] if t["name"] == "set_pairs")["rows"]
    assert [r["set"] for r in rows[::3]] == ["all", "x", "y", "z"], rows
    highest, left = 0.0, len(rows)
    for r in sorted(rows, key=lambda r: r["p"]):
        highest = max(highest, min(1.0, left * r["p"]))
        left -= 1
        assert abs(r["p_adjusted"] - highest) < 1e-12, rows
    alone = os.path.join(folder, "alone.csv")
    with open(alone, "w", encoding="utf-8") as f:
        f.write("system,suite,item,score\na,x,1,0\na,x,2,1\na,y,1,1\nb,x,1,1\nb,x,2,1\nb,y,1,0\n")
    said = run("compare", "--scores", alone)
    assert said.returncode == 1 and "the set 'y' has one item only" in said.stderr, said
    sure = os.path.join(folder, "sure.csv")
    with open(sure, "w", encoding="utf-8") as f:
        f.write("system,suite,item,score\n")
        f.writelines(f"a,{k},{i},{0.5 * (k == 'x' or i % 3 > 0)}\n" for k in "xy"
                     for i in range(12))
    assert "warning: in 1 mean of a set fewer than 30" in run("eval", "--scores", sure).stdout
    # Of the suite's nine, one: i * 11 % 11 is always 0.
    assert "warning: in 1 mean of a set" in run("eval", "--scores", suite).stdout
    said = run("eval", "--scores", "--set-weight", "w=2", suite)
    assert said.returncode == 2 and "there is no set 'w', but 'x', 'y', 'z'" in said.stderr, said
    several = os.path.join(folder, "near.csv")
    with open(several, "w", encoding="utf-8") as f:
        f.write("system,item,score\n")
        f.writelines(f"s{s},{i},{(i * (5 + s) % 13) / 13 + 0.03 * s}\n" for s in range(3)
                     for i in range(30))
    told = json.loads(run("compare", "--scores", "--format", "json", several).stdout)
    assert any("the first two, cannot be told apart: about" in n for n in told["notes"]), told["notes"]
    # Seeds that move all items, and clusters that vary as wholes: no items more would do it.
    rng = random.Random(5)
    seeds, whole = os.path.join(folder, "seeds.csv"), os.path.join(folder, "whole.csv")
    with open(seeds, "w", encoding="utf-8") as f:
        f.write("system,item,repeat,score\n")
        for s in range(4):
            for r in range(3):
                moved = rng.gauss(0, 0.3)
                f.writelines(f"s{s},{i},{r},{moved + rng.gauss(0, 0.1)}\n" for i in range(30))
    with open(whole, "w", encoding="utf-8") as f:
        f.write("system,item,cluster,score\n")
        for c in range(10):
            for s in range(4):
                moved = rng.gauss(0, 0.3)
                f.writelines(f"s{s},{c}-{i},{c},{moved + rng.gauss(0, 0.05)}\n" for i in range(20))
    for path, word, general in ((seeds, "a repeat moves all items", True),
                                (whole, "no generalisability: it is for items", False)):
        told = json.loads(run("eval", "--scores", "--format", "json", path).stdout)
        row = next(t for t in told["tables"] if t["name"] == "reliability")["rows"][0]
        assert any(word in n for n in told["notes"]), told["notes"]
        assert (row["lower"] == 0 if general else row["generalisability"] is None), row
    told = json.loads(run("plan", "topics", "--scores", "--format", "json", seeds).stdout)
    rows = next(t for t in told["tables"] if t["name"] == "topics")["rows"]
    assert any(r["topics"] is None for r in rows) and any("only more repeats help" in n for n in told["notes"])
    told = json.loads(run("plan", "topics", "--scores", "--format", "json", whole).stdout)
    rows = next(t for t in told["tables"] if t["name"] == "topics")["rows"]
    assert {r["pilot_topics"] for r in rows} == {10}, rows
    assert any("the plan counts clusters" in n for n in told["notes"]), told["notes"]
    told = json.loads(run("compare", "--scores", "--format", "json", seeds).stdout)
    assert any("no number of items would do" in n for n in told["notes"]), told["notes"]
    # Our own tables, written and read again, compare as the files they are of.
    tool_files = os.path.join(folder, "own")
    run("simulate", "--topics", "20", "--documents", "100", "--runs", "3", "--quiet", "-o",
        tool_files)
    qrels, runs = os.path.join(tool_files, "qrels"), os.path.join(tool_files, "runs")
    runs = sorted(os.path.join(runs, r) for r in os.listdir(runs))
    direct = run("compare", "--format", "tsv", "--table", "pairs", qrels, *runs).stdout
    for form in ("csv", "tsv", "json"):
        path = os.path.join(folder, f"own.{form}")
        run("eval", "-q", "-m", "AP", "--format", form, "-o", path, qrels, *runs)
        again = run("compare", "--scores", "--format", "tsv", "--table", "pairs", path)
        assert again.stdout == direct != "", (form, again)
    twice = run("compare", "--scores", paths[0], paths[0])
    assert twice.returncode == 1 and f"{paths[0]}:1: 'org__" in twice.stderr \
        and "again, first at" in twice.stderr, twice

with tempfile.TemporaryDirectory() as folder:
    # Between semicolons a comma is a point in scores, and stays a comma in names.
    path = os.path.join(folder, "commas.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.write("system;item;score\na;1,5;0,25\na;2,5;0,5\n")
    said = run("eval", "--scores", "-q", "--format", "tsv", path)
    assert "\t1,5\t1\t0.25\t" in said.stdout, said
    # Names longer than any buffer stay apart.
    for end in "ab":
        with open(os.path.join(folder, end + ".json"), "w", encoding="utf-8") as f:
            json.dump({"version": 2, "eval": {"model": "m" * 300 + end, "task": "t" * 300},
                       "samples": [{"id": i, "epoch": 1, "scores": {
                           "s" * 310: {"value": {"k" * 310: i % 2}}}} for i in range(6)]}, f)
    said = run("eval", "--scores", "--format", "tsv", *(os.path.join(folder, e + ".json") for e in "ab"))
    for name in ("m" * 300 + "a", "m" * 300 + "b", "s" * 310 + "." + "k" * 310):
        assert name + "\t" in said.stdout, said
    # Scores whose sums would be infinite are told with their line.
    path = os.path.join(folder, "huge.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.write("system,item,score\na,1,1e308\na,2,1e308\n")
    said = run("eval", "--scores", path)
    assert said.returncode == 1 and "huge.csv:2: the score 1e+308" in said.stderr, said
    # One small set that has most of the variance of 0/1 scores is told; small sets are not.
    for sizes, told in (([10] + [300] * 7, True), ([10] * 8, False)):
        path = os.path.join(folder, "suite.csv")
        with open(path, "w", encoding="utf-8") as f:
            f.write("system,suite,item,score\n")
            f.writelines(f"a,s{h},{i},{int(i % 37 != 5)}\n" for h, n in enumerate(sizes)
                         for i in range(n))
        said = run("eval", "--scores", "--binary", path)
        assert ("set 's0' has 10 items and 81 % of the variance" in said.stdout + said.stderr) == told, said

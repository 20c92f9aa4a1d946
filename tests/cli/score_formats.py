# SPDX-License-Identifier: Apache-2.0
"""Files of other tools are read as they are: every mean is the mean of what was written,
and a broken one is told with its line.

usage: score_formats.py TOOL
"""
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data"))
import score_files  # noqa: E402


def run(*arguments):
    return subprocess.run([tool, *arguments, "--verbose"], capture_output=True, text=True, check=False)


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


def check_changed(path, change, before=0):
    """One line changed: it is named, or that on which its record begins."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as f:
        lines = f.read().split("\n")
    at = next(i for i, line in enumerate(lines) if change(line) != line)
    with open(path + ".changed", "w", encoding="utf-8") as f:
        f.write("\n".join(lines[:at] + [change(lines[at])] + lines[at + 1:]))
    said = run("eval", "--scores", path + ".changed")
    assert said.returncode == 1 and f"{path}.changed:{at + 1 - before}: " in said.stderr, (path, said)


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
    check_changed(next(iter(made["inspect_frame"])), lambda line: line.replace(",C,", ",Q,"), 1)
    check_changed(next(iter(made["trec_eval"])), lambda line: line.replace("\t0.", "\t0 "))
    paths = [p for p in made["lm_eval"] if "gsm8k" in p]
    # Packed files are the same; many at once are one table.
    plain = run("eval", "--scores", "--format", "tsv", *paths).stdout
    for packer, end in (("gzip", ".gz"), ("zstd", ".zst")):
        if shutil.which(packer):
            for p in paths:
                subprocess.run([packer, "-q", "-k", p], check=True)
            assert run("eval", "--scores", "--format", "tsv", *(p + end for p in paths)).stdout == plain != ""
    said = run("compare", "--scores", "--columns", "cluster=doc.page", "--binary", "-m",
               "exact_match,strict-match", *paths)
    assert said.returncode == 0 and "10 clusters" in said.stdout, said
    said = run("eval", "--scores", "--binary", *made["pytrec_eval"])
    assert said.returncode == 1 and "expected 0 or 1 of binary scores" in said.stderr, said
    # A suite: every set, the worst first, with one correction, Holm's.
    suite = os.path.join(folder, "suite.csv")
    with open(suite, "w", encoding="utf-8") as f:
        f.write("system,suite,item,score\n")
        for s, shift in enumerate((0.0, 0.02, 0.4)):
            for k, name in enumerate(("x", "y", "z")):
                f.writelines(f"s{s},{name},{i},{shift + (i * (7 + k + s) % 11) / 11}\n"
                             for i in range(15))
    told = json.loads(run("compare", "--scores", "--format", "json", suite).stdout)
    rows = next(t for t in told["tables"] if t["name"] == "sets")["rows"]
    assert sorted(r["set"] for r in rows) == ["x"] * 3 + ["y"] * 3 + ["z"] * 3, rows
    assert [r["difference"] for r in rows] == sorted(r["difference"] for r in rows), rows
    highest, left = 0.0, len(rows)
    for r in sorted(rows, key=lambda r: r["p"]):
        highest = max(highest, min(1.0, left * r["p"]))
        left -= 1
        assert abs(r["p_adjusted"] - highest) < 1e-12, rows
    rows = json.loads(run("compare", "--scores", "--format", "json", "--table", "topics", suite).stdout)["tables"][0]["rows"]
    assert {r["without"] for r in rows} == {None}, rows # not the mean of sets
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
    assert "warning: In one set all items of a system have the same" in run("eval", "--scores", sure).stdout
    said = run("eval", "--scores", "--set-weight", "w=2", suite)
    assert said.returncode == 2 and "there is no set 'w', but 'x', 'y', 'z'" in said.stderr, said
    several = os.path.join(folder, "near.csv")
    with open(several, "w", encoding="utf-8") as f:
        f.write("system,item,score\n")
        f.writelines(f"s{s},{i},{(i * (5 + s) % 13) / 13 + 0.03 * s}\n" for s in range(3)
                     for i in range(30))
    told = json.loads(run("compare", "--scores", "--format", "json", several).stdout)
    assert any(n["id"] == "compare.more-topics" for n in told["notes"]), told["notes"]
    # The topics of a pair are those that its difference is of: an item that one system lacks is none.
    lacking = os.path.join(folder, "lacking.csv")
    with open(several, encoding="utf-8") as f, open(lacking, "w", encoding="utf-8") as out:
        out.writelines(line for line in f if not line.startswith("s1,7,"))
    pairs, topics = (json.loads(run("compare", "--scores", "--format", "json", "--table", name, lacking).stdout)
                     ["tables"][0]["rows"] for name in ("pairs", "topics"))
    for p in pairs:
        x = [r["difference"] for r in topics if (r["a"], r["b"]) == (p["a"], p["b"])]
        assert len(x) == p["topics"] == 29 and abs(sum(x) / 29 - p["difference"]) < 1e-12, (p, x)
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
    told = json.loads(run("eval", "--scores", "--format", "json", seeds).stdout)
    assert any("A repeat shifts all items" in n["text"] for n in told["notes"]), told["notes"]
    told = json.loads(run("plan", "topics", "--scores", "--format", "json", seeds).stdout)
    rows = next(t for t in told["tables"] if t["name"] == "topics")["rows"]
    assert any(r["topics"] is None for r in rows) and any(n["id"] == "plan-topics.repeats" for n in told["notes"])
    told = json.loads(run("plan", "topics", "--scores", "--format", "json", whole).stdout)
    rows = next(t for t in told["tables"] if t["name"] == "topics")["rows"]
    assert {r["pilot_topics"] for r in rows} == {10}, rows
    assert " clusters or fewer are enough" in told["answer"], told["answer"]
    # The command that compare names gives the number that compare does.
    for asked, level in (([], ""), (["--confidence", "0.9"], " --alpha 0.1"), (["--correct", "none"], " --alone")):
        told = json.loads(run("compare", "--scores", "--format", "json", *asked, whole).stdout)
        text = next(n["text"] for n in told["notes"] if n["id"] == "compare.more-topics")
        assert text.endswith(f"(intervale plan topics{level})."), text
        plan = json.loads(run("plan", "topics", "--scores", "--format", "json", *level.split(), whole).stdout)
        best = sorted(next(t for t in told["tables"] if t["name"] == "runs")["rows"], key=lambda r: r["rank"])[:2]
        row = next(r for r in plan["tables"][0]["rows"] if (r["a"], r["b"]) == (best[0]["run"], best[1]["run"]))
        assert f"About {row['topics']} clusters " in text, (text, row)
    told = json.loads(run("compare", "--scores", "--format", "json", seeds).stdout)
    assert any(n["id"] == "compare.more-repeats" for n in told["notes"]), told["notes"]
    # ... whether or not each item has all seeds, and in a set as in a file of that set alone.
    with open(seeds, encoding="utf-8") as f:
        lines = [line.split(",") for line in f.read().split()[1:]]
    made = {"lacking": [(s, i, "x", r, x) for s, i, r, x in lines if int(i) % 6 != int(r)],
            "own": [(s, i, "x", i + "-" + r, x) for s, i, r, x in lines],
            "both": [(s, h + i, h, r, x) for s, i, r, x in lines for h in "xy" if int(i) % 3 or h == "y"],
            "y": [(s, "y" + i, "y", r, x) for s, i, r, x in lines],
            "apart": [(s, h + i, h, h + r, x) for s, i, r, x in lines for h in "xy"]}
    for name, rows in made.items():
        made[name] = os.path.join(folder, f"seeds-{name}.csv")
        with open(made[name], "w", encoding="utf-8") as f:
            f.write("system,item,suite,repeat,score\n" + "".join(",".join(row) + "\n" for row in rows))
    def errors(table, path):
        return [r["se"] for r in json.loads(run("eval", "--scores", "--table", table, "--format", "json", path).stdout)
                ["tables"][0]["rows"] if r.get("set", "y") == "y"]
    complete = errors("errors", seeds)
    assert all(0.8 < a / b < 1.25 for a, b in zip(errors("errors", made["lacking"]), complete, strict=True))
    assert all(abs(a - b) < 1e-12 for a, b in zip(errors("sets", made["both"]), errors("errors", made["y"]), strict=True))
    def shift(path):
        said = run("eval", "--scores", "--table", "variance", path).stdout
        return float(re.search(r"together, with variance ([0-9.e-]+)", said)[1])
    assert 0.5 < shift(made["lacking"]) / shift(seeds) < 2, (shift(made["lacking"]), shift(seeds))
    for name, claimed in (("own", False), ("apart", True), ("both", True)):
        said = run("compare", "--scores", made[name]).stdout
        assert ("variance between repeats added" in said) == claimed, said
        assert ("because items have no repeat in common" in said) == (name != "both"), said
        said = run("eval", "--scores", "--table", "variance", made[name]).stdout
        assert ("A repeat shifts all items" in said) == claimed, said
    # A plan has compare's difference, and its unit: clusters of unequal size, in sets.
    uneven = os.path.join(folder, "uneven.csv")
    with open(uneven, "w", encoding="utf-8") as f:
        f.write("system,suite,item,document,score\n")
        for s in range(2):
            for c in range(30):
                f.writelines(f"s{s},{'xyz'[c % 3]},{c}-{i},{c},{0.1 * s * (c % 4) + rng.random()}\n"
                             for i in range(1 + c % 5))
    columns = ["--scores", "--columns", "cluster=document", "--format", "json", uneven]
    told = json.loads(run("plan", "topics", *columns).stdout)
    plan, pair = told["tables"][0]["rows"][0], json.loads(run("compare", *columns).stdout)["tables"][0]["rows"][0]
    assert abs(abs(plan["difference"]) - abs(pair["difference"])) < 1e-12, (plan, pair)
    assert "are needed to find a difference" in told["answer"] or "No number of documents" in told["answer"], told["answer"]
    # Our own tables, written and read again, compare as the files they are of.
    tool_files = os.path.join(folder, "own")
    run("simulate", "--topics", "20", "--documents", "100", "--runs", "3", "--quiet", "-o",
        tool_files)
    qrels, runs = os.path.join(tool_files, "qrels"), os.path.join(tool_files, "runs")
    runs = sorted(os.path.join(runs, r) for r in os.listdir(runs))
    direct = run("compare", "--format", "tsv", "--table", "pairs", qrels, *runs).stdout
    for form in ("csv", "tsv", "json", "jsonl"):
        path = os.path.join(folder, f"own.{form}")
        run("eval", "-q", "-m", "AP", "--format", form, "-o", path, qrels, *runs)
        again = run("compare", "--scores", "--format", "tsv", "--table", "pairs", path)
        if form.startswith("json"):
            assert again.returncode == 1 and "eval -q --format csv" in again.stderr, (form, again)
        else:
            assert again.stdout == direct != "", (form, again)
    twice = run("compare", "--scores", paths[0], paths[0])
    assert twice.returncode == 1 and f"{paths[0]}:1: second score of system 'org__" in twice.stderr \
        and "the first is at" in twice.stderr, twice

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
    # Scores that are all 0 or 1 need no declaration.
    path = os.path.join(folder, "right.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.write("system,item,score\n")
        f.writelines(f"{s},{i},1\n" for s in "ab" for i in range(12))
    for command in ("eval", "compare"):
        said = [run(command, "--scores", "--format", "tsv", *how, path).stdout
                for how in ([], ["--binary"], ["--columns", "binary=score"])]
        assert said[0] == said[1] == said[2] != "", said
    rows = [json.loads(run("compare", "--scores", "--format", "json", *how, path).stdout)["tables"][0]["rows"]
            for how in ([], ["--binary"], ["--columns", "binary=score"])]
    assert rows[0] == rows[1] == rows[2] and rows[0][0]["upper"] > 0.24, rows
    with open(path, "a", encoding="utf-8") as f:
        f.write("a,other,0.5\n")
    with open(path, encoding="utf-8") as f:
        last = len(f.readlines())
    said = run("eval", "--scores", "--columns", "binary=score", path)
    assert said.returncode == 1 and said.stderr == (f"{path}:{last}: 'a' has the score 0.5 on item 'other', "
                                                    "expected 0 or 1 of binary scores\n"), said
    # What Python writes and Jansson does not take: half a character, numbers without end.
    path = os.path.join(folder, "python.jsonl")
    large = 123456789012345678901234567890
    with open(path, "w", encoding="utf-8") as f:
        for i, item in enumerate((large, large + 1, -large)):
            f.write(json.dumps({"system": "a", "item": item, "text": "half \ud83d \ud83d\ude00",
                                "seen": [1e200, float("nan")], "score": i / 2}) + "\n")
        f.write('{"system": "a", "item": "x", "score": ""}\n{"system": "a\\udc00", "item": "x", "score": 0.5}\n')
    said = run("eval", "--scores", "-q", "--format", "tsv", path)
    for item, score in ((large, 0), (large + 1, 0.5), (-large, 1)):
        assert f"\t{item}\t1\t{score}\t" in said.stdout, said
    assert "a\ufffd\tscore\tx\t1\t0.5" in said.stdout, said
    assert f"{path}:4: 'a' on item 'x' has no score" in said.stderr, said
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"q1": {"map": 0.5}, "q\ud800": {"map": 1.0}}, f)
    said = run("eval", "--scores", "-q", "--format", "tsv", path)
    assert "q\ufffd\t1\t1\t" in said.stdout, said
    for line in ('{"item": "x", "score": 1e999}', '{"item": "x", "score": 1', '{"item": "x", "score": NaNa}',
                 '{"item": "x\\ud800, "score": 1}'):
        with open(path, "w", encoding="utf-8") as f:
            f.write(line + "\n")
        said = run("eval", "--scores", path)
        assert said.returncode == 1 and f"{path}:" in said.stderr and "nulla" not in said.stderr, said
    # Groups of one topic each: one line, no comparison.
    scores, groups = os.path.join(folder, "scores.csv"), os.path.join(folder, "groups.csv")
    with open(scores, "w", encoding="utf-8") as f:
        f.write("system,item,score\n")
        f.writelines(f"{s},{i},{(i * (3 + k)) % 7}\n" for k, s in enumerate("ab") for i in range(12))
    with open(groups, "w", encoding="utf-8") as f:
        f.write("topic,group\n" + "".join(f"{i},g{i}\n" for i in range(12)))
    said = run("compare", "--scores", "--groups", groups, scores)
    assert said.returncode == 1 and said.stderr.count("\n") == 1, said
    assert "has only one topic in each group" in said.stderr, said
    with open(groups, "w", encoding="utf-8") as f:
        f.write("topic,group\n" + "".join(f"{i},g{max(i, 4)}\n" for i in range(12)))
    said = run("compare", "--scores", "--groups", groups, scores)
    assert "Groups 'g5', 'g6', 'g7', 'g8', 'g9' and 2 more are excluded from table groups" in said.stdout, said
    # No score, as pandas, numpy, R and JSON write it; and a system without one of the sets.
    path = os.path.join(folder, "sets.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.write("system,suite,item,score\na,x,0,NaN\na,x,9,NA\nb,y,0,nan\nb,y,9,null\n")
        f.writelines(f"{s},{h},{i},{(i * (3 + k)) % 7 / 7}\n" for k, s in enumerate("ab") for h in "xyz"
                     for i in range(1, 9) if s + h != "by")
    said = run("eval", "--scores", path).stdout
    assert f"{path}:2: 'a' on item '0' has no score, and so have 3 more records" in said, said
    assert "warning: b has scores in 2 of 3 sets only: its mean is over fewer sets" in said, said
    said = run("compare", "--scores", path).stdout
    assert "Set 'y' is excluded from table sets: the systems share fewer than two of its items" in said, said
    assert "sets only" not in said, said # all means are over the sets that both have
    told = json.loads(run("eval", "--scores", "--table", "errors", "--format", "json", path).stdout)
    assert all(abs(r["design_effect"] - 1) < 1e-12 for r in told["tables"][0]["rows"]), told # no clusters
    path = os.path.join(folder, "one.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.write("system,cluster,item,score\n" + "".join(f"{s},c,{i},{i / 9}\n" for s in "ab" for i in range(9)))
    said = run("compare", "--scores", path)
    assert said.returncode == 1 and "all items are in one cluster" in said.stderr, said

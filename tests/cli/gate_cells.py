# SPDX-License-Identifier: Apache-2.0
"""What doc/gates.tsv measured is what the page says, and what a PASS warns of.

usage: gate_cells.py TOOL ROOT

Each cell with more than 0.07 of false PASS is drawn again until the gate passes: that answer has a warning
with at least the cell's figure.
"""
import csv
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOOL, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
with open(ROOT / "doc/gates.tsv", encoding="utf-8") as tsv:
    CELLS = list(csv.DictReader(tsv, delimiter="\t"))
with open(ROOT / "doc/coverage.tsv", encoding="utf-8") as tsv:
    OTHERS = [c for c in csv.DictReader(tsv, delimiter="\t") if c["method"].startswith("false PASS of")]
MARGIN, MOST, EXACT = 0.05, 0.07, 0.06

# -------------------------------------------------------------------- the file

SETTINGS = {(c["data"], c["setting"]) for c in CELLS if c["quantity"] == "false PASS"}
assert len(SETTINGS) == sum(c["quantity"] == "false PASS" and c["method"] != "guaranteed" for c in CELLS), "a cell twice"
for c in CELLS:
    c["rate"] = float(c["rate"])
    where = c["quantity"], c["method"], c["data"], c["setting"]
    assert c["method"] == "exact" or int(c["replicates"]) >= 2000, where
    if c["method"] != "default" and c["quantity"].startswith("false"):
        assert c["rate"] <= EXACT, where
    # Power stands beside each error.
    if c["quantity"] == "false PASS":
        assert any(d["quantity"] == "PASS if nothing changed" and d["method"] == c["method"]
                   and (d["data"], d["setting"]) == where[2:] for d in CELLS) or c["method"] == "guaranteed", where

# -------------------------------------------------------------------- the page

PAGE = (ROOT / "doc/gate.md").read_text(encoding="utf-8")


def largest(*data, quantity="false PASS", methods=("default",), setting="", ends=""):
    found = [c["rate"] for c in CELLS if c["quantity"] == quantity and c["method"] in methods
             and c["data"].startswith(data or "") and c["data"].endswith(ends) and c["setting"].startswith(setting)]
    assert found, (data, quantity, methods, setting)
    return f"{max(found):.3f}"


RARE = "two of 5 classes of 3 %"
MEASURED = {
    "exact tests; `--guaranteed`": [largest(methods=("exact",)), largest(methods=("guaranteed",))],
    "`compare`: normal, heavy tails, clusters, repeats, sets": [largest(
        *(f"compare: {x}" for x in ("normal", "heavy", "clusters", "3 repeats", "5 sets")))],
    "`compare`: skewed; rare losses of 0.6; of 6 in scores 1 to 10": [
        largest(f"compare: {x}") for x in ("skewed", "rare losses", "scores 1 to 10")],
    "`compare`: 0/1 scores that fall in one cluster in five": [
        largest("compare: 0/1, losses in a fifth", setting=x) for x in ("50 items", "100 items")],
    "`eval`: normal or skewed; one score in twenty lower by 0.8": [
        largest("eval: normal", "eval: few low"), *(largest("eval: one in twenty", setting=x) for x in ("25 items", "50 items"))],
    "`eval`: ratios of costs, log sd 0.7; 1.2; percentiles": [f"{max(x):.3f}" for x in (
        [float(c["rate"]) for c in OTHERS if c["quantity"] == "cost per success" and c["setting"].endswith(sigma)] for sigma in ("0.7", "1.2"))] + [
        f"{max(float(c['rate']) for c in OTHERS if c['quantity'] != 'cost per success'):.3f}"],
    "`prf --margin`: F1; precision": [largest("prf: paired F1"), largest("prf: paired precision")],
    "macro averages: equal classes; two of five of 3 %: F1, recall; paired": [
        largest(*(f"prf: {p}macro {m}, 5 equal" for p in ("", "paired ") for m in ("F1", "recall"))),
        largest(f"prf: macro F1, {RARE}"), largest(f"prf: macro recall, {RARE}"),
        largest(f"prf: paired macro F1, {RARE}", f"prf: paired macro recall, {RARE}")],
    "`prefer`: 2 to 6 systems, 25 to 5,000 votes": [largest("prefer:")],
    "`roc`: AUC; a candidate that crashes": [largest("roc: AUC", ends="AUC"), largest("roc: AUC, crashes")],
}
table = PAGE[PAGE.index("## Measured"):]
rows = dict(re.findall(r"^\| (.*?) \| (.*?) \|$", table[table.index("|---|---|") + 10:table.index("\n\nWhere")], re.M))
assert rows.keys() == MEASURED.keys(), set(rows) ^ set(MEASURED)
for label, figures in MEASURED.items():
    assert re.findall(r"\d\.\d{3}", rows[label]) == figures, (label, rows[label], figures)
equal = {"quantity": "PASS if nothing changed", "setting": "100 items, 1 candidate"}
SAYS = [
    (r"False FAIL is at most ([\d.]+),", max(f"{c['rate']:.3f}" for c in CELLS if c["quantity"] == "false FAIL"
                                             and "macro" not in c["data"])),
    (r"of macro averages ([\d.]+)\.", max(f"{c['rate']:.3f}" for c in CELLS if c["quantity"] == "false FAIL" and "macro" in c["data"])),
    (r"With margin 0, ([\d.]+) of series of ten nights", largest(quantity="a FAIL in ten nights")),
    (r"100 items with sd 0.1 pass in ([\d.]+),", f"{float(largest('compare: normal', **equal)):.2f}"),
    (r"with `--guaranteed` ([\d.]+);", f"{float(largest('compare: normal', methods=('guaranteed',), **equal)):.2f}"),
    (r"1,000 votes on 2 systems in ([\d.]+)\.", f"{float(largest('prefer: a vote', quantity=equal['quantity'], setting='1000 votes, 1 c')):.2f}"),
]
for pattern, figure in SAYS:
    assert re.findall(pattern, PAGE) == [figure], (pattern, figure, re.findall(pattern, PAGE))
# Every data set is in a row; every gate of the command line is named.
LABELS = ("compare", "eval", "prf", "prefer", "roc", "recall")
assert {re.split(r"[:,]", c["data"])[0] for c in CELLS} == set(LABELS), {c["data"] for c in CELLS}
for gate in ("compare --margin", "eval --at-least", "--at-most", "prf --target", "prf --paired --margin", "--max-gap",
             "roc --margin", "prefer --margin", "recall --target", "--max-elusion", "`watch`", "judge status"):
    assert gate in PAGE, gate
assert 800 <= len(re.findall(r"[A-Za-z0-9][\w.'-]*", PAGE)) <= 1000, "about 1,000 words"

# -------------------------------------------------------------------- warnings


def write(name, header, lines):
    with open(name, "w", encoding="utf-8") as f:
        f.write(header + "\n" + "".join(",".join(str(x) for x in line) + "\n" for line in lines))
    return name


def differences(draw, cluster=None):
    """A gate of compare on n differences of scores in [0, 1]."""
    def gate(rng, setting):
        n = int(setting.split()[0])
        of = [cluster(rng) if cluster and i % 5 == 0 else None for i in range(n)]
        rows = []
        for i in range(n):
            y = draw(rng, of[i - i % 5])
            main = int(y < 0)
            rows += [["main", i, i // 5, main], ["new", i, i // 5, main + y]]
        columns = ["--columns", "cluster=page"] if cluster else []
        return ["compare", "--scores", write("data.csv", "system,item,page,score", rows), *columns, "--baseline", "main",
                "--margin", str(MARGIN)]
    return gate


def low_scores(rng, setting):
    rows = [[i, 0.9 + 0.02 * max(-5, min(5, rng.gauss(0, 1))) - 0.8 * (rng.random() < 0.05)] for i in range(int(setting.split()[0]))]
    return ["eval", "--scores", write("data.csv", "item,score", rows), "--at-least", "score=0.86"]


def crashes(rng, setting):
    positive, negative = (int(x) for x in re.findall(r"(\d+) (?:positive|negative)", setting))
    shift = 2.326  # AUC 0.95
    rows = []
    for i in range(positive + negative):
        y = rng.gauss(shift if i < positive else 0, 1)
        rows.append([i, int(i < positive), y, -100.0 if i < positive and rng.random() < MARGIN / 0.95 else y])
    return ["roc", write("data.csv", "id,gold,main,new", rows), "--baseline", "main", "--margin", str(MARGIN)]


def averages(metric, paired):
    def gate(rng, setting):
        def drawn():
            return rng.choices("abcde", (0.6, 0.25, 0.09, 0.03, 0.03))[0]

        def said(gold, right):
            return gold if rng.random() < right else drawn()

        rows = []
        for i in range(int(setting.split()[0])):
            gold = drawn()
            main = said(gold, 0.8)
            rows.append([i, gold, main, main if rng.random() < 0.5 else said(gold, 0.8 - 2 * MARGIN / 0.8)])
        if not paired:
            return ["prf", "--labels", write("data.csv", "id,gold,main", [r[:3] for r in rows]), "--target", f"{metric}[macro]=0.84"]
        return ["prf", "--labels", write("data.csv", "id,gold,main,new", rows), "--paired", "--baseline", "main", "--metric",
                f"{metric}[macro]", "--margin", str(MARGIN)]
    return gate


def ratios(rng, setting):
    tasks, attempts, cluster = (int(x) for x in re.findall(r"(\d+)", setting)[:3])
    sigma, rows = float(setting.split()[-1]), []
    for t in range(tasks):
        hard = rng.gauss(0, 1) if t % cluster == 0 or cluster == 1 else hard
        rows += [[t, t // cluster, a, math.exp(sigma * rng.gauss(0, 1)), int(rng.random() < 1 / (1 + math.exp(-0.5 - hard)))]
                 for a in range(attempts)]
    bound = math.exp(sigma * sigma / 2) / 0.6
    return ["eval", "--scores", write("data.csv", "task,part,attempt,cost,score", rows), "--columns", "cluster=part", "-m", "cost/score",
            "--at-most", f"cost/score={bound}"]


def nights(rng, setting):
    rows = [["main", i, rng.gauss(0, 0.1)] for i in range(100)]
    rows += [["new", i, 0.75 * x + rng.gauss(0, 0.066)] for _, i, x in rows]
    return ["compare", "--scores", write("data.csv", "system,item,score", rows), "--baseline", "main", "--margin", "0"]


def drops(rng, setting):
    rows = []
    for i in range(int(setting.split()[0])):
        y = 0.5 * rng.gauss(0, 1) - 6 * (rng.random() < 0.5 / 6)
        rows += [["main", i, 8.5], ["new", i, min(10, max(1, 8.5 + y))]]
    return ["compare", "--scores", write("data.csv", "system,item,score", rows), "--baseline", "main", "--margin", "0.5"]


SITUATIONS = {
    "compare: skewed differences": differences(lambda rng, _: max(-1, 0.1 * (1 - rng.expovariate(1)) - MARGIN)),
    "compare: rare losses of 0.6": differences(lambda rng, _: 0.1 * rng.gauss(0, 1) - 0.6 * (rng.random() < MARGIN / 0.6)),
    "compare: scores 1 to 10, rare losses of 6": drops,
    "compare: 0/1, losses in a fifth of clusters of 5": differences(
        lambda rng, falls: -1 if (u := rng.random()) < (0.5 if falls else 0) else int(u >= 0.95),
        cluster=lambda rng: rng.random() < 0.2),
    "compare: margin 0, nothing changed": nights,
    "eval: one in twenty lower by 0.8": low_scores,
    "roc: AUC, crashes": crashes,
    "lognormal costs": ratios,
    **{f"prf: {'paired ' * p}macro {m}, {RARE}": averages(m.lower(), p) for p in (False, True) for m in ("F1", "recall")},
}


def warned(words):
    """The verdict, and the largest percentage of a warning about gates."""
    said = subprocess.run([TOOL, *words, "--gate", "--format", "json", "--verbose"], capture_output=True, text=True, check=False)
    assert said.stdout, (words, said.stderr)
    told = json.loads(said.stdout)
    texts = {n["id"]: n["text"] for n in told["notes"] if re.search(r"gate-|margin-zero", n["id"] or "")}
    return told["verdict"], texts, max((float(x) / 100 for t in texts.values() for x in re.findall(r"([\d.]+) %", t)), default=0.0)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    cells = [c for c in CELLS if c["method"] == "default" and c["quantity"] in ("false PASS", "a FAIL in ten nights")]
    cells = [c for c in cells + OTHERS if float(c["rate"]) > MOST]
    assert len(cells) >= 19, len(cells)
    for c in cells:
        c["rate"] = float(c["rate"])
        assert c["data"] in SITUATIONS, (c["data"], "has no situation here: which warning has its figure?")
        seed, verdict = 0, ""
        while verdict != "PASS" and not (c["quantity"].startswith("a FAIL") and seed):
            seed += 1
            assert seed < 500, (c["data"], "does not pass")
            verdict, texts, figure = warned(SITUATIONS[c["data"]](random.Random(seed), c["setting"]))
        assert figure + 0.0005 >= c["rate"], (c["data"], c["setting"], c["rate"], texts)
        print(f"{c['rate']:.3f}  {c['data']}, {c['setting']}: draw {seed}, {list(texts)}, {figure:.3f}")

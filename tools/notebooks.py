#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes examples/notebooks, one for each job of doc/python.md, from its lines.

usage: notebooks.py ROOT [--check]

A comment before the lines of a job names the data they use, which a first cell simulates.
--check fails when a notebook is not what would be written.
"""
import ast
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
OUT = ROOT / "examples" / "notebooks"
DATA = {
    "runs": """\
import os
import shutil
import tempfile

import intervale

os.chdir(tempfile.mkdtemp(prefix="made-", dir="."))  # a new folder each time
intervale.simulate("collection", topics=50, documents=400, runs=3, seed=3)
for made, name in (("qrels", "qrels"), ("runs/sim01", "runA"), ("runs/sim02", "runB"), ("runs/sim03", "runC")):
    shutil.copy(f"collection/{made}", name)""",
    "dicts": """\
def read(path, column, kind):
    found = {}
    for line in open(path):
        fields = line.split()
        found.setdefault(fields[0], {})[fields[2]] = kind(fields[column])
    return found

qrels, run_a, run_b = read("qrels", 3, int), read("runA", 4, float), read("runB", 4, float)""",
    "frames": """\
import pandas

qrels_frame = pandas.read_csv("qrels", sep=" ", names=["query_id", "iteration", "doc_id", "relevance"])
runs_frame = pandas.concat([pandas.read_csv(path, sep=r"\\s+", names=["query_id", "Q0", "doc_id", "rank", "score", "run"])
                            for path in ("runA", "runB")])""",
    "labels": """\
import os
import random
import tempfile

import intervale

os.chdir(tempfile.mkdtemp(prefix="made-", dir="."))  # a new folder each time
intervale.simulate("labelled", topics=40, documents=200, runs=2, prevalence=0.3, judge="kappa=0.5", seed=4)
runs = ["labelled/runs/sim01", "labelled/runs/sim02"]
llm = "labelled/machine.qrels"
with open("labelled/qrels") as lines, open("human.qrels", "w") as sample:
    sample.writelines(random.Random(1).sample(list(lines), 300))  # people label these
human = "human.qrels\"""",
    "seeds": """\
import random

import intervale

rng = random.Random(1)
hard = [rng.random() for _ in range(200)]
rows = [(model, f"q{i}", seed, int(rng.random() < 0.9 - 0.5 * hard[i] - (model == "B") * 0.1))
        for model in "AB" for i in range(200) for seed in range(4)]
answers = dict(zip(("model", "question", "seed", "correct"), map(list, zip(*rows))))""",
    "classifiers": """\
import random

import intervale

rng = random.Random(1)
y_true = [int(rng.random() < 0.3) for _ in range(500)]
score_a, score_b = ([(y * weight + rng.random()) / 1.8 for y in y_true] for weight in (0.8, 0.5))
pred_a, pred_b = ([int(s > 0.45) for s in scores] for scores in (score_a, score_b))
region = [rng.choice(["north", "south"]) for _ in y_true]
table = {"label": y_true, "A": score_a, "B": score_b, "region": region}""",
    "sets": """\
import random

import intervale

rng = random.Random(1)
chance = {("main", "math"): 0.7, ("new", "math"): 0.45, ("main", "code"): 0.6, ("new", "code"): 0.62,
          ("main", "law"): 0.5, ("new", "law"): 0.5}
rows = [(model, task, f"{task}{i}", int(rng.random() < p)) for (model, task), p in chance.items() for i in range(150)]
answers = dict(zip(("model", "task", "question", "correct"), map(list, zip(*rows))))""",
}


def cells(code):
    """The lines, cut behind every expression, which a cell shows."""
    lines, begin = code.splitlines(), 0
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.Expr):
            yield "\n".join(lines[begin:statement.end_lineno]).strip()
            begin = statement.end_lineno
    if begin < len(lines):
        yield "\n".join(lines[begin:]).strip()


def notebook(title, data, code):
    setup = "\n\n".join(DATA[d] for d in data)
    code = re.sub(r"^import intervale\n+(?=found|\w)", "", code)
    texts = [("markdown", f"# {title}\n\nSPDX-License-Identifier: Apache-2.0\n\nMade from "
              "[doc/python.md](../../doc/python.md). The data are simulated:"),
             ("code", setup), *(("code", c) for c in cells(code))]
    made = []
    for i, (kind, text) in enumerate(texts):
        cell = {"cell_type": kind, "id": f"cell{i}", "metadata": {}, "source": text.splitlines(True)}
        made.append(cell if kind == "markdown" else {**cell, "execution_count": None, "outputs": []})
    return json.dumps({"cells": made, "metadata": {"kernelspec": {
        "display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def write():
    text = (ROOT / "doc" / "python.md").read_text(encoding="utf-8")
    for part in re.split(r"^## (?=\d+\. )", text, flags=re.M)[1:]:
        title = part.splitlines()[0].partition(". ")[2]
        number = int(part.partition(".")[0])
        data, code = re.search(r"<!-- ([\w ]+) -->\n```python\n(.*?)```", part, re.S).groups()
        name = "-".join(w for w in re.findall(r"[a-z0-9_]+", title.lower())
                        if w not in ("a", "and", "from", "of", "the"))
        yield OUT / f"{number:02}-{name}.ipynb", notebook(title, data.split(), code)


if __name__ == "__main__":
    made = dict(write())
    if "--check" not in sys.argv:
        for path, text in made.items():
            path.write_text(text, encoding="utf-8")
    wrong = [p.name for p, text in made.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
    if wrong or len(made) != 12:
        sys.exit(f"{len(made)} notebooks, of which {wrong} are not what doc/python.md says; "
                 "python3 tools/notebooks.py . writes them")

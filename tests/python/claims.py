# SPDX-License-Identifier: Apache-2.0
"""The claims of a Result are those of json, number for number, for every command with a verdict.

usage: claims.py TOOL ROOT LIBRARY
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

TOOL, ROOT, LIBRARY = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), os.path.abspath(sys.argv[3])
os.environ["INTERVALE_LIBRARY"] = LIBRARY
sys.path.insert(0, str(ROOT / "python"))
import intervale as iv  # pylint: disable=wrong-import-position

seen, verdicts = set(), set()


def same(found, *words):
    done = subprocess.run([TOOL, *words, "--format", "json"], capture_output=True, text=True, check=False)
    said = json.loads(done.stdout)
    assert said["claims"] and said["verdict"], (words, said["answer"])
    assert (found.verdict, found.sentence) == (said["verdict"], said["answer"]), (words, found.sentence, said["answer"])
    assert found.claims == said["claims"], (words, found.claims, said["claims"])
    for c in found.claims:  # numbers, not texts, and nothing that only one of both has
        assert isinstance(c["bound"], float) and c["p"] is None or 0 <= c["p"] <= 1, c
    seen.add(words[0])
    verdicts.add(said["verdict"])


def write(name, head, rows):
    with open(name, "w", encoding="utf-8") as f:
        f.write(head + "\n" + "".join(",".join(map(str, r)) + "\n" for r in rows))
    return name


def gated():
    """The commands that take --gate, by their own word."""
    said = subprocess.run([TOOL, "schema"], capture_output=True, text=True, check=True).stdout
    return {c["name"] for c in json.loads(said)["commands"] if any("gate" == o.get("name") for o in c["options"])}


def scores():
    rng = random.Random(3)
    graded = write("graded.csv", "system,item,score", [
        (s, i, round(0.5 + 0.1 * rng.gauss(0, 1) - by, 4)) for s, by in (("main", 0), ("new", 0.01), ("bad", 0.3)) for i in range(60)])
    for margin in (0.05, 0.2):
        same(iv.compare_scores(graded, baseline="main", margin=margin, gate=True), "compare", "--scores", graded, "--gate",
             "--baseline", "main", "--margin", str(margin))
    write("two.csv", "system,item,score", [(s, i, int(rng.random() < 0.8)) for s in ("main", "new") for i in range(90)])
    same(iv.compare_scores("two.csv", baseline="main", margin=0.1, gate=True), "compare", "--scores", "two.csv", "--gate",
         "--baseline", "main", "--margin", "0.1")
    for least in ("score=0.4", "score=0.48", "score=0.6"):
        same(iv.evaluate_scores(graded, at_least=[least]), "eval", "--scores", graded, "--at-least", least)
    nights = write("nights.csv", "system,item,date,score", [
        (s, i, f"2026-01-{k:02d}" if s == "new" else "", round(0.5 + 0.1 * rng.gauss(0, 1) - 0.1 * (k > 3), 4))
        for s, k in (("main", 0), *(("new", k) for k in range(1, 6))) for i in range(40)])
    same(iv.watch(nights, baseline="main"), "watch", nights, "--baseline", "main")


def classifiers():
    rng = random.Random(4)
    rows = [(i, i % 2, *(int(rng.random() < 0.1) ^ (i % 2) for _ in range(2)), "ab"[i % 3 == 0]) for i in range(200)]
    write("labels.csv", "id,gold,main,new", [r[:4] for r in rows])
    same(iv.prf(labels="labels.csv", system="main", target="recall=0.8", gate=True), "prf", "--labels", "labels.csv",
         "--system", "main", "--target", "recall=0.8", "--gate")
    paired = dict(labels="labels.csv", paired=True, baseline="main", metric="f1", margin=0.02, gate=True)
    same(iv.prf(**paired), "prf", "--labels", "labels.csv", "--paired", "--baseline", "main", "--metric", "f1", "--margin", "0.02", "--gate")
    write("kinds.csv", "id,gold,main,kind", [(*r[:3], r[4]) for r in rows])
    same(iv.prf(labels="kinds.csv", columns={"group": "kind"}, max_gap=0.3), "prf", "--labels", "kinds.csv",
         "--columns", "group=kind", "--max-gap", "0.3")
    write("chances.csv", "id,gold,main,new", [
        (i, i % 2, *(round(1 / (1 + math.exp(-rng.gauss(1.5 * (i % 2) - 0.7, 1))), 6) for _ in range(2))) for i in range(150)])
    for margin in (0.01, 0.3):
        same(iv.roc("chances.csv", baseline="main", margin=margin, gate=True), "roc", "chances.csv", "--baseline", "main",
             "--margin", str(margin), "--gate")
    write("votes.csv", "a,b,winner,item", [("main", "new", "ab"[rng.random() < 0.5], i) for i in range(200)])
    for margin in (0.02, 0.3):
        same(iv.prefer("votes.csv", baseline="main", margin=margin, gate=True), "prefer", "votes.csv", "--baseline", "main",
             "--margin", str(margin), "--gate")
    write("never.csv", "a,b,winner,item", [("main", "new", "b", i) for i in range(20)])
    same(iv.prefer("never.csv", baseline="main", margin=0.1, gate=True), "prefer", "never.csv", "--baseline", "main",
         "--margin", "0.1", "--gate")


def reviews_and_runs():
    counts = ["--retrieved", "1000,1000,92", "--unretrieved", "10000,2500,0"]
    for target in (0.8, 0.99):
        same(iv.recall((1000, 1000, 92), (10000, 2500, 0), target=target), "recall", *counts, "--target", str(target))
        same(iv.recall((1000, 1000, 92), (10000, 2500, 0), target=target, guaranteed=True), "recall", *counts, "--target",
             str(target), "--guaranteed")
    same(iv.recall(unretrieved=(10000, 1000, 2), max_elusion=0.01), "recall", "--unretrieved", "10000,1000,2", "--max-elusion", "0.01")
    rng = random.Random(5)
    with open("qrels", "w", encoding="utf-8") as q:
        q.writelines(f"{t} 0 d{d} {int(d < 6)}\n" for t in range(30) for d in range(20))
    for run, by in (("old", 1.0), ("young", 0.9)):
        with open(run, "w", encoding="utf-8") as f:
            f.writelines(f"{t} Q0 d{d} 1 {rng.gauss(0, 0.5) - by * d / 20:.9f} {run}\n" for t in range(30) for d in range(20))
    same(iv.evaluate("qrels", "old", "AP", at_least=["AP=0.4"]), "eval", "qrels", "old", "-m", "AP", "--at-least", "AP=0.4")
    same(iv.compare("qrels", ["old", "young"], baseline="old", margin=0.05, gate=True), "compare", "qrels", "old", "young",
         "--baseline", "old", "--margin", "0.05", "--gate")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    scores()
    classifiers()
    reviews_and_runs()
    os.chdir("/")
assert verdicts == {"PASS", "FAIL", "INCONCLUSIVE"}, verdicts
assert gated() and seen >= gated(), gated() - seen

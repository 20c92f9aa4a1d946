# SPDX-License-Identifier: Apache-2.0
"""One page on classifiers: columns are taken by what they hold, numbers are those of roc and prf.

usage: classify.py TOOL ORACLE    (ORACLE: tests/oracle, with classify.json)
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])
with open(os.path.join(sys.argv[2], "classify.json"), encoding="utf-8") as known:
    ORACLE = json.load(known)


def run(command, *words, text=None):
    return subprocess.run([TOOL, command, *words], capture_output=True, text=True, check=False,
                          input=text)


def ask(command, *words, text=None):
    said = run(command, "--format", "json", *words, text=text)
    assert said.returncode == 0, said
    told = json.loads(said.stdout)
    return told, {t["name"]: t["rows"] for t in told["tables"]}


def refused(want, *words, text=None):
    said = run("classify", *words, text=text)
    assert said.returncode in (1, 2) and want in said.stderr, said


def notes(told):
    return " ".join(n["text"] for n in told["notes"])


random.seed(1)
rows = []
for i in range(200):
    y = random.random() < 0.4
    z = random.gauss(1 if y else -1, 1)
    a, b = (1 / (1 + math.exp(-x)) for x in (z + 0.8, z + random.gauss(0, 1)))
    rows.append((i, int(y), f"{a:.4f}", f"{b:.4f}", random.choice("xyz"), int(random.random() < .5)))

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    text = "id,label,A,B,site,sex\n" + "".join(",".join(map(str, r)) + "\n" for r in rows)
    with open("t.csv", "w", encoding="utf-8") as f:
        f.write(text)
    told, page = ask("classify", "t.csv")
    assert "gold label; scores A, B; groups site; not used sex" in notes(told), notes(told)
    assert "probabilities of A are too high" in told["answer"], told["answer"]
    assert ask("classify", "-", text=text)[0]["answer"] == told["answer"]

    # The numbers are those of the commands behind it.
    same = ("--system", "A", "--system", "B", "--columns", "group=site", "t.csv")
    roc = ask("roc", "--threshold", "0.5", *same)[1]
    for name in ("measures", "pairs", "operating", "calibration", "reliability", "gaps", "groups"):
        assert page[name] == roc[name], name
    prf = ask("prf", "--labels", "t.csv", "--threshold", "0.5", "--system", "A", "--system", "B")[1]
    assert [r["items"] for r in page["cells"]] == [r["items"] for r in prf["cells"]]
    limits = {r["system"]: (r["lower"], r["upper"]) for r in page["operating"]}
    for r in page["cells"]: # recall has one interval on a page
        if r["gold"] == r["predicted"] == "1":
            assert (r["lower"], r["upper"]) == limits[r["system"]], r
    at = ask("classify", "--threshold", "0.7", "t.csv")[1]["operating"]
    assert {r["threshold"] for r in at} == {0.7}
    rates = ask("prf", "--threshold", "0.5", *same[:-1], "--labels", "t.csv")[1]["groups"]
    at = [r | {"measure": r["measure"].removesuffix(" at 0.5")} for r in page["groups"]]
    for measure in ("selection_rate", "recall", "specificity"):
        of = [sorted(list(r.values()) for r in table if r["measure"] == measure)
              for table in (at, rates)]
        assert of[0] == of[1] != [], measure
    bias = {r["system"]: r["value"] for r in page["calibration"] if r["measure"] == "bias"}
    for k, name in ((2, "A"), (3, "B")):
        mean = sum(float(r[k]) - r[1] for r in rows) / len(rows)
        assert abs(bias[name] - mean) < 1e-12, bias

    # The best of three comes second: the answer and the first picture of confusion are about it.
    three = "id,label,low,best,mid\n" + "".join(
        f"{r[0]},{r[1]},{.5 * float(r[3]) + .25},{r[2]},{r[3]}\n" for r in rows)
    said = ask("classify", "-", text=three)[0]["answer"]
    assert said.startswith("best has the highest AUC of 3 systems"), said
    assert "best is significantly better than both others, by 0." in said, said
    chart = json.loads(run("classify", "-", "--format", "vega", text=three).stdout)
    assert "best" in [p.get("value") for p in chart["params"]], chart["params"]
    turned = "id,label,a,b\n" + "".join(
        f"{r[0]},{r[1]},{1 - float(r[2])},{1 - float(r[3])}\n" for r in rows)
    said = ask("classify", "-", text=turned)[0]["answer"]
    assert "reversed: a with AUC" in said and ", b with AUC" in said, said
    # One of three is reversed: the others are answered as without it.
    one = "id,label,low,best,mid\n" + "".join(
        f"{r[0]},{r[1]},{.5 * float(r[3]) + .25},{r[2]},{1 - float(r[3])}\n" for r in rows)
    said = ask("classify", "-", text=one)[0]["answer"]
    assert "reversed: mid with AUC" in said and "best has the highest AUC of 3" in said, said
    assert ask("roc", "-", text=one)[0]["answer"] in said, said

    # Gaps of a system come together, of the best first.
    whose = [r["system"] for r in ask("classify", "-", text="label,low,best,site\n" + "".join(
        f"{r[1]},{r[3]},{r[2]},{r[4]}\n" for r in rows))[1]["gaps"]]
    assert whose == sorted(whose, key=("best", "low").index) and len(whose) == 12, whose

    # People see the largest gap of every system in the measure of the answer, of the best in all.
    third = "label,low,best,mid,site\n" + "".join(
        f"{r[1]},{.5 * float(r[3]) + .25},{r[2]},{r[3]},{r[4]}\n" for r in rows)
    for words in (["classify"], ["roc", "--columns", "group=site"]):
        seen = [line.split()[:2] for line in run(*words, "--table", "gaps", "-", text=third)
                .stdout.splitlines() if line.split()[:1] in (["low"], ["best"], ["mid"])]
        assert [of for of, measure in seen if measure == "AUC"] == ["best", "low", "mid"], seen
        assert {of for of, measure in seen if measure != "AUC"} <= {"best"}, seen

    # Groups that are numbers must be named; labels instead of scores are answered as by prf.
    told, page = ask("classify", "--columns", "group=sex", "t.csv")
    assert {r["group"] for r in page["groups"]} == {"0", "1"} and "site" in notes(told)
    spam = "truth,m,n,lang,said\n" + "".join(
        f"{'spam' if r[1] else 'ham'},{'spam' if float(r[2]) > .5 else 'ham'},"
        f"{'spam' if float(r[3]) > .5 else 'ham'},{r[4]},text {r[0]}\n" for r in rows)
    told, page = ask("classify", "-", text=spam)
    assert "gold truth; labels m, n; groups lang; not used said" in notes(told), notes(told)
    assert {"classes", "comparison", "cells", "groups"} <= set(page)

    # Three classes with a column of probabilities each.
    probabilities = "label,p_a,p_b,p_c,site\n" + "".join(
        f"{random.choice('abc')},{r[2]},{r[3]},0.5,{r[4]}\n" for r in rows)
    told, page = ask("classify", "-", text=probabilities)
    assert "classes" in page and "not used site" in notes(told), notes(told)

    # Each value equals that of scikit-learn or fairlearn.
    page = ask("classify", "-", text=ORACLE["table"])[1]
    cells = {"gaps": "gap", "cells": "items"}
    for table, system, measure, group, value in ORACLE["values"]:
        of = {"system": system} | ({"group": group} if table == "groups" else {})
        if table == "cells":
            of |= dict(zip(("gold", "predicted"), measure))
        elif table != "operating":
            of["measure"] = measure
        column = measure if table == "operating" else cells.get(table, "value")
        found = [r[column] for r in page[table] if of.items() <= r.items()]
        assert len(found) == 1 and abs(found[0] - value) < 1e-12, (table, of, found, value)
    assert len(ORACLE["values"]) > 60

    refused("no column of scores", "-", text="label,x\n1,foo\n0,bar\n")
    refused("no column 'gold'", "-", text="a,b\n1,2\n")
    refused("no column 'C'", "--system", "C", "t.csv")
    refused("a threshold needs scores", "--threshold", "0.5", "-", text=spam)

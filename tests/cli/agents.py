#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Agents that try tasks several times: pass@k, pass^k, ratios, percentiles, gates, directions.

usage: agents.py TOOL ORACLE   (ORACLE: tests/oracle, whose item_measures.py makes the same table)
"""
import json
import math
import os
import subprocess
import sys
import tempfile

TOOL, ORACLE = os.path.abspath(sys.argv[1]), sys.argv[2]
ITEMS, ATTEMPTS = 90, 4


def passed(t, k):
    return int((t * 7 + k * k * 5 + t * k) % 11 < 2 + t % 5)


def cost(t, k):
    return 0.25 + (t * 13 + k * 29) % 17 / 8 + (t % 9 == 0) * 3


def run(*words):
    return subprocess.run([TOOL, *words], capture_output=True, text=True)


def told(*words):
    done = run(*words, "--format", "json")
    assert done.returncode in (0, 3, 4), done
    return json.loads(done.stdout)


def table(answer, name):
    return next(t for t in answer["tables"] if t["name"] == name)["rows"]


def notes(answer):
    return " ".join(n["text"] for n in answer["notes"])


def near(a, b, slack=1e-9):
    return abs(a - b) <= slack * max(1.0, abs(b))


def write(name, header, rows):
    with open(name, "w", encoding="utf-8") as f:
        f.write(header + "\n" + "".join(",".join(map(str, r)) + "\n" for r in rows))
    return name


def refused(words, *arguments):
    done = run(*arguments)
    assert done.returncode in (1, 2) and words in done.stderr and done.stderr.count("\n") == 1, (words, done)


with open(f"{ORACLE}/item_measures.tsv", encoding="utf-8") as f:
    want = {line.split("\t")[0]: [float(x) for x in line.split("\t")[1:]] for line in f}

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    rows = [(f"t{t}", k, passed(t, k), cost(t, k)) for t in range(ITEMS) for k in range(ATTEMPTS)]
    attempts = write("attempts.csv", "task,attempt,resolved,cost", rows)
    once = write("once.csv", "task,resolved,cost", [(t, r, c) for t, k, r, c in rows if k == 0])

    # Values and limits equal those of an independent computation.
    names = ["pass@2", "pass^2", "pass@4", "pass^4", "cost/score"]
    answer = told("eval", "--scores", attempts, *(w for n in names for w in ("-m", n)))
    got = {r["measure"]: r for r in table(answer, "measures")}
    for name in names:
        assert near(got[name]["value"], want[name][0]), (name, got[name], want[name])
    ratio = got["cost/score"]
    assert near(ratio["lower"], want["cost/score"][1]) and near(ratio["upper"], want["cost/score"][2]), ratio
    one = {r["measure"]: r for r in table(told("eval", "--scores", once, "-m", "p50:cost", "-m", "p95:cost"),
                                          "measures")}
    for name in ("p50", "p95"):
        row = one[name + ":cost"]
        assert [row["value"], row["lower"], row["upper"]] == want[name], (row, want[name])
    # pass@1 and pass^1 are the mean, with its interval; resolved is the score by its column's name.
    same = table(told("eval", "--scores", attempts, "-m", "pass@1", "-m", "pass^1", "-m", "resolved"), "measures")
    assert len({(r["value"], r["lower"], r["upper"]) for r in same}) == 1, same
    # A score in [0, 1] with a condition is as the 0/1 score; without one it is refused by its line.
    graded = write("graded.csv", "task,attempt,reward", [(t, k, 0.75 if r else 0.5) for t, k, r, c in rows])
    refused("graded.csv:2: 'graded' has the score", "eval", "--scores", graded, "-m", "pass@4")
    for text in ("reward >= 0.7", "score > 0.5", ">=0.75", "reward = 0.75"):
        row = table(told("eval", "--scores", graded, "-m", "pass@4", "--success", text), "measures")[0]
        assert near(row["value"], want["pass@4"][0]), (text, row)
    refused("expected a condition", "eval", "--scores", graded, "-m", "pass@4", "--success", "reward")
    refused("expected pass@K", "eval", "--scores", attempts, "-m", "pass@0")
    refused("no measure 'steps'", "eval", "--scores", attempts, "-m", "cost/steps")
    refused("needs 5 attempts of an item; the most is 4", "eval", "--scores", attempts, "-m", "pass@5")
    # Items with fewer attempts are excluded and named.
    fewer = write("fewer.csv", "task,attempt,resolved", [r[:3] for r in rows if r[0] not in ("t3", "t8") or r[1] < 2])
    answer = told("eval", "--scores", fewer, "-m", "pass^4")
    assert "2 items are excluded from pass^4, with fewer than 4 attempts: t3, t8." in notes(answer), answer["notes"]
    assert table(answer, "measures")[0]["topics"] == ITEMS - 2

    # Clusters: the interval of a ratio is Fieller's with clustered variances, so doubled items in
    # clusters of two are as good as single ones.
    double = write("double.csv", "task,pair,attempt,resolved,cost",
                   [(f"{t}{d}", t, k, r, c) for t, k, r, c in rows for d in "ab"])
    by_pair = table(told("eval", "--scores", double, "--columns", "cluster=pair", "-m", "cost/score", "-m", "pass^4",
                         "-m", "p95:cost"), "measures")
    assert near(by_pair[0]["value"], ratio["value"]) and near(by_pair[0]["lower"], ratio["lower"], 1e-6), by_pair
    assert near(by_pair[1]["se"], got["pass^4"]["se"], 1e-6), by_pair
    single = table(told("eval", "--scores", attempts, "-m", "p95:cost"), "measures")[0]
    assert (by_pair[2]["lower"], by_pair[2]["upper"]) == (single["lower"], single["upper"]), (by_pair[2], single)
    # An upper limit of P95 needs 72 items; with fewer the answer says so, and compare refuses.
    few = write("few.csv", "system,task,cost", [(s, t, c + (s == "b")) for s in "ab" for t, k, r, c in rows
                                               if k == 0 and int(t[1:]) < 71])
    answer = told("eval", "--scores", few, "-m", "p95:cost")
    assert "needs 72 independent items" in notes(answer), answer["notes"]
    refused("needs as much as 72 independent items", "compare", "--scores", few, "-m", "p95:cost")

    # Two versions: lower is better by the name, differences are positive where the first is better.
    pair = write("pair.csv", "version,task,attempt,resolved,cost,latency",
                 [(v, t, k, r if v == "old" else int(r or (k == 0 and t[-1] == "7")), c * (0.5 if v == "new" else 1),
                   c + (v == "new") * (1 + int(t[1:]) % 5 / 9)) for v in ("new", "old") for t, k, r, c in rows])
    columns = ["--columns", "system=version"]
    answer = told("compare", "--scores", pair, *columns, "-m", "pass^4", "-m", "cost", "-m", "cost/score",
                  "-m", "p50:latency")
    found = {r["measure"]: r for r in table(answer, "pairs")}
    assert "Lower is better in cost, cost/score, p50:latency" in notes(answer), answer["notes"]
    assert found["cost"]["difference"] > 0 and found["cost"]["found"] == 1, found["cost"]
    assert found["cost/score"]["found"] == 1 and found["p50:latency"]["found"] == -1, found
    means = {(r["run"], r["measure"]): r for r in table(answer, "runs")}
    assert near(means["old", "cost"]["mean"], 2 * means["new", "cost"]["mean"])
    assert means["new", "cost"]["rank"] == 1 and means["new", "p50:latency"]["rank"] == 2, means
    for (system, measure), row in means.items():
        assert row["lower"] <= row["mean"] <= row["upper"], row
    higher = told("compare", "--scores", pair, *columns, "-m", "cost", "--lower-is-better", "none")
    assert table(higher, "pairs")[0]["found"] == -1
    # The column's name counts, and one that no score has is refused: it would turn the direction.
    for name in ("cost", "score"):
        lower = told("compare", "--scores", pair, "--columns", "system=version,score=cost", "--lower-is-better", name)
        assert table(lower, "pairs")[0]["found"] == 1, lower["answer"]
    refused("no score is called 'cots', in which lower would be better", "compare", "--scores", pair, *columns, "-m", "cost",
            "--lower-is-better", "cots")
    assert "In 'x - y' a difference below 0 favours x" in notes(lower), lower["notes"]
    refused("test needs a score of each item", "compare", "--scores", pair, *columns, "-m", "cost/score",
            "--test", "sign")
    # Items have no ratio of their own: nothing is counted over items, and table sets says so.
    sets = write("sets.csv", "system,set,item,score,cost", [(s, h, f"{h}{t}", passed(t, i), cost(t, i)) for i, s in
                                                            enumerate("ab") for h in "xy" for t in range(30)])
    answer = told("compare", "--scores", sets, "-m", "cost/score", "-m", "cost")
    ratio, plain = table(answer, "pairs")
    assert all(ratio[k] is None for k in ("wins", "ties", "losses", "sd", "effect", "superiority")), ratio
    assert plain["wins"] + plain["ties"] + plain["losses"] == 60, plain
    by_item = table(answer, "topics")
    assert {r["measure"] for r in by_item} == {"cost"}, by_item[0]
    assert {r["topic"]: r["score_a"] for r in by_item} == {f"{h}/{h}{t}": cost(t, 0) for h in "xy" for t in range(30)}
    for command in (["compare", "--table", "sets"], ["eval"]):
        answer = told(*command, "--scores", sets, "-m", "cost/score", "-m", "cost")
        assert "Table 'sets' has means: cost/score is over all sets." in notes(answer), answer["notes"]
        assert {r["measure"] for r in table(answer, "sets")} == {"cost"}
    done = run("compare", "--scores", pair, *columns, "-m", "cost", "--gate", "--baseline", "old", "--margin", "0.1")
    assert done.returncode == 0 and "(old minus new)" in done.stdout, done
    done = run("compare", "--scores", pair, *columns, "-m", "latency", "--gate", "--baseline", "old", "--margin", "0.1")
    assert done.returncode == 3, done

    # One gate with several conditions: all must be shown; one that is refuted fails, corrected.
    gate = ["eval", "--scores", once, "--gate", "-m", "resolved", "-m", "cost", "-m", "p95:cost", "-m", "cost/resolved"]
    for conditions, status in ((["resolved=0.2", "cost<3", "p95:cost<6"], 0), (["resolved=0.2", "cost<3", "p95:cost<3"], 3),
                               (["resolved=0.2", "p95:cost<4.5"], 4), (["resolved=0.9", "cost<3"], 3),
                               (["cost/resolved<9"], 0), (["cost/resolved<1"], 3), (["cost/resolved=1"], 0)):
        words = [w for c in conditions for w in (("--at-most", c.replace("<", "=")) if "<" in c else ("--at-least", c))]
        done = run(*gate, *words)
        assert done.returncode == status, (conditions, done.stdout)
        claims = told(*gate, *words)["claims"]
        assert len(claims) == len(conditions)
        assert all(near(c["level"], 0.05) and near(c["level_contrary"], 0.05 / len(claims)) for c in claims), claims
    # The exact binomial test of a percentile.
    claim = told(*gate, "--at-most", "p95:cost=5")["claims"][0]
    k = sum(c <= 5 for t, a, r, c in rows if a == 0)
    tail = sum(math.comb(ITEMS, i) * 0.95 ** i * 0.05 ** (ITEMS - i) for i in range(k, ITEMS + 1))
    assert near(claim["p"], tail), (claim, tail)
    # Attempts that depend on each other: the binomial test of as many as are as sure.
    claim = told("eval", "--scores", attempts, "--gate", "-m", "p95:cost", "--at-most", "p95:cost=5")["claims"][0]
    def within(bound):
        return [sum(c <= bound for u, _, _, c in rows if u == f"t{t}") / ATTEMPTS for t in range(ITEMS)]
    x, below = within(claim["estimate"]), sum(within(5)) / ITEMS
    mean = sum(x) / ITEMS
    se = (sum((v - mean) ** 2 for v in x) / (ITEMS - 1) / ITEMS) ** 0.5
    assert se > 0 and (claim["p"] < 0.05) == (claim["upper"] < 5)
    # Between z and t there are a few trials; the whole number of those below the bound says less.
    tails = [sum(math.comb(n, i) * 0.95 ** i * 0.05 ** (n - i) for i in range(math.floor(below * n + 1e-9), n + 1))
             for n in range(math.floor(mean * (1 - mean) / se ** 2 * 0.96), math.floor(mean * (1 - mean) / se ** 2) + 1)]
    assert any(near(claim["p"], tail) for tail in tails), (claim, tails)
print("agents: ok")

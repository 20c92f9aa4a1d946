# SPDX-License-Identifier: Apache-2.0
"""Preferences: strengths as choix and scipy have them, and no number where there is none.

usage: prefer.py TOOL ORACLE
"""
import json
import os
import subprocess
import sys
import tempfile

TOOL, ORACLE = map(os.path.abspath, sys.argv[1:3])
sys.path.insert(0, ORACLE)
import preferences  # noqa: E402


def run(*words):
    return subprocess.run([TOOL, "prefer", *words], capture_output=True, text=True, check=False)


def ask(*words):
    said = run("--format", "json", *words)
    assert said.returncode == 0, said
    told = json.loads(said.stdout)
    return told, {t["name"]: t["rows"] for t in told["tables"]}


def write(name, rows, header="a,b,winner,item,judge"):
    with open(name, "w", encoding="utf-8") as f:
        f.write(header + "\n" + "".join(",".join(map(str, r)) + "\n" for r in rows))
    return name


with open(f"{ORACLE}/preferences.tsv", encoding="utf-8") as f:
    oracle = {s.split("\t")[0]: [list(map(float, x.split())) for x in s.split("\t")[1:]]
              for s in f if s[0] != "#"}
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, seed, systems, count, ties, items, position in preferences.CASES:
        data = preferences.votes(seed, systems, count, ties, items)
        sides = ["a", "b", "tie"]
        write("votes.csv", [(f"m{a}", f"m{b}", sides[w], f"q{i}") for a, b, w, i in data],
              "a,b,winner,item")
        with open("votes.jsonl", "w", encoding="utf-8") as f:
            for a, b, w, i in data:
                f.write(json.dumps({"model_a": f"m{a}", "model_b": f"m{b}", "question_id": i, "winner":
                                    ["model_a", f"m{b}", "tie (bothbad)"][w]}) + "\n")
        value, se = oracle[name]
        for file in ("votes.csv", "votes.jsonl"):
            told, tables = ask(file, *(["--position"] if position else []))
            rows = {r["system"]: r for r in tables["systems"]}
            for k in range(systems):
                r = rows[f"m{k}"]
                assert abs(r["strength"] - value[k]) < 1e-6 and abs(r["se"] - se[k]) < 1e-6, (name, r)
                assert r["lower"] < r["strength"] < r["upper"]
                assert r["wins"] == sum(w < 2 and (a, b)[w] == k for a, b, w, _ in data), r
            assert abs(sum(r["strength"] for r in rows.values())) < 1e-9
            if position:
                at = tables["position"][0]
                assert abs(at["effect"] - value[-1]) < 1e-6 and abs(at["se"] - se[-1]) < 1e-6, at
            # Pairs: the votes, the difference of strengths, and the tests that ranks rest on.
            for x in tables["pairs"]:
                assert x["votes"] == sum({f"m{a}", f"m{b}"} == {x["a"], x["b"]} for a, b, _, _ in data), x
                assert x["wins"] == sum((a, b)[w] == int(x["a"][1:]) for a, b, w, _ in data
                                        if w < 2 and {f"m{a}", f"m{b}"} == {x["a"], x["b"]}), x
                d = rows[x["a"]]["strength"] - rows[x["b"]]["strength"]
                assert x["difference"] >= 0 and abs(x["difference"] - d) < 1e-9, x
                assert (x["lower"] > 0) == (x["p"] < 0.05) and x["p"] <= x["p_holm"], x
            better = {n: sum(x["b"] == n and x["p_holm"] < 0.05 for x in tables["pairs"]) for n in rows}
            assert all(r["rank_lower"] == better[n] + 1 for n, r in rows.items()), better
            # A rank is excluded only by systems that the interval of the difference excludes.
            ranks = [(r["rank_lower"], r["rank_upper"]) for r in tables["systems"]]
            assert all(lo <= i + 1 <= hi for i, (lo, hi) in enumerate(ranks)), ranks
            assert ("Davidson 1970" in run(file).stdout) == (ties > 0)
    # Without items each vote counts by itself, and that is said.
    write("plain.csv", [(f"m{a}", f"m{b}", sides[w]) for a, b, w, _ in data], "a,b,winner")
    told, _ = ask("plain.csv")
    assert any(n["id"] == "prefer.no-item" for n in told["notes"]), told["notes"]
    # No estimate: why, and no number.
    for votes, why in (([("x", "y", "a"), ("x", "y", "b"), ("u", "v", "a"), ("u", "v", "b")],
                        "do not connect"),
                       ([("x", "y", "a"), ("y", "z", "a"), ("z", "y", "a")], "x never lost"),
                       ([("x", "y", "a"), ("y", "x", "b"), ("y", "z", "a"), ("z", "y", "b")],
                        "never"),
                       ([("x", "y", "tie"), ("x", "y", "a"), ("x", "y", "a")], "ties and wins"),
                       ([("x", "y", "tie"), ("y", "z", "tie")], "ties and wins"),
                       # Separated only with the position: what scipy's linprog finds, too.
                       ([("x", "y", "a"), ("y", "x", "a"), ("y", "x", "b")], "position"),
                       ([("x", "y", "a"), ("x", "y", "b"), ("x", "y", "tie")], "position"),
                       ([("x", "y", "a"), ("y", "x", "a"), ("x", "y", "tie"), ("y", "x", "tie")],
                        "position")):
        told, tables = ask(write("gap.csv", votes, "a,b,winner"),
                           *(["--position"] if why == "position" else []))
        assert told["answer"].startswith("No strengths: ") and why in told["answer"], told["answer"]
        assert all(r["strength"] is None and r["lower"] is None for r in tables["systems"]), tables
        if why == "position":
            told, tables = ask("gap.csv")
            assert told["answer"][:2] != "No" or "equal" in told["answer"], told["answer"]
            assert tables["position"][0]["effect"] is None, tables
    told, _ = ask(write("one.csv", [("x", "y", "a", 1), ("x", "y", "b", 1)], "a,b,winner,item"))
    assert "all votes are on one item" in told["answer"], told["answer"]
    # Equal strengths: no best one, no rest of rounding, no interval of votes without variation.
    even = [("x", "y", "tie"), ("y", "x", "tie"), ("x", "y", "a"), ("y", "x", "a"),
            ("x", "z", "tie"), ("z", "y", "tie")]
    told, tables = ask(write("even.csv", even, "a,b,winner"))
    assert told["answer"] == "No system is preferred most: all 3 strengths are equal.", told
    assert [r["strength"] for r in tables["systems"]] == [0, 0, 0], tables
    assert [r["lower"] is None for r in tables["systems"]] == [False, False, True], tables
    assert any(n["id"] == "prefer.constant" for n in told["notes"]), told["notes"]
    # A judge that prefers what comes first, against people who do not.
    rows = []
    for a, b, w, i in preferences.votes(5, 4, 400, 0.1, 40):
        rows += [(f"m{a}", f"m{b}", sides[w], i, "human"),
                 (f"m{a}", f"m{b}", "a" if i % 2 else sides[w], i, "llm")]
    told, tables = ask(write("judged.csv", rows))
    judges = {r["judge"]: r for r in tables["judges"]}
    keys = {(i, *sorted(x)) for *x, _, i, _ in rows}
    assert judges["llm"]["shared"] == len(keys) and judges["human"]["agreement"] is None, judges
    assert judges["llm"]["lower"] < judges["llm"]["agreement"] < judges["llm"]["upper"] < 1, judges
    assert any(n["id"] == "prefer.position" for n in told["notes"]), told["notes"]
    _, only = ask("judged.csv", "--judge", "human")
    assert sum(r["wins"] + r["ties"] / 2 for r in only["systems"]) == 400, only
    # Few judges: the answer is about these; from 20 on votes are clustered by judge, too.  Of two systems
    # the strength has the variance of a proportion's logit, a quarter of it.
    for judges in (3, 20):
        data = [(j, i, (j * 7 + i * 5 + j * i) % 9 < 4 + j % 3) for j in range(judges) for i in range(12)]
        told, tables = ask(write("tastes.csv", [("x", "y", "ab"[w], i, f"judge{j}") for j, i, w in data]))
        n, p = len(data), sum(w for *_, w in data) / len(data)

        def part(key, p=p, data=data):
            sums = {}
            for j, i, w in data:
                sums[key(j, i)] = sums.get(key(j, i), 0) + w - p
            return sum(x * x for x in sums.values()) * len(sums) / (len(sums) - 1)
        squares = part(lambda j, i: i)
        if judges == 20:
            squares += part(lambda j, i: j) - part(lambda j, i: (j, i))
        se = squares ** 0.5 / (n * p * (1 - p)) / 2
        assert all(abs(r["se"] - se) < 1e-9 for r in tables["systems"]), (se, tables["systems"])
        assert ("by these 3 judges" in told["answer"]) == (judges == 3), told["answer"]
        assert any(x["id"] == "prefer.these-judges" for x in told["notes"]) == (judges == 3), told["notes"]
        assert ("items and judges" in told["method"]) == (judges == 20), told
    # Bad input: one line.
    for text, words in (("a,b,winner\nx,y,z\n", "votes.csv:2: winner 'z', expected a, b, tie"),
                        ("a,b,winner\na,y,a\nb,y,b\n", "votes.csv:3: winner 'b' is a system of the pair, but"),
                        ("a,b,winner\ny,tie,Tie\ny,tie,tie\n", "votes.csv:3: winner 'tie' is a system"),
                        ("a,b,winner\nx,x,a\n", "votes.csv:2: system 'x' against itself"),
                        ("a,b\nx,y\n", "no column for role 'winner'"), ("a,b,winner\nx,y,\n", "there is no vote"),
                        ('{"a": "x", "b": "y"}\n', "votes.csv:1: no column for role 'winner'"),
                        ('{"a": "x", "b": "y", "winner": [1]}\n', "winner is no text")):
        with open("votes.csv", "w", encoding="utf-8") as f:
            f.write(text)
        said = run("votes.csv")
        assert said.returncode == 1 and words in said.stderr and said.stderr.count("\n") == 1, said
    said = run("plain.csv", "--columns", "nobody=x")
    assert said.returncode == 2 and "expected ROLE=NAME" in said.stderr, said

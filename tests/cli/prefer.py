# SPDX-License-Identifier: Apache-2.0
"""Preferences: strengths as choix, scipy and regressions written here have them, or no number.

usage: prefer.py TOOL ORACLE
"""
import json
import math
import os
import random
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


def solve(m, v):
    """m^-1 v, and m^-1, by elimination."""
    n = len(v)
    rows = [list(r) + [v[i]] + [float(i == k) for k in range(n)] for i, r in enumerate(m)]
    for i in range(n):
        top = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[top] = rows[top], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i:
                rows[k] = [x - rows[k][i] * y for x, y in zip(rows[k], rows[i])]
    return [r[n] for r in rows], [r[n + 1:] for r in rows]


def logistic(X, y, item, weight=None):
    """Coefficients (the first K sum to 0) and their errors by the sandwich over items."""
    n, K = len(X[0]), max(i for r in X for i, x in enumerate(r) if x in (-1, 1) and i < 4) + 1
    weight, at = weight or [1] * len(X), [0.0] * len(X[0])
    for _ in range(50):
        p = [1 / (1 + math.exp(-sum(b * x for b, x in zip(at, r)))) for r in X]
        score = [[w * (t - q) * x for x in r] for r, t, q, w in zip(X, y, p, weight)]
        h = [[sum(w * q * (1 - q) * r[i] * r[j] for r, q, w in zip(X, p, weight)) + (i < K and j < K)
              for j in range(n)] for i in range(n)]
        step, inverse = solve(h, [sum(s[i] for s in score) for i in range(n)])
        at = [b + s for b, s in zip(at, step)]
    sums = {}
    for i, s in zip(item, score):
        sums[i] = [x + z for x, z in zip(sums.get(i, [0.0] * n), s)]
    by = len(sums) / (len(sums) - 1)
    lines = [[sum(v * z for v, z in zip(r, s)) for s in sums.values()] for r in inverse]
    return at, [(by * sum(x * x for x in r)) ** 0.5 for r in lines]


def corrected(rows, got):
    """Strengths by the weighted score equation, and lambda."""
    votes = {}
    for a, b, w, i, judge in rows:
        votes.setdefault((i, a, b), {})[judge] = w == "a"
    rate = {k: 1 / (1 + math.exp(got[k[2]]["plain"] - got[k[1]]["plain"])) for k in votes}
    pairs = [(v["human"] - rate[k], v["llm"] - rate[k]) for k, v in votes.items() if "human" in v]
    lam, part = sum(h * f for h, f in pairs) / sum(f * f for _, f in pairs), len(pairs) / len(votes)
    X, y, weight = [], [], []
    for (_, a, b), v in votes.items():
        for judge, w in [("llm", lam * part)] + [("human", 1), ("llm", -lam)] * ("human" in v):
            X.append([(a == f"m{k}") - (b == f"m{k}") for k in range(3)])
            y.append(v[judge])
            weight.append(w)
    return logistic(X, y, range(len(X)), weight)[0], lam


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
    # A covariate: as a logistic regression, by Newton's method on dense lists.
    rng, count = random.Random(7), 400
    data = []
    for _ in range(count):
        a, b = rng.sample(range(4), 2)
        la, lb = rng.randint(50, 900), rng.randint(50, 900)
        data.append((a, b, rng.random() < 1 / (1 + math.exp(-(a - b) / 3 - (la - lb) / 400)), rng.randrange(60), la, lb))
    size = (sum((la - lb) ** 2 for *_, la, lb in data) / count) ** 0.5
    X = [[(a == k) - (b == k) for k in range(4)] + [(la - lb) / size] for a, b, _, _, la, lb in data]
    value, se = logistic(X, [w for _, _, w, *_ in data], [i for *_, i, _, _ in data])
    for name, header, extra in (("sides.csv", "a,b,winner,item,len_a,len_b", lambda r: r[4:]),
                                ("one.csv", "a,b,winner,item,len", lambda r: (r[4] - r[5],))):
        write(name, [(f"m{r[0]}", f"m{r[1]}", "ba"[r[2]], r[3], *extra(r)) for r in data], header)
        told, tables = ask(name, "--columns", "covariate=len")
        got = {r["system"]: r for r in tables["systems"]}
        effect = tables["covariates"][0]
        assert abs(effect["effect"] - value[4]) < 1e-6 and abs(effect["se"] - se[4]) < 1e-6, (effect, value, se)
        assert abs(effect["size"] - size) < 1e-9, effect
        for k in range(4):
            r = got[f"m{k}"]
            assert abs(r["strength"] - value[k]) < 1e-6 and abs(r["se"] - se[k]) < 1e-6, (r, value, se)
    plain = {r["system"]: r["strength"] for r in ask("one.csv")[1]["systems"]}
    assert all(abs(r["plain"] - plain[s]) < 1e-9 for s, r in got.items()), (plain, got)
    with open("sides.jsonl", "w", encoding="utf-8") as f:
        f.write("".join(json.dumps({"a": f"m{r[0]}", "b": f"m{r[1]}", "winner": "ba"[r[2]], "item": r[3],
                                    "len_a": r[4], "len_b": r[5]}) + "\n" for r in data))
    assert ask("sides.jsonl", "--columns", "covariate=len")[1]["covariates"] == [effect]
    # The covariate says who won: no finite estimate.
    write("clear.csv", [(f"m{r[0]}", f"m{r[1]}", "ba"[r[4] > r[5]], r[3], r[4], r[5]) for r in data],
          "a,b,winner,item,len_a,len_b")
    told, tables = ask("clear.csv", "--columns", "covariate=len")
    assert told["answer"].startswith("No strengths: with covariates") and "covariates" not in tables, told["answer"]
    for text, words in (("a,b,winner,len\nx,y,a,1\n", "'size'"), ("a,b,winner,size\nx,y,a,z\n", "covariate 'z'"),
                        ("a,b,winner,size\nx,y,a,0\n", "the same 'size'")):
        with open("votes.csv", "w", encoding="utf-8") as f:
            f.write(text)
        said = run("votes.csv", "--columns", "covariate=size")
        assert said.returncode == 1 and words in said.stderr and said.stderr.count("\n") == 1, said
    # Circular triads: each judge's, on items where it compared all three.
    loops = [("x", "y", "a", 1, "j"), ("y", "z", "a", 1, "j"), ("z", "x", "a", 1, "j"),
             ("x", "y", "a", 2, "j"), ("y", "z", "a", 2, "j"), ("z", "x", "b", 2, "j"),
             ("x", "y", "a", 3, "j"), ("y", "z", "tie", 3, "j"), ("z", "x", "b", 3, "j"), ("y", "x", "a", 3, "k")]
    _, tables = ask(write("loops.csv", loops))
    assert [(r["triads"], r["circular"]) for r in tables["judges"]] == [(2, 0.5), (0, None)], tables["judges"]
    # A judge who prefers m0 whatever the answers, and people on a sample of the comparisons.
    rng, rows = random.Random(11), []
    for i in range(200):
        for a, b in ((0, 1), (2, 0), (1, 2)):
            w = rng.random() < 1 / (1 + math.exp(-(a - b) / 2))
            by = w if rng.random() < 0.6 else 0 in (a, b) and a == 0 or 0 not in (a, b) and w
            rows.append((f"m{a}", f"m{b}", "ba"[by], i, "llm"))
            if rng.random() < 0.3:
                rows.append((f"m{a}", f"m{b}", "ba"[w], i, "human"))
    both = write("both.csv", rows)
    told, tables = ask(both, "--human-design", "random")
    got = {r["system"]: r for r in tables["systems"]}
    for judge, column in (("human", "human"), ("llm", "plain")):
        alone = {r["system"]: r["strength"] for r in ask(both, "--judge", judge)[1]["systems"]}
        assert all(abs(r[column] - alone[s]) < 1e-9 for s, r in got.items()), (judge, alone, got)
    value, lam = corrected(rows, got)
    assert 0 < lam < 1 and all(abs(got[f"m{k}"]["strength"] - value[k]) < 1e-6 for k in range(3)), (lam, value, got)
    assert got["m0"]["plain"] > 0 > got["m0"]["upper"], got["m0"]
    assert all(r["upper"] - r["lower"] < r["human_upper"] - r["human_lower"] for r in got.values()), got
    # People on all comparisons, like the judge: the judge adds nothing, the estimate is theirs.
    same = write("same.csv", [r for x in rows if x[4] == "llm" for r in (x, (*x[:4], "human"))])
    told, tables = ask(same, "--human-design", "random")
    assert all(abs(r["strength"] - r["human"]) < 1e-6 and abs(r["upper"] - r["human_upper"]) < 1e-6
               for r in tables["systems"]), tables["systems"]
    for words, more in (("expected random", ["--human-design", "strata"]), ("and of another judge", ["--human-design",
                        "random", "--judge", "llm"])):
        said = run(both, *more)
        assert said.returncode in (1, 2) and words in said.stderr and said.stderr.count("\n") == 1, said
    # The gate: a rate against the baseline, one-sided.
    for base, margin, status in (("m0", "0.05", 0), ("m2", "0.02", 3), ("m1", "0.2", 4)):
        said = run(both, "--human-design", "random", "--gate", "--baseline", base, "--margin", margin)
        assert said.returncode == status, said.stdout
    told = json.loads(run(both, "--judge", "llm", "--gate", "--baseline", "m2", "--margin", "0.1", "--format",
                          "json").stdout)
    rows = {(x["a"], x["b"]): x for x in next(t for t in told["tables"] if t["name"] == "pairs")["rows"]}
    for c in told["claims"]:
        x = rows.get((c["system"], "m2")) or rows[("m2", c["system"])]
        d = x["difference"] if x["b"] == "m2" else -x["difference"]
        assert abs(c["estimate"] - 1 / (1 + math.exp(-d))) < 1e-9 and c["bound"] == 0.4 and abs(c["level"] - 0.025) < 1e-9, c
    for more in (["--gate"], ["--gate", "--baseline", "m2"], ["--gate", "--baseline", "who", "--margin", "0.1"]):
        said = run(both, *more)
        assert said.returncode in (1, 2) and "a gate needs a baseline, a margin" in said.stderr, said
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

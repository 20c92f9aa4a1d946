# SPDX-License-Identifier: Apache-2.0
"""The gate of compare and prf: exit status, verdict and sentence go together.

usage: gate.py TOOL
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

tool = os.path.abspath(sys.argv[1])


def run(*arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)


def gate(status, verdict, *arguments):
    """The exit status, and the verdict in JSON; returns the answer."""
    said = run("compare", "--scores", "--gate", "--format", "json", *arguments)
    assert said.returncode == status, (arguments, said)
    told = json.loads(said.stdout)
    assert told["verdict"] == verdict, told["verdict"]
    return told


def write(name, scores, items=None):
    with open(name, "w", encoding="utf-8") as f:
        f.write("item,score\n")
        f.writelines(f"q{i},{s}\n" for i, s in enumerate(scores) if items is None or i < items)
    return name


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    rng = random.Random(1)
    base = [rng.random() for _ in range(60)]
    write("base.csv", base)
    write("same.csv", base)
    write("near.csv", [x + rng.gauss(0, 0.01) for x in base])
    write("worse.csv", [x - 0.2 + rng.gauss(0, 0.15) for x in base])
    write("noisy.csv", [x + rng.gauss(0, 0.6) for x in base])
    write("lost.csv", base, items=50)
    how = ["--baseline", "base", "--margin", "0.05"]
    # Equal differences need a range: without one, nothing is known of losses that no item shows.
    assert gate(0, "PASS", *how, "--range", "0,1", "base.csv", "same.csv")["answer"].startswith("PASS")
    assert "--range LOW,HIGH" in str(gate(4, "INCONCLUSIVE", *how, "base.csv", "same.csv")["notes"])
    told = gate(0, "PASS", *how, "base.csv", "near.csv")
    assert told["claims"][0]["text"] == "score of near is not worse than that of base by more than 0.05"
    # Two noised copies of one run, 100 items: t shows the margin, and the interval beside it says the same.
    copy = random.Random(2)
    once = [copy.random() for _ in range(100)]
    for name in ("one.csv", "two.csv"):
        write(name, [min(1, max(0, x + copy.gauss(0, 0.04))) for x in once])
    told = gate(0, "PASS", "--baseline", "one", "--margin", "0.02", "one.csv", "two.csv")
    pair = next(t["rows"][0] for t in told["tables"] if t["name"] == "pairs")
    assert abs(pair["lower"]) < 0.02 and abs(pair["upper"]) < 0.02 and told["claims"][0]["lower"] > -0.02, pair
    # A failure says "is worse" with a small p, not "is not worse" with one near 1.
    told = gate(3, "FAIL", *how, "base.csv", "worse.csv")
    assert told["answer"].startswith("FAIL") and "not worse" not in told["answer"]
    assert told["claims"][0]["p_contrary"] < 0.05 and told["claims"][0]["upper"] < -0.05, told
    told = gate(4, "INCONCLUSIVE", *how, "base.csv", "noisy.csv")
    assert told["answer"].startswith("INCONCLUSIVE") and told["claims"][0]["verdict"] == "INCONCLUSIVE", told
    assert told["claims"][0]["lower"] < -0.05 < told["claims"][0]["upper"], told
    # What is inconclusive passes then: word, verdict and status agree.
    told = gate(0, "PASS", *how, "--gate-on", "worse", "base.csv", "noisy.csv")
    assert told["answer"].startswith(
        "PASS: noisy was not demonstrated to be worse than base by more than 0.05 (p = "), told
    gate(3, "FAIL", *how, "--gate-on", "worse", "base.csv", "worse.csv")
    # Several candidates: the worst decides.
    gate(3, "FAIL", *how, "base.csv", "near.csv", "worse.csv", "noisy.csv")
    gate(4, "INCONCLUSIVE", *how, "base.csv", "near.csv", "noisy.csv")
    gate(4, "INCONCLUSIVE", *how, "--gate-on", "doubt", "base.csv", "noisy.csv")  # 0.2's word
    # p of equal scores is (1 - margin)^n; lost items cannot pass, unless they count as 0.
    gate(4, "INCONCLUSIVE", "--baseline", "base", "--margin", "0", "base.csv", "same.csv")
    told = gate(4, "INCONCLUSIVE", *how, "base.csv", "lost.csv")
    assert "lacks items of the baseline" in told["claims"][0]["withheld"]
    assert told["answer"].startswith("INCONCLUSIVE: lost lacks 10 of the baseline's items (-c counts "
                                     "them as 0); it may be worse"), told["answer"]
    told = gate(0, "PASS", *how, "--gate-on", "worse", "base.csv", "lost.csv")
    assert "lost lacks 10 of the baseline's items" in str(told["notes"]), told["notes"]
    gate(3, "FAIL", "-c", "--baseline", "base", "--margin", "0.001", "base.csv",
         "lost.csv")
    # Yesterday's verdict does not stay where today's is missing.
    for bad in (["base.csv", "none.csv"], ["base.csv", "broken.csv"]):
        with open("broken.csv", "w", encoding="utf-8") as f:
            f.write("item,score\nq1,x\n")
        said = run("compare", "--scores", "--gate", *how, "--format", "json", "-o", "verdict.json", "base.csv", "near.csv")
        assert said.returncode == 0 and json.load(open("verdict.json", encoding="utf-8"))["verdict"] == "PASS", said
        said = run("compare", "--scores", "--gate", *how, "--format", "json", "-o", "verdict.json", *bad)
        told = json.load(open("verdict.json", encoding="utf-8"))
        assert said.returncode == 1 and told["verdict"] == "ERROR" and bad[1] in told["answer"], (said, told)
    for wrong, word in ((["--baseline", "base"], "--margin"), (["--margin", "0.1"], "--baseline")):
        said = run("compare", "--scores", "--gate", *wrong, "base.csv", "near.csv")
        assert said.returncode == 2 and word in said.stderr, said
    # The table has the p that the gate decides by: of skewed differences t's alone is smaller.
    write("skewed.csv", [x - 0.3 * (i % 10 == 0) for i, x in enumerate(base)])
    told = gate(4, "INCONCLUSIVE", "--baseline", "base", "--margin", "0.05", "base.csv", "skewed.csv")
    pair = {t["name"]: t["rows"] for t in told["tables"]}["pairs"][0]
    p = pair["p_noninferior"]
    assert told["claims"][0]["p"] == p, (pair, told["claims"])
    t = (pair["difference"] + 0.05) / pair["sd"] * 60 ** 0.5
    assert t > 1.671 and pair["p_noninferior"] > 0.05, pair  # t's p would be below .05
    # The same scores for other items: equal means differ by 0, not by what rounding leaves.
    write("moved.csv", base[1:] + base[:1])
    told = json.loads(run("compare", "--scores", "--format", "json", "base.csv", "moved.csv").stdout)
    pair = {t["name"]: t["rows"] for t in told["tables"]}["pairs"][0]
    assert pair["difference"] == 0 and pair["p"] == 1 and "equal means" in told["answer"], told
    # Equal right and wrong answers: p is that of the interval, which more than 0 is in.
    right = [i % 2 for i in range(50)]
    write("right.csv", right)
    write("again.csv", right)
    write("other.csv", [1 - x if i < 2 else x for i, x in enumerate(right)])
    for name in ("again", "other"):
        for margin in (0.02, 0.04, 0.06, 0.08, 0.1, 0.12):
            said = run("compare", "--scores", "--binary", "--confidence", "0.9", "--margin", str(margin),
                       "--format", "json", "right.csv", f"{name}.csv")
            tables = {t["name"]: t["rows"] for t in json.loads(said.stdout)["tables"]}
            pair = tables["pairs"][0]
            assert (pair["p_noninferior"] < 0.05) == (pair["lower"] > -margin), pair
            assert (pair["p_equivalent"] < 0.05) == (-margin < pair["lower"] and pair["upper"] < margin), pair
    gate(4, "INCONCLUSIVE", "--baseline", "right", "--margin", "0.01", "right.csv", "again.csv")
    # 20 equal items are inconclusive at .05, 59 pass, and fewer tell how many are needed.
    for name, scores in (("zeros", [i % 2 for i in range(60)]), ("reals", base)):
        for n in (20, 58, 59):
            write("a.csv", scores, items=n)
            write("b.csv", scores, items=n)
            told = gate(0 if n == 59 else 4, "PASS" if n == 59 else "INCONCLUSIVE", "--baseline", "a",
                        "--margin", "0.05", "--range", "0,1", "a.csv", "b.csv")
            pair = {t["name"]: t["rows"] for t in told["tables"]}["pairs"][0]
            assert abs(pair["p_noninferior"] - 0.95 ** n) < 1e-9, pair
            assert pair["p_equivalent"] >= pair["p_noninferior"], pair
            assert (n == 59) == ("about 59 items are needed" not in str(told["notes"])), told["notes"]
            gate(0, "PASS", "--gate-on", "worse", "--baseline", "a", "--margin", "0.05", "a.csv",
                 "b.csv")
    # A significant loss within the margin is told, whatever the verdict.
    write("a.csv", [int(i < 227) for i in range(300)])
    write("b.csv", [int(27 <= i < 237) for i in range(300)])
    for margin, status, options in (("0.15", 0, []), ("0.03", 0, ["--gate-on", "worse"]),
                                    ("0.03", 4, [])):
        told = gate(status, "INCONCLUSIVE" if status else "PASS", "--baseline", "a", "--margin", margin,
                    *options, "a.csv", "b.csv")
        assert "b is significantly worse than a, but " in told["answer"], told
        assert ". The difference in score (b minus a) is -0.0567 (one-sided 95 % limits -0.0" in told["answer"], told
        assert "other comparison" not in told["answer"], told
    write("c.csv", [int(27 <= i < 237) for i in range(300)])
    both = gate(4, "INCONCLUSIVE", "--baseline", "a", "--margin", "0.03", "a.csv", "b.csv", "c.csv")
    assert " 1 other comparison is inconclusive, too." in both["answer"], both
    assert "If the loss stays this large, no number of items lets" in str(told["notes"]), told
    # No loss of scores in [0, 1] is beyond a margin of 1; p is never 0.
    for margin in ("1", "3"):
        said = run("compare", "--scores", "--gate", "--baseline", "a", "--margin", margin, "a.csv", "b.csv")
        assert said.returncode != 0 and f"a margin of {margin}, expected less than 1" in said.stderr, said
        assert len(said.stderr.splitlines()) == 1 and said.stdout == "", said
    write("a.csv", [100 + i % 3 for i in range(300)])
    write("b.csv", [100 + i % 3 + i % 7 / 100 for i in range(300)])
    told = gate(0, "PASS", "--baseline", "a", "--margin", "30", "a.csv", "b.csv")
    assert "(p < 1e-16)" in told["answer"] and "p = 0" not in str(told["claims"]), told
    # Equal differences: what ran is named.
    write("b.csv", [100.5 + i % 3 for i in range(300)])
    told = gate(4, "INCONCLUSIVE", "--baseline", "a", "--margin", "2", "a.csv", "b.csv")
    assert "t test" not in told["method"] and told["claims"][0]["withheld"], told
    # 4 wins of 60: one McNemar, and a warning.
    write("a.csv", [0] * 60)
    write("b.csv", [int(i < 4) for i in range(60)])
    said = json.loads(run("compare", "--scores", "--format", "json", "b.csv", "a.csv").stdout)
    pair = {t["name"]: t["rows"] for t in said["tables"]}["pairs"][0]
    assert any("the same difference on all but a few items (fewer than 10)" in str(n) for n in said["notes"]), said["notes"]
    said = json.loads(run("prf", "--paired", "--counts", "A:B=4:0:60", "--format", "json").stdout)
    row = [r for t in said["tables"] for r in t["rows"] if "mcnemar_p" in r][0]
    assert abs(row["mcnemar_p"] - pair["p"]) < 1e-12, (row, pair)
    assert any("differ on 4 items only" in str(n) for n in said["notes"]), said["notes"]
    # Intervals of means are named where they are shown, and those of many pairs.
    for table, has in (("runs", True), ("paper", True), ("pairs", False)):
        said = run("compare", "--scores", "--table", table, "--cite", "b.csv", "a.csv").stdout
        assert ("Wilson's score method for intervals of means" in said) == has == ("Wilson (1927)" in said), (table, said)
    said = run("compare", "--scores", "base.csv", "same.csv", "near.csv").stdout
    assert "Hall's t test (Student 1908; Hall 1992; intervale's method: doc/methods/larger-p.md)" in said and "Bonferroni's simultaneous intervals" in said, said
    # A win more never makes p larger, nor a loss less.
    last = 1.0
    for wins, losses in ((0, 2), (0, 1), (0, 0), (1, 0), (2, 0), (5, 0)):
        write("a.csv", [1 if i < losses else 0 for i in range(25)])
        write("b.csv", [1 if losses <= i < losses + wins else 0 for i in range(25)])
        said = run("compare", "--scores", "--margin", "0.05", "--format", "json", "b.csv", "a.csv")
        pair = {t["name"]: t["rows"] for t in json.loads(said.stdout)["tables"]}["pairs"][0]
        assert pair["p_noninferior"] < last, (wins, losses, pair)
        last = pair["p_noninferior"]
    # One set of twelve collapses: it is named, and --gate-sets fails.
    for name in ("main", "candidate", "other"):
        with open(f"{name}.csv", "w", encoding="utf-8") as f:
            f.write("item,set,score\n")
            for k in range(12):
                for i in range(150):
                    is_right = (i * 7 + k) % 10 < 7
                    lost = (name, k) in (("candidate", 4), ("other", 7)) and i % (3 if k == 4 else 2) == 0
                    f.write(f"s{k}q{i},set{k},{int(is_right and not lost)}\n")
    how = ["--baseline", "main", "--margin", "0.05", "main.csv", "candidate.csv"]
    told = gate(0, "PASS", *how)
    assert "But candidate is significantly worse than main in 1 of 12 sets: set4 (-0.2" in told["answer"], told["answer"]
    told = gate(3, "FAIL", "--gate-sets", *how)
    assert told["answer"].startswith("FAIL: candidate is significantly worse than main in 1 of 12 sets: set4"), told
    sets = {t["name"]: t["rows"] for t in told["tables"]}["sets"]
    assert sets[0]["set"] == "set4" and sets[0]["p_adjusted"] < 1e-6 and len(sets) == 12, sets[0]
    said = run("compare", "--scores", "--gate", *how)
    assert len(said.stdout.splitlines()) <= 12, said.stdout
    # Each candidate has its own sets; the clearest loss is named, in any order of the files.
    for files in ("candidate other", "other candidate"):
        said = gate(3, "FAIL", "--gate-sets", *how[:4], "main.csv", *(f"{f}.csv" for f in files.split()))["answer"]
        assert said.startswith("FAIL: other is significantly worse than main in 1 of 12 sets: set7 (-0.3"), said
        assert "); 1 other comparison has such a set, too. The overall difference" in said, said
    gate(3, "FAIL", "--gate-sets", "--columns", "set=set", *how)
    # A limit is 0 only where the corrected p excludes 0, as in table pairs.
    with open("suite.csv", "w", encoding="utf-8") as f:
        f.write("system,item,set,score\n")
        for k in range(12):
            f.writelines(f"{s},{i},s{k},{0.5 + (s == 'a') * (0.004 * k + rng.gauss(0, 0.1)):.4f}\n"
                         for i in range(40) for s in "ab")
    said = run("compare", "--scores", "--format", "json", "--table", "sets", "suite.csv")
    sets = {t["name"]: t["rows"] for t in json.loads(said.stdout)["tables"]}["sets"]
    assert any(s["p"] < 0.05 < s["p_adjusted"] for s in sets), sets
    for s in sets:
        assert (s["p_adjusted"] < 0.05) == (s["lower"] >= 0 or s["upper"] <= 0), s
    # A set that one system lacks is left out of the correction of limits as of that of p.
    with open("suite.csv", "a", encoding="utf-8") as f:
        f.writelines(f"a,{i},lone,0.5\n" for i in range(5))
    said = run("compare", "--scores", "--format", "json", "--table", "sets", "suite.csv")
    assert {t["name"]: t["rows"] for t in json.loads(said.stdout)["tables"]}["sets"] == sets, said
    assert "Holm's correction for 12 sets" in run("compare", "--scores", "suite.csv").stdout
    # Each measure has its own test, also within groups, and is named and warned of.
    with open("two.csv", "w", encoding="utf-8") as f, open("groups.csv", "w", encoding="utf-8") as g:
        f.write("system,item,pack,measure,score\n")
        g.write("topic,group\n")
        for i, x in enumerate(base[:40]):
            g.write(f"{i},g{i % 2}\n")
            for s in "ab":
                f.write(f"{s},{i},{i // 2},real,{x + (s == 'a') * rng.gauss(0, 0.1)}\n"
                        f"{s},{i},{i // 2},right,{int(i < 20 + 3 * (s == 'a'))}\n")
    for order in (["-m", "real", "-m", "right"], ["-m", "right", "-m", "real"]):
        said = run("compare", "--scores", "two.csv", *order, "--groups", "groups.csv", "--verbose").stdout
        assert "McNemar's test (" in said and "Hall's t test (" in said and "Tango's interval" in said, said
        assert "1 pair has the same difference on all but a few items (fewer than 10)" in said and "Table pairs tests each of the 2 measures" in said, said
        said = run("compare", "--scores", "two.csv", *order, "--columns", "cluster=pack", "--table", "pairs", "--format", "json")
        told = json.loads(said.stdout)
        assert {r["measure"]: r["test"] for r in told["tables"][0]["rows"]} == {"real": "t", "right": "mcnemar"}, said
        assert "1 pair has the same difference on all but a few clusters (fewer than 10)" in str(told["notes"]), told["notes"]
    # The interval asked for is shown of several pairs, too, each with its part of the error.
    for ci, name in (("bca", "BCa bootstrap"), ("percentile", "percentile bootstrap"), ("t", "Student's t")):
        ask = ["compare", "--scores", "--ci", ci, "--format", "json", "base.csv", "noisy.csv"]
        one, many = (json.loads(run(*ask, *more).stdout) for more in (["--confidence", str(1 - 0.05 / 3)], ["near.csv"]))
        one, pair = one["tables"][0]["rows"][0], many["tables"][0]["rows"][0]
        for end in ("lower", "upper"):
            assert abs(one[end] - pair[f"{end}_adjusted"]) < 1e-9 and one[end] != 0, (ci, one, pair)
        assert f"{name} for intervals of differences" in str(many), (name, many)
    said = run("compare", "--scores", "--ci", "bca", "--resamples", "118", "base.csv", "noisy.csv", "near.csv")
    assert said.returncode == 2 and "expected 119 or more" in said.stderr, said
    # Score tables without --scores, and sets that no column names.
    for files in (["base.csv", "near.csv"], ["base.csv", "near.csv", "same.csv"]):
        said = run("compare", *files)
        assert said.returncode == 2 and "'base.csv' looks like a table of scores" in said.stderr \
            and "--scores" in said.stderr, said
    how = ["--baseline", "base", "--margin", "0.05"]
    said = run("compare", "--scores", "--gate", "--gate-sets", *how, "base.csv", "near.csv")
    assert said.returncode and "--columns set=NAME" in said.stderr, said
    write("one.csv", right, items=1)
    write("one2.csv", right, items=1)
    said = run("compare", "--scores", "--gate", "--baseline", "one", "--margin", "0.1", "one.csv", "one2.csv")
    assert said.returncode == 1, said
    # Several measures: all must pass.
    for name, shift in (("base", 0.0), ("new", 0.3)):
        with open(f"{name}.json", "w", encoding="utf-8") as f:
            json.dump({f"q{i}": {"map": x + shift * (i % 7) / 1000, "mrr": x - shift + shift * (i % 5) / 10}
                       for i, x in enumerate(base)}, f)
    gate(0, "PASS", *how, "-m", "map", "base.json", "new.json")
    gate(3, "FAIL", *how, "-m", "map", "-m", "mrr", "base.json", "new.json")
    for counts, status in (("90,5,5", 0), ("9,9,9", 3), ("8,1,1", 4)):
        said = run("prf", "--counts", counts, "--target", "F1=0.8", "--gate")
        assert said.returncode == status, (counts, said)
        word = {0: "PASS", 3: "FAIL", 4: "INCONCLUSIVE"}[status]
        assert said.stdout.startswith(f"{word}: F1 is"), said
    said = run("prf", "--counts", "90,5,5", "--counts", "9,9,9", "--target", "F1=0.8", "--gate")
    assert said.returncode == 3 and said.stdout.startswith("FAIL (1 of 2 claims). PASS: F1 of"), said
    said = run("prf", "--counts", "90,5,5", "--target", "F1=0.8", "--gate", "--guaranteed")
    assert said.returncode == 0 and said.stdout.startswith("PASS: F1 is"), said
    # Targets and margins as given; limits on their side of them.
    said = run("prf", "--counts", "80,20,20,100", "--target", "F1=0.742")
    assert "limits 0.7415 and 0.8492); the target is 0.742." in said.stdout, said
    said = run("prf", "--counts", "80,20,20,100", "--target", "F1=0.74265555")
    assert "limits 0.7415 and 0.8492); the target is 0.74265555." in said.stdout, said
    # Systems on the same items: no worse than the first by more than the margin.
    with open("paired.csv", "w", encoding="utf-8") as f:
        f.write("gold,base,same,worse\n" + "".join(
            f"{i % 2},{i % 2 if i % 10 else 1 - i % 2},{i % 2 if i % 11 else 1 - i % 2},"
            f"{i % 2 if i % 3 else 1 - i % 2}\n" for i in range(600)))
    for system, status, word in (("same", 0, "PASS"), ("worse", 3, "FAIL")):
        said = run("prf", "--labels", "paired.csv", "--paired", "--gate", "--margin", "0.05",
                   "--metric", "f1", "--system", "base", "--system", system)
        assert said.returncode == status and said.stdout.startswith(f"{word}: F1 of {system} is"), said
    assert run("prf", "--labels", "paired.csv", "--paired", "--gate").returncode == 2
    with open("scored.csv", "w", encoding="utf-8") as f:
        f.write("gold,base,same,worse\n" + "".join(
            f"{i % 2},{0.4 * (i % 2) + i * 7 % 60 / 100},{0.4 * (i % 2) + i * 7 % 61 / 100},"
            f"{0.1 * (i % 2) + i * 11 % 90 / 100}\n" for i in range(400)))
    for measure in ("AUC", "Brier", "log_loss"):
        for system, status, word in (("same", 0, "PASS"), ("worse", 3, "FAIL")):
            said = run("roc", "scored.csv", "--gate", "--margin", "0.06", "--measure", measure,
                       "--system", "base", "--system", system)
            assert said.returncode == status and said.stdout.startswith(f"{word}: {measure} of"), said
    assert run("prf", "--counts", "8,1,1", "--target", "F1").returncode == 2
    # A metric that is not there: what is; and letters of classes are theirs.
    with open("labels.csv", "w", encoding="utf-8") as f:
        f.write("id,gold,said\n" + "".join(f"{i},{'Ab'[i % 2]},{'Ab'[i % 3 % 2]}\n"
                                          for i in range(60)))
    said = run("prf", "--labels", "labels.csv", "--target", "F1=0.7", "--gate")
    assert said.returncode in (1, 2) and "no metric 'f1'; expected one of: " \
        "f1[weighted], f1[macro], f1[micro], f1[b], f1[A]" in said.stderr, said
    said = run("prf", "--labels", "labels.csv", "--target", "odd=0.7", "--gate")
    assert "f1[weighted], " in said.stderr and " more" in said.stderr, said
    assert run("prf", "--labels", "labels.csv", "--target", "F1[A]=0.1", "--gate").returncode == 0
    assert run("prf", "--counts", "8,1,1", "--gate").returncode == 2
    # One rule for --gate-on worse: word, verdict and status agree in every command.
    with open("even.csv", "w", encoding="utf-8") as f:
        f.write("gold,base,other\n" + "".join(f"{i % 2},{(i * 7 % 10) / 10},{(i * 3 % 10) / 10}\n" for i in range(40)))
    with open("said.csv", "w", encoding="utf-8") as f:
        f.write("gold,base,other\n" + "".join(f"{i % 2},{i // 3 % 2},{i // 5 % 2}\n" for i in range(40)))
    for words in (["prf", "--counts", "8,1,1", "--target", "F1=0.8"],
                  ["prf", "--labels", "said.csv", "--paired", "--margin", "0.05"],
                  ["roc", "even.csv", "--margin", "0.01"],
                  ["recall", "--retrieved", "1000,50,35", "--unretrieved", "9000,50,1", "--target", "70%"]):
        for lenient in ([], ["--gate-on", "worse"]):
            said = run(*words, "--gate", *lenient)
            told = json.loads(run(*words, "--gate", *lenient, "--format", "json").stdout)
            word = "PASS" if lenient else "INCONCLUSIVE"
            assert said.returncode == (0 if lenient else 4) and told["verdict"] == word, (words, said)
            assert said.stdout.startswith(word) and told["answer"].startswith(word), said
    # Several claims of roc have one verdict.
    said = run("roc", "scored.csv", "--gate", "--margin", "0.06123456")
    assert "the allowed loss is 0.06123456." in said.stdout, said
    said = run("roc", "scored.csv", "--gate", "--margin", "0.06")
    assert said.returncode == 3 and said.stdout.startswith("FAIL (1 of 2 claims). PASS: AUC of same"), said
    # eval --at-least: the interval lies above, below, or holds the number.
    for least, status, word in ((0.2, 0, "PASS"), (0.9, 3, "FAIL"), (sum(base) / 60, 4, "INCONCLUSIVE")):
        said = run("eval", "--scores", "--gate", "--at-least", f"score={least}", "base.csv")
        assert said.returncode == status and said.stdout.startswith(f"{word}: score of base is"), said
    assert run("eval", "--scores", "--gate", "base.csv").returncode == 2
    said = run("eval", "--scores", "--at-least", "other=0.1", "base.csv")
    assert said.returncode == 2 and "no measure 'other'" in said.stderr, said
    # GitHub: a summary of at most 25 lines with one table, annotations; JUnit: well-formed, one case.
    with open("many.csv", "w", encoding="utf-8") as f:
        f.write("system,item,score\n" + "".join(f"s{s},{i},{(i * 7 + s) % 10 / 10}\n" for s in range(30) for i in range(40)))
    how = ["--scores", "--gate", "--baseline", "base", "--margin", "0.05", "base.csv"]
    for words, status, level in ((["compare", *how, "near.csv"], 0, "notice"),
                                 (["compare", *how, "worse.csv"], 3, "error"),
                                 (["compare", *how, "noisy.csv"], 4, "warning"),
                                 (["compare", *how, "none.csv"], 1, "error"),
                                 (["compare", *how, "--no-such-option"], 2, "error"),
                                 (["compare", "--scores", "many.csv"], 0, "notice"),
                                 (["compare", "--scores", "--gate", "--baseline", "s0", "--margin", "0.1", "many.csv"],
                                  4, "warning")):
        said = run(*words, "--format", "github")
        assert said.returncode == status and said.stderr.startswith(f"::{level} title=intervale compare::"), said
        assert len(said.stdout.splitlines()) <= 25 and said.stdout.count("\n|:-") + said.stdout.count("\n|--") <= 1, said.stdout
        assert status not in (1, 2) or said.stdout.startswith("**ERROR**: "), said
        said = run(*words, "--format", "junit")
        suite = xml.etree.ElementTree.fromstring(said.stdout).find("testsuite")
        assert [len(list(suite.iter(x))) for x in ("testcase", "failure", "error")] == [
            1, int(status in (3, 4)), int(status in (1, 2))], said
    # Whatever is wrong, the file has today's verdict.
    for wrong in (["base.csv", "none.csv"], ["--no-such"], ["--margin", "x"], ["--format", "odd"],
                  ["--gate-on", "odd"], []):
        for output in (["-o", "v.json"], ["--output=v.json"], ["-ov.json"]):
            assert run("compare", *how, "near.csv", "--format", "json", *output).returncode == 0
            said = run("compare", "--scores", "--gate", "--baseline", "base", "--format", "json", *output,
                       *wrong)
            with open("v.json", encoding="utf-8") as f:
                text = f.read()
            assert said.returncode in (1, 2) and "ERROR" in text and "PASS" not in text, (wrong, said, text[:500])
    # Ids of their own: which column they are from.
    for n in "xy":
        with open(f"{n}.csv", "w", encoding="utf-8") as f:
            f.write("id,question,score\n" + "".join(f"{n}{i},{i},{i % 2}\n" for i in range(9)))
    said = run("compare", "--scores", "x.csv", "y.csv")
    assert said.returncode == 1 and "column 'id': --columns item=NAME takes another" in said.stderr, said
    assert run("compare", "--scores", "--columns", "item=question", "x.csv", "y.csv").returncode == 0
    # One run, several outputs: each by its ending, as a run of its own would write it.
    for file, status in (("near.csv", 0), ("worse.csv", 3), ("noisy.csv", 4), ("none.csv", 1)):
        words = ["compare", *how, file]
        said = run(*words, "--format", "github", "-o", "-", "-o", "a.xml", "-o", "a.JSON", "-o", "a.md", "-o", "a.tsv",
                   "-o", "a.txt", "-o", "a.tex")
        assert said.returncode == status and said.stderr.startswith("::"), said
        one = run(*words, "--format", "github")
        assert (one.stdout, one.stderr) == (said.stdout, said.stderr), (one, said)
        for name, form in (("a.xml", "junit"), ("a.JSON", "json"), ("a.md", "github"), ("a.tsv", "tsv"),
                           ("a.txt", "text"), ("a.tex", "latex")):
            with open(name, encoding="utf-8") as f:
                # The command line, without the unrecorded -o, differs in its format.
                mine = f.read().replace("--format github", f"--format {form}").replace('"github"', f'"{form}"')
            other = run(*words, "--format", form, "-o", name, "--force")
            with open(name, encoding="utf-8") as f:
                assert other.returncode == status and f.read() == mine, (name, mine)
    # The ending rules one output too, unless --format is given.
    for words, begins in ((["-o", "b.json"], "{"), (["-o", "b.md", "--format", "tsv"], "a\t"), (["-o", "one.table.csv"], "a,"),
                          (["-o", "b"], "PASS"), (["-o", "b.log"], "PASS")):
        assert run("compare", *how, "near.csv", *words).returncode == 0, words
        with open(words[1], encoding="utf-8") as f:
            assert f.read().startswith(begins), words
    for words, why in ((["-o", "c.md", "-o", "./c.md"], "--output and --output would both write"),
                       (["-o", "c.md", "-o", "base.csv"], "would replace a file that is read"),
                       (["-o", "c.md", "-o", "no/c.json"], "no/c.json")):
        said = run("compare", *how, "near.csv", *words)
        assert said.returncode in (1, 2) and why in said.stderr and "PASS" not in said.stdout, said
    with open("c.md", encoding="utf-8") as f:
        assert f.read().startswith("ERROR: no/"), "what can be written says so"
    said = run("sort", "base.csv", "-o", "d", "-o", "e")
    assert said.returncode == 2 and "sort writes one file" in said.stderr, said

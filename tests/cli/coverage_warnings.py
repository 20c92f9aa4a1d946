# SPDX-License-Identifier: Apache-2.0
"""Where the measured coverage of a default is below 0.90 or above 0.985, a warning says so.

usage: coverage_warnings.py TOOL

Each claim has two data sets of the same kind: one small or unusual, with the warning, and an
ordinary one without it.
"""
import os
import random
import subprocess
import tempfile

from claims import TOOL as tool, claim, table

rng = random.Random(7)


def matrix(name, runs, topics, draw=rng.random):
    return table(name, "topic," + ",".join(f"r{i}" for i in range(runs)),
                 [[f"t{t}", *(round(draw(), 4) for _ in range(runs))] for t in range(topics)])


def classified(name, positives, negatives, distance, systems=1):
    """Scores in (0, 1) of items of two classes, normal on the logit scale."""
    rows = []
    for i in range(positives + negatives):
        gold = int(i < positives)
        z = [rng.gauss(distance if gold else -distance, 1.0) for _ in range(systems)]
        rows.append([f"i{i}", gold, *(round(1 / (1 + 2.718281828 ** -x), 6) for x in z)])
    return table(name, "id,gold," + ",".join(f"s{k}" for k in range(systems)), rows)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    by = ["compare", "--by", "topics", "--matrix"]
    claim("compare.few", [*by, matrix("a", 2, 8)], [*by, matrix("b", 2, 40)])
    claim("compare.very-few", [*by, matrix("a", 2, 4)], [*by, matrix("b", 2, 5)])
    # All items differ, most of them alike: of signs p is exact.
    shifted = table("a", "item,x,y", [[i, 0.5, 0.4 + 0.1 * (i < 5) * rng.random()] for i in range(60)])
    claim("compare.sparse", ["compare", "--matrix", shifted], ["compare", "--matrix", shifted, "--test", "sign"])
    # A familywise error of 0.103 was measured for 60 runs and 100 topics.
    claim("compare.many-pairs", [*by, matrix("a", 60, 100)], [*by, matrix("b", 20, 60)])
    # 89 % to 92 % were measured for 95th percentiles of 20 items tried 4 times.
    tried = {n: table(f"tried{n}", "item,attempt,latency", [
        [i, k, round(rng.random(), 4)] for i in range(n) for k in range(4)]) for n in (20, 60)}
    claim("scores.few-for-percentile", ["eval", "--scores", tried[20], "-m", "p95:latency"],
          ["eval", "--scores", tried[60], "-m", "p95:latency"])
    claim("eval.few-items", ["eval", "--scores", table("a", "item,score", [
        [i, rng.random()] for i in range(9)])], ["eval", "--scores", table("b", "item,score", [
            [i, rng.random()] for i in range(40)])])
    # Of skewed values without bounds the default covers 0.94 to 0.97; of t a warning remains.
    skewed = table("a", "item,score", [[i, 2.718281828 ** rng.gauss(0, 1.2)] for i in range(60)])
    claim("eval.skewed", ["eval", "--scores", skewed, "--ci", "t"], ["eval", "--scores", skewed])
    wide = classified("b", 60, 60, 0.5)
    claim("roc.few", ["roc", classified("a", 10, 90, 0.5)], ["roc", wide])
    claim("roc.few-positives", ["roc", classified("a", 8, 12, 0.5)], ["roc", wide])
    claim("roc.few-losses", ["roc", classified("a", 12, 13, 4.0)], ["roc", wide])
    claim("roc.few", ["roc", classified("a", 50, 50, 2.2)], ["roc", wide])
    claim("roc.threshold", ["roc", wide, "--choose", "f1"],
          ["roc", wide, "--table", "measures"])
    claim("prf.few", ["prf", "--counts", "9,1,1,9", "--metric", "mcc"],
          ["prf", "--counts", "90,10,10,90", "--metric", "mcc"])
    named = [table(f"of{n}", "id,gold,s", [[i, "abcde"[4 if i < n else i % 4], "abcde"[i % 4 if i % 5 == 0 or i >= n else 4]] for i in range(100)])
             for n in (4, 20)]
    claim("prf.rare-class", ["prf", "--labels", named[0]], ["prf", "--labels", named[1]])
    # With one system and with two.
    for systems in (["30,0,1"], ["A=30,0,1", "B=28,2,2"]):
        given = [x for s in systems for x in ("--counts", s)]
        claim("prf.least-coverage", ["prf", *given], ["prf", *given, "--guaranteed"])
        claim("prf.least-coverage", ["prf", *given], ["prf", "--counts", "9,1,1"])
    rare = table("a", "item,x,y", [[i, int(i < 4), int(i in (0, 1, 2, 5, 6))] for i in range(60)])
    usual = table("b", "item,x,y", [[i, i % 2, int(i % 2 == (i % 9 > 0))] for i in range(180)])
    claim("agree.few-kappa", ["agree", rare], ["agree", usual])
    # P@10 of a fixed set of topics, few judgments each.
    subprocess.run([tool, "simulate", "--topics", "20", "--documents", "1000", "--runs", "3",
                    "--seed", "3", "-o", "made"], check=True, capture_output=True)
    runs = [os.path.join("made/runs", r) for r in sorted(os.listdir("made/runs"))]
    with open("made/qrels", encoding="utf-8") as f:
        grade = {(w[0], w[2]): w[3] for w in map(str.split, f)}
    for size in ("10", "120"):
        subprocess.run([tool, "sample", "--budget", size, "--depth", "100", *runs, "-o", "blank"],
                       check=True, capture_output=True)
        with open("blank", encoding="utf-8") as f, open(f"s{size}", "w", encoding="utf-8") as out:
            for line in f:
                w = line.split()
                if len(w) == 5 and w[2] == "-1":
                    line = " ".join([w[0], w[1], grade.get((w[0], w[1]), "0"), *w[3:]]) + "\n"
                out.write(line)
        os.remove("blank")
    claim("sampled.few-fixed", ["eval", "--infer", "these", "s10", *runs],
          ["eval", "--infer", "these", "s120", *runs])
    for asked in (["--guaranteed"], ["--ci", "bounded"]):
        done = subprocess.run([tool, "eval", *asked, "s120", *runs], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and "nothing can be guaranteed of means of estimates" in done.stderr, done

# SPDX-License-Identifier: Apache-2.0
"""The package answers what the commands do, to the last digit.

usage: same_digits.py TOOL ROOT LIBRARY

Each question is asked of the tool (--format json, whose numbers read back to
the same double) and of the module; every number must be equal, not near.  Then
what the module refuses, and that nothing leaks.
"""
import ctypes
import gc
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT, LIBRARY = pathlib.Path(sys.argv[2]), os.path.abspath(sys.argv[3])
os.environ["INTERVALE_LIBRARY"] = LIBRARY
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "cli")]
import tool  # pylint: disable=wrong-import-position
import intervale as iv  # pylint: disable=wrong-import-position

RUNS = ["runs/sim01", "runs/sim02", "runs/sim03"]


def asked(*words):
    """What a command says, and its tables, {name: rows as dictionaries}."""
    done = tool.run(*words, "--format", "json")
    tool.expect(done.returncode == 0, words, done.stderr.decode())
    said = json.loads(done.stdout)
    tables = {t["name"]: t["rows"] for t in said["tables"]}
    return said, tables


def same(ours, *words):
    """The module's result is the command's: its sentence, notes and every cell."""
    said, tables = asked(*words)
    tool.expect(ours.sentence == said.get("answer"), words, ours.sentence, said.get("answer"))
    tool.expect(ours.verdict == said["verdict"], words, ours.verdict, said["verdict"])
    tool.expect(ours.claims == said["claims"], words, ours.claims, said["claims"])
    notes = [n["id"] for n in said["notes"] if not n["text"].startswith("--")]
    tool.expect([m["id"] for m in ours.messages] == notes, words, ours.notes, notes)
    tool.expect(ours.citations and [c["key"] for c in ours.citations]
                == [c["key"] for c in said["citations"]] or not said["citations"], words, ours.citations)
    tool.expect(list(ours.tables) == list(tables), words, list(ours.tables), list(tables))
    for name, rows in tables.items():
        mine = ours.tables.get(name, [])
        tool.expect(len(mine) == len(rows), words, name, "rows:", len(mine), "and", len(rows))
        for row, tuple_ in zip(rows, mine):
            tool.expect(list(row.values()) == list(tuple_), words, name, row, tuple_)
    return tables


def check_eval():
    names = ["AP", "P.5,10", "num_rel", "gm_map", "RR"]
    for words, options in (
            ([], {}),
            (["-c", "--confidence", "0.9", "--ci", "bca", "--seed", "5", "--resamples", "999"],
             dict(complete=True, confidence=0.9, ci="bca", seed=5, resamples=999)),
            (["-l", "2", "-M", "20", "-J", "--compat", "10", "--ci", "percentile"],
             dict(level=2, depth=20, judged_only=True, compat=10, ci="percentile")),
            (["-l", "0"], dict(level=0)),
            (["--ci", "t", "--threads", "1", "-q"], dict(ci="t", threads=1, per_topic=True)),
            (["--bounds", "--ties"], dict(bounds=True, ties=True)),
            (["--ci", "none"], dict(ci="none"))):
        same(iv.evaluate("qrels", ["short", *RUNS], names, **options), "eval", *words,
             *(w for n in names for w in ("-m", n)), "qrels", "short", *RUNS)
    same(iv.evaluate("qrels", RUNS[0]), "eval", "qrels", RUNS[0])
    same(iv.evaluate("one.qrels", RUNS[0], "AP"), "eval", "-m", "AP", "one.qrels", RUNS[0])
    # Scores that differ only beyond float, at the defaults of both.
    tables = same(iv.evaluate("fine.qrels", "fine", "AP"), "eval", "-m", "AP", "fine.qrels", "fine")
    tool.expect(tables["measures"][0]["value"] == 0.5, "ties beyond float", tables)


def check_sampled():
    for words, options in (([], {}), (["--estimator", "published"], dict(estimator="published")),
                           (["--ci", "t", "-c", "-q"],
                            dict(ci="t", complete=True, per_topic=True))):
        same(iv.evaluate("judged", RUNS, **options), "eval", *words, "judged", *RUNS)
    for judged, runs in (("judged", RUNS), ("steep", ["near", "far", "odd"])):
        same(iv.compare(judged, runs), "compare", judged, *runs)


def check_compare():
    for words, options in (
            ([], {}),
            (["--test", "t", "--test", "wilcoxon", "--correct", "holm", "--ci", "bca",
              "--margin", "0.02", "--seed", "3"],
             dict(test=["t", "wilcoxon"], correct="holm", ci="bca", margin=0.02, seed=3)),
            (["--margin", "0"], dict(margin=0)),
            (["--baseline", "sim02", "--alternative", "greater", "-c", "--correct", "tukey",
              "--permutations", "999"],
             dict(baseline="sim02", alternative="greater", complete=True, correct="tukey",
                  permutations=999)),
            (["--test", "sign", "--ties", "split", "--alternative", "less"],
             dict(test="sign", ties="split", alternative="less")),
            (["--test", "randomisation", "--resamples", "500"],
             dict(test="randomisation", resamples=500))):
        same(iv.compare("qrels", ["short", *RUNS], **options), "compare", *words, "qrels",
             "short", *RUNS)
    same(iv.compare("qrels", RUNS[:2], "nDCG@10"), "compare", "-m", "nDCG@10", "qrels", *RUNS[:2])
    tool.run("eval", "-m", "AP", "--write-matrix", "m.csv", "qrels", "short", *RUNS)
    same(iv.compare(matrix="m.csv"), "compare", "--matrix", "m.csv")
    head, *lines = [s.split(",") for s in pathlib.Path("m.csv").read_text().splitlines()]
    scores = {s[0]: {t: float(x) for t, x in zip(head[1:], s[1:]) if x} for s in lines}
    same(iv.compare_scores(scores, topics=head[1:]), "compare", "--matrix", "m.csv")
    lines = [(m, f"q{d}.{k}", f"d{d}", (7 * d + 3 * k + (5 if m == "a" else 2) * d * k) % 5 % 2)
             for m in "ab" for d in range(12) for k in range(3)]
    pathlib.Path("long.csv").write_text("system,item,cluster,score\n" + "".join(
        ",".join(map(str, x)) + "\n" for x in lines))
    columns = dict(zip(("system", "item", "cluster", "score"), map(list, zip(*lines))))
    for words, options in (([], {}), (["--binary"], dict(binary=True))):
        for ask, command in ((iv.compare_scores, "compare"), (iv.evaluate_scores, "eval")):
            same(ask("long.csv", **options), command, "--scores", *words, "long.csv")
            tool.expect(ask(columns, **options).to("tsv") == ask("long.csv", **options).to("tsv"),
                        command)
    check_declared(columns)
    page = iv.compare("qrels", RUNS[:2])
    tool.expect(page.sentence in page.to("text") and page.to("tsv").startswith("a\tb\t"), page)


def check_declared(columns):
    """Scores of 0 and 1, declared or not: the same from a dict, a file of records and a matrix."""
    grid = {}
    for system, item, score in zip(columns["system"], columns["item"], columns["score"]):
        grid.setdefault(system, {})[item] = score
    items = list(grid["a"])
    pathlib.Path("right.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in (
        ["system", *items], *([s, *of.values()] for s, of in grid.items()))))
    records = {k: v for k, v in columns.items() if k != "cluster"}
    for words, options in (([], {}), (["--binary"], dict(binary=True))):
        same(iv.compare_scores(grid, **options), "compare", "--matrix", "right.csv", *words)
        same(iv.compare(matrix="right.csv", **options), "compare", "--matrix", "right.csv", *words)
        found = [[(p.lower, p.upper, p.p) for p in iv.compare_scores(x, **options).pairs]
                 for x in (grid, records)]
        tool.expect(found[0] == found[1], found)
    for ask, options in ((iv.evaluate, dict(binary=True)), (iv.compare, dict(binary=True)),
                         (iv.compare, dict(sets="sampled"))):
        try:
            ask("qrels", RUNS[:2], **options)
            tool.expect(False, options)
        except iv.BadArgument:
            pass


def check_overlap():
    same(iv.overlap(RUNS), "overlap", *RUNS)
    same(iv.overlap(RUNS, persistence=0.8, ties="equal", top=5, depth=20, confidence=0.9,
                    resamples=500, seed=3), "overlap", "-p", "0.8", "--ties", "equal", "-k", "5",
         "-M", "20", "--confidence", "0.9", "--resamples", "500", "--seed", "3", *RUNS)


def check_agree():
    same(iv.agree("qrels", RUNS, other_measure="P@5", measure="AP", confidence=0.9),
         "agree", "qrels", *RUNS, "-m", "AP", "--other-measure", "P@5",
         "--confidence", "0.9")
    same(iv.agree("qrels", RUNS[:2], reproduced=RUNS[1:], baseline=pathlib.Path(RUNS[0]).name),
         "agree", "qrels", *RUNS[:2], "--reproduced", RUNS[1], "--reproduced", RUNS[2],
         "--baseline", pathlib.Path(RUNS[0]).name)
    table = pathlib.Path("assessed.csv")
    table.write_text("docno,topic,rater,label\n" + "".join(
        f"{d},{t},{who},{(len(d) + i * k) % 2}\n" for i, (t, _, d, _) in
        enumerate(s.split() for s in pathlib.Path("qrels").read_text(encoding="utf-8")
                  .splitlines()[:300]) for k, who in enumerate(("a", "b", "c"))), encoding="utf-8")
    same(iv.agree(assessors=table, scale="interval"), "agree", "assessed.csv", "--scale",
         "interval")


def check_machine():
    lines = pathlib.Path("qrels").read_text(encoding="utf-8").splitlines(keepends=True)
    topics = sorted({s.split()[0] for s in lines})
    pathlib.Path("some.qrels").write_text("".join(
        s for s in lines if s.split()[0] in topics[:len(topics) // 2]), encoding="utf-8")
    pathlib.Path("llm.qrels").write_text("".join(
        s if i % 7 else " ".join([*s.split()[:3], "1\n"]) for i, s in enumerate(lines)),
        encoding="utf-8")
    same(iv.evaluate("some.qrels", RUNS, ["AP", "P@10"], machine=["llm.qrels"], infer="these"),
         "eval", "-m", "AP", "-m", "P@10", "--machine", "llm.qrels", "--infer", "these",
         "some.qrels", *RUNS)
    same(iv.compare("some.qrels", RUNS, machine=["llm.qrels"]), "compare", "--machine", "llm.qrels",
         "some.qrels", *RUNS)
    pathlib.Path("random.qrels").write_text("".join(random.Random(1).sample(lines, len(lines) // 4)),
                                            encoding="utf-8")
    try:
        iv.evaluate("random.qrels", RUNS, ["AP"], machine=["llm.qrels"])
        raise AssertionError("a part of the labels without a design")
    except iv.Error as error:
        assert "human_design=" in str(error) and "--" not in str(error), error
    same(iv.evaluate("random.qrels", RUNS, ["P@10"], machine=["llm.qrels"], human_design="random"),
         "eval", "-m", "P@10", "--machine", "llm.qrels", "--human-design", "random", "random.qrels",
         *RUNS)
    rows = [(s, f"q{i}", r, f"d{i // 4}", int(y or (i + r) % 9 == 0), int(y) if r == 1 and i % 3 == 0 else None)
            for k, s in enumerate(("old", "new")) for i in range(200) for r in (1, 2, 3)
            for y in [i * 7919 % 100 < 60 + 10 * k]]
    names = ("system", "item", "repeat", "document", "judge", "human")
    pathlib.Path("answers.csv").write_text("\n".join([",".join(names), *(
        ",".join("" if x is None else str(x) for x in r) for r in rows)]) + "\n", encoding="utf-8")
    frame = {n: [math.nan if r[k] is None else r[k] for r in rows] for k, n in enumerate(names)}
    found = iv.compare_scores(frame, score="judge", human="human", human_design="random", columns={"cluster": "document"},
                              gate=True, baseline="old", margin=0.05)
    assert found.verdict == "PASS", found.sentence
    same(found, "compare", "--scores", "answers.csv", "--columns", "score=judge,human=human,cluster=document",
         "--human-design", "random", "--gate", "--baseline", "old", "--margin", "0.05")
    same(iv.agree("some.qrels", RUNS[:2], labels="llm.qrels"), "agree", "some.qrels",
         "llm.qrels", *RUNS[:2])
    same(iv.plan_elusion(population=100000, below=0.01), "plan", "elusion", "--population",
         "100000", "--below", "0.01")
    same(iv.plan_looks(shape="pocock", looks=4, documents=3960), "plan", "looks", "--shape",
         "pocock", "--looks", "4", "--documents", "3960")
    same(iv.plan_machine("some.qrels", RUNS, machine="llm.qrels", width=0.1), "plan", "machine",
         "--pilot", "some.qrels", "--machine", "llm.qrels", "--width", "0.1", *RUNS)


def check_roc():
    pathlib.Path("scored.csv").write_text("id,label,a,b\n" + "".join(
        f"{i},{'yes' if i * 37 % 60 + i * 11 % 40 > 50 else 'no'},{i * 37 % 60 / 60},{i % 7 / 7}\n"
        for i in range(60)), encoding="utf-8")
    same(iv.roc("scored.csv", positive="yes", choose="youden", bins=5, resamples=500, seed=4),
         "roc", "--positive", "yes", "--choose", "youden", "--bins", "5", "--resamples", "500",
         "--seed", "4", "scored.csv")
    columns = {"y_true": [True, False, True, False, True, False],
               "p": [0.9, 0.2, 0.4, 0.5, 0.6, 0.1], "text": ["a", "b,c", 'd"', None, "", "é"]}
    pathlib.Path("no_ids.csv").write_text("y_true,p\n" + "".join(
        f"{y},{p}\n" for y, p in zip(columns["y_true"], columns["p"])), encoding="utf-8")
    votes = {"a": ["x", "y", "z"] * 6, "b": ["y", "z", "x"] * 6, "winner": ["a", "b", "tie"] * 3
             + ["b", "a"] * 4 + ["a"]}
    pathlib.Path("votes.csv").write_text("a,b,winner\n" + "".join(
        ",".join(r) + "\n" for r in zip(*votes.values())))
    same(iv.prefer(votes, position=True), "prefer", "votes.csv", "--position")
    nights = {"system": ["main"] * 9 + ["new"] * 27, "date": [""] * 9 + [f"2026-01-0{d}" for d in "123" * 9],
              "item": [*range(9), *(i // 3 for i in range(27))], "score": [i * 7 % 5 for i in range(36)]}
    pathlib.Path("nights.csv").write_text("system,date,item,score\n" + "".join(
        ",".join(map(str, r)) + "\n" for r in zip(*nights.values())))
    same(iv.watch(nights, baseline="main"), "watch", "nights.csv", "--baseline", "main")
    same(iv.roc(columns, system="p", resamples=100), "roc", "no_ids.csv", "--resamples", "100")
    classes = {"y_true": ["x", "y", "z", "x"], "p_x": [0.5, 0.25, 0.25, 0.75],
               "p_y": [0.25, 0.5, 0.5, 0.125], "p_z": [0.25, 0.25, 0.25, 0.125]}
    pathlib.Path("three.csv").write_text(",".join(classes) + "\n" + "".join(
        ",".join(map(str, row)) + "\n" for row in zip(*classes.values())), encoding="utf-8")
    same(iv.roc(classes), "roc", "three.csv")
    same(iv.prf(labels=columns, system="p", threshold=0.5, draws=1000), "prf", "--labels",
         "no_ids.csv", "--threshold", "0.5", "--draws", "1000")


def check_recall():
    sides = (2000, 100, 50), (100000, 400, 3)
    counts = ["--retrieved", "2000,100,50", "--unretrieved", "100000,400,3"]
    same(iv.recall(*sides), "recall", *counts)
    same(iv.recall(*sides, method="all", confidence=0.9), "recall", *counts, "--method", "all",
         "--confidence", "0.9")
    same(iv.recall(*sides, guaranteed=True, one_sided=True), "recall", *counts, "--guaranteed",
         "--one-sided")
    for method in ("betabin-weighted", "betabin-half"):
        same(iv.recall(*sides, method=method, prior=(1.0, 3.0), one_sided=True, target=0.2),
             "recall", *counts, "--method", method, "--prior", "1,3", "--one-sided", "--target",
             "0.2")
    pathlib.Path("strata.csv").write_text("stratum,N,n,r,segment\n1,900,40,30,retrieved\n"
                                          "2,1100,60,20,retrieved\n3,5000,50,1,unretrieved\n"
                                          "4,20000,80,1,unretrieved\n", encoding="utf-8")
    same(iv.recall(strata="strata.csv"), "recall", "--strata", "strata.csv")
    same(iv.recall([(900, 40, 30), (1100, 60, 20)], [(5000, 50, 1), (20000, 80, 1)]), "recall",
         "--strata", "strata.csv")


def check_prf():
    counts = {"A": (80, 20, 40, 100), "B": (3, 0, 2, 9), "C": (7, 1, 4, 9)}
    words = [w for n, c in counts.items() for w in ("--counts", f"{n}={','.join(map(str, c))}")]
    for more, options in (([], {}), (["--compare"], dict(compare=True)),
                          (["--beta", "0.5,2", "--prior", "1,0.25",
                            "--confidence", "0.8", "--seed", "9", "--draws", "2000"],
                           dict(beta=[0.5, 2], prior=(1, 0.25), confidence=0.8,
                                seed=9, draws=2000))):
        same(iv.prf(counts, **options), "prf", *words, *more)
    same(iv.prf({"X": (0, 0, 4), "Y": (5, 1, 3, 9)}), "prf", "--counts", "X=0,0,4", "--counts",
         "Y=5,1,3,9")
    pathlib.Path("counts.csv").write_text("system,category,tp,fp,fn\nA,x,5,2,3\nA,y,40,9,8\n"
                                          "B,x,6,2,2\nB,y,31,9,17\n", encoding="utf-8")
    kinds = {"A": {"x": (5, 2, 3), "y": (40, 9, 8)}, "B": {"x": (6, 2, 2), "y": (31, 9, 17)}}
    same(iv.prf(kinds, compare=True, draws=5000), "prf", "--compare", "counts.csv", "--draws",
         "5000")
    gold, a, b = "1101001011", "1100001111", "0101101001"
    pathlib.Path("labels.csv").write_text("id,y_true,a,b\n" + "".join(
        f"{i},{g},{x},{y}\n" for i, (g, x, y) in enumerate(zip(gold, a, b))), encoding="utf-8")
    same(iv.prf_paired(gold, {"a": a, "b": b}, draws=1000), "prf", "--paired", "--labels",
         "labels.csv", "--gold", "y_true", "--draws", "1000")
    same(iv.prf(labels="labels.csv"), "prf", "--labels", "labels.csv")


def check_prf_classes():
    pathlib.Path("gold.csv").write_text("id,label\n1,a\n2,b\n3,c\n4,a\n", encoding="utf-8")
    pathlib.Path("said.csv").write_text("id,s\n4,a\n3,c\n2,a\n1,a\n", encoding="utf-8")
    same(iv.prf(labels="gold.csv", predictions="said.csv", gold="label", metric=["f1"],
                draws=2000), "prf", "--labels", "gold.csv", "--predictions", "said.csv", "--gold",
         "label", "--metric", "f1", "--draws", "2000")


def check_refusals():
    for call, kind, part in (
            (lambda: iv.evaluate("nothing", RUNS), OSError, "nothing: "),
            (lambda: iv.evaluate("bad", RUNS), iv.BadFile, "bad:2: "),
            (lambda: iv.evaluate("qrels", RUNS, ["mpa"]), iv.BadArgument, "map"),
            (lambda: iv.evaluate("other.qrels", RUNS), iv.NoData, "topic"),
            (lambda: iv.evaluate("qrels", []), ValueError, "run"),
            (lambda: iv.evaluate("qrels", RUNS, ci="logti"), ValueError, "logit"),
            (lambda: iv.evaluate("qrels", RUNS, confidence=95), ValueError, "confidence"),
            (lambda: iv.evaluate("qrels", RUNS, estimator="corrected"), ValueError, "sampled"),
            (lambda: iv.evaluate("blank", RUNS), iv.BadFile, "grade"),
            (lambda: iv.compare("qrels", RUNS[:1]), iv.NoData, "at least two runs"),
            (lambda: iv.compare("qrels", RUNS, "gm_map"), ValueError, "gm_map"),
            (lambda: iv.compare("qrels", RUNS, baseline="sim09"), ValueError, "sim09"),
            (lambda: iv.compare_scores({"a": {"1": 0.5}, "b": {"1": 0.4}}), iv.NoData, "topic"),
            (lambda: iv.recall((10, 20, 5), (100, 10, 1)), ValueError, "20"),
            (lambda: iv.recall((10, 5), (100, 10, 1)), ValueError, "retrieved"),
            (lambda: iv.recall([(9, 3, 1), (9, 3, 1)], [(99, 9, 1)], method="koopman"),
             ValueError, "oopman"),
            (lambda: iv.recall(10, (100, 10, 1)), ValueError, "retrieved is 10"),
            (lambda: iv.recall((10.5, 5, 1), (100, 10, 1)), ValueError, "whole number"),
            (lambda: iv.prf((1, 2)), ValueError, "TP, FP, FN"),
            (lambda: iv.roc({"gold": [1, 0], "a": [1]}), ValueError, "differ in length"),
            (lambda: iv.prf(labels={"a": [1]}), iv.BadFile, "labels:1: no column 'gold'"),
            (lambda: iv.prf("abc"), ValueError, "whole number"),
            (lambda: iv.prf((1, 2, 3), prior=-1.0), iv.BadArgument, "prior"),
            (lambda: iv.prf((1, 2, 3), compare=True), ValueError, "two systems"),
            (lambda: iv.prf_paired([1], {"a": [1], "b": [1, 0]}), ValueError, "differ in length"),
            (lambda: iv.compare("qrels", RUNS, test="no"), ValueError, "no test"),
            (lambda: iv.evaluate("qrels", RUNS, cii="t"), TypeError, None),
            (lambda: iv.evaluate("qrels", RUNS, progress=lambda x: True), iv.Cancelled, "stop")):
        try:
            got = call()
        except kind as error:
            tool.expect(part is None or isinstance(error, iv.Error) and part in str(error),
                        part, "not in", repr(error))
        else:
            tool.expect(False, "expected", kind.__name__, "with", part, "got", got)
    done = subprocess.run([sys.executable, "-B", "-c", "import intervale"], check=False,
                          env={**os.environ, "INTERVALE_LIBRARY": "nowhere.so",
                               "PYTHONPATH": str(ROOT / "python")}, capture_output=True)
    tool.expect(b"ImportError: no libintervale" in done.stderr, done.stderr)


class mallinfo2(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
        "fordblks", "keepcost")]


def check_leaks():
    """Rounds of everything, refusals too, leave as much memory in use as before."""
    ask = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if ask is None:
        print("no mallinfo2 here: leaks are not looked for")
        return
    ask.restype = mallinfo2

    def used():
        gc.collect()
        now = ask()
        return now.uordblks + now.hblkhd

    def use():
        iv.evaluate("qrels", RUNS, ["AP", "P@10"], resamples=10, threads=1)
        iv.evaluate("judged", RUNS, resamples=10, threads=1)
        iv.compare("qrels", RUNS, resamples=10, threads=1)
        iv.compare(matrix="m.csv", resamples=10, threads=1).to("latex")
        iv.recall((2000, 100, 50), (100000, 400, 3))
        iv.prf({"A": (8, 2, 4), "B": (7, 1, 4)}, compare=True, threads=1)
        for bad in ("bad", "other.qrels", "blank"):
            try:
                iv.evaluate(bad, RUNS, threads=1)
            except iv.Error:
                pass

    for _ in range(3):
        use()
    grown = []  # a leak grows each time; what Python has not yet given back, once
    for _ in range(3):
        before = used()
        for _ in range(10):
            use()
        grown.append(used() - before)
    tool.expect(min(grown) < 20000, f"10 more rounds took {grown} bytes, three times")


def check_example():
    done = subprocess.run([sys.executable, "-B", ROOT / "examples" / "python_tour.py", "qrels",
                           *RUNS[:2]], env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
                          check=False, capture_output=True, text=True)
    tool.expect(done.returncode == 0, done.stderr)
    wanted = []
    for r in asked("eval", "-m", "AP", "-m", "nDCG@10", "qrels", *RUNS[:2])[1]["measures"]:
        wanted.append(f"{r['run']} {r['measure']} {r['value']!r} {r['lower']!r} {r['upper']!r}")
    r = asked("compare", "qrels", *RUNS[:2])[1]["pairs"][0]
    wanted.append(f"{r['difference']!r} {r['lower']!r} {r['upper']!r} p {r['p']!r}")
    r = asked("recall", "--retrieved", "10000,500,350", "--unretrieved", "990000,2000,3",
              "--target", "0.75")[1]["recall"][0]
    wanted.append(f"recall {r['recall']!r} {r['lower']!r} {r['upper']!r} "
                  f"P(at least 0.75) {r['p_target']!r}")
    tables = asked("prf", "--compare", "--counts", "A=80,20,40", "--counts", "B=75,10,45")[1]
    wanted += [f"{r['system']} {r['metric']} {r['mean']!r} {r['lower']!r} {r['upper']!r}"
               for r in tables["metrics"]]
    wanted += [f"P({r['a']} > {r['b']} in {r['metric']}) {r['probability']!r}"
               for r in tables["comparison"]]
    for line in wanted:
        tool.expect(line in done.stdout, f"not in the example's output: {line}\n{done.stdout}")


def check_readme():
    """What README.md shows in Python works, and says what its commands say."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = text.partition("```python\n")[2].partition("```")[0]
    for name, run in zip(("runA", "runB"), RUNS):
        os.symlink(run, name)
    done = subprocess.run([sys.executable, "-B", "-c", code], check=False, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
                          capture_output=True)
    pair = asked("compare", "qrels", *RUNS[:2])[1]["pairs"][0]
    tool.expect(done.returncode == 0 and done.stdout.endswith(f" {pair['p']}\n")
                and pathlib.Path("report.md").stat().st_size > 0,
                "README's Python says", done.stdout, done.stderr)


def prepare():
    done = tool.run("simulate", "--topics", "30", "--documents", "200", "--runs", "3", "--grades",
                    "3", "--seed", "2", "-o", "made")
    tool.expect(done.returncode == 0, done.stderr)
    os.symlink("made/qrels", "qrels")
    os.symlink("made/runs", "runs")
    lines = pathlib.Path("qrels").read_text(encoding="utf-8").splitlines(keepends=True)
    run = pathlib.Path(RUNS[0]).read_text(encoding="utf-8").splitlines(keepends=True)
    files = {"short": "".join(s for s in run if s.split()[0] not in ("301", "302")),
             "one.qrels": "".join(s for s in lines if s.startswith("305 ")),
             "other.qrels": "999 0 doc 1\n",
             "fine.qrels": "1 0 x 1\n1 0 y 0\n",
             "fine": "1 Q0 x 1 1.00000000001 fine\n1 Q0 y 2 1.0 fine\n", "bad": "301 0 doc 1\n301 0 other yes\n"}
    tool.run("sample", "--budget", "20", "-o", "blank", *RUNS)
    grade = {tuple(s.split()[0:3:2]): s.split()[3] for s in lines}
    files["judged"] = "".join(
        s if s[0] == "#" else " ".join([*s.split()[:2], grade[tuple(s.split()[:2])],
                                        *s.split()[3:]]) + "\n"
        for s in pathlib.Path("blank").read_text(encoding="utf-8").splitlines(keepends=True))
    # Two documents of probability 0.1 count as ten each: an AP above 1 if both are on top.
    six = range(1, 7)
    files["steep"] = "".join(f"{t} a 1 1 0.1\n{t} b 1 1 0.1\n{t} c 0 1 0.5\n" for t in six)
    files["near"] = "".join(f"{t} Q0 a 1 {9 - t} near\n{t} Q0 b 1 1 near\n" for t in six)
    files["far"] = "".join(f"{t} Q0 {'c' if t % 2 else 'x'} 1 2 far\n{t} Q0 a 1 {t % 3} far\n"
                           for t in six)
    files["odd"] = "".join(f"{t} Q0 {d} 1 1 odd\n" for t in six for d in "ab"[:2 * (t < 2)] or "c")
    for name, text in files.items():
        pathlib.Path(name).write_text(text, encoding="utf-8")


with tempfile.TemporaryDirectory(prefix="intervale-python-") as folder:
    os.chdir(folder)
    prepare()
    for check in (check_eval, check_sampled, check_compare, check_overlap, check_agree, check_machine, check_roc,
                  check_recall, check_prf, check_prf_classes, check_refusals, check_leaks, check_example, check_readme):
        check()
        print(check.__name__, len(tool.failures), "failures", flush=True)
    os.chdir("/")
tool.finish()

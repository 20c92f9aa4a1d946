# SPDX-License-Identifier: Apache-2.0
"""python/intervale.py answers what the commands do, to the last digit.

usage: same_digits.py TOOL ROOT LIBRARY

Each question is asked of the tool (--format json, whose numbers read back to
the same double) and of the module; every number must be equal, not near.  Then
what the module refuses, and that nothing leaks.
"""
import ctypes
import gc
import json
import os
import pathlib
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
    """The tables of a command, {name: rows as dictionaries}."""
    done = tool.run(*words, "--format", "json")
    tool.expect(done.returncode == 0, words, done.stderr.decode())
    said = json.loads(done.stdout)
    return {t["name"]: [dict(zip([c["name"] if isinstance(c, dict) else c
                                  for c in t["columns"]], row)) for row in t["rows"]]
            for t in said["tables"]}


def same(what, rows, ours, columns):
    """Every row of the tool's has its like among ours; `columns`: theirs -> ours."""
    tool.expect(len(rows) == len(ours) > 0, what, "rows:", len(rows), "and", len(ours))
    for row, mine in zip(rows, ours):
        for theirs, name in columns.items():
            x, y = row[theirs], getattr(mine, name)
            y = len(y) if isinstance(y, tuple) else int(y) if isinstance(y, bool) else y
            tool.expect(x == y, f"{what}: {theirs} is {x!r}, in Python {y!r}")


EVAL = {k: k for k in ("run", "measure", "topics", "value", "se", "lower", "upper", "missing")}
PAIR = {k: k for k in ("a", "b", "topics", "difference", "lower", "upper", "wins", "ties",
                       "losses", "test", "p", "p_adjusted", "correction", "statistic", "exact",
                       "sd", "effect", "superiority", "only_a", "only_b")}
RUN = {k: k for k in ("run", "mean", "lower", "upper", "rank", "rank_lower", "rank_upper",
                      "p_best", "group", "boot_lower", "boot_upper", "topics")}
QUANTITY = {k: k for k in ("estimate", "mean", "median", "lower", "upper")}
METRIC = {k: k for k in ("system", "metric", "value", "mean", "mode", "lower", "upper")}
DIFFERENCE = {k: k for k in ("a", "b", "metric", "probability", "difference", "lower", "upper")}


def by_measure(scores):
    """In the tool's order: measure by measure, the runs by the first one."""
    first = {s.run: -s.value for s in reversed(scores)}
    measures = list(dict.fromkeys(s.measure for s in scores))
    return sorted(scores, key=lambda s: (measures.index(s.measure), first[s.run]))


def check_eval():
    for words, options in (
            ([], {}),
            (["-c", "--confidence", "0.9", "--ci", "bca", "--seed", "5", "--resamples", "999"],
             dict(complete=True, confidence=0.9, ci="bca", seed=5, resamples=999)),
            (["-l", "2", "-M", "20", "-J", "--compat", "10", "--ci", "percentile"],
             dict(level=2, depth=20, judged_only=True, compat=10, ci="percentile")),
            (["--ci", "t", "--threads", "1"], dict(ci="t", threads=1)),
            (["--ci", "none"], dict(ci="none"))):
        names = ["AP", "P.5,10", "num_rel", "gm_map", "RR"]
        rows = asked("eval", *words, *(w for n in names for w in ("-m", n)), "qrels", "short",
                     *RUNS)["measures"]
        ours = iv.evaluate("qrels", ["short", *RUNS], names, **options)
        same(f"eval {words}", rows, by_measure(ours), EVAL)
    scores = iv.eval("qrels", RUNS[0])
    same("eval, the usual", asked("eval", "qrels", RUNS[0])["measures"], scores, EVAL)
    rows = asked("eval", "-q", "-m", "AP", "qrels", RUNS[0])["measures"]
    tool.expect({r["topic"]: r["value"] for r in rows[:-1]} == scores[0].by_topic, "by topic")
    tool.expect(iv.evaluate("qrels", "short", "AP")[0].missing == ("301", "302"), "missing")
    one = iv.evaluate("one.qrels", RUNS[0], "AP")[0]
    tool.expect(one.lower is None and one.why == "there is only one value", one)


def check_sampled():
    extra = {**EVAL, "se_judgments": "se_judgments", "se_topics": "se_topics"}
    for words, options in (([], {}), (["--estimator", "pairwise"], dict(estimator="pairwise")),
                           (["--ci", "t", "-c"], dict(ci="t", complete=True))):
        rows = asked("eval", *words, "judged", *RUNS)["measures"]
        same(f"eval, sampled {words}", rows, by_measure(iv.evaluate("judged", RUNS, **options)),
             extra)
    ours = iv.compare("judged", RUNS)
    tables = asked("compare", "judged", *RUNS)
    same("compare, sampled", tables["pairs"], ours.pairs, PAIR)
    same("compare, sampled", tables["runs"], ours.runs, RUN)
    # The interval of a run is that of eval, whatever the other runs have.
    for judged, runs, kinds in (("judged", RUNS, None),
                                ("steep", ["near", "far", "odd"], ["logit", "t", "t"])):
        ours = iv.compare(judged, runs)
        same(f"compare, {judged}", asked("compare", judged, *runs)["runs"], ours.runs, RUN)
        alone = {s.run: s for s in iv.evaluate(judged, runs, ["AP"])}
        for r in ours.runs:
            s = alone[r.run]
            tool.expect((r.lower, r.upper, r.method) == (s.lower, s.upper, s.method), r, s)
        tool.expect(kinds in (None, sorted(r.method for r in ours.runs)), ours.runs)


def check_compare():
    margins = {**PAIR, **{k: k for k in ("p_above", "p_noninferior", "p_equivalent")}}
    for words, options, columns in (
            ([], {}, PAIR),
            (["--test", "t", "--test", "wilcoxon", "--correct", "holm", "--ci", "bca",
              "--margin", "0.02", "--seed", "3"],
             dict(tests=["t", "wilcoxon"], correction="holm", ci="bca", margin=0.02, seed=3),
             margins),
            (["--baseline", "sim02", "--alternative", "greater", "-c", "--permutations", "999"],
             dict(baseline="sim02", alternative="greater", complete=True, permutations=999),
             PAIR),
            (["--test", "sign", "--ties", "split", "--alternative", "less"],
             dict(tests="sign", ties="split", alternative="less"), PAIR),
            (["--test", "bootstrap", "--resamples", "500"],
             dict(tests="bootstrap", resamples=500), PAIR)):
        tables = asked("compare", *words, "qrels", "short", *RUNS)
        ours = iv.compare("qrels", ["short", *RUNS], **options)
        same(f"compare {words}", tables["pairs"], ours.pairs, columns)
        same(f"compare {words}", tables["runs"], ours.runs, RUN)
    two = iv.compare("qrels", RUNS[:2], "nDCG@10")
    same("compare two", asked("compare", "-m", "nDCG@10", "qrels", *RUNS[:2])["pairs"], two.pairs,
         PAIR)
    tool.run("eval", "-m", "AP", "--write-matrix", "m.csv", "qrels", "short", *RUNS)
    same("matrix", asked("compare", "--matrix", "m.csv")["pairs"],
         iv.compare_scores(iv.read_matrix("m.csv")).pairs, PAIR)


def check_recall():
    sides = (2000, 100, 50), (100000, 400, 3)
    counts = ["--retrieved", "2000,100,50", "--unretrieved", "100000,400,3"]
    names = {"confidence": "confidence", "recall": "recall", "lower": "lower", "upper": "upper",
             "prior_share": "prior_share", "method": "method"}
    methods = [r["method"] for r in asked("recall", *counts, "--method", "all")["recall"]]
    tool.expect(len(methods) == 11, methods)
    for method in methods:
        tables = asked("recall", *counts, "--method", method, "--confidence", "0.9")
        ours = iv.recall(*sides, method=method, confidence=0.9)
        same(f"recall {method}", tables["recall"], [ours], names)
        if ours.measures:
            same(f"recall {method}", tables["measures"], ours.measures.values(), QUANTITY)
            same(f"recall {method}", tables["yield"], ours.yields.values(), QUANTITY)
    for method in ("betabin-shared", "betabin-half"):
        tables = asked("recall", *counts, "--method", method, "--prior", "1,3", "--one-sided",
                       "--target", "0.2", "--beta", "2")
        ours = iv.recall(*sides, method=method, prior=(1.0, 3.0), one_sided=True, target=0.2,
                         beta=2.0)
        same("recall, a prior", tables["recall"], [ours], {**names, "p_target": "p_target"})
        same("recall, a prior", tables["measures"], ours.measures.values(), QUANTITY)
    pathlib.Path("strata.csv").write_text("stratum,N,n,r,segment\na,900,40,30,retrieved\n"
                                          "b,1100,60,20,retrieved\nc,5000,50,1,unretrieved\n"
                                          "d,20000,80,1,unretrieved\n", encoding="utf-8")
    ours = iv.recall([(900, 40, 30), (1100, 60, 20)], [(5000, 50, 1), (20000, 80, 1)])
    same("strata", asked("recall", "--strata", "strata.csv")["recall"], [ours], names)


def check_prf():
    counts = {"A": (80, 20, 40, 100), "B": (3, 0, 2, 9), "C": (7, 1, 4, 9)}
    words = [w for n, c in counts.items() for w in ("--counts", f"{n}={','.join(map(str, c))}")]
    for more, options in (([], {}),
                          (["--interval", "hdi", "--beta", "0.5,2", "--prior", "1,0.25",
                            "--confidence", "0.8", "--seed", "9", "--draws", "2000"],
                           dict(interval="hdi", beta=[0.5, 2], prior=(1, 0.25), confidence=0.8,
                                seed=9, draws=2000)),
                          (["--prior-counts", "8,2,4,10"], dict(earlier=(8, 2, 4, 10)))):
        same(f"prf {more}", asked("prf", *words, *more)["metrics"], iv.prf(counts, **options),
             METRIC)
        options.pop("interval", None)
        same(f"prf --compare {more}", asked("prf", "--compare", *words, *more)["comparison"],
             iv.prf_compare(counts, **options), DIFFERENCE)
    same("nothing returned, and no TN", asked("prf", "--counts", "X=0,0,4", "--counts",
                                              "Y=5,1,3,9")["metrics"],
         iv.prf({"X": (0, 0, 4), "Y": (5, 1, 3, 9)}), METRIC)
    pathlib.Path("counts.csv").write_text("system,category,tp,fp,fn\nA,x,5,2,3\nA,y,40,9,8\n"
                                          "B,x,6,2,2\nB,y,31,9,17\n", encoding="utf-8")
    kinds = {"A": {"x": (5, 2, 3), "y": (40, 9, 8)}, "B": {"x": (6, 2, 2), "y": (31, 9, 17)}}
    tables = asked("prf", "--compare", "counts.csv", "--draws", "5000")
    same("categories", tables["metrics"], iv.prf(kinds, draws=5000), METRIC)
    same("categories", tables["comparison"], iv.prf_compare(kinds, draws=5000), DIFFERENCE)
    gold, a, b = "1101001011", "1100001111", "0101101001"
    pathlib.Path("labels.csv").write_text("id,gold,a,b\n" + "".join(
        f"{i},{g},{x},{y}\n" for i, (g, x, y) in enumerate(zip(gold, a, b))), encoding="utf-8")
    tables = asked("prf", "--paired", "--labels", "labels.csv", "--draws", "1000")
    ours = iv.prf_paired(gold, a, b)
    same("paired", tables["paired"], [ours], {k: k for k in (
        "a_only", "b_only", "agree", "probability", "difference", "log_odds", "mcnemar_p")})
    accuracy = [r for r in tables["comparison"] if r["metric"] == "accuracy"]
    same("paired", accuracy, [ours], {k: k for k in ("probability", "lower", "upper")})


def check_refusals():
    for call, kind, part in (
            (lambda: iv.evaluate("nothing", RUNS), OSError, "nothing: "),
            (lambda: iv.evaluate("bad", RUNS), iv.BadFile, "bad:2: "),
            (lambda: iv.evaluate("qrels", RUNS, ["mpa"]), iv.BadArgument, "map"),
            (lambda: iv.evaluate("other.qrels", RUNS), iv.NoData, "topic"),
            (lambda: iv.evaluate("qrels", []), ValueError, "no runs"),
            (lambda: iv.evaluate("qrels", RUNS, ci="logti"), ValueError, "logit"),
            (lambda: iv.evaluate("qrels", RUNS, confidence=95), ValueError, "confidence"),
            (lambda: iv.evaluate("qrels", RUNS, estimator="literal"), ValueError, "sampled"),
            (lambda: iv.evaluate("blank", RUNS), iv.BadFile, "grade"),
            (lambda: iv.compare("qrels", RUNS[:1]), ValueError, "two"),
            (lambda: iv.compare("qrels", RUNS, "gm_map"), ValueError, "no mean"),
            (lambda: iv.compare("qrels", RUNS, baseline="sim09"), ValueError, "sim09"),
            (lambda: iv.compare_scores({"a": {"1": 0.5}, "b": {"1": 0.4}}), iv.NoData, "topic"),
            (lambda: iv.recall((10, 20, 5), (100, 10, 1)), ValueError, "20"),
            (lambda: iv.recall((10, 5), (100, 10, 1)), ValueError, "N, n, r"),
            (lambda: iv.recall([(9, 3, 1), (9, 3, 1)], (99, 9, 1), method="koopman"),
             ValueError, "oopman"),
            (lambda: iv.recall(10, (100, 10, 1)), TypeError, None),
            (lambda: iv.recall((10.5, 5, 1), (100, 10, 1)), ValueError, "N, n, r"),
            (lambda: iv.prf((1, 2)), ValueError, "TP, FP, FN"),
            (lambda: iv.prf("abc"), ValueError, "TP, FP, FN"),
            (lambda: iv.prf((1, 2, 3), prior=-1.0), iv.BadArgument, "prior"),
            (lambda: iv.prf_compare((1, 2, 3)), ValueError, "two systems"),
            (lambda: iv.prf_paired([1], [1], [1, 0]), ValueError, "labels")):
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
        iv.compare("qrels", RUNS, permutations=10, resamples=10, threads=1)
        iv.compare_scores(iv.read_matrix("m.csv"), permutations=10, resamples=10, threads=1)
        iv.recall((2000, 100, 50), (100000, 400, 3))
        iv.prf_compare({"A": (8, 2, 4), "B": (7, 1, 4)}, threads=1)
        for bad in ("bad", "other.qrels", "blank"):
            try:
                iv.evaluate(bad, RUNS, threads=1)
            except iv.Error:
                pass

    for _ in range(3):
        use()
    before = used()
    for _ in range(10):
        use()
    tool.expect(used() - before < 20000, f"10 more rounds took {used() - before} bytes")


def check_example():
    done = subprocess.run([sys.executable, "-B", ROOT / "examples" / "python_tour.py", "qrels",
                           *RUNS[:2]], env={**os.environ, "PYTHONPATH": str(ROOT / "python")},
                          check=False, capture_output=True, text=True)
    tool.expect(done.returncode == 0, done.stderr)
    wanted = []
    for r in asked("eval", "-m", "AP", "-m", "nDCG@10", "qrels", *RUNS[:2])["measures"]:
        wanted.append(f"{r['run']} {r['measure']} {r['value']!r} {r['lower']!r} {r['upper']!r}")
    r = asked("compare", "qrels", *RUNS[:2])["pairs"][0]
    wanted.append(f"{r['difference']!r} {r['lower']!r} {r['upper']!r} p {r['p']!r}")
    r = asked("recall", "--retrieved", "10000,500,350", "--unretrieved", "990000,2000,3",
              "--target", "0.75")["recall"][0]
    wanted.append(f"recall {r['recall']!r} {r['lower']!r} {r['upper']!r} "
                  f"P(at least 0.75) {r['p_target']!r}")
    tables = asked("prf", "--compare", "--counts", "A=80,20,40", "--counts", "B=75,10,45")
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
    pair = asked("compare", "qrels", *RUNS[:2])["pairs"][0]
    tool.expect(done.stdout.count("\n") == 7 and f"\n{pair['p']}\n" in done.stdout
                and "\n0.638" in done.stdout and "\n0.4648" in done.stdout,
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
             "other.qrels": "999 0 doc 1\n", "bad": "301 0 doc 1\n301 0 other yes\n"}
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
    for check in (check_eval, check_sampled, check_compare, check_recall, check_prf,
                  check_refusals, check_leaks, check_example, check_readme):
        check()
        print(check.__name__, len(tool.failures), "failures", flush=True)
    os.chdir("/")
tool.finish()

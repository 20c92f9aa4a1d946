# SPDX-License-Identifier: Apache-2.0
"""How fast is the Python package, beside the packages people use, on the same data?

usage: bench_python.py [ROUNDS] [--install]

10 runs x 50 topics x 1000 documents with 300 judged a topic, 5 measures; from dictionaries
beside pytrec_eval and ranx, from frames beside ir_measures and ranx, from ranx' own objects (warm:
its compiler has run; cold: the first call of a process, with what was compiled kept on disk); one
frame of all runs beside a frame each; the randomisation test and the bootstrap beside scipy's; the
import.  Everything is timed in turn, in one process, by processor time on one thread; the median of
ROUNDS (7) and the ratio to ours.  What is not installed is left out, with a line; --install installs it.
"""
import os
import random
import statistics
import subprocess
import sys
import time

import intervale

ROUNDS = next((int(a) for a in sys.argv[1:] if a.isdigit()), 7)
PEERS = ("pytrec-eval-terrier", "ir_measures", "ranx", "pandas", "pyarrow", "scipy")
RANX = ["map", "ndcg", "precision@10", "mrr", "recall@1000"]
NAMES = ["map", "ndcg", "P_10", "recip_rank", "recall_1000"]
TOPICS, DEPTH, RUNS, JUDGED, DOCUMENTS = 50, 1000, 10, 300, 20000


def make():
    """Judgments and runs as rows."""
    rng = random.Random(1)
    some = lambda k: [f"doc{d:05d}" for d in rng.sample(range(DOCUMENTS), k)]
    qrels = [(f"q{t}", d, rng.choice([0, 0, 0, 1, 2])) for t in range(TOPICS)
             for d in some(JUDGED)]
    runs = [[(f"q{t}", d, rng.random()) for t in range(TOPICS) for d in some(DEPTH)]
            for _ in range(RUNS)]
    return qrels, runs


def dicts(rows):
    made = {}
    for topic, doc, number in rows:
        made.setdefault(topic, {})[doc] = number
    return made


def seconds(work):
    begun = time.process_time()
    work()
    return time.process_time() - begun


def race(title, ours, **others):
    """Times each in turn; the first round, which warms up, does not count."""
    works = {"ours": ours, **others}
    times = {name: [] for name in works}
    for turn in range(ROUNDS + 1):
        for name, work in works.items():
            took = seconds(work)
            if turn > 0:
                times[name].append(took)
    mine = statistics.median(times["ours"])
    for name, took in times.items():
        middle = statistics.median(took)
        print(f"{title:34s} {name:22s} {1e3 * middle:9.1f} ms  {middle / mine:7.2f}", flush=True)


def maybe(name):
    try:
        return __import__(name)
    except ImportError:
        print(f"without {name}, which is not installed")
        return None


def all_runs(make_evaluator, runs):
    def work():
        evaluator = make_evaluator()
        for run in runs:
            evaluator(run)
    return work


def from_dicts(qrels, runs):
    judged, ranked = dicts(qrels), [dicts(r) for r in runs]
    others = {}
    theirs = maybe("pytrec_eval")
    if theirs:
        a = theirs.RelevanceEvaluator(judged, set(NAMES)).evaluate(ranked[0])
        assert a == intervale.RelevanceEvaluator(judged, NAMES).evaluate(ranked[0])
        others["pytrec_eval"] = all_runs(
            lambda: theirs.RelevanceEvaluator(judged, set(NAMES)).evaluate, ranked)
    if maybe("ranx"):
        import ranx
        others["ranx"] = lambda: [ranx.evaluate(ranx.Qrels(judged), ranx.Run(r), RANX, threads=1) for r in ranked]
    race("from dictionaries", all_runs(
        lambda: intervale.RelevanceEvaluator(judged, NAMES).evaluate, ranked), **others)


def from_frames(qrels, runs):
    pandas, arrow, theirs, ranx = map(maybe, ("pandas", "pyarrow", "ir_measures", "ranx"))
    if not pandas:
        return
    names = ["query_id", "doc_id", "score"]
    judged = pandas.DataFrame(qrels, columns=["query_id", "doc_id", "relevance"])
    ranked = [pandas.DataFrame(r, columns=names) for r in runs]
    others = {}
    if theirs:
        asked = [theirs.parse_measure(m) for m in ("AP", "nDCG", "P@10", "RR", "R@1000")]
        others["ir_measures"] = all_runs(
            lambda: theirs.evaluator(asked, judged).calc_aggregate, ranked)
    if ranx:
        kinds = {"query_id": object, "doc_id": object}
        columns = dict(q_id_col="query_id", doc_id_col="doc_id")
        objects = [r.astype(kinds) for r in ranked]
        known = ranx.Qrels.from_df(judged.astype(kinds), score_col="relevance", **columns)
        frame = lambda r: ranx.Run.from_df(r, score_col="score", **columns)
        others["ranx"] = all_runs(
            lambda: lambda r: ranx.evaluate(known, frame(r), RANX, threads=1), objects)
    race("from pandas", lambda: intervale.evaluate(judged, ranked, NAMES, ci="none", threads=1),
         **others)
    one = pandas.concat([r.assign(run=f"run{i}") for i, r in enumerate(ranked)])
    race("one frame of all runs", lambda: intervale.evaluate(judged, one, NAMES, ci="none", threads=1), **{
        "ours, a frame each": lambda: intervale.evaluate(judged, ranked, NAMES, ci="none", threads=1)})
    if arrow:
        tables = [arrow.Table.from_pandas(r) for r in ranked]
        table = arrow.Table.from_pandas(judged)
        race("from Arrow",
             lambda: intervale.evaluate(table, tables, NAMES, ci="none", threads=1), **others)


def of_ranx(qrels, runs):
    """Work of ours and of ranx, from its objects."""
    import ranx
    known, ready = ranx.Qrels(dicts(qrels)), [ranx.Run(dicts(r), name=f"run{i}") for i, r in enumerate(runs)]
    return {"ours": lambda: intervale.evaluate(known, ready, NAMES, ci="none", threads=1),
            "ranx": lambda: [ranx.evaluate(known, run, RANX, threads=1) for run in ready]}


def from_ranx(qrels, runs):
    if not maybe("ranx"):
        return
    works = of_ranx(qrels, runs)
    race("from ranx' objects, warm", works.pop("ours"), **works)
    cold = {}
    for name in ("ours", "ranx"):  # the second has what the first compiled
        for _ in range(2):
            said = subprocess.run([sys.executable, "-W", "ignore", __file__, f"--cold={name}"], check=True,
                                  capture_output=True, text=True).stdout
        cold[name] = float(said)
    for name, took in cold.items():
        print(f"{'from ranx objects, cold':34s} {name:22s} {1e3 * took:9.1f} ms  "
              f"{took / cold['ours']:7.2f}", flush=True)


def inference():
    numpy, scipy = maybe("numpy"), maybe("scipy.stats")
    if not (numpy and scipy):
        return
    rng = numpy.random.default_rng(1)
    grid = rng.random((2, TOPICS))
    difference = grid[0] - grid[1]
    race("randomisation test", lambda: intervale.compare_scores(
        grid, ci="none", threads=1, progress=False), **{
            "scipy, 9,999 draws": lambda: scipy.stats.permutation_test(
                (difference,), numpy.mean, permutation_type="samples", vectorized=True,
                rng=rng)})
    race("interval of a difference, BCa", lambda: intervale.compare_scores(
        grid, ci="bca", resamples=100_000, threads=1, progress=False), **{
            "scipy, as many": lambda: scipy.stats.bootstrap(
                (difference,), numpy.mean, n_resamples=100_000, method="BCa", batch=1000,
                rng=rng)})


def imports():
    """Of a fresh interpreter, less one that imports nothing."""
    def took(code):
        best = []
        for _ in range(2 * ROUNDS + 1):
            begun = os.times()
            subprocess.run([sys.executable, "-c", code], check=True)
            ended = os.times()
            best.append(sum(ended[2:4]) - sum(begun[2:4]))
        return statistics.median(best)

    bare = took("pass")
    for name in ("intervale", "pytrec_eval", "ir_measures", "ranx"):
        if name == "intervale" or maybe(name):
            print(f"{'import':34s} {name:22s} {1e3 * (took('import ' + name) - bare):9.1f} ms",
                  flush=True)


if __name__ == "__main__":
    judgments, rankings = make()
    for cold_one in [a.partition("=")[2] for a in sys.argv if a.startswith("--cold=")]:
        print(seconds(of_ranx(judgments, rankings)[cold_one]))
        sys.exit(0)
    if "--install" in sys.argv:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *PEERS], check=True)
    from_dicts(judgments, rankings)
    from_frames(judgments, rankings)
    from_ranx(judgments, rankings)
    inference()
    imports()

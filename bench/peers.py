# SPDX-License-Identifier: Apache-2.0
"""Each row of work beside what a user would take instead: processor time, peak memory, growth.

usage: peers.py TOOL [--install] [--write] [ROW...]

Runs TOOL, then the peer, three times each (once where it takes seconds), and prints the least
processor time: user and system, of whole processes for programs; of the work alone for Python
and R, without what they load.  An exponent is that of the two largest sizes.
A peer that is not here is skipped with a line: numpy and scipy are imported, TREC_EVAL=PATH
names trec_eval, GNU sort and wc are in PATH; pROC needs Rscript.  --install gets numpy and scipy
by pip and pROC by apt.  Rows of the Python package are those of bench_python.py.  --write puts the
rows that were run into bench/RESULTS.md; others stay.
"""
import math
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ARGUMENTS = [a for a in sys.argv[1:] if a not in ("--write", "--install")]
if not ARGUMENTS:
    sys.exit(__doc__)
TOOL, ONLY = os.path.abspath(ARGUMENTS[0]), ARGUMENTS[1:]
ROWS, GROWTH = [], []
OWN = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
PYTHON = """
import sys, time, resource
import numpy as np
{imports}
rng = np.random.default_rng(1)
def work():
{work}
work()  # a first call loads what later ones find
start = time.process_time()
work()
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def cost(words, where, env=None):
    """Processor seconds, wall seconds and megabytes of one call."""
    import time
    start = time.perf_counter()
    with open(os.devnull, "wb") as null, subprocess.Popen(
            words, cwd=where, stdout=null, stderr=subprocess.PIPE, env={**os.environ, **(env or {})}) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if status != 0:
            sys.exit(f"{words[:4]}: {child.stderr.read().decode()}")
    return used.ru_utime + used.ru_stime, time.perf_counter() - start, used.ru_maxrss / 1024


def best(words, where, times=3, env=None):
    taken = [cost(words, where, env) for _ in range(times)]
    processor, wall, memory = (min(t[k] for t in taken) for k in range(3))
    return processor, wall, memory if memory > OWN() + 2 else small(words, where, env)


def small(words, where, env):
    """Megabytes of a process smaller than this one, whose memory a child has before it begins; None
    without GNU time, which is small."""
    with tempfile.NamedTemporaryFile("r") as said:
        try:
            subprocess.run(["/usr/bin/time", "-o", said.name, "-f", "%M", *words], cwd=where, check=True,
                           capture_output=True, env={**os.environ, **(env or {})})
        except OSError:
            return None
        return int(said.read().split()[-1]) / 1024


def in_python(imports, work, where, times=3):
    """Of a peer in Python; None when a module is not here."""
    taken = []
    for _ in range(times):
        done = subprocess.run([sys.executable, "-c", PYTHON.format(imports=imports, work=textwrap.indent(work, "    "))], cwd=where,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, capture_output=True, check=False)
        if done.returncode != 0:
            return None
        taken.append([float(x) for x in done.stdout.split()])
    return min(t[0] for t in taken), None, min(t[1] for t in taken)


def wanted(name):
    return not ONLY or name in ONLY


def row(name, ours, peer, what, limit=None):
    """ours and peer: (processor, wall, MB); limit: seconds and MB that are asked for instead."""
    if peer is None and limit is None:
        print(f"skipped the peer of {name}: {what} is not here", flush=True)
        what += " (not here)"
    ratio = "" if peer is None else f"{peer[0] / ours[0]:.1f}"
    other = "" if peer is None else f"{1000 * peer[0]:.{0 if peer[0] >= 0.01 else 1}f} ms"
    memory = "" if peer is None or not peer[2] else f"{peer[2]:.0f} MB"
    asked = "" if limit is None else f"{limit}"
    mine = f"{ours[2]:.0f} MB" if ours[2] else ""
    ROWS.append(f"| {name} | {1000 * ours[0]:.{0 if ours[0] >= 0.01 else 1}f} ms | {mine} | {what} | {other} | {memory} | {ratio} | {asked} |")
    print(ROWS[-1], flush=True)


def growth(name, points, most):
    """Exponent over the larger half of the points (n, seconds)."""
    x, y = [math.log(n) for n, _ in points[-2:]], [math.log(s) for _, s in points[-2:]]
    slope = (y[1] - y[0]) / (x[1] - x[0])
    times = ", ".join(f"{n:,}: {s:.3g} s" for n, s in points)
    GROWTH.append(f"| {name} | {times} | {slope:.2f} | {most} |")
    print(GROWTH[-1], flush=True)


# ------------------------------------------------------------------ data --

def numbers(seed):
    """Uniform numbers that need no package."""
    import random
    return random.Random(seed)


def matrix(path, systems, topics):
    r = numbers(systems)
    with open(path, "w", encoding="utf-8") as f:
        f.write("run," + ",".join(f"t{t}" for t in range(topics)) + "\n")
        easy = [r.random() for _ in range(topics)]
        for s in range(systems):
            f.write(f"s{s}," + ",".join(f"{min(1, max(0, e + r.gauss(s / systems / 10, .2))):.4f}" for e in easy) + "\n")


def counts(systems):
    r = numbers(7)
    return [w for s in range(systems) for w in ("--counts", f"s{s}={r.randint(60, 90)},{r.randint(10, 30)},{r.randint(10, 40)}")]


def labels(path, items, systems):
    r = numbers(items)
    with open(path, "w", encoding="utf-8") as f:
        f.write("id,gold," + ",".join(f"s{s}" for s in range(systems)) + "\n")
        for i in range(items):
            gold = int(r.random() < .3)
            f.write(f"{i},{gold}," + ",".join(str(gold ^ (r.random() < .1 + .004 * s)) for s in range(systems)) + "\n")


def collection(where, name, topics, runs, depth, judged, documents=None):
    """Judgments and runs in a folder of their own."""
    folder = where / name
    (folder / "runs").mkdir(parents=True)
    r = numbers(topics)
    documents = documents or 2 * depth
    with open(folder / "qrels", "w", encoding="utf-8") as f:
        for t in range(topics):
            f.writelines(f"{t} 0 d{d} {int(r.random() < .2)}\n" for d in range(judged))
    for k in range(runs):
        with open(folder / "runs" / f"r{k:04d}", "w", encoding="utf-8") as f:
            for t in range(topics):
                some = r.sample(range(documents), depth)
                f.writelines(f"{t} Q0 d{d} {i + 1} {depth - i} r{k}\n" for i, d in enumerate(some))
    return [str(folder / "qrels"), *sorted(str(p) for p in (folder / "runs").iterdir())]


# ------------------------------------------------------------------ rows --

def compare_rows(w):
    matrix(w / "m50", 50, 50)
    flips = ("x = np.loadtxt('m50', delimiter=',', skiprows=1, usecols=range(1, 51))\n"
             "i, j = np.triu_indices(50, 1)\nd = x[i] - x[j]\n"
             "s = rng.choice([-1.0, 1.0], (10000, 50))\np = (np.abs(s @ d.T) >= np.abs(d.sum(1)) - 1e-12).mean(0)")
    row("compare, 1,225 pairs x 50 topics", best([TOOL, "compare", "--matrix", "m50"], w),
        in_python("", flips, w), "numpy, 10,000 sign flips by matrix product")
    row("the same, --test randomization", best([TOOL, "compare", "--test", "randomization", "--matrix", "m50"], w),
        in_python("", flips, w), "numpy, 10,000 sign flips by matrix product")
    matrix(w / "m500", 500, 1000)
    work = ("x = np.loadtxt('m500', delimiter=',', skiprows=1, usecols=range(1, 1001))\n"
            "i, j = np.triu_indices(500, 1)\n"
            "p = np.concatenate([stats.ttest_rel(x[i[k:k + 5000]], x[j[k:k + 5000]], axis=1).pvalue\n"
            "                    for k in range(0, len(i), 5000)])\n"
            "q = np.maximum.accumulate(np.sort(p) * np.arange(len(p), 0, -1))")
    row("compare, 500 systems x 1,000 topics, --test t --correct holm",
        best([TOOL, "compare", "--test", "t", "--correct", "holm", "--matrix", "m500"], w, 1),
        in_python("from scipy import stats", work, w, 1), "scipy's t tests with Holm")
    work = ("from scipy import special\nx = np.loadtxt('m500', delimiter=',', skiprows=1, usecols=range(1, 1001))\n"
            "s, m = x @ x.T, x.mean(1)\nv = np.diag(s)\n"
            "d = m[:, None] - m\nvar = (v[:, None] + v - 2 * s - 1000 * d * d) / 999\n"
            "np.fill_diagonal(var, 1)\np = 2 * special.stdtr(999, -np.abs(d) / np.sqrt(var / 1000))")
    row("the same, p alone", best([TOOL, "compare", "--test", "t", "--correct", "holm", "--matrix", "m500"], w, 1),
        in_python("", work, w, 1), "numpy, moments by one matrix product")
    points = []
    for n in (10, 100, 1000):
        matrix(w / "m", n, 50)
        taken = best([TOOL, "compare", "--matrix", "m"], w, 1 if n == 1000 else 3)
        points.append((n, taken[0]))
    row("compare, 1,000 systems x 50 topics", taken, None, "", "20 s, 300 MB")
    growth("compare, systems of 50 topics", points, 2.05)


def prf_rows(w):
    draws = ("for s in range(30):\n    g = rng.gamma(np.array([80.5, 20.5, 30.5])[:, None], size=(3, 100000))\n"
             "    f = 2 * g[0] / (2 * g[0] + g[1] + g[2])\n"
             "    if s == 0: all = np.empty((30, 100000))\n    all[s] = f\n"
             "for a in range(30):\n    for b in range(a):\n        np.quantile(all[a] - all[b], [.025, .975])")
    points = []
    for n, limit in ((2, None), (20, None), (30, "0.5 s"), (100, "6 s"), (200, "25 s")):
        taken = best([TOOL, "prf", "--compare", *counts(n)], w, 1 if n >= 100 else 3)
        if n in (2, 20, 200):
            points.append((n, taken[0]))
        if limit:
            row(f"prf --compare, {n} systems", taken, in_python("", draws, w, 1) if n == 30 else None,
                "numpy, 100,000 draws of F" if n == 30 else "", limit)
    growth("prf --compare, systems", points, 2.05)
    labels(w / "labels", 500, 30)
    sixteen = [TOOL, "prf", "--paired", "--labels", "l16"]
    labels(w / "l16", 500, 16)
    row("prf --paired, 500 items, 16 systems", best(sixteen, w, 1), None, "", "3 s")
    row("prf --paired, 500 items, 30 systems", best([*sixteen[:-1], "labels"], w, 1), None, "", "10 s")


def recall_rows(w):
    work = ("g = lambda r, n, N: r + rng.binomial(N - n, rng.beta(r + .5, n - r + .5, 40000))\n"
            "a, b = g(50, 100, 2000), g(3, 100, 100000)\nnp.quantile(a / (a + b), [.025, .975])")
    row("recall, one interval", best([TOOL, "recall", "--retrieved", "2000,100,50", "--unretrieved", "100000,100,3"], w),
        in_python("", work, w), "numpy, 40,000 draws")


def roc_rows(w):
    r = numbers(3)
    with open(w / "scored", "w", encoding="utf-8") as f:
        f.write("gold,x\n")
        for _ in range(2000):
            gold = int(r.random() < .4)
            f.write(f"{gold},{1 / (1 + math.exp(-r.gauss(gold, 1))):.5f}\n")
    # A first call loads what later ones find.
    code = ("library(pROC); d <- read.csv('scored'); f <- function() ci.auc(d$gold, d$x, quiet=TRUE); f(); "
            "s <- proc.time(); for (i in 1:20) f(); cat(sum((proc.time() - s)[1:2]) / 20)")
    done = shutil.which("Rscript") and subprocess.run(["Rscript", "-e", code], cwd=w, capture_output=True, check=False)
    if done and done.returncode == 0:
        peer, what = (float(done.stdout.split()[-1]), None, 0), "pROC, DeLong, the call alone"
    else:
        print("skipped: pROC, which is not here", flush=True)
        work = ("d = np.loadtxt('scored', delimiter=',', skiprows=1)\nx, y = d[d[:, 0] == 1, 1], d[d[:, 0] == 0, 1]\n"
                "t = lambda v: stats.rankdata(v)\nz = t(np.concatenate([x, y])); m, n = len(x), len(y)\n"
                "v, u = (z[:m] - t(x)) / n, 1 - (z[m:] - t(y)) / m\nse = np.sqrt(v.var(ddof=1) / m + u.var(ddof=1) / n)")
        peer, what = in_python("from scipy import stats", work, w), "scipy's ranks, DeLong"
    row("roc, 2,000 items", best([TOOL, "roc", "scored"], w), peer, what)


def agree_rows(w):
    r = numbers(11)
    with open(w / "wide", "w", encoding="utf-8") as f:
        f.write("item,A,B,C\n")
        for i in range(10**5):
            true = r.randrange(3)
            f.write(f"doc{i}," + ",".join(str(true if r.random() < .8 else r.randrange(3)) for _ in "ABC") + "\n")
    work = ("d = pd.read_csv('wide')[list('ABC')].to_numpy().T\n"
            "krippendorff.alpha(reliability_data=d, level_of_measurement='ordinal')\n"
            "[cohen_kappa_score(d[i], d[j]) for i, j in ((0, 1), (0, 2), (1, 2))]")
    row("agree, 10^5 items x 3 assessors, intervals too", best([TOOL, "agree", "--threads", "1", "wide"], w, 5),
        in_python("import krippendorff\nimport pandas as pd\nfrom sklearn.metrics import cohen_kappa_score", work, w, 5),
        "pandas, krippendorff, scikit-learn's kappas, warm, without intervals")


def labels_rows(w):
    labels(w / "two", 2000, 1)
    work = ("d = np.loadtxt('two', delimiter=',', skiprows=1, dtype=int)\nfor k in (0, 1):\n"
            "    t, a, b = ((d[:, 1] == k) & (d[:, 2] == k)).sum(), (d[:, 2] == k).sum(), (d[:, 1] == k).sum()\n"
            "    g = rng.gamma(np.array([t, a - t, b - t])[:, None] + .5, size=(3, 100000))\n"
            "    np.quantile(2 * g[0] / (2 * g[0] + g[1] + g[2]), [.025, .975])\n"
            "    stats.beta.ppf([.025, .975], t + .5, a - t + .5), stats.beta.ppf([.025, .975], t + .5, b - t + .5)")
    row("prf, 2,000 labels", best([TOOL, "prf", "--labels", "two"], w, 5), in_python("from scipy import stats", work, w, 5),
        "numpy, 100,000 draws of F of both classes")


def unjudged_rows(w):
    points = []
    for n in (2000, 20000, 80000):
        files = collection(w, f"drop{n}", 1, 1, n, 1)
        subprocess.run([TOOL, "sample", "--depth", str(n), "--budget", str(n // 2), "-o", "made", files[1]], cwd=w, check=True, capture_output=True)
        lines = (w / "made").read_text(encoding="utf-8").splitlines(keepends=True)
        (w / "sample").write_text("".join(l if i % 3 == 0 else l.replace(" -1 ", f" {i % 2} ", 1)
                                          for i, l in enumerate(lines)), encoding="utf-8")
        files[0] = "sample"
        points.append((n, best([TOOL, "eval", "--unjudged", "drop", *files], w)[0]))
    growth("eval --unjudged drop, documents of a topic", points, 1.1)


def next_rows(w):
    points = []
    for n in (10, 100, 1000):
        files = collection(w, f"next{n}", 10, n, 100, 20)
        taken = best([TOOL, "next", *files], w, 1 if n == 1000 else 3)
        points.append((n, taken[0]))
    row("next, 1,000 runs x 10 topics, depth 100", taken, None, "", "5 s, 300 MB")
    growth("next, runs of 10 topics, depth 100", points, 1.1)


def eval_rows(w):
    points = []
    for n in (10**4, 10**5, 10**6, 10**7):
        files = collection(w, f"eval{n}", n // 1000, 1, 1000, 300)
        taken = best([TOOL, "eval", "--threads", "1", "--ci", "none", *files], w)
        points.append((n, taken[0]))
        if n == 10**6:
            one, million = taken, files
    growth("eval --ci none, lines", points, 1.0)
    row("eval, 10^6 lines, one thread", one, best(["wc", "-l", million[1]], w), "`wc -l`, which only counts lines", "80 ms")
    two = best([TOOL, "eval", "--threads", "2", "--ci", "none", *million], w)
    row("the same, two threads", two, one, "one thread", "at least 0.87")
    trec = os.environ.get("TREC_EVAL")
    every = ["-m", "all_trec"]
    row("eval -m all_trec, 10^6 lines", best([TOOL, "eval", "--ci", "none", *every, *million], w),
        best([trec, *every, *million], w) if trec else None, "trec_eval")
    files = collection(w, "ci", 50, 20, 1000, 300)
    plain, with_ci = (best([TOOL, "eval", "--threads", "1", *every, *ci, *files], w) for ci in (["--ci", "none"], []))
    row("eval -m all_trec with intervals, 20 runs x 50 topics", with_ci, plain, "the same without: 1,360 intervals of 10,000 resamples cost more than reading", "at least 0.5")


def scores_rows(w):
    """A year of nights, and a board of agents: 0/1 scores of items with repeats."""
    r = numbers(6)
    rates = [r.betavariate(4, 2) for _ in range(500)]
    with open(w / "nights.csv", "w", encoding="utf-8") as f:
        f.write("item,build,date,repeat,score\n")
        for night in range(366):
            date = f"{2026 + night // 360}-{night % 360 // 30 + 1:02}-{night % 30 + 1:02}"
            f.writelines(f"{i},{'nightly' if night else 'main'},{date},{k},{int(r.random() < rates[i])}\n"
                         for i in range(500) for k in range(3))
    columns = ["--columns", "date=date,system=build,repeat=repeat"]
    row("watch, 365 nights x 500 items x 3 repeats", best([TOOL, "watch", *columns, "--baseline", "main", "nights.csv"], w),
        None, "", "2 s")
    with open(w / "agents.csv", "w", encoding="utf-8") as f:
        f.write("item,system,repeat,score\n")
        f.writelines(f"{i},agent{s},{k},{int(r.random() < rates[i])}\n"
                     for i in range(50) for s in range(12) for k in range(8))
    row("compare --scores, 12 agents x 50 tasks x 8 attempts", best([TOOL, "compare", "--scores", "agents.csv"], w), None, "", "0.2 s")


def sort_rows(w):
    r = numbers(5)
    with open(w / "unsorted", "w", encoding="utf-8") as f:
        for _ in range(100):
            f.writelines(f"{r.randrange(10**4)} Q0 d{r.randrange(10**7)} 1 {r.random():.4f} t\n" for _ in range(10**5))
    ours = best([TOOL, "sort", "--memory", "256M", "unsorted"], w, 1)
    row("sort, 10^7 lines", ours, best(["sort", "-S", "256M", "--parallel=2", "-s", "-k1,1", "unsorted"], w, 1,
                                       {"LC_ALL": "C"}), "GNU sort")


def start_rows(w):
    trec = os.environ.get("TREC_EVAL")
    row("start of the tool", best([TOOL, "version"], w, 50), best([trec, "--version"], w, 50) if trec else best(["true"], w, 50),
        "trec_eval, a small program" if trec else "`true`, which does nothing", "1.5 ms")


def make_rows(w):
    """A build of what is committed, without what a compiler's cache knows."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=HERE.parent, check=True, capture_output=True).stdout
    subprocess.run(["tar", "x"], cwd=w, input=archive, check=True)
    taken = best(["make"], w, 1, {"CCACHE_DISABLE": "1", "CMAKE_C_COMPILER_LAUNCHER": "", "CMAKE_CXX_COMPILER_LAUNCHER": ""})
    row("make from nothing", taken, None, f"{taken[1]:.0f} s by the clock on {os.cpu_count()} cores", "60 s by the clock")


EVERY = {"compare": compare_rows, "prf": prf_rows, "recall": recall_rows, "roc": roc_rows, "unjudged": unjudged_rows,
         "agree": agree_rows, "labels": labels_rows, "next": next_rows, "scores": scores_rows, "eval": eval_rows, "sort": sort_rows, "start": start_rows,
         "make": make_rows}


def install():
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "numpy", "scipy"], check=True)
    if shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "r-base-core", "r-cran-proc"], check=True)


def main():
    if "--install" in sys.argv:
        install()
    for name, make in EVERY.items():
        if wanted(name):
            with tempfile.TemporaryDirectory(prefix="intervale-bench-") as folder:
                make(pathlib.Path(folder))
    if "--write" not in sys.argv:
        return
    page = HERE / "RESULTS.md"
    before, rest = page.read_text(encoding="utf-8").split("<!-- peers -->\n", 1)
    old, after = rest.split("<!-- /peers -->", 1)
    tables = [part.strip().splitlines()[2:] for part in old.strip().split("\n\n")] if old.strip() else [[], []]
    for table, new in zip(tables, (ROWS, GROWTH)):
        names = {line.split("|")[1]: line for line in new}
        table[:] = [names.pop(line.split("|")[1], line) for line in table]
        table.extend(names.values())
    text = ("| work | ours | memory | peer | its time | its memory | peer / ours | asked |\n|---|---:|---:|---|---:|---:|---:|---|\n"
            + "\n".join(tables[0]) + "\n\n| growth | times | exponent | asked |\n|---|---|---:|---:|\n"
            + "\n".join(tables[1]) + "\n")
    page.write_text(before + "<!-- peers -->\n" + text + "<!-- /peers -->" + after, encoding="utf-8")


main()

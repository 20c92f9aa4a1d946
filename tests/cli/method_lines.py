# SPDX-License-Identifier: Apache-2.0
"""The methods that an answer names are those that made its limits.

usage: method_lines.py TOOL

Each case is a small table, the methods that the line "Method:" has to name, and limits that are
computed here, from the definitions of these methods, with numbers of Python only.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from statistics import NormalDist, fmean, stdev

tool = os.path.abspath(sys.argv[1])
Z = NormalDist().inv_cdf(0.975)
failures = []
seen = set()


# ------------------------------------------------------------------ distributions

def simpson(f, a, b, steps=2000):
    h = (b - a) / steps
    inner = sum((4 if i % 2 else 2) * f(a + i * h) for i in range(1, steps))
    return (f(a) + inner + f(b)) * h / 3


def t_sf(t, df):
    """The angle atan(t / sqrt(df)) has a density proportional to cos^(df - 1)."""
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    return scale * simpson(lambda u: max(math.cos(u), 0.0) ** (df - 1),
                           math.atan(t / math.sqrt(df)), math.pi / 2)


def root(f, low, high):
    """Where a function that falls passes 0."""
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return low


def t_isf(p, df):
    return root(lambda t: t_sf(t, df) - p, 0.0, 1e4 if df < 2 else 100.0)


def binomial_tail(k, n, p):
    """P(X >= k)."""
    return sum(math.comb(n, i) * p ** i * (1 - p) ** (n - i) for i in range(k, n + 1))


# ------------------------------------------------------------------------ methods

def expit_interval(value, half):
    middle = math.log(value / (1 - value))
    return [1 / (1 + math.exp(-middle + s * half / (value * (1 - value)))) for s in (1, -1)]


def wilson(p, n, z=Z):
    middle, half = p + z * z / n / 2, z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return [(middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)]


def student(x):
    half = t_isf(0.025, len(x) - 1) * stdev(x) / math.sqrt(len(x))
    return [fmean(x) - half, fmean(x) + half]


def clopper_pearson(k, n):
    return [-root(lambda q: binomial_tail(k, n, -q) - 0.025, -1.0, 0.0) if k > 0 else 0.0,
            1 + root(lambda q: binomial_tail(n - k, n, -q) - 0.025, -1.0, 0.0) if k < n else 1.0]


def delong(positive, negative):
    """The area, and its variance."""
    above = lambda a, b: (a > b) + 0.5 * (a == b)
    v = [fmean(above(p, q) for q in negative) for p in positive]
    w = [fmean(above(p, q) for p in positive) for q in negative]
    return fmean(v), stdev(v) ** 2 / len(v) + stdev(w) ** 2 / len(w), v, w


def newcombe_at_one(m, n):
    """Method 5: 1 - theta is z standard errors by Hanley and McNeil, with the mean class size."""
    even = (m + n) / 2 - 1

    def off(theta):
        variance = theta * (1 - theta) / (m * n) * (
            1 + even * ((1 - theta) / (2 - theta) + theta / (1 + theta)))
        return (1 - theta) ** 2 - Z * Z * variance
    return [root(off, 0.0, 1.0 - 1e-12), 1.0]


def tango(wins, losses, n):
    """The differences d whose score statistic is within z."""
    def score(d):
        a, b = 2 * n, -wins - losses + (2 * n - wins + losses) * d
        c = -losses * d * (1 - d)
        q = (math.sqrt(b * b - 4 * a * c) - b) / (2 * a)
        variance = n * (2 * q + d * (1 - d))
        return (wins - losses - n * d) / math.sqrt(variance)
    seen_difference = (wins - losses) / n
    return [root(lambda d: score(d) - Z, -1 + 1e-9, seen_difference),
            root(lambda d: score(d) + Z, seen_difference, 1 - 1e-9)]


def clustered(x, cluster):
    """Mean, CR2 standard error and Satterthwaite's degrees of freedom of clusters of one size."""
    groups = [[v for v, c in zip(x, cluster) if c == k] for k in dict.fromkeys(cluster)]
    means = [fmean(g) for g in groups]
    return fmean(x), stdev(means) / math.sqrt(len(means)), len(means) - 1


# -------------------------------------------------------------------------- cases

def answer(*words):
    done = subprocess.run([tool, *words, "--format", "json"], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, (words, done.stderr)
    return json.loads(done.stdout)


def rows(result, table):
    return next(t for t in result["tables"] if t["name"] == table)["rows"]


def method_of(result):
    return result.get("method") or ""


def case(claim, words, table, named, limits, pick=lambda r: True, near=1e-6):
    """The methods named, and no other interval; the limits of the rows picked."""
    result = answer(*words)
    line = method_of(result)
    for text in named:
        seen.add(text)
        if text not in line:
            failures.append(f"{claim}: '{text}' is not in '{line}'")
    row = next(r for r in rows(result, table) if pick(r))
    for name, expected in zip(("lower", "upper"), limits):
        found = row[name]
        if (found is None) != (expected is None) or (
                expected is not None and abs(found - expected) > near * max(1.0, abs(expected))):
            failures.append(f"{claim}: {name} is {found}, computed {expected} by {named}")


def write(name, header, lines):
    with open(name, "w", encoding="utf-8") as f:
        f.write(header + "\n")
        f.writelines(",".join(str(x) for x in line) + "\n" for line in lines)
    return name


def scores(name, values, cluster=None):
    if cluster is None:
        return write(name, "item,score", [[f"i{i}", v] for i, v in enumerate(values)])
    return write(name, "item,group,score",
                 [[f"i{i}", c, v] for i, (v, c) in enumerate(zip(values, cluster))])


def eval_cases():
    case("0/1 scores", ["eval", "--scores", scores("a", [1] * 13 + [0] * 7)], "measures",
         ["Wilson"], wilson(0.65, 20))
    case("0 and 100", ["eval", "--scores", scores("a", [100] * 19 + [0])], "measures",
         ["Wilson"], [100 * x for x in wilson(0.95, 20)])
    case("guaranteed", ["eval", "--scores", scores("a", [1] * 13 + [0] * 7), "--guaranteed"],
         "measures", ["Clopper-Pearson"], clopper_pearson(13, 20))
    five = [0.3, 0.5, 0.8, 1.7, 4.3]
    case("five values", ["eval", "--scores", scores("a", five)], "measures",
         ["Student's t"], student(five))
    case("t by name", ["eval", "--scores", scores("a", five), "--ci", "t"], "measures",
         ["Student's t"], student(five))
    case("equal values", ["eval", "--scores", scores("a", [3.5] * 9)], "measures",
         ["no interval"], [None, None])


def cluster_cases():
    by = ["--columns", "cluster=group"]
    group = [f"g{i // 10}" for i in range(100)]
    for more in (0, 1):
        right = [int(i % 10 < 8 or (more and i == 9)) for i in range(100)]
        # The variance between clusters is below that of chance: n items, t of 9 degrees.
        case("clusters that vary little", ["eval", "--scores", scores("a", right, group), *by],
             "measures", ["Wilson", "Dean & Pagano", "Korn & Graubard"],
             wilson(fmean(right), 100, t_isf(0.025, 9)))
    rng = random.Random(5)
    right = [int(rng.random() < (0.2 + 0.6 * (int(g[1:]) % 2))) for g in group]
    mean, se, df = clustered(right, group)
    case("clusters that vary", ["eval", "--scores", scores("a", right, group), *by], "measures",
         ["Wilson", "Dean & Pagano"], wilson(mean, mean * (1 - mean) / se ** 2, t_isf(0.025, df)))
    case("all right", ["eval", "--scores", scores("a", [1] * 100, group), *by], "measures",
         ["Wilson", "Kish"], [wilson(1.0, 10, t_isf(0.025, 9))[0], 1.0])
    shares = [round(rng.random(), 3) for _ in group]
    mean, se, df = clustered(shares, group)
    case("shares", ["eval", "--scores", scores("a", shares, group), *by], "measures",
         ["logit", "clusters"], expit_interval(mean, t_isf(0.025, df) * se))
    few = [f"g{i // 2}" for i in range(8)]
    times = [0.0, 3.0, 1.0, 7.0, 2.0, 4.0, 12.0, 1.0]
    mean, se, df = clustered(times, few)
    half = t_isf(0.025, df) * se
    case("too few clusters for a bootstrap-t", ["eval", "--scores", scores("a", times, few), *by],
         "measures", ["Student's t"], [mean - half, mean + half])
    bootstrap_case(by, [math.exp(rng.gauss(0, 1)) for _ in range(40)])


def bootstrap_case(by, times):
    """Quantiles of 40,000 resamples of ten clusters of four items, drawn here."""
    group = [f"g{i // 4}" for i in range(40)]
    rng = random.Random(11)
    means = [fmean(times[4 * k:4 * k + 4]) for k in range(10)]
    mean, error = fmean(means), stdev(means) / math.sqrt(10)
    tail = NormalDist().cdf(-math.sqrt(10 / 9) * t_isf(0.025, 9))
    found = []
    for _ in range(40000):
        drawn = rng.choices(means, k=10)
        found.append((fmean(drawn) - mean) / (stdev(drawn) / math.sqrt(10)))
    found.sort()
    limits = [mean - found[int((1 - tail) * 40000)] * error, mean - found[int(tail * 40000)] * error]
    case("latency", ["eval", "--scores", scores("a", times, group), *by], "measures",
         ["Studentised bootstrap over clusters"], limits, near=0.12)


def roc_cases():
    rng = random.Random(3)
    positive = [round(rng.gauss(0.6, 0.15), 3) for _ in range(12)]
    negative = [round(rng.gauss(0.4, 0.15), 3) for _ in range(15)]

    def table(p, q):
        return write("a", "id,gold,s", [[f"i{i}", int(i < len(p)), v]
                                        for i, v in enumerate([*p, *q])])
    area, variance, _, _ = delong(positive, negative)
    auc = lambda r: r["measure"] == "AUC"
    case("an area", ["roc", table(positive, negative)], "measures",
         ["logit interval of AUC with DeLong's variance"],
         expit_interval(area, Z * math.sqrt(variance)), auc)
    case("an area of 1", ["roc", table([0.8, 0.9, 0.95], [0.1, 0.2, 0.3, 0.4])], "measures",
         ["Newcombe"], newcombe_at_one(3, 4), auc)
    squares = [(1 - p) ** 2 for p in positive] + [q ** 2 for q in negative]
    case("Brier score", ["roc", table(positive, negative)], "measures", ["Student's t"],
         student(squares), lambda r: r["measure"] == "Brier", 1e-6)


def compare_cases():
    rng = random.Random(9)
    a = [int(rng.random() < 0.7) for _ in range(60)]
    b = [int(rng.random() < 0.6) for _ in range(60)]
    file = write("a", "item,a,b", [[i, x, y] for i, (x, y) in enumerate(zip(a, b))])
    wins, losses = sum(x > y for x, y in zip(a, b)), sum(x < y for x, y in zip(a, b))
    result = answer("compare", "--matrix", file, "--by", "topics")
    sign = 1 if rows(result, "pairs")[0]["difference"] * (wins - losses) > 0 else -1
    limits = tango(wins, losses, 60)
    case("two classifiers", ["compare", "--matrix", file, "--by", "topics"], "pairs",
         ["McNemar", "Tango"], limits if sign > 0 else [-limits[1], -limits[0]])
    x, y = [rng.random() for _ in range(30)], [rng.random() for _ in range(30)]
    file = write("a", "item,a,b", [[i, round(p, 6), round(q, 6)]
                                   for i, (p, q) in enumerate(zip(x, y))])
    d = [round(p, 6) - round(q, 6) for p, q in zip(x, y)]
    sign = 1 if rows(answer("compare", "--matrix", file, "--by", "topics"), "pairs")[0][
        "difference"] * fmean(d) > 0 else -1
    case("the t test", ["compare", "--matrix", file, "--by", "topics", "--test", "t"], "pairs",
         ["paired t test"], student([sign * v for v in d]))


def beta_quantile(level, a, b):
    density = lambda x: x ** (a - 1) * (1 - x) ** (b - 1)
    whole = simpson(density, 0.0, 1.0)
    return -root(lambda q: simpson(density, 0.0, -q) / whole - level, -1.0, 0.0)


def prf_cases():
    precision = lambda r: r["metric"] == "precision"
    case("guaranteed", ["prf", "--counts", "9,3,2,11", "--guaranteed"], "metrics",
         ["exact binomial"], clopper_pearson(9, 12), precision)
    # The prior is Beta(1/2, 1/2).
    case("posteriors", ["prf", "--counts", "9,3,2,11"], "metrics", ["Beta posteriors"],
         [beta_quantile(0.025, 9.5, 3.5), beta_quantile(0.975, 9.5, 3.5)], precision)


def prefer_cases():
    case("a system that never lost", ["prefer", write("a", "a,b,winner", [["x", "y", "a"]] * 3)],
         "systems", ["condition for the estimates"], [None, None])


    # One vote an item: the log odds, half for each system, with the variance of clusters of one.
    votes = [["x", "y", f"q{i}", "a" if i % 13 < 9 else "b"] for i in range(40)]
    won = sum(v[3] == "a" for v in votes)
    strength = math.log(won / (40 - won)) / 2
    half = t_isf(0.025, 39) * math.sqrt((1 / won + 1 / (40 - won)) * 40 / 39) / 2
    case("two systems", ["prefer", write("a", "a,b,item,winner", votes)], "systems",
         ["Bradley-Terry", "sandwich variance over items"], [strength - half, strength + half],
         lambda r: r["system"] == "x")


def jackknife(statistic, rows):
    """Of a statistic of rows: Student's t."""
    n = len(rows)
    left = [statistic(rows[:i] + rows[i + 1:]) for i in range(n)]
    se = math.sqrt((n - 1) / n * sum((v - fmean(left)) ** 2 for v in left))
    value = statistic(rows)
    return [value - t_isf(0.025, n - 1) * se, value + t_isf(0.025, n - 1) * se]


def kappa(rows):
    n, same = len(rows), fmean(a == b for a, b in rows)
    chance = sum(sum(a == k for a, _ in rows) * sum(b == k for _, b in rows) for k in (0, 1)) / n ** 2
    return (same - chance) / (1 - chance)


def alpha(rows):
    """Of two assessors and labels 0 and 1, whatever the scale."""
    n, ones = 2 * len(rows), sum(a + b for a, b in rows)
    expected = 2 * ones * (n - ones) / (n * (n - 1))
    return 1 - fmean(a != b for a, b in rows) / expected


def agree_cases():
    rows = [(int(i % 5 < 2), int((i % 5 < 2) != (i % 7 == 0))) for i in range(60)]
    file = write("a", "item,x,y", [[i, a, b] for i, (a, b) in enumerate(rows)])
    case("kappa", ["agree", file], "kappas", ["Cohen's kappa", "jackknife"], jackknife(kappa, rows))
    case("alpha", ["agree", file], "alpha", ["Krippendorff's alpha", "jackknife"],
         jackknife(alpha, rows))


def hypergeometric(k, size, marked, drawn):
    if k > marked or drawn - k > size - marked or k < 0:
        return 0.0
    return math.comb(marked, k) * math.comb(size - marked, drawn - k) / math.comb(size, drawn)


def recall_cases():
    # All retrieved documents are judged: what was missed is the only unknown.
    found, size, drawn, seen_relevant = 40, 300, 60, 3
    words = ["recall", "--retrieved", f"200,200,{found}", "--unretrieved",
             f"{size},{drawn},{seen_relevant}"]
    above = lambda R, k: sum(hypergeometric(j, size, R, drawn) for j in range(k, drawn + 1))
    held = [R for R in range(seen_relevant, size - drawn + seen_relevant + 1)
            if above(R, seen_relevant) > 0.025 and 1 - above(R, seen_relevant + 1) > 0.025]
    case("recall, guaranteed", [*words, "--guaranteed"], "recall", ["hypergeometric limits"],
         [found / (found + max(held)), found / (found + min(held))])
    # The prior is Beta(1/2, 1/2): so many of the rest are relevant, quantiles of a beta-binomial.
    rest, a, b = size - drawn, seen_relevant + 0.5, drawn - seen_relevant + 0.5
    beta = lambda x, y: math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)
    cdf, total = [], 0.0
    for k in range(rest + 1):
        total += math.comb(rest, k) * math.exp(beta(k + a, rest - k + b) - beta(a, b))
        cdf.append(total)
    few, many = (next(k for k, x in enumerate(cdf) if x >= level) for level in (0.025, 0.975))
    case("recall", words, "recall", ["beta-binomial posterior"],
         [found / (found + seen_relevant + k) for k in (many, few)])


def run_cases():
    rng = random.Random(21)
    topics, values = range(12), []
    with open("qrels", "w", encoding="utf-8") as q, open("run", "w", encoding="utf-8") as r:
        for t in topics:
            score = {d: round(rng.random(), 6) for d in range(15)}
            ranking, hits, total = sorted(score, key=lambda d: -score[d]), 0, 0.0
            for rank, d in enumerate(ranking, 1):
                hits += d < 5
                total += hits / rank if d < 5 else 0.0
            values.append(total / 5)
            q.writelines(f"{t} 0 d{d} {int(d < 5)}\n" for d in range(15))
            r.writelines(f"{t} Q0 d{d} 1 {score[d]} run\n" for d in range(15))
    case("runs", ["eval", "qrels", "run", "-m", "AP", "--ci", "t"], "measures", ["Student's t"],
         student(values))


def hall(x, tail):
    """The limits of Hall's t: the cubic of the mean's t, without its skewness, inverted."""
    n, m = len(x), fmean(x)
    skew = fmean((v - m) ** 3 for v in x) / fmean((v - m) ** 2 for v in x) ** 1.5
    sd, t = stdev(x), t_isf(tail, n - 1)

    def off(mean, at):
        w = (m - mean) / sd
        return math.sqrt(n) * (w + skew * w * w / 3 + skew * skew * w ** 3 / 27 + skew / (6 * n)) - at
    return [root(lambda v: off(v, t), m - 9 * sd, m + 9 * sd),
            root(lambda v: off(v, -t), m - 9 * sd, m + 9 * sd)]


def skewed_cases():
    rng = random.Random(31)
    d = [round(rng.expovariate(1.0) * 0.2 - 0.1, 6) for _ in range(25)]
    file = write("a", "item,a,b", [[i, 0.0, x] for i, x in enumerate(d)])
    result = answer("compare", "--matrix", file, "--by", "topics")
    sign = 1 if rows(result, "pairs")[0]["difference"] * fmean(d) > 0 else -1
    d = [sign * x for x in d]
    far = [f(student(d)[i], hall(d, 0.025)[i]) for i, f in enumerate((min, max))]
    case("skewed differences", ["compare", "--matrix", file, "--by", "topics"], "pairs",
         ["larger p-value of the paired t test and Hall's t test"], far)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for group_of_cases in (eval_cases, cluster_cases, roc_cases, compare_cases, prf_cases,
                           prefer_cases, agree_cases, recall_cases, run_cases, skewed_cases):
        group_of_cases()
for failure in failures:
    print(failure)
print(f"{len(seen)} methods, {len(failures)} failures")
sys.exit(1 if failures else 0)

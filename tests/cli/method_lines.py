# SPDX-License-Identifier: Apache-2.0
"""The methods that an answer names are those that made its limits.

usage: method_lines.py TOOL

Each case is a small table, the methods that the line "Method:" has to name, and limits that are
computed here, from the definitions of these methods, with numbers of Python only.
"""
import itertools
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
commands = set()
# Commands without limits that a method of their own makes, like study and other judge commands.
OTHERS = {"measures": "a list", "check": "no estimates", "classify": "the numbers of roc, prf and compare",
          "next": "an order of documents", "simulate": "a collection",
          "papers": "numbers beside those of the papers"}


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
    assert done.returncode in (0, 3, 4), (words, done.stderr)
    result = json.loads(done.stdout)
    commands.add(result["command"])
    return result


def rows(result, table):
    return next(t for t in result["tables"] if t["name"] == table)["rows"]


def method_of(result):
    return result.get("method") or ""


def case(claim, words, table, named, limits, pick=lambda r: True, near=1e-6):
    """The methods named, and no other interval; the limits of the rows picked."""
    figures(claim, answer(*words), table, named, dict(zip(("lower", "upper"), limits)), pick, near)


def figures(claim, result, table, named, columns, pick=lambda r: True, near=1e-6):
    """The same for any columns."""
    line = method_of(result)
    for text in named:
        seen.add(text)
        if text not in line:
            failures.append(f"{claim}: '{text}' is not in '{line}'")
    row = next(r for r in (result["claims"] if table == "claims" else rows(result, table)) if pick(r))
    for name, expected in columns.items():
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
    if not 0 <= k <= marked or not 0 <= drawn - k <= size - marked:
        return 0.0
    return math.comb(marked, k) * math.comb(size - marked, drawn - k) / math.comb(size, drawn)


def missed(found, size, drawn, relevant):
    """Limits of recall where all retrieved documents are judged. The prior is Beta(1/2, 1/2): so many of the rest are
    relevant, quantiles of a beta-binomial."""
    rest, a, b = size - drawn, relevant + 0.5, drawn - relevant + 0.5
    beta = lambda x, y: math.lgamma(x) + math.lgamma(y) - math.lgamma(x + y)
    cdf, total = [], 0.0
    for k in range(rest + 1):
        total += math.comb(rest, k) * math.exp(beta(k + a, rest - k + b) - beta(a, b))
        cdf.append(total)
    few, many = (next(k for k, x in enumerate(cdf) if x >= level) for level in (0.025, 0.975))
    return [found / (found + relevant + k) for k in (many, few)]


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
    case("recall", words, "recall", ["beta-binomial posterior"], missed(found, size, drawn, seen_relevant))
    # A plan: the mean of the limits over samples. All 50 retrieved documents are judged, 20 of 25 relevant ones.
    missing, size, drawn = 5, 150, 60
    chance = [hypergeometric(k, size, missing, drawn) for k in range(missing + 1)]
    ends = [sum(c * missed(20, size, drawn, k)[i] for k, c in enumerate(chance)) for i in (0, 1)]
    figures("plan recall", answer("plan", "recall", "--population", "200", "--retrieved", "50", "--retrieved-judged", "20",
                                  "--recall", "0.8", "--total", str(drawn)), "plan",
            ["expected limits of recall from the beta-binomial posterior, prior Beta(1/2, 1/2)"],
            {"lower": ends[0], "upper": ends[1], "width": ends[1] - ends[0]})


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


def betting(x, m, level):
    """The smallest 1 / capital of bets that the mean of x, within 0 and 1, is above m."""
    total, squares, capital, most = 0.5, 0.25, 0.0, 0.0
    for t, value in enumerate(x, 1):
        stake = min(0.75 / m, math.sqrt(2 * math.log(1 / level) / (len(x) * squares / t)))
        capital += math.log1p(stake * (value - m))
        most = max(most, capital)
        total += value
        squares += (value - total / (t + 1)) ** 2
    return math.exp(-most)


def mixed(text):
    """FNV-1a of 64 bits, and the last steps of splitmix64."""
    h = 14695981039346656037
    for byte in text.encode():
        h = (h ^ byte) * 1099511628211 % 2 ** 64
    for shift, factor in ((30, 0xbf58476d1ce4e5b9), (27, 0x94d049bb133111eb)):
        h = (h ^ h >> shift) * factor % 2 ** 64
    return h ^ h >> 31


def hsueh(n, lost, won, margin, steps=400):
    """The largest probability, where the true loss is the margin, of tables with no larger z than
    this one, z with the variance of the most likely rates there."""
    def z(down, up):
        b = -down - up + (2 * n - up + down) * margin
        rate = (-b + math.sqrt(max(0.0, b * b + 8 * n * up * margin * (1 - margin)))) / (4 * n)
        variance = n * (2 * rate + margin * (1 - margin))
        return (down - up - n * margin) / math.sqrt(variance)
    seen_z = z(lost, won)
    inside = [(d, u) for d in range(n + 1) for u in range(n - d + 1) if z(d, u) <= seen_z + 1e-9]

    def chance(up):
        down = up + margin
        return sum(math.comb(n, d) * math.comb(n - d, u) * down ** d * up ** u
                   * max(0.0, 1 - down - up) ** (n - d - u) for d, u in inside)
    return max(chance(i / steps * (1 - margin) / 2) for i in range(steps + 1))


def gate_cases():
    rng = random.Random(41)
    x = [round(min(1, max(0, rng.gauss(0.7, 0.1))), 6) for _ in range(80)]
    file = scores("a", x)
    result = answer("eval", "--scores", file, "--gate", "--at-least", "score=0.6", "--guaranteed", "--range", "0,1")
    # Bets in an order that is that of neither rows nor values: by a hash of the ids.
    bets = [v for _, v in sorted((mixed(f"i{i}"), v) for i, v in enumerate(x))]
    lower = -root(lambda m: betting(bets, -m, 0.05) - 0.05, -1.0, -1e-9)
    figures("betting", result, "claims", ["betting"], {"p": betting(bets, 0.6, 0.05), "lower": lower})
    rows_of = [("main", i, 1) for i in range(12)] + [("new", i, int(i != 3)) for i in range(12)]
    result = answer("compare", "--scores", write("a", "system,item,score", rows_of), "--gate", "--baseline", "main",
                    "--margin", "0.4")
    figures("a margin", result, "claims", ["exact test of the difference against the margin"], {"p": hsueh(12, 1, 0, 0.4)}, near=1e-4)
    d = [round(rng.gauss(0.0, 0.1), 6) for _ in range(30)]
    rows_of = [r for i, v in enumerate(d) for r in (("main", i, 0.5), ("new", i, round(0.5 + v, 6)))]
    result = answer("compare", "--scores", write("a", "system,item,score", rows_of), "--gate", "--baseline", "main",
                    "--margin", "0.05")
    d = [round(0.5 + v, 6) - 0.5 for v in d]
    ends = [f(t_limits(d, 0.05)[i], hall(d, 0.05)[i]) for i, f in enumerate((min, max))]
    figures("a margin, graded", result, "claims", ["one-sided tests of the difference against the margin"], dict(zip(("lower", "upper"), ends)))
    # Of one false alarm in 365 nights on average each of two tests has a half.
    rows_of = [("main", i, "2026-01-01", 0.5) for i in range(30)] + [("new", i, "2026-01-02", 0.5 + v) for i, v in enumerate(d)]
    result = answer("watch", "--promise", "average", "--baseline", "main", write("a", "system,item,date,score", rows_of))
    ends = [f(t_limits(d, 1 / 730)[i], hall(d, 1 / 730)[i]) for i, f in enumerate((min, max))]
    figures("a night", result, "tonight", ["one-sided t tests of each night"], dict(zip(("lower", "upper"), ends)))


def t_limits(x, tail):
    half = t_isf(tail, len(x) - 1) * stdev(x) / math.sqrt(len(x))
    return [fmean(x) - half, fmean(x) + half]


def noncentral_t_sf(t, df, shift):
    """P((Z + shift) / sqrt(V / df) > t): over the density of sqrt(V / df)."""
    def density(s):
        return math.exp(math.log(2) + df / 2 * math.log(df / 2) - math.lgamma(df / 2)
                        + (df - 1) * math.log(s) - df * s * s / 2) if s > 0 else 0.0
    return simpson(lambda s: density(s) * NormalDist().cdf(shift - t * s), 0.0, 1 + 12 / math.sqrt(df))


def power(effect, n):
    shift, t = effect * math.sqrt(n), t_isf(0.025, n - 1)
    return noncentral_t_sf(t, n - 1, shift) + noncentral_t_sf(t, n - 1, -shift)


def plan_cases():
    figures("power", answer("plan", "power", "--effect", "0.4", "--topics", "30"), "power",
            ["power of paired tests"], {"power": power(0.4, 30)})
    rng = random.Random(43)
    a, b = [[round(rng.gauss(m, 0.1), 6) for _ in range(15)] for m in (0.6, 0.52)]
    d = [x - y for x, y in zip(a, b)]
    effect = fmean(d) / stdev(d)
    result = answer("plan", "topics", "--matrix", write("a", "item,a,b", [[i, x, y] for i, (x, y) in enumerate(zip(a, b))]),
                    "--by", "topics")
    figures("topics", result, "topics", ["noncentral t"], {"effect": effect, "topics": next(
        n for n in range(2, 1000) if power(abs(effect), n) >= 0.8)})
    result = answer("plan", "gate", "--margin", "0.05", "--sd", "0.2", "--correlation", "0.5")
    n = rows(result, "items")[1]["items"]
    passes = lambda n: noncentral_t_sf(t_isf(0.05, n - 1), n - 1, 0.05 * math.sqrt(n) / 0.2)
    figures("items", result, "items", ["noncentral t"], {"passes": passes(n), "items": next(
        n for n in range(2, 1000) if passes(n) >= 0.8)}, lambda r: r["items"] == n)
    wrong = lambda k, n: sum(hypergeometric(j, 1000, 20, n) for j in range(k + 1))
    for k in (0, 2):
        n = next(n for n in range(1, 1000) if wrong(k, n) <= 0.05)
        figures("elusion", answer("plan", "elusion", "--population", "1000", "--below", "0.02", "--accept", str(k)), "plan",
                ["hypergeometric limits"], {"documents": n, "p_wrong": wrong(k, n)}, lambda r, k=k: r["accept"] == k)
    result = answer("plan", "looks", "--shape", "spend-pocock", "--at", "0.3,0.6,1")
    for k, part in enumerate((0.3, 0.6, 1.0), 1):
        figures("interim analyses", result, "looks", ["alpha spending, shape spend-pocock"],
                {"error_spent": 0.05 * math.log(1 + (math.e - 1) * part)}, lambda r, k=k: r["analysis"] == k)


def made(folder):
    """A collection: grades and rankings, read here."""
    subprocess.run([tool, "simulate", "--topics", "12", "--documents", "60", "--runs", "2", "--seed", "3", "-o", folder, "--quiet"],
                   check=True, capture_output=True)
    with open(f"{folder}/qrels", encoding="utf-8") as f:
        grade = {(w[0], w[2]): int(w[3]) for w in map(str.split, f)}
    rankings = {}
    for run in ("sim01", "sim02"):
        with open(f"{folder}/runs/{run}", encoding="utf-8") as f:
            lines = [line.split() for line in f]
        for t in dict.fromkeys(w[0] for w in lines):
            ranked = sorted((w for w in lines if w[0] == t), key=lambda w: -float(w[4]))
            rankings.setdefault(run, {})[t] = [w[2] for w in ranked]
    return grade, rankings


def precisions(ranking, relevant):
    hits, total = 0, 0.0
    for rank, d in enumerate(ranking, 1):
        hits += d in relevant
        total += hits / rank if d in relevant else 0.0
    return total / len(relevant) if relevant else 0.0


def judged_cases():
    grade, rankings = made("c")
    relevant = {t: {d for (u, d), g in grade.items() if u == t and g > 0} for t in rankings["sim01"]}
    files = ["c/qrels", "c/runs/sim01", "c/runs/sim02"]
    ap = {run: {t: precisions(r, relevant[t]) for t, r in of.items()} for run, of in rankings.items()}
    topics = [t for t in relevant if relevant[t]]
    # All is judged: the expected difference is the difference.
    apart = [ap["sim01"][t] - ap["sim02"][t] for t in topics]
    result = answer("incomplete", *files)
    figures("expected difference", result, "pairs", ["expected measures"], {"expected": fmean(apart)})
    wins, losses = sum(d > 1e-9 for d in apart), sum(d < -1e-9 for d in apart)
    figures("signs", result, "signs", ["sign test"], {"p": min(1.0, 2 * binomial_tail(max(wins, losses), wins + losses, 0.5))})
    # Without the documents that only this run has.
    depth = 10
    for run, other in (("sim01", "sim02"), ("sim02", "sim01")):
        fewer = {t: {d for d in relevant[t] if d in rankings[other][t][:depth] or d not in rankings[run][t][:depth]} for t in relevant}
        figures("a pool", answer("pool", *files), "pool", ["leave-one-out"], {
            "value": fmean(ap[run][t] for t in topics),
            "without": fmean(precisions(rankings[run][t], fewer[t]) for t in topics if fewer[t])}, lambda r, run=run: r["run"] == run)
    # Overlap of the first ten: the logit bootstrap over topics, drawn here.
    x = [len(set(rankings["sim01"][t][:10]) & set(rankings["sim02"][t][:10])) / 10 for t in relevant]
    mean, error, rng, found = fmean(x), stdev(x) / math.sqrt(len(x)), random.Random(47), []
    logit = lambda p: math.log(p / (1 - p))
    for _ in range(20000):
        y = rng.choices(x, k=len(x))
        m, e = fmean(y), stdev(y) / math.sqrt(len(y))
        found.append((logit(m) - logit(mean)) / (e / (m * (1 - m))))
    found.sort()
    at = error / (mean * (1 - mean))
    ends = [1 / (1 + math.exp(-(logit(mean) - found[int(q * 20000)] * at))) for q in (0.975, 0.025)]
    case("overlap", ["overlap", *files[1:]], "pairs", ["rank-biased overlap", "Studentised logit bootstrap"], ends,
         lambda r: r["measure"] == "overlap@10", 0.02)
    # A sample: documents count by 1 / probability.
    subprocess.run([tool, "sample", "--budget", "20", "--depth", "50", *files[1:], "-o", "sampled"], check=True, capture_output=True)
    with open("sampled", encoding="utf-8") as f:
        lines = [line.split() if line[0] != "#" else [line.rstrip()] for line in f]
    with open("sampled", "w", encoding="utf-8") as f:
        for w in lines:
            if len(w) == 5:
                w[2] = str(grade.get((w[0], w[1]), 0))
            f.write(" ".join(w) + "\n")
    x = [sum(1 / float(w[4]) for w in lines if w[0] == t and w[2] not in ("0", "-1") and w[1] in rankings["sim01"][t][:10]) / 10
         for t in relevant]
    case("a sample", ["eval", "sampled", "c/runs/sim01", "-m", "P@10", "--ci", "t"], "measures",
         ["inclusion probabilities", "Student's t"], student(x))


def solve(matrix, right):
    """Linear equations, by elimination."""
    matrix = [[*r, v] for r, v in zip(matrix, right)]
    for k, pivot in enumerate(matrix):
        for i, r in enumerate(matrix):
            if i != k:
                matrix[i] = [x - r[k] / pivot[k] * y for x, y in zip(r, pivot)]
        pivot[:] = matrix[k]
    return [r[-1] / r[k] for k, r in enumerate(matrix)]


def poisson(x, y):
    """Coefficients of a log-linear model of counts, by Newton's method, and their covariance."""
    g, of = [math.log(fmean(y)), *[0.0] * (len(x[0]) - 1)], range(len(x[0]))
    for _ in range(50):
        mean = [math.exp(sum(a * b for a, b in zip(g, r))) for r in x]
        information = [[sum(m * r[i] * r[j] for m, r in zip(mean, x)) for j in of] for i in of]
        step = solve(information, [sum((v - m) * r[i] for v, m, r in zip(y, mean, x)) for i in of])
        g = [a + b for a, b in zip(g, step)]
    return g, [solve(information, [float(i == j) for i in of]) for j in of]


def model_figures(claim, result, pilot):
    """The model of certainty, topics and judgments."""
    g, v = poisson([[1.0, math.log(c), math.log(n)] for c, n, _ in pilot], [j for _, _, j in pilot])
    for k, name in enumerate(("constant", "log certainty", "log topics")):
        figures(claim, result, "model", ["judgments by Poisson regression on certainty and topics"],
                {"estimate": g[k], "se": math.sqrt(v[k][k])}, lambda r, name=name: r["coefficient"] == name)
    return g, v


def cost_cases():
    pilot = [(c, n, round(30 * (n / 5) ** 0.9 * c ** 3 + n)) for n in (5, 10, 20) for c in (0.6, 0.7, 0.8, 0.9, 1.0)]
    result = answer("plan", "cost", write("a", "certainty,topics,judgments", pilot), "--certainty", "0.8", "--topics", "12")
    g, v = model_figures("plan cost", result, pilot)
    at = [1.0, math.log(0.8), math.log(12 / (2 * 0.8 - 1) ** 2)]
    log, se = sum(a * b for a, b in zip(g, at)), math.sqrt(sum(v[i][j] * at[i] * at[j] for i in range(3) for j in range(3)))
    figures("plan cost", result, "plan", ["equal power of the sign test with uncertain signs"],
            {"topics": math.ceil(12 / 0.36), "judgments": math.exp(log), "lower": math.exp(log - Z * se), "upper": math.exp(log + Z * se)})


def until_certain(labels, rankings, order):
    """Judgments in this order until every completion has the same better run."""
    for done in range(len(order) + 1):
        open_ones = order[done:]
        signs = set()
        for guess in itertools.product((0, 1), repeat=len(open_ones)):
            truth = {**labels, **dict(zip(open_ones, guess))}
            a, b = (sum(precisions([(t, d) for d in r], {(t, d) for (u, d), g in truth.items() if u == t and g})
                        for t in {t for t, _ in labels}) for r in rankings)
            signs.add((a > b) - (a < b))
        if len(signs) == 1 and 0 not in signs:
            return done
    return None


def pilot_cases():
    """All topics are alike, so that every simulated experiment of two topics is the same: no Monte Carlo error."""
    with open("q", "w", encoding="utf-8") as q, open("A", "w", encoding="utf-8") as a, open("B", "w", encoding="utf-8") as b:
        for t in range(6):
            q.write(f"{t} 0 d1 1\n{t} 0 d2 0\n")
            a.write(f"{t} Q0 d1 1 2 A\n{t} Q0 d2 2 1 A\n")
            b.write(f"{t} Q0 d2 1 2 B\n{t} Q0 d1 2 1 B\n")
    labels = {(t, d): int(d == "d1") for t in range(2) for d in ("d1", "d2")}
    counts = {until_certain(labels, (("d1", "d2"), ("d2", "d1")), order) for order in itertools.permutations(labels)}
    assert len(counts) == 1  # whatever the order, which `next` chooses
    result = answer("plan", "pilot", "q", "A", "B", "--topics", "2")
    n = counts.pop()
    figures("plan pilot", result, "plan", ["expected measures under incomplete judgments, simulated on samples of the pilot's 6 topics"],
            {"judgments": n, "lower": n, "upper": n}, lambda r: r["plan"] == "certain")
    figures("a pool", result, "plan", [], {"judgments": 4}, lambda r: r["plan"] == "pool")
    model_figures("plan pilot", result, [(r["certainty"], r["topics"], r["judgments"]) for r in rows(result, "training")])


def machine_cases():
    grade, rankings = made("m")
    rng, topics = random.Random(53), list(rankings["sim01"])
    relevant = [{t: set() for t in topics} for _ in range(2)]
    with open("human", "w", encoding="utf-8") as h, open("machine", "w", encoding="utf-8") as m:
        for (t, d), g in grade.items():
            label = (g > 0) == (rng.random() < 0.98)
            m.write(f"{t} 0 {d} {int(label)}\n")
            h.write(f"{t} 0 {d} {g}\n" if t in topics[:8] else "")
            for k, r in enumerate((g > 0, label)):
                relevant[k][t] |= {d} if r else set()
    y, x = ([precisions(rankings["sim01"][t], of[t]) for t in topics[:8]] for of in relevant)
    sd, slope = stdev(y), sum((a - fmean(x)) * (b - fmean(y)) for a, b in zip(x, y)) / (7 * stdev(x) ** 2)
    explained, width = (slope * stdev(x) / sd) ** 2, 0.6
    reaches = lambda n, r2, df: (1 - r2) / n + r2 / len(topics) <= (width / (2 * t_isf(0.025, df) * sd)) ** 2
    needed = [next(n for n in range(less + 1, 1000) if reaches(n, r2, n - less)) for r2, less in ((explained, 2), (0.0, 1))]
    assert needed[0] < needed[1]
    figures("plan machine", answer("plan", "machine", "--pilot", "human", "--machine", "machine", "--human-design", "topics", "--width",
                                   str(width), "m/runs/sim01"), "plan", ["regression estimator", "Student's t"],
            {"topics": needed[0], "topics_alone": needed[1], "least_width": 2 * t_isf(0.025, 11) * sd / math.sqrt(12)})


def stevens(weight, m):
    """Each document's bucket, and joint inclusion probabilities of documents of two buckets: m times, a bucket of m documents in the
    order of weights is picked by its weight; one picked k times gives k of its documents at random."""
    bucket = [i // m for i in range(len(weight))]
    g = [sum(w for w, b in zip(weight, bucket) if b == k) for k in range(bucket[-1] + 1)]
    size = [bucket.count(k) for k in range(len(g))]
    times = lambda t, n, p: math.comb(n, t) * p ** t * (1 - p) ** (n - t)
    taken = lambda t, k: min(t, size[k])
    pi = [sum(times(t, m, p) * taken(t, k) for t in range(m + 1)) / size[k] for k, p in enumerate(g)]

    def both(k, l):
        if k == l:
            return sum(times(t, m, g[k]) * taken(t, k) * (taken(t, k) - 1) for t in range(m + 1)) / (size[k] * (size[k] - 1))
        return sum(times(t, m, g[k]) * times(u, m - t, g[l] / (1 - g[k])) * taken(t, k) * taken(u, l)
                   for t in range(m + 1) for u in range(m - t + 1)) / (size[k] * size[l])
    return bucket, pi, both


def sample_cases():
    """The frame is one run's 60 documents: weight 1 + 1/r + ... + 1/60 at rank r, up to a factor."""
    grade, rankings = made("s")
    weight = [1 + sum(1 / i for i in range(r, 61)) for r in range(1, 61)]
    weight = [w / sum(weight) for w in weight]
    bucket, pi, both = stevens(weight, 20)
    variance = 0.0
    for t, ranking in rankings["sim01"].items():
        found = [k for k, d in enumerate(ranking) if grade[t, d] > 0]
        at = [(i + 1) / (k + 1) for i, k in enumerate(found)]
        u = [(p + sum(1 / (f + 1) for f in found[i + 1:]) - fmean(at)) / len(found) for i, p in enumerate(at)]
        for i, a in enumerate(found):
            for j, b in enumerate(found):
                single = pi[bucket[a]] * pi[bucket[b]]
                joint = pi[bucket[a]] if i == j else both(bucket[a], bucket[b])
                variance += (joint - single) / single * u[i] * u[j]
    plan = ["plan", "sample", "--pilot", "s/qrels", "--se", "0.02", "--depth", "60", "s/runs/sim01"]
    figures("plan sample", answer(*plan, "--check", "0"), "curve",
            ["Stevens' sampling", "ratio estimates from inclusion probabilities"], {"se_mean": math.sqrt(variance) / 12},
            lambda r: r["budget"] == 20)
    assert "corrected by simulated samples" not in method_of(answer(*plan, "--check", "0"))
    assert "corrected by simulated samples" in method_of(answer(*plan))
    result = answer("sample", "--budget", "20", "--depth", "60", "s/runs/sim01", "--table", "probabilities")
    for k in range(3):
        figures("a sample's design", result, "probabilities", ["Stevens' sampling"], {"documents": 20, "probability": pi[k]},
                lambda r, k=k: r["place"] == 20 * (k + 1))


def status_cases():
    """judge status: all of 60 retrieved documents and 220 of 400 others are judged."""
    if subprocess.run([tool, "help", "judge"], capture_output=True, check=False).returncode != 0:
        return  # built without it
    write("strata.csv", "stratum,segment,N,n,r", [["hits", "retrieved", 60, 60, 0], ["rest", "unretrieved", 400, 220, 0]])
    os.makedirs("lists")
    for name, count in (("hits", 60), ("rest", 400)):
        with open(f"lists/{name}", "w", encoding="utf-8") as f:
            f.writelines(f"{name}{i}\n" for i in range(count))

    def judge(*words):
        return subprocess.run([tool, "judge", *words], check=True, capture_output=True, text=True).stdout

    judge("new", "s.db", "--strata", "strata.csv", "--lists", "lists", "--stop", "plan:2", "--missing-documents", "show-id", "--target",
          "0.8", "--seed", "5")
    ids = [line[6:] for line in judge("export", "s.db", "--as", "ris", "--partial").splitlines() if line.startswith("ID  - ")]
    rest = [d for d in ids if d.startswith("rest")]
    relevant = {f"hits{i}" for i in range(50)} | set(rest[:5])
    with open("grades", "w", encoding="utf-8") as f:
        f.writelines(f"review 0 {d} {int(d in relevant)}\n" for d in ids)
    judge("import", "s.db", "grades")
    result = answer("judge", "status", "s.db")
    figures("a review", result, "numbers", ["beta-binomial posterior"], dict(zip(("lower", "upper"), missed(50, 400, 220, 5))),
            lambda r: r["kind"] == "now")
    above = lambda R, k: sum(hypergeometric(j, 400, R, 220) for j in range(k, 221))
    # Two analyses: c sqrt(2) and c, which both stay below in 0.95.
    normal = NormalDist()
    both = lambda c: simpson(lambda x: normal.pdf(x) * normal.cdf(c * math.sqrt(2) - x), -9.0, c * math.sqrt(2))
    tail = 1 - normal.cdf(root(lambda c: 0.95 - both(c), 1.0, 3.0))
    held = [R for R in range(5, 186) if 1 - above(R, 6) > tail]
    figures("a planned analysis", result, "claims", ["hypergeometric limits", "O'Brien and Fleming"], {"lower": 50 / (50 + max(held))})


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for group_of_cases in (eval_cases, cluster_cases, roc_cases, compare_cases, prf_cases,
                           prefer_cases, agree_cases, recall_cases, run_cases, skewed_cases,
                           gate_cases, plan_cases, cost_cases, pilot_cases, machine_cases,
                           sample_cases, judged_cases, status_cases):
        group_of_cases()
    schema = json.loads(subprocess.run([tool, "schema"], check=True, capture_output=True, text=True).stdout)
    reporting = {c["name"] for c in schema["commands"] if any(o.get("name") == "cite" for o in c["options"])}
    missing = {c for c in reporting - commands - set(OTHERS) if c == "judge status" or not c.startswith(("study ", "judge "))}
    if missing or commands & set(OTHERS):
        failures.append(f"no case of {sorted(missing)}, cases of {sorted(commands & set(OTHERS))}")
for failure in failures:
    print(failure)
print(f"{len(seen)} methods, {len(failures)} failures")
sys.exit(1 if failures else 0)

# SPDX-License-Identifier: Apache-2.0
"""study stopping --ranking: published rules replayed on labelled rankings, beside the same rules written here.

usage: rankings.py TOOL
"""
import json
import math
import pathlib
import random
import tempfile

import tool


def tables(*words, cwd):
    done = tool.run("study", "stopping", *words, "--format", "json", cwd=cwd)
    tool.expect(done.returncode == 0, words, done.stderr.decode())
    said = json.loads(done.stdout)
    return said, {t["name"]: t["rows"] for t in said["tables"]}


def looks(n):
    read, batch = 0, 1
    while read < n:
        read = min(n, read + batch)
        batch += math.ceil(batch / 10)
        yield read


def slopes(found, read):
    """The ratio of slopes at the point farthest above the line from the beginning to the end."""
    knee = max(range(1, read), key=lambda i: (found[i] - found[read] * i / read, -i), default=0)
    if knee == 0 or found[knee] * read <= found[read] * knee:
        return 0.0
    return (found[knee] / knee) / ((1 + found[read] - found[knee]) / (read - knee))


def log_choose(n, k):
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) if 0 <= k <= n else -math.inf


def p_value(found, left, read, more, target):
    """P(X <= more) if just too many relevant documents were left for recall of target."""
    most = math.floor((found + more) / target + 1e-9) - found + 1
    if most > left:
        return 0.0
    return sum(math.exp(log_choose(most, x) + log_choose(left - most, read - x) - log_choose(left, read))
               for x in range(more + 1))


def expected(labels, target):
    n, found = len(labels), [0]
    for label in labels:
        found.append(found[-1] + label)

    def first(may):
        return next((r for r in looks(n) if r == n or may(r)), n)

    def row(length):
        return next((i for i in range(length, n + 1) if found[i] == found[i - length]), n)

    ends = {
        "knee": first(lambda r: r >= 1000 and slopes(found, r) >= 156 - min(found[r], 150)),
        "budget": first(lambda r: r >= 0.75 * n or (found[r] and r >= 10 * n / found[r] and slopes(found, r) >= 6)),
        "50 irrelevant in a row": row(50), "200 irrelevant in a row": row(200),
        "hypergeometric, on the ranking": first(lambda r: min(
            p_value(found[s], n - s, r - s, found[r] - found[s], target) for s in (r * k // 50 for k in range(50))) < 0.05)}
    return {rule: (end, found[end] / found[n]) for rule, end in ends.items()}


def check_rules(folder):
    """Rules without chance stop where they do here; those with control documents keep their promise as often as
    the hypergeometric distribution says."""
    random.seed(11)
    with open(folder / "own.csv", "w") as out:
        out.write("review,included\n")
        reviews = {}
        for name, n, relevant, quality in (("a", 3000, 150, 1.5), ("b", 2000, 60, 2.5), ("c", 1500, 40, 0.5)):
            scores = sorted(((random.gauss(quality if i < relevant else 0, 1), int(i < relevant)) for i in range(n)),
                            reverse=True)
            reviews[name] = [label for _, label in scores]
            out.writelines(f"{name},{label}\n" for label in reviews[name])
    said, found = tables("--ranking", "own.csv", "--replicates", "600", cwd=folder)
    rows = {(r["review"], r["rule"]): r for r in found["reviews"]}
    for name, labels in reviews.items():
        for rule, (end, recall) in expected(labels, 0.8).items():
            got = rows[name, rule]
            tool.expect(got["stop"] == end and abs(got["recall"] - recall) < 1e-9, name, rule, got, end, recall)
        for rule, known, needed, promise in (("target (10 found)", 10, 10, 0.7), ("QBCB, smallest sample", 14, 14, 0.8)):
            relevant = sum(labels)
            late = math.ceil(promise * relevant - 1e-9) - 1 # the last control document may not be among these
            early = sum(math.exp(log_choose(late, x) + log_choose(relevant - late, known - x)
                                 - log_choose(relevant, known)) for x in range(needed, known + 1))
            tool.expect(abs(rows[name, rule]["kept"] - (1 - early)) < 4 * math.sqrt(0.05 * 0.95 / 600), name, rule,
                        rows[name, rule], 1 - early)
    sums = {r["rule"]: r for r in found["rules"]}
    tool.expect(sums["QBCB, smallest sample"]["kept"] >= 0.95 and sums["50 irrelevant in a row"]["nominal"] is None, sums)
    tool.expect(not any("Chao" in r for r in sums) and "several rankings" in json.dumps(said), sums)


def check_rankings(folder):
    """With columns of ranks the first one is the ranking, and Chao's estimate has what it needs."""
    random.seed(12)
    labels = [int(i < 100) for i in range(1000)]
    scores = [[random.gauss(2 * label, 1) for label in labels] for _ in range(3)]
    ranks = [{i: k + 1 for k, i in enumerate(sorted(range(1000), key=lambda i: -s[i]))} for s in scores]
    with open(folder / "ranks.csv", "w") as out:
        out.write("included,rank1,rank2,rank3\n")
        out.writelines(f"{labels[i]},{ranks[0][i]},{ranks[1][i]},{ranks[2][i]}\n" for i in range(1000))
    _, found = tables("--ranking", "ranks.csv", "--replicates", "50", cwd=folder)
    rows = {r["rule"]: r for r in found["reviews"]}
    order = sorted(range(1000), key=lambda i: ranks[0][i])
    tool.expect(rows["budget"]["stop"] == expected([labels[i] for i in order], 0.8)["budget"][0], rows["budget"])
    for depth in looks(1000):
        reached = [sum(r[i] <= depth for r in ranks) for i in range(100)]
        f1, f2 = reached.count(1), reached.count(2)
        unseen = 2 / 3 * (f1 * f1 / (2 * f2) if f2 else f1 * (f1 - 1) / 2)
        some, read = 100 - reached.count(0), sum(any(r[i] <= depth for r in ranks) for i in range(1000))
        if read >= 50 and some > 1 and some >= 0.8 * (some + unseen):
            break
    tool.expect(rows["Chao, estimate"]["stop"] == read and abs(rows["Chao, estimate"]["recall"] - some / 100) < 1e-9,
                rows["Chao, estimate"], read, some)


def check_bad(folder):
    for text, why in (("title\nx\n", "bad.csv:1: no column of labels; expected included"),
                      ("included\n1\n\n2\n", "bad.csv:4: label '2'; expected 1 or 0"),
                      ("included,rank\n1,x\n", "bad.csv:2: rank 'x'; expected a number"),
                      ("included\n0\n0\n", "has no relevant document")):
        (folder / "bad.csv").write_text(text)
        done = tool.run("study", "stopping", "--ranking", "bad.csv", cwd=folder)
        tool.expect(done.returncode == 1 and why in done.stderr.decode(), text, done.stderr)
    one, two = (tool.run("study", "stopping", "--ranking", "simulated", "--setting", "20 of 2000, good", "--replicates",
                         "20", "--threads", n, "--format", "json", cwd=folder).stdout for n in "12")
    tool.expect(one == two and b"a tenth hidden" in one, "other bytes on two threads")


def main():
    with tempfile.TemporaryDirectory() as name:
        for check in (check_rules, check_rankings, check_bad):
            check(pathlib.Path(name))
    tool.finish()


main()

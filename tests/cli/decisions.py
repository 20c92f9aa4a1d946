# SPDX-License-Identifier: Apache-2.0
"""Rules that every verdict obeys, over all commands that give one.

usage: decisions.py TOOL

Of version 0.3 these fail: unit (compare decided about 7 to 10 otherwise than about 0.7 to 1), interval (eval,
prf and roc showed posterior, bootstrap or Wilson intervals), admissible (38 of 38 hits showed a recall of 0.95,
31 equal positives a loss below 0.05), coded (0/100 in eval), claims (there were none).
"""
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import zlib

tool = os.path.abspath(sys.argv[1])
STATUS = {"PASS": 0, "FAIL": 3, "INCONCLUSIVE": 4}
CONFIDENCE = 0.95


class Case:
    """A command with data: rows, one an item, of numbers by system; `higher` is better for all of them."""

    def __init__(self, name, words, rows, systems, graded=False, interval=None, keep_ids=False):
        self.name, self.words, self.rows, self.systems = name, words, rows, systems
        self.graded, self.interval, self.keep_ids = graded, interval, keep_ids

    def ask(self, rows=None, names=None, shown=str, order=None, words=None, ids=None):
        rows = self.rows if rows is None else rows
        names = names or {s: s for s in self.systems}
        lines = [(ids[i] if ids else f"q{i}", row) for i, row in enumerate(rows)]
        if order:
            lines = [lines[i] for i in order]
        gold = self.systems[0] == "gold"
        with open("data.csv", "w", encoding="utf-8") as f:
            if gold:  # labels and scores of classifiers: a column each
                f.write("id," + ",".join(names[s] for s in self.systems) + "\n")
                f.writelines(f"{i}," + ",".join(shown(x) for x in row) + "\n" for i, row in lines)
            else:
                f.write("system,item,score\n")
                f.writelines(f"{names[s]},{i},{shown(x)}\n" for i, row in lines for s, x in zip(self.systems, row))
        words = [names.get(w, w) for w in (words or self.words)]
        said = subprocess.run([tool, *words, "--gate", "--format", "json"], capture_output=True, text=True, check=False)
        assert said.stdout, (self.name, words, said.stderr)
        told = json.loads(said.stdout)
        assert said.returncode == STATUS[told["verdict"]], (self.name, said.returncode, told["verdict"])
        assert told["answer"].startswith(told["verdict"]), (self.name, told["answer"])
        return told


def near(a, b, off=1e-9):
    return (a is None and b is None) or abs(a - b) <= off * max(1.0, abs(a), abs(b))


def same(case, what, a, b, scale=1.0, names=None):
    names = names or {}
    assert a["verdict"] == b["verdict"], (case.name, what, a["answer"], b["answer"])
    mine = {(names.get(c["system"], c["system"]), c["set"], c["measure"]): c for c in a["claims"]}
    assert len(mine) == len(a["claims"]) == len(b["claims"]), (case.name, what)
    for c in b["claims"]:
        before = mine[c["system"], c["set"], c["measure"]]
        for key in ("p", "p_contrary"):
            assert near(before.get(key), c.get(key), 1e-7), (case.name, what, key, before, c)
        if before["estimate"] is not None and scale == 1.0:
            assert near(before["estimate"], c["estimate"], 1e-7), (case.name, what, c)


def consistent(case, told):
    """The verdict follows from p, the limits from p, and the interval in the table holds what is open."""
    worst = "PASS"
    for c in told["claims"]:
        bound = -c["bound"] if c["kind"] == "not worse" else c["bound"]
        p, contrary = c.get("p"), c.get("p_contrary")
        if p is not None:
            verdict = "FAIL" if contrary < c["level_contrary"] else "PASS" if p < c["level"] and not c.get("withheld") else "INCONCLUSIVE"
            if verdict == "INCONCLUSIVE" and c["open_passes"]:
                verdict = "PASS"  # of sets and nights only the contrary is tested
            assert c["verdict"] == verdict, (case.name, c)
            if c["set"] is None and c.get("lower") is not None:  # the limits are those of the test
                slack = 1e-6 * max(1.0, abs(bound))
                of_p, of_contrary = (contrary, p) if c["kind"] == "below" else (p, contrary)
                assert (of_p < c["level"]) == (c["lower"] > bound) or abs(c["lower"] - bound) < slack, (case.name, c)
                assert (of_contrary < c["level_contrary"]) == (c["upper"] < bound) or abs(c["upper"] - bound) < slack, (case.name, c)
        elif not c.get("withheld"):  # the limits decide
            low, high, below = c.get("lower"), c.get("upper"), c["kind"] == "below"
            shown = (high is not None and high < bound) if below else (low is not None and low >= bound)
            refuted = (low is not None and low >= bound) if below else (high is not None and high < bound)
            assert c["verdict"] == ("FAIL" if refuted else "PASS" if shown else "INCONCLUSIVE"), (case.name, c)
        worst = "FAIL" if "FAIL" in (worst, c["verdict"]) else "INCONCLUSIVE" if "INCONCLUSIVE" in (worst, c["verdict"]) else worst
    assert told["verdict"] == worst, (case.name, told["verdict"], worst)
    if case.interval is None or len(told["claims"]) > 1:
        return
    for t in told["tables"]:  # p of no difference is that of the interval beside it
        for row in t["rows"]:
            if row.get("p") is not None and row.get("lower") is not None:
                assert (row["p"] < 0.05) == (row["lower"] > 0 or row["upper"] < 0), (case.name, t["name"], row)
    c = told["claims"][0]
    bound = -c["bound"] if c["kind"] == "not worse" else c["bound"]
    row = case.interval(told)
    if row is not None and row[0] is not None:
        low, high = row
        assert c["verdict"] != "INCONCLUSIVE" or low <= bound <= high, (case.name, row, c)
        assert c["verdict"] != "PASS" or high > bound, (case.name, row, c)
        assert c["verdict"] != "FAIL" or low < bound, (case.name, row, c)


def table(told, name):
    return {t["name"]: t["rows"] for t in told["tables"]}[name]


def pair(name, system, **where):
    """The interval of the difference of `system` and the baseline, whichever comes first."""
    def find(told):
        for row in table(told, name):
            if all(row.get(k) == v for k, v in where.items()):
                low, high = row.get("lower"), row.get("upper")
                return (low, high) if row["a"] == system or low is None else (-high, -low)
        return None
    return find


def mean(told):
    row = [r for t in told["tables"] for r in t["rows"] if "lower" in r][0]
    return row.get("lower"), row.get("upper")


rng = random.Random(11)


def graded(n, shift, sd):
    return [(x, min(1, max(0, x + shift + rng.gauss(0, sd)))) for x in (rng.random() for _ in range(n))]


def answers(n, rate, change, loss=0.0):
    rows = []
    for _ in range(n):
        a = int(rng.random() < rate)
        b = a if rng.random() > change else int(rng.random() < rate)
        rows.append((a, 0 if b and rng.random() < loss else b))
    return rows


def labels(n, wrong):
    return [(g, int(rng.random() < wrong) ^ g, int(rng.random() < wrong) ^ g)
            for g in (int(rng.random() < 0.5) for _ in range(n))]


def classes(n, wrong):
    return [(i % 3, (i + int(rng.random() < wrong)) % 3, (i + int(rng.random() < wrong)) % 3) for i in range(n)]


def areas(n):
    return [(g, g + rng.gauss(0, 0.8), g + rng.gauss(0, 0.8)) for g in (int(rng.random() < 0.5) for _ in range(n))]


COMPARE = ["compare", "--scores", "data.csv", "--baseline", "main", "--margin"]
EVAL = ["eval", "--scores", "data.csv", "--at-least"]
PAIR = ["prf", "--labels", "data.csv", "--paired", "--baseline", "main", "--metric", "f1", "--margin"]
two = ["main", "new"]
cases = [
    *(Case(f"compare {s} {sd}", [*COMPARE, "0.05"], graded(40, s, sd), two, graded=True, interval=pair("pairs", "new"))
      for s, sd in ((0.0, 0.05), (0.0, 0.3), (-0.2, 0.1))),
    *(Case(f"compare guaranteed {s}", [*COMPARE, "0.05", "--guaranteed", "--range", "0,1"], graded(80, s, 0.1), two,
           interval=pair("pairs", "new"), keep_ids=True) for s in (0.0, 0.04)),
    *(Case(f"compare 0/1 {change} {loss}", [*COMPARE, "0.05"], answers(80, 0.8, change, loss), two,
           interval=pair("pairs", "new")) for change, loss in ((0.02, 0.0), (0.3, 0.0), (0.1, 0.4))),
    *(Case(f"eval {least}", [*EVAL, f"score={least}"], [(x,) for x, _ in graded(40, 0, 0.1)], ["main"], graded=True,
           interval=mean) for least in (0.2, 0.5, 0.8)),
    Case("eval guaranteed", [*EVAL, "score=0.3", "--guaranteed", "--range", "0,1"], [(x,) for x, _ in graded(80, 0, 0.1)],
         ["main"], interval=mean, keep_ids=True),
    *(Case(f"eval 0/1 {least}", [*EVAL, f"score={least}"], [(x,) for x, _ in answers(40, 0.8, 0)], ["main"],
           interval=mean) for least in (0.5, 0.75, 0.95)),
    *(Case(f"prf {target}", ["prf", "--labels", "data.csv", "--target", target], [r[:2] for r in rows],
           ["gold", "main"], interval=lambda told, m=target.split("=")[0]: next(
               (r.get("lower"), r.get("upper")) for r in table(told, "metrics") if r["metric"] == m))
      for rows, targets in ((labels(60, 0.15), ("recall=0.5", "precision=0.85", "f1=0.97", "accuracy=0.85")),
                            (classes(60, 0.15), ("accuracy=0.7", "recall[1]=0.8", "f1[2]=0.98", "f1[macro]=0.8")))
      for target in targets),
    *(Case(f"prf paired {metric} of classes", [*PAIR[:-2], metric, "--margin", "0.3"], classes(90, 0.15), ["gold", *two],
           interval=pair("comparison", "new", metric=metric)) for metric in ("accuracy", "recall[1]", "f1[0]")),
    *(Case(f"prf paired {margin}", [*PAIR, margin], labels(120, 0.15), ["gold", *two],
           interval=pair("comparison", "new", metric="f1")) for margin in ("0.02", "0.3")),
    *(Case(f"roc {margin}", ["roc", "data.csv", "--baseline", "main", "--margin", margin], areas(80), ["gold", *two],
           interval=pair("pairs", "new", measure="AUC")) for margin in ("0.01", "0.3")),
]

def gate(words, **write):
    """The answer of a gate on files of these texts."""
    for name, text in write.items():
        with open(name, "w", encoding="utf-8") as f:
            f.write(text)
    said = subprocess.run([tool, *words, "--gate", "--format", "json"], capture_output=True, text=True, check=False)
    assert said.stdout, (words, said.stderr)
    told = json.loads(said.stdout)
    assert said.returncode == STATUS[told["verdict"]] and told["answer"].startswith(told["verdict"]), (words, told["answer"])
    consistent(Case(" ".join(words), words, [], []), told)
    return told


RANK = ["FAIL", "INCONCLUSIVE", "PASS"]


def reviews():
    """More relevant documents among the retrieved are never worse, more among the others never better."""
    def review(found, missed, n=1000, target="0.8"):
        return gate(["recall", "--retrieved", f"1000,1000,{found}", "--unretrieved", f"10000,{n},{missed}", "--target", target])

    for missed, n, verdict in ((0, 850, "INCONCLUSIVE"), (0, 2500, "PASS"), (90, 2500, "FAIL")):
        assert review(92, missed, n)["verdict"] == verdict, (missed, n)
    ranks = [[RANK.index(review(found, missed)["verdict"]) for missed in (0, 1, 2, 5, 20)] for found in (20, 92, 400)]
    assert all(a >= b for row in ranks for a, b in zip(row, row[1:])), ranks
    assert all(a <= b for x, y in zip(ranks, ranks[1:]) for a, b in zip(x, y)), ranks
    elusion = [gate(["recall", "--unretrieved", f"10000,1000,{k}", "--max-elusion", "0.01"])["verdict"] for k in (0, 2, 9, 30)]
    assert elusion[0] == "PASS" and elusion[-1] == "FAIL", elusion
    assert [RANK.index(v) for v in elusion] == sorted((RANK.index(v) for v in elusion), reverse=True), elusion


def runs():
    """Judgments and runs: the order of lines, the names of runs, documents and topics, and the format change nothing."""
    noise = random.Random(17)
    grades = [(t, d, int(d < 6)) for t in range(30) for d in range(20)]
    scores = {run: [(t, d, noise.gauss(0, 0.5) - by * d / 20) for t, d, _ in grades] for run, by in (("old", 1.0), ("new", 0.9))}

    def files(order, name, topic, shown):
        return {"qrels": "".join(f"{topic(t)} 0 d{d} {g}\n" for t, d, g in order(grades)),
                **{run: "".join(f"{topic(t)} Q0 d{d} 1 {shown(x)} {name(run)}\n" for t, d, x in order(rows)) for run, rows in scores.items()}}

    for words in (["compare", "qrels", "old", "new", "--margin", "0.05"], ["compare", "qrels", "old", "new", "--margin", "0.2"],
                  ["eval", "qrels", "old", "--at-least", "AP=0.5"], ["eval", "qrels", "old", "--at-most", "AP=0.5"],
                  ["eval", "qrels", "old", "--at-most", "AP=0.9"]):
        def ask(order=list, name=str, topic=str, shown=lambda x: f"{x:.9f}"):
            base = ["--baseline", name("old")] if words[0] == "compare" else []
            return gate([*words, *base], **files(order, name, topic, shown))

        plain = ask()
        other = {"old": "zeta", "new": "alpha"}
        case = Case(" ".join(words), words, [], [])
        same(case, "order", plain, ask(order=lambda x: sorted(x, key=lambda row: (row[1] * 7919 + row[0]) % 10007)))
        same(case, "names", plain, ask(name=lambda run: other[run]), names=other)
        same(case, "topics", plain, ask(topic=lambda t: f"q{(t * 37) % 101}"))
        same(case, "format", plain, ask(shown=lambda x: f"{round(x, 9):.12e}"))
        if words[0] == "eval":  # the interval printed is that of the test
            row = table(plain, "measures")[0]
            assert plain["claims"][0]["method"] == "one-sided-t" and "Hall" in plain["method"], plain["method"]
            assert row["lower"] < plain["claims"][0]["lower"] < plain["claims"][0]["upper"] < row["upper"], row


def tables():
    """Clusters, sets, repeats, losses of probabilities, groups, nights: the order of rows and names change nothing."""
    noise = random.Random(23)

    def lines(head, rows, order, name):
        at = head.split(",").index("system") if "system" in head.split(",") else None
        rows = [[name(x) if i == at else x for i, x in enumerate(row)] for row in order(rows)]
        return head + "\n" + "".join(",".join(str(x) for x in row) + "\n" for row in rows)

    two_systems = [(s, i) for s in two for i in range(60)]
    graded_rows = [(s, i, f"c{i // 4}", round(0.5 + 0.1 * noise.gauss(0, 1), 6)) for s, i in two_systems]
    right = [(s, i, f"c{i // 4}", int(noise.random() < 0.8)) for s, i in two_systems]
    again = [(s, i, r, round(0.5 + 0.1 * noise.gauss(0, 1), 6)) for s, i in two_systems for r in range(3)]
    chances = [(i, i % 2, *(round(min(0.99, max(0.01, 0.5 + (0.3 if i % 2 else -0.3) + noise.gauss(0, 0.2))), 6) for _ in two)) for i in range(90)]
    groups = [(i, i % 2, (i % 2) ^ int(noise.random() < 0.15), "abc"[i % 3]) for i in range(240)]
    nights = [(s, i, f"2026-01-{k:02d}" if s == "new" else "", round(0.5 + 0.1 * noise.gauss(0, 1), 6))
              for s, k in (("main", 0), *(("new", k) for k in range(1, 5))) for i in range(40)]
    spent = [("main", i, f"c{i // 2}", round(noise.lognormvariate(0, 1), 6), int(noise.random() < 0.7)) for i in range(26)]
    bounds = [f"{m}={x / 5}" for m in ("cost/score", "p50:cost") for x in range(3, 30, 2)]
    asked = [*((head, spent, ["eval", "--scores", "data.csv", "-m", b.split("=")[0], f"--at-{side}", b])
               for head in ("system,item,part,cost,score", "system,item,cluster,cost,score") for b in bounds for side in ("least", "most")),
             ("system,item,cluster,score", graded_rows, [*COMPARE, "0.05"]), ("system,item,cluster,score", right, [*COMPARE, "0.1"]),
             ("system,item,set,score", graded_rows, [*COMPARE, "0.05", "--gate-sets"]), ("system,item,repeat,score", again, [*COMPARE, "0.05"]),
             ("system,item,cluster,score", graded_rows, [*EVAL, "score=0.47"]),
             *(("id,gold,main,new", chances, ["roc", "data.csv", "--baseline", "main", "--measure", m, "--margin", "0.05"]) for m in ("Brier", "log_loss")),
             *(("id,gold,main,kind", groups, ["prf", "--labels", "data.csv", "--columns", "group=kind", "--max-gap", gap]) for gap in ("0.02", "0.3")),
             ("system,item,date,score", nights, ["watch", "--baseline", "main", "data.csv"])]
    other = {"main": "zeta", "new": "alpha"}
    for head, rows, words in asked:
        case = Case(" ".join(words), words, [], [])

        def ask(order=list, name=str):
            return gate([name(w) if w in two else w for w in words], **{"data.csv": lines(head, rows, order, name)})

        plain = ask()
        same(case, "order", plain, ask(order=lambda x: sorted(x, key=lambda row: zlib.crc32(str(row).encode()))))
        if "system" in head:
            same(case, "names", plain, ask(name=lambda x: other.get(x, x)), names=other)

def votes():
    """prefer: nothing but who won changes the verdict; no votes that one system always won pass."""
    noise = random.Random(29)
    better = {"main": 0.0, "new": 0.1, "third": 0.6, "fourth": -0.6}
    seen, plain_words = set(), ["prefer", "votes.csv", "--baseline", "main", "--margin"]

    def cast(systems, count):
        rows = []
        for i in range(count):
            a, b = noise.sample(systems, 2)
            tie, wins = noise.random() < 0.1, noise.random() < 1 / (1 + math.exp(better[b] - better[a]))
            rows.append([a, b, "tie" if tie else "a" if wins else "b", i // 3])
        return rows

    def ask(rows, margin, names=None):
        names = names or {}
        text = "a,b,winner,item\n" + "".join(f"{names.get(a, a)},{names.get(b, b)},{w},{i}\n" for a, b, w, i in rows)
        return gate([names.get(w, w) for w in [*plain_words, margin]], **{"votes.csv": text})

    for systems, count, margin in ((["main", "new"], 600, "0.05"), (["main", "new"], 60, "0.05"), (["main", "fourth"], 300, "0.02"),
                                   (list(better), 400, "0.1"), (["main", "new", "third"], 900, "0.08")):
        rows = cast(systems, count)
        case = Case(f"prefer {len(systems)} {count}", plain_words, [], [])
        plain = ask(rows, margin)
        seen.add(plain["verdict"])
        same(case, "order", plain, ask(sorted(rows, key=lambda r: zlib.crc32(str(r).encode())), margin))
        other = {"main": "zeta", "new": "alpha", "third": "beta", "fourth": "m"}
        renamed = ask(rows, margin, other)
        for c in renamed["claims"]:  # the measure names the baseline
            c["measure"] = c["measure"].replace("zeta", "main")
        same(case, "names", plain, renamed, names=other)
        same(case, "items", plain, ask([[a, b, w, f"x{i * 7919 % 10007}"] for a, b, w, i in rows], margin))
        same(case, "format", plain, ask([[a, b, {"a": a, "b": b}.get(w, w), i] for a, b, w, i in rows], margin))
        turned = {"a": "b", "b": "a", "tie": "tie"}
        same(case, "who is first", plain, ask([[b, a, turned[w], i] if i % 2 else [a, b, w, i] for a, b, w, i in rows], margin))
        # The error is shared; each limit is its p's, and the interval of a pair holds what is open.
        level = (1 - CONFIDENCE) / (len(systems) - 1)
        assert len(plain["claims"]) == len(systems) - 1 and all(near(c["level"], level) for c in plain["claims"]), plain["claims"]
        if len(systems) == 2:
            c, x = plain["claims"][0], table(plain, "pairs")[0]
            rates = sorted(1 / (1 + math.exp(-(d if x["b"] == "main" else -d))) for d in (x["lower"], x["upper"]))
            assert c["verdict"] != "INCONCLUSIVE" or rates[0] <= c["bound"] <= rates[1], (c, x)
            assert rates[0] < c["lower"] < c["estimate"] < c["upper"] < rates[1], (c, x)
        # Votes that the candidate lost and now wins.
        lost = [i for i, (a, b, w, _) in enumerate(rows) if "main" in (a, b) and {"a": a, "b": b}.get(w) == "main"]
        for k in (1, 10):
            rows2 = [[a, b, turned[w] if i in lost[:k] else w, item] for i, (a, b, w, item) in enumerate(rows)]
            told = ask(rows2, margin)
            assert RANK.index(told["verdict"]) >= RANK.index(plain["verdict"]), (case.name, k, plain["answer"], told["answer"])
            if len(systems) == 2:
                assert told["claims"][0]["p"] <= plain["claims"][0]["p"] + 1e-9, (case.name, k, plain["claims"], told["claims"])
    assert seen == set(STATUS), seen
    # Without an estimate there is no PASS, however many votes were won.
    told = ask([["new", "main", "a", i] for i in range(300)], "0.1")
    assert told["verdict"] == "INCONCLUSIVE" and "never lost" in told["answer"] and told["claims"][0]["p"] is None, told


WORDS = {"PASS": "Yes, certified", "FAIL": "No:", "INCONCLUSIVE": "Inconclusive"}


class Session:
    """A judging session that is judged completely, or its first documents; judge status decides."""

    def __init__(self, words, **write):
        for name, text in write.items():
            with open(name, "w", encoding="utf-8") as f:
                f.write(text)
        if os.path.exists("s.db"):
            os.remove("s.db")
        self.run("new", "s.db", *words, "--missing-documents", "show-id", "--target", "0.8", "--seed", "5")

    def run(self, *words):
        done = subprocess.run([tool, "judge", *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def order(self, form):
        return re.findall(r"^ID  - (\S+)|^(\S+)", self.run("export", "s.db", "--as", form, "--partial"), re.M)

    def judge(self, lines):
        with open("grades", "w", encoding="utf-8") as f:
            f.writelines(lines)
        self.run("import", "s.db", "grades")

    def status(self):
        told = json.loads(self.run("status", "s.db", "--format", "json"))
        consistent(Case("judge status", ["judge"], [], []), told)
        assert len(told["claims"]) == 1 and told["claims"][0]["method"], told["claims"]
        return told


def sessions():
    """judge status: more relevant documents found are never worse, more missed never better; neither names nor the
    order of imports matter; and as the sentence says."""
    def strata(rule, found, missed, name=str, backwards=False, judged=1.0):
        documents = {"hits": [name(f"h{i}") for i in range(120)], "rest": [name(f"r{i}") for i in range(400)]}
        os.makedirs("lists", exist_ok=True)
        session = Session(["--strata", "strata.csv", "--lists", "lists", "--stop", rule],
                          **{"strata.csv": "stratum,segment,N,n,r\nhits,retrieved,120,60,0\nrest,unretrieved,400,220,0\n",
                             **{f"lists/{k}": "\n".join(v) + "\n" for k, v in documents.items()}})
        relevant = set(documents["hits"][:found] + documents["rest"][:missed])
        ids = [a for a, _ in session.order("ris") if a]
        lines = [f"review 0 {d} {int(d in relevant)}\n" for d in ids[:round(judged * len(ids))]]
        for part in ([lines[100:], lines[:100]] if backwards else [lines]):
            session.judge(part)
        told = session.status()
        assert WORDS[told["verdict"]] in told["answer"] and ("You may stop" in told["answer"]) == (told["verdict"] == "PASS"), told["answer"]
        return told

    case, seen = Case("judge status", ["judge"], [], []), set()
    for rule in ("plan:2", "anytime"):
        ranks = [[RANK.index(strata(rule, found, missed)["verdict"]) for missed in (0, 12, 60)] for found in (12, 100)]
        assert all(a >= b for row in ranks for a, b in zip(row, row[1:])), (rule, ranks)
        assert all(a <= b for a, b in zip(*ranks)), (rule, ranks)
        seen.update(RANK[k] for row in ranks for k in row)
        plain = strata(rule, 100, 12)
        same(case, "order", plain, strata(rule, 100, 12, backwards=True))
        same(case, "names", plain, strata(rule, 100, 12, name=lambda d: d.replace("h", "zeta").replace("r", "alpha")))
        assert strata(rule, 100, 0, judged=0.1)["verdict"] == "INCONCLUSIVE", rule  # too few to show anything
    assert seen == set(STATUS), seen

    # QBCB: relevant control documents met in the ranking.  0.8^13 > 0.05: thirteen, all met, show nothing.
    def ranked(known, met, undecided=()):
        session = Session(["--queue", "all.csv", "--control", "60", "--stop", "qbcb"],
                          **{"all.csv": "record_id,title\n" + "".join(f"r{i},Title number {i} of many\n" for i in range(200))})
        rows = [line.split(",") for line in session.run("export", "s.db", "--as", "csv", "--partial").splitlines()]
        control = [r[0] for r in rows if "control" in r]
        assert len(control) == 60, rows[:3]
        relevant = control[:known]
        rest = [f"r{i}" for i in range(200) if f"r{i}" not in control]
        with open("ranking", "w", encoding="utf-8") as f:  # one of the control after each two others, all relevant
            f.write("\n".join([d for row in zip(rest[::2], rest[1::2], relevant) for d in row] + rest[2 * known:] + control[known:]) + "\n")
        session.judge([f"review 0 {d} {int(d in relevant)}\n" for d in control])
        session.run("rank", "s.db", "ranking")
        session.judge([f"review 0 {d} {int(k < 2 * known)}\n" for k, d in enumerate(rest[:met])])
        told = session.status()
        assert ("You may stop" in told["answer"]) == (told["verdict"] == "PASS"), told["answer"]
        return told["verdict"]

    assert [ranked(known, 80) for known in (13, 14)] == ["INCONCLUSIVE", "PASS"]
    ranks = [RANK.index(ranked(30, met)) for met in (10, 48, 58, 60, 80)]
    assert ranks == sorted(ranks) and {ranks[0], ranks[-1]} == {1, 2}, ranks


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    seen = set()
    for case in cases:
        plain = case.ask()
        seen.add(plain["verdict"])
        consistent(case, plain)
        n = len(case.rows)
        # Neither the order of rows, nor names, nor the format of numbers.
        order = list(range(n))
        rng.shuffle(order)
        same(case, "order", plain, case.ask(order=order))
        other = {"gold": "gold", "main": "zeta", "new": "alpha"}
        same(case, "names", plain, case.ask(names=other), names=other)
        if not case.keep_ids:  # bets are in the order of ids, whatever the rows
            same(case, "ids", plain, case.ask(ids=[f"x{(i * 7919) % 10007}" for i in range(n)]))
        same(case, "format", plain, case.ask(shown=lambda x: f"{x:.17e}" if isinstance(x, float) else f"{x}.0" if "--labels" not in case.words and case.words[0] != "roc" else str(x)))
        # Graded scores: no unit.
        if case.graded:
            for a, b in ((9.0, 1.0), (100.0, 0.0), (0.01, -5.0)):
                words = [f"{float(w) * a:.17g}" if w == "0.05" else f"score={float(w[6:]) * a + b:.17g}"
                         if w.startswith("score=") else w for w in case.words]
                told = case.ask(rows=[tuple(a * x + b for x in row) for row in case.rows], words=words)
                same(case, f"unit {a}", plain, told, scale=a)
        # Nothing that improves the last system makes its verdict worse, and p of graded scores falls.
        rank = ["FAIL", "INCONCLUSIVE", "PASS"]
        gold = case.systems[0] == "gold"
        if case.graded:
            better = [row[:-1] + (row[-1] + 0.02,) for row in case.rows]
        elif case.words[0] == "roc":
            better = [row[:-1] + (row[-1] + (0.1 if row[0] else -0.1),) for row in case.rows]
        elif gold:
            i = next((i for i, row in enumerate(case.rows) if row[0] != row[-1]), None)
            better = [row[:-1] + (row[0],) if k == i else row for k, row in enumerate(case.rows)]
        elif case.keep_ids:
            better = [row[:-1] + (min(1, row[-1] + 0.02),) for row in case.rows]
        else:
            i = next((i for i, row in enumerate(case.rows) if row[-1] == 0), None)
            better = [row[:-1] + (1,) if k == i else row for k, row in enumerate(case.rows)]
        told = case.ask(rows=better)
        assert rank.index(told["verdict"]) >= rank.index(plain["verdict"]), (case.name, plain["answer"], told["answer"])
        if told["claims"][0].get("p") is not None and case.words[0] != "roc":
            assert told["claims"][0]["p"] <= plain["claims"][0]["p"] + 1e-9, (case.name, plain["claims"], told["claims"])
    assert seen == set(STATUS), seen  # the cases reach all verdicts

    # 0 and 100 are 0 and 1 in another unit.
    for case in cases:
        if "0/1" in case.name:
            plain = case.ask()
            words = [f"{100 * float(w)}" if w == "0.05" else f"score={100 * float(w[6:])}" if w.startswith("score=") else w
                     for w in case.words]
            same(case, "coded", plain, case.ask(rows=[tuple(100 * x for x in row) for row in case.rows], words=words), scale=100)

    # The error is shared by candidates: three copies have a third of it, and no narrower limits.
    for case in cases:
        if case.systems[-2:] != two:
            continue
        plain = case.ask()
        copies = Case(case.name, case.words, [row + row[-1:] * 2 for row in case.rows], [*case.systems, "new2", "new3"])
        told = copies.ask()
        consistent(copies, told)
        assert len(told["claims"]) == 3 or case.words[0] == "compare", (case.name, told["claims"])
        if len(told["claims"]) == 3:
            level = min(c["level"] for c in told["claims"])
            assert near(level, (1 - CONFIDENCE) / 3), (case.name, level)
            assert min(c["lower"] for c in told["claims"]) <= plain["claims"][0]["lower"] + 1e-12, case.name

    # No PASS where no admissible data could fail: too few items, all of them right or equal.
    few = [
        Case("equal 0/1", [*COMPARE, "0.05"], [(i % 2, i % 2) for i in range(58)], two),
        Case("equal graded", [*COMPARE, "0.05", "--range", "0,1"], [(i / 60, i / 60) for i in range(58)], two),
        Case("equal guaranteed", [*COMPARE, "0.05", "--range", "0,1", "--guaranteed"], [(i / 60, i / 60) for i in range(58)], two),
        Case("ten equal differences", [*COMPARE, "0"], [(i / 60, i / 60 + 0.01) for i in range(10)], two),
        Case("28 right", [*EVAL, "score=0.9"], [(1,)] * 28, ["main"]),
        Case("38 found", ["prf", "--labels", "data.csv", "--target", "recall=0.95"], [(1, 1)] * 38 + [(0, 0)] * 9, ["gold", "main"]),
        Case("31 positives", [*PAIR[:-2], "recall", "--margin", "0.05"], [(1, 1, 1)] * 31 + [(0, 0, 0)] * 31, ["gold", *two]),
        # Of several classes, too.
        Case("38 right labels", ["prf", "--labels", "data.csv", "--target", "accuracy=0.95"], [(i % 3,) * 2 for i in range(38)],
             ["gold", "main"]),
        Case("58 equal labels", [*PAIR[:-2], "accuracy", "--margin", "0.05"], [(i % 3,) * 3 for i in range(58)], ["gold", *two]),
        # F1 falls by 0.05 if 9.5 % of the positives are lost: 30 exclude that, 28 do not.
        Case("F1 of 28", [*PAIR, "0.05"], [(1, 1, 1)] * 28 + [(0, 0, 0)] * 28, ["gold", *two]),
        Case("AUC of 4", ["roc", "data.csv", "--baseline", "main", "--margin", "0.05"],
             [(1, 0.9, 0.9), (0, 0.1, 0.1), (1, 0.8, 0.8), (0, 0.2, 0.2)], ["gold", *two]),
    ]
    for case in few:
        told = case.ask()
        assert told["verdict"] == "INCONCLUSIVE", (case.name, told["answer"])
        consistent(case, told)
    reviews()
    runs()
    tables()
    votes()
    if subprocess.run([tool, "help", "judge"], capture_output=True, check=False).returncode == 0:  # built with it
        sessions()

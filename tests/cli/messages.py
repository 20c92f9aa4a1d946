# SPDX-License-Identifier: Apache-2.0
"""Every message of an answer: one command line that says it, and one that does not.

usage: messages.py TOOL [ID]

The second differs from the first in what the message is about.  tests/rules/messages.py
counts the claims here and in coverage_warnings.py: no row of a message is without one.
"""
import os
import random
import subprocess
import sys
import tempfile

import claims
from claims import table, write

ONLY = sys.argv[2:]
failed = []


def claim(identifier, unusual, ordinary, stdin=""):
    if ONLY and identifier not in ONLY:
        return
    try:
        claims.claim(identifier, unusual, ordinary, stdin)
    except AssertionError as error:
        failed.append(error)


def tool(command):
    subprocess.run([claims.TOOL, *claims.words(command)], check=True, capture_output=True)


def ranked(name, lists, tag=None):
    """A run: {topic: documents}, best first."""
    return write(name, "".join(f"{t} Q0 {d} {i + 1} {99 - i} {tag or name}\n"
                               for t, docs in lists.items() for i, d in enumerate(docs.split())))


def judged(name, lists):
    """Judgments: {topic: "a=1 b=0"}."""
    return write(name, "".join(f"{t} 0 {d.split('=')[0]} {d.split('=')[1]}\n"
                               for t, docs in lists.items() for d in docs.split()))


def scores(name, systems, items, score, header="system,item,score"):
    return table(name, header, [[s, i, round(score(k, i), 4)]
                                for k, s in enumerate(systems) for i in range(items)])


def check():
    claim("check.more-problems", "check --table problems --most 1 broken",
          "check --table problems broken")
    ranked("elsewhere", {"77": "a"})
    claim("check.no-shared-topic", "check qrels elsewhere", "check qrels good")
    claim("check.nothing-retrieved", "check qrels poor", "check qrels good")
    ranked("more", {"1": "a", "2": "b", "3": "c", "9": "z"})
    claim("check.not-judged", "check qrels more", "check qrels good")
    claim("check.unreadable", "check absent missing qrels", "check absent qrels")


def evaluation():
    scores("lack3.csv", "abc", 12, lambda k, i: (i * 5 + k) % 3 % 2)
    scores("lack2.csv", "ab", 12, lambda k, i: (i * 5 + k) % 3 % 2)
    claim("eval.selected", "eval --scores lack3.csv", "eval --scores lack2.csv")
    table("lack1.csv", "system,item,score", [*[["a", i, i % 2] for i in range(8)],
                                             *[["b", i, i % 3 % 2] for i in range(12)]])
    claim("eval.common", "eval --scores lack1.csv", "eval --scores lack2.csv")
    table("lack0.csv", "system,item,score", [*[["a", i, i % 2] for i in range(8)],
                                             *[["b", i, i % 3 % 2] for i in range(8, 12)]])
    claim("eval.none-common", "eval --scores lack0.csv", "eval --scores lack1.csv")
    claim("eval.empty", "eval -c -m AP qrels poor", "eval -c -m AP qrels good")
    claim("eval.missing", "eval -m AP qrels poor", "eval -c -m AP qrels poor")
    claim("eval.not-judged", "eval -m AP qrels more", "eval -m AP qrels good")
    ranked("renamed", {"1": "xa xb", "2": "xb", "3": "xc"})
    claim("eval.unmatched", "eval -m AP qrels renamed good", "eval -m AP qrels poor good")
    write("three", "1 a 14\n1 b 9\n2 b 12\n3 c 11\n")
    write("ranks", "1 a 1\n1 b 2\n2 b 1\n3 c 1\n")
    claim("eval.not-ranks", "eval -m RR qrels three", "eval -m RR qrels ranks")
    write("standards", "".join(f"{t} map 0.5 0.1\n" for t in (1, 2, 3)))
    claim("eval.standards", "eval -Z standards -m map qrels ten", "eval -m map qrels ten")
    claim("eval.replaced", "eval -m dcg --ci logit qrels ten", "eval -m AP --ci logit qrels ten")
    claim("eval.text", "eval -m relstring -m AP qrels good", "eval -m AP qrels good")
    claim("eval.no-bounds", "eval -m bpref --bounds qrels good", "eval -m AP --bounds qrels good")
    claim("eval.no-ties", "eval -m bpref --ties qrels good", "eval -m AP --ties qrels good")
    claim("eval.why-no-bounds", "eval -m INST --bounds qrels good",
          "eval -m P_2 --bounds qrels good")
    ranked("only", {"1": "b a"})
    scores("percent", ["a"], 20, lambda s, i: 100 * (i > 0))
    scores("thirds", ["a"], 20, lambda s, i: 50 * (i % 3))
    claim("eval.two-values", "eval --scores percent", "eval --scores thirds")
    claim("eval.no-interval", "eval -m AP qrels only", "eval -m AP many.qrels many.run")
    claim("eval.few", "eval -m AP --ci percentile qrels ten",
          "eval -m AP --ci percentile many.qrels many.run")
    claim("eval.excluded-resamples", "eval -c -m AP qrels poor",
          "eval -m AP many.qrels many.run")
    claim("eval.equal-resamples", "eval -m dcg qrels poor3", "eval -m dcg many.qrels many.run")
    write("all.prels", "".join(f"{t} {d} {g} 0 1.0\n" for t in (1, 2, 3)
                               for d, g in (("a", 1), ("b", 0), ("c", 1))))
    write("half.prels", "".join(f"{t} {d} {g} 1 0.5\n" for t in (1, 2, 3)
                                for d, g in (("a", 1), ("b", 0), ("c", 1))))
    claim("eval.certain", "eval -m AP all.prels good", "eval -m AP half.prels good")
    claim("judgments.negative", "eval -m AP spam.qrels good", "eval -m AP qrels good")
    claim("judgments.all-relevant", "eval -m bpref hits.qrels many.run",
          "eval -m bpref many.qrels many.run")
    write("away", "".join(f"{t} Q0 d{t}_{i} {i + 1} {i + 1} away\n"
                          for t in range(20) for i in range(20)))
    claim("run.reversed", "eval -m AP many.qrels away", "eval -m AP many.qrels many.run")


def several_runs():
    claim("compare.missing", "compare -m AP many.qrels many.run fewer.run",
          "compare -c -m AP many.qrels many.run fewer.run")
    claim("compare.measures", "compare -m P_1 -m RR many.qrels many.run turned.run",
          "compare -m RR many.qrels many.run turned.run")
    both = "-m AP many.qrels many.run turned.run"
    claim("compare.several-tests", f"compare --test t --test sign {both}",
          f"compare --test t {both}")
    rng = random.Random(3)
    noisy = scores("noisy.csv", "ab", 30, lambda k, i: rng.random())
    far = scores("far.csv", "ab", 30, lambda k, i: k + 0.1 * rng.random())
    claim("compare.more-topics", f"compare --scores {noisy}", f"compare --scores {far}")
    of_runs = table("of_runs.csv", "system,item,nDCG@10", [[s, i, rng.random()] for s in "ab" for i in range(30)])
    claim("compare.unjudged", f"compare --scores -m nDCG@10 {of_runs}", f"compare --scores {noisy}")
    same = scores("same.csv", "ab", 20, lambda k, i: 0.1 * (i % 5) + 0.1 * k)
    claim("compare.constant", f"compare --scores {same}", f"compare --scores {noisy}")
    often = scores("often.csv", "ab", 40, lambda k, i: 0.5 + k * (0.01 if i > 1 else -0.4))
    claim("compare.signs", f"compare --scores {often} --test wilcoxon",
          f"compare --scores {often} --test t")
    gate = "compare --scores --gate --baseline a --margin"
    claim("compare.rare-losses", f"{gate} 0.02 {near(140)}", f"{gate} 0.02 {near(400)}")
    claim("compare.margin-zero", f"{gate} 0 {near(25)}", f"{gate} 0.05 {near(25)}")
    claim("compare.gate-error", f"{gate} 0.05 {near(25)}", f"{gate} 0.05 {near(400)}")
    def in_pages(pages):  # each system loses an item in a third of the pages
        return table(f"in{pages}.csv", "system,item,cluster,score", [
            [s, f"{c}-{i}", f"p{c}", int(i > 0 and (i > 1 or c % 3 != k))]
            for k, s in enumerate("ab") for c in range(pages) for i in range(5)])
    claim("compare.gate-clusters", f"{gate} 0.15 {in_pages(15)}", f"{gate} 0.15 {in_pages(100)}")
    least = "eval --scores --gate --at-least score=0.4"
    claim("eval.gate-error", f"{least} {near(10)}", f"{least} {near(60)}")
    costs = {n: table(f"costs{n}.csv", "item,cost,score", [[i, 1 + i % 7 / 9, int(i % 5 > 0)] for i in range(n)]) for n in (40, 240)}
    ratio = "eval --gate -m cost/score --at-most cost/score=3 --scores"
    claim("eval.gate-ratio", f"{ratio} {costs[40]}", f"{ratio} {costs[240]}")
    paid = {n: table(f"paid{n}.csv", "system,item,cost,score", [
        [s, i, 1 + (i * 3 + k) % 7 / 9, int(i % 5 > 0)] for k, s in enumerate("ab") for i in range(n)]) for n in (40, 240)}
    ratio = "compare --gate -m cost/score --baseline a --margin 3 --scores"
    claim("compare.gate-ratio", f"{ratio} {paid[40]}", f"{ratio} {paid[240]}")
    clusters = table("pages.csv", "system,item,cluster,score", [
        [s, i, f"p{i // 4}", (i * 7 + k) % 3] for k, s in enumerate("ab") for i in range(12)])
    spread = table("spread.csv", "system,item,cluster,score", [
        [s, i, f"p{i // 4}", (i * 7 + k * (i % 5)) % 3] for k, s in enumerate("ab")
        for i in range(160)])
    claim("compare.few-units", f"compare --scores {clusters}", f"compare --scores {spread}")
    claim("scores.percent", "compare --scores percent.csv", f"compare --scores {noisy}")
    claim("scores.minus-1", "compare --scores minus.csv", f"compare --scores {noisy}")
    steep = write("steep.prels", "".join(f"{t} {d} {g} 1 {p}\n" for t in range(1, 7) for d, g, p in
                                         (("a", 1, 0.1), ("b", 1, 0.1), ("c", 0, 0.5))))
    for name, docs in (("near.run", "a b c"), ("far.run", "x a y z b"), ("same.run", "x y z"),
                       ("last.run", "y x z")):
        ranked(name, {t: docs for t in range(1, 7)})
    claim("compare.impossible", f"compare {steep} near.run far.run",
          f"compare {steep} same.run last.run")


def nights():
    rng = random.Random(23)
    header = "system,date,item,score"
    shift = [rng.gauss(0, 0.5) for _ in range(20)]

    def series(name, score, days=range(1, 21), base=lambda i: rng.gauss(0, 0.1), items=30):
        return table(name, header, [["main", "", i, base(i)] for i in range(items)] + [
            ["new", f"2026-03-{d:02}", i, score(d, i)] for d in days for i in range(items)])
    plain = lambda d, i: rng.gauss(0, 0.1)
    series("quiet.csv", plain)
    quiet = "watch --baseline main quiet.csv"
    table("lost.csv", header, [["main", "", i, rng.random()] for i in range(30)] + [
        ["new", f"2026-03-0{d}", i, rng.random()] for d in (1, 2) for i in range(30 if d == 1 else 25)])
    claim("watch.lost-items", "watch --baseline main lost.csv", "watch --baseline main -c lost.csv")
    for change, name in ((8, "replaced.csv"), (99, "kept.csv")):
        table(name, header, [[s, f"2026-03-{d:02}", i, (i * 7 % 10 + (d > change) * (i % 3)) / 10
                              if s == "main" else rng.random()]
                             for s in ("main", "new") for d in range(1, 13) for i in range(30)])
    claim("watch.baseline-changed", "watch --baseline main replaced.csv", "watch --baseline main kept.csv")
    series("shifted.csv", lambda d, i: rng.gauss(shift[d - 1], 0.1))
    claim("watch.shift", "watch --baseline main shifted.csv", quiet)
    series("even.csv", lambda d, i: 0.5, base=lambda i: 0.75)
    claim("watch.equal", "watch --baseline main even.csv", "watch --baseline main --range 0,1 even.csv")
    series("brief.csv", plain, range(1, 5))
    claim("watch.few-nights", "watch --baseline main brief.csv", quiet)
    series("mended.csv", lambda d, i: rng.gauss(-0.5 if d in (4, 5) else 0.1, 0.1))
    claim("watch.earlier", "watch --baseline main mended.csv", quiet)
    table("grown.csv", header, [["main", "", i, rng.random()] for i in range(30)] + [
        ["new", "2026-03-01", i, rng.random()] for i in range(33)])
    claim("watch.new-items", "watch --baseline main grown.csv", quiet)
    series("gap.csv", plain, [d for d in range(1, 15) if d != 9])
    claim("watch.missing-nights", "watch --baseline main gap.csv", quiet)
    series("cached.csv", lambda d, i: (i * 7 % 10) / 10)
    claim("watch.equal-nights", "watch --baseline main cached.csv", quiet)


def near(items):
    rng = random.Random(5)
    return scores(f"near{items}.csv", "ab", items, lambda k, i: 0.5 + 0.01 * rng.random())


def structured():
    rng = random.Random(11)
    rows = [[s, f"set{i % 2}", i, round(rng.random(), 3)] for s in "ab" for i in range(40)]
    full = table("full.csv", "system,suite,item,score", rows)
    lost = table("lost.csv", "system,suite,item,score", [r for r in rows if r[:2] != ["b", "set1"]])
    claim("scores.other-sets", f"eval --scores {lost}", f"eval --scores {full}")
    equal = table("equal.csv", "system,suite,item,score",
                  [[*r[:3], 0.5] if r[:2] == ["a", "set0"] else r for r in rows])
    claim("scores.equal-set", f"eval --scores {equal}", f"eval --scores {full}")
    for pages in (3, 12):
        table(f"pages{pages}.csv", "system,item,cluster,score",
              [["a", i, f"p{i % pages}", round(rng.random(), 3)] for i in range(36)])
    claim("scores.few-units", "eval --scores pages3.csv", "eval --scores pages12.csv")
    for name, apart in (("shared.csv", ""), ("own.csv", "set")):
        table(name, "system,suite,item,cluster,score",
              [["a", f"set{i % 2}", i, f"p{i // 6}" + (f"{apart}{i % 2}" if apart else ""),
                round(rng.random(), 3)] for i in range(48)])
    claim("scores.shared-clusters", "eval --scores shared.csv", "eval --scores own.csv")
    for repeats in (2, 8):
        shift = [rng.gauss(0, 1) for _ in range(repeats)]
        table(f"repeats{repeats}.csv", "system,item,repeat,score",
              [[s, i, r, round(rng.gauss(0.02 * k, 0.1) + shift[r] * (1 + k), 3)]
               for k, s in enumerate("ab") for i in range(20) for r in range(repeats)])
    claim("items.vary", "eval --scores repeats8.csv", f"eval --scores {full}")
    claim("scores.few-repeats", "eval --scores repeats2.csv", "eval --scores repeats8.csv")
    claim("compare.more-repeats", "compare --scores repeats8.csv", f"compare --scores {full}")
    claim("plan-topics.repeats", "plan topics --scores repeats8.csv",
          f"plan topics --scores {full}")
    claim("variance.one-repeat", f"eval --scores --table variance {full}",
          "eval --scores --table variance repeats8.csv")
    part = table("part.csv", "system,suite,item,score", rows[:-3])
    claim("variance.items", f"eval --scores --table variance {part}",
          f"eval --scores --table variance {full}")
    claim("variance.shared", "eval --scores --table variance repeats8.csv",
          f"eval --scores --table variance {full}")


def topics_to_plan():
    claim("plan-topics.open", "plan topics --scores noisy.csv", "plan topics --scores far.csv")
    claim("plan-topics.chosen", "plan topics --scores noisy.csv", "compare --scores noisy.csv")
    claim("overlap.excluded", "overlap many.run fewer.run", "overlap many.run turned.run")
    write("tied.run", "1 Q0 a 1 5 tied\n1 Q0 b 2 5 tied\n1 Q0 c 3 4 tied\n")
    claim("overlap.tied-documents", "overlap tied.run tied.run", "overlap good good")
    size = "plan recall --population 100000 --retrieved 5000 --recall 0.8 --precision 0.5"
    claim("plan.expected-limit", size + " --lower 0.7", size + " --target 0.7")
    claim("plan.looks-fixed", "plan looks --looks 3", "plan looks --looks 3 --shape spend-pocock")
    claim("plan.looks-error", "plan looks --looks 3", size + " --target 0.7")  # of all such plans


def preferences():
    for name, pairs in (("votes24.csv", 24), ("votes7.csv", 7)):
        table(name, "a,b,winner,item", [
            [*("xy" if i % 2 else "yx"), "ab"[(i * 7 + i // 3) % 2], i % pairs]
            for i in range(168)])
    claim("prefer.few-items", "prefer votes7.csv", "prefer votes24.csv")
    table("alone.csv", "a,b,winner", [[*"xy", "ab"[i % 2]] for i in range(60)])
    claim("prefer.no-item", "prefer alone.csv", "prefer votes24.csv")
    table("gap.csv", "a,b,winner", [["x", "y", "a"], ["y", "x", "a"], ["y", "x", "b"]])
    claim("prefer.few", "prefer gap.csv", "prefer votes24.csv")
    table("even.csv", "a,b,winner", [["x", "y", "tie"], ["y", "x", "tie"], ["x", "y", "a"],
                                     ["y", "x", "a"], ["x", "z", "tie"], ["z", "y", "tie"]])
    claim("prefer.constant", "prefer even.csv", "prefer votes24.csv")
    for judges in (3, 20):
        table(f"judges{judges}.csv", "a,b,winner,item,judge", [
            ["x", "y", "ab"[(i * 7 + j + i // 3) % 2], i, f"j{j}"]
            for j in range(judges) for i in range(24)])
    claim("prefer.these-judges", "prefer judges3.csv", "prefer judges20.csv")
    table("first.csv", "a,b,winner,item", [
        [*("xy" if i % 2 else "yx"), "b" if i % 5 == 0 else "a", i % 24] for i in range(168)])
    claim("prefer.position", "prefer first.csv", "prefer votes24.csv")
    table("blank.csv", "a,b,winner,item", [
        [*("xy" if i % 2 else "yx"), "" if i == 7 else "ab"[(i * 7 + i // 3) % 2], i % 24]
        for i in range(168)])
    votes = [["x", "y", "ab"[(i + i // 3) % 2], i, "llm"] for i in range(60)]
    people = [["x", "y", "ab"[(i + i // 4) % 2], i, "human"] for i in range(0, 60, 2)]
    table("both.csv", "a,b,winner,item,judge", votes + people)
    table("more.csv", "a,b,winner,item,judge", votes + people + [["x", "y", "a", 99, "human"]])
    claim("prefer.unmatched", "prefer more.csv --human-design random", "prefer both.csv --human-design random")
    claim("prefer.skipped", "prefer blank.csv", "prefer votes24.csv")


def classification():
    for name, fn in (("matrix.csv", 6), ("apart.csv", 7)):
        table(name, "category,tp,fp,fn", [["a", 30, 5, 6], ["b", 20, 6, 3], ["c", 10, 4, fn]])
    claim("prf.one-matrix", "prf matrix.csv", "prf apart.csv")
    table("two.csv", "id,gold,A", [[1, "x", "x"], [2, "x", "w"]])
    table("sixty.csv", "id,gold,A", [[i, "xw"[i % 2], "xw"[(i + (i % 5 == 0)) % 2]]
                                     for i in range(60)])
    claim("prf.no-average-interval", "prf --labels two.csv --classes x,w",
          "prf --labels sixty.csv --classes x,w")
    for name, pi in (("mixed.csv", (0.5, 0.25)), ("equal.csv", (0.5, 0.5))):
        table(name, "id,gold,llm,system,pi", [
            [i, "" if i % 4 == 3 else int(i % 3 == 0), int(i % 5 < 2), int(i % 3 == 0), pi[i % 2]]
            for i in range(240)])
    claim("prf.linearised", "prf --labels mixed.csv --machine-column llm",
          "prf --labels equal.csv --machine-column llm")
    table("hundred.csv", "gold,A", [[1, 90], [1, 50], [0, 50], [0, 10]])
    claim("prf.percentages", "prf --labels hundred.csv --threshold 0.5",
          "prf --labels hundred.csv --threshold 50")
    for name, wrong in (("turned.csv", 0), ("upright.csv", 1)):
        table(name, "id,gold,a", [[i, i % 2, (i + (i % 7 > 0) + wrong) % 2] for i in range(100)])
    claim("prf.reversed", "prf --labels turned.csv", "prf --labels upright.csv")
    claim("prf.nothing-returned", "prf --counts 0,0,5", "prf --counts 0,5,5")
    claim("prf.nothing-relevant", "prf --counts 0,5,0", "prf --counts 0,5,5")
    claim("prf.few-discordant", "prf --paired --counts A:B=4:0:60",
          "prf --paired --counts A:B=30:20:60")
    claim("prf.different-items", "prf --compare --counts A=10,50,50 --counts B=75,10,15",
          "prf --counts A=10,50,50 --counts B=75,10,15")
    rng = random.Random(13)
    def scored(name, systems, draw):
        return table(name, "id,gold," + ",".join(f"s{k}" for k in range(systems)),
                     [[i, i % 2, *draw(i % 2)] for i in range(120)])
    one = scored("one.csv", 1, lambda g: [round(0.3 * g + 0.6 * rng.random(), 3)])
    three = scored("three.csv", 3, lambda g: [round(0.3 * g + 0.6 * rng.random(), 3)
                                             for _ in range(3)])
    def both(g):
        p = round(0.3 * g + 0.6 * rng.random(), 3)
        return [p, round(1 - p, 3)]
    claim("roc.complements", f"roc {scored('both.csv', 2, both)}", f"roc {three}")
    sure = scored("labels.csv", 1, lambda g: [g if rng.random() < 0.8 else 1 - g])
    claim("roc.labels", f"roc {sure}", f"roc {one}")
    like = scored("like.csv", 2, lambda g: [x := round(0.5 * g + 0.6 * rng.random(), 3), x + 0.001])
    claim("roc.gate-error", f"roc --gate --margin 0.2 {like}", f"roc --gate --margin 0.0001 {like}")
    shares = {"rare": (45, 40, 4), "even": (30, 30, 30)}
    for name, sizes in shares.items():
        table(f"{name}.csv", "id,gold,s", [[f"{k}-{i}", k, k if i % 9 else (k + 1) % 3]
                                           for k, n in enumerate(sizes) for i in range(1, n + 1)])
    claim("prf.gate-error", "prf --labels rare.csv --gate --target f1[macro]=0.5",
          "prf --labels even.csv --gate --target f1[macro]=0.5")
    claim("roc.selected", f"roc {three}", f"roc {one}")
    def never(g):
        return [0 if g and rng.random() < 0.1 else round(0.3 * g + 0.6 * rng.random(), 3)]
    for name, last, empty in (("few.csv", 10, 0), ("many.csv", 40, 0), ("empty.csv", 40, 3)):
        table(name, "gold,a,kind", [[i % 2, (i + (i % 5 == 0)) % 2, "" if i < empty else "xy"[i < last]]
                                    for i in range(80)])
    sure = table("sure.csv", "id,gold,a", [[i, i % 2, [0.3, 0.6, 0, 0.4][i % 4]] for i in range(80)])
    unsure = table("unsure.csv", "id,gold,a", [[i, i % 2, [0.3, 0.6, 0.2, 0.4][i % 4]] for i in range(80)])
    split = table("split.csv", "id,gold,a", [[i, i % 2, [0.3, 0.6][i % 2]] for i in range(80)])
    mixed = table("both-ways.csv", "id,gold,a", [[i, i % 2, [0.3, 0.6][i % 3 % 2]] for i in range(80)])
    claim("roc.certain", f"roc --table calibration {sure}", f"roc --table calibration {unsure}")
    claim("roc.no-slope", f"roc --table calibration {split}", f"roc --table calibration {mixed}")
    claim("groups.few", "prf --labels few.csv --columns group=kind",
          "prf --labels many.csv --columns group=kind")
    claim("groups.without", "prf --labels empty.csv --columns group=kind",
          "prf --labels many.csv --columns group=kind")
    table("none.csv", "gold,a,kind", [[i % 2 * (i < 40), 1, "xy"[i < 40]] for i in range(80)])
    claim("groups.no-value", "prf --labels none.csv --columns group=kind --metric recall",
          "prf --labels many.csv --columns group=kind --metric recall")
    claim("roc.clipped", f"roc {scored('zero.csv', 1, never)}", f"roc {one}")


def assessors():
    def two(name, label, header="item,x,y", items=60):
        return table(name, header, [[i, *label(i)] for i in range(items)])
    usual = two("usual.csv", lambda i: [i % 3, (i + (i % 7 == 0)) % 3])
    two("codes.csv", lambda i: [10 + i % 8, 10 + (i + (i % 5 == 0)) % 8])
    claim("agree.codes", "agree codes.csv", "agree codes.csv --scale nominal")
    two("words.csv", lambda i: [i % 4, "3*" if i == 7 else i % 4])
    claim("agree.words", "agree words.csv", "agree words.csv --scale nominal")
    two("scale.csv", lambda i: [i % 4, 3 - i % 4 if i % 5 else i % 4])
    claim("agree.reversed", "agree scale.csv", f"agree {usual}")
    claim("agree.weights", f"agree --weights quadratic {usual}", f"agree {usual}")
    two("three_items.csv", lambda i: ["prt"[i], "qsu"[i]], items=3)
    claim("agree.no-alpha-interval", "agree three_items.csv", f"agree {usual}")
    two("one_label.csv", lambda i: [1, int(i % 5 > 0)])
    claim("agree.constant", "agree one_label.csv", f"agree {usual}")
    claim("agree.some-constant", "agree " + two(
        "one_of_three.csv", lambda i: [1, int(i % 5 > 0), int(i % 4 > 0)], "item,x,y,z"),
        f"agree {usual}")
    claim("agree.apart", "agree " + two(
        "apart.csv", lambda i: [i % 2, "" if i < 30 else (i + (i % 7 == 0)) % 2,
                                "" if i >= 30 else (i + (i % 9 == 0)) % 2], "item,x,y,z"),
        f"agree {usual}")
    claim("agree.excluded", "agree " + two(
        "batch.csv", lambda i: [i % 3, (i + (i % 7 == 0)) % 3, f"b{i // 20}"], "item,x,y,batch"),
        f"agree {usual}")
    long = table("long.csv", "item,assessor,label", [
        [i, "ab"[k], (i + k * (i % 7 == 0)) % 3] for i in range(60) for k in (0, 1)])
    claim("agree.columns", f"agree {usual}", f"agree {long}")
    claim("agree.folded", "agree " + two(
        "cased.csv", lambda i: [("No", "Yes")[i % 2], ("no", "yes")[(i + (i % 7 == 0)) % 2]]),
        f"agree {usual}")
    claim("agree.few-alpha", "agree " + two("rare.csv", lambda i: [int(i < 2), int(0 < i < 3)]),
          "agree " + two("ample.csv", lambda i: [i % 2, int((i + (i % 7 == 0)) % 2)], items=200))
    claim("agree.few-differ", "agree -m AP many.qrels many.run --reproduced almost.run",
          "agree -m AP wide.qrels wide.run --reproduced wider.run")
    systems = {s: [round(0.1 * k + 0.05 * ((i * (k + 2)) % 7), 3) for i in range(12)]
               for k, s in enumerate("abc")}
    def values(name, rows):
        return table(name, "run," + ",".join(f"t{i}" for i in range(12)),
                     [[s, *v] for s, v in rows.items()])
    whole = values("whole.csv", systems)
    other = values("other.csv", {s: [round(x * 0.9 + 0.01, 3) for x in v]
                                 for s, v in systems.items()})
    claim("agree.left-systems", f"agree --orders {whole} " + values(
        "two_systems.csv", {s: systems[s] for s in "ab"}), f"agree --orders {whole} {other}")
    claim("agree.left-topics", f"agree --orders {whole} " + values(
        "hole.csv", {s: ["", *v[1:]] for s, v in systems.items()}),
        f"agree --orders {whole} {other}")
    table("mean1.csv", "run,score", [["a", 0.1], ["b", 0.3], ["c", 0.2]])
    table("mean2.csv", "run,score", [["a", 0.2], ["b", 0.4], ["c", 0.1]])
    claim("agree.one-value", "agree --orders mean1.csv mean2.csv",
          f"agree --orders {whole} {other}")
    claim("agree.no-ratio", "agree -m AP many.qrels many.run almost.run --reproduced turned.run "
          "--reproduced almost.run --baseline many.run",
          "agree -m AP many.qrels best.run turned.run --reproduced best.run "
          "--reproduced turned.run --baseline best.run")


def recall():
    counts = "recall --retrieved 10000,500,350 --unretrieved 990000,2000,3"
    claim("recall.certificate", counts + " --target 0.05",
          counts + " --target 0.05 --guaranteed")
    few = "recall --retrieved 2000,100,50 --unretrieved 100000,100,3"
    claim("recall.coverage", few, few + " --guaranteed")
    claim("recall.prior", few, few + " --guaranteed")
    write("families", "document,family,segment\n" + "".join(
        f"d{i},f{i // 2},{'un' if i > 39 else ''}retrieved\n" for i in range(80)))
    graded = [f"review 0 d{i} {int(i % 9 < 4)}\n" for i in range(80)]
    write("whole.qrels", "".join(graded[:20] + graded[40:60]))
    write("part.qrels", "".join(graded[:20] + graded[40:59]))
    claim("recall.family-part", "recall --families families --sample part.qrels",
          "recall --families families --sample whole.qrels")
    claim("recall.elusion", "recall --unretrieved 990000,2000,3", counts)
    claim("recall.missed", "recall --unretrieved 990000,2000,3", counts)
    elusion = "recall --unretrieved 858000,1500,9 --max-elusion "
    claim("recall.elusion-more", elusion + "0.01", elusion + "0.02")
    claim("recall.one-sided", elusion + "0.01045", elusion + "0.02")
    claim("recall.few-found", "recall --retrieved 100,100,40 --unretrieved 900,100,5",
          "recall --retrieved 1000,100,40 --unretrieved 900,100,5")
    strata = [["x", 100, 50, 5, 1, 0, 1], ["y", 100, 50, 5, 0, 1, 0], ["z", 100, 50, 9, 0, 1, 0]]
    table("strata.csv", "stratum,N,n,r,a,b,c", strata)
    table("strata2.csv", "stratum,N,n,r,a,b,c", strata[:2])
    claim("recall.few-rows", "recall --strata strata.csv", "recall --strata strata2.csv")
    more = "recall --retrieved 18000,172,70 --unretrieved 232000,2228,14 --target 0.75"
    claim("recall.more", more + " --guaranteed", more)
    claim("recall.not-guaranteed", more, more + " --guaranteed")
    claim("recall.none-found", "recall --retrieved 20,10,5 --unretrieved 30,29,0",
          "recall --retrieved 20,10,5 --unretrieved 30,30,0")
    claim("recall.fixed-size", "recall --retrieved 500,500,240 --unretrieved 5000,900,4 --anytime",
          "recall --retrieved 500,500,240 --unretrieved 5000,900,4")
    looks = "recall --retrieved 5000,500,260 --unretrieved 95000,1084,4 --target 0.75"
    claim("recall.interim", looks + " --looks 5 --look 2", looks)


def made_collection():
    """A simulated collection in c/, its judgments in parts, and samples of them."""
    tool("simulate --topics 20 --documents 600 --runs 3 --seed 5 -o c")
    with open("c/qrels", encoding="utf-8") as f:
        grade = {(w[0], w[2]): w[3] for w in map(str.split, f)}
    topics = sorted({t for t, _ in grade})
    def part(name, kept):
        return write(name, "".join(f"{t} 0 {d} {g}\n" for (t, d), g in grade.items() if kept(t, d)))
    for name, budget in (("s8", 8), ("s60", 60)):
        tool(f"sample --budget {budget} --depth 50 -o blank {RUNS} --force")
        with open("blank", encoding="utf-8") as f:
            lines = [line.split() for line in f]
        write(name, "".join(" ".join([w[0], w[1], grade.get((w[0], w[1]), "0"), *w[3:]]
                                     if len(w) == 5 and w[2] == "-1" else w) + "\n" for w in lines))
    return grade, topics, part


RUNS = "c/runs/sim01 c/runs/sim02 c/runs/sim03"
TWO = "c/runs/sim01 c/runs/sim02"


def sampling(grade, topics, part):
    claim("sample.to-judge", f"sample --budget 5 {RUNS}", f"compare c/qrels {RUNS}")
    claim("sample.census", f"sample --budget 100000 {RUNS}", f"sample --budget 5 {RUNS}")
    write("foreign", "777 0 zz 1\n" + open("c/qrels", encoding="utf-8").read())
    claim("sample.foreign", f"sample --budget 5 --judged foreign {RUNS}",
          f"sample --budget 5 --judged c/qrels {RUNS}")
    ranked("stranger", {t: " ".join(f"new{i}" for i in range(12)) for t in topics})
    claim("sampled.outside", "eval -m P_10 s8 stranger", "eval -m P_10 s8 c/runs/sim01")
    claim("pool.others", "pool --top 1 many.qrels many.run turned.run",
          "pool --top 10 many.qrels many.run turned.run")
    claim("pool.none-own", f"pool c/qrels {TWO} stranger", f"pool c/qrels {RUNS}")
    claim("sampled.fixed-ratio", f"eval -m AP --infer these s60 {TWO}", f"eval -m AP s60 {TWO}")
    claim("sampled.unseen", f"eval -m AP s8 {TWO}", f"eval -m P_10 s8 {TWO}")
    with open("c/runs/sim01", encoding="utf-8") as f:
        top = [w for w in map(str.split, f) if int(w[3]) <= 4]
    write("few", "".join(f"{w[0]} {w[2]} {int(w[3]) % 2} 1 0.5\n" for w in top))
    claim("sampled.few-relevant", f"eval -m AP few {TWO}", f"eval -m P_10 s8 {TWO}")
    part("pool", lambda t, d: d.endswith("7"))
    claim("sampled.added", f"eval -m AP --also pool s60 {TWO}", f"eval -m AP s60 {TWO}")
    claim("sampled.no-interval", "eval -q -m num_rel -m AP s8 c/runs/sim01",
          "eval -m num_rel s60 c/runs/sim01")
    plan = f"plan sample --pilot c/qrels --se 0.05 {TWO}"
    claim("plan-sample.unchecked", plan + " --check 0", plan)
    claim("plan-sample.factor", plan, plan + " --check 0")
    claim("plan-sample.outside", plan + " --depth 5", plan + " --depth 600")
    claim("plan-sample.pilot", f"plan sample --pilot s60 --se 0.05 {TWO}", plan)
    claim("plan-sample.topics", f"plan sample --pilot c/qrels --halfwidth 0.05 {TWO}", plan)


def active_judging(grade, topics, part):
    part("odd", lambda t, d: d[-1] in "13579")
    claim("judging.sample", f"next s60 {TWO}", f"next odd {TWO}")
    claim("judging.relevance", f"compare --incomplete --relevance 0.5 odd {TWO}",
          f"compare --incomplete odd {TWO}")
    claim("judging.measured", f"compare --incomplete odd {TWO} c/runs/sim03",
          f"compare --incomplete c/qrels {TWO}")
    claim("judging.labels", f"next --machine c/qrels odd {TWO}", f"next odd {TWO}")
    with open("c/runs/sim01", encoding="utf-8") as f:
        top = {(w[0], w[2]) for w in map(str.split, f) if int(w[3]) <= 10}
    write("one_sided", "".join(f"{t} 0 {d} {grade.get((t, d), 0)}\n" for t, d in sorted(top)))
    claim("judging.uneven", f"next one_sided {TWO}", f"next odd {TWO}")
    claim("judging.unanswered",
          f"next --until 0.95 --oracle odd --unjudged nonrelevant one_sided {TWO}",
          f"next --until 0.95 --oracle odd --unjudged skip one_sided {TWO}")
    claim("judging.fixed", "next --until 0.99 --oracle many.qrels many.qrels many.run best.run",
          f"next --until 0.6 --oracle c/qrels --unjudged nonrelevant one_sided {TWO}")
    few = f"plan pilot --forecasts 20 --samples 4 --unjudged nonrelevant c/qrels {TWO} --topics "
    claim("pilot.far", few + "400", few + "20")
    claim("pilot.lower", few + "20", f"next odd {TWO}")  # of every such plan
    claim("pilot.uncertain", few.replace("nonrelevant", "skip").replace("c/qrels", "odd") + "20",
          few + "20")


def labels(grade, topics, part):
    rng = random.Random(17)
    chosen = {key for key in grade if rng.random() < 0.2}
    part("human", lambda t, d: (t, d) in chosen)
    part("half", lambda t, d: (t, d) in chosen and t in topics[:10])
    pool = {key for key, g in grade.items() if g != "0" or rng.random() < 0.08}
    part("pool_llm", lambda t, d: (t, d) in pool)
    part("pool_human", lambda t, d: (t, d) in pool and rng.random() < 0.8)
    part("llm_part", lambda t, d: d[-1] != "4")
    write("flat", "".join(f"{t} 0 {d} 1\n" for t, d in grade))
    def use(*machine, human="human", design="random", measure="P_5"):
        return (f"eval -m {measure} --human-design {design} "
                + " ".join(f"--machine {m}" for m in machine) + f" {human} c/runs/sim01")
    claim("labels.agreement", use("c/qrels"), use("flat"))
    claim("labels.constant", use("flat"), use("c/qrels"))
    tool("simulate --topics 10 --documents 60 --runs 1 --prevalence 0.4 --seed 4 -o small")
    with open("small/qrels", encoding="utf-8") as f:
        small, dice = f.read().splitlines(), random.Random(1)
    write("small_human", "\n".join(dice.sample(small, 120)) + "\n")
    write("small_llm", "".join(f"{line[:line.rindex(' ')]} {int(dice.random() < 0.4) ^ (line[-1] != '0')}\n"
                               for line in small))
    claim("labels.wide", use("small_llm", human="small_human").replace("c/runs", "small/runs"), use("c/qrels"))
    claim("labels.human-only", use("llm_part"), use("c/qrels"))
    claim("labels.several", use("c/qrels", "flat"), use("c/qrels"))
    claim("labels.unlabelled", use("llm_part"), use("c/qrels"))
    claim("labels.no-human", use("c/qrels", human="half", design="by-topic"),
          use("c/qrels", design="by-topic"))
    claim("labels.first-order", use("pool_llm", human="pool_human", measure="AP"),
          use("pool_llm", human="pool_human", measure="P_5"))


def corrected():
    """A judge's scores of 60 answers, of which people labelled some."""
    rng = random.Random(5)
    truth = [rng.random() for _ in range(60)]

    def use(name, judge, human=lambda i, y: y if i < 30 else "", binary=False):
        rows = [("a", i, judge(i, y), human(i, y))
                for i, y in enumerate(round(y) if binary else round(y, 4) for y in truth)]
        table(name, "system,item,score,human", rows)
        return f"eval --scores {name} --columns human=human --human-design random"
    noisy = use("noisy.csv", lambda i, y: round(0.8 * y + 0.1 * ((i * 7) % 5) / 4, 4))

    def repeated(name, labelled):
        rows = [(s, i, r, (i * 7 + r * (i % 3 == 0)) % 5 % 2, (i * 7) % 5 % 2 if r == 0 and i < labelled else "")
                for s in "ab" for i in range(120) for r in range(2)]
        table(name, "system,item,repeat,score,human", rows)
        return f"compare --scores {name} --columns human=human --human-design random --gate --baseline b --margin 0.3"
    claim("judged.gate-error", repeated("thirty.csv", 30), repeated("eighty.csv", 80))
    claim("judged.saves", noisy, use("wrong.csv", lambda i, y: (i * 7) % 5 / 4))
    claim("judged.worse", use("wrong.csv", lambda i, y: (i * 7) % 5 / 4), noisy)
    claim("judged.few", use("rare.csv", lambda i, y: 0.5 if i == 3 else y), noisy)
    claim("judged.never", use("same.csv", lambda i, y: y), noisy)
    claim("judged.outside", use("no_score.csv", lambda i, y: "" if i == 3 else 1 - y), noisy)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    write("broken", "301 Q0 FT-3 1 high alpha\n301 Q0 FT-2 2 9.5\n301 Q0 FT-1 3 4 alpha\n")
    judged("qrels", {"1": "a=1 b=0", "2": "a=0 b=2", "3": "c=1"})
    judged("spam.qrels", {"1": "a=1 b=-2", "2": "a=0 b=2", "3": "c=1"})
    ranked("good", {"1": "a b", "2": "b a", "3": "c"})
    ranked("poor", {"1": "b a", "2": "q b"})
    ranked("poor3", {"1": "b a", "2": "q b", "3": "q c"})
    ranked("ten", {"1": "b a", "2": "q b", "3": "q x c"})
    wide = {t: [f"d{i}" for i in range(9)] for t in range(60)}
    judged("wide.qrels", {t: " ".join(f"{d}={int(i in (t % 3, 4))}" for i, d in enumerate(wide[t]))
                          for t in wide})
    ranked("wide.run", {t: " ".join(wide[t]) for t in wide})
    ranked("wider.run", {t: " ".join(["x"] + wide[t]) for t in wide})
    docs = {t: [f"d{t}_{i}" for i in range(20)] for t in range(20)}
    judged("many.qrels", {t: " ".join(f"{d}={int((i * (t + 3)) % 7 < 2)}"
                                      for i, d in enumerate(docs[t])) for t in docs})
    judged("hits.qrels", {t: " ".join(f"{d}=1" for i, d in enumerate(docs[t])
                                      if (i * (t + 3)) % 7 < 2) for t in docs})
    ranked("many.run", {t: " ".join(docs[t]) for t in docs})
    ranked("turned.run", {t: " ".join(docs[t][::-1]) for t in docs})
    ranked("fewer.run", {t: " ".join(docs[t][::-1]) for t in docs if t > 3})
    swapped = {t: docs[t][:2] + docs[t][3:1:-1] + docs[t][4:] if t in (4, 9) else docs[t]
               for t in docs}
    ranked("almost.run", {t: " ".join(swapped[t]) for t in docs})
    ranked("best.run", {t: " ".join(sorted(
        docs[t], key=lambda d: (int(d.split("_")[1]) * (t + 3)) % 7 >= 2)) for t in docs})
    some = random.Random(2)
    scores("percent.csv", "ab", 40, lambda k, i: some.random() * (1 if k else 100))
    scores("minus.csv", "ab", 40, lambda k, i: -1 if i % 6 == 0 else some.random())
    for part in (check, evaluation, several_runs, structured, nights, topics_to_plan, preferences,
                 classification, assessors, recall, corrected):
        part()
    made = made_collection()
    for part in (sampling, active_judging, labels):
        part(*made)
sys.exit("\n".join(str(f) for f in failed) or 0)

# SPDX-License-Identifier: Apache-2.0
"""Judgments from pools: what compare says of runs that were not pooled, incomplete by any measure
against exact enumeration, and pool against judgments that are reduced by hand.  Runs are ranked by
automatic labels, within what significant corrected differences leave.

usage: pools.py TOOL
"""
import itertools
import json
import math
import os
import random
import sys
import tempfile

from tool import run

rng = random.Random(3)
TOPICS = [f"t{k}" for k in range(30)]


def asked(*words):
    done = run(*words, "--format", "json", "--seed", "1") if words[0] != "pool" \
        else run(*words, "--format", "json")
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def rows(told, name):
    return next(t for t in told["tables"] if t["name"] == name)["rows"]


def write_qrels(name, qrels):
    with open(name, "w", encoding="utf-8") as f:
        f.writelines(f"{t} 0 {d} {g}\n" for t in qrels for d, g in sorted(qrels[t].items()))
    return name


def write_run(name, ranking):
    with open(name, "w", encoding="utf-8") as f:
        f.writelines(f"{t} Q0 {d} {k + 1} {1000 - k} {name}\n"
                     for t in ranking for k, d in enumerate(ranking[t]))
    return name


def collection():
    """Two families of runs, which find different relevant documents; every document is judged."""
    qrels = {t: {f"{t}d{k}": int(rng.random() < 0.2) for k in range(200)} for t in TOPICS}
    taste = [{t: {d: rng.gauss(0, 1) for d in qrels[t]} for t in TOPICS} for _ in range(2)]
    runs = {}
    for k in range(10):
        skill, own = rng.uniform(0.8, 2.0), taste[k % 2]
        score = {t: {d: skill * g + own[t][d] + rng.gauss(0, 0.6) for d, g in qrels[t].items()}
                 for t in TOPICS}
        runs[f"{'ab'[k % 2]}{k}"] = {t: sorted(s, key=s.get, reverse=True)[:100]
                                     for t, s in score.items()}
    return qrels, runs


def pooled(qrels, runs, names):
    return {t: {d: qrels[t][d] for n in names for d in runs[n][t][:10]} for t in qrels}


def pools_are_named(qrels, runs):
    """Of pools of one family: answers that all judgments contradict, and fair ones."""
    full = write_qrels("full", qrels)
    wrong = named = fair = wrongly = 0
    for trial in range(12):
        family = [n for n in runs if n[0] == "ab"[trial % 2]]
        pool = rng.sample(family, 1 + trial % 3)
        judged = write_qrels("pool", pooled(qrels, runs, pool))
        for other in (n for n in runs if n not in family):
            for measure in ("nDCG@10", "P@10"):
                told = asked("compare", "-m", measure, judged, pool[0], other)
                truth = rows(asked("compare", "-m", measure, full, pool[0], other), "pairs")[0]
                pair = rows(told, "pairs")[0]
                found = (pair["p_adjusted"] < 0.05) * (1 if pair["difference"] > 0 else -1)
                open_ = told["answer"].startswith("Cannot be decided: ")
                assert open_ == (pair["unjudged"] is not None) and pair["found"] == (0 if open_ else found), told
                reversal = found != 0 and truth["found"] == -found
                lost = found == 0 and truth["found"] != 0
                wrong += reversal or lost
                named += open_ and (reversal or lost)
                assert f"% of the top 10 documents of {other} are unjudged, and 0 % of those of " \
                    f"{pool[0]}" in told["answer"], told["answer"]
                judged_at = {r["run"]: r["judged"] for r in rows(told, "runs")}
                assert judged_at[pool[0]] == 1.0 and judged_at[other] < 1.0, judged_at
        for a, b in itertools.combinations(pool, 2):
            told = asked("compare", "-m", "nDCG@10", judged, a, b)
            fair += 1
            wrongly += "unjudged" in told["answer"]
    assert wrong >= 10 and named == wrong, (wrong, named)
    assert fair >= 10 and wrongly == 0, (fair, wrongly)
    said = run("compare", "-m", "P@10", "--table", "runs", judged, *pool, other).stdout.decode()
    assert "judged@10" in said, said
    assert "judged@10" not in run("compare", "-m", "P@10", full, pool[0], other).stdout.decode()


def what_cannot_be_decided_has_no_mark(qrels, runs):
    """A pair that unjudged documents could change has no letter, no rank and no verdict of better."""
    judged = write_qrels("pool", pooled(qrels, runs, ["a0", "a2"]))
    told = asked("compare", "-m", "nDCG@10", judged, "a0", "a2", "b1", "b3")
    pairs = rows(told, "pairs")
    open_ = [p for p in pairs if p["unjudged"]]
    sure = [p for p in open_ if p["p_adjusted"] < 0.05]
    assert len(sure) >= 2 and len(open_) < len(pairs), pairs
    assert f"{len(open_)} of 6 pairs cannot be decided" in told["answer"], told["answer"]
    assert f"{sum(p['found'] != 0 for p in pairs)} of 6 pairs differ significantly" in told["answer"], told["answer"]
    paper = rows(asked("compare", "-m", "nDCG@10", "--table", "paper", judged, "a0", "a2", "b1", "b3"), "paper")
    marks = {r["run"].split()[0]: (r["run"][-2], r["nDCG@10"].split("] ")[1:]) for r in paper}
    ranks = {r["run"]: (r["rank_lower"], r["rank_upper"]) for r in rows(told, "runs")}
    letters = {r["run"]: set(r["group"]) for r in rows(told, "runs")}
    for p in pairs:
        assert bool(letters[p["a"]] & letters[p["b"]]) == (p["found"] == 0), (p, letters)
    for p in open_:
        for x, y in ((p["a"], p["b"]), (p["b"], p["a"])):
            assert marks[y][0] not in "".join(marks[x][1]), (p, paper)
        (a, b), (c, d) = ranks[p["a"]], ranks[p["b"]]
        assert a <= d and c <= b, (p, ranks)
    text = run("compare", "-m", "nDCG@10", "--table", "paper", "--format", "latex", judged, "a0", "a2", "b1", "b3").stdout
    assert b"comparisons cannot be decided, because unjudged documents could" in text, text
    def caption(*names):
        return run("compare", "-m", "nDCG@10", "--table", "paper", "--format", "latex", judged, *names).stdout.decode()
    assert "This comparison cannot be decided, because unjudged documents could change it." in caption("a0", "b1")
    assert "a-c stands for" not in caption("a0", "a2", "a4", "a6", "a8")  # no cell has a range
    with open("many.csv", "w", encoding="utf-8") as f:
        f.write("system,item,score\n")
        f.writelines(f"s{k},{i},{rng.gauss(0, 1)}\n" for k in range(50) for i in range(10))
    many = run("compare", "--scores", "--verbose", "many.csv").stdout.decode()
    assert " of 1,225 pairs differ" in many and "corrected for 1,225 pairs" in many \
        and "correction for 1,225 pairs" in many and "1225 pairs" not in many, many
    gate = run("compare", "-m", "nDCG@10", "--gate", "--baseline", "a0", "--margin", "0.05", judged, "a0", "b1").stdout.decode()
    assert gate.startswith("INCONCLUSIVE: unjudged documents could change whether b1 is worse than a0 by more than 0.05."), gate


def enumerated(value, judged, a, b, p):
    """Mean and standard deviation of a difference on one topic over all ways to judge."""
    free = sorted({*a, *b} - set(judged))
    mean = square = 0.0
    for way in itertools.product((0, 1), repeat=len(free)):
        grade = {**judged, **dict(zip(free, way))}
        chance = math.prod(p if g else 1 - p for g in way)
        d = value(grade, a) - value(grade, b)
        mean, square = mean + chance * d, square + chance * d * d
    return mean, math.sqrt(square - mean * mean)


def precision(grade, ranking):
    return sum(grade[d] for d in ranking[:3]) / 3


def reciprocal(grade, ranking):
    return next((1 / (k + 1) for k, d in enumerate(ranking) if grade[d]), 0.0)


def ndcg(grade, ranking):
    gain = lambda grades: sum(g / math.log2(k + 2) for k, g in enumerate(grades[:4]))
    ideal = gain(sorted(grade.values(), reverse=True))
    return gain([grade[d] for d in ranking]) / ideal if ideal else 0.0


def incomplete_agrees_with_enumeration():
    judged = {"q": 1, "x": 0, "b": 1}
    a, b = ["w", "q", "y", "z"], ["x", "y", "b", "v"]
    write_qrels("few", {"t": judged})
    write_run("A", {"t": a}), write_run("B", {"t": b})
    for name, value in (("P@3", precision), ("RR", reciprocal), ("nDCG@4", ndcg)):
        mean, sd = enumerated(value, judged, a, b, 0.3) if name != "P@3" else \
            enumerated(value, judged, a[:3], b[:3], 0.3)
        found = rows(asked("incomplete", "-m", name, "--relevance", "0.3", "few", "A", "B"), "pairs")[0]
        assert abs(found["expected"] - mean) < 4 * sd / math.sqrt(500), (name, found, mean, sd)
        assert abs(found["sd"] / sd - 1) < 4 / math.sqrt(1000), (name, found, sd)


def incomplete_agrees_with_the_moments_of_ap_and_with_all_judgments(qrels, runs):
    few = write_qrels("pool", pooled(qrels, runs, ["a0"]))
    by_moments, drawn = (rows(asked("incomplete", "-m", m, few, "a0", "b1"), "pairs")[0]
                         for m in ("AP", "AP@1000"))
    assert abs(by_moments["expected"] - drawn["expected"]) < 0.1 * by_moments["sd"] + 0.002
    assert abs(by_moments["sd"] / drawn["sd"] - 1) < 0.1, (by_moments, drawn)
    told = asked("incomplete", "-m", "nDCG@10", "full", "a0", "b1")
    known = rows(told, "pairs")[0]
    truth = rows(asked("compare", "-m", "nDCG@10", "full", "a0", "b1"), "pairs")[0]
    assert abs(known["expected"] - truth["difference"]) < 1e-12 and known["sd"] == 0, known
    assert "mean nDCG@10" in told["answer"], told["answer"]
    for words in (["-m", "num_q"], ["-m", "AP,P@5"], ["-m", "nDCG@10", "--paper"]):
        assert run("incomplete", *words, few, "a0", "b1").returncode in (1, 2), words


def pool_reduces_judgments(qrels, runs):
    names = ["a0", "a2", "b1", "b3"]
    judged = pooled(qrels, runs, names)
    write_qrels("pool", judged)
    with open("teams.csv", "w", encoding="utf-8") as f:
        f.write("run,group\na0,a\na2,a\nb1,b\nb3,b\n")
    for extra, group in (([], lambda n: n), (["--groups", "teams.csv"], lambda n: n[0])):
        told = asked("pool", "-m", "nDCG@10", *extra, "pool", *names)
        for row in rows(told, "pool"):
            others = [n for n in names if group(n) != group(row["run"])]
            kept = {t: {d: g for d, g in judged[t].items()
                        if any(d in runs[n][t][:10] for n in others)} for t in judged}
            write_qrels("kept", kept)
            means = {r["run"]: r["value"] for r in rows(asked(
                "eval", "-m", "nDCG@10", "kept", *names), "measures")}
            assert abs(row["without"] - means[row["run"]]) < 1e-12, (row, means)
            assert row["rank_without"] == 1 + sum(m > means[row["run"]] for m in means.values())
            gone = [(t, d) for t in judged for d in judged[t] if d not in kept[t]]
            assert (row["own"], row["own_relevant"]) == (len(gone), sum(judged[t][d] for t, d in gone))
    told = asked("pool", "-m", "nDCG@10", "pool", *names, "a4", "b5")  # which were not pooled
    own = [r["change"] for r in rows(told, "pool") if r["own"] > 0]
    assert len(own) == 4 and f"changes by {sum(own) / 4:.4f} on average over the 4 runs" in told["answer"]
    assert "2 runs contributed no judged document of their own and are not in the average: a4, b5." in [
        n["text"] for n in told["notes"]], told["notes"]
    warned = "of the judgments are of documents outside the top 10 of these runs."
    assert not any(warned in n["text"] for n in told["notes"]), told["notes"]
    fewer, all_ = (rows(asked("pool", "-m", "nDCG@10", "pool", *n), "pool") for n in (names[::2], names))
    before = {r["run"]: r for r in all_}
    assert all(r["own"] > before[r["run"]]["own"] and r["change"] < before[r["run"]]["change"] for r in fewer), (fewer, all_)
    missing = sum(not any(d in runs[n][t][:10] for n in names[::2]) for t in judged for d in judged[t])
    share = missing / sum(len(of) for of in judged.values())
    assert f"{100 * share:.3g} % {warned}" in run("pool", "-m", "nDCG@10", "pool", *names[::2]).stdout.decode()
    several = run("pool", "-m", "nDCG@10,AP", "pool", *names)
    assert several.returncode in (1, 2) and b"expected one, such as nDCG@10" in several.stderr, several
    assert [c["kind"] for c in told["charts"]] == ["points"] if "charts" in told else True
    svg = run("pool", "-m", "AP", "pool", *names, "--format", "svg")
    assert svg.returncode == 0 and b"<svg" in svg.stdout, svg.stderr
    with open("teams.csv", "a", encoding="utf-8") as f:
        f.write("zz,b\n")
    bad = run("pool", "--groups", "teams.csv", "pool", *names)
    assert bad.returncode == 1 and b"teams.csv:6: 'zz' is none of the runs" in bad.stderr, bad.stderr


def seeds_of_runs_are_repeats(runs):
    """Runs whose paths name systems and seeds are compared as a table of their scores is."""
    files = {(s, f"seed{k}"): write_run(f"{s}.seed{k}", runs[f"{'ab'[s == 'B']}{2 * k + (s == 'B')}"])
             for s in "AB" for k in range(4)}
    measured = rows(asked("eval", "-q", "-m", "AP,P@10", "full", *files.values()), "topics")
    tag = {tag_of(f): key for key, f in files.items()}
    with open("by_hand.csv", "w", encoding="utf-8") as f:
        f.write("system,repeat,item,measure,score\n")
        f.writelines("{},{},{topic},{measure},{value}\n".format(*tag[r["run"]], **r) for r in measured)
    by_hand = rows(asked("compare", "--scores", "-m", "AP", "-m", "P@10", "by_hand.csv"), "pairs")
    told = asked("compare", "-m", "AP,P@10", "--columns", "system=@path:{system}.{repeat}", "full",
                 *files.values())
    for here, there in zip(rows(told, "pairs"), by_hand, strict=True):
        for column in ("a", "b", "measure", "test"):
            assert here[column] == there[column], (here, there)
        for column in ("difference", "lower", "upper", "p"):
            assert abs(here[column] - there[column]) < 1e-9, (column, here, there)
    for words in (["--columns", "system=@path:{system}-{repeat}"], ["--columns", "item=x"]):
        assert run("compare", *words, "full", *files.values()).returncode in (1, 2), words


def seeds_have_the_verdict_of_runs(qrels, runs):
    """Unjudged documents are counted over the seeds of a system; seeds that are alike have the
    answer of one run."""
    columns = ["--columns", "system=@path:{system}.{repeat}", "-m", "nDCG@10"]
    full, few = "full", write_qrels("pool", pooled(qrels, runs, ["a0", "a2"]))
    named = {}
    for s in ("a0", "a2", "b1", "b3"):
        write_run(s, runs[s])
        named[s] = [write_run(f"{s}.same{k}", runs[s]) for k in range(2)]
    alike = [f for s in named for f in named[s]]
    plain = asked("compare", "-m", "nDCG@10", few, *named)
    told = asked("compare", *columns, few, *alike)
    first = plain["answer"].split(" (nDCG@10")[0]
    assert "pairs cannot be decided: too many documents are unjudged (most: " in first
    assert told["answer"].startswith(first), (told["answer"], plain["answer"])
    for table, columns_ in (("pairs", ("a", "b", "unjudged", "found")),
                            ("runs", ("run", "judged", "rank_lower", "rank_upper", "group"))):
        assert [[r[x] for x in columns_] for r in rows(told, table)] == \
            [[r[x] for x in columns_] for r in rows(plain, table)], (told, plain)
    of = {s: [runs[n] for n in sorted(runs) if n[0] == s] for s in "ab"}
    seeds = [write_run(f"{s}.seed{k}", ranking) for s in of for k, ranking in enumerate(of[s])]
    judged = pooled(qrels, runs, [n for n in runs if n[0] == "a"])
    few = write_qrels("pool", judged)
    open_ = [d not in judged[t] for ranking in of["b"] for t in TOPICS for d in ranking[t][:10]]
    told = asked("compare", *columns, few, *seeds)
    assert told["answer"].startswith(
        f"Cannot be decided: {100 * sum(open_) / len(open_):.0f} % of the top 10 documents of b are unjudged, "
        "and 0 % of those of a. So far: "), told["answer"]
    assert f"over {len(TOPICS)} topics" in told["answer"] and " items" not in told["answer"], told["answer"]
    assert rows(told, "pairs")[0]["unjudged"] and rows(told, "pairs")[0]["found"] == 0
    gate = run("compare", *columns, "--gate", "--baseline", "a", "--margin", "0.05", few, *seeds).stdout
    assert gate.startswith(b"INCONCLUSIVE: unjudged documents could change"), gate
    told = asked("compare", *columns, full, *seeds)
    assert "unjudged" not in told["answer"] and not rows(told, "pairs")[0]["unjudged"], told["answer"]
    assert run("plan", "topics", *columns, full, *seeds).returncode == 0


def tag_of(path):
    """The tag of a run."""
    with open(path, encoding="utf-8") as f:
        return f.readline().split()[5]


def automatic_labels_rank_and_human_ones_correct(qrels, runs):
    names = ["a0", "a2", "a4", "b1"]
    write_qrels("llm", {t: {d: int(g or rng.random() < 0.1) for d, g in of.items()} for t, of in qrels.items()})
    chosen = set(rng.sample([(t, d) for t in qrels for d in qrels[t]], 900))
    write_qrels("people", {t: {d: g for d, g in of.items() if (t, d) in chosen} for t, of in qrels.items()})
    how = ["-m", "P@10", "--machine", "llm", "--human-design", "random", "people", *names]
    told, means = asked("compare", *how), rows(asked("eval", *how), "measures")
    assert [r["automatic"] for r in means] == sorted((r["automatic"] for r in means), reverse=True), means
    ranks = {r["run"]: r for r in rows(told, "ranks")}
    assert [ranks[r["run"]]["rank"] for r in means] == [1, 2, 3, 4], (ranks, means)
    better = {n: 0 for n in names}
    for pair in rows(told, "pairs"):
        if pair["p_adjusted"] < 0.05:
            better[pair["b" if pair["difference"] > 0 else "a"]] += 1
    assert {n: ranks[n]["rank_lower"] - 1 for n in names} == better, (ranks, better)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    made = collection()
    for run_name, ranks in made[1].items():
        write_run(run_name, ranks)
    pools_are_named(*made)
    what_cannot_be_decided_has_no_mark(*made)
    incomplete_agrees_with_enumeration()
    incomplete_agrees_with_the_moments_of_ap_and_with_all_judgments(*made)
    pool_reduces_judgments(*made)
    seeds_of_runs_are_repeats(made[1])
    seeds_have_the_verdict_of_runs(*made)
    automatic_labels_rank_and_human_ones_correct(*made)
    os.chdir("/")
sys.exit(0)

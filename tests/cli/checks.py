# SPDX-License-Identifier: Apache-2.0
"""Data that show that an assumption is broken: the answer says so first, or there is none.

usage: checks.py TOOL [--show]

One claim for each case of slips with ordinary data.  --show prints what the tool says.
"""
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

tool = os.path.abspath(sys.argv[1])
show = "--show" in sys.argv
rng = random.Random(11)


def run(*arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)


def first(case, words, *arguments, without=()):
    """The first sentences of an answer, or the error, have these words and not those."""
    done = run(*arguments, "--format", "json")
    if done.returncode in (0, 3, 4):
        told = json.loads(done.stdout)
        said, shown = told["answer"], run(*arguments).stdout
        notes = [line for line in shown.splitlines() if line.startswith(("note:", "warning:"))]
        assert len(notes) <= 3, (case, notes)
    else:
        said = done.stderr.strip()
        assert "\n" not in said, (case, said)
    if show:
        print(f"{case}: {said}")
    for word in words:
        assert word in said, (case, word, said)
    for word in without:
        assert word not in said, (case, word, said)
    return said


def refused(case, words, *arguments):
    done = run(*arguments)
    if show:
        print(f"{case}: {done.stderr.strip()}")
    assert done.returncode in (1, 2) and done.stderr.count("\n") == 1, (case, done)
    for word in words:
        assert word in done.stderr, (case, word, done.stderr)


def write(name, lines):
    with open(name, "w", encoding="utf-8") as f:
        f.writelines(line + "\n" for line in lines)
    return name


def ranking(name, topics, documents, scores=None):
    """A run: documents(t) in order."""
    return write(name, [f"{t} Q0 {d} {i + 1} {scores(i) if scores else 1000 - i} {name}"
                        for t in range(topics) for i, d in enumerate(documents(t))])


def collection():
    """25 topics: documents r0..r29 are relevant, n0..n169 are not."""
    return write("qrels", [f"{t} 0 {k}{i} {int(k == 'r')}" for t in range(25)
                           for k, n in (("r", 30), ("n", 170)) for i in range(n)])


def mixed(share, depth=100, prefix=""):
    """Rankings in which a proportion of the documents is relevant, those first on average."""
    def of(t):
        r, n = [f"{prefix}r{i}" for i in range(30)], [f"{prefix}n{i}" for i in range(170)]
        rng.shuffle(r), rng.shuffle(n)
        out = []
        for i in range(depth):
            take = r if r and rng.random() < share * (1 - i / depth) else n
            out.append(take.pop())
        return out
    return of


def sampled(runs, budget="30", depth="50"):
    """A sample of these runs, its grades filled in."""
    if os.path.exists("sample"):
        os.remove("sample")
    done = run("sample", "--budget", budget, "--depth", depth, *runs, "-o", "sample")
    assert done.returncode == 0, done.stderr
    with open("sample", encoding="utf-8") as f:
        lines = [s.rstrip("\n") for s in f]
    filled = []
    for s in lines:
        w = s.split()
        filled.append(" ".join([w[0], w[1], str(int("r" in w[1])), *w[3:]])
                      if len(w) == 5 and w[2] == "-1" else s)
    return write("sample", filled)


def retrieval():
    qrels = collection()
    old = [ranking(f"old{k}", 25, mixed(0.3)) for k in range(3)]
    good = ranking("good", 25, mixed(0.9))

    # 1. A run outside the sampled frame.
    sample = sampled(old)
    first("1 eval", ["no interval", "outside the sampled frame"], "eval", sample, good, "-m", "P@10")
    first("1 frame", ["sampled frame (the first 50 of each run)"], "eval", sample, old[0])
    refused("1 compare", ["outside"], "compare", sample, *old[:1], good, "-m", "P@10")
    refused("1 depth", ["R@100"], "eval", sample, old[0], "-m", "R@100")

    # 2. A pool of other runs, and a new one.
    pooled = write("pooled", [f"{t} 0 {d} {int('r' in d)}" for t in range(25) for d in sorted(
        {line.split()[2] for r in old for line in open(r, encoding="utf-8")
         if line.split()[0] == str(t) and int(line.split()[3]) <= 5})])
    new = ranking("new", 25, lambda t: [d if i % 9 == 0 else "x" + d
                                        for i, d in enumerate(mixed(0.9)(t))])
    for measure in ("nDCG@10", "P@20", "AP"):
        first("2 " + measure, ["Cannot be decided: ", "% of the top ",
                               "See intervale incomplete"], "compare", pooled, old[0], new,
              "-m", measure)
    first("2 eval", ["unjudged", "too low"], "eval", pooled, old[1], "-m", "P@20")
    # 8. -J removes them; and a sign that is uncertain is not tested as if it were known.
    said = run("eval", "-J", pooled, old[1], "-m", "P@20").stdout
    assert "were removed before scoring (-J)" in said and "not relevant" not in said, said
    told = json.loads(run("incomplete", pooled, old[0], new, "--format", "json").stdout)
    signs = next(t for t in told["tables"] if t["name"] == "signs")
    about = {c["name"]: c["about"] for c in signs["columns"]}
    assert 0.5 < signs["rows"][0]["certainty"] < 0.95 and "p_reject" not in about, signs
    assert "if the signs were certain" in about["p"], about
    first("8 incomplete", ["with probability 0.", "given the judgments so far"], "incomplete", pooled,
          old[0], new, without=["significant", "reject"])

    # 3. Runs of different depth.
    short = ranking("short", 25, mixed(0.9, depth=10))
    first("3", ["short returns only 10 documents", "-M 10"], "compare", qrels, old[0], short, "-m", "R@100")

    # 4. One set of topics for means and tests.
    part = write("part", [line.rstrip() for line in open(good, encoding="utf-8")
                          if int(line.split()[0]) < 12])
    first("4", ["over 12 of 25 topics"], "compare", qrels, old[0], part)

    # 8. Smaller slips.
    columns = write("columns", [f"{t} {d} {100 - i}" for t in range(25)
                                for i, d in enumerate(mixed(0.5, depth=20)(t))])
    first("8 columns", ["no topic has a rank 1"], "eval", qrels, columns, "-m", "RR@10")
    other = ranking("other", 25, lambda t: [f"doc-{d}" for d in mixed(0.5)(t)])
    first("8 prefix", ["No score: none of the documents"], "eval", qrels, other)
    junk = write("junk", [line.rstrip() if "n1" not in line else line.rstrip()[:-1] + "-2"
                          for line in open(qrels, encoding="utf-8")])
    assert "judgments have a negative grade and count as unjudged" in run("eval", junk, old[0]).stdout
    same = ranking("same", 25, mixed(0.5), scores=lambda i: 1)
    copy = write("copy", [line.rstrip().replace(" same", " copy")
                          for line in open(same, encoding="utf-8")])
    first("8 ties", ["tied scores"], "compare", qrels, same, copy)


def slips():
    """Others than those of the list: each would reverse the answer, or makes it none."""
    qrels = collection()
    good, fair = ranking("good", 25, mixed(0.9)), ranking("fair", 25, mixed(0.5))
    # Distances as scores; the ranks say what was meant.
    away = ranking("away", 25, mixed(0.9), scores=lambda i: 0.1 + 0.01 * i)
    for command in (["eval", qrels, away], ["compare", qrels, away, fair]):
        first("distances", ["Scores of away rise with rank"], *command)
    first("distances, no alarm", [], "eval", qrels, good, without=["rise with rank"])
    # Grades from 1, or none that is not relevant, with measures that need one.
    shifted = write("shifted", [line.rstrip()[:-1] + str(int(line.split()[3]) + 1)
                                for line in open(qrels, encoding="utf-8")])
    first("grades from 1", ["No document is judged as not relevant", "-l 2"], "eval", shifted, good)
    first("grades from 1, -l 2", [], "eval", shifted, good, "-l", "2", without=["No document"])
    hits = write("hits", [line.rstrip() for line in open(qrels, encoding="utf-8")
                          if line.split()[3] != "0"])
    first("bpref", ["bpref says nothing"], "eval", hits, good, "-m", "bpref")
    first("-J", ["P@10 says nothing"], "eval", "-J", hits, good, "-m", "P@10")
    first("relevant ones only", [], "eval", hits, good, without=["No document"])
    # Judgments of other documents.
    other = ranking("other", 25, lambda t: [f"doc-{d}" for d in mixed(0.5)(t)])
    refused("other documents", ["none of the documents of other is judged"], "compare", qrels, good,
            other)
    # Probabilities of 1, and documents that nobody judged.
    ones = write("ones", [f"{t} {d} {int('r' in d)} 1 1" for t in range(25)
                          for d in mixed(0.5, depth=40)(t)])
    first("probabilities of 1", ["are unjudged", "too low"], "eval", ones, good, "-m", "P@10")
    # Tables of scores.
    pairs = [(f"t{t}", round(0.9 * rng.random(), 3), round(0.9 * rng.random(), 3)) for t in range(30)]
    compare = ["compare", "--by", "topics", "--matrix"]
    first("plain", ["No significant difference"], *compare, table("plain", "topic,a,b", pairs))
    first("percent", ["percentages beside fractions"], *compare, table("percent", "topic,a,b", [
        (t, round(100 * a, 1), b) for t, a, b in pairs]))
    first("-1", ["5 scores are -1"], *compare, table("minus", "topic,a,b", [
        (t, a, -1 if i % 6 == 0 else b) for i, (t, a, b) in enumerate(pairs)]))
    means = [round(sum(p[k] for p in pairs) / len(pairs), 4) for k in (1, 2)]
    refused("row of means", ["has the mean of the other scores"], *compare,
            table("means", "topic,a,b", [*pairs, ("all", *means)]))
    # Of errors and losses lower is better, unless they are negated; the answer says so.
    for sign in 1, -1:
        losses = table(f"losses{sign}", "system,item,val_loss",
                       [(s, p[0], sign * p[k]) for p in pairs for s, k in (("a", 1), ("b", 2))])
        answers = [run("compare", "--scores", "--columns", "score=val_loss", *more, losses).stdout
                   for more in ([], ["--lower-is-better", "none"])]
        assert ("Lower is better in score" in answers[0]) == (sign > 0), answers
        assert "Lower is better" not in answers[1] and ("a - b" in answers[1]), answers
        assert ("b - a" in answers[0]) == (sign > 0), answers
    done = run(*compare, table("wer", "topic,a,b", pairs), "--columns", "measure=@name:WER")
    assert "Lower is better in WER, judging by the name" in done.stdout, done
    # Labels the other way round.
    turned = [[f"i{n}", n % 2, n % 2 if n % 7 == 0 else 1 - n % 2] for n in range(140)]
    first("labels", ["are they reversed?"], "prf", "--labels", table("turned", "id,gold,a", turned))
    scale = [[i, i * 7 % 4, 3 - i * 7 % 4 if i % 5 else i % 4] for i in range(100)]
    first("scale", ["the other way round?"], "agree", table("scale", "item,x,y", scale))


def table(name, header, rows):
    return write(name, [header, *(",".join(str(x) for x in row) for row in rows)])


def several():
    # 6. Holm over groups, and over the pairs of 15 equal systems: at most 1 of 20 files has a find.
    found = 0
    for k in range(20):
        scores = table("scores", "topic," + ",".join(f"r{i}" for i in range(2)),
                       [[f"t{t}", round(rng.random(), 4), round(rng.random(), 4)] for t in range(200)])
        groups = table("groups", "topic,group", [[f"t{t}", f"g{t % 10}"] for t in range(200)])
        done = run("compare", "--by", "topics", "--matrix", scores, "--groups", groups, "--table",
                   "groups", "--format", "csv")
        assert done.returncode == 0, done.stderr
        found += "*" in done.stdout
    assert found <= 4, found
    pairs = 0
    for k in range(20):
        items = table("items", "id,gold," + ",".join(f"s{i}" for i in range(15)), [
            [f"i{n}", n % 2, *(round(rng.random() + 0.3 * (n % 2), 4) for _ in range(15))]
            for n in range(120)])
        said = json.loads(run("roc", items, "--format", "json").stdout)
        rows = next(t for t in said["tables"] if t["name"] == "pairs")
        names = [c["name"] if isinstance(c, dict) else c for c in rows["columns"]]
        p = [dict(zip(names, r)) if isinstance(r, list) else r for r in rows["rows"]]
        pairs += any(r["p_holm"] < 0.05 for r in p if r["measure"] == "AUC")
    if show:
        print("6:", said["answer"], f"(found: groups {found} of 20, systems {pairs} of 20)")
    assert pairs <= 4 and "Holm's correction for 105 pairs" in said["answer"], said["answer"]


def reviews():
    # 9. A log sorted by label; the same rows in random order are taken.
    segments = ["--retrieved", "400", "--unretrieved", "5000"]
    rows = [[k, int(i < 60) if k == "unretrieved" else i % 2] for i in range(200)
            for k in ("unretrieved", "retrieved")]
    refused("9", ["not in random order"], "recall", *segments, "--anytime", "--log",
            table("log", "stratum,relevant", rows))
    rng.shuffle(rows)
    assert run("recall", *segments, "--anytime", "--log",
               table("log", "stratum,relevant", rows)).returncode == 0
    rows.sort(key=lambda row: row[0])
    first("9 dropped", ["judgments do not count: their blocks are incomplete"], "recall", *segments,
          "--anytime", "--log", table("log", "stratum,relevant", rows))

    # 10. Human labels only where the machine said yes.
    items = [[f"i{n}", int(n % 4 == 0), int(n % 5 < 2) if n % 4 == 0 else ""] for n in range(800)]
    refused("10 prf", ["label"], "prf", "--labels", table("checked", "id,machine,human", items),
            "--machine-column", "machine", "--gold", "human")
    ranked = ranking("ranked", 1, lambda t: [f"d{i}" for i in range(300)])
    calls = write("calls", [f"0 0 d{i} {i % 2}" for i in range(300)])
    only = write("only", [f"0 0 d{i} {int(i % 3 == 0)}" for i in range(300) if i % 2])
    refused("10 recall", ["only documents with one automatic label"], "recall", "--run", ranked,
            "--sample", only, "--collection", "run", "--at", "100", "--machine", calls)

    # 11. A list of relevant documents as a sample.
    hits = write("hits", [f"0 0 d{i} 1" for i in range(0, 300, 9)])
    refused("11", ["every document of the sample is relevant"], "recall", "--run", ranked, "--sample",
            hits, "--collection", "1000", "--at", "100")

    # 13. Control documents by rank.
    found = write("found", [f"0 0 d{i} {i % 2}" for i in range(200)])
    control = write("control", [f"0 0 d{i} 1" for i in range(1, 40, 2)])
    refused("13", ["not a random sample"], "recall", "--stop", "qbcb", "--target", "0.8", "--run",
            ranked, "--sample", control, "--found", found)

    # 16. Strata without a sample, a row of totals, plans.
    lines = ["stratum,N,n,r,segment", "a,500,50,40,retrieved", "b,900,90,9,unretrieved"]
    empty = write("empty", [*lines, "c,15000,0,0,unretrieved"])
    refused("16 unsampled", ["--unsampled skip"], "recall", "--strata", empty, "--unsampled", "skip",
            "--guaranteed")
    first("16 skip", ["15,000 documents of strata without a sample are excluded"], "recall",
          "--strata", empty, "--unsampled", "skip")
    refused("16 total", ["'Total' is the sum"], "recall", "--strata", write("total", [
        *lines, "c,600,60,1,unretrieved", "Total,1500,150,10,unretrieved"]))
    plan = ["plan", "recall", "--population", "100000", "--retrieved", "5000", "--recall", "0.8",
            "--precision", "0.6"]
    refused("16 above", ["0.85"], *plan, "--lower", "0.85")
    first("16 chance", ["with a chance of 49 %"], *plan, "--lower", "0.7")
    calls = [[f"i{n}", 1, n % 2 if n % 3 == 0 else ""] for n in range(200)]
    refused("16 prevalence", ["calls every item positive"], "prf", "--labels",
            table("calls", "id,machine,human", calls), "--machine-column", "machine", "--gold",
            "human")


def judging():
    # 5. A plan recommends what is cheaper, and promises no power that it has not.
    assert run("simulate", "--topics", "10", "--documents", "300", "--runs", "2", "--seed", "4", "-o",
               "made").returncode == 0
    runs = [os.path.join("made/runs", r) for r in sorted(os.listdir("made/runs"))]
    deep = first("5 certain", ["judgments"], "plan", "pilot", "made/qrels", *runs, "--judge", "pool")
    assert run("simulate", "--topics", "8", "--documents", "600", "--runs", "2", "--quality", "1.2,1.2",
               "--seed", "4", "-o", "alike").returncode == 0
    like = [os.path.join("alike/runs", r) for r in sorted(os.listdir("alike/runs"))]
    near = first("5 pool", ["Judge a pool"], "plan", "pilot", "alike/qrels", *like, "--judge", "pool")
    assert "power" not in deep + near
    first("5 elusion", ["Or judge 911 and accept up to 4 relevant ones"], "plan", "elusion", "--population", "100000",
          "--below", "0.01")
    assert re.search(r"\n +4 +911 ", run("plan", "elusion", "--population", "100000", "--below",
                                         "0.01").stdout)
    # Plans succeed as often as they promise, or more often.
    done = run("study", "plans", "--replicates", "300", "--table", "rates", "--format", "csv",
               "--method", "plan topics", "--method", "plan elusion")
    rows = [line.split(",") for line in done.stdout.splitlines()]
    at = {name: k for k, name in enumerate(rows[0])}
    plans = [r for r in rows[1:] if "at the limit" not in ",".join(r)]
    assert len(plans) == 5, done
    for r in plans:
        assert float(r[at["rate"] - len(rows[0])]) > float(r[at["nominal"] - len(rows[0])]) - 0.08, r
    # Every command that plans is tried; plan gate by unit/plan_gate, which enumerates and simulates gates.
    done = run("study", "plans", "--replicates", "2", "--table", "rates", "--format", "json")
    tried = {row["method"] for row in json.loads(done.stdout)["tables"][0]["rows"]}
    for name in set(re.findall(r"^ +(plan \w+)", run("help").stdout, re.M)) - {"plan gate"}:
        assert any(method.startswith(name) for method in tried), (name, tried)
    # 7. How often such signs were right stands in the sentence.
    first("7", ["85 to 98 % of cases"], "next", "--until", "0.95", "--oracle", "made/qrels",
          write("none", ["1 0 nothing 0"]), *runs)
    # 12. The owner's word counts, whoever judged last.
    queue = ranking("queue", 1, lambda t: [f"d{i}" for i in range(40)])
    texts = write("texts.jsonl", ['{"_id": "d0", "text": "a text"}'])
    assert run("judge", "new", "session", "--queue", queue, "--assessors", "anna,ben", "--documents",
               texts, "--missing-documents", "show-id").returncode == 0
    for who, grade in (([], 0), (["--assessor", "ben"], 1)):
        labels = write("labels", [f"0 0 d{i} {grade}" for i in range(40)])
        assert run("judge", "import", "session", labels, *who).returncode == 0
    for how, grade in (([], "0"), (["--combine", "last"], "1")):
        said = run("judge", "export", "session", "--as", "qrels", *how, "-o", "-").stdout
        assert {line.split()[3] for line in said.splitlines()} == {grade}, (how, said[:200])
    if show:
        print("12: the export has the owner's grades; --combine last has ben's")


def classifiers():
    # 14. Counts of one confusion matrix.
    cats = write("cats", ["system,category,tp,fp,fn,tn", "A,x,8,1,2,19", "A,y,9,2,1,18", "A,z,8,2,2,18"])
    first("14", ["FP and FN have the same sum"], "prf", cats)
    # 15. agree.
    one = table("one", "item,x,y", [[i, 1, int(i % 5 > 0)] for i in range(60)])
    first("15 one class", ["undefined"], "agree", one)
    words = table("words", "item,x,y", [[i, i % 4, f"{i % 4}{'*' * (i == 7)}"] for i in range(60)])
    first("15 a slip", ["1 of 5 labels used is not a number ('3*')"], "agree", words)
    first("15 words", ["(nominal)"], "agree", words, "--scale", "nominal", without=["not a number"])
    never = table("never", "item,x,y", [["a", "p", "q"], ["b", "r", "s"], ["c", "t", "u"]])
    assert "e-16" not in run("agree", never).stdout, never
    spelt = table("spelt", "gold,a", [["Yes", 0.9], ["no", 0.2], ["yes", 0.8], ["no", 0.4]])
    refused("16 prf", ["spelt:4: the gold label 'yes', and before 'Yes'"], "prf", "--labels", spelt)
    refused("16 roc", ["spelt:2: the gold label 'Yes'"], "roc", spelt, "--positive", "yes")
    grades = [[i, i * 7 % 4, max(0, min(3, i * 7 % 4 + (rng.random() < 0.2)))] for i in range(80)]
    first("15 shifted", ["shifted"], "agree", table("shifted", "item,x,y", [
        [i, a, b + 1] for i, a, b in grades]))
    kappas = run("agree", "shifted", "--table", "kappas", "--format", "json").stdout
    assert json.loads(kappas)["tables"][0]["rows"][0]["lower"] is None, kappas
    said = first("15 batch", [], "agree", table("batch", "item,x,y,batch", [
        [i, a, b, f"b{i // 20}"] for i, a, b in grades]))
    assert "2 assessors" in said, said
    plain = table("plain", "item,x,y", [[i, "yes" if a > 1 else "no", "yes" if b > 1 else "no"]
                                        for i, a, b in grades])
    cased = table("cased", "item,x,y", [[i, "Yes" if a > 1 else "No", "yes" if b > 1 else "no"]
                                        for i, a, b in grades])
    assert first("15 case", [], "agree", cased) == first("15 case", [], "agree", plain)
    first("15 codes", ["codes of classes"], "agree", table("codes", "item,x,y", [
        [i, 10 + i % 8, 10 + (i + int(i % 5 == 0)) % 8] for i in range(80)]))
    turned = run("agree", table("turned", "item,x,y", [[i, i % 2, 1 - i % 2] for i in range(6)]))
    assert "it is the same without any one item" in turned.stdout, turned.stdout
    # Fewer than five topics: items are left out, as if there were one topic.
    for topics in (1, 2, 4, 5):
        for name, labels in (("ref", 0), ("lab", 1)):
            write(f"{name}{topics}", [f"{n % topics} 0 d{n} {(n // 3 + labels * (n % 7 < 2)) % 2}"
                                      for n in range(100)])
    rows = [json.loads(run("agree", f"ref{n}", f"lab{n}", "--format", "json").stdout)["tables"][0][
        "rows"][0] for n in (1, 2, 4, 5)]
    assert [round(row["kappa_lower"], 9) for row in rows[1:3]] == 2 * [
        round(rows[0]["kappa_lower"], 9)] != 2 * [round(rows[3]["kappa_lower"], 9)], rows
    # 16. Smaller slips.
    items = [[f"i{n}", n % 2, round(rng.random() - 0.4 * (n % 2), 4)] for n in range(200)]
    first("16 reversed", ["look reversed"], "roc", table("reversed", "id,gold,s", items))
    first("16 percent", ["percentages"], "prf", "--labels", table("percent", "id,gold,s", [
        [i, g, round(100 * rng.random(), 1)] for i, g, _ in items]), "--threshold", "0.5")
    once = [[n % 2, round(rng.random(), 2), round(rng.random(), 2)] for n in range(60)]
    refused("16 duplicates", ["every row occurs twice"], "roc", table("twice", "gold,a,b", once * 2))
    assert run("roc", table("once", "gold,a,b", once)).returncode == 0
    few = [[n % 7 == 0, n % 5 == 0] for n in range(60)]
    assert run("prf", "--labels", table("few", "gold,a", [[int(a), int(b)] for a, b in few])
               ).returncode == 0


def errors_of_mcnemar():
    """The page's rates of false rejection are exact ones of the test that the tool runs."""
    def p(only_a, only_b):
        rows = [[i, int(i < only_a), int(i >= only_a)] for i in range(only_a + only_b)]
        return json.loads(run("compare", "--scores", table("mcnemar", "item,a,b", rows), "--test", "mcnemar", "--format",
                              "json").stdout)["tables"][0]["rows"][0]["p"]

    with open(page, encoding="utf-8") as f:
        at_most = re.search(r"independent 0/1 systems of equal accuracy with rate at most ([\d.]+) \(10 to 500 items\), and at most "
                            r"([\d.]+) if they differ on every item \((\d+) items\)", f.read()).groups()
    rate = [sum(math.comb(m, b) for b in range(m + 1) if (2 * b - m) ** 2 > 3.841458820694124 * m) / 2 ** m for m in range(501)]
    worst = max(range(10, 501), key=lambda n: rate[n])
    assert (f"{rate[worst]:.3f}", str(worst)) == at_most[1:], (rate[worst], worst, at_most)
    least = max(b for b in range(worst) if (2 * b - worst) ** 2 > 3.841458820694124 * worst and 2 * b < worst)
    assert p(least, worst - least) < 0.05 < p(least + 1, worst - least - 1), worst
    # Independent systems differ on half of the items at most.
    most = max(sum(math.comb(n, m) * q ** m * (1 - q) ** (n - m) * rate[m] for m in range(n + 1))
               for n in (*range(10, 80), 100, 200, 500) for q in (0.1, 0.2, 0.3, 0.4, 0.5))
    assert f"{most:.3f}" == at_most[0], (most, at_most)


with tempfile.TemporaryDirectory() as folder:
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../doc/methods/comparing.md")
    os.chdir(folder)
    for part in (retrieval, several, judging, reviews, classifiers, slips, errors_of_mcnemar):
        part()

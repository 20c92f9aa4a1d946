# SPDX-License-Identifier: Apache-2.0
"""How often do warnings and refusals come up on data in which nothing is wrong?

usage: false_alarms.py TOOL [COLLECTIONS [FOLDER]]

Simulates COLLECTIONS (1000) ordinary collections of 50 topics, 4 runs and complete judgments, with
a random sample, a review in random order, two classifiers, two assessors and a table of scores
each, and counts for every command what its answers warn of or refuse.  FOLDER holds real collections, one a subfolder: a
file qrels or human.qrels and a folder runs, of which twelve are evaluated and compared two by two; a
folder judges; matrices *_ap.csv; strata.csv of a review; prels.* with inclusion probabilities;
rankings *.zst with complete judgments qrels.zst.
"""
import collections
import csv
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])
# What stands in the first sentence without a row of its own.
FIRST = ("Cannot be decided", "could reverse", "returns only", "tied scores", "are unjudged",
         "No score", "look reversed", "look shifted", "no interval, since")
asked, warned = collections.Counter(), collections.Counter()


def ask(group, *arguments):
    done = subprocess.run([TOOL, *arguments, "--format", "json", "--threads", "1"],
                          capture_output=True, text=True, check=False)
    command = f"{arguments[0]} ({group})"
    asked[command] += 1
    if done.returncode not in (0, 3, 4):
        warned[command, "refused: " + done.stderr.strip().split(": ", 1)[-1][:60]] += 1
        return
    told = json.loads(done.stdout)
    for words in FIRST:
        warned[command, f"answer: {words}"] += words in (told["answer"] or "")
    for note in told["notes"]:
        if note["severity"] == "warning":
            warned[command, note["id"] or note["text"][:60]] += 1


def write(name, lines):
    pathlib.Path(name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return name


def sample(runs, grades):
    """A sample of the documents of runs, judged."""
    pathlib.Path("blank").unlink(missing_ok=True)
    subprocess.run([TOOL, "sample", "--budget", "60", "--depth", "100", *runs, "-o", "blank", "--quiet"],
                   check=True, capture_output=True)
    filled = []
    for line in pathlib.Path("blank").read_text(encoding="utf-8").splitlines():
        w = line.split()
        filled.append(" ".join([w[0], w[1], grades.get((w[0], w[1]), "0"), *w[3:]])
                      if len(w) == 5 and w[2] == "-1" else line)
    return write("sample", filled)


def classified(rng):
    """Two classifiers of 400 items in random order, normal scores on the logit scale."""
    rows = []
    for i in range(400):
        gold = int(rng.random() < 0.4)
        rows.append((i, gold, *(1 / (1 + 2.718281828 ** -rng.gauss(gold - 0.5, 1.0)) for _ in "ab")))
    scores = write("scores.csv", ["id,gold,a,b", *(f"i{i},{g},{a:.4f},{b:.4f}" for i, g, a, b in rows)])
    labels = write("labels.csv", ["id,gold,a,b", *(f"i{i},{g},{int(a > 0.5)},{int(b > 0.5)}"
                                                  for i, g, a, b in rows)])
    checked = write("checked.csv", ["id,machine,human", *(
        f"i{i},{int(a > 0.5)},{g if rng.random() < 0.4 else ''}" for i, g, a, _ in rows)])
    return scores, labels, checked


def simulated(number):
    rng = random.Random(number)
    shutil.rmtree("made", ignore_errors=True)
    subprocess.run([TOOL, "simulate", "--topics", "50", "--documents", "400", "--runs", "4",
                    "--prevalence", "0.1", "--least-relevant", "15", "--seed", str(number), "-o",
                    "made"], check=True, capture_output=True)
    runs = sorted(str(p) for p in pathlib.Path("made/runs").iterdir())
    lines = [s.split() for s in pathlib.Path("made/qrels").read_text(encoding="utf-8").splitlines()]
    grades = {(w[0], w[2]): w[3] for w in lines}
    for measure in ("AP", "nDCG@10"):
        ask("simulated", "eval", "made/qrels", runs[0], "-m", measure)
        ask("simulated", "compare", "made/qrels", *runs, "-m", measure)
    ask("sample", "eval", sample(runs, grades), *runs)
    ask("sample", "compare", "sample", *runs[:2])
    log = [("retrieved", int(rng.random() < 0.5)) for _ in range(150)] + [
        ("unretrieved", int(rng.random() < 0.1)) for _ in range(300)]
    rng.shuffle(log)
    write("log.csv", ["stratum,relevant", *(f"{s},{r}" for s, r in log)])
    ask("log", "recall", "--retrieved", "500", "--unretrieved", "5000", "--log", "log.csv",
        "--anytime")
    found = [i for i in range(600) if rng.random() < (0.5 if i < 300 else 0.1)]
    write("ranked", [f"t Q0 d{i} {i + 1} {1000 - i} x" for i in range(600)])
    write("found", [f"t 0 d{i} {int(i in set(found))}" for i in range(400)])
    write("control", [f"t 0 d{i} 1" for i in sorted(rng.sample(found, 25))])
    ask("control", "recall", "--stop", "qbcb", "--target", "0.8", "--run", "ranked", "--sample",
        "control", "--found", "found")
    scores, labels, checked = classified(rng)
    ask("scores", "roc", scores, "--table", "pairs")
    ask("labels", "prf", "--labels", labels)
    ask("checked", "prf", "--labels", checked, "--machine-column", "machine", "--gold", "human")
    base = [rng.randrange(4) for _ in range(200)]
    write("grades.csv", ["item,x,y", *(
        f"i{i},{a},{a if rng.random() < 0.7 else rng.randrange(4)}" for i, a in enumerate(base))])
    ask("grades", "agree", "grades.csv")
    write("two.csv", ["topic,a,b", *(f"t{i},{rng.betavariate(1, 2):.4f},{rng.betavariate(1, 2):.4f}"
                                    for i in range(40))])
    ask("matrix", "compare", "--by", "topics", "--matrix", "two.csv")


def pairs_of(group, qrels, runs, measures=("AP", "nDCG@10")):
    for run in runs:
        ask(group, "eval", str(qrels), run)
    for pair in itertools.combinations(runs, 2):
        for measure in measures:
            ask(group, "compare", str(qrels), *pair, "-m", measure)


def matrix(group, path):
    """Systems of a matrix of scores, two by two."""
    with open(path, encoding="utf-8") as f:
        rows = list(csv.reader(f))
    for a, b in itertools.combinations(range(min(12, len(rows[0]))), 2):
        two = write("two.csv", [f"topic,{rows[0][a]},{rows[0][b]}", *(
            f"t{i},{r[a]},{r[b]}" for i, r in enumerate(rows[1:]))])
        ask(group, "compare", "--by", "topics", "--matrix", two)


def strata(group, path):
    """The strata of a table with topic, teams, stratum (a letter a team), N_messages, n_sampled
    and r_post, topic by topic."""
    with open(path, encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    for topic in sorted({r["topic"] for r in rows}):
        own = [r for r in rows if r["topic"] == topic]
        table = write("strata.csv", [",".join(["stratum,N,n,r", *own[0]["teams"].split("|")]), *(
            ",".join([r["stratum"], r["N_messages"], r["n_sampled"], r["r_post"], *r["stratum"]])
            for r in own)])
        ask(group, "recall", "--strata", table, "--unsampled", "skip")


def reviewed(group, qrels, runs):
    """Recall of rankings from random samples of judged collections, topic by topic."""
    rng = random.Random(1)
    topics = collections.defaultdict(list)
    for line in unpacked(qrels).splitlines():
        w = line.split()
        topics[w[0]].append((w[2], w[3]))
    for run, (topic, judged) in itertools.product(runs, sorted(topics.items())):
        ranked = [s for s in unpacked(run).splitlines() if s.split()[0] == topic]
        known = dict(judged)
        listed = [s.split()[2] for s in ranked if s.split()[2] in known]
        if len(listed) < max(300, len(ranked)): # a sample is of all that is ranked
            continue
        write("one.run", ranked)
        write("one.sample", [f"{topic} 0 {d} {known[d]}" for d in rng.sample(listed, 150)])
        ask(group, "recall", "--run", "one.run", "--sample", "one.sample", "--collection", "run",
            "--at", "200")


def unpacked(path):
    if not str(path).endswith(".zst"):
        return pathlib.Path(path).read_text(encoding="utf-8")
    return subprocess.run(["zstd", "-dcq", str(path)], check=True, capture_output=True,
                          text=True).stdout


def probabilities(group, path):
    """Judgments with inclusion probabilities, and a run of their documents in random order."""
    rng = random.Random(1)
    ask(group, "check", str(path))
    topics = collections.defaultdict(list)
    for line in unpacked(path).splitlines():
        topics[line.split()[0]].append(line.split()[1])
    lines = []
    for topic, documents in topics.items():
        rng.shuffle(documents)
        lines += [f"{topic} Q0 {d} {i + 1} {1000 - i} x" for i, d in enumerate(documents)]
    ask(group, "eval", str(path), write("random.run", lines))


def real(folder):
    """Collections of a folder, by what their files are called."""
    for place in sorted(folder.iterdir()):
        inside = [place, *sorted(p for p in place.iterdir() if p.is_dir())] if place.is_dir() else []
        for here in inside:
            qrels = next((q for q in (here / "qrels", here / "human.qrels") if q.is_file()), None)
            runs = sorted(str(p) for p in (here / "runs").glob("*"))[:12]
            if qrels is not None and runs:
                pairs_of(place.name, qrels, runs)
            for judge in sorted((here / "judges").glob("*.qrels")):
                ask(place.name, "agree", str(qrels), str(judge))
        for path in place.glob("*_ap.csv") if place.is_dir() else []:
            matrix(place.name, path)
        for path in place.glob("prels.*") if place.is_dir() else []:
            probabilities(place.name, path)
        if (place / "strata.csv").is_file():
            strata(place.name, place / "strata.csv")
        if (place / "qrels.zst").is_file():
            others = sorted(str(p) for p in place.glob("*.zst") if p.name != "qrels.zst")
            pairs_of(place.name, place / "qrels.zst", others)
            reviewed(place.name, place / "qrels.zst", others)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        if folder is not None:
            real(folder)
        for k in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1000):
            simulated(k + 1)
    print("command\tanswers\twarning\tcount\trate")
    for (command, what), count in sorted((k, n) for k, n in warned.items() if n > 0):
        print(f"{command}\t{asked[command]}\t{what}\t{count}\t{count / asked[command]:.4f}")
    for command in sorted(asked):
        if not any(c == command and n > 0 for (c, _), n in warned.items()):
            print(f"{command}\t{asked[command]}\tnone\t0\t0.0000")

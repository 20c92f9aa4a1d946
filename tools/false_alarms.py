# SPDX-License-Identifier: Apache-2.0
"""How often do warnings and refusals come up on data in which nothing is wrong?

usage: false_alarms.py TOOL [COLLECTIONS [FOLDER]]

Simulates COLLECTIONS (1000) ordinary collections of 50 topics, 4 runs and complete judgments, with
a random sample, a review in random order, two classifiers and two assessors each, and counts for
every command what its answers warn of or refuse.  FOLDER holds real collections: subfolders with a
file qrels and a folder runs, whose runs are evaluated and compared two by two.
"""
import collections
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


def real(folder):
    for place in sorted(pathlib.Path(folder).iterdir()):
        runs = sorted(str(p) for p in (place / "runs").glob("*"))[:24]
        for run in runs if (place / "qrels").is_file() else []:
            ask(place.name, "eval", str(place / "qrels"), run)
        for pair in itertools.combinations(runs, 2) if (place / "qrels").is_file() else []:
            for measure in ("AP", "nDCG@10"):
                ask(place.name, "compare", str(place / "qrels"), *pair, "-m", measure)


if __name__ == "__main__":
    if len(sys.argv) > 3:
        real(pathlib.Path(sys.argv[3]).resolve())
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for k in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1000):
            simulated(k + 1)
    print("command\tanswers\twarning\tcount\trate")
    for (command, what), count in sorted((k, n) for k, n in warned.items() if n > 0):
        print(f"{command}\t{asked[command]}\t{what}\t{count}\t{count / asked[command]:.4f}")
    for command in sorted(asked):
        if not any(c == command and n > 0 for (c, _), n in warned.items()):
            print(f"{command}\t{asked[command]}\tnone\t0\t0.0000")

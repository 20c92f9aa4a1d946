# SPDX-License-Identifier: Apache-2.0
"""How often `intervale compare` calls runs different that are not, on real scores.

usage: familywise.py TOOL MATRIX RUNS TOPICS TRIALS [family] [OPTION...]

MATRIX has systems as rows.  A trial takes RUNS systems at random (with `family`
up to eight whose names begin alike, and two others), less their means, so that all
have the same true mean; draws TOPICS topics with replacement; and asks the tool,
which errs if it calls any pair different.  Trials are told apart by whether every
pair of runs differs on ten topics or more; that is where the tool does not warn.
doc/methods/comparing.md has what it prints.
"""
import collections
import csv
import random
import re
import subprocess
import sys
import tempfile


def read(path):
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))[1:]
    return {row[0]: [float(x or 0) for x in row[1:]] for row in rows}


def draw(rng, systems, runs, family):
    if not family:
        return rng.sample(sorted(systems), runs)
    kin = collections.defaultdict(list)
    for name in systems:
        kin[re.sub("[0-9].*", "", name)[:4]].append(name)
    chosen = rng.choice([names for names in kin.values() if len(names) >= 4])
    return (rng.sample(chosen, min(8, len(chosen)))
            + rng.sample(sorted(set(systems) - set(chosen)), 2))


def errs(tool, scores, options):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        topics = len(next(iter(scores.values())))
        f.write("run," + ",".join(str(t + 1) for t in range(topics)) + "\n")
        for name, row in scores.items():
            f.write(name + "," + ",".join(repr(x) for x in row) + "\n")
        f.flush()
        done = subprocess.run([tool, "compare", "--matrix", f.name, "--ci", "none",
                               "--resamples", "1", "--format", "tsv", "--quiet", *options],
                              check=True, capture_output=True, text=True)
    head, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    at = head.index("p_adjusted")
    return any(row[at] != "" and float(row[at]) < 0.05 for row in rows)


def main(tool, matrix, runs, topics, trials, *options):
    family = options[:1] == ("family",)
    systems, rng = read(matrix), random.Random(1)
    means = {name: sum(row) / len(row) for name, row in systems.items()}
    tried, failed = [0, 0], [0, 0]
    for _ in range(int(trials)):
        names = draw(rng, systems, int(runs), family)
        places = [rng.randrange(len(systems[names[0]])) for _ in range(int(topics))]
        plain = {n: [systems[n][t] for t in places] for n in names}
        dense = all(sum(x != y for x, y in zip(plain[a], plain[b])) >= 10
                    for i, a in enumerate(names) for b in names[i + 1:])
        centred = {n: [round(x - means[n], 12) for x in plain[n]] for n in names}
        tried[dense] += 1
        failed[dense] += errs(tool, centred, options[family:])
    for dense, what in ((1, "ten or more topics differ"), (0, "fewer in some pair")):
        if tried[dense]:
            p = failed[dense] / tried[dense]
            print(f"{what}: {p:.3f} +- {(p * (1 - p) / tried[dense]) ** .5:.3f} of "
                  f"{tried[dense]} trials")


if __name__ == "__main__":
    main(*sys.argv[1:])

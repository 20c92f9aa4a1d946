# SPDX-License-Identifier: Apache-2.0
"""Every answer with numbers names its methods, and cites exactly the papers of these.

usage: cites.py TOOL
"""
import json
import os
import re
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])

LINES = """
eval c/qrels c/runs/sim01
eval c/qrels c/runs/sim01 --ci t --ties
eval c/qrels c/runs/sim01 --ci bca
eval c/qrels c/runs/sim01 --guaranteed
eval c/qrels c/runs/sim01 -m Success@1
eval --scores scores.csv
eval --scores scores.csv --columns cluster=cluster
compare c/qrels c/runs/sim01 c/runs/sim02
compare c/qrels c/runs/sim01 c/runs/sim02 c/runs/sim03
compare c/qrels c/runs/sim01 c/runs/sim02 --test t --correct none
compare c/qrels c/runs/sim01 c/runs/sim02 --baseline sim01 --margin 0.02 --gate-on worse --gate
compare --scores scores.csv
compare --scores scores.csv --table paper
incomplete c/qrels c/runs/sim01 c/runs/sim02
incomplete -m nDCG@10 c/qrels c/runs/sim01 c/runs/sim02
pool c/qrels c/runs/sim01 c/runs/sim02
overlap c/runs/sim01 c/runs/sim02
agree c/qrels c/qrels
prf --counts 8,2,1
prf --counts 8,2,1 --guaranteed
roc scored.csv
recall --retrieved 10000,500,350 --unretrieved 990000,2000,3
recall --retrieved 10000,500,350 --unretrieved 990000,2000,3 --guaranteed --target 70%
recall --unretrieved 990000,2000,3
sample c/runs/sim01 c/runs/sim02 --budget 5 -o sampled --force
next c/qrels c/runs/sim01 c/runs/sim02 --count 3
plan power --topics 50 --effect 0.4
plan topics c/qrels c/runs/sim01 c/runs/sim02
plan looks --looks 3
plan looks --looks 3 --shape pocock
plan looks --looks 3 --shape spend-pocock
agree --weights linear assessors.csv
prf --paired --counts A:B=4:0:60
recall --proportion 3,20
plan recall --population 100000 --retrieved 10000 --recall 0.7 --precision 0.5 --width 0.2
plan elusion --population 100000 --below 0.01
plan sample c/runs/sim01 c/runs/sim02 --pilot c/qrels --se 0.05
simulate --topics 5 --documents 50 --runs 2 -o d
""".strip().splitlines()


# Papers that must be cited, and no other.
PAPERS = {
    "plan looks --looks 3": "obrien1979multiple",
    "plan looks --looks 3 --shape pocock": "pocock1977group",
    "plan looks --looks 3 --shape spend-pocock": "lan1983discrete",
    "prf --paired --counts A:B=4:0:60": "goutte2005probabilistic mcnemar1947note",
    "eval c/qrels c/runs/sim01 --guaranteed": "hoeffding1963probability bentkus2004hoeffding",
    "agree --weights linear assessors.csv":
        "krippendorff2004content cohen1968weighted fleiss1982jackknifing",
    "sample c/runs/sim01 --budget 5 --design uniform --table design": "cochran1977sampling",
    "sample c/runs/sim01 --design stratified --strata 5,100 --rates 1,0.5 --table design":
        "cochran1977sampling",
    "sample c/runs/sim01 --design pool --pool-depth 5 --table design": "sparckjones1975report",
}


def run(folder, *words):
    return subprocess.run([TOOL, *words], cwd=folder, capture_output=True, text=True, check=False)


def make(folder):
    run(folder, "simulate", "--topics", "12", "--documents", "60", "--runs", "3", "-o", "c")
    with open(os.path.join(folder, "scores.csv"), "w", encoding="utf-8") as f:
        f.write("system,item,cluster,score\n")
        f.writelines(f"{s},{i},{i // 2},{(i * 7 + k * 3) % 11 / 11}\n" for k, s in enumerate("ab")
                     for i in range(24))
    with open(os.path.join(folder, "assessors.csv"), "w", encoding="utf-8") as f:
        f.write("item,a,b\n")
        f.writelines(f"{i},{i * 5 % 7 % 3},{i * 5 % 7 % 3 if i % 4 else i % 3}\n"
                     for i in range(30))
    with open(os.path.join(folder, "scored.csv"), "w", encoding="utf-8") as f:
        f.write("gold,A,B\n")
        f.writelines(f"{i % 2},{(i * 5 + i % 2 * 9) % 23 / 23},{(i * 3 + i % 2 * 5) % 19 / 19}\n"
                     for i in range(60))


def wrong(folder, line):
    """What is wrong with the answer to a command line, or None."""
    words = line.split()
    done = run(folder, *words, *([] if words[0] == "sample" else ["--format", "json"]))
    if done.returncode not in (0, 3, 4):
        return done.stderr.strip()
    if words[0] == "sample":
        return None
    said = json.loads(done.stdout)
    method, cited = said["method"], said["citations"]
    if not method:
        return "names no method"
    if not cited:
        return f"cites nobody for '{method}'"
    for c in cited:
        if c["label"] not in method or not c["method"] or c["key"] not in c["bibtex"]:
            return f"{c['key']} is not of a method in '{method}'"
    places = [method.index(c["label"]) for c in cited]
    if places != sorted(places):
        return f"citations are not in the order of '{method}'"
    text = run(folder, *words, "--cite").stdout # which may have fewer tables, and methods
    line = re.search(r"^Method: .*\)$", text, re.M)
    entries = re.findall(r"^@\w+\{", text, re.M)
    named = sum(c["label"] in line[0] for c in cited) if line else 0
    if words[0] != "simulate" and (not line or len(entries) != named + 1):
        return f"--cite has {len(entries)} entries"
    return None


with tempfile.TemporaryDirectory(prefix="intervale-cites-") as scratch:
    make(scratch)
    failures = [(line, found) for line in LINES if (found := wrong(scratch, line))]
    for line, papers in PAPERS.items():
        said = run(scratch, *line.split(), "--cite")
        found = re.findall(r"^@\w+\{(\w+),", said.stdout + said.stderr, re.M)
        if found != papers.split() + ["intervale"]:
            failures.append((line, f"cites {found} {said.stderr[:200]}"))
for line, found in failures:
    print(f"{line}: {found}")
sys.exit(1 if failures else 0)

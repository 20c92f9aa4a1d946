# SPDX-License-Identifier: Apache-2.0
"""The commands that pages of papers name exist, with their options; runs are taken and named.

usage: papers.py TOOL
"""
import os
import re
import subprocess
import tempfile

import tool

PAPERS = ("webber", "aslam", "carterette", "park", "goutte")
RUNS = [f"c/runs/sim0{i}" for i in range(1, 6)]


def rows(*words):
    done = tool.run("papers", *words, "--quick", "--format", "tsv")
    tool.expect(done.returncode == 0, words, done.stderr)
    head, *lines = [line.split("\t") for line in done.stdout.decode().splitlines()]
    return [dict(zip(head, line)) for line in lines]


def command(line):
    """Name and options of a command line."""
    words = line.split()[1:]
    count = 2 if words[0] in ("plan", "study", "judge") else 1
    return words[:count], re.findall(r"--[a-z-]+", line)


def unknown(line):
    name, options = command(line)
    done = tool.run(*name, "--help-all")
    known = re.findall(r"--[a-z-]+", done.stdout.decode())
    return done.returncode != 0 or [o for o in options if o not in known]


def commands():
    for paper in PAPERS:
        for row in rows(paper, "--table", "commands"):
            tool.expect(not unknown(row["command"]), paper, row["command"])
    tool.expect(unknown("intervale recal --strata FILE"), "a command that does not exist")
    tool.expect(unknown("intervale recall --stratum FILE"), "an option that does not exist")


# Sections with a method or an experiment.
SECTIONS = {"webber": "2.1 to 2.10 3.1 to 3.6 4.1 to 4.4 5.1", "aslam": "2.1 to 2.4 3 3.1 to 3.3 4",
            "carterette": "3.1 to 3.4 4 4.1 4.2 5 5.1 5.2", "park": "3 4.1 to 4.3",
            "goutte": "2.1 to 2.3 3 4 5"}


def sections(text):
    found = set(re.findall(r"[\d.]+", re.sub(r"table \d|Figure \d", "", text)))
    for first, last in re.findall(r"([\d.]+) to ([\d.]+)", text):
        chapter = first.split(".")[0]
        found |= {f"{chapter}.{k}" for k in range(int(first.split(".")[1]),
                                                 int(last.split(".")[1]) + 1)}
    return found


def every_section_has_a_command():
    for paper, wanted in SECTIONS.items():
        named = set().union(*(sections(r["section"]) for r in rows(paper, "--table", "commands")))
        tool.expect(sections(wanted) <= named, paper, sorted(sections(wanted) - named))


def runs():
    made = tool.run("simulate", "--topics", "60", "--documents", "200", "--runs", "5", "--seed",
                    "3", "-o", "c")
    tool.expect(made.returncode == 0, made.stderr)
    for paper in ("aslam", "carterette", "park"):
        found = rows(paper, "--qrels", "c/qrels", *RUNS, "--table", "values")
        data = {row["data"] for row in found if row["data"]}
        said = tool.run("papers", paper, "--quick", "--qrels", "c/qrels", *RUNS, "--table",
                        "totals")
        tool.expect(b"your 5 runs with the judgments c/qrels" in said.stdout + said.stderr, paper)
        tool.expect(data and all(d.startswith("c/qrels, 5 runs") for d in data), paper, data)
    cells = [row for row in rows("carterette", "--qrels", "c/qrels", *RUNS, "--table", "values")
             if row["item"].startswith("Table 2, n = 25") and row["item"].endswith("observed")]
    tool.expect(any(row["data"] == "c/qrels, 5 runs" for row in cells), cells)
    tool.expect(all(row["data"] or "too few topics" in row["reason"] for row in cells), cells)


def figures_name_their_data():
    """Each figure of the paper that is drawn from other data says from which."""
    simulated = {"aslam": (5, "Here: 10 simulated runs."), "park": (4, "Here: simulated scores."),
                 "carterette": (4, "Here: 6 simulated runs."), "webber": (0, "Here: ")}
    for paper, (count, text) in simulated.items():
        drawn = tool.run("papers", paper, "--quick", "--format", "vega").stdout.decode()
        tool.expect(drawn.count(text) == count, paper, drawn.count(text))
    drawn = tool.run("papers", "aslam", "--quick", "--qrels", "c/qrels", *RUNS, "--format", "vega")
    tool.expect(drawn.stdout.count(b"Here: c/qrels, 5 runs.") == 5)


def claims_name_the_estimator():
    for row in rows("aslam", "--table", "claims"):
        if re.search("AP, |infAP|bpref|alone", row["claim"]) and "Section" not in row["claim"]:
            tool.expect("estimator" in row["claim"], row)


def minutes_are_said_first():
    for words in (["webber"], ["park"]):
        with subprocess.Popen([tool.TOOL, "papers", *words], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE) as child:
            line = child.stderr.readline()
            child.kill()
        tool.expect(b"this takes minutes, --quick seconds" in line, words, line)
    quick = tool.run("papers", "park", "--quick", "--table", "totals")
    tool.expect(b"this takes minutes" not in quick.stderr, quick.stderr)


def every_value_is_in_one_share():
    for paper in PAPERS:
        said = tool.run("papers", paper, "--quick", "--table", "totals").stdout.decode()
        for kind in ("printed value", "claim"):
            count, shares = re.search(rf"Of (\d+) {kind}s (.*?)\.(?: |\n)", said).groups()
            parts = [int(part.split()[0]) for part in shares.split(", ")]
            tool.expect(sum(parts) == int(count) and 0 not in parts, paper, said)
        agrees = re.search(r"printed values (\d+) agree", said)
        row = rows(paper, "--table", "totals")[0]
        tool.expect(int(row["agree"]) == (int(agrees[1]) if agrees else 0), paper, said)


with tempfile.TemporaryDirectory(prefix="intervale-papers-") as folder:
    os.chdir(folder)
    commands()
    every_section_has_a_command()
    runs()
    figures_name_their_data()
    claims_name_the_estimator()
    every_value_is_in_one_share()
    minutes_are_said_first()
    os.chdir("/")
tool.finish()

# SPDX-License-Identifier: Apache-2.0
"""One verdict on a target: judge status, judge report and recall on the exported strata say the same sentence,
in simulated sessions of every stopping rule; open disagreements delay it, and are
counted in PRISMA numbers and exports.

usage: verdicts.py INTERVALE
"""
import csv
import io
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOOL = sys.argv[1]


def run(*arguments):
    done = subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout + done.stderr


def sentence(text):
    """The verdict of an answer, with its limits."""
    found = re.search(r"(Yes, certified|No|Inconclusive): .*?(?:judging|analyses: \d+)\)\.",
                      re.sub(r"\s+", " ", text))
    return found.group(0) if found else None


def one_way(status, limits):
    """The limits of the sentence are those of the table, in the same digits."""
    for limit in re.findall(r"limits? ([\d.]+ %)|limits [\d.]+ % and ([\d.]+ %)", status):
        number = "".join(limit)
        assert number in ("0 %", "100 %") or number in limits, (status, limits)


def make(folder, rng, stop, target, recall, assessors="ann"):
    """A session of two strata, and the grade of each document."""
    lists = folder / "lists"
    lists.mkdir(exist_ok=True)
    sizes = {"hits": 120, "rest": 400}
    relevant = {"hits": 60, "rest": round(60 * (1 - recall) / recall)}
    grades = {}
    for name, size in sizes.items():
        ids = [f"{name}{i}" for i in range(size)]
        (lists / name).write_text("\n".join(ids) + "\n")
        found = set(rng.sample(ids, relevant[name]))
        grades.update({d: int(d in found) for d in ids})
    (folder / "strata.csv").write_text("stratum,segment,N,n,r\nhits,retrieved,120,60,0\n"
                                       "rest,unretrieved,400,220,0\n")
    session = folder / "s.db"
    session.unlink(missing_ok=True)
    run("judge", "new", str(session), "--strata", str(folder / "strata.csv"), "--lists",
        str(lists), "--missing-documents", "show-id", "--target", str(target), "--stop", stop,
        "--assessors", assessors, "--overlap", "1" if "," in assessors else "0", "--seed",
        str(rng.randrange(10**6)))
    return str(session), grades


def judge(folder, session, grades, who, most=None):
    """Grades of an assessor, for the first documents of the order."""
    log = run("judge", "export", session, "--as", "ris", "--partial")
    order = re.findall(r"^ID  - (\S+)", log, re.M)
    lines = "".join(f"review 0 {d} {grades[d]}\n" for d in order[:most])
    (folder / f"{who}.qrels").write_text(lines)
    run("judge", "import", session, str(folder / f"{who}.qrels"), "--assessor", who)
    return order


def status_report_and_recall_say_one_sentence(folder):
    """50 sessions: every rule, complete and not, above, at and below the target; in a fifth of them
    two assessors judge everything and disagree."""
    said = {"Yes": 0, "No": 0, "Inconclusive": 0}
    rng = random.Random(5)
    for i in range(50):
        stop = ["plan:3", "anytime", "plan:2"][i % 3]
        two = i % 10 in (3, 8)
        session, grades = make(folder, rng, stop, 0.8, [0.97, 0.8, 0.5, 0.65, 0.9][i % 5],
                               "ann,ben" if two else "ann")
        judge(folder, session, grades, "ann", None if i % 4 else 200)
        if two:
            other = {d: 1 - g if rng.random() < 0.05 else g for d, g in grades.items()}
            judge(folder, session, other, "ben", None if i % 10 == 3 else 100)
        status = sentence(run("judge", "status", session))
        table = folder / "out.csv"
        table.write_text(run("judge", "export", session, "--as", "strata", "--partial", "--quiet"))
        recall = sentence(run("recall", "--strata", str(table)))
        asked = sentence(run("recall", "--strata", str(table), "--guaranteed", "--target", "80%"))
        assert status is not None and status == recall == asked, (i, status, recall, asked)
        page = subprocess.run([TOOL, "recall", "--strata", str(table), "--format", "html"],
                              capture_output=True, text=True, check=False)
        if i == 0 and page.returncode == 0:  # a build without pages has no assumptions to show
            assert "the verdict assumes its rule only" in page.stdout and "what double judgments show" in page.stdout
        report = json.loads(run("judge", "report", session, "--format", "json"))
        first = {r["what"]: r["value"] for r in report["tables"][0]["rows"]}
        assert report["tables"][0]["name"] == "decision" and first["verdict"] == status, (i, first)
        assert sentence(report["answer"]) == status, (i, report["answer"])
        one_way(status, first["limits of the rule"])
        said[re.match(r"\w+", status).group(0)] += 1
    assert min(said.values()) > 2, said
    print("verdicts:", said)


def a_table_that_was_changed_is_refused(folder):
    session, grades = make(folder, random.Random(3), "plan:3", 0.8, 0.9)
    judge(folder, session, grades, "ann")
    text = run("judge", "export", session, "--as", "strata")
    table = folder / "changed.csv"
    rows = text.splitlines()
    cells = rows[1].split(",")
    cells[4] = str(int(cells[4]) - 1)
    table.write_text("\n".join([rows[0], ",".join(cells), *rows[2:]]) + "\n")
    done = subprocess.run([TOOL, "recall", "--strata", str(table)], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 1 and "expected the table as it was exported" in done.stderr, done


def disagreements_delay_a_stop(folder, stop):
    """Two assessors differ on every tenth document; then the second one agrees."""
    session, grades = make(folder, random.Random(8), stop, 0.8, 0.99, "ann,ben")
    judge(folder, session, grades, "ann")
    one = run("judge", "status", session)
    assert "You may stop" not in one and sentence(one).startswith("Inconclusive"), one
    other = {d: 1 - g if i % 10 == 0 else g for i, (d, g) in enumerate(grades.items())}
    order = judge(folder, session, other, "ben")
    differ = sum(other[d] != grades[d] for d in order)
    two = run("judge", "status", session)
    assert "You may stop" not in two and sentence(two).startswith("Inconclusive"), two
    waiting = int(re.search(r"(\d+) judged documents are not decided", two).group(1))
    assert 0 < waiting <= differ, (differ, two)
    note = run("judge", "export", session, "--as", "strata", "-o", str(folder / "o.csv"))
    assert f"Disagreements that the owner has not decided: {differ}." in note, note
    judge(folder, session, grades, "ben")
    end = run("judge", "status", session)
    assert "You may stop" in end and sentence(end).startswith("Yes, certified"), end


def prisma_counts_disagreements(folder):
    (folder / "refs.ris").write_text("".join(
        f"TY  - JOUR\nID  - {i}\nTI  - The title of study {i} of ten\nER  - \n" for i in range(10)))
    session = folder / "refs.db"
    run("judge", "new", str(session), "--queue", str(folder / "refs.ris"), "--assessors",
        "ann,ben", "--overlap", "1")
    for who, labels in (("ann", "1111000000"), ("ben", "10011000")):
        (folder / f"{who}.csv").write_text("record_id,title,included\n" + "".join(
            f"{i},The title of study {i} of ten,{g}\n" for i, g in enumerate(labels)))
        run("judge", "import", str(session), str(folder / f"{who}.csv"), "--assessor", who)
    steps = dict(line.rsplit(None, 1) for line in run("judge", "status", str(session)).splitlines()
                 if line.strip() and line.split()[-1].isdigit())
    assert steps["records screened"] == "10" and steps["included"] == "2", steps
    assert steps["excluded"] == "3" and steps["disagreement, not decided"] == "3", steps
    assert steps["judged by one of two assessors"] == "2", steps
    out = folder / "refs.csv"
    note = run("judge", "export", str(session), "--as", "csv", "-o", str(out))
    assert "Disagreements that the owner has not decided: 3." in note, note
    tags = [row["tags"] for row in csv.DictReader(io.StringIO(out.read_text()))]
    assert tags.count("conflict") == 3 and tags.count("one-of-two") == 2, tags


with tempfile.TemporaryDirectory() as name:
    place = Path(name)
    prisma_counts_disagreements(place)
    for rule in ("plan:3", "anytime"):
        disagreements_delay_a_stop(place, rule)
    a_table_that_was_changed_is_refused(place)
    status_report_and_recall_say_one_sentence(place)
print("ok")

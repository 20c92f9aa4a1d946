# SPDX-License-Identifier: Apache-2.0
"""Systematic reviews whose truth is known: 2,000 records, 40 of them relevant, ranked anew five times
while they are screened, stopped by a control sample (QBCB, recall of 80 %, confidence 95 %).

usage: simulated.py TOOL [PYTHON]     PYTHON: one that has the package asreview, which then ranks
"""
import csv
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import tool  # noqa: E402

RECORDS, RELEVANT, CONTROL, TARGET, BATCH, RANKINGS = 2000, 40, 800, 0.8, 150, 5

RANKER = """
import csv, sys
from asreview.learner import ActiveLearningCycle
from asreview.models import get_ai_config
import numpy as np, pandas as pd
records = pd.read_csv(sys.argv[1]).fillna("")
known = dict(line.split() for line in open(sys.argv[2]))
cycle = ActiveLearningCycle.from_meta(get_ai_config()["value"])
x = cycle.transform(records)
at = np.array([i for i, r in enumerate(records["record_id"]) if r in known])
cycle.fit(x[at], np.array([int(known[r]) for r in records["record_id"][at]]))
print("\\n".join(records["record_id"].iloc[cycle.rank(x)]))
"""


def good(*words, cwd):
    done = tool.run(*words, cwd=cwd)
    tool.expect(done.returncode == 0, words, done.stderr.decode())
    return done.stdout.decode()


def collection(rng):
    """Which records are relevant, which of those a ranker cannot tell, and a random control."""
    relevant = set(rng.sample(range(RECORDS), RELEVANT))
    hidden = {d for d in relevant if rng.random() < 0.15}
    return relevant, hidden, set(rng.sample(range(RECORDS), CONTROL))


def rank(rng, relevant, hidden, known):
    """All records by scores that tell relevant ones the better, the more are known."""
    strength = min(3.0, 0.8 + 0.15 * known)
    return sorted(range(RECORDS), key=lambda d: -(strength * (d in relevant and d not in hidden) + rng.gauss(0, 1)))


def review(rng, needed):
    """Recall when the rule stops: all that was screened by relevance, and the control that was met.
    needed: how many of so many relevant control records; none can be enough: all is screened."""
    relevant, hidden, control = collection(rng)
    enough = needed.get(len(relevant & control))
    screened, met, found = set(), 0, 0
    for turn in range(RANKINGS + 1):
        read = 0
        for d in rank(rng, relevant, hidden, found):
            if d in screened:
                continue
            screened.add(d)
            met += d in control and d in relevant
            found += d in relevant and d not in control
            read += d not in control
            if met == enough:
                return (found + met) / RELEVANT, len(screened | control)
            if turn < RANKINGS and read == BATCH:
                break
    return 1.0, RECORDS


def check_promise(folder):
    """Of 500 reviews no more than 5 % stop below the target (99.9 % limit of a binomial: 41)."""
    needed = {}
    for known in range(14, RELEVANT + 1): # fewer are not enough for 80 %
        said = json.loads(good("recall", "--control", f"{known},{known}", "--target", "80%", "--format", "json", cwd=folder))
        needed[known] = said["tables"][0]["rows"][0]["needed"]
    rng = random.Random(20)
    ends = [review(rng, needed) for _ in range(500)]
    short = sum(recall < TARGET for recall, _ in ends)
    print(f"below the target {short} of 500; mean recall {sum(r for r, _ in ends) / 500:.3f}; mean screened "
          f"{sum(n for _, n in ends) / 500:.0f}; all screened {sum(n == RECORDS for _, n in ends)}")
    tool.expect(short <= 41, short)
    # The same reviews stopped when 80 % of the control are met, the estimate, would fail far more often.
    rng = random.Random(20)
    naive = sum(review(rng, {known: round(TARGET * known) for known in needed})[0] < TARGET for _ in range(500))
    print(f"stopped by the estimate: below the target {naive} of 500")
    tool.expect(naive > 41, "the simulation could not find a rule that fails", naive)


def words(rng, vocabulary, count, share):
    return " ".join(rng.choice(vocabulary) if rng.random() < share else f"word{rng.randrange(3000)}" for _ in range(count))


def judge(folder, labels):
    (folder / "batch.qrels").write_text("".join(f"review 0 {d} {g}\n" for d, g in labels.items()))
    good("judge", "import", "sim.db", "batch.qrels", cwd=folder)
    return good("judge", "status", "sim.db", cwd=folder)


def check_session(folder, python):
    """One of them through the tool: control and rest in one session, ranked anew, stopped; the export has all."""
    rng = random.Random(5)
    relevant, hidden, _ = collection(rng)
    drug, other = ["stroke", "aspirin", "platelet", "trial", "dose"], ["diet", "nurse", "kitchen", "cohort", "heart"]
    with open(folder / "all.csv", "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["record_id", "title", "abstract"])
        for d in range(RECORDS):
            topic = drug if d in relevant and d not in hidden else other
            rows.writerow([f"r{d}", f"Record number {d}: " + words(rng, topic, 6, 0.3), words(rng, topic, 60, 0.1)])
    good("judge", "new", "sim.db", "--queue", "all.csv", "--control", str(CONTROL), "--target", "80%", "--stop", "qbcb",
         "--seed", "3", cwd=folder)
    rows = csv.DictReader(io.StringIO(good("judge", "export", "sim.db", "--as", "csv", "--partial", cwd=folder)))
    control = {r["record_id"]: int(int(r["record_id"][1:]) in relevant) for r in rows if r["tags"] == "control"}
    known = sum(control.values())
    tool.expect(len(control) == CONTROL and known >= 14, len(control), known)
    said = judge(folder, dict(list(control.items())[:-1]))
    tool.expect(f"{CONTROL - 1} of the {CONTROL} control documents (a random sample, judged first) are judged" in said, said)
    judge(folder, control)
    labels, met, reached = {}, set(), []
    for turn in range(20):
        if python and any(labels.values()): # by what is not of the control
            (folder / "known").write_text("".join(f"{d} {g}\n" for d, g in labels.items()))
            order = subprocess.run([python, "-c", RANKER, "all.csv", "known"], cwd=folder, check=True, capture_output=True,
                                   text=True).stdout.split()
        else:
            order = [f"r{d}" for d in rank(rng, relevant, hidden, sum(labels.values()))]
        if turn <= RANKINGS:
            (folder / "ranking.txt").write_text("\n".join(order) + "\n")
            good("judge", "rank", "sim.db", "ranking.txt", cwd=folder)
            reached = [d for d in order if d not in labels and d not in met]
        batch = [d for d in reached if d not in control and d not in labels][:BATCH]
        labels |= {d: int(int(d[1:]) in relevant) for d in batch}
        said = judge(folder, {d: labels[d] for d in batch})
        for d in reached: # down to the first record that is not screened
            if d not in control and d not in labels:
                break
            if d in control:
                met.add(d)
        tool.expect(f" {sum(control[d] for d in met)} of the {known} relevant control documents" in said, said, met)
        if "You may stop" in said:
            break
        tool.expect("Continue the review: " in said, said)
    found = sum(labels.values()) + known
    print(f"{'ASReview' if python else 'a simulated ranker'}: stopped after {len(labels)} and {len(control)} control "
          f"records, recall {found / RELEVANT:.3f}")
    tool.expect(found / RELEVANT >= TARGET, found)
    flow = {r["step"]: r["records"] for t in json.loads(good("judge", "status", "sim.db", "--format", "json", cwd=folder))[
        "tables"] if t["name"] == "prisma" for r in t["rows"]}
    tool.expect(flow["records identified"] == RECORDS and flow["records screened"] == len(labels) + len(control)
                and flow["included"] == found, flow)
    rows = list(csv.DictReader(io.StringIO(good("judge", "export", "sim.db", "--as", "csv", cwd=folder))))
    tool.expect(len(rows) == RECORDS and sum(r["included"] == "1" for r in rows) == found, len(rows))
    page = folder / "report.html"
    if tool.run("judge", "status", "sim.db", "--format", "html", "-o", page, cwd=folder).returncode == 0:
        tool.expect("records identified" in page.read_text(), "the report lacks PRISMA numbers")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_promise(folder)
        check_session(folder, sys.argv[2] if len(sys.argv) > 2 else None)
    tool.finish()


main()

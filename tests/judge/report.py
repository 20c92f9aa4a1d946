# SPDX-License-Identifier: Apache-2.0
"""The report of a session: what it says is what the session and its files hold, interim analyses
and corrections are those of `recall`, and who decided on own labels is named.

usage: report.py INTERVALE
"""
import csv
import hashlib
import io
import json
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

TOOL = sys.argv[1]


def run(*arguments):
    done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def tables_of(*arguments):
    result = json.loads(run(*arguments, "--format", "json"))
    return result, {t["name"]: t["rows"] for t in result["tables"]}


def values(rows):
    return {r["what"]: r["value"] for r in rows}


def make(folder, *words):
    """Two strata, 280 documents to judge, 40 % of them by two; returns path and grades."""
    rng = random.Random(4)
    (folder / "lists").mkdir(exist_ok=True)
    grades = {}
    for name, size, relevant in (("hits", 120, 60), ("rest", 400, 15)):
        ids = [f"{name}{i}" for i in range(size)]
        (folder / "lists" / name).write_text("\n".join(ids) + "\n")
        found = set(rng.sample(ids, relevant))
        grades.update({d: int(d in found) for d in ids})
    (folder / "strata.csv").write_text("stratum,segment,N,n,r\nhits,retrieved,120,60,0\nrest,unretrieved,400,220,0\n")
    (folder / "how.txt").write_text("Relevant: the merger.\n\nNot relevant: newsletters.\n")
    session = folder / "s.db"
    session.unlink(missing_ok=True)
    run("judge", "new", session, "--strata", folder / "strata.csv", "--lists", folder / "lists", "--missing-documents",
        "show-id", "--target", "0.7", "--stop", "plan:3", "--assessors", "ann,ben", "--overlap", "0.4", "--seed", "7",
        "--guidelines", folder / "how.txt", *words)
    return session, grades


def take(folder, session, who, grades):
    (folder / who).write_text("".join(f"review 0 {d} {g}\n" for d, g in grades.items()))
    run("judge", "import", session, folder / who, "--assessor", who)


def rows_of(session, sql):
    db = sqlite3.connect(session)
    rows = db.execute(sql).fetchall()
    db.close()
    return rows


def judged_twice(folder, session, grades):
    """ann and ben judge, with errors; returns the order, ann's labels and the disagreements."""
    rng = random.Random(9)
    items = rows_of(session, "SELECT docno, twice FROM item JOIN document ON document.id = document ORDER BY item.id")
    ann = {d: grades[d] if rng.random() > 0.1 else 1 - grades[d] for d, _ in items}
    ben = {d: grades[d] if rng.random() > 0.1 else 1 - grades[d] for d, twice in items if twice}
    take(folder, session, "ann", ann)
    take(folder, session, "ben", ben)
    return [d for d, _ in items], ann, ben


def it_holds_what_session_and_files_hold(folder):
    session, grades = make(folder)
    judged_twice(folder, session, grades)
    result, t = tables_of("judge", "report", session)
    is_ = values(t["session"])
    (log,), = rows_of(session, "SELECT value FROM meta WHERE key = 'sum:log'")
    assert is_["last checksum"] == f"SHA-256 {log}" and is_["identity"] in str(rows_of(session, "SELECT value FROM meta"))
    assert is_["imported"].startswith("392 of these: made elsewhere") and is_["changed"].startswith("0 labels"), is_
    assert is_["without text"].startswith("280 documents"), is_
    assert is_["judgments"] == "392 in the log" and is_["seed"].startswith("7,"), is_
    assert is_["made"][:19] <= is_["first judgment"][:19] <= is_["last judgment"][:19], is_
    read = {r["file"]: r["sha256"] for r in t["inputs"]}
    names = ["strata.csv", "how.txt", "lists/hits", "lists/rest"]
    assert read == {str(folder / n): hashlib.sha256((folder / n).read_bytes()).hexdigest() for n in names}, read
    assert [r["guidelines"] for r in t["guidelines"]] == ["Relevant: the merger.", "Not relevant: newsletters."]
    assert [(r["documents"], r["sampled"]) for r in t["frame"]] == [(120, 60), (400, 220)], t["frame"]
    assert sum(r["documents"] for r in t["excluded"]) == 280 - sum(r["relevant"] for r in t["frame"]), t["excluded"]
    cited = json.dumps(result["citations"])
    assert all(k in cited for k in ("buehler1957product", "obrien1979multiple", "cohen1960coefficient")), cited
    assert any(n["text"].startswith("The verdict assumes that the judgments are correct") for n in result["notes"])
    assert values(t["decision"])["the verdict assumes"].startswith("that the judgments are correct"), t["decision"]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", r["first"]) for r in t["assessors"]), t["assessors"]
    page = run("judge", "report", session, "--format", "text")
    assert re.search(r"assumed to be correct", page) is not None, page
    assert re.search(r"^a +b +items +agreement +95 % interval +kappa +95 % interval$", page, re.M) is not None, page
    db = sqlite3.connect(session)
    db.execute("UPDATE meta SET value = '0.9' WHERE key = 'target'")
    db.commit()
    db.close()
    done = subprocess.run([TOOL, "judge", "report", session], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "damaged" in done.stderr, done


def files_of_texts_are_named(folder):
    """A collection is too large for a checksum of its own: its texts in the session have one."""
    (folder / "docs.tsv").write_text("a\tthe first text\nb\tthe second text\n")
    (folder / "two.run").write_text("1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n")
    session = folder / "texts.db"
    run("judge", "new", session, "--queue", folder / "two.run", "--documents", folder / "docs.tsv")
    _, t = tables_of("judge", "report", session)
    read = {r["file"]: r["sha256"] for r in t["inputs"]}
    assert read == {str(folder / "two.run"): hashlib.sha256((folder / "two.run").read_bytes()).hexdigest(),
                    str(folder / "docs.tsv"): None}, read
    (texts,), = rows_of(session, "SELECT value FROM meta WHERE key = 'sum:texts'")
    assert values(t["session"])["texts"] == f"SHA-256 {texts}, of the titles and texts that assessors saw"


def interim_analyses_are_those_of_recall(folder):
    session, grades = make(folder)
    order, _, _ = judged_twice(folder, session, grades)
    before = rows_of(session, "SELECT count(*) FROM judgment")[0][0]
    take(folder, session, "ben", {d: grades[d] for d in order})
    take(folder, session, "ann", {d: grades[d] for d in order})
    _, t = tables_of("judge", "report", session)
    current = rows_of(session, "SELECT count(*) FROM current")[0][0]
    changed = rows_of(session, "SELECT count(*) FROM judgment")[0][0] - current
    assert values(t["session"])["changed"].startswith(f"{changed} labels") and changed > 0 and before < current + changed
    assert [r["documents"] for r in t["interim"]] == [94, 187, 280], t["interim"]
    decided = False
    for k, row in enumerate(t["interim"]):
        assert (row["outcome"] == "not needed") == decided, row
        if decided:
            continue
        seen = order[:row["documents"]]
        counts = {s: (sum(d.startswith(s) for d in seen), sum(grades[d] for d in seen if d.startswith(s)))
                  for s in ("hits", "rest")}
        _, of = tables_of("recall", "--retrieved", "120,%d,%d" % counts["hits"], "--unretrieved", "400,%d,%d" % counts["rest"],
                          "--guaranteed", "--looks", "3", "--look", k + 1)
        assert abs(of["recall"][0]["lower"] - row["lower"]) < 1e-4, (row, of["recall"])
        decided = row["outcome"] == "target demonstrated"
        assert decided == (row["lower"] >= 0.7), row


def corrections_are_those_of_recall(folder):
    """The counts of --rechecked are taken from the session: first labels against decided ones."""
    session, grades = make(folder, "--adjudicator", "carla")
    order, ann, ben = judged_twice(folder, session, grades)
    _, t = tables_of("judge", "report", session)
    assert values(t["errors"])["correction"] == ("none (disagreements are open): the judgments are assumed to be "
                                                 "correct"), t["errors"]
    differ = {d: grades[d] for d in ben if ann[d] != ben[d]}
    take(folder, session, "carla", differ)
    right = {d: ann[d] if ann[d] == ben[d] else grades[d] for d in ben}
    sample, rechecked = {}, []
    for name, size in (("hits", 120), ("rest", 400)):
        docs = [d for d in order if d.startswith(name)]
        sample[name] = f"{size},{len(docs)},{sum(ann[d] for d in docs)}"
        for label in (1, 0):
            both = [d for d in docs if d in ben and ann[d] == label]
            rechecked += [len(both), sum(right[d] for d in both)]
    words = ["recall", "--retrieved", sample["hits"], "--unretrieved", sample["rest"], "--rechecked", ",".join(map(str, rechecked))]
    k, c, m, d, k0, c0, m0, d0 = rechecked
    for more in ([], ["--guaranteed"]):
        plain = run(*words, *more)
        at = re.search(r"estimated at ([\d.]+ %) \(95 % interval ([\d.]+ %) to ([\d.]+ %)\)", plain).groups()
        said = re.sub(r"\s+", " ", run("judge", "status", session))
        result, t = tables_of("judge", "report", session)
        errors = values(t["errors"])
        limits = re.findall(r"limit ([\d.]+) %", errors["guaranteed"])  # on both sides of the target: no verdict
        assert values(t["decision"])["verdict"].startswith("No: recall is below 70 %"), t["decision"]
        assert any(f"Corrected limits do not show what it says: one-sided {limits[0]} % to {limits[1]} %." in n["text"]
                   for n in result["notes"]), (limits, result["notes"])
        assert values(t["decision"])["corrected limits"].endswith(
            "They do not show what the verdict says"), t["decision"]
        if more:
            _, of = tables_of(*words, "--guaranteed", "--one-sided")
            lower, upper = of["rechecked"][0]["lower"], of["rechecked"][0]["upper"]
            found = [float(x) for x in re.findall(r"limit ([\d.]+) %", errors["guaranteed"])]
            assert 0 <= 100 * lower - found[0] < 1 and 0 <= found[1] - 100 * upper < 1, (errors, of)
            continue
        assert (f"Corrected for assessor error ({len(ben)} documents judged twice), recall is estimated at {at[0]} "
                f"(95 % interval {at[1]} to {at[2]}); without the correction at ") in said, (said, at)
        assert errors["corrected recall"] == f"{at[0]} (two-sided 95 % interval {at[1]} to {at[2]})", (errors, at)
        assert errors["said relevant"] == f"{k + k0} first labels, {k - c + k0 - c0} of them not as decided", (errors, rechecked)
        assert errors["said not relevant"] == f"{m + m0} first labels, {d + d0} of them not as decided", (errors, rechecked)
    assert errors["decided by"] == f"carla: {len(differ)} disagreements, 0 of them with a label of carla's own", errors


def who_decides_on_own_labels_is_named(folder):
    (folder / "refs.ris").write_text("".join(f"TY  - JOUR\nID  - {i}\nTI  - The title of study {i} of ten\nER  - \n"
                                             for i in range(10)))
    session = folder / "r.db"
    for words, who in (((), "ann"), (("--adjudicator", "carla"), "carla")):
        session.unlink(missing_ok=True)
        run("judge", "new", session, "--queue", folder / "refs.ris", "--assessors", "ann,ben", "--overlap", "1", *words)
        topic = rows_of(session, "SELECT name FROM topic")[0][0]
        for name, labels in (("ann", "1111000000"), ("ben", "1001100000")):
            (folder / name).write_text("".join(f"{topic} 0 {i} {g}\n" for i, g in enumerate(labels)))
            run("judge", "import", session, folder / name, "--assessor", name)
        people = {r["assessor"]: r["may"] for r in tables_of("judge", "status", session)[1]["assessors"]}
        assert people[who].endswith("adjudicate") and people["ben"] == "judge", people
        if who == "carla":
            (folder / "carla").write_text(f"{topic} 0 1 1\n{topic} 0 2 0\n{topic} 0 4 0\n")
            run("judge", "import", session, folder / "carla", "--assessor", "carla")
            again = run("judge", "import", session, folder / "carla", "--assessor", "carla")
            assert re.search(r"^stored +0$", again, re.M), again
        else:
            db = sqlite3.connect(session)
            assert db.execute("SELECT count(*) FROM current WHERE final = 1").fetchone() == (0,)
            db.close()
            decide(session, folder, topic)
        result, t = tables_of("judge", "report", session)
        note = "ann decided 3 disagreements in which one of the labels is ann's own."
        assert (note in [n["text"] for n in result["notes"]]) == (who == "ann"), result["notes"]
        assert values(t["errors"])["decided"] == "3 disagreements", t["errors"]
        assert values(t["errors"])["correction"].startswith("none (it needs the strata"), t["errors"]
        labels = csv.DictReader(io.StringIO(run("judge", "export", session, "--as", "csv")))
        assert sum(r["included"] == "1" for r in labels) == 3
        tagged = [(r["reason"], r["documents"]) for r in t["excluded"] if "privileged" in r["reason"]]
        assert tagged == ([("  of these, tagged privileged", 2), ("tagged privileged, whatever the label", 3)]
                          if who == "ann" else []), t["excluded"]
    done = subprocess.run([TOOL, "judge", "new", folder / "x.db", "--queue", folder / "refs.ris", "--assessors", "ann,ben",
                           "--adjudicator", "ben"], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "adjudicator 'ben' is one of the assessors" in done.stderr, done


def decide(session, folder, topic):
    """The owner decides on the page, as an owner would."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "cli"))
    sys.path.insert(0, str(Path(__file__).parent))
    import tool  # noqa: E402
    from serving import Server, asking
    tool.needs_loopback()
    with Server(folder, session.name) as s:
        ask = asking(s)
        identity = ask("GET", "/api/session")["session"]
        for n in range(3):
            item = ask("GET", "/api/next?adjudicate=1")["next"]
            ask("POST", "/api/judgments", {"session": identity, "judgments": [
                {"uuid": f"00000000-0000-4000-8000-00000000000{n}", "item": item["item"], "docno": item["docno"],
                 "reason": "adjudicated", "grade": int(item["docno"] == "1"), "note": "#privileged"}]})


with tempfile.TemporaryDirectory() as name:
    place = Path(name)
    it_holds_what_session_and_files_hold(place)
    files_of_texts_are_named(place)
    interim_analyses_are_those_of_recall(place)
    corrections_are_those_of_recall(place)
    who_decides_on_own_labels_is_named(place)
print("ok")

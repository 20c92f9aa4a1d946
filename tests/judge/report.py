# SPDX-License-Identifier: Apache-2.0
"""The report of a session: what it says is what the session and its files hold, interim analyses
and corrections are those of `recall`, and who decided on own labels is named.

usage: report.py INTERVALE
"""
import csv
import hashlib
import io
import itertools
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


def make(folder, *words, stop="plan:3", overlap=0.4):
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
        "show-id", "--target", "0.7", "--stop", stop, "--assessors", "ann,ben", "--overlap", overlap, "--seed", "7",
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
    assert is_["imported"].startswith("392 of these, made elsewhere") and is_["changed"].startswith("0 labels"), is_
    assert is_["without text"] == "280 documents, of which the session shows only title and id", is_
    assert is_["judgments"] == "392 in the log" and is_["seed"].startswith("7,"), is_
    assert "first judgment" not in is_, is_
    read = {(r["file"], r["used_for"]): r["sha256"] for r in t["inputs"]}
    names = {"strata.csv": "session", "how.txt": "session", "lists/hits": "session", "lists/rest": "session",
             "ann": "labels of ann", "ben": "labels of ben"}
    assert read == {(str(folder / n), use): hashlib.sha256((folder / n).read_bytes()).hexdigest()
                    for n, use in names.items()}, read
    run("judge", "import", session, folder / "ben", "--assessor", "ben")  # again: it is listed once
    assert len(tables_of("judge", "report", session)[1]["inputs"]) == 6
    assert [r["guidelines"] for r in t["guidelines"]] == ["Relevant: the merger.", "Not relevant: newsletters."]
    assert [(r["documents"], r["sampled"]) for r in t["frame"]] == [(120, 60), (400, 220)], t["frame"]
    assert sum(r["documents"] for r in t["excluded"] if r["reason"][0] != " ") == 280 - sum(r["relevant"] for r in t["frame"]), t["excluded"]
    cited = json.dumps(result["citations"])
    assert all(k in cited for k in ("buehler1957product", "obrien1979multiple", "cohen1960coefficient")), cited
    assert any(n["text"].startswith("The verdict assumes that the judgments are correct") for n in result["notes"])
    assert all(r["first"] is None and r["imported"] == r["judged"] for r in t["assessors"]), t["assessors"]
    page = run("judge", "report", session, "--format", "text")
    assert re.search(r"assumed to be correct", page) is not None, page
    assert re.search(r"^a +b +items +agreement +95 % interval +kappa +95 % interval$", page, re.M) is not None, page
    db = sqlite3.connect(session)
    db.execute("UPDATE meta SET value = '0.9' WHERE key = 'target'")
    db.commit()
    db.close()
    done = subprocess.run([TOOL, "judge", "report", session], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "damaged" in done.stderr, done


def open_labels_have_a_range(folder):
    """What the report says of the worst and best decisions is what it says when they are made."""
    for rule in ("anytime", "plan:3"):
        session, grades = make(folder, "--adjudicator", "carla", stop=rule)
        _, ann, ben = judged_twice(folder, session, grades)
        differ = [d for d in ben if ann[d] != ben[d]]
        result, t = tables_of("judge", "report", session)
        is_ = values(t["decision"])
        recall = re.match(r"([\d.]+ %) if all of these go against the review, ([\d.]+ %) if all go for it$",
                          is_["estimate, by how"]).groups()
        limits = re.match(r"(one-sided .*) if all of these go against the review; (.*) if all go for it$",
                          is_["limits, by how"]).groups()
        assert any(n["text"].endswith(f"all {len(differ)} documents that are not decided are decided, recall is estimated "
                                      f"at {recall[0]} to {recall[1]}.") for n in result["notes"]), result["notes"]
        assert is_["verdict"].startswith("Inconclusive") and not any("decide" in k for k in is_ if k != "not decided"), is_
        assert "as the labels stand" in result["answer"], result["answer"]
        under = [r["answer"] for r in t["under"]]
        assert under[0] == "recall by the owner's grade, else the last one" and "adjudicated" not in str(under), under
        assert [v for k, v in values(t["errors"]).items() if k == "decides"] == ["carla, who judged nothing"], t["errors"]
        for end in (0, 1):  # hits are the retrieved documents
            take(folder, session, "carla", {d: int(d.startswith("hits") == (end == 1)) for d in differ})
            decided = values(tables_of("judge", "report", session)[1]["decision"])
            assert decided["estimate"].startswith(recall[end] + " ("), (rule, end, decided, recall)
            assert decided["limits of the rule"].removeprefix("one-sided ").startswith(
                limits[end].removeprefix("one-sided ") + ", rounded outwards;"), (rule, end, decided, limits)
            assert decided["not decided"] == "0" and "estimate, by how" not in decided, decided
        assert tables_of("judge", "report", session)[1]["under"][0]["answer"].startswith("recall as adjudicated")


def what_an_import_hides_is_said(folder):
    session, grades = make(folder)
    judged_twice(folder, session, grades)
    result, t = tables_of("judge", "report", session)
    is_, session_of = values(t["decision"]), values(t["session"])
    page = run("judge", "report", session, "--format", "html")
    text = page[page.index("<h2>Assumptions</h2>"):]
    assert "judged in the random order of the session. It is not known whether imported judgments were." in text, text
    assert "planned before judging began, which is not known of imported judgments" in text, text
    assert is_["the verdict assumes"] == ("that 392 imported judgments were made in the order of the session and by "
                                          "its stopping rule, which is not known"), is_
    assert {r["judged_by"] for r in t["interim"]} == {"unknown (imported)"}, t["interim"]
    assert session_of["sample"].startswith("sampled by intervale when the session was made, with the seed below, at random "
                                           "within each stratum") and "who ran it" in session_of["sample"], session_of
    assert session_of["changed"].endswith("or by a later import of that person's labels"), session_of
    assert session_of["estimates"].endswith("before an import is not known"), session_of
    assert "ann, who also judged" in values(t["errors"])["decides"], t["errors"]
    assumed = [r["value"] for r in t["decision"] if r["what"] == "the verdict assumes"]
    assert "168 of 280 judged documents have one label, and its errors are not in the limits" in assumed[0], assumed
    terms = re.findall(r"<dt>([^<]*)</dt><dd>", page[page.index("<h2>Glossary</h2>"):])
    assert {"recall", "interval", "one-sided", "two-sided", "e-value", "kappa", "elusion"} <= set(terms), terms


def a_page_says_when_and_by_what(folder):
    """Judged on the page: dates are known, methods say what each is for, limits their confidence."""
    session, grades = make(folder, overlap=0)
    on_the_page(folder, session, lambda item: ("judged", grades[item["docno"]]))
    result, t = tables_of("judge", "report", session)
    is_, session_of = values(t["decision"]), values(t["session"])
    assert session_of["imported"] == "0 of these" and session_of["made"][:19] <= session_of["first judgment"][:19], session_of
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", t["assessors"][0]["first"]), t["assessors"]
    page = run("judge", "report", session, "--format", "html")
    assert "not known of imported" not in page and "It is not known" not in page, page
    assert is_["limits of the rule"].endswith("95 % confidence each, the lower one for all interim analyses together"), is_
    assert is_["verdict"].startswith("Yes") and "upper" not in is_["limits of the rule"], is_
    rows = {r["kind"]: r["valid"] for r in t["numbers"]}
    assert all("95 %" in rows[k] and "-sided" in rows[k] for k in ("plan", "guaranteed", "now")), rows
    methods = result["method"]
    assert "for the limit of each interim analysis (row 'plan')" in methods, methods
    assert "O'Brien and Fleming's bounds, for the confidence of each interim analysis" in methods, methods
    n = {s: sum(grades[r] for r, in rows_of(session, "SELECT docno FROM document") if r.startswith(s)) for s in ("hits", "rest")}
    _, of = tables_of("recall", "--retrieved", f"120,60,{n['hits']}", "--unretrieved", f"400,220,{n['rest']}")
    shown = values(t["quantities"])
    for name in ("precision", "elusion"):
        x = next(r for r in of["measures"] if r["quantity"] == name)
        numbers = [float(v) / 100 for v in re.findall(r"([\d.]+) %", shown[name].replace("95 % interval", ""))]
        assert all(abs(a - b) < 0.006 for a, b in zip(numbers, (x["estimate"], x["lower"], x["upper"]), strict=True)), (shown, x)
    missed = next(r for r in of["yield"] if r["documents"] == "unretrieved")
    assert shown["relevant, not retrieved"].startswith(f"{missed['estimate']:.0f} ("), (shown, missed)


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
    assert values(t["session"])["texts"] == f"SHA-256 {texts}, of the titles and texts that the session shows"


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
        seen = order[:row["documents"]]
        counts = {s: (sum(d.startswith(s) for d in seen), sum(grades[d] for d in seen if d.startswith(s)))
                  for s in ("hits", "rest")}
        _, of = tables_of("recall", "--retrieved", "120,%d,%d" % counts["hits"], "--unretrieved", "400,%d,%d" % counts["rest"],
                          "--guaranteed", "--looks", "3", "--look", k + 1)
        assert abs(of["recall"][0]["lower"] - row["lower"]) < 1e-4, (row, of["recall"])
        assert decided or (row["outcome"] == "target demonstrated") == (row["lower"] >= 0.7), row
        decided = decided or row["lower"] >= 0.7


def labels_that_drift_have_no_verdict(folder):
    """The limits of a rule need random order: the session tests it as recall tests a log, and says the same."""
    for stop in ("anytime", "plan:3"):
        session, grades = make(folder, stop=stop, overlap=0)
        order = [d for (d,) in rows_of(session, "SELECT docno FROM item JOIN document ON document.id = document ORDER BY item.id")]
        for drift in (False, True):  # from "hits are relevant" to "they are not"
            hits = [d for d in order if d.startswith("hits")]
            take(folder, session, "ann", {d: int(d in hits[:40]) if drift else int(d in hits) and grades[d] for d in order})
            _, t = tables_of("judge", "report", session)
            said = values(t["decision"])["verdict"]
            assert ("not in random order within their strata (p = " in said) == drift, (stop, drift, said)
            assert said.startswith("Inconclusive") or not drift, said
            table, log = folder / "out.csv", folder / "out.log"
            run("judge", "export", session, "--as", "strata", "-o", table)
            again = re.sub(r"\s+", " ", run("recall", "--strata", table, "--guaranteed"))
            assert said in again, (said, again)
            log.write_text("stratum,relevant\n" + "".join(
                f"{d.rstrip('0123456789')},{int(d in hits[:40]) if drift else int(d in hits) and grades[d]}\n" for d in order))
            (folder / "sizes.csv").write_text("stratum,segment,N,n,r\nhits,retrieved,120,0,0\nrest,unretrieved,400,0,0\n")
            done = subprocess.run([TOOL, "recall", "--anytime", "--strata", folder / "sizes.csv", "--log", log, "--target", "0.7"],
                                  capture_output=True, text=True, check=False)
            assert ("not in random order" in done.stderr) == drift, (drift, done)
            if drift:
                p = re.search(r"p = [^)]*", said).group()
                assert p in done.stderr, (p, done.stderr)


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
    for more in ([], ["--guaranteed"]):
        plain = run(*words, *more)
        at = re.search(r"estimated at ([\d.]+ %) \(95 % interval ([\d.]+ %) to ([\d.]+ %)\)", plain).groups()
        said = re.sub(r"\s+", " ", run("judge", "status", session))
        result, t = tables_of("judge", "report", session)
        errors = values(t["errors"])
        decision = values(t["decision"])
        limits = re.findall(r"limit ([\d.]+) %", decision["corrected limits"])  # on both sides of the target: no verdict
        assert values(t["decision"])["verdict"].startswith("No: recall is below 70 %"), t["decision"]
        assert values(t["decision"])["corrected limits"].endswith(
            "They do not show what the verdict says"), t["decision"]
        if more:
            _, of = tables_of(*words, "--guaranteed", "--one-sided")
            lower, upper = of["rechecked"][0]["lower"], of["rechecked"][0]["upper"]
            found = [float(x) for x in limits]
            assert 0 <= 100 * lower - found[0] < 1 and 0 <= found[1] - 100 * upper < 1, (errors, of)
            continue
        assert (f"Corrected for assessor error ({len(ben)} documents judged twice), the verdict is not demonstrated: the "
                f"guaranteed one-sided upper limit is {limits[1]} %. Corrected recall is estimated at {at[0]} "
                f"(95 % interval {at[1]} to {at[2]}); without the correction at ") in said, (said, at)
        assert decision["corrected estimate"].startswith(f"{at[0]} (two-sided 95 % interval {at[1]} to {at[2]}), "
                                                         "corrected"), (decision, at)
        for side, (said, kept, other, wrong) in (("of retrieved ones", rechecked[:4]), ("of unretrieved ones", rechecked[4:])):
            assert errors[side] == (f"{said} first labels said relevant, {said - kept} of them not as decided; {other} said "
                                    f"not relevant, {wrong} of them not as decided"), (errors, rechecked)
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
            on_the_page(folder, session, lambda item: ("adjudicated", int(item["docno"] == "1"), "#privileged"), True)
        result, t = tables_of("judge", "report", session)
        note = "ann decided 3 disagreements in which one of the labels is ann's own."
        assert (note in [n["text"] for n in result["notes"]]) == (who == "ann"), result["notes"]
        assert values(t["errors"])["decided"] == "3 disagreements", t["errors"]
        assert values(t["errors"])["correction"].startswith("none (it needs the strata"), t["errors"]
        assert not any("replaced" in n["text"] for n in result["notes"]), result["notes"]
        labels = csv.DictReader(io.StringIO(run("judge", "export", session, "--as", "csv")))
        assert sum(r["included"] == "1" for r in labels) == 3
        tagged = [(r["reason"], r["documents"]) for r in t["excluded"] if "privileged" in r["reason"]]
        assert tagged == ([("  of these, tagged privileged", 2), ("tagged privileged, whatever the label", 3)]
                          if who == "ann" else []), t["excluded"]
    (folder / "carla").write_text(f"{topic} 0 0 0\n{topic} 0 9 1\n{topic} 0 8 0\n")  # both had said 1, 0 and 0
    run("judge", "import", session, folder / "carla", "--assessor", "carla")
    result, t = tables_of("judge", "report", session)
    assert "carla replaced the labels of 2 documents on which nobody disagreed." in [n["text"] for n in result["notes"]]
    assert values(t["errors"])["replaced by"] == "carla: the labels of 2 documents on which nobody disagreed", t["errors"]
    assert values(t["errors"])["decided"] == "3 disagreements", t["errors"]
    done = subprocess.run([TOOL, "judge", "new", folder / "x.db", "--queue", folder / "refs.ris", "--assessors", "ann,ben",
                           "--adjudicator", "ben"], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "adjudicator 'ben' is one of the assessors" in done.stderr, done


def on_the_page(folder, session, say, adjudicate=False):
    """The owner judges, or decides, on the page; say: reason, grade and perhaps a note of an item."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "cli"))
    sys.path.insert(0, str(Path(__file__).parent))
    import tool  # noqa: E402
    from serving import Server, asking
    tool.needs_loopback()
    with Server(folder, session.name) as s:
        ask = asking(s)
        identity = ask("GET", "/api/session")["session"]
        for n in itertools.count():
            item = ask("GET", "/api/next?adjudicate=1" if adjudicate else "/api/next").get("next")
            if not item:
                break
            reason, grade, *note = say(item)
            ask("POST", "/api/judgments", {"session": identity, "judgments": [
                {"uuid": f"00000000-0000-4000-8000-{n:012}", "item": item["item"], "docno": item["docno"],
                 "reason": reason, "grade": grade, **({"note": note[0]} if note else {})}]})


with tempfile.TemporaryDirectory() as name:
    place = Path(name)
    it_holds_what_session_and_files_hold(place)
    open_labels_have_a_range(place)
    what_an_import_hides_is_said(place)
    a_page_says_when_and_by_what(place)
    files_of_texts_are_named(place)
    interim_analyses_are_those_of_recall(place)
    labels_that_drift_have_no_verdict(place)
    corrections_are_those_of_recall(place)
    who_decides_on_own_labels_is_named(place)
print("ok")

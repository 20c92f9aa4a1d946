# SPDX-License-Identifier: Apache-2.0
"""The report of a session: what it says is what the session and its files hold, interim analyses
and corrections are those of `recall`, and who decided on own labels is named.

usage: report.py INTERVALE
"""
import csv
import hashlib
import html
import io
import itertools
import json
import math
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


def make(folder, *words, stop="plan:3", overlap=0.4, rest=220):
    """Two strata, 280 documents to judge, 40 % of them by two; returns path and grades."""
    rng = random.Random(4)
    (folder / "lists").mkdir(exist_ok=True)
    grades = {}
    for name, size, relevant in (("hits", 120, 60), ("rest", 400, 15)):
        ids = [f"{name}{i}" for i in range(size)]
        (folder / "lists" / name).write_text("\n".join(ids) + "\n")
        found = set(rng.sample(ids, relevant))
        grades.update({d: int(d in found) for d in ids})
    (folder / "strata.csv").write_text("stratum,segment,N,n,r\nhits,retrieved,120,60,0\n"
                                       f"rest,unretrieved,400,{rest},0\n")
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
    found = sum(r["relevant"] for r in t["frame"])
    labels = {r["label"]: (r["counts_as"], r["documents"]) for r in t["labels"]}
    assert sum(n for _, n in labels.values()) == 280 and labels["not judged"] == ("no label", 0), labels
    relevant, others, waiting = labels["1: relevant"][1], labels["0: not relevant"][1], labels["not decided"][1]
    assert [labels[k][0] for k in ("1: relevant", "0: not relevant")] == ["relevant", "not relevant"], labels
    assert 0 < waiting == int(values(t["decision"])["not decided"].split()[0]) and relevant <= found <= relevant + waiting, labels
    assert is_["without text"] == (f"280 of the 280 documents have no text or abstract: {relevant} are relevant, {others} not relevant, "
                                   f"{waiting} not decided, 0 nobody could judge, 0 are not judged"), is_
    assumed = [r["value"] for r in t["decision"] if r["what"] == "the verdict assumes"]
    assert (f"that of {relevant + others} documents without text or abstract {others} are not relevant and {relevant} relevant, "
            "as they were labelled") in assumed, assumed
    assert is_["overlap"] == "40 % of the documents, chosen at random, are for two assessors" and "dates" not in is_, is_
    assert values(t["decision"])["judged"] == "280 of 280 documents", t["decision"]
    assert values(t["decision"])["relevant"] == f"{found} of the 280 judged, as the labels stand", t["decision"]
    assert values(t["errors"])["judged by two"].startswith("112 of the 280 judged documents;"), t["errors"]
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
    cited = json.dumps(result["citations"])
    assert all(k in cited for k in ("buehler1957product", "obrien1979multiple", "cohen1960coefficient")), cited
    assert any(n["text"] == f"The verdict assumes that decided judgments are correct, while {waiting} documents are not "
               "decided." for n in result["notes"]), result["notes"]
    assert all(r["first"] is None and r["imported"] == r["judged"] for r in t["assessors"]), t["assessors"]
    page = run("judge", "report", session, "--format", "text")
    assert len(re.findall(f"that decided judgments are correct, while {waiting} documents are not decided", page)) == 3, page
    assert "judgments are correct, as" not in page, page
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
        recall = re.match(r"([\d.]+ %) if all of these that were retrieved are not relevant and all others are, "
                          r"([\d.]+ %) if the reverse$",
                          is_["estimate, by how"]).groups()
        limits = re.match(r"(one-sided .*) in the first case; (.*) in the second$",
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
    assert "it does not allow for errors; 168 of the 280 documents that it uses have one label only" in assumed[0], assumed
    terms = re.findall(r"<dt>([^<]*)</dt><dd>", page[page.index("<h2>Glossary</h2>"):])
    assert {"recall", "interval", "one-sided", "two-sided", "e-value", "kappa", "elusion", "adjudicate", "Buehler", "interim",
            "jackknife", "O'Brien", "SHA-256", "stopping rule"} <= set(map(html.unescape, terms)), terms
    assert "QBCB" not in terms, terms
    for text in ("Recall is among the documents of the strata of this session: relevant documents that were not collected",
                 "valid for every true value and at several times, so they can be wider", "It is assumed that decided judgments",
                 "jackknife with Student&#39;s t, for intervals of kappa", "Fleiss", "Korn"):
        assert text.replace("&#39;", "'") in html.unescape(page), (text, page)


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
    order, ann, ben = judged_twice(folder, session, grades)
    before = rows_of(session, "SELECT count(*) FROM judgment")[0][0]
    take(folder, session, "ben", {d: grades[d] for d in order})
    take(folder, session, "ann", {d: grades[d] for d in order})
    _, t = tables_of("judge", "report", session)
    current = rows_of(session, "SELECT count(*) FROM current")[0][0]
    changed = rows_of(session, "SELECT count(*) FROM judgment")[0][0] - current
    assert values(t["session"])["changed"].startswith(f"{changed} labels") and changed > 0 and before < current + changed
    turned = [sum(labels[d] == was != grades[d] for labels in (ann, ben) for d in labels) for was in (1, 0)]
    assert (f"(relevant to not relevant: {turned[0]}, the reverse: {turned[1]}, 'cannot judge' to a label: 0)"
            in values(t["session"])["changed"]), (turned, t)
    assert values(t["errors"])["judged by two"].endswith(
        f". {len(ben)} were chosen at random when the session was made, {len(order) - len(ben)} were not. Who judged those "
        "chose them, so agreement need not represent the other documents"), t["errors"]
    assert sum(turned) == changed and min(turned) > 0, turned
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


def the_limit_of_an_early_analysis_is_named(folder):
    session, grades = make(folder)
    order, _, _ = judged_twice(folder, session, grades)
    for who in ("ben", "ann"):
        take(folder, session, who, {d: int(d.startswith("hits")) and grades[d] for d in order})
    _, t = tables_of("judge", "report", session)
    met, last = next((k, r) for k, r in enumerate(t["interim"], 1) if r["outcome"] == "target demonstrated"), t["interim"][2]
    limit = re.escape(f"by the first {met[1]['documents']} documents (analysis {met[0]} of 3), ") + r"([\d.]+) % by all 280 \(analysis 3 of 3\)"
    for text in (values(t["decision"])["limits of the rule"], re.sub(r"\s+", " ", run("judge", "status", session))):
        said = float(re.search(limit, text).group(1))  # rounded outwards
        assert met[0] < 3 and 0 <= 100 * last["lower"] - said < 1, (said, last)
    assert t["under"][0]["documents"] == 280, t["under"]
    assert all(r["rule_documents"] == met[1]["documents"] for r in t["under"]), (met, t["under"])
    assert f" of the {met[1]['documents']} documents that it uses have one label only" in json.dumps(t["decision"]), t["decision"]


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
            decision = values(t["decision"])
            if "limits of the rule" in decision:
                assert decision["limits of the rule"].startswith("not valid here") == drift, decision
            assert any("not valid" in r["valid"] for r in t["numbers"] if r["kind"] != "now") == drift, t["numbers"]
            assert all(("not valid" in r["valid"]) == (drift and r["kind"] != "now") for r in t["numbers"]), t["numbers"]
            assert {"not valid"} == {r["outcome"] for r in t.get("interim", []) if r["lower"] is not None} or not (drift and t.get("interim"))
            log.write_text("stratum,relevant\n" + "".join(
                f"{d.rstrip('0123456789')},{int(d in hits[:40]) if drift else int(d in hits) and grades[d]}\n" for d in order))
            (folder / "sizes.csv").write_text("stratum,segment,N,n,r\nhits,retrieved,120,0,0\nrest,unretrieved,400,0,0\n")
            done = subprocess.run([TOOL, "recall", "--anytime", "--strata", folder / "sizes.csv", "--log", log, "--target", "0.7"],
                                  capture_output=True, text=True, check=False)
            assert ("not in random order" in done.stderr) == drift, (drift, done)
            if drift:
                p = re.search(r"p = [^)]*", said).group()
                assert p in done.stderr, (p, done.stderr)


def few_relevant_documents_are_noted_as_by_recall(folder):
    """The estimate is too high where the unretrieved sample has few; so is the corrected one where two judged none."""
    session, grades = make(folder, rest=60)
    items = rows_of(session, "SELECT docno, twice FROM item JOIN document ON document.id = document ORDER BY item.id")
    once = [d for d, twice in items if not twice and d.startswith("rest")]
    for few in (once[:4], []):
        ann = {d: int(d in few or d.startswith("hits") and grades[d]) for d, _ in items}
        take(folder, session, "ann", ann)
        take(folder, session, "ben", {d: ann[d] for d, twice in items if twice})
        run("judge", "export", session, "--as", "strata", "-o", folder / "few.csv", "--force")
        notes = [[n["text"] for n in tables_of(*words)[0]["notes"] if "unretrieved sample" in n["text"]]
                 for words in (("recall", "--strata", folder / "few.csv"), ("judge", "status", session), ("judge", "report", session))]
        assert len(notes[0]) == 1 and notes[0] == notes[1] == notes[2], notes
        assert ("has only 4 relevant" if few else "No relevant document") in notes[0][0], notes
        answer = tables_of("judge", "report", session)[0]["answer"]
        if few:
            assert "orrected" not in answer, answer
        else:
            both = sum(twice for d, twice in items if d.startswith("rest"))
            assert (f"It may be too high, as none of the {both} unretrieved documents that two judged is relevant: rely on the lower "
                    "limit." in answer), answer


def a_label_after_cannot_judge_is_a_change(folder):
    session, grades = make(folder, overlap=0)
    on_the_page(folder, session, lambda item: ("cannot", None) if item["docno"].endswith("7") else ("judged", grades[item["docno"]]))
    later = {d: grades[d] for d, in rows_of(session, "SELECT docno FROM item JOIN document ON document.id = document")
             if d.endswith("7")}
    take(folder, session, "ann", later)
    assert f"the reverse: 0, 'cannot judge' to a label: {len(later)})" in values(tables_of("judge", "report", session)[1]["session"])["changed"]


def corrections_are_those_of_recall(folder):
    """The counts of --rechecked are taken from the session: first labels against decided ones."""
    session, grades = make(folder, "--adjudicator", "carla")
    order, ann, ben = judged_twice(folder, session, grades)
    _, t = tables_of("judge", "report", session)
    assert values(t["errors"])["correction"].startswith("none (disagreements are open): it is assumed that decided "
                                                        "judgments are correct"), t["errors"]
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
        assert (f"Corrected for assessor error ({len(ben)} documents judged twice), the verdict is not demonstrated, as the "
                f"guaranteed one-sided upper limit is {limits[1]} %: it holds only if the judgments are correct. Corrected recall is estimated at {at[0]} "
                f"(95 % interval {at[1]} to {at[2]}); without the correction at ") in said, (said, at)
        assert decision["corrected estimate"].startswith(f"{at[0]} (two-sided 95 % interval {at[1]} to {at[2]}), "
                                                         "corrected"), (decision, at)
        for side, (said, kept, other, wrong) in (("of retrieved ones", rechecked[:4]), ("of unretrieved ones", rechecked[4:])):
            assert errors[side] == (f"{said} labels stored first said relevant, {said - kept} of them not as decided; {other} said "
                                    f"not relevant, {wrong} of them not as decided"), (errors, rechecked)
    assert "need not have been made first" in errors["compared"] and not any("first label" in v for v in errors.values()), errors
    assert [(r["decided"], r["decided_own"]) for r in t["assessors"]] == [(0, 0), (0, 0), (len(differ), 0)], t["assessors"]
    shown = re.search(r"^recall as adjudicated.* %  +([\d.]+ %)  +280$", run("judge", "status", session), re.M)
    assert shown.group(1) == re.search(r"lower limit ([\d.]+ %)", decision["limits of the rule"]).group(1), (shown, decision)
    # Labels that follow the decisions change neither errors nor agreement.
    take(folder, session, "ann", differ)
    _, after = tables_of("judge", "report", session)
    assert values(after["session"])["changed"][0] != "0" and [r["decided"] for r in after["assessors"]] == [0, 0, len(differ)]
    assert all(after[k] == t[k] for k in ("errors", "agreement")), (t["errors"], after["errors"])


def what_two_judged_throughout_needs_no_correction(folder):
    session, grades = make(folder, "--adjudicator", "carla", overlap=1)
    _, ann, ben = judged_twice(folder, session, grades)
    take(folder, session, "carla", {d: grades[d] for d in ben if ann[d] != ben[d]})
    result, t = tables_of("judge", "report", session)
    errors = values(t["errors"])
    assert errors["correction"].startswith("none (two judged each document of the estimate") and "orrected for" not in result["answer"]
    assert re.match(r"recall \d+ %", errors["by labels stored first"]), errors


def decisions_on_own_labels_are_a_condition(folder):
    session, grades = make(folder)
    _, ann, ben = judged_twice(folder, session, grades)
    differ = sum(ann[d] != g for d, g in ben.items())
    on_the_page(folder, session, lambda item: ("adjudicated", ann[item["docno"]]), True)
    said = re.sub(r"\s+", " ", run("judge", "status", session))
    result, t = tables_of("judge", "report", session)
    condition = "orrected, if ann's decisions on ann's own labels are right"
    for text in (said, result["answer"]):
        assert f" C{condition} ({len(ben)} documents judged twice): " in text and "Corrected for" not in text, text
    assert f", c{condition}; it does not decide" in values(t["decision"])["corrected estimate"], t["decision"]
    assert values(t["errors"])["decides"] == (f"ann, who also judged; kept ann's own label in {differ} of {differ} "
                                              "disagreements"), t["errors"]


def labels_of_others_stand_in(folder):
    """Where a person could not judge, the label of another counts; the row is of all documents."""
    session, grades = make(folder, overlap=1, stop="anytime")
    on_the_page(folder, session, lambda item: ("cannot", None) if item["docno"].endswith("7") else ("judged", grades[item["docno"]]))
    take(folder, session, "ben", grades)
    rows = tables_of("judge", "report", session)[1]["under"]
    assert len(rows) > 2 and all(r["documents"] == 280 for r in rows), rows


def open_labels_behind_the_estimate_change_nothing(folder):
    session, grades = make(folder, stop="anytime")
    items = rows_of(session, "SELECT docno, twice FROM item JOIN document ON document.id = document ORDER BY item.id")
    take(folder, session, "ann", {d: grades[d] for i, (d, _) in enumerate(items) if i != 150})
    take(folder, session, "ben", {d: grades[d] if i < 150 else 1 - grades[d] for i, (d, twice) in enumerate(items)
                                  if twice and i != 150})
    waiting = sum(twice for _, twice in items[151:])
    result, t = tables_of("judge", "report", session)
    is_ = values(t["decision"])
    assert is_["estimate, by how"] == f"none of the {waiting} is among the documents that the estimate uses", is_
    assert is_["judged"].startswith("279 of 280 documents; estimates use the first 150 of the order only, because the next one has "
                                    "no label; the limits of the rule use the first "), is_
    assert "limits, by how" not in is_ and any(n["text"].endswith(f"None of the {waiting} documents that are not decided is among "
                                               "those that the estimate uses.") for n in result["notes"]), (is_, result["notes"])
    used = next(r["documents"] for r in t["numbers"] if r["kind"] == "guaranteed")
    once = sum(not twice for _, twice in items[:used])
    assert is_["judged"].endswith(f"the first {used}, which are whole random blocks"), (used, is_)
    assert 0 < used < 150 and f"; {once} of the {used} documents that it uses have one label only" in json.dumps(t["decision"]), (used, t["decision"])
    textless = [r["value"] for r in t["decision"] if "without text" in r["value"]]
    assert textless and textless[0].startswith(f"that of {used} documents without text or abstract"), (used, textless)


def a_control_sample_says_what_was_reached(folder):
    (folder / "k.csv").write_text("record_id,title\n" + "".join(f"d{i},Title of d{i}\n" for i in range(40)))
    (folder / "control.qrels").write_text("".join(f"review 0 d{i} {int(i < 15)}\n" for i in range(20)))
    session = folder / "k.db"
    session.unlink(missing_ok=True)
    done = subprocess.run([TOOL, "judge", "new", session, "--queue", folder / "k.csv", "--judged", folder / "control.qrels", "--target",
                           "80%", "--stop", "qbcb"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "not a random sample, by their ranks" in done.stderr and not session.exists(), done
    (folder / "control.qrels").write_text("".join(f"review 0 d{i} {int(i < 30)}\n" for i in range(0, 40, 2)))
    run("judge", "new", session, "--queue", folder / "k.csv", "--judged", folder / "control.qrels", "--target", "80%",
        "--stop", "qbcb", "--assessors", "ann")
    take(folder, session, "ann", {f"d{i}": int(i == 21) for i in range(1, 40, 2)})
    result, t = tables_of("judge", "report", session)
    assert "were reached" in values(t["decision"])["of the control sample"], t["decision"]
    assert "first unjudged document" not in json.dumps(result), result
    assert "control sample, judged before, is random and that no ranker" in json.dumps(t["decision"]), t["decision"]
    assert values(t["session"])["changed"].startswith("0 labels were"), t["session"]
    page = run("judge", "report", session, "--format", "html", "--date", "soon")
    assert "<dt>date, as given</dt><dd>soon</dd>" in page, page
    terms = re.findall(r"<dt>([^<]*)</dt><dd>", page[page.index("<h2>Glossary</h2>"):])
    assert {"QBCB", "control sample", "ranker", "recall"} <= set(terms), terms
    assert "Recall is among the documents of this session: relevant documents that were not collected" in page, page
    take(folder, session, "ann", {"d21": 0})
    assert values(tables_of("judge", "report", session)[1]["session"])["changed"].startswith(
        "1 label was replaced or undone (relevant to not relevant: 1, the reverse: 0, 'cannot judge' to a label: 0)")
    (folder / "k.csv").write_text("record_id,title\n" + "".join(f"d{i},Title of d{i}\n" for i in range(160)))
    (folder / "control.qrels").write_text("".join(f"review 0 d{i} 1\n" for i in range(15)))
    for found in (range(20, 40), range(0, 0)):
        session.unlink()
        run("judge", "new", session, "--queue", folder / "k.csv", "--judged", folder / "control.qrels", "--target", "80%",
            "--stop", "qbcb", "--assessors", "ann")
        take(folder, session, "ann", {f"d{i}": int(i in found) for i in range(15, 60)})
        decision = values(tables_of("judge", "report", session)[1]["decision"])
        assert ("the stopping rule does not apply" in decision["verdict"]) == (len(found) > 0), decision
        assert decision["of the control sample"].endswith("but is not valid here") == (len(found) > 0), decision


def who_could_not_judge_a_control_document_counts(folder):
    """A control document that nobody could judge counts as relevant and not found."""
    (folder / "k.csv").write_text("record_id,title\n" + "".join(f"d{i},Title of d{i}\n" for i in range(60)))
    session = folder / "k.db"
    said = {}
    for cannot in (0, 2):
        session.unlink(missing_ok=True)
        run("judge", "new", session, "--queue", folder / "k.csv", "--control", "30", "--target", "80%", "--stop", "qbcb", "--assessors", "ann",
            "--missing-documents", "show-id")
        control = [d for d, in rows_of(session, "SELECT docno FROM item JOIN document ON document.id = document ORDER BY item.id LIMIT 30")]
        on_the_page(folder, session, lambda item, c=set(control[:cannot]): ("cannot", None) if item["docno"] in c else
                    ("judged", int(item["docno"] in control[:16] or int(item["docno"][1:]) % 2)), most=50)
        result, t = tables_of("judge", "report", session)
        said[cannot] = [r["value"] for r in t["decision"] if r["what"] == "of the control sample"]
        verdict = values(t["decision"])["verdict"]
        assert (verdict == "Continue the review: for the stopping rule, the owner of the session grades the documents that nobody "
                "could judge: 2.") == (cannot > 0), verdict
        needs = int(said[cannot][-1].rsplit(" ", 1)[1])
        relevant = int(said[cannot][-1].split()[0])
        # The least j with which a binomial of 1 - target has at most 5 % above.
        n = relevant + cannot
        tail = [sum(math.comb(n, i) * 0.8 ** i * 0.2 ** (n - i) for i in range(j, n + 1)) for j in range(n + 1)]
        assert needs == next(j for j in range(n + 1) if tail[j] <= 0.05), (n, needs, tail)
    # Nor does a certificate count what nobody could judge in the ranking as found; the owner grades it.
    session.unlink()
    run("judge", "new", session, "--queue", folder / "k.csv", "--control", "30", "--target", "50%", "--stop", "qbcb", "--assessors", "ann",
        "--missing-documents", "show-id")
    one = next(f"d{i}" for i in range(60) if f"d{i}" not in control)
    on_the_page(folder, session, lambda item: ("cannot", None) if item["docno"] == one else ("judged", 1), most=58)
    verdict = values(tables_of("judge", "report", session)[1]["decision"])["verdict"]
    assert verdict.endswith("documents that nobody could judge: 1.") and "You may stop" not in verdict, verdict
    take(folder, session, "ann", {one: 1})
    verdict = values(tables_of("judge", "report", session)[1]["decision"])["verdict"]
    assert verdict.startswith("Yes, certified"), verdict
    for words, why in ((["--control", "10", "--count", "50"], "--depth or --count leaves out 10"),
                       (["--judged", folder / "none.qrels"], "1 control documents have no label")):
        (folder / "none.qrels").write_text("".join(f"review 0 d{i} {1 if i else -1}\n" for i in range(0, 60, 3)))
        done = subprocess.run([TOOL, "judge", "new", folder / "no.db", "--queue", folder / "k.csv", *words, "--target", "50%", "--stop", "qbcb"],
                              capture_output=True, text=True, check=False)
        assert done.returncode != 0 and why in done.stderr and not (folder / "no.db").exists(), done
    assert len(said[0]) == 1 and said[2][0].startswith("2 documents nobody could judge: for the rule, relevant and not found"), said


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
        assert values(t["errors"])["decides"] == ("ann, who also judged; kept ann's own label in 2 of 3 disagreements"
                                                  if who == "ann" else "carla, who judged nothing"), t["errors"]
        assert values(t["errors"])["correction"].startswith("none (it needs the strata"), t["errors"]
        assert not any("replaced" in n["text"] for n in result["notes"]), result["notes"]
        labels = csv.DictReader(io.StringIO(run("judge", "export", session, "--as", "csv")))
        assert sum(r["included"] == "1" for r in labels) == 3
        assert t.get("tags", []) == ([{"tag": "privileged", "documents": 3, "not_relevant": 2}] if who == "ann" else []), t
        assert "excluded" not in t, t
    (folder / "carla").write_text(f"{topic} 0 0 0\n{topic} 0 9 1\n{topic} 0 8 0\n")  # both had said 1, 0 and 0
    run("judge", "import", session, folder / "carla", "--assessor", "carla")
    result, t = tables_of("judge", "report", session)
    assert "carla replaced the labels of 2 documents on which nobody disagreed." in [n["text"] for n in result["notes"]]
    assert values(t["errors"])["decided"] == "3 disagreements", t["errors"]
    done = subprocess.run([TOOL, "judge", "new", folder / "x.db", "--queue", folder / "refs.ris", "--assessors", "ann,ben",
                           "--adjudicator", "ben"], capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "adjudicator 'ben' is one of the assessors" in done.stderr, done


def what_has_no_text_or_no_label_is_counted(folder):
    """Nobody excluded a document, or nobody could judge it: two things."""
    (folder / "some.ris").write_text("".join(f"TY  - JOUR\nID  - {i}\nTI  - The title of study {i} of ten\n{ab}PY  - 2020\nER  - \n"
                                             for i, ab in enumerate(["AB  - An abstract.\n"] * 7 + ["", "AB  - \n", ""])))
    session = folder / "some.db"
    run("judge", "new", session, "--queue", folder / "some.ris", "--assessors", "ann,ben", "--overlap", "1")
    for name, grades in (("ann", "1111111011"), ("ben", "1111111010")):
        (folder / f"{name}.csv").write_text("record_id,included\n" + "".join(f"{i},{g}\n" for i, g in enumerate(grades)))
        run("judge", "import", session, folder / f"{name}.csv", "--assessor", name)
        _, t = tables_of("judge", "report", session)
        n = {r["label"]: r["documents"] for r in t["labels"]}
        assert [*n.values()] == ([0, 0, 10, 0, 0] if name == "ann" else [1, 8, 1, 0, 0]), n
    assert values(t["session"])["without text"] == ("3 of the 10 documents have no text or abstract: 1 are relevant, 1 not relevant, "
                                                    "1 not decided, 0 nobody could judge, 0 are not judged"), t["session"]
    session = folder / "none.db"
    run("judge", "new", session, "--queue", folder / "some.ris")
    on_the_page(folder, session, lambda item: ("judged", 1) if item["docno"] != "3" else ("cannot", None))
    _, t = tables_of("judge", "report", session)
    assert [(r["label"], r["counts_as"], r["documents"]) for r in t["labels"]] == [
        ("0: not relevant", "not relevant", 0), ("1: relevant", "relevant", 9), ("not decided", "the owner's label, else the last one", 0),
        ("nobody could judge it", "not relevant, in estimates", 1), ("not judged", "no label", 0)], t["labels"]


def an_open_session_agrees_with_itself(folder):
    """One of two has judged, and could not judge some: each count is the same wherever it stands."""
    session, grades = make(folder)
    on_the_page(folder, session, lambda item: ("cannot", None) if item["docno"].endswith("7") else ("judged", grades[item["docno"]]))
    _, t = tables_of("judge", "report", session)
    decision, labels = values(t["decision"]), {r["label"]: r["documents"] for r in t["labels"]}
    assert sum(labels.values()) == 280 and decision["not decided"].startswith("112 documents, 0 of them disagreements"), decision
    assert labels["not decided"] == 112 and 0 < labels["nobody could judge it"] < t["assessors"][0]["cannot"], (labels, t["assessors"])
    assert decision["not decided"].endswith(f"{labels['1: relevant']} to {labels['1: relevant'] + 112} are relevant in all"), decision
    assert decision["limits of the rule"] == "none yet (0 % and 100 %)" and "limits, by how" not in decision, decision
    used = next(r["documents"] for r in t["numbers"] if r["kind"] == "now")
    assert decision["judged"] == (f"280 of 280 documents; estimates use the first {used} of the order only, because the next one "
                                  "has no label"), decision
    assert sum(r["labelled"] for r in t["frame"]) == 280 - t["assessors"][0]["cannot"], t["frame"]
    assert values(t["errors"])["correction"].startswith("none (no document in the estimate was judged by two as planned)"), t["errors"]
    if "quantities" in t:
        assert values(t["quantities"])["from"] == f"the first {used} of the 280 documents, as the labels stand", t["quantities"]
        assert "of the documents before the first one without a label" in decision["estimate"], decision
    (folder / "few.ris").write_text("".join(f"TY  - JOUR\nID  - {i}\nTI  - The title of study {i} of ten\nER  - \n" for i in range(10)))
    session = folder / "few.db"
    run("judge", "new", session, "--queue", folder / "few.ris", "--assessors", "ann,ben", "--overlap", "1")
    on_the_page(folder, session, lambda item: ("cannot", None) if int(item["docno"]) < 4 else ("judged", 1))
    flow = {r["step"]: r["records"] for r in tables_of("judge", "status", session)[1]["prisma"]}
    assert flow["judged by one of two assessors"] == flow["records screened"] == 10 and "cannot judge" not in flow, flow


def impossible_dates_are_named(folder):
    script = (Path(__file__).parent / "session_0.2.sql").read_text()
    before, future = "before the session was made: it was set, not observed", "in the future: a clock was wrong, or the date was set"
    back = "before that of the judgment stored before: a clock was changed, or the date was set"
    for reason, year, late, expected in ((4, 2026, 0, []), (0, 2026, 0, [f"24 judgments have a date {before}"]),
                                         (0, 2999, 0, [f"24 judgments have a date {future}"]),
                                         (4, 2026, 1, [f"1 judgment has a date {back}"])):
        session = folder / "old.db"
        session.unlink(missing_ok=True)
        dates = (f",{reason},NULL,0,0,'{year}-01-0{1 + late * (n < 5)}T00:00:00.000Z'" for n in itertools.count())
        db = sqlite3.connect(session)
        db.executescript(re.sub(r",4,NULL,0,0,'[^']*'", lambda m: next(dates), script)
                         + f"UPDATE current SET reason = {reason}; PRAGMA application_id = 1769368164; PRAGMA user_version = 1;")
        db.close()
        result, t = tables_of("judge", "report", session)
        assert [r["value"] for r in t["session"] if r["what"] == "dates"] == expected, t["session"]
        assert "0.3" not in json.dumps(result), result


def on_the_page(folder, session, say, adjudicate=False, most=10**9):
    """The owner judges, or decides, on the page; say: reason, grade and perhaps a note of an item."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "cli"))
    sys.path.insert(0, str(Path(__file__).parent))
    import tool  # noqa: E402
    from serving import Server, asking
    tool.needs_loopback()
    with Server(folder, session.name) as s:
        ask = asking(s)
        identity = ask("GET", "/api/session")["session"]
        for n in range(most):
            item = ask("GET", "/api/next?adjudicate=1" if adjudicate else "/api/next").get("next")
            if not item:
                break
            reason, grade, *note = say(item)
            ask("POST", "/api/judgments", {"session": identity, "judgments": [
                {"uuid": f"00000000-0000-4000-8000-{n:012}", "item": item["item"], "docno": item["docno"], "reason": reason,
                 **({} if grade is None else {"grade": grade}), **({"note": note[0]} if note else {})}]})


with tempfile.TemporaryDirectory() as name:
    place = Path(name)
    it_holds_what_session_and_files_hold(place)
    open_labels_have_a_range(place)
    what_an_import_hides_is_said(place)
    a_page_says_when_and_by_what(place)
    files_of_texts_are_named(place)
    interim_analyses_are_those_of_recall(place)
    labels_that_drift_have_no_verdict(place)
    few_relevant_documents_are_noted_as_by_recall(place)
    a_label_after_cannot_judge_is_a_change(place)
    corrections_are_those_of_recall(place)
    what_two_judged_throughout_needs_no_correction(place)
    who_could_not_judge_a_control_document_counts(place)
    the_limit_of_an_early_analysis_is_named(place)
    decisions_on_own_labels_are_a_condition(place)
    labels_of_others_stand_in(place)
    open_labels_behind_the_estimate_change_nothing(place)
    a_control_sample_says_what_was_reached(place)
    who_decides_on_own_labels_is_named(place)
    what_has_no_text_or_no_label_is_counted(place)
    impossible_dates_are_named(place)
    an_open_session_agrees_with_itself(place)
print("ok")

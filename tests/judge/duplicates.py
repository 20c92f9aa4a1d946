# SPDX-License-Identifier: Apache-2.0
"""Removal of duplicates on 500 made-up references: 400 studies, 40 that share a DOI or a title with
one of these and differ, and 60 true duplicates as databases write them.

usage: duplicates.py INTERVALE
"""
import csv
import io
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

TOOL = sys.argv[1]
WORDS = """renal cardiac infant chronic acute therapy outcome exercise dose trial cohort surgery
vaccine insulin asthma stroke relapse placebo nurse rural pain sleep memory growth fracture lipid
screening airway tumour antibody migraine school obesity fibrosis sepsis""".split()
NAMES = """Müller Smith García Nowak Åberg Rossi Dubois Chen Okafor Silva Kowalski Nguyen Novák
Yılmaz Jensen Haddad Ivanov Tanaka Mensah O'Brien""".split()
random.seed(7)


def sentence(count):
    return " ".join(random.choice(WORDS) for _ in range(count))


def record(number):
    return {"TI": f"{sentence(3).capitalize()} and {sentence(4)}: a study of {sentence(2)}",
            "AB": ". ".join(sentence(12) for _ in range(5)) + ".",
            "AU": f"{random.choice(NAMES)}, {random.choice('ABCDEFG')}.",
            "PY": str(random.randint(1995, 2024)), "DO": f"10.1234/j.{number}",
            "SP": str(random.randint(1, 2000)), "JO": sentence(2),
            "VL": str(random.randint(1, 90)), "AN": f"r{number}"}


def plain(text):
    return text.translate(str.maketrans("üíÅáıéó", "uiAaieo"))


# How databases change a record that they share.
CHANGES = [
    lambda r: {**r, "DO": "https://doi.org/" + r["DO"].upper()},
    lambda r: {**r, "TI": r["TI"].upper() + "."},
    lambda r: {**r, "TI": r["TI"].replace(":", " -"), "DO": ""},
    lambda r: {**r, "AU": plain(r["AU"]), "AB": ""},
    lambda r: {**r, "PY": str(int(r["PY"]) + 1)},
    lambda r: {**r, "AB": r["AB"] + " (C) 2020 The Publisher. All rights reserved."},
    lambda r: {**r, "AB": "BACKGROUND: " + r["AB"].replace(". ", ". METHODS: ", 1)},
    lambda r: {**r, "TI": f"<i>{r['TI'].replace(' and ', ' &amp; ')}</i>", "DO": ""},
    lambda r: {**r, "TI": r["TI"].split(":")[0]},
    lambda r: {**r, "TI": r["TI"].replace("study", "stduy"), "DO": "", "AB": ""},
    lambda r: {k: r[k] for k in ("TI", "AU", "PY")},
    lambda r: {**r, "AU": plain(r["AU"]).replace(",", ""), "SP": "", "DO": ""},
    lambda r: {**r, "AU": "Anna van " + r["AU"].split(",")[0], "DO": "", "VL": f"Vol. {r['VL']}"},
]
# Other studies that share a DOI (a supplement) or a title.
OTHERS = [
    lambda r, n: {**record(n), "DO": r["DO"]},
    lambda r, n: {**record(n), "TI": r["TI"], "DO": ""},
    lambda r, n: {**record(n), "DO": r["DO"], "AB": "No abstract available."},
    lambda r, n: {**r, "AB": record(n)["AB"], "DO": "", "AN": f"r{n}"},
    lambda r, n: {**r, "PY": str(int(r["PY"]) + 3), "DO": f"10.1234/j.{n}", "AN": f"r{n}"},
    lambda r, n: {**record(n), "DO": r["DO"], "AU": r["AU"], "PY": r["PY"]},
    lambda r, n: {**r, "SP": str(int(r["SP"]) + 1), "AB": record(n)["AB"], "AN": f"r{n}"},
    lambda r, n: {**record(n), "TI": r["TI"], "PY": r["PY"], "AB": "", "DO": ""},
    lambda r, n: {**r, "AB": "", "DO": "", "SP": "", "VL": "91", "JO": "Congress", "AN": f"r{n}"},
]


def ris(r):
    return "TY  - JOUR\n" + "".join(f"{k}  - {v}\n" for k, v in r.items() if v) + "ER  - \n\n"


def run(*arguments):
    done = subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def listed(session):
    text = run("judge", "export", session, "--as", "duplicates")
    return {row["record_id"]: row for row in csv.DictReader(io.StringIO(text))}


def made_up():
    """500 records: those that must stay, and the duplicates with their originals."""
    base = [record(i) for i in range(400)]
    other = [OTHERS[i % len(OTHERS)](base[i], 400 + i) for i in range(40)]
    copies = [{**CHANGES[i % len(CHANGES)](base[100 + i]), "AN": f"copy{i}"} for i in range(60)]
    return base, other, copies


def no_study_is_lost_and_duplicates_are_found(folder):
    base, other, copies = made_up()
    records = base + other + copies
    random.shuffle(records)
    (folder / "refs.ris").write_text("".join(map(ris, records)))
    session = str(folder / "refs.db")
    run("judge", "new", session, "--queue", str(folder / "refs.ris"))
    rows = listed(session)
    removed = {k for k, row in rows.items() if row["state"] == "removed"}
    pairs = {f"copy{i}": f"r{100 + i}" for i in range(60)}
    pairs.update({v: k for k, v in pairs.items()})
    lost = [k for k in removed if rows[k]["stays"] != pairs.get(k)]
    assert not lost, f"studies removed: {[rows[k] for k in lost]}"
    found = [k for k in rows if pairs.get(k) == rows[k]["stays"]]
    assert len(found) >= 58, f"found {len(found)} of 60 duplicates"
    print(f"lost 0 of 440 studies; duplicates found: {len(found)} of 60, removed: {len(removed)}; "
          f"other records proposed: {len(rows) - len(found)}")
    return session, rows, removed


def every_removed_record_is_listed_and_comes_back(session, rows, removed):
    assert all(row["reason"] and row["stays"] and row["title"] for row in rows.values())
    one, two = sorted(removed)[:2]
    said = run("judge", "duplicates", session, "--restore", f"{one},{two}")
    assert said.startswith("Records restored, to be judged next: 2."), said
    again = listed(session)
    assert again[one]["state"] == again[two]["state"] == "restored"
    table = run("judge", "export", session, "--as", "csv", "--partial")
    ids = [row["record_id"] for row in csv.DictReader(io.StringIO(table))]
    assert one in ids and two in ids and len(ids) == 500 - len(removed) + 2
    run("judge", "check", session)
    flow = run("judge", "status", session)
    steps = [line.rsplit(None, 1) for line in flow.splitlines()]
    assert ["records identified", "500"] in steps and ["duplicates removed",
                                                      str(len(removed) - 2)] in steps, flow


def four_records_of_a_supplement_stay(folder):
    text = "".join(ris({"TI": f"Abstract {n} of the congress on {w}", "AB": sentence(60),
                        "DO": "10.1/suppl", "AN": str(n)})
                   for n, w in enumerate(["asthma", "sepsis", "stroke", "sleep"]))
    (folder / "four.ris").write_text(text)
    said = run("judge", "new", str(folder / "four.db"), "--queue", str(folder / "four.ris"))
    assert "documents to judge" in said and [line.split()[-1] for line in said.splitlines()
                                             if line.startswith("documents to judge")] == ["4"]


def the_first_of_two_stays_unless_only_the_second_has_an_abstract(folder):
    """A label of the one that goes is stored for the one that stays."""
    one = {**record(1), "AN": "first"}
    for number, (first, second, stays) in enumerate((
            (one["AB"], one["AB"], "first"), ("", "", "first"), (one["AB"], "", "first"), ("", one["AB"], "second"))):
        file, session = folder / f"two{number}.ris", str(folder / f"two{number}.db")
        file.write_text(ris({**one, "AB": first}) + ris({**one, "AB": second, "AN": "second", "N1": "ASReview_relevant"})
                        .replace("DO  - ", "DO  - https://doi.org/"))
        run("judge", "new", session, "--queue", str(file))
        assert [row["stays"] for row in listed(session).values()] == [stays], (first, second, listed(session))
        run("judge", "import", session, str(file))
        kept = list(csv.DictReader(io.StringIO(run("judge", "export", session, "--as", "csv"))))
        assert [(row["record_id"], row["included"]) for row in kept] == [(stays, "1")], kept


def thousands_that_share_a_title_and_a_doi_take_seconds(folder):
    """Not minutes, as when each is compared with all; the two that are one record are found."""
    records = [{"TI": title, "AU": f"Name{i}, A.", "AB": f"word{i} " * 60, "DO": doi, "AN": f"{t}{i}"}
               for t in "ab" for i in range(4000)
               for title, doi in [(("Editorial", f"10.1/{i}") if t == "a" else
                                   (f"Number {i} of several very different things", "10.1/all"))]]
    records += [{**records[10], "AN": "copy1"}, {**records[4010], "AN": "copy2"}]
    (folder / "many.ris").write_text("".join(map(ris, records)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run("judge", "new", str(folder / "many.db"), "--queue", str(folder / "many.ris"))
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    assert seconds < 20, seconds
    rows = listed(str(folder / "many.db"))
    removed = {k: row["stays"] for k, row in rows.items() if row["state"] == "removed"}
    assert removed == {"copy1": "a10", "copy2": "b10"}, removed


with tempfile.TemporaryDirectory() as name:
    place = Path(name)
    every_removed_record_is_listed_and_comes_back(
        *no_study_is_lost_and_duplicates_are_found(place))
    four_records_of_a_supplement_stay(place)
    the_first_of_two_stays_unless_only_the_second_has_an_abstract(place)
    thousands_that_share_a_title_and_a_doi_take_seconds(place)
print("ok")

# SPDX-License-Identifier: Apache-2.0
"""Systematic reviews: files of PubMed, Zotero and ASReview in and out, rankings while judging,
PRISMA numbers, bad files, and the interface for scripts.

usage: references.py TOOL [VENV]

With VENV, an environment that is made if it is not there, only the round trip through the package
asreview; skipped with one line (status 77) where that cannot be installed.
"""
import csv
import hashlib
import io
import json
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata
import urllib.request
import venv
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tool  # noqa: E402
from serving import Server  # noqa: E402

# As PubMed's "Save, Format: PubMed" writes it; the articles do not exist.
NBIB = """\
PMID- 90000001
OWN - NLM
STAT- MEDLINE
DCOM- 20190301
IS  - 1234-5678 (Print)
VI  - 12
IP  - 3
DP  - 2019 Mar
TI  - Low doses of an imaginary drug after stroke: a randomised trial of
      two years.
PG  - 101-9
LID - 10.5555/imaginary.1 [doi]
AB  - BACKGROUND: Nobody knows. METHODS: We drew lots.
      RESULTS: 40 % of 200 adults improved.
FAU - Muster, Erika
AU  - Muster E
AD  - Nowhere University.
FAU - Example, Ian
AU  - Example I
LA  - eng
PT  - Journal Article
TA  - J Imag
JT  - Journal of imaginary results
MH  - Stroke/*prevention & control

PMID- 90000002
OWN - NLM
DP  - 2020
TI  - Kitchens of hospitals, a survey.
LA  - eng
"""

# As Zotero's export in RIS writes it.
RIS = """\
TY  - JOUR
TI  - LOW DOSES of an imaginary drug after stroke – a randomised trial of two years
AU  - Muster, Erika
T2  - Journal of imaginary results
DA  - 2019/03//
PY  - 2019
DO  - 10.5555/IMAGINARY.1
VL  - 12
UR  - https://example.org/1
Y2  - 2026/01/02/09:00:00
ER  - 

TY  - CHAP
TI  - Caf\u00e9 visits and well-being
AU  - Exemple, Ren\u00e9
KW  - coffee
KW  - well-being
N1  - <p>Read again</p>
AB  - We visited 12 of them.
ID  - caf\u00e9
ER  - 

"""


def good(*words, cwd):
    done = tool.run(*words, cwd=cwd)
    tool.expect(done.returncode == 0, words, done.stderr.decode())
    return done.stdout.decode()


def table(name, *words, cwd):
    said = json.loads(good(*words, "--format", "json", cwd=cwd))
    return next(t["rows"] for t in said["tables"] if t["name"] == name)


def values(rows):
    return {list(r.values())[0]: list(r.values())[1] for r in rows}


def check_formats(folder):
    """Two databases in one session; every field comes back, with labels, tags and notes."""
    (folder / "pubmed.txt").write_text(NBIB) # told by its content
    (folder / "zotero.ris").write_text(RIS, encoding="utf-8-sig")
    made = values(table("session", "judge", "new", "r.db", "--queue", "pubmed.txt", "--queue",
                        "zotero.ris", "--tags", "wrong-design,wrong-drug", cwd=folder))
    tool.expect(made["documents to judge"] == 3 and made["duplicates removed"] == 1, made)
    (folder / "done.csv").write_text("record_id,title,included\n90000001,,1\n90000002,,0\n")
    good("judge", "import", "r.db", "done.csv", cwd=folder)
    out = good("judge", "export", "r.db", "--as", "ris", cwd=folder)
    records = out.split("ER  - \n")
    tool.expect(len(records) == 4, out)
    for line in ("ID  - 90000001", "AU  - Muster, Erika", "JO  - Journal of imaginary results",
                 "DO  - 10.5555/imaginary.1", "KW  - Stroke/*prevention & control", "SP  - 101-9",
                 "N1  - STAT: MEDLINE", "N1  - ASReview_relevant", "TI  - Low doses of an imaginary "
                 "drug after stroke: a randomised trial of two years."):
        tool.expect(line + "\n" in records[0], line, records[0])
    tool.expect("AU  - Muster E\n" not in out, "a name twice")
    for line in ("TY  - CHAP", "KW  - coffee", "KW  - well-being", "N1  - <p>Read again</p>",
                 "AU  - Exemple, Ren\u00e9"):
        tool.expect(line + "\n" in records[2], line, records[2])
    tool.expect("ASReview" not in records[2], "a label that nobody gave")
    (folder / "again.ris").write_text(out)
    good("judge", "new", "again.db", "--queue", "again.ris", cwd=folder)
    said = good("judge", "import", "again.db", "again.ris", cwd=folder)
    tool.expect("Judgments stored: 2." in said, said)
    tool.expect(good("judge", "export", "again.db", "--as", "ris", cwd=folder) == out, "the second differs")
    rows = list(csv.DictReader(io.StringIO(good("judge", "export", "r.db", "--as", "csv", cwd=folder))))
    tool.expect([r["included"] for r in rows] == ["1", "0", ""], rows)
    tool.expect(rows[0]["journal"] == "Journal of imaginary results" and rows[0]["year"] == "2019", rows[0])
    # PubMed has the short title of a journal first; it is used where there is no other.
    (folder / "short.txt").write_text("".join(f"PMID- 9{i}\nTI  - Title {i} of a short record.\nTA  - J Imag Res\n{full}\n"
                                              for i, full in enumerate(["", "JT  - Journal of imaginary results\n"])))
    good("judge", "new", "short.db", "--queue", "short.txt", cwd=folder)
    rows = list(csv.DictReader(io.StringIO(good("judge", "export", "short.db", "--as", "csv", cwd=folder))))
    tool.expect([r["journal"] for r in rows] == ["J Imag Res", "Journal of imaginary results"], rows)


# As PubMed Central writes it: its own number comes first.
PMC = """
PMC - PMC9000001
PMID- 90000011
DP  - 2021
TI  - The first of two articles that do not exist.

PMC - PMC9000002
PMID- 90000012
DP  - 2022
TI  - The second of two articles that do not exist.
"""

# Ovid numbers records, the Cochrane Library heads them.
OVID = """\
1. 
TY  - JOUR
TI  - Numbered by the database, the first one
ER  -  

2. 
TY  - JOUR
TI  - Numbered by the database, the second one
ER  -  

Record #3 of 18
Provider: Nobody
Content: text/plain; charset="UTF-8"

TY  -  JOUR
TI  -  Headed by the database, the third one
ER  -  
"""

# The columns of Covidence, Zotero, PubMed, CINAHL and Rayyan.
TABLES = {
    "covidence.csv": "Title,Authors,Abstract,Published Year,Journal,DOI,Covidence #,Study,Notes,Tags\n"
                     'T,"A, B; C, D",X,2019,J,10.5555/1,#7,B 2019,,\n',
    "zotero.csv": '"Key","Item Type","Publication Year","Author","Title","Publication Title","DOI","Abstract Note"\n'
                  '"#7","journalArticle","2019","A, B; C, D","T","J","10.5555/1","X"\n',
    "pubmed.csv": "PMID,Title,Authors,Journal/Book,Publication Year,DOI,Abstract\n#7,T,\"A, B; C, D\",J,2019,10.5555/1,X\n",
    "cinahl.tsv": "Article Title\tAuthor(s)\tJournal Title\tYear\tDOI\tAbstract\tid\nT\tA, B; C, D\tJ\t2019\t10.5555/1\tX\t#7\n",
    "rayyan.csv": 'key,title,year,journal,authors,abstract,notes,doi\n#7,T,2019,J,"A, B; C, D",X,'
                  '"RAYYAN-INCLUSION: {""Jo""=>""Included""} | RAYYAN-LABELS: x",10.5555/1\n'}


def check_traits(folder):
    """What real exports have: other columns, numbers between records, titles that are not unique."""
    for name, text, count in (("pmc.txt", PMC, 2), ("ovid.ris", OVID, 3)):
        (folder / name).write_text(text)
        made = values(table("session", "judge", "new", name + ".db", "--queue", name, cwd=folder))
        tool.expect(made["documents to judge"] == count and made["records skipped"] == 0, name, made)
    for name, text in TABLES.items():
        (folder / name).write_text(text)
        good("judge", "new", name + ".db", "--queue", name, cwd=folder)
        row, = csv.DictReader(io.StringIO(good("judge", "export", name + ".db", "--as", "csv", cwd=folder)))
        tool.expect({k: row[k] for k in ("record_id", "title", "abstract", "authors", "year", "journal", "doi")}
                    == {"record_id": "#7", "title": "T", "abstract": "X", "authors": "A, B; C, D", "year": "2019",
                        "journal": "J", "doi": "10.5555/1"}, name, row)
    (folder / "run.tsv").write_text("q1\td1\t1\nq1\td2\t2\n") # of MS MARCO: no references
    (folder / "docs.tsv").write_text("d1\tthe title of a record\nd2\ttext\n")
    made = values(table("session", "judge", "new", "tsv.db", "--queue", "run.tsv", "--documents", "docs.tsv", cwd=folder))
    tool.expect(made["documents to judge"] == 2 and made["without a text"] == 0, made)
    said = good("judge", "import", "rayyan.csv.db", "rayyan.csv", cwd=folder)
    tool.expect("Judgments stored: 1." in said, said)
    (folder / "same.csv").write_text("".join(["record_id,title,doi\n"] + [
        f"{i},A comment on the same article as before,10.5555/{i}\n" for i in range(3)]))
    good("judge", "new", "same.db", "--queue", "same.csv", cwd=folder)
    for labels, note in (("record_id,title,included\n" + "".join(
            f"{i},A comment on the same article as before,{i % 2}\n" for i in range(3)), None),
            ("record_id,included\n0,0\n1,1\n2,0\n9,1\n", " has no document with the same id"),
            ("doi,included\nhttps://doi.org/10.5555/1,1\n10.5555/1,1\n", "Judgments stored: 0.")):
        (folder / "labels.csv").write_text(labels)
        said = good("judge", "import", "same.db", "labels.csv", cwd=folder)
        tool.expect((note or "Judgments stored: 3.") in said, labels, said)
        out = good("judge", "export", "same.db", "--as", "qrels", cwd=folder)
        tool.expect(sorted(x.split()[3] for x in out.splitlines()) == ["0", "0", "1"], labels, out)
    (folder / "labels.csv").write_text("title,doi,included\nUnknown,NA,1\n")
    refused(folder, "no row matches a record of the session by id and title", "judge", "import", "same.db", "labels.csv")
    (folder / "none.csv").write_text("name,included\n1,1\n")
    refused(folder, "no column that names a record; expected record_id, doi or title", "judge", "import", "same.db",
            "none.csv")
    for name, form in (("pmc.txt", "references (NBIB)"), ("zotero.ris", "references (RIS)"),
                       ("pubmed.txt", "references (NBIB)"), ("same.db", "a database, expected text")):
        done = tool.run("check", name, cwd=folder)
        tool.expect(form in done.stdout.decode(), name, done.stdout.decode())


def check_labels(folder):
    """A label is stored only where the file is clear; a note that mentions one is a note."""
    (folder / "two.csv").write_text("record_id,title,abstract,doi\na,one,y,10.1/a\nb,one,z,10.1/b\nc,three,\"x\nTY  - JOUR\n\",\n")
    made = values(table("session", "judge", "new", "two.db", "--queue", "two.csv", cwd=folder))
    tool.expect(made["documents to judge"] == 3, "a line of an abstract ended the table", made)
    for text, why in (("record_id,included\na,1\nb,yes\n", "x.csv:3: label 'yes', expected 1, 0 or nothing"),
                      ("record_id,included\na,1\na,0\n", "x.csv:3: document 'a' has another label in a line before"),
                      ("doi,included\n10.1/a,1\ndoi:10.1/A,0\n", "x.csv:3: document 'a' has another label"),
                      ("record_id,included,asreview_label\na,1,1\nb,0,1\n",
                       "x.csv:3: label '0' in column 'included', and 1 in another; expected one column"),
                      ("title,included\none,1\n", "x.csv:2: several documents have the title 'one'")):
        (folder / "x.csv").write_text(text)
        refused(folder, "^" + why, "judge", "import", "two.db", "x.csv")
    notes = "TY  - JOUR\nID  - %s\nN1  - was ASReview_irrelevant before\nN1  - %s\nER  - \n"
    (folder / "n.ris").write_text(notes % ("a", "<p>ASReview_relevant</p>") + notes % ("b", "Read. ASReview_irrelevant. Again.")
                                  + notes % ("c", "ASReview_relevant\nN1  - RAYYAN-INCLUSION: {\"Jo\"=>\"Excluded\"} | x"))
    good("judge", "import", "two.db", "n.ris", cwd=folder)
    out = good("judge", "export", "two.db", "--as", "qrels", cwd=folder)
    tool.expect(out == "review 0 a 1\nreview 0 b 0\nreview 0 c 1\n", out)
    (folder / "n.ris").write_text(notes % ("a", "ASReview_relevant\nN1  - ASReview_irrelevant"))
    refused(folder, "^n.ris:1: a record with the labels ASReview_relevant and ASReview_irrelevant", "judge", "import",
            "two.db", "n.ris")
    # Reviewers of Rayyan who differ have no label; what is left out, or has another name, is said.
    (folder / "r.csv").write_text("key,title,notes\n" + "".join(
        f'a,T{i},"RAYYAN-INCLUSION: {{{said}}}"\n' for i, said in enumerate(
            ('""Jo""=>""Included"", ""Al""=>""Excluded""', '""Jo""=>""Maybe""', '""Jo""=>""Excluded""', ""))))
    said = good("judge", "new", "ray.db", "--queue", "r.csv", "--verbose", cwd=folder)
    tool.expect("Labels in the files are not stored: 1." in said
                and "Records with the id of another record: 3." in said, said)
    said = good("judge", "import", "ray.db", "r.csv", cwd=folder)
    tool.expect("Judgments stored: 1." in said and "disagree or decided 'Maybe' are not stored: 2." in said, said)
    # One title in other bytes.
    title = "L\u2019\u0152d\xe8me \u2013 \u201cune\u201d \xe9tude\u2026 \u20ac"
    (folder / "u.csv").write_text(f"record_id,title\n1,{title}\n")
    for k, data in enumerate((title.encode("cp1252"), unicodedata.normalize("NFD", title).encode())):
        good("judge", "new", f"u{k}.db", "--queue", "u.csv", cwd=folder)
        (folder / "x.csv").write_bytes(b"record_id,title,included\n1," + data + b",1\n")
        said = good("judge", "import", f"u{k}.db", "x.csv", cwd=folder)
        tool.expect("Judgments stored: 1." in said, k, said)
    # Records without ids: the same record has the same number, another of that number does not count.
    (folder / "k.csv").write_text("title,year,included\none,1990,1\none,1991,0\n")
    good("judge", "new", "numbers.db", "--queue", "k.csv", cwd=folder)
    (folder / "x.csv").write_text("title,included\none,1\n")
    refused(folder, "^x.csv:2: several documents", "judge", "import", "numbers.db", "x.csv")
    good("judge", "import", "numbers.db", "k.csv", cwd=folder)


def check_formulas(folder):
    """No cell of an export is a formula; read again, the texts are the same."""
    (folder / "f.ris").write_text("TY  - JOUR\nID  - '=x\nTI  - =HYPERLINK(\"http://example.org\")\nAU  - @SUM(1)\n"
                                  "AB  - ''-omics, a;-b\nDO  - -2+3\nJO  - \uff1d1+1\nER  - \n")
    good("judge", "new", "f.db", "--queue", "f.ris", cwd=folder)
    good("judge", "export", "f.db", "--as", "csv", "-o", "f.csv", cwd=folder)
    with open(folder / "f.csv") as file:
        row = list(csv.reader(file))[1]
    tool.expect(not any(re.match("[-=+@\uff1d\uff0b\uff0d\uff20]", cell) for cell in row) and row[3] == "'@SUM(1)", row)
    good("judge", "new", "g.db", "--queue", "f.csv", cwd=folder)
    one, two = (good("judge", "export", db, "--as", "ris", cwd=folder) for db in ("f.db", "g.db"))
    tool.expect(sorted(one.splitlines()) == sorted(two.splitlines()), one, two)
    for name, content, why in (("nul.txt", b"a\nb\0", ":2: a NUL byte, expected text"), ("large.txt", b"a " * (1 << 20), "1048576 bytes")):
        (folder / name).write_bytes(content)
        refused(folder, name + ".*" + why, "judge", "new", "h.db", "--queue", "f.ris", "--guidelines", name)
    done = tool.run("judge", "new", "", "--queue", "f.ris", cwd=folder)
    tool.expect(b"the name of the session is empty" in done.stderr, done.stderr)


def project(path, records, labels, apart):
    """A project in the tables of ASReview 3 (results.db) or 2 (with data_store.db)."""
    def database(name, *scripts):
        db = sqlite3.connect(name)
        for sql, rows in scripts:
            db.execute(sql)
            for row in rows:
                db.execute(f"INSERT INTO {sql.split()[2].split('(')[0]} VALUES ({','.join('?' * len(row))})", row)
        db.commit()
        db.close()
    record = ("CREATE TABLE record(record_id INTEGER PRIMARY KEY, title, abstract, authors JSON, year INTEGER, doi, "
              "duplicate_of INTEGER, group_id INTEGER NOT NULL GENERATED ALWAYS AS (COALESCE(duplicate_of, record_id)) "
              "VIRTUAL)", [(i, t, a, '["A, B", "C, D"]', 2020, None, None) for i, (t, a) in enumerate(records)])
    results = ("CREATE TABLE results(record_id INTEGER UNIQUE, label INTEGER, time FLOAT)", labels)
    ranking = ("CREATE TABLE last_ranking(record_id INTEGER UNIQUE, ranking INT)", [(2, 0), (3, 1)])
    with tempfile.TemporaryDirectory() as name:
        own = pathlib.Path(name)
        database(own / "results.db", *([] if apart else [record]), results, ranking)
        if apart:
            database(own / "data_store.db", record)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("project.json", "{}")
            z.writestr("__MACOSX/._results.db", "of the Finder")
            z.writestr("legacy_v2/data_store.db", "of the version before")
            z.write(own / "results.db", "reviews/1/results.db" if apart else "results.db")
            if apart:
                z.write(own / "data_store.db", "data_store.db", zipfile.ZIP_STORED)


def check_project(folder):
    records = [(f"A title that is long enough, number {i}", f"Abstract {i}") for i in range(5)]
    for apart in (False, True):
        project(folder / "p.asreview", records, [(4, 1, 2.0), (0, 0, 1.0)], apart)
        db = f"p{apart}.db"
        good("judge", "new", db, "--queue", "p.asreview", cwd=folder)
        said = good("judge", "import", db, "p.asreview", cwd=folder)
        tool.expect("Judgments stored: 2." in said, apart, said)
        rows = list(csv.DictReader(io.StringIO(good("judge", "export", db, "--as", "csv", cwd=folder))))
        tool.expect([(r["record_id"], r["included"]) for r in rows]
                    == [("0", "0"), ("4", "1"), ("2", ""), ("3", ""), ("1", "")], apart, rows)
        tool.expect(rows[0]["authors"] == "A, B; C, D", rows[0])
    project(folder / "x.asreview", records, [(4, -1, 2.0), (0, 7, 1.0)], True)
    refused(folder, "^x.asreview:1: label '7', expected 1, 0 or nothing", "judge", "import", "pTrue.db", "x.asreview")
    # Another program numbers records as it likes: the title tells which is meant.
    (folder / "own.csv").write_text("record_id,title\n" + "".join(f"{4 - i},{t}\n" for i, (t, _) in enumerate(
        (f'"{t}"', a) for t, a in records)))
    good("judge", "new", "own.db", "--queue", "own.csv", cwd=folder)
    good("judge", "import", "own.db", "p.asreview", cwd=folder)
    qrels = good("judge", "export", "own.db", "--as", "qrels", "--partial", cwd=folder)
    tool.expect(sorted(x for x in qrels.splitlines() if not x.endswith("-1")) == ["review 0 0 1", "review 0 4 0"], qrels)
    with zipfile.ZipFile(folder / "old.asreview", "w") as old:
        old.writestr("reviews/1/results.sql", "of version 1")
    for name, why in (("old.asreview", "has no results.db, expected a project of ASReview 2"),
                      ("b.enw", "cannot be read; expected RIS")):
        (folder / "b.enw").write_text("@article{a,\n title={One}\n}\n")
        refused(folder, f"^{name}: {why}", "judge", "new", "b.db", "--queue", name)
    whole = (folder / "p.asreview").read_bytes()
    for name, content in (("cut.asreview", whole[:len(whole) // 2]), ("none.asreview", b"PK nothing")):
        (folder / name).write_bytes(content)
        refused(folder, rf"^{name}: is damaged; expected a project of ASReview", "judge", "new", "b.db", "--queue",
                name)


def check_hostile_projects(folder):
    """An archive whose database computes its rows, or unpacks to gigabytes, is refused at once."""
    def archive(name, content):
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
            z.writestr("results.db", content)

    def database(*scripts):
        path = folder / "hostile.db"
        path.unlink(missing_ok=True)
        db = sqlite3.connect(path)
        for sql in ("CREATE TABLE results(record_id, label, time)", "CREATE TABLE last_ranking(record_id, ranking)",
                    *scripts):
            db.execute(sql)
        db.commit()
        db.close()
        return path.read_bytes()

    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    columns = "title, abstract, authors, year, doi"
    real = f"CREATE TABLE record(record_id INTEGER PRIMARY KEY, {columns})"
    shared = bytearray(database(real, f"INSERT INTO record SELECT value, hex(zeroblob(300)), 'a', '[]', 1, 'd' "
                                f"FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 99) SELECT * FROM n)"))
    pages = [i for i in range(0, len(shared), 4096) if shared[i] == 5]  # an interior page of a table
    tool.expect(len(pages) == 1, pages)
    cells = int.from_bytes(shared[pages[0] + 3:pages[0] + 5], "big")
    places = [pages[0] + int.from_bytes(shared[pages[0] + 12 + 2 * i:pages[0] + 14 + 2 * i], "big") for i in range(cells)]
    for at in places:  # all of its children are one page
        shared[at:at + 4] = shared[places[0]:places[0] + 4]
    unsafe = "cannot read the database: the database is damaged (malformed database schema (record) - unsafe use of"
    hostile = (
        ("view.asreview", database(f"CREATE VIEW record AS {endless} SELECT i AS record_id, 'A title' AS title, "
                                   "'' AS abstract, '[]' AS authors, 1 AS year, '' AS doi FROM n"),
         "'record' is computed by the file"),
        ("long.asreview", database("CREATE TABLE record(record_id INTEGER PRIMARY KEY, title AS (hex(zeroblob(9000000))), "
                                   "abstract, authors, year, doi)", "INSERT INTO record(record_id) VALUES (1), (2)"),
         unsafe),
        ("joined.asreview", database("CREATE TABLE record(record_id INTEGER PRIMARY KEY, title AS (abstract || abstract), "
                                     "abstract, authors, year, doi)", "INSERT INTO record(record_id) VALUES (1), (2)"),
         "'record' is computed by the file"),
        ("labels.asreview", database(real, "INSERT INTO record VALUES (1, 'A title', '', '[]', 1, '')",
                                     "DROP TABLE results", f"CREATE VIEW results AS {endless} SELECT 1 AS record_id, "
                                     "1 AS label, i AS time FROM n"), "'results' is computed by the file"),
        ("calls.asreview", database(f"{real[:-1]}, size NOT NULL AS (instr(hex(title), '0')))",
                                    "INSERT INTO record VALUES (1, 'A title', '', '[]', 1, '')"), unsafe),
        ("shared.asreview", bytes(shared), "its database is damaged"),
        ("zeros.asreview", bytes(700 << 20), "decompresses to more than 100 times its size"))
    good("judge", "new", "honest.db", "--queue", "own.csv", cwd=folder)
    for name, content, why in hostile:
        archive(name, content)
        for words in (("new", "hostile-new.db", "--queue", name), ("import", "honest.db", name),
                      ("rank", "honest.db", name)):
            done = subprocess.run(["sh", "-c", 'ulimit -v 1000000; ulimit -f 200000; ulimit -t 20; exec "$@"', "sh", tool.TOOL, "judge",
                                   *words], capture_output=True, text=True, check=False, cwd=folder, timeout=600)
            tool.expect(done.returncode == 1 and f"{name}: {why}" in done.stderr,
                        words, done.returncode, done.stderr[:300])


def refused(folder, why, *words):
    done = tool.run(*words, cwd=folder)
    said = done.stderr.decode()
    tool.expect(done.returncode == 1 and said.count("\n") == 1, words, done.returncode, said)
    tool.expect(re.search(why, said) is not None, words, said)


def check_bad(folder):
    name = "broken-export-of-a-database.ris"
    (folder / name).write_text("stray line\nTY  - JOUR\nTI  - First of three titles here\nTY  - JOUR\n"
                               "AB  - \nER  - \nnoise\nTI  - Second, whose first line was lost\nER  - \n"
                               "TY  - JOUR\nER  - \nTY  - JOUR\nTI  - Third of three titles here\n")
    said = good("judge", "new", "b.db", "--queue", name, cwd=folder)
    tool.expect(re.search(r"documents to judge +3\n", said) and f"skipped: 2 ({name}:4, {name}:10)" in said, said)
    good("judge", "export", "b.db", "--as", "ris", "-o", "mended.ris", cwd=folder)
    said = good("judge", "new", "b2.db", "--queue", "mended.ris", cwd=folder)
    tool.expect(re.search(r"documents to judge +3\n", said), said)
    # What Ovid writes between records is no record, and PRISMA's numbers have only records.
    (folder / "ovid.ris").write_text("".join(
        f"{i}.\nTY  - JOUR\nTI  - Title {i} of a record from Ovid\nER  -\nNL  - Some Journal\n\n"
        "Link to the Ovid Full Text or citation: https://example.org/\n\n" for i in range(1, 7)))
    good("judge", "new", "o.db", "--queue", "ovid.ris", cwd=folder)
    flow = values(table("prisma", "judge", "status", "o.db", cwd=folder))
    tool.expect(flow["records identified"] == 6 and flow["removed: neither title nor abstract"] == 0, flow)
    mixed = "TY  - JOUR\nTI  - Études en français un\nER  - \n"
    (folder / "mixed.ris").write_bytes(mixed.encode() + mixed.replace("un", "deux").encode("latin-1"))
    good("judge", "new", "m.db", "--queue", "mixed.ris", cwd=folder)
    out = good("judge", "export", "m.db", "--as", "ris", cwd=folder)
    tool.expect("Études en français un" in out and "Études en français deux" in out, out)
    (folder / "wide.ris").write_text(mixed, encoding="utf-16")
    refused(folder, r"wide\.ris", "judge", "new", "w.db", "--queue", "wide.ris")
    (folder / "empty.ris").write_text("")
    refused(folder, r"empty\.ris", "judge", "new", "e.db", "--queue", "empty.ris")
    (folder / "words.csv").write_text("a,b\n1,2\n")
    refused(folder, r"words\.csv:1: no column title", "judge", "new", "e.db", "--queue", "words.csv")
    with open(folder / "large.ris", "w") as out: # 100 MB
        text = "word " * 400
        for i in range(50000):
            out.write(f"TY  - JOUR\nTI  - Title of record {i} in a large file\nAB  - {text if i % 10 else ''}\nER  - \n\n")
    said = values(table("session", "judge", "new", "l.db", "--queue", "large.ris", cwd=folder))
    tool.expect(said["documents to judge"] == 50000 and said["records skipped"] == 0, said)


def check_ranking(folder):
    """Re-ranked while it is judged; what is judged stays, and the control moves along."""
    names = [f"d{i}" for i in range(40)]
    (folder / "k.csv").write_text("record_id,title\n" + "".join(f"{n},Title of {n}\n" for n in names))
    (folder / "control.qrels").write_text("".join(f"review 0 d{i} 1\n" for i in range(15)))
    good("judge", "new", "k.db", "--queue", "k.csv", "--judged", "control.qrels", "--target", "80%",
         "--stop", "qbcb", cwd=folder)
    (folder / "rank.txt").write_text("\n".join(reversed(names)) + "\n")
    said = good("judge", "rank", "k.db", "rank.txt", cwd=folder)
    tool.expect("25 documents left to judge now come in the order of rank.txt." in said, said)
    (folder / "some.qrels").write_text("review 0 d39 1\nreview 0 d38 0\nreview 0 d37 0\n")
    good("judge", "import", "k.db", "some.qrels", cwd=folder)
    (folder / "rank.run").write_text("".join(f"review Q0 d{i} {i + 1} {100 - i} r\n" for i in range(40)))
    good("judge", "rank", "k.db", "rank.run", cwd=folder)
    said = good("judge", "status", "k.db", cwd=folder)
    # d0 to d14, all of the control, now stand before what is left: they are met at once.
    tool.expect("Yes, certified: recall is at least 80 % (95 % confidence): 15 of the 15 relevant control documents are ranked" in said and "You may stop" in said, said)
    tool.expect(re.search(r"irrelevant documents in a row +2 ", said), said)
    tool.expect("1 of them relevant (16 with the 15 of the control sample)" in said, said)
    rows = values(table("prisma", "judge", "status", "k.db", cwd=folder))
    tool.expect(rows == {"records identified": 40, "duplicates removed": 0, "removed: neither title nor abstract": 0,
                         "records screened": 18, "excluded": 2, "included": 16, "not screened": 22}, rows)
    order = sqlite3.connect(folder / "k.db").execute("SELECT value FROM meta WHERE key = 'rank'").fetchone()[0]
    listed = [n for n, in sqlite3.connect(folder / "k.db").execute(
        "SELECT docno FROM item JOIN document d ON d.id = document ORDER BY item.id")]
    tool.expect([listed[int(i) - 1] for i in order.split()]
                == ["d39", "d38", "d37"] + [f"d{i}" for i in range(15, 37)], order)
    (folder / "other.txt").write_text("nobody\n")
    refused(folder, "has no document to judge among those ranked", "judge", "rank", "k.db", "other.txt")


def check_trained_on_control(folder):
    """A ranking made from the control's labels certifies nothing, and is an input of the session."""
    (folder / "t.csv").write_text("record_id,title\n" + "".join(f"d{i},Title of d{i}\n" for i in range(120)))
    good("judge", "new", "t.db", "--queue", "t.csv", "--target", "80%", "--control", "60", cwd=folder)
    names = [r["record_id"] for r in csv.DictReader(io.StringIO(good("judge", "export", "t.db", "--as", "csv", cwd=folder)))]
    relevant, rest = names[:30], names[60:]
    (folder / "l.csv").write_text("record_id,included\n" + "".join(f"{d},{int(d in relevant)}\n" for d in names[:60]))
    good("judge", "import", "t.db", "l.csv", cwd=folder)
    for order, honest in ((rest + relevant, True), (rest[:3] + relevant + rest[3:], False)):
        (folder / "rank.txt").write_text("\n".join(order) + "\n")
        good("judge", "rank", "t.db", "rank.txt", cwd=folder)
        said = good("judge", "status", "t.db", cwd=folder)
        tool.expect("not a random sample" not in said, honest, said)
    (folder / "l.csv").write_text("record_id,included\n" + "".join(f"{d},1\n" for d in rest[:3]))
    good("judge", "import", "t.db", "l.csv", cwd=folder)
    said = good("judge", "status", "t.db", cwd=folder)
    tool.expect("The control documents are not a random sample of those found, by ranks or number" in said
                and "You may stop" not in said, said)
    inputs = table("inputs", "judge", "report", "t.db", cwd=folder)
    orders = [r for r in inputs if r["used_for"] == "order, after 60 labels"]
    tool.expect(len(orders) == 2 and all(r["file"].endswith("rank.txt") for r in orders)
                and orders[1]["sha256"] == hashlib.sha256((folder / "rank.txt").read_bytes()).hexdigest(), inputs)


def check_control(folder):
    """The control is judged first; labels may come in any order, and the rule waits for all of the control."""
    (folder / "c.csv").write_text("record_id,title\n" + "".join(f"d{i},Title of d{i}\n" for i in range(60)))
    done = tool.run("judge", "new", "c.db", "--queue", "c.csv", "--target", "50%", "--stop", "qbcb", cwd=folder)
    tool.expect(done.returncode == 2 and b"at least 5 relevant control documents; expected --control N (N random documents, 5 or more, "
                b"judged first; about 170 if one in 20" in done.stderr, done.stderr)
    said = good("judge", "new", "c.db", "--queue", "c.csv", "--target", "50%", "--control", "20", "--assessors",
                "anna,ben", "--overlap", "0.5", cwd=folder)
    tool.expect("The first 20 documents are the control sample, in random order. At least 5 of them must" in said, said)
    tool.expect("'intervale judge export c.db --as csv -o labels.csv', fill in column 'included'" in said, said)
    listed = list(csv.DictReader(io.StringIO(good("judge", "export", "c.db", "--as", "csv", cwd=folder))))
    control = [r["record_id"] for r in listed if r["tags"] == "control"]
    tool.expect(len(listed) == 60 and [r["record_id"] for r in listed[:20]] == control, listed)
    tool.expect(control != sorted(control, key=lambda d: int(d[1:])), "the control is in the order of the file", control)
    rest = [r["record_id"] for r in listed[20:]]
    tool.expect(rest == sorted(rest, key=lambda d: int(d[1:])), rest)

    def labels(names, grade, *more):
        (folder / "l.csv").write_text("record_id,included\n" + "".join(f"{d},{grade}\n" for d in names))
        good("judge", "import", "c.db", "l.csv", *more, cwd=folder)
        return good("judge", "status", "c.db", cwd=folder)
    said = labels(rest[:10], 1, "--assessor", "ben") # before the control
    tool.expect("0 of the 20 control documents (a random sample, judged first) are judged. The stopping rule applies once all 20 are judged, if at "
                "least 5 are relevant." in said and "You may stop" not in said, said)
    mixed = [d for i, x in enumerate(rest[::-1]) for d in ([x, control[i // 2]] if i % 2 else [x])]
    (folder / "rank.txt").write_text("\n".join(mixed) + "\n") # the control stays in front
    good("judge", "rank", "c.db", "rank.txt", cwd=folder)
    said = labels(control[:19], 1)
    tool.expect("19 of the 20 control documents (a random sample, judged first) are judged." in said, said)
    said = labels(control[19:], 0)
    tool.expect(" of the 19 relevant control documents are ranked above the first unjudged document. At 14, a recall of 50 % is demonstrated (95 % confidence, as the labels stand)." in said, said)
    labels(control[:1], 0, "--assessor", "ben") # the owner's label counts
    said = labels(rest[10:], 1) # as in the control, nearly all are relevant
    tool.expect("Inconclusive: 30 judged documents are not decided, because assessors disagree or a second judgment is missing (target "
                "50 %, 95 % confidence; by a control sample). Decide these first." in said and "You may stop" not in said, said)
    decision = values(table("decision", "judge", "report", "c.db", cwd=folder))
    relevant = len(control) - 1 # all but the last: of the first, the owner's label counts
    tool.expect(decision["control sample"] == "20 of the 60 documents, the first of the list; 20 of them are judged"
                and decision["of the control sample"] == f"{relevant} relevant documents, as the labels stand; {relevant} were reached, "
                "as all documents are judged, and the rule needs 14"
                and decision["stopping rule"].startswith("enough relevant documents of a random control sample rank above"), decision)
    flow = values(table("prisma", "judge", "status", "c.db", cwd=folder))
    tool.expect((flow["records screened"], flow["included"], flow["disagreement, not decided"],
                 flow["judged by one of two assessors"], flow["not screened"]) == (60, 30, 1, 29, 0), flow)
    done = tool.run("judge", "export", "c.db", "--as", "csv", cwd=folder)
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    tool.expect(len(rows) == 60 and sum(int(r["included"]) for r in rows) == 59
                and b"Disagreements that the owner has not decided: 1." in done.stderr, done.stderr)
    # What judge new says: the export is filled in, in part, and imported.
    good("judge", "new", "spread.db", "--queue", "c.csv", cwd=folder)
    good("judge", "export", "spread.db", "--as", "csv", "-o", "filled.csv", cwd=folder)
    lines = (folder / "filled.csv").read_text().splitlines()
    at = lines[0].split(",").index("included")
    for i in range(1, 13):
        cells = lines[i].split(",")
        lines[i] = ",".join([*cells[:at], str(i % 2), *cells[at + 1:]])
    (folder / "filled.csv").write_text("\n".join(lines) + "\n")
    good("judge", "import", "spread.db", "filled.csv", cwd=folder)
    said = good("judge", "status", "spread.db", cwd=folder)
    tool.expect("12 of 60 documents are judged, 6 of them relevant; 48 judgments are left." in said, said)
    done = tool.run("judge", "export", "spread.db", "--as", "qrels", "--partial", cwd=folder)
    tool.expect(done.stdout.count(b" -1\n") == 48
                and b"Documents not judged yet: 48, with grade -1." in done.stderr, done.stderr)
    # At the end of a review, a random sample of what is left.
    for name in ("r1.db", "r2.db"):
        good("judge", "new", name, "--queue", "c.csv", cwd=folder)
        (folder / "l.csv").write_text("record_id,included\n" + "".join(f"d{i},{i % 2}\n" for i in range(10)))
        good("judge", "import", name, "l.csv", cwd=folder)
        said = good("judge", "rank", name, "--random", "--seed", "5", cwd=folder)
        tool.expect("50 documents left to judge now come in random order." in said
                    and "--retrieved 10,10,5 --unretrieved 50,n,r" in said, said)
    orders = [sqlite3.connect(folder / name).execute("SELECT value FROM meta WHERE key = 'rank'").fetchone()[0].split()
              for name in ("r1.db", "r2.db")]
    tool.expect(orders[0] == orders[1] and orders[0][:10] == [str(i) for i in range(1, 11)]
                and orders[0][10:] != sorted(orders[0][10:], key=int), orders)
    # A control that was judged elsewhere is not in the session.
    (folder / "c.qrels").write_text("".join(f"review 0 d{i} {i % 2}\n" for i in range(0, 60, 3)))
    good("judge", "new", "rest.db", "--queue", "c.csv", "--judged", "c.qrels", "--target", "50%", "--stop", "qbcb", cwd=folder)
    done = tool.run("judge", "export", "rest.db", "--as", "csv", cwd=folder)
    tool.expect("control sample are not exported: 20." in done.stderr.decode(), done.stderr.decode())


def ask(base, token, path, body=None):
    request = urllib.request.Request(base + path, data=None if body is None else json.dumps(body).encode(),
                                     headers={"Authorization": f"Bearer {token}", "Origin": base,
                                              "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def check_script(folder):
    """A program fetches, judges, ranks, searches and exports by its own token."""
    said = good("judge", "assessor", "k.db", "--script", "ranker", cwd=folder)
    token = re.search(r"shown once: ([0-9a-f]{32})", said).group(1)
    flow = values(table("prisma", "judge", "status", "k.db", cwd=folder))
    with Server(folder, "k.db") as s:
        base = s.links.read_text().split(": ")[1].split("/#")[0]
        tool.expect("ranker" not in s.links.read_text(), "a link for a script")
        tool.expect(ask(base, token, "/api/rank", {"ranking": ["d36", "d35"]}) == {"ranked": 2})
        item = ask(base, token, "/api/next")["next"]
        tool.expect(item["docno"] == "d36", item)
        found = ask(base, token, "/api/search", {"text": "TITLE OF d36"})["items"]
        tool.expect([i["docno"] for i in found] == ["d36"], found)
        session = ask(base, token, "/api/session")["session"]
        stored = ask(base, token, "/api/judgments", {"session": session, "judgments": [
            {"uuid": "00000000-0000-4000-8000-0000000000aa", "item": item["item"], "docno": "d36", "reason": "judged", "grade": 1,
             "note": "#wrong-drug not quite"}]})
        tool.expect(stored["stored"][0]["stored"] == "new", stored)
        tool.expect(ask(base, token, "/api/overview")["counts"]["judged"] == 4)
        live = ask(base, token, "/api/live")["live"]
        tool.expect(live["streak"] == 0 and live["curve"][-1] == 2 and len(live["curve"]) == 51, live)
        item = ask(base, token, "/api/next")["next"]
        ask(base, token, "/api/judgments", {"session": session, "judgments": [
            {"uuid": "00000000-0000-4000-8000-0000000000ab", "item": item["item"], "docno": item["docno"],
             "reason": "cannot"}]})
        for path, body in (("/api/assessor", {"do": "add", "name": "x"}), ("/api/overview", None)):
            try:
                ask(base, token if body else "0" * 32, path, body)
                tool.expect(False, path)
            except urllib.error.HTTPError as problem:
                tool.expect(problem.code == (403 if body else 401), path, problem.code)
    after = values(table("prisma", "judge", "status", "k.db", cwd=folder)) # one included, one without a decision
    tool.expect([after[k] - flow.get(k, 0) for k in ("records screened", "excluded", "included", "cannot judge")]
                == [2, 0, 1, 1], flow, after)
    out = list(csv.DictReader(io.StringIO(good("judge", "export", "k.db", "--as", "csv", cwd=folder))))
    row = next(r for r in out if r["record_id"] == "d36")
    tool.expect((row["included"], row["tags"], row["notes"]) == ("1", "wrong-drug", "#wrong-drug not quite"), row)
    good("judge", "assessor", "k.db", "--revoke", "ranker", cwd=folder)


def asreview_of(place):
    """A Python that has the package asreview."""
    python = place / "bin" / "python"
    if not python.exists():
        venv.create(place, with_pip=True)
    if subprocess.run([python, "-c", "import asreview"], cwd=place, capture_output=True, check=False).returncode != 0:  # it writes there
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries",
                               "1", "asreview"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print("skipped: the package asreview cannot be installed:", *done.stderr.strip().splitlines()[-1:])
            sys.exit(77)
    return str(python)


def check_asreview(folder, python):
    """ASReview itself reads what is exported, and its project is read back."""
    code = """
import sys
from asreview.data.loader import load_records
records = load_records(sys.argv[1])
print(sorted((r.title, r.included) for r in records))
"""
    random.seed(3)
    with open(folder / "sim.csv", "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["record_id", "title", "abstract", "included"])
        for i in range(60):
            words = random.choices(["stroke", "aspirin", "trial"] if i < 6 else ["diet", "nurse", "kitchen", "cohort"], k=20)
            rows.writerow([i, f"Title {i} " + " ".join(words[:3]), " ".join(words), int(i < 6)])
    subprocess.run([python, "-m", "asreview", "simulate", "sim.csv", "-o", "sim.asreview", "--n-prior-included", "1",
                    "--n-prior-excluded", "1", "--seed", "1"], cwd=folder, check=True, capture_output=True)
    good("judge", "new", "sim.db", "--queue", "sim.csv", cwd=folder)
    good("judge", "import", "sim.db", "sim.asreview", cwd=folder)
    good("judge", "rank", "sim.db", "sim.asreview", cwd=folder)
    for form in ("ris", "csv"):
        good("judge", "export", "sim.db", "--as", form, "-o", f"back.{form}", cwd=folder)
        done = subprocess.run([python, "-c", code, f"back.{form}"], cwd=folder, check=True, capture_output=True, text=True)
        back = dict(eval(done.stdout))
        own = {r["title"]: None if r["included"] == "" else int(r["included"]) for r in csv.DictReader(io.StringIO(
            good("judge", "export", "sim.db", "--as", "csv", cwd=folder)))}
        tool.expect(back == own and 1 in own.values() and None in own.values(), form, back)
    # Ovid's year, "2014//", stopped ASReview.
    (folder / "ovid.ris").write_text("1. \nTY  - JOUR\nTI  - A record of Ovid's\nY1  - 2014//\nER  - \n")
    good("judge", "new", "ovid.db", "--queue", "ovid.ris", cwd=folder)
    good("judge", "export", "ovid.db", "--as", "csv", "--partial", "-o", "ovid.csv", cwd=folder)
    done = subprocess.run([python, "-c", code.replace("included", "year"), "ovid.csv"], cwd=folder, capture_output=True,
                          text=True, check=True)
    tool.expect(eval(done.stdout) == [("A record of Ovid's", 2014)], done.stdout)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if len(sys.argv) > 2:
            check_asreview(folder, asreview_of(pathlib.Path(sys.argv[2]).absolute()))
        else:
            for check in (check_formats, check_traits, check_labels, check_formulas, check_project,
                          check_hostile_projects, check_bad, check_ranking,
                          check_trained_on_control, check_control, check_script):
                check(folder)
    tool.finish()


main()

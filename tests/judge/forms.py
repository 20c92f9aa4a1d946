# SPDX-License-Identifier: Apache-2.0
"""Files of references as databases and reference managers write them: Ovid, EndNote, BibTeX, Rayyan.

usage: forms.py TOOL
"""
import csv
import io
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import tool  # noqa: E402

OVID = """\
1. 
TY  - JOUR
ID  - 1
T1  - M&uuml;ller\u2019s <i>Homo imaginarius</i>: a trial &amp; its p<0.05, a <b and c> d
A1  - Muster, Erika
Y1  - 2014//
N2  - <p>Nobody knows.</p> We drew lots &ge; 3 times.
ER  - 

2. 
TY  - JOUR
ID  - 2
T1  - Muller's Homo imaginarius: a trial & its p<0.05, a <b and c> d
A1  - Muster, E.
Y1  - 2014/05/01/
ER  - 
"""

BIBTEX = r"""% Encoding: UTF-8
@string{jimag = "Journal of " # {Imaginary} # " Results"}
@comment{nothing}
@article{muster2019,
  title = {M{\"u}ller's low doses of an {I}maginary drug -- a \emph{randomised} trial \& more},
  author = {Muster, Erika and {\'E}xemple, Ren\'e and \v{S}ad\'{\i}k, Jan},
  journal = jimag, year = 2019, pages = "101--9", doi = {10.5555/a\_b},
  keywords = {stroke, kitchens}, abstract = {Nobody knows.}, eprinttype = {none},
}
@inproceedings(x2, title = "Kitchens of hospitals {"}quoted{"}", year = "2020")
"""

ENDNOTE = """<?xml version="1.0" encoding="UTF-8" ?><xml><records><record><database name="a.enl">a</database>\
<rec-number>7</rec-number><ref-type name="Conference Proceedings">10</ref-type><contributors><authors><author>\
<style face="normal">Muster, Erika</style></author><author>Doe, J.</author></authors><secondary-authors><author>Ed, I.\
</author></secondary-authors></contributors><titles><title><style face="normal">A </style><style face="italic">title\
</style> &amp; more &#8217;s</title></titles><pages>1-2</pages><dates><year>2018</year></dates><abstract>Of &lt;b&gt;\
bold&lt;/b&gt; text</abstract><electronic-resource-num>10.1000/xyz</electronic-resource-num><work-type>Paper\
</work-type></record></records></xml>
"""

RAYYAN = "".join(f"TY  - JOUR\nID  - r{i}\nTI  - Imaginary record number {word}\nN1  - RAYYAN-INCLUSION: {{{votes}}} | "
                 "RAYYAN-LABELS: x\nER  - \n" for i, (word, votes) in enumerate((
                     ("one", '"Al"=>"Included", "Jo"=>"Excluded"'), ("two", '"Al"=>"Included", "Jo"=>"Included"'),
                     ("three", '"Al"=>"Maybe", "Jo"=>"Excluded"'))))


def good(*words, cwd):
    done = tool.run(*words, cwd=cwd)
    tool.expect(done.returncode == 0, words, done.stderr.decode())
    return done.stdout.decode()


def table(name, *words, cwd):
    said = json.loads(good(*words, "--format", "json", cwd=cwd))
    return next(t["rows"] for t in said["tables"] if t["name"] == name)


def rows_of(folder, name, text):
    """The file is known to check, and its records as the CSV has them."""
    (folder / name).write_text(text, encoding="utf-8")
    files = table("files", "check", name, cwd=folder)
    tool.expect([f["errors"] for f in files] == [0], name, files)
    good("judge", "new", name + ".db", "--queue", name, cwd=folder)
    out = good("judge", "export", name + ".db", "--as", "csv", "--partial", cwd=folder)
    return files[0]["format"], list(csv.DictReader(io.StringIO(out)))


def check_ovid(folder):
    """Numbering lines, "2014//", entities and tags; two apostrophes are one."""
    form, rows = rows_of(folder, "ovid.ris", OVID)
    tool.expect(form == "references (RIS)" and len(rows) == 1, form, rows)
    tool.expect(rows[0]["title"] == "M\u00fcller\u2019s Homo imaginarius: a trial & its p<0.05, a <b and c> d"
                and rows[0]["year"] == "2014" and rows[0]["abstract"] == "Nobody knows. We drew lots \u2265 3 times.", rows)
    (folder / "numbered").write_text(OVID) # without an ending that says so
    tool.expect("documents to judge      1" in good("judge", "new", "n.db", "--queue", "numbered", cwd=folder), "numbered")
    kept = good("judge", "export", "ovid.ris.db", "--as", "ris", "--partial", cwd=folder)
    tool.expect("T1  - M&uuml;ller\u2019s <i>Homo" in kept and "Y1  - 2014//" in kept, kept)


def check_bibtex(folder):
    form, rows = rows_of(folder, "my.bib", BIBTEX)
    tool.expect(form == "references (BibTeX)", form)
    tool.expect([[r[k] for k in ("record_id", "title", "authors", "year", "journal", "doi")] for r in rows] == [
        ["muster2019", "M\u00fcller's low doses of an Imaginary drug \u2013 a randomised trial & more",
         "Muster, Erika; \u00c9xemple, Ren\u00e9; \u0160ad\u00edk, Jan", "2019", "Journal of Imaginary Results", "10.5555/a_b"],
        ["x2", 'Kitchens of hospitals "quoted"', "", "2020", "", ""]], rows)
    ris = good("judge", "export", "my.bib.db", "--as", "ris", "--partial", cwd=folder)
    for line in ("SP  - 101-9", "KW  - kitchens", "N1  - eprinttype: none", "TY  - CONF"):
        tool.expect(line + "\n" in ris, line, ris)
    for text, why in (("@article{a, title = {A title}\n\n@book{b", "b.bib:1: an entry of BibTeX that does not end"),
                      ("@article{a,\n title {A title}}", "b.bib:2: 'title' in an entry of BibTeX; expected NAME"),
                      ("@article{a, year = 2000}", "no record with a title")):
        (folder / "b.bib").write_text(text)
        done = tool.run("judge", "new", "bad.db", "--queue", "b.bib", cwd=folder)
        tool.expect(done.returncode == 1 and why in done.stderr.decode(), text, done.stderr)


def check_endnote(folder):
    form, rows = rows_of(folder, "en.xml", ENDNOTE)
    tool.expect(form == "references (XML of EndNote)", form)
    tool.expect([[r[k] for k in ("record_id", "title", "abstract", "authors", "year", "doi")] for r in rows] == [
        ["7", "A title & more \u2019s", "Of bold text", "Muster, Erika; Doe, J.", "2018", "10.1000/xyz"]], rows)
    ris = good("judge", "export", "en.xml.db", "--as", "ris", "--partial", cwd=folder)
    for line in ("A2  - Ed, I.", "N1  - work-type: Paper", "TY  - CONF", "SP  - 1-2"):
        tool.expect(line + "\n" in ris, line, ris)
    (folder / "cut.xml").write_text(ENDNOTE[:600])
    done = tool.run("judge", "new", "bad.db", "--queue", "cut.xml", cwd=folder)
    tool.expect(done.returncode == 1 and "a record that does not end; expected </record>" in done.stderr.decode(), done.stderr)


def steps(folder, db):
    """Records excluded, included, and in disagreement."""
    said = good("judge", "status", db, "--table", "prisma", cwd=folder)
    return [int(n) for n in re.findall(r"^(?:excluded|included|disagreement, not decided) +(\d+)$", said, re.M)]


def check_rayyan(folder):
    """Each reviewer's labels if they are assessors, with conflicts and 'Maybe'; else what all agree on."""
    (folder / "ray.ris").write_text(RAYYAN)
    good("judge", "new", "one.db", "--queue", "ray.ris", cwd=folder)
    said = good("judge", "import", "one.db", "ray.ris", cwd=folder)
    tool.expect("Judgments stored: 1." in said and "(Al, Jo) disagree or decided 'Maybe' are not stored: 2." in said, said)
    good("judge", "new", "all.db", "--queue", "ray.ris", "--assessors", "own,Al,Jo", cwd=folder)
    said = good("judge", "import", "all.db", "ray.ris", cwd=folder)
    tool.expect("Judgments stored: 6." in said and "with the tag maybe: 1." in said, said)
    again = good("judge", "import", "all.db", "ray.ris", cwd=folder)
    tool.expect("Judgments stored: 0." in again, again)
    labels = good("judge", "export", "all.db", "--as", "labels", cwd=folder).splitlines()[1:]
    tool.expect(labels == ["1,Al,1,review,r0", "1,Jo,0,review,r0", "2,Al,1,review,r1", "2,Jo,1,review,r1",
                           "3,Jo,0,review,r2"], labels)
    rows = list(csv.DictReader(io.StringIO(good("judge", "export", "all.db", "--as", "csv", cwd=folder))))
    tool.expect([r["tags"] for r in rows] == ["conflict", "", "conflict; maybe"], rows)
    tool.expect(steps(folder, "all.db") == [0, 1, 2])
    (folder / "own.csv").write_text("record_id,included\nr2,0\n")  # the owner says what one could not
    good("judge", "import", "all.db", "own.csv", "--assessor", "own", cwd=folder)
    tool.expect(steps(folder, "all.db") == [1, 1, 1])
    good("judge", "new", "two.db", "--queue", "ray.ris", "--assessors", "Al,Jo", "--overlap", "1", cwd=folder)
    good("judge", "import", "two.db", "ray.ris", cwd=folder)
    tool.expect(steps(folder, "two.db") == [0, 1, 2])
    good("judge", "new", "some.db", "--queue", "ray.ris", "--assessors", "own,Al", cwd=folder)
    done = tool.run("judge", "import", "some.db", "ray.ris", cwd=folder)
    tool.expect(done.returncode == 1 and "reviewer 'Jo' of Rayyan is no assessor" in done.stderr.decode(), done.stderr)
    said = good("judge", "import", "some.db", "ray.ris", "--assessor", "own", cwd=folder) # as one person's
    tool.expect("Judgments stored: 1." in said, said)


def main():
    with tempfile.TemporaryDirectory() as name:
        for check in (check_ovid, check_bibtex, check_endnote, check_rayyan):
            check(pathlib.Path(name))
    tool.finish()


main()

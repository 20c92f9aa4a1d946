# SPDX-License-Identifier: Apache-2.0
"""Lists of documents and families: sample --ids, judge new --ids, recall --families.

usage: families.py TOOL
"""
import collections
import json
import pathlib
import random
import tempfile

import tool


def good(*words, cwd):
    done = tool.run(*words, cwd=cwd)
    tool.expect(done.returncode == 0, words, done.stderr.decode())
    return done.stdout.decode()


def sampled(text):
    return [line.split()[2] for line in text.splitlines()]


def make(folder):
    """Families of 1 to 20; of those with retrieved documents a tenth of the documents were missed."""
    random.seed(5)
    rows, label = [], {}
    for f in range(600):
        hit = random.random() < 0.3
        for _ in range(random.randint(1, 20)):
            name = f"d{len(rows)}"
            segment = "retrieved" if hit and random.random() < 0.9 else "unretrieved"
            rows.append((name, f"f{f}", segment))
            label[name] = int(random.random() < (0.5 if segment == "retrieved" else 0.02))
    random.shuffle(rows)
    (folder / "families.csv").write_text("document,family,segment\n" + "".join(",".join(r) + "\n" for r in rows))
    return rows, label


def check_sample(folder, rows):
    """Whole families, as many documents of both kinds of families; the same for the same seed."""
    names = sampled(good("sample", "--ids", "families.csv", "--total", "2000", cwd=folder))
    family, members = {d: f for d, f, _ in rows}, collections.Counter(f for _, f, _ in rows)
    taken = collections.Counter(family[n] for n in names)
    tool.expect(all(taken[f] == members[f] for f in taken) and abs(len(names) - 2000) < 200, len(names))
    runs = [family[n] for n in names]
    tool.expect(sum(a != b for a, b in zip(runs, runs[1:])) == len(taken) - 1, "a family in two places")
    hits = {f for _, f, s in rows if s == "retrieved"}
    some = sum(family[n] in hits for n in names)
    tool.expect(abs(some - len(names) / 2) < 150, some, len(names))
    tool.expect(names == sampled(good("sample", "--ids", "families.csv", "--total", "2000", cwd=folder)), "another sample")
    (folder / "plain.txt").write_text("".join(f"{d}\n" for d, _, _ in rows))
    plain = sampled(good("sample", "--ids", "plain.txt", "--total", "400", cwd=folder))
    tool.expect(len(set(plain)) == 400 and set(plain) <= set(family), len(plain))
    (folder / "pairs.txt").write_text("".join(f"{d} {f}\n" for d, f, _ in rows))
    said = json.loads(good("sample", "--ids", "pairs.txt", "--total", "400", "--format", "json", cwd=folder))
    tool.expect("600 families, are to be judged" in said["answer"]["text"] if isinstance(said["answer"], dict)
                else "600 families, are to be judged" in said["answer"], said["answer"])


def check_session(folder, rows):
    """A list is judged in its order, families together; the sample is a design."""
    family = {d: f for d, f, _ in rows}
    good("judge", "new", "list.db", "--ids", "families.csv", "--missing-documents", "show-id", cwd=folder)
    out = sampled(good("judge", "export", "list.db", "--as", "qrels", "--partial", cwd=folder))
    runs = [family[n] for n in out]
    tool.expect(len(out) == len(rows) and sum(a != b for a, b in zip(runs, runs[1:])) == 599, len(out))
    good("sample", "--ids", "families.csv", "--total", "200", "-o", "s.qrels", cwd=folder)
    good("judge", "new", "s.db", "--design", "s.qrels", "--missing-documents", "show-id", cwd=folder)


def check_recall(folder, rows, label):
    """The interval is wider than that of single documents where families are alike."""
    words = ("recall", "--families", "families.csv", "--sample", "judged.qrels")
    names = sampled(good("sample", "--ids", "families.csv", "--total", "2000", cwd=folder))
    (folder / "judged.qrels").write_text("".join(f"review 0 {n} {label[n]}\n" for n in names))
    said = {t["name"]: t["rows"] for t in json.loads(good(*words, "--format", "json", cwd=folder))["tables"]}
    found = sum(label[d] for d, _, s in rows if s == "retrieved") / sum(label.values())
    own = said["recall"][0]
    tool.expect(own["lower"] < found < own["upper"] and own["upper"] - own["lower"] < 0.45, own, found)
    tool.expect([r["N"] for r in said["families"]] == [sum(s == "retrieved" for _, _, s in rows)] + [
        sum(s != "retrieved" and (f in {g for _, g, t in rows if t == "retrieved"}) == beside for _, f, s in rows)
        for beside in (True, False)], said["families"])
    alike = {d: int(hash(f) * 7 % 10 < 5) if s == "retrieved" else label[d] for d, f, s in rows
             for hash in (lambda f: int(f[1:]),)}
    (folder / "judged.qrels").write_text("".join(f"review 0 {n} {alike[n]}\n" for n in names))
    said = {t["name"]: t["rows"] for t in json.loads(good(*words, "--format", "json", cwd=folder))["tables"]}
    by, single = said["recall"]
    tool.expect(said["families"][0]["effect"] > 5 and by["upper"] - by["lower"] > single["upper"] - single["lower"], said)
    tool.expect(good(*words, "--target", "5%", cwd=folder).startswith("Probably yes: recall is at least 5 %"), "target")
    tool.expect(good(*words, "--target", "99.9%", cwd=folder).startswith("Probably no"), "target")


def check_bad(folder):
    for text, why in (("document,family\na,1\na,1\n", "bad.csv:3: document 'a' occurs twice"),
                      ("document,family\na,1\nb,\n", "bad.csv:3: document 'b' has no family"),
                      ("document,segment\na,in\n", "bad.csv:2: segment 'in'; expected retrieved or unretrieved"),
                      ("name,family\na,1\n", "bad.csv:1: no column document"),
                      ("a b c\n", "bad.csv:1: three words"), ("\n", "no document")):
        (folder / "bad.csv").write_text(text)
        done = tool.run("sample", "--ids", "bad.csv", "--total", "1", cwd=folder)
        tool.expect(done.returncode == 1 and why in done.stderr.decode(), text, done.stderr)
    done = tool.run("sample", "--ids", "plain.txt", cwd=folder)
    tool.expect(done.returncode != 0 and "--total" in done.stderr.decode(), done.stderr)
    done = tool.run("recall", "--families", "plain.txt", "--sample", "judged.qrels", cwd=folder)
    tool.expect(done.returncode == 1 and "no column family" in done.stderr.decode(), done.stderr)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows, label = make(folder)
        check_sample(folder, rows)
        check_session(folder, rows)
        check_recall(folder, rows, label)
        check_bad(folder)
    tool.finish()


main()

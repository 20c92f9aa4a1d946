# SPDX-License-Identifier: Apache-2.0
"""Sessions that were edited, damaged or exchanged: nothing crashes, no wrong label leaves a session,
and what was changed is found.

usage: trust.py TOOL [FLIPS [KILLS]]

With FLIPS, only the test with single flipped bits, so many of them; with KILLS also that with killed servers.
"""
import hashlib
import http.client
import json
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time
import uuid

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tool  # noqa: E402
from serving import Server  # noqa: E402

EXPORTS = (("--as", "qrels"), ("--as", "labels"), ("--as", "log"), ("--as", "csv"))


def good(*words, cwd):
    done = tool.run(*words, cwd=cwd)
    tool.expect(done.returncode == 0, words, done.stderr.decode())
    return done.stdout.decode()


def crashed(done):
    """Ended by a signal, or by a sanitizer, which says so."""
    return done.returncode not in (0, 1) or b"Sanitizer" in done.stderr or b"runtime error" in done.stderr


def make(folder, name, *words, documents=6):
    """A session with two assessors, a disagreement, a note and something undone."""
    (folder / "docs.jsonl").write_text("".join(
        json.dumps({"_id": f"doc{i}", "title": f"Title {i}", "text": f"Text of {i}. " * (3 + 60 * (i % 2))}) + "\n"
        for i in range(documents)))
    (folder / "q.run").write_text("".join(f"1 Q0 doc{i} {i + 1} {documents - i} r\n" for i in range(documents)))
    good("judge", "new", name, "--queue", "q.run", "--documents", "docs.jsonl", "--assessors", "anna,ben",
         "--overlap", "1", *words, cwd=folder)
    for who, grades in (("anna", "101010"), ("ben", "111010")):
        (folder / "g.qrels").write_text("".join(f"1 0 doc{i} {g}\n" for i, g in enumerate(grades[:documents])))
        good("judge", "import", name, "g.qrels", "--assessor", who, cwd=folder)


def edit(path, *statements):
    """Edits a session as a program would that is not ours; False if SQLite refuses."""
    db = sqlite3.connect(path)
    try:
        for name, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        for sql, *values in statements:
            db.execute(sql, values)
        db.commit()
        return True
    except sqlite3.Error:
        return False
    finally:
        db.close()


# ------------------------------------------------------------------ checksums --

def row_bytes(row):
    """As doc/formats.md says: type, eight bytes, the bytes."""
    out = b""
    for v in row:
        if v is None:
            out += struct.pack("<BQ", 5, 0)
        elif isinstance(v, int):
            out += struct.pack("<Bq", 1, v)
        elif isinstance(v, float):
            out += struct.pack("<Bd", 2, v)
        else:
            raw = v.encode() if isinstance(v, str) else v
            out += struct.pack("<BQ", 3 if isinstance(v, str) else 4, len(raw)) + raw
    return out


def check_chain(folder):
    """The checksums are those of their description, computed here anew; a removed judgment shows."""
    make(folder, "c.db")
    db = sqlite3.connect(folder / "c.db")
    meta = dict(db.execute("SELECT key, value FROM meta"))
    tool.expect(re.fullmatch("[0-9a-f]{32}", meta["session"]) is not None, meta["session"])
    last = hashlib.sha256(meta["session"].encode()).hexdigest()
    log = db.execute("SELECT seq, uuid, item, topic.name, docno, assessor, assessor.name, grade, reason, replaces,"
                     " active_ms, away_ms, at, note FROM judgment JOIN item ON item.id = item JOIN topic ON topic.id = topic"
                     " JOIN document ON document.id = document JOIN assessor ON assessor.id = assessor ORDER BY seq").fetchall()
    tool.expect(len(log) == 12, len(log))
    for row, (seq, kept) in zip(log, db.execute("SELECT seq, sum FROM seal ORDER BY seq"), strict=True):
        last = hashlib.sha256(last.encode() + row_bytes(row)).hexdigest()
        tool.expect((seq, kept) == (row[0], last), row, kept)
    tool.expect(meta["sum:log"] == last, "the last one")
    items = b"".join(b"\0" + b"".join(row_bytes(r) for r in db.execute(sql)) for sql in (
        "SELECT id, name, text FROM topic ORDER BY id", "SELECT id, docno, title FROM document ORDER BY id",
        "SELECT id, name, size, retrieved FROM stratum ORDER BY id",
        "SELECT id, topic, document, stratum, block, ord, twice FROM item ORDER BY id"))
    tool.expect(meta["sum:items"] == hashlib.sha256(items).hexdigest(), "items")
    db.close()
    good("judge", "check", "c.db", cwd=folder)
    for statements in (
            [("DELETE FROM judgment WHERE seq = 12",), ("DELETE FROM seal WHERE seq = 12",), ("DELETE FROM current WHERE seq = 12",)],
            [("DELETE FROM judgment WHERE seq = 3",), ("DELETE FROM seal WHERE seq = 3",), ("DELETE FROM current WHERE seq = 3",)],
            [("UPDATE judgment SET grade = 1 - grade WHERE seq = 4",), ("UPDATE current SET grade = 1 - grade WHERE seq = 4",)],
            [("UPDATE judgment SET at = '2020-01-01T00:00:00.000Z' WHERE seq = 5",)],
            [("UPDATE judgment SET note = 'x' WHERE seq = 6",)],
            [("UPDATE document SET docno = 'doc9' WHERE docno = 'doc1'",)],
            [("UPDATE topic SET name = '2'",)], [("UPDATE assessor SET name = 'bea' WHERE id = 2",)],
            [("UPDATE meta SET value = '2' WHERE key = 'level'",)]):
        shutil.copy(folder / "c.db", folder / "d.db")
        tool.expect(edit(folder / "d.db", *statements), statements)
        done = tool.run("judge", "check", "d.db", cwd=folder)
        tool.expect(done.returncode == 1 and b"damaged" in done.stderr, statements, done)
        for words in EXPORTS:
            done = tool.run("judge", "export", "d.db", *words, cwd=folder)
            tool.expect(done.returncode == 1 and done.stdout == b"", statements, words, done)
        done = tool.run("judge", "serve", "d.db", "--url-file", "never", cwd=folder)
        tool.expect(done.returncode == 1 and b"damaged" in done.stderr, "served", statements, done)


def check_older(folder):
    """A session of version 1 is read as it is; written, it gets an identity and checksums, and its logins end."""
    script = (pathlib.Path(__file__).parent / "session_0.2.sql").read_text()
    db = sqlite3.connect(folder / "old.db")
    db.executescript(script + "INSERT INTO meta VALUES ('set:visits:1', 'x');"
                     "PRAGMA application_id = 1769368164; PRAGMA user_version = 1;")
    db.close()

    def version():
        db = sqlite3.connect(folder / "old.db")
        is_ = db.execute("PRAGMA user_version").fetchone()[0], db.execute(
            "SELECT count(*) FROM meta WHERE key GLOB 'set:visits:*'").fetchone()[0]
        db.close()
        return is_
    before = good("judge", "export", "old.db", "--as", "log", cwd=folder)
    tool.expect(version() == (1, 1), version())
    (folder / "more.qrels").write_text("301 0 DOC-0080178 1\n")
    good("judge", "import", "old.db", "more.qrels", "--assessor", "ann", cwd=folder)
    tool.expect(version() == (2, 0), version())
    good("judge", "check", "old.db", cwd=folder)
    tool.expect(good("judge", "export", "old.db", "--as", "log", cwd=folder).startswith(before.rstrip("\n")), "the log")


# -------------------------------------------------------------------- editing --

EXTREMES = (-1, 0, 1, 3, 255, 900000000, 2**31, 2**32 + 1, -2**63, 2**63 - 1, None, "", "x" * 5000, "\x1b[31m\u202e", b"\xff\x00")


def routes(folder, db):
    """Everything that a page asks; the server answers each and still runs."""
    with Server(folder, db) as s:
        if s.is_.poll() is not None:
            return s.is_.returncode, s.is_.stderr.read()
        text = s.links.read_text()
        port = int(re.search(r":(\d+)/#t=", text).group(1))

        def ask(method, path, body=None, key=None):
            c = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            c.request(method, path, None if body is None else json.dumps(body), {
                **({"Authorization": f"Bearer {key}"} if key else {}), "Content-Type": "application/json"})
            answer = c.getresponse()
            return answer.status, answer.read()
        try:
            status, entered = ask("POST", "/api/login", {"token": s.token()})
            key = json.loads(entered)["key"] if status == 200 else None
            for path in ("session", "next", "next?adjudicate=1", "item?id=1&whole=1", "item?id=3", "live", "history", "overview",
                         "agreement", "items?state=conflict", "items?state=noted", "items", "export?as=log", "export?as=labels"):
                ask("GET", f"/api/{path}", None, key)
            ask("POST", "/api/search", {"text": "title"}, key)
        except (http.client.HTTPException, OSError):
            pass
        s.is_.send_signal(signal.SIGTERM)
        _, said = s.is_.communicate(timeout=120)
        return s.is_.returncode, said


def check_columns(folder):
    """Each column of each table at its extremes, unsealed and sealed anew: every command ends well."""
    make(folder, "e.db")
    db = sqlite3.connect(folder / "e.db")
    columns = [(t, c) for t, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
               for _, c, *_ in db.execute(f"PRAGMA table_info({t})").fetchall() if not t.startswith("sqlite_")]
    db.close()
    tool.expect(len(columns) > 40, columns)
    served = 0
    for table, column in columns:
        for value in EXTREMES:
            shutil.copy(folder / "e.db", folder / "f.db")
            where = "rowid = (SELECT max(rowid) FROM " + table + ")" if table != "current" else "item = 3 AND assessor = 2"
            if not edit(folder / "f.db", (f"UPDATE {table} SET {column} = ? WHERE {where}", value)):
                continue
            for words in (("check", "f.db"), ("status", "f.db"), ("export", "f.db", "--as", "labels"), ("export", "f.db", "--as", "log")):
                done = tool.run("judge", *words, cwd=folder)
                tool.expect(not crashed(done), table, column, value, words, done.returncode, done.stderr[-500:])
                if words[0] == "check":
                    refused = done.returncode == 1
            if not refused or (table, column) in (("current", "item"), ("judgment", "assessor"), ("judgment", "reason")):
                rc, said = routes(folder, "f.db")
                served += 1
                tool.expect(rc in (1, -signal.SIGTERM), table, column, value, "serve", rc, said[-500:])
    tool.expect(served > 10, served)


def check_views(folder):
    """A session may hold nothing that SQLite would run."""
    make(folder, "v.db")
    for sql in ("CREATE VIEW w AS SELECT 1", "CREATE TRIGGER t AFTER INSERT ON judgment BEGIN SELECT 1; END",
                "CREATE TABLE g(a, b AS (hex(zeroblob(1000000))))", "CREATE INDEX i ON judgment(hex(zeroblob(9)))"):
        shutil.copy(folder / "v.db", folder / "w.db")
        db = sqlite3.connect(folder / "w.db")
        db.execute(sql)
        db.commit()
        db.close()
        done = tool.run("judge", "status", "w.db", cwd=folder)
        tool.expect(done.returncode == 1 and b"which is no part of a session" in done.stderr, sql, done)


# --------------------------------------------------------------------- people --

class Page:
    """What a page asks of a server."""

    def __init__(self, server, link=None):
        text = server.links.read_text()
        self.port = int(re.search(r":(\d+)/#t=", text).group(1))
        self.key = None
        if link:
            status, entered = self.ask("POST", "/api/login", {"token": link})
            self.key = entered.get("key")
            tool.expect((status == 200) == (self.key is not None), status)

    def ask(self, method, path, body=None):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        c.request(method, path, None if body is None else json.dumps(body), {
            **({"Authorization": f"Bearer {self.key}"} if self.key else {}), "Content-Type": "application/json",
            "Origin": f"http://127.0.0.1:{self.port}"})
        answer = c.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text.startswith(b"{") else {}

    def status(self):
        return self.ask("GET", "/api/session")[0]


def links(server):
    return dict(re.findall(r"^(\w+): \S+#t=([0-9a-f]{32})", server.links.read_text(), re.M))


def check_logins(folder):
    """A login ends with a new link, by 'log out everywhere', by --new-links and after its time."""
    make(folder, "l.db")
    with Server(folder, "l.db") as s:
        first = links(s)
        owner, other, ben, again = (Page(s, first[n]) for n in ("anna", "anna", "ben", "ben"))
        tool.expect(ben.status() == again.status() == 200)
        made = owner.ask("POST", "/api/assessor", {"do": "link", "name": "ben"})
        tool.expect(made[0] == 200, made)
        made = made[1]["link"]
        tool.expect(ben.status() == again.status() == 401, "a new link keeps old logins")
        ben = Page(s, made.split("#t=")[1])
        tool.expect(ben.status() == 200)
        tool.expect(owner.ask("POST", "/api/logout", {"everywhere": True})[0] == 204)
        tool.expect(owner.status() == other.status() == 401, "logged out everywhere")
        owner = Page(s, first["anna"])
        two = Page(s, first["anna"])
        tool.expect(two.ask("POST", "/api/logout", {})[0] == 204 and two.status() == 401 and owner.status() == 200, "one page")
    with Server(folder, "l.db") as s:
        tool.expect(set(links(s)) == {"anna"}, "who has a link keeps it", links(s))
        for page in (owner, ben):
            page.port = Page(s).port
            tool.expect(page.status() == 200, "a login outlives the server")
    with Server(folder, "l.db", "--new-links") as s:
        tool.expect(set(links(s)) == {"anna", "ben"}, links(s))
        for page in (owner, ben):
            page.port = Page(s).port
            tool.expect(page.status() == 401, "--new-links")
        old = Page(s, links(s)["ben"])
    db = sqlite3.connect(folder / "l.db")
    kept = db.execute("SELECT value FROM meta WHERE key = 'set:logins:2'").fetchone()[0]
    tool.expect(re.fullmatch(r"[0-9a-f]{80}", kept) is not None, kept)
    before = f"{int(kept[64:], 16) - 8 * 86400:016x}"
    db.execute("UPDATE meta SET value = ? WHERE key = 'set:logins:2'", (kept[:64] + before,))
    db.commit()
    db.close()
    with Server(folder, "l.db") as s:
        old.port = Page(s).port
        tool.expect(old.status() == 401, "a login of a week ago")


def check_assigned(folder):
    """Topics that are assigned are offered to their assessors only, others to all."""
    (folder / "q.run").write_text("".join(f"{t} Q0 d{t}{i} {i} {9 - i} r\n" for t in "123" for i in range(1, 4)))
    (folder / "who").write_text("1 anna\n2 ben,carla\n")
    words = ["judge", "new", "t.db", "--queue", "q.run", "--missing-documents", "show-id", "--assessors", "anna,ben,carla",
             "--assign", "who"]
    good(*words, cwd=folder)
    with Server(folder, "t.db") as s:
        seen = {}
        for name in ("ben", "anna", "carla"):
            page = Page(s, links(s)[name])
            session = page.ask("GET", "/api/session")[1]["session"]
            while (item := page.ask("GET", "/api/next")[1]["next"]) is not None:
                seen.setdefault(name, set()).add(item["topic_name"])
                status, said = page.ask("POST", "/api/judgments", {"session": session, "judgments": [
                    {"uuid": str(uuid.uuid4()), "item": item["item"], "docno": item["docno"], "reason": "judged", "grade": 1}]})
                tool.expect(status == 201, said)
                if name == "ben" and item["topic_name"] == "2":
                    break  # the rest of topic 2 is for carla
        tool.expect(seen == {"ben": {"2"}, "anna": {"1", "3"}, "carla": {"2"}}, seen)
    good("judge", "check", "t.db", cwd=folder)
    for text, more, why in (("4 anna\n", (), "no topic"), ("1 dora\n", (), "none of the assessors"), ("1\n", (), "who:1"),
                            ("1 anna\n", ("--overlap", "1"), "two with an overlap")):
        (folder / "who").write_text(text)
        done = tool.run(*words[:2], "no.db", *words[3:], *more, cwd=folder)
        tool.expect(done.returncode == 1 and why in done.stderr.decode(), done)


def check_blind(folder):
    """Who judges second cannot learn what the first has said."""
    make(folder, "m.db")
    with Server(folder, "m.db") as s:
        ben, owner = Page(s, links(s)["ben"]), Page(s, links(s)["anna"])
        session = ben.ask("GET", "/api/session")[1]
        tool.expect(session["numbers"] is False, session)
        for item in range(1, 7):
            docno = ben.ask("GET", f"/api/item?id={item}")[1]["next"]["docno"]
            seen = []
            for grade in (0, 1):
                status, _ = ben.ask("POST", "/api/judgments", {"session": session["session"], "judgments": [
                    {"uuid": f"00000000-0000-4000-8000-0000000{item:02}a{grade:02}", "item": item, "docno": docno,
                     "reason": "judged", "grade": grade}]})
                tool.expect(status == 201, status)
                live = ben.ask("GET", "/api/live")[1]["live"]
                is_ = ben.ask("GET", f"/api/item?id={item}")[1]["next"]
                rows = ben.ask("GET", f"/api/items?from={item}")[1]["items"]
                mine = rows[0].pop("grade"), is_["mine"].pop("grade")
                tool.expect(mine == (grade, grade), mine)
                for word in (rows[0], is_["mine"]):
                    word.pop("seq"), word.pop("at")
                live.pop("seq")
                seen.append([live, is_, rows[0], ben.ask("GET", "/api/items?state=conflict")])
            tool.expect(seen[0] == seen[1], "two answers differ by what the owner said", seen)
            tool.expect(seen[0][3][0] == 403 and is_["others"] == [], seen[0][3], is_)
            for path in ("/api/overview", "/api/agreement", "/api/export?as=labels"):
                tool.expect(ben.ask("GET", path)[0] == 403, path)
        tool.expect(owner.ask("GET", "/api/items?state=conflict")[0] == 200)


def check_adjudicator(folder):
    """Who adjudicates decides disagreements and does nothing else; then the owner decides none."""
    make(folder, "n.db", "--adjudicator", "carla")
    with Server(folder, "n.db") as s:
        owner, ben, carla = (Page(s, links(s)[n]) for n in ("anna", "ben", "carla"))
        session = carla.ask("GET", "/api/session")[1]
        tool.expect((session["owner"], session["adjudicates"], session["judges"]) == (False, True, False), session)
        tool.expect(carla.ask("GET", "/api/next")[1]["next"] is None, "she was given a document to judge")
        item = carla.ask("GET", "/api/next?adjudicate=1")[1]["next"]
        tool.expect(item["docno"] == "doc1" and len(item["others"]) == 2, item)
        tool.expect(len(carla.ask("GET", "/api/items?state=conflict")[1]["items"]) == 2, "the list of disagreements")
        for path in ("overview", "agreement", "export?as=labels"):
            tool.expect(carla.ask("GET", f"/api/{path}")[0] == 403, path)
        other = next(i for i in range(1, 7) if i != item["item"])
        tool.expect(carla.ask("GET", f"/api/item?id={other}")[0] == 404, "a document without a disagreement")
        for page, path in ((owner, "next?adjudicate=1"), (ben, "next?adjudicate=1")):
            said = page.ask("GET", f"/api/{path}")
            tool.expect(not (said[1].get("next") or {}).get("adjudicate"), path, said)
        for n, (page, reason, status) in enumerate(((owner, "adjudicated", 403), (ben, "adjudicated", 403),
                                                    (carla, "judged", 422), (carla, "adjudicated", 201))):
            got = page.ask("POST", "/api/judgments", {"session": session["session"], "judgments": [
                {"uuid": f"00000000-0000-4000-8000-0000000000b{n}", "item": item["item"], "docno": item["docno"],
                 "reason": reason, "grade": 0}]})
            tool.expect(got[0] == status or (status == 422 and "judges nothing else" in json.dumps(got[1])), reason, n, got)
        tool.expect(carla.ask("GET", "/api/next?adjudicate=1")[1]["next"] is None, "it is decided")
        tool.expect(owner.ask("POST", "/api/assessor", {"do": "revoke", "name": "carla"})[0] == 200, "revoked")
        tool.expect(owner.ask("GET", "/api/session")[1]["adjudicates"], "somebody must decide")


# --------------------------------------------------------------------- copies --

def check_restore(folder):
    """A copy over a leftover log is refused and nothing is written; judge restore keeps both."""
    make(folder, "r.db")
    good("judge", "backup", "r.db", "copy.db", cwd=folder)
    for n in range(40):  # pages that the copy does not have
        (folder / "h.qrels").write_text("".join(f"1 0 doc{i} {n % 2}\n" for i in range(6)))
        good("judge", "import", "r.db", "h.qrels", "--assessor", "anna", cwd=folder)
    before = int(re.search(r"in the log\s+(\d+)", good("judge", "check", "r.db", cwd=folder)).group(1))
    with Server(folder, "r.db") as s:
        page = Page(s, links(s)["anna"])
        session = page.ask("GET", "/api/session")[1]["session"]
        for n in range(40):
            docno = page.ask("GET", "/api/item?id=1")[1]["next"]["docno"]
            status, _ = page.ask("POST", "/api/judgments", {"session": session, "judgments": [
                {"uuid": f"00000000-0000-4000-8000-0000000000{n:02}", "item": 1, "docno": docno, "reason": "judged",
                 "grade": n % 2, "note": "n" * 2000}]})
            tool.expect(status == 201, status)
        s.is_.kill()
        s.is_.wait()
    wal = folder / "r.db-wal"
    tool.expect(wal.stat().st_size > 0, "no log was left")
    whole, log = (folder / "r.db").read_bytes(), wal.read_bytes()
    shutil.copy(folder / "copy.db", folder / "r.db")
    mixed = (folder / "r.db").read_bytes()
    for words in (("serve", "r.db", "--url-file", "never"), ("status", "r.db"), ("import", "r.db", "g.qrels")):
        done = tool.run("judge", *words, cwd=folder, timeout=60)
        tool.expect(done.returncode == 1 and b"r.db-wal: is the log of another copy" in done.stderr, words, done)
        tool.expect((folder / "r.db").read_bytes() == mixed and wal.read_bytes() == log, "something was written", words)
    make(folder, "other.db")  # made alike: with the log it would be the session before, whole
    shutil.copy(folder / "other.db", folder / "r.db")
    for words in (("serve", "r.db", "--url-file", "never"), ("status", "r.db")):
        done = tool.run("judge", *words, cwd=folder, timeout=60)
        tool.expect(done.returncode == 1 and b"r.db-wal: is the log of another session than r.db" in done.stderr, words, done)
        tool.expect((folder / "r.db").read_bytes() == (folder / "other.db").read_bytes() and wal.read_bytes() == log,
                    "something was written", words)
    (folder / "r.db").write_bytes(whole)  # the two that belong together: nothing is lost
    tool.expect(re.search(rf"in the log\s+{before + 40}\b", good("judge", "check", "r.db", cwd=folder)) is not None)
    wal.write_bytes(log)
    (folder / "r.db").write_bytes(whole)
    said = good("judge", "restore", "copy.db", "r.db", cwd=folder)
    tool.expect("The session before is kept as r.db.replaced." in said, said)
    for name, count in (("r.db", 12), ("r.db.replaced", before + 40)):
        said = good("judge", "check", name, cwd=folder)
        tool.expect(re.search(rf"in the log\s+{count}\b", said) is not None, name, said)
    make(folder, "z.db")
    for words, why in ((("copy.db", "z.db"), b"is another session than the copy; --force"), (("copy.db", "copy.db"), b"is the copy itself"),
                       (("g.qrels", "r.db"), b"is no database")):
        done = tool.run("judge", "restore", *words, cwd=folder)
        tool.expect(done.returncode in (1, 2) and why in done.stderr, words, done)
    with Server(folder, "r.db"):
        done = tool.run("judge", "restore", "copy.db", "r.db", cwd=folder)
        tool.expect(done.returncode == 1 and b"end that first" in done.stderr, done)
    good("judge", "restore", "copy.db", "new.db", cwd=folder)
    tool.expect(not (folder / "new.db.replaced").exists(), "nothing was there")


# ----------------------------------------------------------------------- stop --

def check_stop(folder, waiting=60):
    """Searches that wait do not delay the end of a server: few are answered, the others are told."""
    (folder / "docs.jsonl").write_text("".join(
        json.dumps({"_id": f"doc{i}", "text": f"A text of document {i}. " * 40}) + "\n" for i in range(20000)))
    (folder / "q.run").write_text("".join(f"1 Q0 doc{i} {i + 1} {20000 - i} r\n" for i in range(20000)))
    good("judge", "new", "s.db", "--queue", "q.run", "--documents", "docs.jsonl", cwd=folder)
    answers = []

    with Server(folder, "s.db") as s:
        page = Page(s, s.token())

        def search(number):
            try:
                answers.append(page.ask("POST", "/api/search", {"text": f"nowhere{number}"})[0])
            except (http.client.HTTPException, OSError) as end:
                answers.append(type(end).__name__)
        searching = [threading.Thread(target=search, args=(i,)) for i in range(waiting)]
        for thread in searching:
            thread.start()
        time.sleep(0.2)
        s.is_.send_signal(signal.SIGTERM)
        for thread in searching:
            thread.join()
        tool.expect(s.is_.wait(timeout=120) == -signal.SIGTERM, s.is_.returncode)
    tool.expect(len(answers) == waiting and answers.count(200) < waiting / 2, answers)


# ---------------------------------------------------------------------- kills --

def judge_on(page, session, documents, draw, kept):
    """Judges until the server is gone; what was acknowledged is kept."""
    while True:
        item = draw.randrange(len(documents)) + 1
        entry = {"uuid": str(uuid.UUID(int=draw.getrandbits(128), version=4)), "item": item, "docno": documents[item - 1],
                 "reason": "judged", "grade": draw.randrange(2)}
        try:
            status, _ = page.ask("POST", "/api/judgments", {"session": session, "judgments": [entry]})
        except (http.client.HTTPException, OSError):
            return
        if status == 201:
            kept[entry["uuid"]] = entry["docno"], entry["grade"]


def check_kills(folder, cycles=3):
    """Three clients judge, the server is killed: what was acknowledged is in the log, and the log is whole."""
    make(folder, "k.db")
    db = sqlite3.connect(folder / "k.db")
    documents = [d for d, in db.execute("SELECT docno FROM item JOIN document ON document.id = document ORDER BY item.id")]
    db.close()
    kept = {}
    draw = random.Random(9)
    pages = {}
    for cycle in range(cycles):
        with Server(folder, "k.db") as s:
            tool.expect(s.is_.poll() is None, cycle, "did not start")
            for name, token in links(s).items():
                pages[name] = Page(s, token)
            for page in pages.values():
                page.port = Page(s).port
            session = pages["anna"].ask("GET", "/api/session")[1]["session"]
            clients = [threading.Thread(target=judge_on, args=(page, session, documents, random.Random(f"{cycle} {i}"), kept))
                       for i, page in enumerate([pages["anna"], pages["ben"], pages["anna"]])]
            for c in clients:
                c.start()
            time.sleep(0.2 + draw.random())
            s.is_.kill()
            for c in clients:
                c.join()
            s.is_.wait()
    good("judge", "check", "k.db", cwd=folder)
    db = sqlite3.connect(folder / "k.db")
    log = {u: (d, g) for u, d, g in db.execute("SELECT uuid, docno, grade FROM judgment JOIN item ON item.id = item"
                                               " JOIN document ON document.id = document")}
    db.close()
    lost = [u for u, said in kept.items() if log.get(u) != said]
    print(f"{cycles} kills, {len(kept)} acknowledged judgments, {len(lost)} lost")
    tool.expect(len(kept) > 5 * cycles and not lost, len(kept), lost[:3])


# ---------------------------------------------------------------- single bits --

CONTENT = {"judgment": "*", "current": "*", "item": "*", "topic": "*", "stratum": "*", "document": "*", "assessor": "id, name",
           "meta": "*"}


def content(path):
    db = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    db.text_factory = bytes
    try:
        return {t: sorted(map(repr, db.execute(f"SELECT {c} FROM {t}" + (" WHERE key NOT GLOB 'set:*'" if t == "meta" else ""))))
                for t, c in CONTENT.items()}
    except sqlite3.Error:
        return None
    finally:
        db.close()


def check_flips(folder, count=150):
    """A single flipped bit: no crash, no other label in an export, and a changed row is found."""
    make(folder, "b.db")
    whole = (folder / "b.db").read_bytes()
    said = {words: good("judge", "export", "b.db", *words, cwd=folder) for words in EXPORTS}
    rows = content(folder / "b.db")
    draw = random.Random(76)
    found = harmless = 0
    for n in range(count):
        bit = draw.randrange(8 * len(whole))
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path = folder / "x.db"
        path.write_bytes(damaged)
        done = tool.run("judge", "check", "x.db", cwd=folder)
        tool.expect(not crashed(done), bit, "check", done.returncode, done.stderr[-500:])
        if done.returncode == 0:
            tool.expect(content(path) == rows, bit, "a change was not found")
        found += done.returncode == 1
        harmless += done.returncode == 0
        words = EXPORTS[n % len(EXPORTS)]
        path.write_bytes(damaged)
        out = tool.run("judge", "export", "x.db", *words, cwd=folder)
        tool.expect(not crashed(out), bit, words, out.returncode, out.stderr[-500:])
        tool.expect(out.returncode == 1 or out.stdout.decode() == said[words], bit, words, "another export")
        for left in folder.glob("x.db-*"):
            left.unlink()
    print(f"{count} flipped bits: {found} found by check, {harmless} changed no content")
    tool.expect(found > count // 20, found, harmless)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if len(sys.argv) > 2:
            check_flips(folder, int(sys.argv[2]))
            if len(sys.argv) > 3:
                check_kills(folder, int(sys.argv[3]))
        else:
            tool.needs_loopback()
            for number, check in enumerate((check_chain, check_older, check_views, check_columns, check_logins, check_assigned,
                                             check_blind, check_adjudicator, check_restore, check_stop,
                                             check_kills, check_flips)):
                own = folder / str(number)
                own.mkdir()
                check(own)
    tool.finish()


main()

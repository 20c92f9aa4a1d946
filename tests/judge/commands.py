# SPDX-License-Identifier: Apache-2.0
"""The commands of judging: the panel says what eval and recall say, what cannot be judged is
refused in one line and leaves nothing, and servers start where they were told.

usage: commands.py TOOL
"""
import errno
import http.client
import json
import os
import pathlib
import pty
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import tool  # noqa: E402
from serving import Server  # noqa: E402


def good(*words, cwd):
    done = tool.run(*words, cwd=cwd)
    tool.expect(done.returncode == 0, words, done.stderr.decode())
    return done.stdout.decode()


def rows(name, *words, cwd):
    answer = json.loads(good(*words, "--format", "json", cwd=cwd))
    return next(t["rows"] for t in answer["tables"] if t["name"] == name), answer


# ------------------------------------------------------------------ the panel --

def judge_some(folder, db, truth, share):
    """Imports that share of what the design orders, of each topic from its first on."""
    lines = []
    for line in (folder / "sample.prels").read_text().splitlines():
        if line.startswith("#: order "):
            topic, *documents = line.split()[2:]
            lines += [f"{topic} 0 {d} {truth.get((topic, d), 0)}"
                      for d in documents[:int(share * len(documents))]]
    (folder / "part.qrels").write_text("\n".join(lines) + "\n")
    good("judge", "import", db, "part.qrels", cwd=folder)


def check_sample(folder):
    good("simulate", "--topics", "12", "--documents", "300", "--runs", "4", "--seed", "3", "-o",
         "made", cwd=folder)
    runs = sorted(str(p) for p in (folder / "made" / "runs").iterdir())
    good("sample", "--budget", "40", *runs, "-o", "sample.prels", cwd=folder)
    good("judge", "new", "s.db", "--design", "sample.prels", "--missing-documents", "show-id",
         cwd=folder)
    truth = {(t, d): max(int(g), 0) for t, _, d, g in
             (line.split() for line in (folder / "made" / "qrels").read_text().splitlines())}
    before = None
    for share in (0.6, 0.85, 1.0):
        judge_some(folder, "s.db", truth, share)
        now = rows("numbers", "judge", "status", "s.db", cwd=folder)[0][0]
        good("judge", "export", "s.db", "--partial", "--as", "prels", "-o", f"{share}.prels",
             "--quiet", cwd=folder)
        said = rows("measures", "eval", "-m", "num_rel", f"{share}.prels", runs[0],
                    cwd=folder)[0][0]
        tool.expect(said["lower"] is not None and (said["value"], said["se"]) != before, share, said)
        for key in ("value", "lower", "upper"): # every digit
            tool.expect(now[key] == said[key], share, key, now, said)
        before = said["value"], said["se"]


def check_review(folder):
    (folder / "lists").mkdir()
    for name, count in (("hit", 40), ("miss", 300)):
        (folder / "lists" / name).write_text("".join(f"{name}{i}\n" for i in range(count)))
    (folder / "strata.csv").write_text("stratum,segment,N,n,r\nhit,retrieved,40,20,0\n"
                                       "miss,unretrieved,300,60,0\n")
    good("judge", "new", "r.db", "--strata", "strata.csv", "--lists", "lists",
         "--missing-documents", "show-id", cwd=folder)
    listed = sqlite3.connect(folder / "r.db").execute(
        "SELECT docno FROM item JOIN document d ON d.id = document ORDER BY item.id").fetchall()
    (folder / "r.qrels").write_text("".join(
        f"0 0 {d} {int(d.startswith('hit') or d.endswith('77'))}\n" for d, in listed[:50]))
    topic = good("judge", "export", "r.db", "--partial", "--as", "qrels", "--quiet", cwd=folder)
    tool.expect(topic == "", topic)
    name = rows("topics", "judge", "status", "r.db", cwd=folder)[0][0]["topic"]
    text = (folder / "r.qrels").read_text()
    (folder / "r.qrels").write_text(re.sub("(?m)^0 ", name + " ", text))
    good("judge", "import", "r.db", "r.qrels", cwd=folder)
    now = rows("numbers", "judge", "status", "r.db", cwd=folder)[0][0]
    good("judge", "export", "r.db", "--partial", "--as", "strata", "-o", "out.csv", "--quiet",
         cwd=folder)
    said = rows("recall", "recall", "--strata", "out.csv", cwd=folder)[0][0]
    for key in ("lower", "upper"):
        tool.expect(now[key] == said[key], key, now, said)
    tool.expect(now["value"] == said.get("recall", said.get("value")), now, said)


def check_open(folder):
    """A document that two shall judge is two judgments, and time for two."""
    (folder / "o.qrels").write_text("".join(f"1 0 d{i} -1\n" for i in range(10)))
    good("judge", "new", "o.db", "--design", "o.qrels", "--missing-documents", "show-id",
         "--assessors", "anna,ben", "--overlap", "0.4", cwd=folder)
    said = good("judge", "status", "o.db", cwd=folder)
    tool.expect("14 judgments are left" in said, said)
    (folder / "half.qrels").write_text("".join(f"1 0 d{i} 0\n" for i in range(10)))
    good("judge", "import", "o.db", "half.qrels", cwd=folder)
    said = good("judge", "status", "o.db", cwd=folder)
    tool.expect("10 of 10 documents are judged" in said and "4 second judgments are left" in said, said)


# ------------------------------------------------------------------ bad input --

def refused(folder, why, *words):
    before = sorted(os.listdir(folder))
    done = tool.run("judge", *words, cwd=folder)
    said = done.stderr.decode()
    tool.expect(done.returncode == 1, words, done.returncode, said)
    tool.expect(re.search(why, said) is not None, words, said)
    tool.expect(said.count("\n") == 1, "more than a line", words, said)
    tool.expect(sorted(os.listdir(folder)) == before, "left behind", words, os.listdir(folder))


def check_bad_input(folder):
    design = "1 0 a -1\n1 0 b -1\n"
    texts = '{"_id": "a", "text": "A"}\n{"_id": "b", "text": "B"}\n'
    (folder / "q").write_text(design)
    (folder / "docs.jsonl").write_text(texts)
    (folder / "short.jsonl").write_text(texts.split("\n")[0] + "\n")
    (folder / "twice.jsonl").write_text(texts + '{"_id": "a", "text": "again"}\n')
    (folder / "broken.jsonl").write_text(texts.split("\n")[0] + '\n{"_id": "b", "text": \n')
    made = ("new", "bad.db", "--design", "q", "--documents")
    refused(folder, r": short\.jsonl: \d+ documents? without a text, such as 'b'", *made, "short.jsonl")
    refused(folder, r"^twice\.jsonl:3: document 'a' occurs twice, first in twice\.jsonl:1", *made, "twice.jsonl")
    refused(folder, r"^broken\.jsonl:2: .* is not a JSON object", *made, "broken.jsonl")
    good("judge", "new", "ok.db", "--design", "q", "--documents", "docs.jsonl", cwd=folder)
    refused(folder, r"ok\.db", "new", "ok.db", "--design", "q", "--documents", "docs.jsonl")
    with sqlite3.connect(folder / "other.db") as other:
        other.execute("CREATE TABLE t(x)")
    other.close()
    refused(folder, r"^other\.db: is another program's database", "status", "other.db")
    (folder / "text.db").write_text("no database at all, and long enough to be read as one\n" * 20)
    refused(folder, r"^text\.db: is no database", "status", "text.db")
    (folder / "newer.db").write_bytes((folder / "ok.db").read_bytes())
    newer = sqlite3.connect(folder / "newer.db")
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    for left in folder.glob("newer.db-*"):
        left.unlink()
    refused(folder, r"^newer\.db: was made by a newer version \(its format is 99", "status", "newer.db")
    refused(folder, r": none\.db: cannot open", "status", "none.db")
    # Names that SQLite or the report would take away again.
    refused(folder, r"ok\.db-wal: is a name of SQLite's logs", "new", "ok.db-wal", *made[2:], "docs.jsonl")
    refused(folder, r"x-journal: is a name of SQLite's logs", "backup", "ok.db", "x-journal")
    for words in (("new", "n.db", *made[2:], "docs.jsonl", "-o", "./n.db"), ("backup", "ok.db", "n.db", "-o", "n.db")):
        done = tool.run("judge", *words, cwd=folder)
        tool.expect(done.returncode == 2 and b"--output would replace a file that is made" in done.stderr, words, done)
        tool.expect(not (folder / "n.db").exists(), words)
    # A damaged session is not exported.
    (folder / "all.qrels").write_text("1 0 a 1\n1 0 b 0\n")
    good("judge", "new", "judged.db", *made[2:], "docs.jsonl", cwd=folder)
    good("judge", "import", "judged.db", "all.qrels", cwd=folder)
    whole = (folder / "judged.db").read_bytes()
    damaged = re.sub(b"bB", b"cB", whole, count=1) # the name of a document, in its row but not in the index
    tool.expect(damaged != whole, "no document")
    (folder / "damaged.db").write_bytes(damaged)
    for form in ("qrels", "labels", "csv", "log"):
        refused(folder, r"^damaged\.db: the (database|session) is damaged", "export", "damaged.db", "--as", form)


def check_lists(folder):
    """A document is in one stratum, whether it is sampled or not; a byte-order mark is no part of an id."""
    (folder / "two").mkdir()
    (folder / "two" / "top").write_text("a\nb\nc\n")
    (folder / "two.csv").write_text("stratum,segment,N,n,r\ntop,retrieved,3,2,0\nrest,unretrieved,4,2,0\n")
    words = ("--strata", "two.csv", "--lists", "two", "--missing-documents", "show-id")
    for rest in ("a e f g", "e f g e"):
        (folder / "two" / "rest").write_text(rest.replace(" ", "\n"))
        for seed in "1234":
            refused(folder, r"^two/rest: document '[ae]' is in two strata, or twice", "new", "l.db", *words, "--seed", seed)
    (folder / "two" / "rest").write_text("\ufeffd\ne\nf\ng\n")
    (folder / "two.csv").write_text("stratum,segment,N,n,r\ntop,retrieved,3,0,0\nrest,unretrieved,4,0,0\n")
    good("judge", "new", "l.db", *words, cwd=folder)
    (folder / "l.qrels").write_text("".join(f"review 0 {d} 0\n" for d in "abcdefg"))
    tool.expect("Judgments stored: 7." in good("judge", "import", "l.db", "l.qrels", cwd=folder), "a mark in an id")
    (folder / "marked").write_text("\ufeff1 0 a -1\n1 0 b -1\n")
    good("judge", "new", "marked.db", "--design", "marked", "--missing-documents", "show-id", cwd=folder)
    good("judge", "import", "marked.db", "all.qrels", cwd=folder)
    said = good("judge", "export", "marked.db", cwd=folder)
    tool.expect(said == "1 0 a 1\n1 0 b 0\n", said)
    (folder / "best").write_text("\ufeffb\na\n")
    good("judge", "new", "ranked.db", "--design", "marked", "--missing-documents", "show-id", cwd=folder)
    said = good("judge", "rank", "ranked.db", "best", cwd=folder)
    tool.expect("2 documents left to judge" in said, said)


def check_stopped(folder):
    """A signal ends what waits for the rest of a pipe, and nothing is left behind."""
    os.mkfifo(folder / "pipe")
    for number in (signal.SIGINT, signal.SIGTERM):
        before = sorted(os.listdir(folder))
        busy = subprocess.Popen([tool.TOOL, "judge", "new", "p.db", "--design", "q", "--documents",
                                 "pipe"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        writer = os.open(folder / "pipe", os.O_WRONLY)
        os.write(writer, b'{"_id": "a", "text": "A"}\n')
        time.sleep(0.3)
        running = busy.poll() is None
        busy.send_signal(number)
        said = busy.communicate(timeout=120)[1]
        os.close(writer)
        tool.expect(running and busy.returncode == -number, number, busy.returncode, said)
        tool.expect(sorted(os.listdir(folder)) == before, "left behind", os.listdir(folder))


def check_pipe(folder):
    """Documents from a pipe lose nothing to a look at what they are."""
    (folder / "t.qrels").write_text("1 0 a -1\n")
    piped = subprocess.run([tool.TOOL, "judge", "new", "piped.db", "--design", "t.qrels", "--documents",
                            "/dev/stdin"], cwd=folder, input=b'{"_id": "a", "text": "A"}\n',
                           capture_output=True, timeout=120)
    tool.expect(piped.returncode == 0, piped.stderr)
    tool.expect(b"without a text" not in piped.stdout and b"is ready" in piped.stdout, piped.stdout)


def read_all(terminal):
    """What was written to a terminal that nobody holds open any more."""
    shown = b""
    with open(terminal, "rb", buffering=0) as file:
        try:
            while more := file.read(65536):
                shown += more
        except OSError as end: # as Linux ends it
            tool.expect(end.errno == errno.EIO, end)
    return shown


def check_terminal(folder):
    """What others wrote does nothing to a terminal; a file has it as it is."""
    names = b"1 0 a\x1b[31m -1\n1 0 b\xc2\x9bx -1\n"
    (folder / "e.qrels").write_bytes(names)
    good("judge", "new", "e.db", "--design", "e.qrels", "--missing-documents", "show-id", cwd=folder)
    (folder / "e.done").write_bytes(names.replace(b"-1", b"1"))
    good("judge", "import", "e.db", "e.done", cwd=folder)
    for form in ("log", "labels", "qrels"):
        words = ["judge", "export", "e.db", "--as", form]
        file = tool.run(*words, cwd=folder).stdout
        tool.expect(b"a\x1b[31m" in file and b"b\xc2\x9bx" in file, form, file)
        try:
            mine, theirs = pty.openpty()
        except OSError as why:
            print("not tried, there is no terminal:", why)
            continue
        tool.expect(tool.run(*words, cwd=folder, stdout=theirs).returncode == 0, form)
        os.close(theirs)
        shown = read_all(mine).replace(b"\r\n", b"\n")
        tool.expect(shown == file.replace(b"\x1b", rb"\x1b").replace(b"\xc2\x9b", rb"\xc2\x9b"),
                    form, shown)


def check_ties(folder):
    """Of the documents with grade -1, some are not judged and some have labels that tie."""
    (folder / "t.qrels").write_text("1 0 a -1\n1 0 b -1\n")
    good("judge", "new", "t.db", "--design", "t.qrels", "--assessors", "x,y", "--missing-documents",
         "show-id", cwd=folder)
    for who, grade in (("x", 1), ("y", 0)):
        (folder / "t.done").write_text(f"1 0 a {grade}\n")
        good("judge", "import", "t.db", "t.done", "--assessor", who, cwd=folder)
    done = tool.run("judge", "export", "t.db", "--partial", "--as", "qrels", "--combine", "majority",
                    cwd=folder)
    tool.expect(done.stdout == b"1 0 a -1\n1 0 b -1\n"
                and b"not judged yet: 1, with grade -1." in done.stderr
                and b"labels tie: 1, with grade -1." in done.stderr, done.stdout, done.stderr)


# -------------------------------------------------------------------- servers --

class OverSocket(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def ask(connection, method, path, body=None, **headers):
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer, answer.read()


def check_second(folder):
    with Server(folder, "ok.db"):
        refused(folder, r": ok\.db: is served or written by another process", "serve", "ok.db")
        refused(folder, r": ok\.db: is served or written by another process", "import", "ok.db", "q")
        tool.expect("0 of 2 documents" in good("judge", "status", "ok.db", cwd=folder))
        # What a session is made of is replaced by no copy and by no export.
        good("judge", "new", "free.db", "--design", "q", "--documents", "docs.jsonl", cwd=folder)
        refused(folder, r": ok\.db: is a session that is open, or was not closed", "backup", "free.db", "ok.db")
        done = tool.run("judge", "export", "free.db", "--partial", "-o", "ok.db", "--force", cwd=folder)
        tool.expect(done.returncode == 2 and b"would replace a part of a judging session" in done.stderr, done.stderr)
        done = tool.run("judge", "export", "free.db", "--partial", "-o", "free.db-wal", cwd=folder)
        tool.expect(done.returncode == 2 and b"would replace a part of a judging session" in done.stderr, done.stderr)
        for part in ("", "-wal", "-shm"):
            refused(folder, r": ok\.db" + part + ": belongs to the session", "backup", "ok.db", "ok.db" + part,
                    "--force")
            done = tool.run("judge", "export", "ok.db", "--partial", "-o", "ok.db" + part, "--force", cwd=folder)
            tool.expect(done.returncode == 2 and b"would replace a" in done.stderr, part, done.stderr)
        (folder / "mine").write_text("precious\n")
        refused(folder, r": mine: exists, but is not a session that can be read; --force", "backup", "ok.db", "mine")
        tool.expect((folder / "mine").read_text() == "precious\n")
        for _ in range(2): # the second takes the place of the first
            good("judge", "backup", "ok.db", "copy.db", cwd=folder)
        good("judge", "check", "ok.db", cwd=folder)


def check_socket(folder):
    """Judged over a Unix socket, by the public name alone, as ssh -L would bring it."""
    path = str(folder / "s")
    with Server(folder, "ok.db", "--socket", path, "--public-url", "http://localhost:8080/") as s:
        tool.expect(stat.S_IMODE(os.stat(path).st_mode) == 0o600, oct(os.stat(path).st_mode))
        tool.expect(s.links.read_text().startswith("assessor: http://localhost:8080/#t="))
        c = OverSocket(path)
        tool.expect(ask(c, "GET", "/", Host="localhost:8080")[0].status == 200, "page")
        tool.expect(ask(OverSocket(path), "GET", "/", Host="localhost")[0].status == 421, "host")
        post = {"Host": "localhost:8080", "Origin": "http://localhost:8080",
                "Content-Type": "application/json"}
        c = OverSocket(path)
        answer, entered = ask(c, "POST", "/api/login", json.dumps({"token": s.token()}), **post)
        tool.expect(answer.status == 200, "login", answer.status)
        post["Authorization"] = "Bearer " + json.loads(entered)["key"]
        session = json.loads(ask(c, "GET", "/api/session", **post)[1])["session"]
        item = json.loads(ask(c, "GET", "/api/next", **post)[1])["next"]
        judged = {"uuid": "00000000-0000-4000-8000-000000000001", "item": item["item"], "docno": item["docno"],
                  "reason": "judged", "grade": 1, "active_ms": 1, "away_ms": 0}

        def send(of, **changed):
            return ask(c, "POST", "/api/judgments", json.dumps({
                "session": of, "judgments": [{**judged, **changed}], "more": False, "topic": 0, "not": 0,
                "adjudicate": False}), **post)
        # Judgments of another session, or of another document, are not stored.
        answer, body = send("0" * 32)
        tool.expect(answer.status == 421 and b"of another session" in body, answer.status, body)
        answer, body = send(session, docno="z")
        tool.expect(answer.status == 409 and b"refused" in body, answer.status, body)
        answer, body = send(session)
        tool.expect(answer.status == 201, "judgment", answer.status, body)
    tool.expect(not os.path.exists(path), "the socket stays")
    tool.expect("1 of 2 documents are judged" in good("judge", "status", "ok.db", cwd=folder))


def check_browser(folder):
    """--open hands a page that only its owner can read to whatever opens pages here."""
    bin_ = folder / "bin"
    bin_.mkdir()
    (bin_ / "xdg-open").write_text('#!/bin/sh\nstat -c %a "$1" > "$SEEN.mode"\ncp "$1" "$SEEN.part"\n'
                                   'mv "$SEEN.part" "$SEEN"\necho "$1" > "$SEEN.name"\n')
    (bin_ / "xdg-open").chmod(0o755)
    seen = folder / "seen"
    (folder / "own").mkdir()
    env = {**tool.environment(), "SEEN": str(seen), "PATH": f"{bin_}:{os.environ['PATH']}",
           "TMPDIR": str(folder / "own")}
    with Server(folder, "ok.db", "--open", env=env) as s:
        name = folder / "seen.name"
        for _ in range(2400):
            if name.exists() and name.read_text():
                break
            time.sleep(0.05)
        tool.expect(seen.exists() and f"#t={s.token()}" in seen.read_text(), "the link")
        tool.expect((folder / "seen.mode").read_text().strip() == "600", "mode")
        page = pathlib.Path(name.read_text().strip())
        tool.expect(page.exists(), "gone while it is served")
        tool.expect(page.parent == folder / "own", f"{page} is not in $TMPDIR")
    tool.expect(not page.exists(), "the page with the link stays")


def check_older(folder):
    """A session that version 0.2.0 wrote opens as it is, keeps its judgments and takes more."""
    script = (pathlib.Path(__file__).parent / "session_0.2.sql").read_text()
    db = sqlite3.connect(folder / "old.db")
    db.executescript(script + "PRAGMA application_id = 1769368164; PRAGMA user_version = 1;")
    said = {(who, docno): grade for who, docno, grade in db.execute(
        "SELECT assessor.name, docno, grade FROM current JOIN assessor ON assessor.id = assessor"
        " JOIN item ON item.id = item JOIN document ON document.id = document")}
    db.close()
    tool.expect(len(said) == 24, f"{len(said)} judgments, expected 24 of version 0.2")
    whole = good("judge", "check", "old.db", cwd=folder)
    tool.expect("is undamaged" in whole and re.search(r"in the log\s+24\b", whole), "check", whole)
    good("judge", "export", "old.db", "--as", "qrels", "-o", "old.qrels", cwd=folder)
    for line in (folder / "old.qrels").read_text().splitlines():
        _, _, docno, grade = line.split()
        tool.expect(said["ann", docno] == int(grade), f"{line}: ann, who owns it, said otherwise")
    people, _ = rows("assessors", "judge", "status", "old.db", cwd=folder)
    tool.expect([(p["assessor"], p["judged"]) for p in people] == [("ann", 12), ("bob", 12)], people)
    (folder / "more.qrels").write_text("301 0 DOC-0080178 1\n")
    good("judge", "import", "old.db", "more.qrels", "--assessor", "ann", cwd=folder)
    whole = good("judge", "check", "old.db", cwd=folder)
    tool.expect("is undamaged" in whole and re.search(r"in the log\s+25\b", whole), "more", whole)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number, check in enumerate((check_older, check_sample, check_review, check_open,
                                         check_bad_input)):
            own = folder / str(number)
            own.mkdir()
            check(own)
        for check in (check_lists, check_stopped, check_pipe, check_terminal, check_ties, check_second, check_socket,
                      check_browser):
            check(own)
    tool.finish()


main()

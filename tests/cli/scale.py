# SPDX-License-Identifier: Apache-2.0
"""More than fits: windows, pipes, threads, sorted copies and parts say what the plain command
says, byte for byte; what is wrong is one line, and nothing is half-written.

usage: scale.py TOOL
"""
import gzip
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time

from tool import TOOL, environment, expect, finish, run

BOUND = "1M"
PAIRS = ("--format", "tsv", "--table", "pairs")  # parts do not say which documents are unjudged


def collection(name, topics, documents, number, rng):
    """Judgments of three grades and `number` runs, topics in the order given."""
    os.makedirs(name)
    with open(f"{name}/qrels", "w", encoding="utf-8") as f:
        for t in topics:
            f.writelines(f"{t} 0 D{d} {rng.choice((0, 0, 0, 1, 2))}\n" for d in range(documents))
    for r in range(number):
        with open(f"{name}/run{r}", "w", encoding="utf-8") as f:
            for t in topics:
                if rng.random() < 0.02:
                    continue  # a topic that the run misses
                docs = rng.sample(range(2 * documents), documents)
                f.writelines(f"{t} Q0 D{d} {k + 1} {20 - 0.5 * (k // 2)} tag{r}\n"
                             for k, d in enumerate(docs))
            f.write("zzz Q0 D1 1 1 tag%d\n" % r)  # and one that nobody judged
    return [f"{name}/qrels"] + [f"{name}/run{r}" for r in range(number)]


def said(*words, **more):
    r = run(*words, **more)
    expect(r.returncode == 0, words, r.stderr)
    return r.stdout


def fails(text, *words, status=1, **more):
    """That status and one line that says so."""
    r = run(*words, **more)
    expect(r.returncode == status and text in r.stderr.decode() and r.stderr.count(b"\n") == 1
           and r.stdout == b"", words, "expected", text, "got", r.returncode, r.stderr, r.stdout)


def same_in_every_way(files):
    for how in ([], ["-q"], ["-c", "-m", "num_rel,AP"], ["-m", "ERR@10,nDCG@5", "-q"],
                ["-m", "AP", "--bounds", "--ties"], ["--format", "trec", "-q", "-m", "all_trec"],
                ["--format", "tsv"], ["-J", "-l", "2", "-M", "7"]):
        plain = said("eval", *how, *files)
        for more in (["--memory", BOUND], ["--memory", BOUND, "--threads", "1"], ["--sort"]):
            expect(said("eval", *how, *more, *files) == plain, "eval differs:", how, more)
        with open(files[1], "rb") as f:
            piped = said("eval", *how, "--memory", BOUND, files[0], "-", stdin=f.read())
        one = said("eval", *how, files[0], files[1])
        if "text" not in how:
            expect(piped == one, "a pipe differs:", how)
    expect(said("compare", "--memory", BOUND, *files) == said("compare", *files), "compare differs")
    a, b = (said("eval", "--format", "json", *more, *files) for more in ([], ["--memory", BOUND]))
    expect(a.replace(b'"--memory", "1M", ', b"") == b, "digests differ")


def packed(files):
    """gzip, in several members, and zstd are unpacked on the way."""
    names = []
    for path in files:
        with open(path, "rb") as f:
            data = f.read()
        names.append(path + ".gz")
        with open(names[-1], "wb") as f:
            f.write(gzip.compress(data[:1000]) + gzip.compress(data[1000:]) + bytes(100))
    kinds = [names]
    if shutil.which("zstd"):
        kinds.append([path + ".zst" for path in files])
        for path, name in zip(files, kinds[-1]):
            subprocess.run(["zstd", "-q", "-f", "-o", name, path], check=True)
    for paths in kinds:
        for how in ([], ["-m", "ERR@10,AP", "-q"]):
            for more in (["--memory", BOUND], ["--memory", BOUND, "--threads", "1"], ["--sort"]):
                expect(said("eval", *how, *more, *paths) == said("eval", *how, *files),
                       "packed files differ:", how, more, paths)
        expect(said("eval", "--format", "json", "--memory", BOUND, *paths)
               == said("eval", "--format", "json", *paths).replace(b'"--memory", "1M", ', b""),
               "digests of packed files differ")
        with open(paths[1], "rb") as f:
            data = f.read()
        expect(said("eval", "--memory", BOUND, files[0], "-", stdin=data)
               == said("eval", "--memory", BOUND, *files[:2]), "a packed pipe differs")
        expect(said("sort", paths[1]) == said("sort", files[1]), "sort of packed lines differs")
        with open("cut", "wb") as f:
            f.write(data[:len(data) * 2 // 3])
        fails("data end here, cut short", "eval", "--memory", BOUND, files[0], "cut")
        fails("data end here, cut short", "sort", "cut")
        middle = len(data) // 2
        with open("hurt", "wb") as f:
            f.write(data[:middle] + bytes(x ^ 0x55 for x in data[middle:middle + 64])
                    + data[middle + 64:])
        r = run("eval", "--memory", BOUND, files[0], "hurt")
        expect(r.returncode == 1 and r.stderr.startswith(b"hurt:") and r.stderr.count(b"\n") == 1
               and b"data are damaged here" in r.stderr, "damaged data", r.stderr)
    with open("other.xz", "wb") as f:
        f.write(b"\xfd7zXZ\0" + bytes(100))
    fails("is compressed with xz, which is not read", "eval", "--memory", BOUND, files[0], "other.xz")


def parts(files):
    """Topics on three machines, then runs on two."""
    for how in (["-m", "AP,nDCG@10,P.5,10"], ["-c"]):
        plain, board = said("eval", *how, *files), said("compare", *how[:2], *files, *PAIRS)
        names = []
        for k in range(3):
            os.makedirs(f"p{k}", exist_ok=True)
            mine = []
            for path in files[1:]:
                mine.append(f"p{k}/{os.path.basename(path)}")
                with open(path, encoding="utf-8") as f, open(mine[-1], "w", encoding="utf-8") as out:
                    out.writelines(x for x in f if hash_of(x.split()[0]) % 3 == k)
            names.append(f"p{k}.ivs")
            bound = ["--memory", BOUND] if k == 1 else []
            said("eval", *how, *bound, "--force", "--write-scores", names[-1], files[0], *mine)
        expect(said("eval", "--scores", *names) == plain, "parts by topic differ", how)
        expect(said("eval", "--scores", *reversed(names)) == plain, "the order of parts matters", how)
        if how[0] == "-m":
            expect(said("compare", "--scores", "-m", "AP", *names, *PAIRS)
                   == said("compare", "-m", "AP", *files, *PAIRS), "compare of parts differs")
            expect(said("compare", "--scores", *how, *names, *PAIRS) == board, "compare of parts differs", how)
        for k in range(3): # the judgments of some topics, whole runs: what has none here has some there
            with open(files[0], encoding="utf-8") as f, open(f"q{k}", "w", encoding="utf-8") as out:
                out.writelines(x for x in f if hash_of(x.split()[0]) % 3 == k)
            said("eval", *how, "--force", "--write-scores", names[k], f"q{k}", *files[1:])
        expect(said("eval", "--scores", *names) == plain, "parts by judged topics differ", how)
        said("eval", *how, "--force", "--write-scores", "a.ivs", *files[:2])
        said("eval", *how, "--force", "--write-scores", "b.ivs", files[0], *files[2:])
        expect(said("eval", "--scores", "a.ivs", "b.ivs") == plain, "parts by run differ", how)
        twice = said("eval", "--scores", "a.ivs", "b.ivs", "a.ivs").decode()
        expect("occur in several parts, with the same scores. Such topics count once" in twice, twice)


def hash_of(topic):
    return sum(map(ord, topic))


def bad_parts(files):
    said("eval", "--write-scores", "good.ivs", *files)
    with open("good.ivs", "rb") as f:
        good = f.read()
    for name, data, text in (
            ("short", good[:len(good) // 2], "truncated"), ("head", good[:10], "truncated"),
            ("version", good[:8] + b"\1" + good[9:], "scores of version 1, expected 2"),
            ("start", good[:12], "truncated: it ends before the end of its last block"),
            ("damaged", good[:200] + bytes([good[200] ^ 1]) + good[201:], "damaged"),
            ("more", good + b"x", "bytes after the last block"),
            ("none", b"IVSCORES", "truncated")):
        with open(f"{name}.ivs", "wb") as f:
            f.write(data)
        fails(f"{name}.ivs: ", "eval", "--scores", f"{name}.ivs")
        fails(text, "eval", "--scores", "good.ivs", f"{name}.ivs")
    said("eval", "-l", "2", "--write-scores", "level.ivs", *files)
    fails("scored with", "eval", "--scores", "good.ivs", "level.ivs")
    said("eval", "-m", "AP", "--write-scores", "ap.ivs", *files)
    fails("other measures", "eval", "--scores", "good.ivs", "ap.ivs")
    fails("no measure 'RR'", "eval", "--scores", "-m", "RR", "ap.ivs", status=2)
    fails("no file of scores", "eval", "--scores", "good.ivs", files[0])
    for k in range(2):  # half of each topic's lines
        with open(files[1], encoding="utf-8") as f, open(f"half{k}", "w", encoding="utf-8") as out:
            out.writelines(x for i, x in enumerate(f) if i % 2 == k)
        said("eval", "--write-scores", f"half{k}.ivs", files[0], f"half{k}")
    fails("expected all lines of a topic in one part", "eval", "--scores", "half0.ivs", "half1.ivs")
    with open(files[0], encoding="utf-8") as f, open("fewer", "w", encoding="utf-8") as out:
        out.writelines(x for i, x in enumerate(f) if i != 3)
    said("eval", "--write-scores", "fewer.ivs", "fewer", files[2])
    fails("judgments here and", "eval", "--scores", "good.ivs", "fewer.ivs")
    with open(files[0], encoding="utf-8") as f, open("other", "w", encoding="utf-8") as out:
        out.writelines(x if i != 3 else x.replace(x.split()[2], "other") for i, x in enumerate(f))
    said("eval", "--write-scores", "other.ivs", "other", files[2])
    fails("has other judgments here than in a part before this one", "eval", "--scores", "good.ivs",
          "other.ivs")
    with open("good.ivs.gz", "wb") as f:
        f.write(gzip.compress(good))
    fails("good.ivs.gz: is compressed, expected scores as they were written", "eval", "--scores", "good.ivs",
          "good.ivs.gz")
    for words in (["--scores", "good.ivs.gz"], ["good.ivs", files[1]], [files[0], "good.ivs"]):
        fails("1: a file of topic scores, expected text; --scores reads it, uncompressed and as "
              "eval wrote it", "eval", *words)
    fails("no-such-folder/x.ivs", "eval", "--write-scores", "no-such-folder/x.ivs", *files)
    fails("/dev/full", "eval", "--write-scores", "/dev/full", *files)


COUNT, REAL = "<I", "<d"
WORD = 0x9E3779B97F4A7C15


def block(kind, data):
    """A block of a part with its checksum, as doc/formats.md has it."""
    h = len(data) * WORD % 2**64
    for i in range(0, len(data), 8):
        h = (h ^ int.from_bytes(data[i:i + 8], "little")) * WORD % 2**64
        h ^= h >> 29
    return struct.pack("<IQQ", kind, len(data), h) + data


def text(data):
    return struct.pack(COUNT, len(data)) + data


def part(topics=(b"1", b"2", b"3"), scores=(.1, .2, .3), counted=None, state=1, measures=(b"AP",),
         judged=(2, 1, 0), dialect=0, told=None, lines=(9, 0, 0, 0, 9, 0, 9, 0, 0, 0), more=b"", runs=1):
    """A file that a program might write who knows the format and not what may be in it."""
    head = text(b"any") + struct.pack("<QQQIII", 1, 0, 0, dialect, 0, 1) \
        + struct.pack(COUNT, len(measures)) + b"".join(map(text, measures)) \
        + struct.pack(COUNT, runs) + text(b"r") + text(b"")
    rows = struct.pack(COUNT, len(topics) if counted is None else counted) \
        + b"".join(text(t) + struct.pack("<IIIQ", *judged, 7) for t in topics) \
        + b"".join(struct.pack("<BI", state, 3) + struct.pack(REAL, x) for x in scores)
    tail = struct.pack("<QI", len(topics) if told is None else told, 1) + struct.pack("<10Q", *lines)
    return b"IVSCORES" + struct.pack(COUNT, 2) + block(1, head) + block(2, rows + more) + block(3, tail)


def forged_parts():
    """Checksums are right, and what they are of is not."""
    def said_of(what, **how):
        with open("forged.ivs", "wb") as f:
            f.write(part(**how))
        for words in (["forged.ivs"], ["-q", "--format", "json", "forged.ivs"]):
            fails(f"forged.ivs: {what}", "eval", "--scores", *words)

    with open("forged.ivs", "wb") as f:
        f.write(part())
    expect(b"over 3 topics" in said("eval", "--scores", "forged.ivs"), "the format changed")
    short, long = "a block ends before its stated length", "a block continues after its stated length"
    for how in ({"counted": 4}, {"counted": 2**32 - 1}, {"scores": (.1, .2)}, {"runs": 2**31}):
        said_of(f"the file is damaged: {short}", **how)
    for how in ({"counted": 0, "topics": ()}, {"more": b"\0"}, {"scores": (.1, .2, .3, .4)}):
        said_of(f"the file is damaged: {long}", **how)
    for x in (float("nan"), float("inf"), -float("inf")):
        said_of("topic '2' of run 'r' has no finite score", scores=(.1, x, .3))
    said_of("topic '1' occurs twice in this part", topics=(b"1", b"2", b"1"), scores=(.1, .2, .1))
    for how in ({"topics": (b"1", b"", b"3")}, {"topics": (b"1", b"a\0b", b"3")}, {"judged": (1, 1, 1)}):
        said_of("the file is damaged: a topic has no name, or more judgments", **how)
    for state in (3, 255):
        said_of("the file is damaged: a topic of a run is neither scored nor missing", state=state)
    for how in ({"told": 4}, {"lines": (2**63,) * 10}, {"lines": (9, 0, 0, 0, 1, 9, 9, 0, 0, 0)}):
        said_of("the file is damaged: its blocks do not add up", **how)
    said_of("the file is damaged: nothing is scored with such options", dialect=7)
    for names in ((b"nothing",), (b"runid",), (b"P",)):
        said_of("the scores are of measures that are not known here", measures=names)
    said_of("the file is damaged: a measure has no name", measures=(b"AP\0",))


def killed(files):
    """Killed while scores are written: what was there is there, and nothing beside it."""
    os.makedirs("kept", exist_ok=True)
    with open("kept/scores.ivs", "w", encoding="utf-8") as f:
        f.write("as it was")
    for how in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        with subprocess.Popen([TOOL, "eval", "--memory", BOUND, "--threads", "1", "--force", "--write-scores",
                               "kept/scores.ivs", files[0], "-"], stdin=subprocess.PIPE, env=environment(),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            for t in range(1, 421):  # several times what it may keep; and it waits for more
                for d in range(300):
                    child.stdin.write(b"%d Q0 DOCUMENT-%d %d %d tag\n" % (t, d, d, -d))
            child.stdin.flush()
            end = time.monotonic() + 300
            while not written_by(child.pid):
                if time.monotonic() > end or child.poll() is not None:
                    expect(False, "nothing was begun within five minutes")
                    break
                time.sleep(0.01)
            child.send_signal(how)
            child.stdin.close()  # what waits for a pipe hears of a signal with the next bytes
            expect(child.wait(60) != 0, "not killed by", how)
        with open("kept/scores.ivs", encoding="utf-8") as f:
            expect(f.read() == "as it was" and os.listdir("kept") == ["scores.ivs"], "killed by", how,
                   "and left", os.listdir("kept"))


def written_by(pid):
    """Whether a process has opened a file in the folder `kept` by now (true where nobody can say)."""
    folder = f"/proc/{pid}/fd"
    if not os.path.isdir(folder):
        return True
    for fd in os.listdir(folder):
        try:
            if "/kept/" in os.readlink(f"{folder}/{fd}"):
                return True
        except OSError:
            pass
    return False


def not_sorted(files, rng):
    with open(files[1], encoding="utf-8") as f:
        ordered = f.readlines()
    lines = rng.sample(ordered, len(ordered))
    with open("shuffled", "w", encoding="utf-8") as f:
        f.writelines(lines)
    fails("expected lines sorted by topic; --sort sorts it first", "eval", "--memory", BOUND, files[0], "shuffled")
    expect(said("eval", "--sort", "--memory", BOUND, files[0], "shuffled")
           == said("eval", files[0], "shuffled"), "a sorted copy differs")
    for how in ([], ["--memory", BOUND]):
        expect(said("sort", *how, "shuffled").decode().splitlines(True)
               == sorted(lines, key=lambda x: x.split()[0].encode()), "sort is not stable", how)
    with open("again", "w", encoding="utf-8") as f:  # far behind the beginning
        f.writelines(ordered)
        f.write(ordered[0])
    fails("expected lines sorted by topic", "eval", "--memory", BOUND, files[0], "again")
    fails("again:", "eval", files[0], "again")  # in memory: the document occurs twice
    with open("bad", "w", encoding="utf-8") as f:
        f.writelines(ordered)
        f.write("~ Q0 D1 1 high tag\n")
    fails(f"bad:{len(lines) + 1}: score 'high'", "eval", "--memory", BOUND, files[0], "bad")
    fails("(line of its sorted copy)", "eval", "--sort", files[0], "bad")
    fails("the gzip data end here, cut short", "sort", "-", stdin=b"\x1f\x8b\x08\x00")
    fails("no-such-file", "sort", "no-such-file")
    expect(said("sort", "-", stdin=b"# c\nb 1\na 2\n\na 1") == b"# c\n\na 2\na 1\nb 1\n", "comments")
    expect(said("sort", "-", stdin=b"query-id corpus-id score\nb x 1\na y 1\n").startswith(b"query-id"),
           "the header of BEIR files moves")
    # topics that begin in both orders, by number and by bytes, are read in the one they have
    for name, topics, documents in (("digits", range(990, 1011), 900), ("rising", range(301, 3400, 3), 40),
                                    ("by-bytes", sorted(map(str, range(1, 120))), 40)):
        files = collection(name, topics, documents, 1, rng)
        for memory in (BOUND, "64M"):
            expect(said("eval", "--memory", memory, *files) == said("eval", *files), name, memory)


def kept_as(name, data, kind):
    """The file written plain, as gzip or as zstd."""
    with open(name, "wb") as f:
        f.write(gzip.compress(data) if kind == "gz" else data)
    if kind == "zst":
        subprocess.run(["zstd", "-q", "-f", "--rm", "-o", name + ".zst", name], check=True)
        os.rename(name + ".zst", name)
    return name


def byte_order_marks():
    """A mark belongs to no topic, in any file and on every way of reading."""
    mark, beir = b"\xef\xbb\xbf", b"query-id\tcorpus-id\tscore\n"
    topics = [str(t) for t in range(1, 10)]
    qrels = b"".join(f"{t} 0 D{d} {d % 2}\n".encode() for t in topics for d in range(4))
    table = beir + b"".join(f"{t}\tD{d}\t{d % 2}\n".encode() for t in topics for d in range(4))
    ranked = b"".join(f"{t} Q0 D{d} {d} {9 - d} x\n".encode() for t in topics for d in range(int(t) % 4 + 1))
    plain = said("eval", "-q", kept_as("qrels", qrels, ""), kept_as("run", ranked, ""))
    for kind in ("", "gz", "zst") if shutil.which("zstd") else ("", "gz"):
        for judged in (qrels, table):
            for marks in ((mark, b""), (b"", mark), (mark, mark), (2 * mark, 3 * mark)):
                files = kept_as("qrels", marks[0] + judged, kind), kept_as("run", marks[1] + ranked, kind)
                with open("run", "rb") as f:
                    data = f.read()
                for how in ([], ["--sort"], ["--memory", BOUND], ["--sort", "--memory", BOUND]):
                    expect(said("eval", "-q", *how, *files) == plain, "a mark matters:", kind, marks, how)
                    expect(said("eval", "-q", *how, "qrels", "-", stdin=data).replace(b"<stdin>", b"run")
                           == said("eval", "-q", *how, *files), "a mark in a pipe matters:", kind, how)
                expect(said("sort", "qrels") == judged and said("sort", "-", stdin=data) == ranked,
                       "sort keeps a mark:", kind, marks)
    expect(said("sort", "-", stdin=mark + beir + b"b\tx\t1\na\ty\t1\n") == beir + b"a\ty\t1\nb\tx\t1\n",
           "the header behind a mark moves")
    fails("mark: ", "eval", "--memory", BOUND, kept_as("mark", mark, ""), "run")


def not_text(files):
    """UTF-16 and what is packed twice is refused in one way; frames of zstd to be skipped are."""
    with open(files[1], "rb") as f:
        data = f.read()
    kept_as("wide", data.decode().encode("utf-16"), "")
    kept_as("twice", gzip.compress(data, mtime=0), "gz")
    for name in ("wide", "twice"):
        for words in (["sort", name], ["eval", files[0], name], ["eval", "--sort", files[0], name],
                      ["eval", "--memory", BOUND, files[0], name]):
            fails("a NUL byte, expected text", *words)
    if shutil.which("zstd"):
        with open(kept_as("frames", data, "zst"), "rb") as f:
            packed_data = f.read()
        kept_as("frames", b"\x50\x2a\x4d\x18\x04\0\0\0abcd" + packed_data, "")
        expect(said("sort", "frames") == said("sort", files[1]), "a frame to be skipped matters")
        expect(said("eval", "--format", "tsv", files[0], "frames")
               == said("eval", "--format", "tsv", "--memory", BOUND, files[0], "frames"), "frames")


def full_disk():
    """Temporary files that cannot grow: no output appears."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))

    with open("output", "w", encoding="utf-8") as f:
        f.write("as it was")
    for words in (["sort", "--memory", BOUND, "--force", "-o", "output", "large"],
                  ["eval", "--sort", "--memory", BOUND, "--force", "--write-scores", "output",
                   "col/qrels", "large"]):
        r = subprocess.run([TOOL, *words], capture_output=True, env=environment(), check=False,
                           preexec_fn=limit)
        expect(r.returncode == 1 and b"large: cannot be sorted" in r.stderr, words, r)
        with open("output", encoding="utf-8") as f:
            expect(f.read() == "as it was", words, "changed the output")
    fails("No space left", "sort", "-o", "/dev/full", "large")


def no_folder():
    """Temporary files that cannot be made: one line, and no output."""
    for folder, why in (("no-such-folder", "No such file or directory"), ("large", "Not a directory")):
        for words in (["sort", "--memory", BOUND, "large", "-o", "never"],
                      ["eval", "--sort", "--memory", BOUND, "--write-scores", "never", "col/qrels", "large"]):
            r = subprocess.run([TOOL, *words], capture_output=True, check=False,
                               env={**environment(), "TMPDIR": folder})
            expect(r.returncode == 1 and r.stderr.decode().endswith(f"cannot be sorted: {folder}: {why}\n")
                   and r.stderr.count(b"\n") == 1 and not os.path.exists("never"), words, folder, r)
    r = subprocess.run([TOOL, "sort", "--memory", BOUND, "large", "-o", "by-default"], capture_output=True,
                       check=False, env={**environment(), "TMPDIR": ""})
    expect(r.returncode == 0, "an empty TMPDIR is none", r.stderr)


def peak(*words):
    """The most bytes that the tool held."""
    with subprocess.Popen([TOOL, *words], stdout=subprocess.DEVNULL, env=environment()) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = status
    expect(status == 0, words, status)
    return used.ru_maxrss * 1024


def many_runs(rng):
    """Runs of which one fits are read one after the other, however many there are."""
    qrels, run0 = collection("deep", range(1, 421), 100, 1, rng)
    with open(run0, "rb") as f, gzip.open("deep/run.gz", "wb", 1) as out:
        shutil.copyfileobj(f, out)
    runs = [f"deep/{i}.gz" for i in range(64 * 2**20 // (8 * os.path.getsize("deep/run.gz")) + 1)]
    for r in runs:
        os.link("deep/run.gz", r)
    one = peak("eval", "-m", "AP", "--threads", "1", qrels, runs[0])
    every = peak("eval", "-m", "AP", "--threads", "1", qrels, *runs)
    expect(every < 1.4 * one, "many runs take more memory than one", every, one)


def bounded():
    """Memory stays within what was asked for and a little more."""
    with open("large", encoding="utf-8") as f:
        size = os.fstat(f.fileno()).st_size
    for words in (["eval", "--memory", "2M", "sorted-qrels", "sorted-large"],
                  ["eval", "--memory", "2M", "sorted-qrels", "sorted-large.gz"],
                  ["sort", "--memory", "4M", "large", "--force", "-o", "sorted-again"],
                  ["sort", "--memory", BOUND, "large", "--force", "-o", "sorted-in-passes"]):
        used = peak(*words)
        expect(used < 0.8 * size, words, used, size)
    for again in ("sorted-again", "sorted-in-passes"):
        with open("sorted-large", "rb") as a, open(again, "rb") as b:
            expect(a.read() == b.read(), "sort depends on memory", again)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    rng = random.Random(1)
    numbers = collection("col", range(1, 421), 12, 3, rng)  # 9 before 10: by number
    same_in_every_way(numbers)
    same_in_every_way(collection("bytes", sorted(f"q{t}" for t in range(150)), 30, 2, rng))
    packed(numbers)
    parts(numbers)
    bad_parts(numbers)
    forged_parts()
    killed(numbers)
    not_sorted(numbers, rng)
    byte_order_marks()
    not_text(numbers)
    topics = list(range(1, 421)) * 180
    rng.shuffle(topics)
    with open("large", "w", encoding="utf-8") as f:
        f.writelines(f"{t} Q0 DOCUMENT-{i}-{k} 1 {i} tag-of-a-long-run\n"
                     for i, t in enumerate(topics) for k in range(12))
    said("sort", "large", "-o", "sorted-large")
    said("sort", "col/qrels", "-o", "sorted-qrels")
    with open("sorted-large", "rb") as f, gzip.open("sorted-large.gz", "wb", 1) as out:
        shutil.copyfileobj(f, out)
    full_disk()
    no_folder()
    bounded()
    many_runs(rng)
finish()

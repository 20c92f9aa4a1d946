# SPDX-License-Identifier: Apache-2.0
"""Files that misbehave, and outputs that would destroy something.

usage: robust.py TOOL
"""
import gzip
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile
import time

import tool

QRELS = "".join(f"1 0 d{i} {i % 2}\n" for i in range(20))
RUN = "".join(f"1 Q0 d{i} {i + 1} {100 - i} r\n" for i in range(20))


def refused(done, status, part, *what):
    said = done.stderr.decode()
    tool.expect(done.returncode == status, *what, "exit", done.returncode, said)
    tool.expect(said.count("\n") == 1 and part in said, *what, "says", said)


def shrinking(folder):
    """A file that shrinks while it is read is one line and exit 1, or was whole."""
    lines = "".join(f"1 Q0 d{i} {i} {1e6 - i} r\n" for i in range(200000)).encode()
    path, seen = folder / "log", 0
    for delay in range(200):
        path.write_bytes(lines)
        busy = subprocess.Popen([tool.TOOL, "check", "log"], cwd=folder, text=True,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(0.0003 * (delay % 40))
        os.truncate(path, 1000)
        said = busy.communicate()[1]
        tool.expect(busy.returncode in (0, 1), "a file that shrinks: exit", busy.returncode)
        if "became shorter" in said:
            seen += 1
            tool.expect(busy.returncode == 1 and said.count("\n") == 1, "shrinking says", said)
            if seen == 3:
                break
    path.unlink()
    print(f"shrank under the reader {seen} times")


def outputs(folder):
    """Inputs, and files of the user's, are not replaced."""
    os.symlink("run", folder / "soft")
    os.link(folder / "run", folder / "hard")
    for place in ("run", "./run", "soft", "hard", "qrels", str(folder / "run")):
        refused(tool.run("eval", "qrels", "run", "-o", place, cwd=folder), 2,
                "would replace a file that is read", "-o", place)
    refused(tool.run("eval", "qrels", "run", "--write-matrix", "hard", cwd=folder), 2,
            "--write-matrix would replace a file that is read", "--write-matrix")
    refused(tool.run("prf", "--labels", "table", "-o", "table", cwd=folder), 2,
            "would replace a file that is read", "an option's file")
    refused(tool.run("prf", "--counts", "a=table", "-o", "table", cwd=folder), 2,
            "would replace a file that is read", "a file behind =")
    tool.expect((folder / "run").read_text() == RUN, "the run was touched")
    (folder / "notes").write_text("mine\n")
    refused(tool.run("eval", "qrels", "run", "-o", "notes", cwd=folder), 1,
            "notes: exists, and was not written by intervale; --force", "-o notes")
    tool.expect((folder / "notes").read_text() == "mine\n", "the notes were touched")
    for words in (["--force"], [] if marks(folder) else ["--force"]):
        done = tool.run("eval", "qrels", "run", "-o", "notes", *words, cwd=folder)
        tool.expect(done.returncode == 0, words, "exit", done.returncode, done.stderr)
    with open(folder / "notes", "a", encoding="utf-8") as judged:
        judged.write("edited\n")
    refused(tool.run("eval", "qrels", "run", "-o", "notes", cwd=folder), 1,
            "--force", "an edited output")
    (folder / "notes").write_text("")
    for place in ("notes", "new", "/dev/null"):
        done = tool.run("eval", "qrels", "run", "-o", place, cwd=folder)
        tool.expect(done.returncode == 0, "-o", place, "exit", done.returncode, done.stderr)


def marks(folder):
    """Has the file system extended attributes?"""
    try:
        os.setxattr(folder, "user.intervale-test", b"1")
    except (OSError, AttributeError):
        return False
    return True


def unpacked_seconds(folder, *words):
    """What it says, the processor's seconds (others may keep the machine busy), and kB of memory more."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = tool.run(*words, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done, seconds, after.ru_maxrss - before.ru_maxrss


def bombs(folder):
    """Two gigabytes in a few megabytes: refused at once, or when the limit says so."""
    (folder / "zeros.gz").write_bytes(gzip.compress(bytes(1 << 24)) * 128)
    done, seconds, grown = unpacked_seconds(folder, "eval", "qrels", "zeros.gz")
    refused(done, 1, "zeros.gz:1: a NUL byte", "two gigabytes of zeros")
    tool.expect(seconds < 5 and grown < 100000, "zeros took", seconds, "s,", grown, "kB")
    (folder / "empty.gz").write_bytes(gzip.compress(b"\n" * (1 << 24)) * 128)
    done, seconds, grown = unpacked_seconds(folder, "eval", "empty.gz", "run")
    refused(done, 1, "empty.gz: decompresses to more than 100 times its size", "two gigabytes of empty lines")
    tool.expect(seconds < 10 and grown < 400000, "empty lines took", seconds, "s,", grown, "kB")
    for name, form in (("qrels", "1 0 %s 1\n"), ("run", "1 Q0 %s 1 9 r\n")):
        (folder / "long").write_text(form % "d" + form % ("x" * 5000))
        words = ("eval", "long", "run") if name == "qrels" else ("eval", "qrels", "long")
        refused(tool.run(*words, cwd=folder), 1, "long:2: a docno of 5000 bytes, expected at most 4096",
                "a long id of a " + name)
    packer = shutil.which("zstd")
    if packer:
        wide = subprocess.run([packer, "-q", "--long=28", "-c"], input=RUN.encode(), stdout=subprocess.PIPE, check=True)
        (folder / "wide.zst").write_bytes(wide.stdout)
        refused(tool.run("eval", "qrels", "wide.zst", cwd=folder), 1, "needs a window of more than 128 MB", "zstd --long")
    line = b"1 Q0 d 1 9 r\n" # behind a beginning that is sound
    sound = b"".join(b"1 Q0 d%d 1 9 r\n" % i for i in range(9000))
    (folder / "lines.gz").write_bytes(gzip.compress(sound) + gzip.compress(line * (1 << 20)) * 16)
    done, seconds, grown = unpacked_seconds(folder, "eval", "--max-input", "1000000", "qrels",
                                            "lines.gz")
    refused(done, 1, "lines.gz: cannot read: it decompresses to more than the 1000000 bytes allowed",
            "--max-input")
    tool.expect(seconds < 5 and grown < 100000, "a limit took", seconds, "s,", grown, "kB")
    refused(tool.run("eval", "--max-input", "10", "qrels", "run", cwd=folder), 1,
            "more than the 10 bytes allowed", "a plain file beyond --max-input")
    refused(tool.run("eval", "--max-input", "100", "qrels", "-", cwd=folder,
                     stdin=RUN.encode()), 1, "bytes allowed", "standard input")
    refused(tool.run("compare", "--max-input", "10", "--matrix", "table", cwd=folder), 1,
            "more than the 10 bytes allowed", "a matrix beyond --max-input")
    done = tool.run("eval", "--max-input", "1000", "qrels", "run", cwd=folder)
    tool.expect(done.returncode == 0, "within --max-input: exit", done.returncode, done.stderr)


def edited(folder):
    """A sample whose lists were deleted is read as what is left of it, or refused."""
    done = tool.run("sample", "--budget", "5", "run", "-o", "sample", cwd=folder)
    tool.expect(done.returncode == 0, "sample: exit", done.returncode, done.stderr)
    lines = (folder / "sample").read_text().splitlines(keepends=True)
    kept = [l for i, l in enumerate(lines) if i == 0 or not l.startswith("#")]
    (folder / "edited").write_text("".join(kept).replace(" -1 ", " 1 "))
    done = tool.run("eval", "-m", "AP", "edited", "run", cwd=folder)
    tool.expect(done.returncode in (0, 1) and done.stderr.count(b"\n") <= 2, "edited sample:",
                done.returncode, done.stderr)


def hostile(folder):
    """Names do nothing in a spreadsheet, nor in a terminal that shows messages."""
    (folder / "odd.qrels").write_text("=1 0 a 1\n-5 0 a 1\nx;=1+1 0 a 1\n")
    (folder / "odd.run").write_text("=1 Q0 a 1 2 @t\n-5 Q0 a 1 2 @t\nx;=1+1 Q0 a 1 2 @t\n")
    tool.run("eval", "--write-matrix", "odd.csv", "-m", "AP", "odd.qrels", "odd.run", cwd=folder)
    tool.expect((folder / "odd.csv").read_text() == "AP,-5,'=1,\"x;'=1+1\"\n'@t,1,1,1\n", "a matrix with formulas:",
                (folder / "odd.csv").read_text())
    for mark in ("\u202e", "\u200b", "\u2066"):
        done = tool.run("check", f"no{mark}file", cwd=folder)
        tool.expect(mark.encode() not in done.stderr and b"no\\xe2\\x8" in done.stderr, "an odd name:", done.stderr)


with tempfile.TemporaryDirectory(prefix="intervale-cli-") as name:
    root = pathlib.Path(name)
    (root / "qrels").write_text(QRELS)
    (root / "run").write_text(RUN)
    (root / "table").write_text("name,1,2\na,0.5,0.25\nb,0.25,0.5\n")
    outputs(root)
    bombs(root)
    edited(root)
    hostile(root)
    shrinking(root)
tool.finish()

# SPDX-License-Identifier: Apache-2.0
"""Output that cannot be written is one line and exit 1, and leaves no trace.

usage: failures.py TOOL
"""
import gzip
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time

import tool

COMMANDS = (["check", "run"], ["check", "--format", "json", "run"], ["help"], ["help", "check"],
            ["check", "--help"], ["version"], ["manual"], ["completion", "zsh"],
            ["sort", "run"], ["sample", "run"])


def one_line(done, part, *what):
    said = done.stderr.decode()
    tool.expect(done.returncode == 1, *what, "exit", done.returncode)
    tool.expect(said.count("\n") == 1 and said.startswith("intervale") and part in said,
                *what, "says", said)


def without_threads():
    """The system makes no thread for this process."""
    if os.getuid() == 0:  # whom it refuses none
        os.setuid(65534)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))


def threads(folder):
    """Threads that cannot be had are done without: the same answer."""
    os.chmod(folder, 0o755)
    for number in ("1", "2"):
        try:
            done = tool.run("plan", "recall", "--population", "1000", "--retrieved", "100", "--recall",
                            "0.7", "--precision", "0.5", "--total", "40", "--threads", number,
                            cwd=folder, preexec_fn=without_threads)
        except PermissionError:
            print("skipped: another user may not run the tool")
            return
        said = done.stderr.decode().strip()
        tool.expect(done.returncode == 0 and done.stdout and not said,
                    number, "threads that cannot be had: exit", done.returncode, said)


with tempfile.TemporaryDirectory(prefix="intervale-cli-") as name:
    folder = pathlib.Path(name)
    (folder / "run").write_text("1 Q0 a 1 9 t\n")
    (folder / "old").write_text("old")
    for words in COMMANDS:
        with open("/dev/full", "wb") as full:
            one_line(tool.run(*words, cwd=folder, stdout=full), "standard output: cannot write: No space left on device",
                     *words, "to a full device")
        one_line(tool.run(*words, cwd=folder, stdout=None, preexec_fn=lambda: os.close(1)),
                 "standard output: cannot write: Bad file descriptor", *words, "to a closed one")
    for place, part in (("run/x", "Not a directory"), ("missing/x", "No such file"),
                        (".", "it is a directory"), ("/dev/full", "No space left on device")):
        one_line(tool.run("check", "-o", place, "run", cwd=folder), part, "-o", place)
    # A command that fails leaves the old output, and nothing else.
    done = tool.run("check", "--force", "-o", "old", "missing", cwd=folder)
    one_line(done, "missing: cannot read", "a missing input")
    done = tool.run("check", "--force", "-o", "old", "--table", "nothing", "run", cwd=folder)
    tool.expect(done.returncode == 2, "no such table: exit", done.returncode)
    tool.expect((folder / "old").read_text() == "old", "the old file was touched")
    tool.expect(sorted(os.listdir(folder)) == ["old", "run"], os.listdir(folder))
    # A picture needs node, or a build with pages: it is said before the work.
    done = subprocess.run([tool.TOOL, "check", "--format", "svg", "run"], cwd=folder, check=False,
                          env={"PATH": name}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    one_line(done, "format svg is ", "without node")
    tool.expect(done.stdout == b"", "without node there is a picture")
    # A reader that goes away, as head does, ends the tool in silence.
    reader, writer = os.pipe()
    os.close(reader)
    done = tool.run("manual", cwd=folder, stdout=writer)
    tool.expect(done.returncode == -signal.SIGPIPE and not done.stderr, "a closed pipe:",
                done.returncode, done.stderr)
    os.close(writer)
    # simulate makes a folder under another name first: a signal it can hear removes it.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGPIPE, signal.SIGALRM,
                   signal.SIGXCPU, signal.SIGUSR1):
        busy = subprocess.Popen([tool.TOOL, "simulate", "--topics", "1000", "-o", "made"],
                                cwd=folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        while not any(".tmp-" in n for n in os.listdir(folder)) and busy.poll() is None:
            time.sleep(0.01)
        busy.send_signal(number)
        tool.expect(busy.wait(timeout=120) == -number, "simulate ended by", busy.returncode)
        tool.expect(sorted(os.listdir(folder)) == ["old", "run"], number, os.listdir(folder))
    # An empty folder that is there keeps its group and mode.
    made = folder / "made"
    made.mkdir()
    os.chown(made, -1, max([os.getgid(), *os.getgroups(), 12345 if os.geteuid() == 0 else 0]))
    made.chmod(0o2750)
    before = made.stat()
    tool.expect(tool.run("simulate", "-o", "made", cwd=folder).returncode == 0, "simulate")
    after = made.stat()
    tool.expect((after.st_mode, after.st_gid) == (before.st_mode, before.st_gid) and (made / "runs").is_dir(),
                "of a folder that was there:", oct(after.st_mode), after.st_gid)
    shutil.rmtree(made)
    # Whatever ends the tool, no half of its output is left behind.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        left = folder / "left"
        left.mkdir()
        busy = subprocess.Popen([tool.TOOL, "study", "power", "--trials", "1000000", "--quiet",
                                 "-o", "left/out"], cwd=folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        running = busy.poll() is None
        busy.send_signal(number)
        busy.wait()
        tool.expect(running and os.listdir(left) == [], "ended by", number, "with",
                    os.listdir(left))
        left.rmdir()
    # Scores too: while they are read (the rest of a pipe never comes), and while it computes.
    os.mkfifo(folder / "pipe")
    half = b"system,item,score\n" + b"".join(b"a,%d,0.%d\n" % (i, i) for i in range(1, 60))
    run = b"1 Q0 d 1 1 tag\n"
    (folder / "judged").write_text("1 0 d 1\n")
    (folder / "one").write_bytes(run)
    # A pipe behind a link is there, though it has no path.
    done = subprocess.run([tool.TOOL, "eval", "judged", "one", "-o", "/dev/stdout"], cwd=folder, capture_output=True,
                          check=False)
    tool.expect(done.returncode == 0 and b"tag: AP" in done.stdout, done)
    for number, words, data in (
            (signal.SIGINT, ["sort", "pipe"], run), (signal.SIGTERM, ["eval", "--sort", "judged", "pipe"], run),
            (signal.SIGINT, ["eval", "--memory", "16M", "judged", "pipe"], run),
            (signal.SIGTERM, ["eval", "judged", "pipe"], run), (signal.SIGINT, ["compare", "--scores", "pipe"], half),
            (signal.SIGTERM, ["check", "pipe"], None), (signal.SIGINT, ["sort", "pipe"], None),
            # ... in a thread that the signal does not reach, by chance: six times.
            *[(signal.SIGINT, ["eval", "--threads", "2", "judged", *["one"] * k, "pipe", *["one"] * (6 - k)], None)
              for k in range(6)]):
        busy = subprocess.Popen([tool.TOOL, *words], cwd=folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE)
        if data is not None:  # None: nobody writes at all
            writer = os.open(folder / "pipe", os.O_WRONLY)
            os.write(writer, data)
        time.sleep(0.2)
        running = busy.poll() is None
        busy.send_signal(number)
        said = busy.communicate(timeout=120)[1]
        tool.expect(running and busy.returncode == -number and said == b"", *words, "ended by",
                    busy.returncode, said)
        if data is not None:
            os.close(writer)
    # What is wrong in the beginning of a pipe is told before its end, which does not come here.
    again = b"-:2: document 'd' of topic '1' is a duplicate of line 1;"
    long = b"-:1: a line of more than 16777216 bytes"
    noise = random.Random(1).randbytes(3 << 20).hex().encode()  # which gzip can only halve
    spoilt = gzip.compress(b"1 0 d 1\n1 0 d 1\n" + b"".join(
        b"1 0 %s 1\n" % noise[i:i + 60] for i in range(0, len(noise), 60)) * 2, 1)
    for words, told, data in (
            (["eval", "-", "one"], again, b"1 0 d 1\n" * (3 << 18)),
            (["eval", "judged", "-"], again, run * ((6 << 20) // len(run))),
            (["eval", "-", "one"], again, spoilt),
            *[(words, told, data) for words in (["eval", "-", "one"], ["eval", "judged", "-"], ["roc", "-"],
                                                ["prf", "--labels", "-"], ["eval", "--scores", "-"])
              for told, data in ((b"-:1: a NUL byte", b"\0" * 9), (long, b"a" * (17 << 20)),
                                 (b"-:1: the gzip data are damaged", b"\x1f\x8b" + b"a" * (5 << 20)))]):
        with subprocess.Popen([tool.TOOL, *words], cwd=folder, bufsize=0, stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as busy:
            try:
                busy.stdin.write(data)
            except BrokenPipeError:
                pass
            try:
                busy.wait(timeout=120)
            except subprocess.TimeoutExpired:
                busy.kill()
            tool.expect(busy.returncode == 1, *words, "of a pipe that goes on: exit", busy.returncode)
            said = busy.stderr.read()
            tool.expect(said.startswith(told), *words, said)
    # A pipe is opened once, by whatever reads it: who looks first loses what is in it.
    for words in (["eval", "judged", "pipe"], ["eval", "pipe", "run"]):
        for _ in range(5):
            busy = subprocess.Popen([tool.TOOL, *words], cwd=folder, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE)
            (folder / "pipe").write_bytes(run if words[2] == "pipe" else b"1 0 d 1\n")
            said = busy.communicate(timeout=120)[1]
            tool.expect(busy.returncode == 0, *words, "of a pipe:", busy.returncode, said)
    # More threads than files that may be open.
    many = [f"one{i}" for i in range(130)]
    for path in many:
        (folder / path).write_bytes(run)
    done = tool.run("eval", "--threads", "64", "--ci", "none", "judged", *many, cwd=folder,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20)))
    tool.expect(done.returncode == 0, "130 runs, 64 threads and 20 files:", done.stderr)
    for path in [folder / "judged", folder / "one", *[folder / path for path in many]]:
        path.unlink()
    for number in (signal.SIGINT, signal.SIGTERM):
        for words in (["eval", "--scores", "pipe"],
                      ["eval", "--scores", "half", "--ci", "bca", "--resamples", "10000000"],
                      ["compare", "--scores", "half", "--resamples", "10000000"]):
            (folder / "half").write_bytes(half + half[18:].replace(b"a,", b"b,"))
            busy = subprocess.Popen([tool.TOOL, *words, "--force", "-o", "old"], cwd=folder,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if "pipe" in words:
                writer = os.open(folder / "pipe", os.O_WRONLY)
                os.write(writer, half)
            time.sleep(0.2)
            running = busy.poll() is None
            busy.send_signal(number)
            said = busy.communicate(timeout=120)[1]
            tool.expect(running and busy.returncode == -number, *words, "ended by",
                        busy.returncode, said)
            if "pipe" in words:
                os.close(writer)
            tool.expect((folder / "old").read_text() == "old"
                        and sorted(os.listdir(folder)) == ["half", "old", "pipe", "run"],
                        *words, "left", os.listdir(folder))
    # The line of an error is told, however long the path, which loses its beginning.
    deep = pathlib.Path(*["d" * 100] * 6)
    (folder / deep).mkdir(parents=True)
    (folder / deep / "broken").write_text("1 0 a 1\n1 0 b x\n")
    done = tool.run("eval", str(deep / "broken"), "run", cwd=folder)
    said, _, rest = done.stderr.decode().partition("broken:2: grade 'x', expected")
    tool.expect(said.startswith("...d") and str(deep / "x").endswith(said[3:] + "x") and rest
                and done.returncode == 1, "a long path:", done.stderr)
    threads(folder)
    # Standard error that is closed takes no part of the output.
    done = tool.run("check", "-o", "new", "missing", cwd=folder, stderr=None,
                    preexec_fn=lambda: os.close(2))
    tool.expect(done.returncode == 1 and not (folder / "new").exists(), "closed standard error")
tool.finish()

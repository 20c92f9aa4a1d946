# SPDX-License-Identifier: Apache-2.0
"""Time and memory of eval and compare by lines, topics and runs, with fitted exponents.

usage: bench_scale.py TOOL MAKE_MANY FOLDER [WHAT=MOST...]

WHAT is lines, topics, compared (topics), runs or boards (runs): all of them, unless given.  turn, when
asked for: so many lines some topics at a time, from a file and through a pipe, and a tenth of
them as a whole, in turn.
MAKE_MANY is bench/make_many; files are made in FOLDER, one setting at a time, and removed.
Time is processor time of the tool, user and system; memory the most it had.
"""
import math
import os
import pathlib
import subprocess
import sys

TOOL, MAKE, FOLDER = (os.path.abspath(a) for a in sys.argv[1:4])
MOST = {"lines": 10**7, "topics": 10**6, "compared": 10**6, "runs": 2000, "boards": 200}
if sys.argv[4:]:
    MOST = {what: int(float(most)) for what, most in (a.split("=") for a in sys.argv[4:])}


def make(topics, documents, what):
    path = os.path.join(FOLDER, f"bench{what}")
    with open(path, "wb") as out:
        subprocess.run([MAKE, str(topics), str(documents), str(what)], stdout=out, check=True)
    return path


def cost(*words, stdin=None):
    """Seconds and megabytes of one call."""
    with open(os.devnull, "wb") as null, \
            subprocess.Popen([TOOL, *words], stdin=stdin, stdout=null, stderr=subprocess.PIPE) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = status
        if status != 0:
            sys.exit(child.stderr.read().decode())
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def exponent(points):
    """The slope of the logarithms over the larger half."""
    points = points[len(points) // 2 - (len(points) > 3):]
    x, y = [math.log(n) for n, _ in points], [math.log(c) for _, c in points]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def table(what, settings):
    print(f"\n| {what} | seconds | MB |\n|---:|---:|---:|", flush=True)
    seconds, memory = [], []
    for n, topics, documents, runs, command in settings:
        files = [make(topics, documents, r) for r in range(runs + 1)]
        s, mb = cost(*command, *files)
        for path in files:
            pathlib.Path(path).unlink()
        seconds.append((n, max(s, 1e-3)))
        memory.append((n, mb))
        print(f"| {n:.0e} | {s:.2f} | {mb:.0f} |" if n >= 10000 else f"| {n} | {s:.2f} | {mb:.0f} |",
              flush=True)
    if len(seconds) > 2:
        print(f"| exponent | {exponent(seconds):.2f} | {exponent(memory):.2f} |")


def tenth(path, lines, topic):
    """The first lines of a file, its first two topics exchanged: what is not sorted is read as a whole."""
    with open(path, "rb") as f, open(path + "-tenth", "wb") as out:
        first, second = ([f.readline() for _ in range(topic)] for _ in range(2))
        out.writelines(second + first)
        out.writelines(f.readline() for _ in range(lines // 10 - 2 * topic))
    return path + "-tenth"


def in_turn(lines, times=2):
    """Seconds a line, of one thread without intervals; judgments are a tenth of the lines."""
    run, judged = make(lines // 1000, 1000, 1), make(lines // 1000, 100, 0)
    part = tenth(judged, lines // 10, 100), tenth(run, lines, 1000)
    plain = ["eval", "--threads", "1", "--ci", "none"]
    print("\n| in turn | lines | seconds | ns a line | MB |\n|---|---:|---:|---:|---:|", flush=True)
    for _ in range(times):
        for what, n in (("as a whole", lines // 10), ("some topics at a time", lines), ("a pipe", lines)):
            if what == "a pipe":
                with subprocess.Popen(["cat", run], stdout=subprocess.PIPE) as cat:
                    s, mb = cost(*plain, "--memory", "256M", judged, "-", stdin=cat.stdout)
            else:
                s, mb = cost(*plain, *(part if n < lines else (judged, run)))
            print(f"| {what} | {n:.0e} | {s:.2f} | {1e9 * s / n:.0f} | {mb:.0f} |", flush=True)
    for path in (run, judged, *part):
        pathlib.Path(path).unlink()


def powers(first, last):
    return [10**k for k in range(first, round(math.log10(last)) + 1)]


if "turn" in MOST:
    in_turn(MOST["turn"])
RUNS = (2, 20, 200, 2000)
if "lines" in MOST:
    table("lines of a run, 1,000 a topic: `eval`",
          [(n, n // 1000, 1000, 1, ["eval"]) for n in powers(4, MOST["lines"])])
if "topics" in MOST:
    table("topics of 10 documents, one run: `eval`",
          [(n, n, 10, 1, ["eval"]) for n in powers(1, MOST["topics"])])
if "compared" in MOST:
    table("topics of 2 documents, ten runs: `compare`",
          [(n, n, 2, 10, ["compare"]) for n in powers(1, MOST["compared"])])
if "runs" in MOST:
    table("runs of 50 topics, 100 documents each: `eval`",
          [(n, 50, 100, n, ["eval"]) for n in RUNS if n <= MOST["runs"]])
if "boards" in MOST:
    table("runs of 50 topics, 100 documents each: `compare`",
          [(n, 50, 100, n, ["compare"]) for n in RUNS if n <= MOST["boards"]])

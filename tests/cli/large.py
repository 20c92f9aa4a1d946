# SPDX-License-Identifier: Apache-2.0
"""Topics, tables and lists that are large in one direction: memory and time grow as what is read
does, and a signal is heard within a second or two.

usage: large.py TOOL
"""
import os
import resource
import signal
import subprocess
import tempfile
import time

from tool import TOOL, environment, expect, finish


def spent(*words, memory=None):
    """What the tool says with at most `memory` megabytes of addresses, and its seconds."""
    def limit():
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([TOOL, *words], capture_output=True, env=environment(), check=False,
                          preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def said(*words, memory=None):
    done = spent(*words, memory=memory)[0]
    expect(done.returncode == 0, words, done.returncode, done.stderr)
    return done.stdout


def used(pid):
    """The processor's seconds so far; others may keep the machine busy."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
        fields = f.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def heard(*words):
    """A signal in the middle of it ends it, before it has worked for another second."""
    with subprocess.Popen([TOOL, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          env=environment()) as child:
        while child.poll() is None and used(child.pid) < 0.5:
            time.sleep(0.01)
        expect(child.poll() is None, words, "ended before a signal could come")
        before = used(child.pid)
        child.send_signal(signal.SIGINT)
        said_last = child.stderr.read()
        _, status, after = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    expect(child.returncode in (130, -signal.SIGINT), words, child.returncode, said_last)
    late = after.ru_utime + after.ru_stime - before
    expect(late < 1, words, "heard a signal after", late, "s of work")


def write(name, lines):
    with open(name, "w", encoding="utf-8") as f:
        f.writelines(lines)
    return name


def ranked(name, documents):
    return write(name, (f"1 Q0 D{d} {k + 1} {len(documents) - k} r\n"
                        for k, d in enumerate(documents)))


def many_subtopics():
    """A topic of 5,000 subtopics and 20,000 documents, each of one: not one field for each pair."""
    qrels = write("subtopics", (f"1 {d % 5000} D{d} 1\n" for d in range(20000)))
    run = ranked("subtopics.run", range(10000))
    out = said("eval", "--threads", "1", "-m", "StRecall@5000,AP_IA", "--format", "tsv", qrels, run,
               memory=300)
    expect(b"StRecall@5000\tall\t1\t1\t" in out and b"AP_IA" in out, "subtopics", out)


def ideal_order():
    """40,000 documents of 200 subtopics in an ideal order: not each is looked at for each rank."""
    qrels = write("ideal", (f"1 {s} D{d} 1\n" for d in range(40000)
                            for s in sorted({d % 200, d * 7 % 193, d * 11 % 197})))
    run = ranked("ideal.run", range(40000))
    for measure in ("nNRBP", "alpha_nDCG@40000"):
        done, seconds = spent("eval", "--threads", "1", "-m", measure, qrels, run)
        expect(done.returncode == 0 and seconds < 5, measure, seconds, "s", done.stderr)


def preferences():
    """One group of 30,000 documents, with and without subgroups; and ten groups, stopped."""
    run = ranked("preferred.run", range(30000))
    one = write("one", (f"1 g s D{d} {d % 7}\n" for d in range(30000)))
    part = write("part", (f"1 g {s} D{d} {d % 7}\n" for d in range(30000)
                          for s in (f"s{d % 500}", f"t{d * 7 % 503}")))
    ten = write("ten", (f"1 g{g} s D{d} {d * g % 7}\n" for g in range(1, 11) for d in range(30000)))
    for prefs in (one, part):
        done, seconds = spent("eval", "--threads", "1", "-R", "prefs", prefs, run, memory=700)
        expect(done.returncode == 0 and seconds < 5, prefs, seconds, "s", done.stderr)
    heard("eval", "-R", "prefs", ten, run)


def deep_lists():
    """Two lists of a million documents beside each other, stopped."""
    runs = [write(f"deep{r}", (f"1 Q0 D{k * r % 1000003} {k + 1} {2000000 - k} r{r}\n"
                               for k in range(1000000))) for r in (7, 11)]
    heard("overlap", *runs)


def many_measures():
    """30,000 measures, each once; none is compared with all."""
    qrels = write("few", (f"1 0 D{d} {d % 2}\n" for d in range(10)))
    run = ranked("few.run", range(10))
    lists = [",".join(f"P@{k}" for k in range(i, i + 10000)) for i in (1, 9001, 19001)]
    words = [w for names in lists for w in ("-m", names)]
    done, seconds = spent("eval", "--format", "trec", *words, qrels, run)
    expect(done.returncode == 0 and done.stdout.count(b"\n") == 29000, "measures", done.stderr)
    expect(seconds < 1.5, "29,000 measures took", seconds, "s")


def bad_beginning():
    """A gigabyte that is no run in its first line: what is behind its beginning is not read."""
    qrels, run = write("good", ["1 0 D1 1\n"]), ranked("good.run", range(5))
    bad = write("bad", ("this is no run\n" for _ in range(70000)))
    os.truncate(bad, 1 << 30)
    for words in (["eval", qrels, bad], ["overlap", run, bad]):
        done, seconds = spent(*words, "--threads", "1", memory=300)
        expect(done.returncode == 1 and done.stderr.startswith(b"bad:1: 4 fields, expected a run")
               and seconds < 1, words, seconds, "s", done.stderr)


def wide_matrix():
    """50,000 systems, whose pairs do not fit: told at once."""
    cells = ",".join("0.5" for _ in range(50000))
    table = write("wide.csv", ["t," + ",".join(f"s{i}" for i in range(50000)) + "\n"]
                  + [f"t{k},{cells}\n" for k in range(3)])
    done, seconds = spent("compare", "--matrix", table, "--by", "topics", memory=2000)
    expect(done.returncode == 1 and b"out of memory" in done.stderr and seconds < 1, "wide", seconds,
           done.stderr)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    many_subtopics()
    ideal_order()
    preferences()
    deep_lists()
    many_measures()
    bad_beginning()
    wide_matrix()
finish()

# SPDX-License-Identifier: Apache-2.0
"""Topics, tables and lists that are large in one direction: memory and time grow as what is read
does, and a signal is heard within a second or two.

usage: large.py TOOL
"""
import os
import random
import resource
import subprocess
import tempfile

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


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    many_subtopics()
finish()

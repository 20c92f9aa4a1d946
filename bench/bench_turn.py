# SPDX-License-Identifier: Apache-2.0
"""Two builds of the tool in turn: is the new one slower?

usage: bench_turn.py OLD NEW [--times N] [--topics N] [--documents N] [-- WORDS...]

OLD and NEW are binaries.  Without WORDS they do `eval -q` of the usual measures, without
intervals and with, on a made-up collection; WORDS are another command line.  Each runs N
times, in turn.  Printed for processor and wall time: both medians, their ratio new / old, and
its 95 % interval by resampling each build's times; the bar is an interval that reaches 1.01.
"""
import argparse
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

MEASURES = ["map", "P.5,10,20", "recall.100,1000", "ndcg", "ndcg_cut.10", "recip_rank", "Rprec", "bpref"]


def once(words, where):
    """Processor and wall seconds of one run."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def ratio(old, new):
    """Ratio of medians with its interval."""
    rng = random.Random(1)
    drawn = sorted(statistics.median(rng.choices(new, k=len(new))) / statistics.median(rng.choices(old, k=len(old)))
                   for _ in range(4000))
    return statistics.median(new) / statistics.median(old), drawn[99], drawn[3899]


def compare(old, new, words, times, where, name):
    taken = {old: [], new: []}
    for binary in (old, new):
        once([binary, *words], where)  # the files are in memory now
    for i in range(times):
        for binary in ((old, new) if i % 2 == 0 else (new, old)):
            taken[binary].append(once([binary, *words], where))
    for what, at in (("processor", 0), ("wall", 1)):
        a, b = ([t[at] for t in taken[binary]] for binary in (old, new))
        r, lower, upper = ratio(a, b)
        print(f"{name}, {what}: {1000 * statistics.median(a):.1f} ms, {1000 * statistics.median(b):.1f} ms, "
              f"ratio {r:.3f} [{lower:.3f}, {upper:.3f}]", flush=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("old")
    p.add_argument("new")
    p.add_argument("--times", type=int, default=20)
    p.add_argument("--topics", type=int, default=250)
    p.add_argument("--documents", type=int, default=1000)
    p.add_argument("words", nargs="*")
    a = p.parse_intermixed_args()
    old, new = (str(pathlib.Path(x).resolve()) for x in (a.old, a.new))
    if old == new:
        sys.exit("bench_turn.py: OLD and NEW are one file")
    if a.words:
        compare(old, new, a.words, a.times, None, " ".join(a.words[:1]))
        return
    with tempfile.TemporaryDirectory() as where:
        subprocess.run([new, "simulate", "--topics", str(a.topics), "--documents", str(a.documents), "--runs", "4",
                        "--seed", "1", "-o", "c", "--quiet"], cwd=where, check=True, stdout=subprocess.DEVNULL)
        files = ["c/qrels", *(f"c/runs/sim0{i}" for i in range(1, 5))]
        measures = [w for m in MEASURES for w in ("-m", m)]
        compare(old, new, ["eval", "-q", "--ci", "none", *measures, *files], a.times, where, "eval, no intervals")
        compare(old, new, ["eval", *measures, *files], a.times, where, "eval, intervals")


if __name__ == "__main__":
    main()

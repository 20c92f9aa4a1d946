# SPDX-License-Identifier: Apache-2.0
"""Boards and suites of scores by the clock, with generated 0/1 scores.

usage: bench_scores.py TOOL

compare of 500 systems x 1,000 items with the default correction (124,750 pairs), with --binary and
without; eval of 200 systems on 50 sets of 30 to 60 items.
"""
import os
import random
import subprocess
import sys
import tempfile
import time

tool = sys.argv[1]


def board(path, systems, items):
    rng = random.Random(1)
    ease = [rng.random() for _ in range(items)]
    with open(path, "w", encoding="utf-8") as f:
        f.write("system,item,score\n")
        for s in range(systems):
            for i, e in enumerate(ease):
                f.write(f"s{s},q{i},{int(rng.random() < 0.2 + 0.5 * e + 0.3 * s / systems)}\n")


def suite(path, systems, sets):
    rng = random.Random(2)
    with open(path, "w", encoding="utf-8") as f:
        f.write("system,suite,item,score\n")
        for h in range(sets):
            items = rng.randint(30, 60)
            for s in range(systems):
                for i in range(items):
                    f.write(f"s{s},d{h},q{i},{int(rng.random() < 0.5 + 0.045 * (h % 10))}\n")


def measure(name, *words):
    start, before = time.monotonic(), os.times()
    subprocess.run([tool, *words, "--format", "json"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    used = os.times()
    print(f"{name:44s} {time.monotonic() - start:6.1f} s, of the processors "
          f"{used.children_user - before.children_user:6.1f} s", flush=True)


with tempfile.TemporaryDirectory() as folder:
    many, sets = os.path.join(folder, "board.csv"), os.path.join(folder, "suite.csv")
    board(many, 500, 1000)
    suite(sets, 200, 50)
    measure("compare, 500 systems x 1,000 items", "compare", "--scores", many)
    measure("compare --binary, 500 systems x 1,000 items", "compare", "--scores", "--binary", many)
    measure("eval, 200 systems x 50 sets", "eval", "--scores", sets)
    measure("eval --binary, 200 systems x 50 sets", "eval", "--scores", "--binary", sets)

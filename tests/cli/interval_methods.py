#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every interval method by its name: eval, compare and study run with it, or say why not.

usage: interval_methods.py TOOL
"""
import os
import re
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])


def run(*words, cwd=None):
    p = subprocess.run([TOOL, *words], capture_output=True, text=True, cwd=cwd)
    return p.returncode, p.stdout + p.stderr


def main():
    with tempfile.TemporaryDirectory() as place:
        run("simulate", "--topics", "12", "--documents", "60", "--runs", "2", "-o", "c", cwd=place)
        run("eval", "-m", "AP", "--write-matrix", "scores.csv", "c/qrels", "c/runs/sim01",
            "c/runs/sim02", cwd=place)
        code, text = run("eval", "--ci", "?", "c/qrels", "c/runs/sim01", cwd=place)
        names = re.split(r", | or ", re.search(r"expected (.*?);", text).group(1))
        assert code == 2 and len(names) > 8, text
        for name in names:
            code, text = run("eval", "-m", "AP", "-m", "Success@1", "--ci", name, "c/qrels",
                             "c/runs/sim01", "c/runs/sim02", cwd=place)
            assert code == 0 and "(null)" not in text and "()" not in text, (name, text)
            code, text = run("compare", "--ci", name, "c/qrels", "c/runs/sim01", "c/runs/sim02",
                             cwd=place)
            assert "(null)" not in text and code in (0, 2), (name, text)
            assert (code == 0) != ("unknown METHOD" in text), (name, text)
            code, text = run("study", "map", "--method", name, "--n", "5", "--quick",
                             cwd=place)
            assert "(null)" not in text, text
            assert (code == 0) == (name not in ("auto", "none")), (name, text)
        for was, now in ("log-t", "t"), ("binomial", "wilson"):
            assert run("eval", "-m", "P@1", "--ci", was, "c/qrels", "c/runs/sim01", cwd=place) \
                == run("eval", "-m", "P@1", "--ci", now, "c/qrels", "c/runs/sim01", cwd=place), was


main()

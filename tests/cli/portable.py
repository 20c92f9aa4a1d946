# SPDX-License-Identifier: Apache-2.0
"""The README's commands, and some more, give the same bytes on another machine.

usage: portable.py TOOL README COMMAND...

COMMAND is how the other tool is started, such as: qemu-aarch64 build/aarch64/intervale
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

TOOL, README = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
OTHER = [str(pathlib.Path(w).resolve()) if pathlib.Path(w).is_file() else w
         for w in sys.argv[3:]]
RUNS = " ".join(f"collection/runs/sim0{i}" for i in (1, 2, 3))
MORE = f"""eval -m all_trec -q --format json collection/qrels {RUNS}
eval -m AP -m nDCG --bounds --ties --format tsv collection/qrels {RUNS}
compare --correct tukey --permutations 1000 --format json collection/qrels {RUNS}
sample --budget 30 --seed 3 {RUNS} -o drawn
incomplete --format tsv collection/qrels {RUNS}
next --count 5 --format json collection/qrels {RUNS}
recall --retrieved 10000,500,350 --unretrieved 990000,2000,3 --format json
prf --counts 80,20,40 --format json
plan topics --format json matrix
check --format json collection/qrels {RUNS} drawn"""


def lines():
    """The README's command lines, as words."""
    text = README.read_text(encoding="utf-8")
    for line in re.findall(r"^\$ intervale (.*)$", text, flags=re.M):
        yield shlex.split(line)
    yield shlex.split(f"eval -m AP --quiet --write-matrix matrix collection/qrels {RUNS}")
    for line in MORE.splitlines():
        yield shlex.split(line)


def run(command, words, folder):
    done = subprocess.run([*command, *words], cwd=folder, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def main():
    bad = count = 0
    with tempfile.TemporaryDirectory(prefix="intervale-portable-") as name:
        here, there = pathlib.Path(name) / "here", pathlib.Path(name) / "there"
        here.mkdir(), there.mkdir()
        for words in lines():
            count += 1
            a, b = run([TOOL], words, here), run(OTHER, words, there)
            if a != b or a[0] != 0:
                bad += 1
                print(f"intervale {shlex.join(words)}\n  here {a}\n  there {b}"[:4000])
        files = [sorted(p.relative_to(f) for p in f.rglob("*") if p.is_file())
                 for f in (here, there)]
        if files[0] != files[1] or not files[0]:
            sys.exit("other files were written")
        for f in files[0]:
            if (here / f).read_bytes() != (there / f).read_bytes():
                bad += 1
                print(f"{f} differs")
    print(f"{count} commands, {len(files[0])} files, {bad} differences")
    sys.exit(bad > 0 or count < 20)


main()

# SPDX-License-Identifier: Apache-2.0
"""Threads, windows, pipes, sorted copies and parts say of collections on the disk what the
plain command says, byte for byte.

usage: scale_golden.py TOOL FOLDER...

A folder is a collection, or holds some: judgments `qrels`, and runs `run`, or all of `runs`; each
may be packed with zstd.  One with a text `expected` says in it (recorded.py) how it is scored.
"""
import os
import pathlib
import re
import sys
import tempfile

from tool import expect, finish, run

PARTS = 3


def said(*words, **more):
    """Standard output; a note tells a line of the file that was read, a sorted one or a part."""
    r = run(*map(str, words), **more)
    expect(r.returncode == 0, words, r.stderr)
    return re.sub(rb"scores in .+?( and \d+ more)? \(line \d+", rb"scores in FILE\1 (line N", r.stdout)


def find(folder, name):
    for path in (folder / name, folder / f"{name}.zst"):
        if path.exists():
            return path
    return None


def collections(folders):
    for folder in map(pathlib.Path, folders):
        for below in [folder, *sorted(p for p in folder.iterdir() if p.is_dir())]:
            judged, alone = find(below, "qrels"), find(below, "run")
            runs = sorted((below / "runs").iterdir()) if (below / "runs").is_dir() else [alone]
            if (below / "expected").exists():
                yield from recorded(below)
            elif judged is not None and runs[0] is not None:
                for how in ([], ["-m", "AP,nDCG@10,P@10,Rprec,num_rel", "-c"]):
                    yield below.name, how, judged, runs


def recorded(folder):
    """The first way of scoring with each file of judgments."""
    seen = set()
    for line in (folder / "expected").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and words[0] in ("$", "~") and words[-2] not in seen:
            seen.add(words[-2])
            how = [w for w in words[1:-2] if w != "-q"]
            if "-R" in how:  # trec_eval's measures of these have a text, the usual ones have none
                how = ["-c", *how[how.index("-R"):]]
            yield folder.name, how, folder / words[-2], [folder / words[-1]]


def lines_of(path):
    return said("sort", path).splitlines(True)


def part_of(line):
    return sum(line.split()[0]) % PARTS if line.split() else 0


def by_topics(name, how, judged, runs):
    """Every part has some topics of all runs, and all judgments."""
    made = [f"{name}{k}.ivs" for k in range(PARTS)]
    texts = [lines_of(path) for path in runs]
    for k, part in enumerate(list(made)):
        mine = []
        for path, text in zip(runs, texts):
            mine.append(pathlib.Path(f"part{k}", path.name.removesuffix(".zst")))
            mine[-1].parent.mkdir(exist_ok=True)
            mine[-1].write_bytes(b"".join(x for x in text if part_of(x) == k))
            if mine[-1].stat().st_size == 0:
                mine.pop()
        if not mine:
            made.remove(part)
            continue
        said("eval", *how, "--force", "--write-scores", part, judged, *mine)
    return made


def by_runs(how, judged, runs):
    made = [f"run{k}.ivs" for k in range(len(runs))]
    for part, path in zip(made, runs):
        said("eval", *how, "--force", "--write-scores", part, judged, path)
    return made


def same(name, how, judged, runs):
    plain = said("eval", *how, judged, *runs)
    topics = said("eval", "-q", "--format", "tsv", *how, judged, *runs)
    for more in (["--threads", "1"], ["--threads", "2"], ["--threads", "8"], ["--sort"],
                 ["--sort", "--memory", "1M", "--threads", "8"]):
        expect(said("eval", *how, *more, judged, *runs) == plain, name, "differs:", how, more)
        expect(said("eval", "-q", "--format", "tsv", *how, *more, judged, *runs) == topics, name,
               "differs by topics:", how, more)
    pathlib.Path("sorted.qrels").write_bytes(b"".join(lines_of(judged)))
    alone = said("eval", *how, judged, runs[0])
    piped = said("eval", *how, "--memory", "1M", "sorted.qrels", "-", stdin=b"".join(lines_of(runs[0])))
    expect(piped == alone, name, "a pipe differs:", how)
    for made in (by_topics("topics", how, judged, runs), by_runs(how, judged, runs)):
        expect(said("eval", "--scores", *made) == plain, name, "parts differ:", how, made)
        expect(said("eval", "-q", "--format", "tsv", "--scores", *made) == topics, name,
               "parts differ by topics:", how, made)
    if len(runs) > 1 and not how:
        board = said("compare", judged, *runs)
        for more in (["--threads", "1"], ["--threads", "8"], ["--sort", "--memory", "4M"]):
            expect(said("compare", *more, judged, *runs) == board, name, "compare differs:", more)
        for made in (by_topics("topics", ["-m", "AP"], judged, runs),
                     by_runs(["-m", "AP"], judged, runs)):
            expect(said("compare", "--scores", *made) == board, name, "compare of parts differs")


if __name__ == "__main__":
    found = list(collections([os.path.abspath(a) for a in sys.argv[2:]]))
    expect(len(found) > 0, "no collection in", sys.argv[2:])
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for each in found:
            same(*each)
    finish()

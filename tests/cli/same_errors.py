# SPDX-License-Identifier: Apache-2.0
"""The first error is the same on any number of threads: the one that a single thread meets.

usage: same_errors.py TOOL
"""
import pathlib
import random
import tempfile

import tool

RUNS, TOPICS = 24, 40


def lines_of(path):
    return path.read_text().splitlines(keepends=True)


def spoil(source, target, rows, how):
    """A copy of a file with some lines changed."""
    lines = lines_of(source)
    for row in rows:
        fields = lines[row % len(lines)].split()
        how(fields)
        lines[row % len(lines)] = " ".join(fields) + "\n"
    target.write_text("".join(lines))


def set_field(number, value):
    def change(fields):
        fields[number] = value
    return change


def again(fields):
    fields[2] = "D-twice"


def cut(fields):
    del fields[-1]


def make(folder):
    """A collection, and what can be wrong with it in many places at once."""
    done = tool.run("simulate", "--topics", str(TOPICS), "--runs", str(RUNS), "--documents",
                    "300", "--depth", "100", "--seed", "5", "-o", "c", cwd=folder)
    tool.expect(done.returncode == 0, "simulate:", done.stderr)
    chance = random.Random(1)
    runs = sorted((folder / "c" / "runs").iterdir())
    (folder / "bad").mkdir()
    hows = [set_field(4, "high"), again, cut, set_field(4, "nan")]
    for i, run in enumerate(runs):
        some = chance.sample(range(4000), 6) if i % 3 == 1 else []
        spoil(run, folder / "bad" / run.name, some, hows[i % 4])
    spoil(runs[0], folder / "scores", chance.sample(range(4000), 9), set_field(4, "x"))
    spoil(runs[0], folder / "twice", chance.sample(range(4000), 9), again)
    spoil(folder / "c" / "qrels", folder / "grades", chance.sample(range(9000), 9),
          set_field(3, "1.5"))
    spoil(folder / "c" / "qrels", folder / "judged_twice", chance.sample(range(9000), 9), again)
    for i, run in enumerate(runs): # runs whose topics are none of the judgments'
        name = folder / "bad" / f"other{i:02}"
        name.write_text("".join(f"x{i}{line}" for line in lines_of(run)) if i % 2
                        else run.read_text())
    for i, run in enumerate(runs): # rows of a sample that cannot be
        rows = [f"{t} D{k} {k % 2} 1 {'0.5' if (t * 7 + k + i) % 50 else '1.5'}\n"
                for t in range(301, 330) for k in range(20)]
        (folder / "bad" / f"prels{i:02}").write_text("".join(rows))
    return [f"c/runs/{r.name}" for r in runs], [f"bad/{r.name}" for r in runs]


def cases(good, bad):
    others = [f"bad/other{i:02}" for i in range(RUNS)]
    missing = [name if i % 5 != 3 else f"none/{i}" for i, name in enumerate(good)]
    yield ["check", *bad]
    yield ["check", "scores", "twice", "grades", "judged_twice", *missing]
    for command in (["eval", "-q"], ["compare"], ["eval", "-m", "ERR", "--bounds"]):
        yield [*command, "c/qrels", *bad]
        yield [*command, "c/qrels", *missing]
        yield [*command, "c/qrels", *others]
        yield [*command, "grades", *good]
        yield [*command, "judged_twice", *good]
    for name in ("scores", "twice"):
        yield ["eval", "c/qrels", name]
    for i in range(RUNS):
        yield ["eval", f"bad/prels{i:02}", good[0]]
    for design in ("stratified", "stevens", "uniform", "priors"):
        for budget in ("1", "2", "100000"):
            yield ["sample", "--design", design, "--budget", budget, *good]
            yield ["sample", "--design", design, "--budget", budget, *bad]
    yield ["next", "c/qrels", *bad]
    yield ["next", "c/qrels", *others]
    yield ["recall", "--run", bad[1], "--sample", "c/qrels", "--collection", "300"]
    yield ["plan", "sample", "--pilot", "grades", *good]
    yield ["plan", "pilot", "c/qrels", *bad[:4]]
    yield ["simulate", "--topics", "9", "--runs", "9", "-o", "c"]


def told(words, threads, folder):
    done = tool.run(*words, "--threads", str(threads), cwd=folder)
    return done.returncode, done.stderr, done.stdout


with tempfile.TemporaryDirectory(prefix="intervale-errors-") as name:
    top = pathlib.Path(name)
    failed = 0
    for case in cases(*make(top)):
        alone = told(case, 1, top)
        failed += alone[0] != 0
        for _ in range(3):
            many = told(case, 8, top)
            tool.expect(many == alone, "intervale", *case[:6], "...\n1 thread: ", alone[0],
                        alone[1][:300], "\n8 threads:", many[0], many[1][:300])
    tool.expect(failed > 40, "only", failed, "cases are errors")
tool.finish()

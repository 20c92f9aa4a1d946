# SPDX-License-Identifier: Apache-2.0
"""The same files give the same bytes on any number of threads, packed or not.

usage: same_bytes.py TOOL
"""
import gzip
import json
import pathlib
import shutil
import subprocess
import tempfile

import tool


def collection(lines, flaws):
    """A run and judgments, large enough to be read in pieces."""
    run, qrels = [], []
    for i in range(lines):
        score = "x" if flaws and i % 5000 == 4321 else f"{(i * 7919) % 1000 / 8}"
        run.append(f"{i % 37} Q0 doc{i if not flaws or i % 4000 else 0} {i} {score} tag\n")
        if i % 3 == 0:
            qrels.append(f"{i % 37} 0 doc{i} {i % 4 - 1}\n")
    if flaws:
        run[lines // 2] = "\r\n"
        run[lines // 3] = "7 Q0 nul\0 1 1 tag\n"
    return "".join(run).encode(), "".join(qrels).encode()


def outputs(folder, words):
    done = [tool.run("check", "--format", "json", "--threads", str(n), *words, cwd=folder)
            for n in (1, 2, 3, 7)]
    return {(d.returncode, d.stdout, d.stderr) for d in done}


def facts(folder, name, stdin=b""):
    """All that check says of a file, but for its name and how it is stored."""
    done = tool.run("check", "--format", "json", name, cwd=folder, stdin=stdin)
    tool.expect(done.returncode == 0, name, done.stderr)
    rows = [(t["name"], [c for c in row.values() if c != name])
            for t in json.loads(done.stdout)["tables"] for row in t["rows"]]
    return [r for r in rows if "stored" not in r[1]]


with tempfile.TemporaryDirectory(prefix="intervale-cli-") as name:
    folder = pathlib.Path(name)
    for flaws in (False, True):
        run, qrels = collection(20000, flaws)
        (folder / "run").write_bytes(run)
        (folder / "qrels").write_bytes(qrels)
        seen = outputs(folder, ["qrels", "run"])
        tool.expect(len(seen) == 1, f"{len(seen)} different outputs, flaws: {flaws}")
        tool.expect([s[0] for s in seen] == [int(flaws)], "exit", [s[0] for s in seen])
        seen = outputs(folder, ["--most", "3", "run"])
        tool.expect(len(seen) == 1, f"{len(seen)} different outputs of --most 3")
    run, _ = collection(20000, False)
    (folder / "run").write_bytes(run)
    (folder / "gzip").write_bytes(gzip.compress(run))
    plain = facts(folder, "run")
    tool.expect(len(plain) > 5, plain)
    tool.expect(facts(folder, "gzip") == plain, "gzip differs")
    tool.expect(facts(folder, "-", run) == plain, "standard input differs")
    tool.expect(facts(folder, "-", gzip.compress(run)) == plain, "gzip input differs")
    if shutil.which("zstd"):
        subprocess.run(["zstd", "-q", "-o", "zstd", "run"], cwd=folder, check=True)
        tool.expect(facts(folder, "zstd") == plain, "zstd differs")
tool.finish()

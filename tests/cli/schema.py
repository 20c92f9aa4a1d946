# SPDX-License-Identifier: Apache-2.0
"""What every command writes as json and jsonl is what doc/schema describes, holds the
same rows, and names the bytes it read.

usage: schema.py TOOL ROOT
"""
import hashlib
import json
import os
import pathlib
import re
import sys
import tempfile

import jsonschema
import tool

ROOT = pathlib.Path(sys.argv[2])
RUNS = "made/runs/sim01 made/runs/sim02 made/runs/sim03"

# The commands, with what brings out their tables.
LINES = f"""eval -q -m AP -m P.5,10 -m ndcg_cut_10 made/qrels {RUNS}
eval judged {RUNS}
compare --resamples 200 --permutations 200 made/qrels {RUNS}
compare --resamples 200 --baseline sim01 made/qrels {RUNS}
incomplete made/qrels made/runs/sim01 made/runs/sim02
overlap --resamples 100 {RUNS}
agree made/qrels {RUNS} --other-measure P@5 --draws 100
measures AP
prf --compare --counts A=80,20,40 --counts B=75,10,45 --draws 1000
prf --labels labels.csv --draws 1000
roc --resamples 100 scored.csv
recall --retrieved 2000,100,50 --unretrieved 100000,400,3 --target 0.5 --density --draws 1000
recall --strata strata.csv
sample --budget 5 {RUNS}
next --count 3 made/qrels made/runs/sim01 made/runs/sim02
plan power --effect 0.3 --power 0.8
plan topics m.csv
plan recall --population 1000 --retrieved 300 --recall 0.8 --precision 0.5 --width 0.4
plan sample --pilot made/qrels --se 0.05 --depth 10 {RUNS}
check made/qrels made/runs/sim01 m.csv"""


def prepare():
    """A small collection, and the other files that the lines name."""
    for line in ("simulate --topics 10 --documents 60 --runs 3 --seed 2 -o made",
                 f"sample --budget 10 -o blank {RUNS}",
                 f"eval -m AP --write-matrix m.csv made/qrels {RUNS}"):
        done = tool.run(*line.split())
        tool.expect(done.returncode == 0, line, done.stderr)
    text = pathlib.Path("blank").read_text(encoding="utf-8")
    pathlib.Path("judged").write_text(re.sub(r"(?m)^(\S+ \S+) -1 ", r"\1 1 ", text),
                                      encoding="utf-8")
    pathlib.Path("labels.csv").write_text("id,gold,a,b\n" + "".join(
        f"{i},{i % 3 % 2},{i % 2},{i % 5 % 2}\n" for i in range(30)), encoding="utf-8")
    pathlib.Path("scored.csv").write_text("id,label,a,b\n" + "".join(
        f"{i},{i % 3 % 2},{i * 7 % 30 / 30},{i % 7 / 7}\n" for i in range(30)), encoding="utf-8")
    pathlib.Path("strata.csv").write_text("stratum,N,n,r,segment\na,900,40,30,retrieved\n"
                                          "b,1100,60,20,retrieved\nc,5000,50,1,unretrieved\n"
                                          "d,20000,80,1,unretrieved\n", encoding="utf-8")


def check(line, of):
    """The command that it is; the tables go where they go."""
    words = [*line.split(), "--quiet"]
    done = [tool.run(*words, "--format", f) for f in ("json", "jsonl")]
    tool.expect(done[0].returncode == done[1].returncode == 0, line, done[0].stderr,
                done[1].stderr)
    if done[0].returncode != 0 or done[1].returncode != 0:
        return
    whole = json.loads(done[0].stdout)
    of["result"].validate(whole)
    records = [json.loads(s) for s in done[1].stdout.splitlines()]
    for record in records:
        of["record"].validate(record)
    for table in whole["tables"]:
        names = [c["name"] for c in table["columns"]]
        tool.expect(all(list(row) == names for row in table["rows"]), line, table["name"])
        rows = [r["row"] for r in records[1:] if r["table"] == table["name"]]
        tool.expect(rows == table["rows"], line, "jsonl has other rows of", table["name"])
    for file in whole["inputs"]:
        content = pathlib.Path(file["path"]).read_bytes()
        tool.expect(file["sha256"] == hashlib.sha256(content).hexdigest()
                    and file["bytes"] == len(content), line, file)


of = {n: json.loads((ROOT / f"doc/schema/{n}.json").read_text()) for n in ("result", "record")}
for n, schema in of.items():
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    of[n] = kind(schema) # made once: there are many rows
with tempfile.TemporaryDirectory(prefix="intervale-schema-") as folder:
    os.chdir(folder)
    prepare()
    for line in LINES.splitlines():
        check(line, of)
        print(line, flush=True)
    os.chdir("/")
tool.finish()

# SPDX-License-Identifier: Apache-2.0
"""What every command writes as json and jsonl is what doc/schema describes, holds the
same rows, and names the bytes it read; every table and column of it is explained by
'help COMMAND --tables', in the same words, and every table that is named there is written.

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
compare --resamples 200 --correct tukey --permutations 200 made/qrels {RUNS}
compare --resamples 200 --baseline sim01 made/qrels {RUNS}
incomplete made/qrels made/runs/sim01 made/runs/sim02
pool made/qrels made/runs/sim01 made/runs/sim02
overlap --resamples 100 {RUNS}
agree made/qrels {RUNS} --other-measure P@5
measures AP
prf --compare --counts A=80,20,40 --counts B=75,10,45 --draws 1000
prf --labels labels.csv --draws 1000
roc --resamples 100 scored.csv
prefer votes.csv
prefer votes.csv --columns covariate=length
prefer votes.csv --human h --human-design random
watch --baseline main nights.csv
watch --baseline main --table nights nights.csv
roc class_scores.csv
recall --retrieved 2000,100,50 --unretrieved 100000,400,3 --target 0.5
recall --control 16,16 --target 0.8
recall --retrieved 5000,300,180 --unretrieved 50000,600,30 --rechecked 60,48,60,6,30,15,200,3
recall --proportion 9,1500
recall --strata strata.csv
sample --budget 5 {RUNS}
next --count 3 made/qrels made/runs/sim01 made/runs/sim02
plan power --effect 0.3 --power 0.8
plan topics m.csv
plan gate --margin 0.1 m.csv
plan recall --population 1000 --retrieved 300 --recall 0.8 --precision 0.5 --width 0.4
plan sample --pilot made/qrels --se 0.05 --depth 10 {RUNS}
check made/qrels made/runs/sim01 m.csv
simulate --topics 3 --documents 20 -o other
eval --scores scores.csv
compare --scores --resamples 200 scores.csv
compare --groups groups.csv --resamples 200 made/qrels {RUNS}
compare --resamples 200 judged {RUNS}
eval --machine made/qrels some {RUNS}
compare --machine made/qrels some {RUNS}
agree made/qrels other.qrels
agree labels.csv
agree made/qrels made/runs/sim01 made/runs/sim02 --reproduced made/runs/sim03 --reproduced made/runs/sim02 --baseline sim01
next --until 0.9 --oracle made/qrels empty made/runs/sim01 made/runs/sim02
compare --resamples 200 --test t --matrix many.csv
prf --labels classes.csv --draws 1000
prf --paired --labels labels.csv --draws 1000
prf --compare --counts A=80,20,40 --counts B=75,10,45 --counts C=70,10,45 --draws 1000
recall --unretrieved 9000,500,2 --max-elusion 0.02
recall --log log.csv --anytime --strata logged.csv
recall --stop qbcb --target 0.5 --sample some --run made/runs/sim01
recall --sample some --run made/runs/sim01 --collection 60 --at 5,10
prf --labels labels.csv --machine-column a
plan topics --scores scores.csv
plan cost pilot.csv
plan pilot --unjudged nonrelevant some made/runs/sim01 made/runs/sim02
plan elusion --population 10000 --below 0.01
plan looks --documents 1000
plan machine --pilot some --machine made/qrels --width 0.2 {RUNS}
plan sample --pilot made/qrels --goal difference --se 0.05 --depth 10 {RUNS}
eval --machine made/qrels some {RUNS}
study map --matrix m.csv --n 5 --replicates 10
study power --matrix m.csv --n 5 --replicates 2
study recall --setting small --replicates 5
study prf --n 10 --replicates 5
study sampling --n 10 --replicates 5 --qrels made/qrels {RUNS}
study judging --replicates 2 --qrels made/qrels {RUNS}
study machine --machine made/qrels -m P@5 --n 4 --replicates 5 --qrels made/qrels {RUNS}
study stopping --replicates 10 --setting large
study stopping --ranking simulated --replicates 2
recall --families families.csv --sample found.qrels
study coverage --only prf --quick
eval --scores --columns group=kind grouped.csv
eval --scores --table flaky tries.csv
prf --labels loans.csv --columns group=kind
roc --resamples 100 --columns group=kind --threshold 0.5 chances.csv
agree --scores grouped.csv --columns score=judge,human=human,group=kind --human-design random
plan machine --scores grouped.csv --columns score=judge,human=human --human-design random --width 0.2"""


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
    pathlib.Path("loans.csv").write_text("id,gold,a,kind\n" + "".join(
        f"{i},{i % 2},{(i + (i % 7 == 0)) % 2},{'uv'[i % 5 // 3]}\n" for i in range(100)), encoding="utf-8")
    pathlib.Path("chances.csv").write_text("id,label,a,kind\n" + "".join(
        f"{i},{i % 2},{(i * 37 % 90 + 10 * (i % 2)) / 100},{'uv'[i % 5 // 3]}\n" for i in range(100)), encoding="utf-8")
    pathlib.Path("grouped.csv").write_text("system,item,kind,score,judge,human\n" + "".join(
        f"{s},{i},{'uv'[i % 5 // 3]},{(i * 7 + k) % 3 % 2},{(i * 7 + k + (i % 9 == 0)) % 3 % 2},"
        f"{(i * 7 + k) % 3 % 2 if i * 7919 % 100 < 60 else ''}\n"
        for k, s in enumerate("ab") for i in range(100)), encoding="utf-8")
    pathlib.Path("tries.csv").write_text("system,item,repeat,score\n" + "".join(
        f"{s},{i},{r},{(i * 7 + k + r * (i % 4)) % 3 % 2}\n"
        for k, s in enumerate("ab") for i in range(20) for r in range(4)), encoding="utf-8")
    pathlib.Path("votes.csv").write_text("a,b,winner,item,judge,length\n" + "".join(
        f"{'xyz'[i % 3]},{'xyz'[(i + 1) % 3]},{('a', 'b', 'tie')[i % 5 % 3]},{i % 7},{'hl'[i % 2]},{i * 7 % 11 - 5}\n"
        for i in range(60)))
    pathlib.Path("nights.csv").write_text("system,date,item,score\n" + "".join(
        f"{s},{f'2026-11-{n:02}' if n else ''},{i},{(i * 7 + n * (i % 3)) % 5 % 2}\n"
        for n, s in enumerate(["main", *["new"] * 9]) for i in range(20)), encoding="utf-8")
    pathlib.Path("scored.csv").write_text("id,label,a,b\n" + "".join(
        f"{i},{i % 3 % 2},{i * 7 % 30 / 30},{i % 7 / 7}\n" for i in range(30)), encoding="utf-8")
    lines = pathlib.Path("made/qrels").read_text(encoding="utf-8").splitlines(keepends=True)
    topics = sorted({s.split()[0] for s in lines}, key=int)
    pathlib.Path("some").write_text("".join(s for s in lines if s.split()[0] in topics[:6]),
                                    encoding="utf-8")
    pathlib.Path("other.qrels").write_text("".join(
        s if i % 7 else s[:-2] + ("0" if s[-2] != "0" else "1") + "\n"
        for i, s in enumerate(lines)), encoding="utf-8")
    pathlib.Path("empty").write_text("", encoding="utf-8")
    pathlib.Path("groups.csv").write_text("topic,group\n" + "".join(
        f"{t},{'ab'[i % 2]}\n" for i, t in enumerate(topics)), encoding="utf-8")
    pathlib.Path("scores.csv").write_text("system,item,score,repeat,suite\n" + "".join(
        f"s{s},i{i},{(i * 7 + s * 3 + r * r) % 10 / 10},{r},set{i % 2}\n"
        for s in range(3) for i in range(12) for r in range(2)), encoding="utf-8")
    pathlib.Path("pilot.csv").write_text("certainty,topics,judgments\n" + "".join(
        f"{c},{n},{int(40 * n * c)}\n" for c in (0.6, 0.8, 0.95) for n in (5, 10, 20)),
        encoding="utf-8")
    pathlib.Path("log.csv").write_text("stratum,relevant\n" + "".join(
        f"{s},{i % 3 == 0 and 1 or 0}\n" for i in range(20) for s in "abcd"), encoding="utf-8")
    pathlib.Path("logged.csv").write_text("stratum,N,n,r,segment\na,900,20,7,retrieved\n"
                                          "b,1100,20,7,retrieved\nc,5000,20,7,unretrieved\n"
                                          "d,20000,20,7,unretrieved\n", encoding="utf-8")
    pathlib.Path("class_scores.csv").write_text("label,A_x,A_y,A_z,B_x,B_y,B_z\n" + "".join(
        f"{'xyz'[i % 3]},{'.6,.3,.1' if i % 5 else '.2,.3,.5'},{'.1,.2,.7' if i % 2 else '.5,.4,.1'}\n"
        for i in range(12)))
    pathlib.Path("classes.csv").write_text("id,gold,a,b\n" + "".join(
        f"{i},{'xyz'[i % 3]},{'xyz'[i * i % 3]},{'xyz'[i // 2 % 3]}\n" for i in range(30)),
        encoding="utf-8")
    pathlib.Path("families.csv").write_text("document,family,segment\n" + "".join(
        f"m{i},f{i // 3},{'retrieved' if i < 90 else 'unretrieved'}\n" for i in range(300)), encoding="utf-8")
    pathlib.Path("found.qrels").write_text("".join(
        f"review 0 m{i} {int(i < 90 and i % 2 == 0)}\n" for i in range(300) if i // 3 % 2 == 0), encoding="utf-8")
    pathlib.Path("many.csv").write_text("run," + ",".join(f"t{i}" for i in range(12)) + "\n" +
        "".join(f"r{s}," + ",".join(f"{s / 70 + (i * 7 + s * s * 3) % 10 / 200:.3f}" for i in range(12)) + "\n"
                for s in range(60)), encoding="utf-8")
    pathlib.Path("strata.csv").write_text("stratum,N,n,r,segment\na,900,40,30,retrieved\n"
                                          "b,1100,60,20,retrieved\nc,5000,50,1,unretrieved\n"
                                          "d,20000,80,1,unretrieved\n", encoding="utf-8")


def explained(command):
    """What 'help COMMAND --tables' says: by table, the meanings of each column."""
    done = tool.run("help", *command.split(), "--tables")
    tool.expect(done.returncode == 0, command, done.stderr)
    tables, entry = {}, None
    for line in done.stdout.decode().splitlines()[2:]:
        if re.fullmatch(r"\S+:", line):
            entry, columns = None, tables.setdefault(line[:-1], {})
        elif line.startswith("  ") and line[2:3] != " ":
            name, about = line[:26].strip(), line[26:].strip()
            if len(line) > 26 and line[24:26] != "  ": # its text begins below
                name, about = line.strip(), ""
            entry = columns.setdefault(name, [])
            entry.append(about)
        elif entry is not None and line.strip():
            entry[-1] = f"{entry[-1]} {line.strip()}".strip()
    return tables


def compare(line, table, tables):
    """A table that was written with what is said of it."""
    known = tables.get(table["name"])
    tool.expect(known is not None, line, "table", table["name"], "is not in the help")
    if known is None:
        return
    others = [a for name, about in known.items() if name.isupper() for a in about]
    for column in table["columns"]:
        tool.expect(column["about"] in known.get(column["name"], others), line, table["name"],
                    column, known.get(column["name"], others))


def check(line, of, help_of, written):
    """The command that it is; the tables go where they go."""
    words = [*line.split(), "--quiet"]
    done = tool.run(*words, "--format", "json")
    tool.expect(done.returncode == 0, line, done.stderr)
    if done.returncode != 0:
        return
    whole = json.loads(done.stdout)
    of["result"].validate(whole)
    # A study takes long, and the stream is the same for all.
    records = None if words[0] in ("study", "simulate") else [
        json.loads(s) for s in tool.run(*words, "--format", "jsonl").stdout.splitlines()]
    for record in records or ():
        of["record"].validate(record)
    tables = help_of.setdefault(whole["command"], explained(whole["command"]))
    for table in whole["tables"]:
        compare(line, table, tables)
        written.add((whole["command"], table["name"]))
        names = [c["name"] for c in table["columns"]]
        tool.expect(all(list(row) == names for row in table["rows"]), line, table["name"])
        rows = [r["row"] for r in (records or [])[1:] if r["table"] == table["name"]]
        tool.expect(records is None or rows == table["rows"], line, "jsonl has other rows of", table["name"])
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
    help_of, written = {}, set()
    for line in LINES.splitlines():
        check(line, of, help_of, written)
        print(line, flush=True)
    for command, tables in help_of.items():
        for name in tables:
            tool.expect((command, name) in written, command, "did not write table", name)
    os.chdir("/")
tool.finish()

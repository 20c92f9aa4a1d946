# SPDX-License-Identifier: Apache-2.0
"""Bad input gets one line on standard error that begins FILE:LINE:, and exit 1.

usage: malformed.py TOOL
"""
import gzip
import pathlib
import tempfile

import tool

RUN = b"1 Q0 a 1 9 t\n1 Q0 b 2 8 t\n"
PACKED = gzip.compress(RUN, mtime=0)
DESIGN = (b"#: intervale-sample 1 stratified\n#: topic 1 3 2\n#: stratum 1 1 1 1 a\n"
          b"#: stratum 1 2 2 1 b\n#: rest 1 2 c\n#: ranks 1 a 1 2 b 2 2 c 3 1\n#: order 1 b a\n"
          b"#: topic 2 2 1\n#: stratum 2 1 2 1 d\n#: rest 2 1 e\n#: ranks 2 d 1 1 e 2 1\n"
          b"1 a 1 1 1\n1 b 0 1 0.5\n2 d 1 1 0.5\n")


def changed(old, new):
    """The design with one thing changed, which must be there."""
    assert DESIGN.count(old) == 1, old
    return DESIGN.replace(old, new)


# (name, bytes, options, line, a part of the message)
CASES = [
    ("empty", b"", [], 1, "the file is empty"),
    ("score", RUN + b"1 Q0 c 3 nan t\n", [], 3, "score 'nan', expected a finite number"),
    ("fields", RUN + b"\n1 Q0 c 3 7\n", [], 4, "5 fields, expected 6"),
    ("twice", RUN + b"2 Q0 a 1 1 t\n1 Q0 a 3 99 t\n", [], 4, "document 'a' of topic '1' is a duplicate of line 1;"),
    ("nul", RUN + b"1 Q0 c\0 3 7 t\n", [], 3, "a NUL byte"),
    ("colours", RUN + b"1 Q0 c 3 \x1b[31m t\n", [], 3, "score '\\x1b[31m'"),
    ("marco", b"1\ta\t1\n1\tb\tx\n", [], 2, "rank 'x'"),
    ("grade", b"1 0 a 1\n1 0 b 1.5\n", [], 2, "grade '1.5'"),
    ("pi", b"1 a 1 1 0.5\n1 b 1 1 1.5\n", [], 2, "inclusion probability '1.5'"),
    ("design", b"#: intervale-sample 1 stratified\n#: topic 1 3 2\n#: stratum 1 1 1 1 a\n"
     b"#: stratum 1 2 2 1 b\n1 a 1 1 1\n1 b 0 1 0.25\n", [], 6, "another probability than"),
    ("headless", changed(b"#: intervale-sample", b"#: intervale-sampel"), [], 1,
     "none says which design it is"),
    ("beheaded", DESIGN.partition(b"\n")[2], [], 1, "none says which design it is"),
    ("rankless", changed(b"#: ranks 2 d 1 1 e 2 1\n", b""), [], 9,
     "topic '2' has no line '#: ranks'"),
    ("restless", changed(b"#: rest 2 1 e\n", b""), [], 9, "topic '2' has no line '#: rest'"),
    ("frame", changed(b"topic 1 3 2", b"topic 1 0 2"), [], 2, "a frame of 0 documents, expected 3"),
    ("draws", changed(b"topic 1 3 2", b"topic 1 3 1"), [], 2, "1 draws, expected 2"),
    ("stranger", changed(b"c 3 1", b"z 3 1"), [], 6, "document 'z' was neither sampled"),
    ("few", changed(b"#: rest 1 2 c", b"#: rest 1 2"), [], 5, "0 documents not sampled"),
    ("drawn", changed(b"#: rest 1 2 c", b"#: rest 1 2 b"), [], 5, "document 'b' is named twice"),
    ("cut", changed(b"order 1 b a", b"order 1 b"), [], 7, "document 'a' was sampled and is not in"),
    ("doubled", changed(b"order 1 b a", b"order 1 b a b"), [], 7, "occurs twice in the order"),
    ("unknown", changed(b"order 1 b a", b"order 1 b a z"), [], 7, "3 documents in the order, of "
     "which 2 are in the sample"),
    ("both", b"1 7 0 1 1\n", [], 1, "could be prels"),
    ("asked", b"1 7 0 1 1\n", ["--judgments-format", "qrels"], 1, "5 fields, expected 4"),
    ("beir", b"query-id\tcorpus-id\tscore\nq\td\thigh\n", [], 2, "grade 'high'"),
    ("ragged.csv", b"a,b\n1,2\n3\n", [], 3, "1 cell, expected 2"),
    ("open.csv", b"a,b\n1,\"2\n", [], 2, "never closed"),
    ("cut.gz", PACKED[:-3], [], 3, "the gzip data end here, cut short"),
    ("damaged.gz", PACKED[:-8] + b"\0" + PACKED[-7:], [], 3, "the gzip data are damaged here"),
    ("tail.gz", PACKED + b"tail", [], 3, "the gzip data are damaged here"),
    ("words", b"what is this\n\n", [], 1, "rank 'this'"),
    ("a\nname", b"1 0 a x\n", [], 1, "grade 'x'"),
]

with tempfile.TemporaryDirectory(prefix="intervale-cli-") as folder:
    for name, data, options, line, part in CASES:
        (pathlib.Path(folder) / name).write_bytes(data)
        shown = name.replace("\n", "\\x0a")
        done = tool.run("check", *options, name, cwd=folder)
        said = done.stderr.decode()
        tool.expect(done.returncode == 1, name, "exit", done.returncode)
        tool.expect(said.count("\n") == 1 and said.endswith("\n"), name, "not one line:", said)
        tool.expect(said.startswith(f"{shown}:{line}: ") and part in said, name, "says", said)
        tool.expect(done.stdout, name, "prints nothing")
        done = tool.run("check", "--format", "tsv", "--table", "problems", *options, name,
                        cwd=folder)
        rows = [r.split("\t") for r in done.stdout.decode().splitlines()]
        tool.expect(rows[:1] == [["file", "line", "severity", "problem"]], name, rows[:1])
        message = said.rstrip("\n").partition(f"{shown}:{line}: ")[2].replace("\\", "\\\\")
        # On standard error the tool may add a hint.
        tool.expect(any(r[:3] == [name.replace("\n", "\\n"), str(line), "error"]
                        and message.startswith(r[3]) for r in rows), name,
                    "is not among", rows)
        tool.expect(done.stderr.decode() == said, name, "says otherwise:", done.stderr)
    # The first error of several files is the one told; good files say nothing.
    (pathlib.Path(folder) / "good").write_bytes(RUN)
    (pathlib.Path(folder) / "sample").write_bytes(DESIGN)
    done = tool.run("check", "good", "sample", cwd=folder)
    tool.expect(done.returncode == 0 and not done.stderr, "a good run and sample:", done.stderr)
    done = tool.run("check", "good", "score", "fields", cwd=folder)
    tool.expect(done.returncode == 1 and done.stderr.startswith(b"score:3: ")
                and done.stderr.count(b"\n") == 1, "several files:", done.stderr)
    # No output file appears beside an input that cannot be read.
    done = tool.run("check", "-o", "out", "missing", cwd=folder)
    tool.expect(done.returncode == 1 and not (pathlib.Path(folder) / "out").exists(),
                "a missing file:", done.stderr)
    tool.expect(done.stderr == b"intervale check: missing: cannot read: No such file or "
                b"directory\n", "a missing file:", done.stderr)
tool.finish()

# SPDX-License-Identifier: Apache-2.0
"""The npm package, installed: its command says what the native tool says, in the examples of the
README too, and its function answers rows.

usage: npm.py TOOL ROOT PACKAGE.tgz
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT, PACKAGE = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import numbers  # noqa: E402
import run_examples  # noqa: E402
import tool  # noqa: E402

PROGRAM = """
import { IntervaleError, csv, evaluate, run } from 'intervale';
const rows = JSON.parse(process.argv[2]);
const options = { scores: true, gate: true, gateOn: 'worse', baseline: 'main', margin: 0.03, quiet: false };
const gate = await evaluate('compare', options, { 'scores.csv': rows });
const counts = await evaluate('prf', { counts: '90,5,5', target: 'F1=0.8', gate: true });
const caught = await evaluate('compare', { nonsense: 1 }, { 'scores.csv': rows }).catch((e) => e);
const made = await run(['eval', '--scores', 'in.csv', '-o', 'out.txt'], { files: { 'in.csv': rows } });
const input = await run(['eval', '--scores', '-'], { input: rows });
console.log(JSON.stringify({ gate, counts, csv: csv(rows), out: Object.keys(made.files), input: input.status,
  caught: [caught instanceof IntervaleError, caught.status, caught.message] }));
"""


def npm(*words, cwd):
    # npx --no-install: what is not in the folder is not fetched
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


def readme(bins):
    """Every line of the README prints what is below it, from either tool."""
    blocks = list(run_examples.console_blocks((ROOT / "README.md").read_text(encoding="utf-8")))
    lines = 0
    with tempfile.TemporaryDirectory(prefix="intervale-npm-") as name:
        here, there = (pathlib.Path(name) / n for n in ("native", "npm"))
        here.mkdir()
        run_examples.prepare(here)
        shutil.copytree(here, there)
        for line, shown in blocks:
            if line is None:
                for folder in (here, there):
                    (folder / shown[0]).write_text(shown[1], encoding="utf-8")
                continue
            native = run_examples.shell(line, here)
            got = run_examples.shell(f'PATH="{bins}:$PATH"; {line}', there)
            tool.expect(got == native, line, "differs:", native, got)
            tool.expect(run_examples.as_shown(shown, got[1]), line, "is not what the README shows")
            lines += 1
    tool.expect(lines >= 5, f"only {lines} lines")
    return lines


def files_of_the_disk(bins, folder):
    """Names are those of the shell: beside, above, absolute; what is written is there whole."""
    (folder / "in" / "deep").mkdir(parents=True)
    (folder / "a.csv").write_text("item,score\nx,1\ny,0\nz,1\n")
    (folder / "in" / "a.csv").write_text("item,score\nx,0\ny,0\nz,1\n")

    def values(*words, **more):
        done = subprocess.run([bins / "intervale", "eval", "--scores", "--format", "tsv", *words], cwd=folder / "in",
                              capture_output=True, text=True, check=False, **more)
        return done.returncode, done.stdout + done.stderr

    above, own = values("../a.csv"), values("a.csv")
    tool.expect(above[0] == own[0] == 0 and above != own, "the name above is another file", above, own)
    tool.expect(values(str(folder / "a.csv")) == above, "an absolute name")
    tool.expect(values("-", input=(folder / "a.csv").read_text())[0] == 0, "standard input")
    for target in ("../out.tsv", "deep/out.tsv", str(folder / "absolute.tsv")):
        tool.expect(values("a.csv", "-o", target)[0] == 0, target)
        written = pathlib.Path(os.path.normpath(folder / "in" / target))
        tool.expect(written.is_file() and written.read_text() == own[1], "was not written", written)
    (folder / "mine").write_text("something else")
    status, said = values("a.csv", "-o", "../mine")
    tool.expect(status == 1 and (folder / "mine").read_text() == "something else", "overwrote", said)
    status, said = values("nowhere.csv")
    tool.expect(status == 1 and "nowhere.csv: cannot read" in said, said)
    tool.expect(sorted(p.name for p in folder.rglob("*") if p.is_file())
                == ["a.csv", "a.csv", "absolute.tsv", "mine", "out.tsv", "out.tsv"], "left behind", *folder.rglob("*"))


def function(folder):
    """Rows in, the object of --format json out; wrong input is an exception."""
    rows = [{"item": f'q{i}, "{i}"', "system": s, "score": (i * (7 + k)) % 11 / 10}
            for i in range(40) for k, s in enumerate(("main", "new"))]
    (folder / "program.mjs").write_text(PROGRAM)
    said = json.loads(npm("node", "program.mjs", json.dumps(rows), cwd=folder))
    (folder / "scores.csv").write_text(said["csv"])
    words = said["gate"]["arguments"]
    tool.expect(words == ["--scores", "--gate", "--gate-on", "worse", "--baseline", "main", "--margin", "0.03",
                          "--format", "json", "--", "scores.csv"], words)
    native = json.loads(tool.run("compare", *words, cwd=folder).stdout)
    wrong = list(numbers.differences(said["gate"], native))
    tool.expect(not wrong, "the function answers otherwise than the tool:", *wrong[:3])
    tool.expect(said["counts"]["verdict"] == "PASS", said["counts"]["answer"])
    tool.expect(said["caught"][:2] == [True, 2] and "--nonsense" in said["caught"][2], said["caught"])
    tool.expect((said["out"], said["input"]) == (["out.txt"], 0), said["out"], said["input"])
    typed = re.search(r"interface Result \{\n(.*?)\n\}", (ROOT / "web/npm/index.d.ts").read_text(), re.S)[1]
    schema = json.loads((ROOT / "doc/schema/result.json").read_text())
    tool.expect(re.findall(r"^  (\w+):", typed, re.M) == list(schema["properties"]), "types of another schema")


with tempfile.TemporaryDirectory(prefix="intervale-npm-") as place:
    project = pathlib.Path(place) / "a project"
    project.mkdir()
    (project / "package.json").write_text('{"private": true, "type": "module"}')
    npm("npm", "install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", PACKAGE, cwd=project)
    version = npm("npx", "--no-install", "intervale", "version", cwd=project)
    tool.expect(version == tool.run("version").stdout.decode(), "another version:", version)
    programs = project / "node_modules" / ".bin"
    print(readme(programs), "lines of the README")
    disk = pathlib.Path(place) / "disk"
    disk.mkdir()
    files_of_the_disk(programs, disk)
    function(project)
tool.finish()

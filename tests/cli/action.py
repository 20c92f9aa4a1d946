# SPDX-License-Identifier: Apache-2.0
"""The action of action.yml, on a runner that this script plays: its steps in bash, with the files,
variables and expressions that a runner has.

usage: action.py TOOL ROOT
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from tool import TOOL, expect, finish

ROOT = pathlib.Path(sys.argv[2]).resolve()
NAME = "intervale-musl-x86_64"
GATE = "compare --scores --gate --baseline main --margin 0.2"


def inputs(text):
    """Each input with its default."""
    part = text.partition("\ninputs:\n")[2].partition("\noutputs:\n")[0]
    for name, body in re.findall(r"^  (\w+):\n((?:    .*\n?)+)", part, re.M):
        given = re.search(r'^    default: "(.*)"$', body, re.M)
        yield name, given[1] if given else ""


def steps(text):
    """Each step as (variables, script)."""
    for body in text.partition("\n  steps:\n")[2].split("\n    - "):
        variables = dict(re.findall(r"^ {8}([A-Z_0-9]+): (.*)$", body, re.M))
        script = re.search(r"^ {6}run: '(.*)'$", body, re.M)[1]
        assert "${{" not in script, "an expression in a script is an injection"
        yield variables, script


class Runner:
    """A folder with a release, a checkout of the action and a workflow's files."""

    def __init__(self, folder):
        self.folder = folder
        self.work, self.action, self.path = (folder / n for n in ("work of it", "action", "path"))
        for made in (self.work, self.action / "tools", self.path, folder / "temp"):
            made.mkdir(parents=True)
        shutil.copy(ROOT / "tools" / "action.sh", self.action / "tools")
        self.release = folder / "releases" / "a" / "b" / "releases" / "download" / "v0.4.0"
        self.release.mkdir(parents=True)
        # What builds here: it puts the tool where make release does, and says that it did.
        make = self.path / "make"
        make.write_text(f'#!/bin/sh\nmkdir -p "$2/build/release"\necho "$@" >"{folder}/made"\n'
                        f'ln -sf "{TOOL}" "$2/build/release/intervale"\n')
        make.chmod(0o755)

    def publish(self, sums=None):
        """A release whose binary is the tool under test."""
        script = f'#!/bin/sh\nexec "{TOOL}" "$@"\n'
        (self.release / NAME).write_text(script)
        digest = hashlib.sha256(script.encode()).hexdigest()
        (self.release / "SHA256SUMS").write_text(f"{'0' * 64}  other\n{sums or digest}  {NAME}\n")
        return digest

    def run(self, ref="v0.4.0", bins=(), **given):
        """Both steps; the status, the outputs, the summary and what was said."""
        text = (ROOT / "action.yml").read_text()
        known = {f"inputs.{k}": given.get(k, d) for k, d in inputs(text)}
        assert set(given) <= {k.removeprefix("inputs.") for k in known}, given
        known |= {"github.server_url": f"file://{self.folder}/releases", "github.action_ref": ref,
                  "github.action_repository": "a/b"}
        files = {n: self.folder / n for n in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        for file in (*files.values(), self.folder / "made"):
            file.unlink(missing_ok=True)
        for file in files.values():
            file.touch()
        said = ""
        for variables, script in steps(text):
            added = files["GITHUB_PATH"].read_text().split("\n")[:-1]
            env = {k: re.sub(r"\$\{\{ (\S+) \}\}", lambda m: known[m[1]], v) for k, v in variables.items()}
            env |= {k: str(v) for k, v in files.items()}
            env |= {"GITHUB_ACTION_PATH": str(self.action), "RUNNER_TEMP": str(self.folder / "temp"),
                    "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "HOME": str(self.folder),
                    "PATH": ":".join([*added[::-1], *map(str, bins), str(self.path), "/usr/bin", "/bin"])}
            (self.folder / "step.sh").write_text(script)
            done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", self.folder / "step.sh"],
                                  cwd=self.work, env=env, capture_output=True, text=True, check=False)
            said += done.stdout + done.stderr
            if done.returncode != 0:
                break
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return done.returncode, outputs, files["GITHUB_STEP_SUMMARY"].read_text(), said

    @property
    def built(self):
        return (self.folder / "made").exists()

    def table(self, name, scores):
        rows = "".join(f"i{i},{s}\n" for i, s in enumerate(scores))
        (self.work / name).write_text("item,score\n" + rows)


def finds_the_tool(runner):
    """A release's binary, by its checksum; else it is built; what is installed is taken."""
    gate = {"command": GATE + " main.csv new.csv"}
    status, outputs, _, said = runner.run(**gate)
    expect(status == 0 and runner.built, "no release: it is built", said)
    digest = runner.publish()
    status, outputs, summary, said = runner.run(**gate)
    expect((status, runner.built) == (0, False), "the release's binary is used", said)
    expect(outputs == {"verdict": "PASS", "status": "0"} and "**PASS**" in summary, outputs, summary)
    status, _, _, said = runner.run(ref="main", **gate)
    expect(status == 0 and runner.built, "a branch is not a release: it is built", said)
    status, _, _, said = runner.run(ref="0" * 40, version="0.4.0", sha256=digest, **gate)
    expect((status, runner.built) == (0, False), "a version and its checksum", said)
    for wrong, words in (({"sha256": "0" * 64}, "expected '000"), ({"version": "9.9.9", "sha256": digest}, "checksum"),
                         ({"version": "../../x"}, "version: '../../x'")):
        status, outputs, _, said = runner.run(**wrong, **gate)
        expect(status == 1 and not runner.built and outputs == {} and words in said, wrong, said)
    runner.publish(sums="0" * 64)
    status, outputs, _, said = runner.run(**gate)
    expect(status == 1 and not runner.built and outputs == {}, "a wrong checksum ends it", said)
    (runner.release / "SHA256SUMS").unlink()
    status, _, _, said = runner.run(**gate)
    expect(status == 0 and runner.built, "without checksums it is built", said)
    bins = runner.folder / "bins"
    bins.mkdir()
    (bins / "intervale").symlink_to(TOOL)
    status, _, _, said = runner.run(bins=[bins], **gate)
    expect(status == 0 and not runner.built, "an installed tool is used", said)


def says_the_verdict(runner):
    """The verdict and the status of the tool, in outputs, summary and files."""
    for name, verdict, wanted in (("worse.csv", "FAIL", 3), ("few.csv", "INCONCLUSIVE", 4), ("none.csv", "ERROR", 1)):
        status, outputs, summary, said = runner.run(command=f"{GATE} main.csv {name}", junit="out.xml", json="out.json")
        expect(status == wanted and outputs == {"verdict": verdict, "status": str(wanted)}, name, status, outputs, said)
        expect(f"**{verdict}**" in summary and "**" not in said, name, summary, said)
        got = json.loads((runner.work / "out.json").read_text())["verdict"]
        expect(got == verdict, name, "json has", got)
        found = xml.etree.ElementTree.parse(runner.work / "out.xml").getroot()
        expect((found.find(".//failure") is not None or found.find(".//error") is not None)
               == (verdict != "PASS"), name, "junit")
    status, outputs, _, said = runner.run(command="compare --scores main.csv new.csv")
    expect(status == 0 and outputs == {"verdict": "", "status": "0"}, "no gate, no verdict", outputs, said)
    (runner.work / "mine.json").write_text("{}")
    status, outputs, _, said = runner.run(command="compare --scores main.csv new.csv", json="mine.json")
    expect(status == 1 and "mine.json: exists" in said, "a file of somebody else's stays", said)
    for name in ("mine.xml", "json", "a.json/"):
        status, outputs, _, said = runner.run(command="compare --scores main.csv new.csv", json=name)
        expect(status == 1 and f"json: '{name}'; expected" in said, name, said)
    runs = runner.folder / "counted"
    counted = runner.folder / "counting"
    counted.mkdir()
    (counted / "intervale").write_text(f'#!/bin/sh\necho >>"{runs}"\nexec "{TOOL}" "$@"\n')
    (counted / "intervale").chmod(0o755)
    runner.run(bins=[counted], command=f"{GATE} main.csv new.csv", junit="out.xml", json="out.json")
    expect(runs.read_text().count("\n") == 2, "the tool is asked for its version and runs once", runs.read_text())


def expands_nothing(runner):
    """Words are words: quotes hold them together; no command, variable or pattern is expanded."""
    shutil.copy(runner.work / "new.csv", runner.work / "new scores.csv")
    for words in (f"{GATE} main.csv 'new scores.csv'", f'{GATE} "main.csv" new\\ scores.csv', f"{GATE}\nmain.csv\nnew.csv\n"):
        status, outputs, _, said = runner.run(command=words)
        expect(outputs.get("verdict") == "PASS", words, said)
    for hostile in ("$(touch hacked)", "`touch hacked`", "x; touch hacked", "x && touch hacked", "x | touch hacked",
                    "x\ntouch hacked", "> hacked", "*.csv", "$HOME"):
        for given in ({"command": f"{GATE} main.csv {hostile}"}, {"command": f"{GATE} main.csv", "files": hostile},
                      {"command": GATE + " main.csv new.csv", "junit": hostile.replace("\n", " ") + "/no/x"}):
            status, outputs, _, said = runner.run(**given)
            expect(status != 0 and outputs.get("verdict", "ERROR") == "ERROR", given, status, outputs, said)
            words = hostile.split()[0]
            expect("junit" in given or words in said, given, "does not name", words, ":", said)
    expect(not (runner.work / "hacked").exists(), "a command in an input ran")
    status, outputs, _, said = runner.run(command=GATE, files="main.csv\nnew scores.csv\n")
    expect(outputs.get("verdict") == "PASS", "a file a line", said)
    shutil.copy(runner.work / "worse.csv", runner.work / "--gate-on=worse")
    status, outputs, _, said = runner.run(command=GATE, files="main.csv\n--gate-on=worse")
    expect(outputs.get("verdict") == "FAIL", "a name is no option", outputs, said)
    for wrong in (GATE + " 'main.csv", "", " "):
        status, outputs, _, said = runner.run(command=wrong)
        expect(status != 0 and outputs.get("verdict", "ERROR") == "ERROR", repr(wrong), status, said)


with tempfile.TemporaryDirectory(prefix="intervale-action-") as place:
    runner = Runner(pathlib.Path(place))
    ones = [1, 0] * 100
    runner.table("main.csv", ones)
    runner.table("new.csv", [1] * 20 + ones[20:])
    runner.table("worse.csv", [0] * 200)
    runner.table("few.csv", ones[:3])
    finds_the_tool(runner)
    says_the_verdict(runner)
    expands_nothing(runner)
finish()

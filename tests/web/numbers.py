# SPDX-License-Identifier: Apache-2.0
"""The browser's tool says the same numbers as the native one: counts, ranks and words exactly,
real numbers to 1e-12 of their size; densities of curves, which are differences of probabilities
over a short way, to 1e-12 of the largest; of studies, differences from what papers say and errors
of estimates, which are 0 but for roundings where all is judged, to 1e-13.

usage: numbers.py TOOL ROOT MODULE.wasm [all | WORDS...]

All examples of the manual and the recorded collections are asked of both, as JSON; "all": also
studies and plans of samples, which take minutes; WORDS: only examples that begin so.  What
differs in bytes is listed at the end.
"""
import glob
import json
import math
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT, MODULE = pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import run_examples  # noqa: E402
import tool  # noqa: E402

TOLERANCE = 1e-12
DIFFERENCES = ("difference", "rms") # of numbers of the size of 1, in tables of studies
SLOW = ("study", "simulate --topics 1000", "plan sample")
# What a page has not: nobody judges inside one, and the list of commands says so.
NATIVE = ("judge ", "web ", "schema")


class Other:
    """The module under node, one process for all."""

    def __init__(self):
        node = shutil.which("node") or shutil.which("nodejs")
        self.child = subprocess.Popen([node, ROOT / "web" / "node.mjs", MODULE], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, words, cwd):
        self.child.stdin.write(json.dumps({"cwd": str(cwd), "args": words}) + "\n")
        self.child.stdin.flush()
        answer = json.loads(self.child.stdout.readline())
        return answer["status"], answer["out"], answer["err"]


def native(words, cwd):
    done = tool.run(*words, cwd=cwd, timeout=1200) # studies take minutes on a busy machine
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def differences(a, b, where="", least=1e-300, studied=False):
    """What is not the same, as (where, a, b)."""
    if isinstance(a, float) or isinstance(b, float):
        same = isinstance(a, (int, float)) and isinstance(b, (int, float)) and (
            a == b or math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=least))
        if not same:
            yield where, a, b
    elif isinstance(a, dict) and isinstance(b, dict) and list(a) == list(b):
        for k in a:
            yield from differences(a[k], b[k], f"{where}.{k}", least if k == "density" else
                                   1e-13 if studied and k in DIFFERENCES else 1e-300, studied)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        dense = max((x.get("density") or 0 for x in a if isinstance(x, dict)), default=0)
        for i, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, f"{where}[{i}]",
                                   TOLERANCE * dense if isinstance(dense, float) else least, studied)
    elif a != b or type(a) is not type(b):
        yield where, a, b


def asked(line, folder, reporting):
    """The words of an example with its files found, and JSON as its format where it reports."""
    words = []
    for word in shlex.split(line)[1:]:
        found = sorted(glob.glob(word, root_dir=folder)) if "*" in word else []
        words += found or [word]
    name = next((n for n in (" ".join(words[:2]), words[0]) if n in reporting), None)
    if name is None or "-o" in words and "html" not in words:
        return words
    for option in ("--format", "-o", "--table"):
        if option in words:
            at = words.index(option)
            del words[at:at + 2]
    return [*words, "--format", "json"]


def compare(other, words, here, there, listed):
    """Asks both; True when they agree."""
    a, b = native(words, here), other.run(words, there)
    if a == b:
        return True
    what = shlex.join(words)
    try:
        wrong = list(differences(json.loads(a[1]), json.loads(b[1]), studied=words[0] == "study"))
    except json.JSONDecodeError:
        wrong = [("", *next(((x, y) for x, y in zip(a[1].splitlines(), b[1].splitlines())
                             if x != y), (len(a[1]), len(b[1]))))]
    if a[0] != b[0] or a[2] != b[2]:
        wrong.append(("status and standard error", (a[0], a[2]), (b[0], b[2])))
    tool.expect(not wrong, f"{what}: {len(wrong)} differ:", *wrong[:3])
    listed.append(what)
    return not wrong


def examples(other, listed, wanted):
    described = json.loads(tool.run("schema").stdout)
    reporting = {c["name"] for c in described["commands"] if c.get("reports")}
    count = 0
    with tempfile.TemporaryDirectory(prefix="intervale-web-") as name:
        sandbox = pathlib.Path(name) / "files"
        sandbox.mkdir()
        run_examples.prepare(sandbox)
        # A temporary file, and two numbers of it.
        compare(other, ["eval", "--sort", "--format", "json", "qrels", "runA"], sandbox, sandbox,
                listed)
        for c in described["commands"]:
            page = f"intervale-{c['name'].replace(' ', '-')}.1"
            for i, example in enumerate(c["examples"]):
                line = example["line"].removeprefix("intervale ")
                if line.startswith(SLOW) and wanted == []:
                    continue
                if wanted not in ([], ["all"]) and not line.startswith(tuple(wanted)):
                    continue
                if line.startswith(NATIVE) or line == "help":
                    continue
                here, there = (pathlib.Path(name) / f"{k}-{i}-{page}" for k in ("here", "there"))
                run_examples.prepare_page(sandbox, here, page)
                words = asked(example["line"], here, reporting)
                for word in words: # written anew, not over what is there
                    if words[words.index(word) - 1] in ("-o", "--write-matrix"):
                        (here / word).unlink(missing_ok=True)
                shutil.copytree(here, there)
                compare(other, words, here, there, listed)
                files_agree(here, there, words)
                shutil.rmtree(here), shutil.rmtree(there)
                count += 1
    tool.expect(count >= 70 or wanted not in ([], ["all"]), f"only {count} examples")
    return count


def files_agree(here, there, words):
    """What was written is the same."""
    names = [sorted(str(p.relative_to(f)) for p in f.rglob("*") if p.is_file())
             for f in (here, there)]
    tool.expect(names[0] == names[1], shlex.join(words), "wrote", set(names[0]) ^ set(names[1]))
    for n in names[0]:
        if (there / n).exists() and (here / n).read_bytes() != (there / n).read_bytes():
            tool.expect(False, shlex.join(words), "wrote another", n)


def collections(other, listed):
    """The recorded collections, by all measures of each topic."""
    count = 0
    golden = ROOT / "tests" / "golden"
    for folder in sorted(p.parent for p in golden.glob("trec_eval/*/qrels.zst")):
        compare(other, ["eval", "-q", "-m", "all_trec", "--format", "json", "qrels.zst",
                        "run.zst"], folder, folder, listed)
        count += 1
    for folder in sorted(p.parent for p in golden.glob("sampled/*/prels.zst")):
        runs = sorted(p.name for p in folder.glob("run*.zst"))
        compare(other, ["eval", "-q", "-m", "AP", "-m", "P@10", "--format", "json", "prels.zst",
                        *runs], folder, folder, listed)
        count += 1
    for expected in sorted(golden.glob("recorded/*/expected")):
        for line in expected.read_text().splitlines():
            if line[:2] in ("$ ", "~ "):
                compare(other, ["eval", "-q", "--format", "json", *line[2:].split()],
                        expected.parent, expected.parent, listed)
                count += 1
    tool.expect(count >= 15, f"only {count} collections")
    return count


def main():
    listed = []
    other = Other()
    wanted = sys.argv[4:]
    asked_for = examples(other, listed, wanted)
    if wanted in ([], ["all"]):
        asked_for += collections(other, listed)
    other.child.stdin.close()
    print(f"{asked_for} command lines; to 1e-12 the same, but not to the byte, since exp, log and "
          f"others round differently: {len(listed)}")
    for line in listed:
        print(f"  intervale {line}")
    tool.finish()


if __name__ == "__main__":
    main()

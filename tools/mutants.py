# SPDX-License-Identifier: Apache-2.0
"""Changes lines of the code, one at a time, and lists the changes that no test notices.

usage: mutants.py [--seed N,...] [--count N] [--since REF] [--lines FILE:FROM-TO,...] [--fast]
       mutants.py --again [--fast]

It works in a copy, build/mutants/tree, built with INTERVALE_COVERAGE.  Each test runs once
to record the lines it executes; a changed line is then tried by the tests that execute it,
fast ones first (unit, golden, a few of cli; with --fast these alone), until one fails.

  --since REF   changes only lines that differ from REF, committed or not
  --lines       changes only these, in every way
  --again       tries the survivors of the last run again; lines are found by their text
  --count N     how many changes for each seed; 30 unless given

The same seed on the same tree makes the same changes.  The survivors are written to
build/mutants/survivors.txt.  A change that compiles to the same code, or that
tools/mutants_equivalent.txt lists with its reason, cannot be noticed and is counted apart.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutants"
TREE, BUILD, COVERAGE = WORK / "tree", WORK / "build", WORK / "coverage"
FAST = re.compile(r"^(unit|golden)/|^cli/(golden|messages|answers)$")
REST = re.compile(r"^(cli|judge)/(?!setup$|large$|recipes$)")  # not: packages, disks, documents
FORKS = {"unit/refused"}  # its children end by _exit(), which records no lines
COMPARISON = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
              "==": ("!=",), "!=": ("==",)}
SWAPPED = {"&&": "||", "||": "&&", " + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ",
           "++": "--", "--": "++", "+=": "-=", "-=": "+=", "*=": "/=", "true": "false",
           "false": "true"}
DECLARATION = re.compile(r"(?!return\b|else\b|goto\b)\w[\w ]*\s\**\w+(\[.*\])*(\s*=.*)?;$")


# ------------------------------------------------------------- the changes --
def plain(text):
    """The code with comments, texts and directives blanked out, of the same length."""
    pattern = (r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
               r"|^[ \t]*#(?:\\\n|[^\n])*")
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S | re.M)


def body_lines(code):
    """The numbers of the lines inside functions."""
    depth, start, line, before, found = 0, None, 1, "", set()
    for c in code:
        if c == "{":
            if depth == 0 and before == ")":
                start = line
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0 and start is not None:
                found |= set(range(start + 1, line))
                start = None
        line += c == "\n"
        before = before if c.isspace() else c
    return found


def number_changes(literal):
    if re.fullmatch(r"\d+", literal):
        value = int(literal)
        return ("1",) if value == 0 else (str(value + 1), str(value - 1))
    return ("1.0",) if float(literal) == 0.0 else (f"({literal} * 2.0)", f"({literal} * 0.5)")


def line_changes(line, before):
    """Every change of a line, as (from, to, length, text)."""
    for m in re.finditer(r"(?<![<>=!+*/&|^-])(<=|>=|==|!=|<|>)(?![<>=])", line):
        for to in COMPARISON[m[1]]:
            yield m.start(1), m.end(1), to
    for m in re.finditer(r"&&|\|\|| [+*/-] (?!=)|\+\+|--|[+*-]=|\btrue\b|\bfalse\b", line):
        yield m.start(), m.end(), SWAPPED[m[0]]
    for m in re.finditer(r"!(?=[\w(])", line):
        yield m.start(), m.end(), ""
    for m in re.finditer(r"(?<![\w.])(\d+\.\d*(?:[eE][+-]?\d+)?|\d+)(?![\w.])", line):
        for to in number_changes(m[1]):
            yield m.start(1), m.end(1), to
    words = line.strip()
    complete = not before or before[-1] in ";{})" or before.endswith("else")
    if (words.endswith(";") and complete and words.count("(") == words.count(")")
            and len(words) > 1 and not DECLARATION.match(words)
            and not re.match(r"return\b|for\b|while\b|}", words)):
        yield len(line) - len(line.lstrip()), len(line.rstrip()), ";"


def changes_of(path):
    """{line number: [(from, to, text)]} of a file."""
    code = plain((TREE / path).read_text(encoding="utf-8"))
    inside, before, found = body_lines(code), "", {}
    for number, line in enumerate(code.split("\n"), 1):
        if number in inside:
            made = list(line_changes(line, before))
            if made:
                found[number] = made
        before = line.strip() or before
    return found


def lines_since(ref):
    """{path: line numbers} that differ from a commit."""
    done = subprocess.run(["git", "diff", "-U0", ref, "--", "src", "cli"], cwd=ROOT, check=True,
                          capture_output=True, text=True)
    found, path = collections.defaultdict(set), None
    for line in done.stdout.splitlines():
        if line.startswith("+++ "):
            path = line[6:]
        m = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)
        if m:
            first = int(m[1])
            found[path] |= set(range(first, first + int(m[2] or 1)))
    return found


def lines_given(words):
    found = collections.defaultdict(set)
    for word in words.split(","):
        path, _, span = word.partition(":")
        first, _, last = span.partition("-")
        found[path] |= set(range(int(first), int(last or first) + 1))
    return found


def last_survivors():
    """The changes of survivors.txt whose lines are still there, wherever they are now."""
    found, places = [], collections.defaultdict(list)
    for path in sorted((TREE / "src").rglob("*.c")) + sorted((TREE / "cli").rglob("*.c")):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            places[line.strip()].append((str(path.relative_to(TREE)), number, line))
    for was, number, old, new in re.findall(r"^\w+: (\S+):(\d+)\n    - (.*)\n    \+ (.*)$",
                                            (WORK / "survivors.txt").read_text(), re.M):
        name = pathlib.Path(was).name
        best = sorted(places[old], key=lambda at: (pathlib.Path(at[0]).name != name,
                                                   abs(at[1] - int(number))))
        if best:
            path, now, line = best[0]
            found.append((path, now, (len(line) - len(line.lstrip()), len(line), new)))
        else:
            print(f"gone: {was}:{number}: {old}")
    return found


def chosen_changes(options):
    """Lists of (path, line, change), one a seed, in the order in which they are tried."""
    if options.again:
        return [last_survivors()]
    only = (lines_given(options.lines) if options.lines
            else lines_since(options.since) if options.since else None)
    paths = (sorted(only) if only is not None else
             sorted(str(p.relative_to(TREE)) for p in (TREE / "src").rglob("*.c")))
    lines = []
    for path in (p for p in paths if p.endswith(".c")):
        for number, made in sorted(changes_of(path).items()):
            if only is None or number in only[path]:
                lines.append((path, number, made))
    if options.lines:
        return [[(path, number, one) for path, number, made in lines for one in made]]
    lists = []
    for seed in options.seed.split(","):
        rng, shuffled = random.Random(int(seed)), list(lines)
        rng.shuffle(shuffled)
        lists.append([(path, number, rng.choice(made)) for path, number, made in shuffled])
    return lists


def changed_text(text, number, change):
    lines = text.split("\n")
    first, last, to = change
    old = lines[number - 1]
    lines[number - 1] = old[:first] + to + old[last:]
    return "\n".join(lines), old.strip(), lines[number - 1].strip()


# --------------------------------------------------------- copy and build --
def copy_tree():
    """Brings the copy up to date; returns a digest of the code and its tests."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT,
                            check=True, capture_output=True, text=True).stdout.split("\0")
    names = sorted(n for n in listed if n and (ROOT / n).is_file())
    digest = hashlib.sha256()
    for name in names:
        data, there = (ROOT / name).read_bytes(), TREE / name
        if not there.exists() or there.read_bytes() != data:
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, there)
        if name.split("/")[0] in ("src", "cli", "include", "tests"):
            digest.update(name.encode() + b"\0" + data)
    for old in TREE.rglob("*"):
        if old.is_file() and str(old.relative_to(TREE)) not in set(names):
            old.unlink()
    return digest.hexdigest()


def run_build(*targets):
    env = {**os.environ, "CCACHE_BASEDIR": str(TREE), "CCACHE_NOHASHDIR": "1"}
    return subprocess.run(["ninja", "-C", BUILD, *targets], env=env, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def build_copy():
    if not (BUILD / "build.ninja").exists():
        cache = [f"-DCMAKE_{x}_COMPILER_LAUNCHER=ccache" for x in ("C", "CXX")
                 if shutil.which("ccache")]
        subprocess.run(["cmake", "--preset", "dev", "-B", BUILD, "-DINTERVALE_WERROR=OFF",
                        "-DINTERVALE_COVERAGE=ON", *cache], cwd=TREE, check=True,
                       stdout=subprocess.DEVNULL)
    done = run_build()
    if done.returncode:
        sys.exit(done.stdout[-4000:] + "\nthe copy does not build")


# -------------------------------------------------------------- the tests --
class Test:
    def __init__(self, row):
        self.name, self.command = row["name"], row["command"]
        where = [p["value"] for p in row["properties"] if p["name"] == "WORKING_DIRECTORY"]
        self.folder = where[0] if where else BUILD / "tests"
        program = pathlib.Path(self.command[0])
        self.target = "intervale" if "python" in program.name else program.name
        self.processor = self.clock = 0.0

    def run(self, data, limited):
        """Does it pass?  Limits are on processor time, which a busy machine does not use up."""
        def limit():
            os.setsid()
            if limited:
                most = int(4 * self.processor + 5)
                resource.setrlimit(resource.RLIMIT_CPU, (most, most))
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        scratch = WORK / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        env = {**os.environ, "GCOV_PREFIX": str(data), "GCOV_ERROR_FILE": "/dev/null",
               "TMPDIR": str(scratch)}
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        job = subprocess.Popen(self.command, cwd=self.folder, env=env, preexec_fn=limit,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        try:
            status = job.wait(timeout=10 * self.clock + 60 if limited else 1200)
        except subprocess.TimeoutExpired:
            status = -1
        try:
            os.killpg(job.pid, signal.SIGKILL)  # and what it started
        except ProcessLookupError:
            pass
        job.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if not limited:
            self.clock = time.monotonic() - began
            self.processor = (after.ru_utime - before.ru_utime
                              + after.ru_stime - before.ru_stime)
        return status == 0


def known_tests(fast):
    done = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], check=True,
                          capture_output=True, text=True)
    rows = [r for r in json.loads(done.stdout)["tests"] if "command" in r]
    labels = {r["name"]: [v for p in r["properties"] if p["name"] == "LABELS"
                          for v in p["value"]] for r in rows}
    return [Test(r) for r in rows
            if FAST.search(r["name"]) or (not fast and REST.search(r["name"])
                                          and not {"long", "html"} & set(labels[r["name"]]))]


def record_coverage(tests, digest):
    """Runs each test once, unless that was done for the same code."""
    said = COVERAGE / "tests.json"
    old = json.loads(said.read_text()) if said.exists() else {}
    if old.get("digest") != digest:
        shutil.rmtree(COVERAGE, ignore_errors=True)
        old = {"digest": digest, "tests": {}}
        for notes in BUILD.rglob("*.gcno"):
            there = COVERAGE / "notes" / notes.relative_to(BUILD)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(notes, there)
    for test in tests:
        if test.name not in old["tests"]:
            passed = test.run(COVERAGE / "data" / test.name, limited=False)
            old["tests"][test.name] = [passed, test.processor, test.clock]
            said.write_text(json.dumps(old))
            if not passed:
                print(f"{test.name} fails without a change and is not used", flush=True)
        passed, test.processor, test.clock = old["tests"][test.name]
    return [t for t in tests if old["tests"][t.name][0]]


def executed_lines(notes, data):
    """The lines that one test executes, and all lines with code."""
    folder = data.parent
    link = folder / notes.name
    if not link.exists():
        link.symlink_to(notes)
    done = subprocess.run(["gcov", "--json-format", "--stdout", data], cwd=folder, check=False,
                          capture_output=True, text=True)
    executed, all_lines = set(), set()
    if done.returncode == 0 and done.stdout:
        for source in json.loads(done.stdout.splitlines()[0])["files"]:
            if source["file"].endswith(".c"):
                for line in source["lines"]:
                    all_lines.add(line["line_number"])
                    if line["count"]:
                        executed.add(line["line_number"])
    return executed, all_lines


class Coverage:
    """Which tests execute a line, those that execute most of its file per second first."""
    def __init__(self, tests):
        self.tests, self.files = tests, {}

    def of_file(self, path):
        if path not in self.files:
            rows, name = {}, path.removeprefix("cli/") + ".gcno"
            for notes in (COVERAGE / "notes").rglob(name):
                at = notes.relative_to(COVERAGE / "notes").with_suffix(".gcda")
                for test in self.tests:
                    data = COVERAGE / "data" / test.name / str(BUILD)[1:] / at
                    if data.exists():
                        rows[test] = executed_lines(notes, data)
            self.files[path] = rows
        return self.files[path]

    def of_line(self, path, number):
        rows = self.of_file(path)
        found = []
        for test, (executed, all_lines) in rows.items():
            at = max((n for n in all_lines if n <= number), default=0)
            if at in executed or number in executed or test.name in FORKS:
                worth = len(executed) / (len(all_lines) or 1) / (0.3 + test.processor)
                found.append((not FAST.search(test.name), -worth, test.name, test))
        return [row[-1] for row in sorted(found, key=lambda row: row[:3])]


# ------------------------------------------------------------ one change --
def optimised(path, text):
    """The assembly of a file's text under -O2, to compare."""
    for row in json.loads((BUILD / "compile_commands.json").read_text()):
        if row["file"] == str(TREE / path):
            words = [w for w in shlex.split(row["command"])
                     if w not in ("--coverage", "-g", "-O1") and not w.endswith("ccache")]
            words = words[:words.index("-o")] + ["-O2", "-S", "-o", "-", "-x", "c", "-",
                                                 "-I", str((TREE / path).parent)]
            done = subprocess.run(words, cwd=row["directory"], input=text, check=False,
                                  capture_output=True, text=True)
            return done.stdout if done.returncode == 0 else None
    return None


def equivalent_changes():
    """{(line, changed line): reason} of the list; lines start with "- ", "+ " and "= "."""
    found, path = {}, ROOT / "tools" / "mutants_equivalent.txt"
    rows = [line for line in path.read_text().splitlines() if line[:2] in ("- ", "+ ", "= ")]
    for old, new, why in zip(rows[::3], rows[1::3], rows[2::3]):
        found[(old[2:], new[2:])] = why[2:]
    return found


def try_change(path, number, change, coverage, listed):
    """(outcome, what is said of it) of one change; outcome None: it does not compile."""
    original = (TREE / path).read_text(encoding="utf-8")
    text, old, new = changed_text(original, number, change)
    shown = f"{path}:{number}\n    - {old}\n    + {new}"
    tests = coverage.of_line(path, number)
    if (old, new) in listed:
        return "equivalent", f"{shown}\n    {listed[(old, new)]}"
    if not tests:
        same = optimised(path, text) == optimised(path, original)
        return ("equivalent", f"{shown}\n    the same code") if same \
            else ("unexecuted", f"{shown}\n    no test executes it")
    (TREE / path).write_text(text, encoding="utf-8")
    try:
        for i, test in enumerate(tests):
            if run_build(test.target).returncode:
                return None, shown
            if not test.run("/dev/null", limited=True):
                return "killed", f"{shown}\n    {test.name} fails ({i + 1} of {len(tests)})"
    finally:
        (TREE / path).write_text(original, encoding="utf-8")
    if optimised(path, text) == optimised(path, original):
        return "equivalent", f"{shown}\n    the same code"
    return "survived", f"{shown}\n    {len(tests)} tests execute it"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--since")
    parser.add_argument("--lines")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--fast", action="store_true")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    for sign in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, lambda *_: sys.exit(1))
    digest = copy_tree()
    build_copy()
    coverage = Coverage(record_coverage(known_tests(options.fast), digest))
    listed, counts, left = equivalent_changes(), collections.Counter(), []
    for changes in chosen_changes(options):
        most = len(changes) if options.lines or options.again else options.count
        for path, number, change in changes:
            if most == 0:
                break
            outcome, shown = try_change(path, number, change, coverage, listed)
            if outcome is None:
                continue
            most -= 1
            counts[outcome] += 1
            print(f"{outcome}: {shown}", flush=True)
            if outcome in ("survived", "unexecuted"):
                left.append(f"{outcome}: {shown}\n")
                (WORK / "survivors.txt").write_text("".join(left))
    tried = sum(counts.values())
    print(f"{tried} changes: {counts['killed']} killed, {counts['equivalent']} equivalent, "
          f"{counts['survived']} survived, {counts['unexecuted']} on lines that no test executes "
          f"(build/mutants/survivors.txt)")


if __name__ == "__main__":
    main()

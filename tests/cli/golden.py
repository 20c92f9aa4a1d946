# SPDX-License-Identifier: Apache-2.0
"""Command lines and what they print.

usage: golden.py TOOL CASES DATA [--update | --listed PAGE PLATFORM]

A .case file holds command lines, which run in the folder DATA:

  # a comment
  $ intervale check run.txt      the words, as a shell splits them
  < line                         standard input, if any
  | line                         standard output
  ! line                         standard error
  ? 1                            exit status, if it is not 0

"| ..." stands for any number of lines, and {version} for the version.  --update
writes down what the tool prints now; look at the difference before you keep it.

With --listed, a command line that a table of PAGE (doc/portability.md) lists for PLATFORM, as
"| `intervale ...` | PLATFORM, PLATFORM | reason |", may differ in digits of numbers after the
twelfth, and in the words of a JSON parser.  All others print the same bytes.
"""
import pathlib
import re
import shlex
import sys

import tool

CASES, DATA = pathlib.Path(sys.argv[2]), sys.argv[3]
UPDATE = "--update" in sys.argv[4:]
LISTED = sys.argv[5:7] if sys.argv[4:5] == ["--listed"] else None
VERSION = tool.run("version").stdout.split()[-1].decode()


def blocks(text):
    """The commands of a case, each as (comments above, words, input, expected lines)."""
    above, found = [], []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((above, line[2:], [], []))
            above = []
        elif line[:2] == "< ":
            found[-1][2].append(line[2:])
        elif line[:1] in ("|", "!", "?"):
            found[-1][3].append(line)
        else:
            above.append(line)
    return found


def printed(command, stdin):
    """What the tool prints, in the words of a case."""
    words = shlex.split(command)
    done = tool.run(*words[1:], cwd=DATA, stdin="".join(s + "\n" for s in stdin).encode())
    lines = []
    for mark, text in (("|", done.stdout), ("!", done.stderr)):
        text = text.decode("utf-8", "backslashreplace").replace(VERSION, "{version}")
        ends = text.endswith("\n") or not text
        lines += [(f"{mark} {s}" if s else mark) for s in text.split("\n")[:-1 if ends else None]]
        if not ends:
            lines[-1] += "\\"
    return lines + ([f"? {done.returncode}"] if done.returncode else [])


def matches(expected, got):
    """Line by line; "| ..." swallows any number of lines."""
    pattern = "".join("(?:[^\n]*\n)*" if e.endswith(" ...") and len(e) == 5
                      else re.escape(e) + "\n" for e in expected)
    return re.fullmatch(pattern, "".join(g + "\n" for g in got)) is not None


def roughly(lines):
    """The lines without what a listed command line may print otherwise."""
    text = re.sub(r"no JSON: .*", "no JSON", "\n".join(lines))
    return re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda m: f"{float(m[0]):.12g}", text)


def listed(page, platform):
    rows = re.findall(r"^\| `(intervale [^`]+)` \| ([^|]+) \|", pathlib.Path(page).read_text(encoding="utf-8"), re.M)
    return {command for command, platforms in rows if platform in platforms.split(", ")}


may_differ, ran, differed = listed(*LISTED) if LISTED else set(), [], []

for path in sorted(CASES.glob("*.case")):
    out = []
    for above, command, stdin, expected in blocks(path.read_text(encoding="utf-8")):
        got = printed(command, stdin)
        good = matches(expected, got)
        ran.append(command)
        if not good and command in may_differ and roughly(expected) == roughly(got):
            differed.append(command)
            good = True
        tool.expect(good or UPDATE, f"{path.name}: $ {command}\nexpected:", *expected,
                    "\ngot:", "\n".join(got))
        notes = [line for line in got if line.startswith(("| note:", "| warning:"))]
        tool.expect(len(notes) <= 3 or "--verbose" in command, f"{path.name}: $ {command}\nmore "
                    "than three notes:", *notes)
        out += above + ["$ " + command] + ["< " + s for s in stdin] + (expected if good else got)
    if UPDATE:
        path.write_text("\n".join(out) + "\n", encoding="utf-8")
    tool.expect(out, f"{path.name}: no command in it")
tool.expect(any(CASES.glob("*.case")), "no cases")
tool.expect(may_differ <= set(ran), "listed, and no recorded command line:", *may_differ - set(ran))
if LISTED:
    print(f"{len(ran)} recorded command lines; {len(differed)} differ as listed", *differed, sep="\n  ")
tool.finish()

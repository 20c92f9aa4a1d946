# SPDX-License-Identifier: Apache-2.0
"""What every rule shares: finding files, reading C, and testing itself.

A rule is a function that yields one line for each violation under a folder.
Before it judges the project it must pass a sound tree and catch every planted
violation, so that a rule that has gone blind fails too.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = {".c", ".h", ".cpp", ".cc", ".hpp", ".inc"}
SPDX = "SPDX-License-Identifier: Apache-2.0"


def tracked(root):
    """The files of the project, relative: git's, or all outside a clone."""
    root = pathlib.Path(root)
    top = None
    if shutil.which("git"):
        top = subprocess.run(["git", "-C", root, "rev-parse", "--show-toplevel"],
                             capture_output=True, text=True, check=False)
    if top and top.returncode == 0 and pathlib.Path(top.stdout.strip()) == root.resolve():
        out = subprocess.run(["git", "-C", root, "ls-files", "-z"],
                             capture_output=True, check=True).stdout
        names = [n for n in out.decode().split("\0") if n]
        found = [pathlib.Path(n) for n in names if (root / n).is_file()]
    else:
        found = [p.relative_to(root) for p in root.rglob("*") if p.is_file()]
        found = [p for p in found
                 if p.parts[0] not in ("build", "built", "demo", ".git", "node_modules")]
    return sorted(found)


def sources(root, *folders):
    """The C and C++ files in some folders, as (relative path, text)."""
    for path in tracked(root):
        if path.parts[0] in folders and path.suffix in SOURCES:
            yield path, (pathlib.Path(root) / path).read_text(encoding="utf-8")


def without_comments(text):
    """C text with comments blanked out; lines and columns stay."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                         re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0][0] == "/" else m[0],
                       text)


def without_directives(text):
    """C text with preprocessor lines blanked out, continued ones too."""
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda m: re.sub(r"[^\n]", " ", m[0]),
                  text, flags=re.M)


def declarations(text):
    """The IV_API declarations of a header, as (line, name)."""
    plain = without_directives(without_comments(text))
    for m in re.finditer(r"\bIV_API\b([^;]*);", plain):
        words = re.sub(r"\bIV_(MUST_CHECK|PRINTF\s*\([^)]*\))", "", m[1])
        name = re.search(r"(\w+)\s*\(", words) or re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*$",
                                                            words)
        yield plain.count("\n", 0, m.start()) + 1, name[1]


def write_tree(root, files):
    for name, text in files.items():
        path = pathlib.Path(root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def judge(check, sound, planted):
    """Tests the rule on itself, then on the project; exits with the verdict.

    check(root) yields violations; sound is a tree {name: text} without any;
    planted lists (changes to that tree, a part of the line expected).
    """
    for changes, expected in [({}, None)] + planted:
        with tempfile.TemporaryDirectory(prefix="intervale-rule-") as folder:
            write_tree(folder, {k: v for k, v in {**sound, **changes}.items()
                                if v is not None})
            found = list(check(folder))
        if expected is None and found:
            sys.exit("self-test: a sound tree is called bad: " + "; ".join(found))
        if expected is not None and not any(expected in line for line in found):
            sys.exit(f"self-test: planted violation not caught: {expected!r}, got {found}")
    found = list(check(sys.argv[1]))
    for line in found:
        print(line)
    sys.exit(f"{len(found)} violations" if found else 0)

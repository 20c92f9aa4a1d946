# SPDX-License-Identifier: Apache-2.0
"""What the pages for developers name is there: files, folders, functions, counts.

usage: documents.py ROOT
"""
import pathlib
import re

import rule

PAGES = ("README.md", "CONTRIBUTING.md", "doc/architecture.md")
TOP = ("src", "cli", "include", "tests", "tools", "doc", "cmake", "examples", "python", "bench")
NUMBERS = {w: i for i, w in enumerate(
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen".split())}
COUNTS = (  # what a page says, and what it counts
    (r"\b(\w+)\s+modules\b", lambda root, files: sum(
        ":" in line and "/" not in line.split(":")[0] and not line.startswith(("#", "cli"))
        for line in (root / "tools/layers.txt").read_text(encoding="utf-8").splitlines())),
    (r"\b(\w+)\s+`\.cpp`\s+files\b", lambda root, files: sum(
        p.suffix == ".cpp" and p.parts[0] == "src" for p in files)),
    (r"\bfewer\s+than\s+(\w+)\s+thousand\s+lines\b", lambda root, files: 1 + sum(
        (root / p).read_bytes().count(b"\n") for p in files
        if p.parts[0] == "cli" and p.suffix in (".c", ".h")) // 1000),
    (r"\b(\w+)\s+complete\s+programs\b", lambda root, files: sum(
        p.suffix == ".c" and p.parts[0] == "examples" for p in files)),
)


def made_by(text):
    """Files that a page's own recipes make: named, followed by a block of C."""
    return {m for m in re.findall(r"`([\w/.-]+\.[ch])`[^`]*\n\n```c\n/\* SPDX", text)}


def names(text):
    """What stands in single backquotes outside of blocks, as (line, name)."""
    plain = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)
    for m in re.finditer(r"`([^`\n]+)`", plain):
        yield plain.count("\n", 0, m.start()) + 1, m[1]


def declared(root):
    words = set()
    for _, text in rule.sources(root, "include", "src"):
        words |= set(re.findall(r"\biv_\w+", text))
    return words


def of_cmake(root, files):
    """The words of CMake's files, and the names of tests that are scripts."""
    text = "".join((root / p).read_text(encoding="utf-8") for p in files
                   if p.name == "CMakeLists.txt" or p.suffix == ".cmake")
    tests = {pathlib.Path(m[1], m[0]) for m in re.findall(r"iv_script_test\((\w+) (\w+)", text)}
    return set(re.findall(r"\biv_\w+", text)), tests


def answers(files, known):
    """README: every answer of the tool a program can have too; of judging by its own headers."""
    for path in sorted(files):
        m = re.fullmatch(r"cmd_((?!study|papers|judge_|help|manual|completion|schema|version|web)\w+)\.c", path.name)
        if m and f"iv_answer_{m[1]}" not in known:
            yield f"{path}: README says that a program can have its answer, and there is no " \
                f"iv_answer_{m[1]}"


def parts(root, files):
    """architecture.md shows every part of a module."""
    page = pathlib.Path("doc/architecture.md")
    if page in files:
        text = (root / page).read_text(encoding="utf-8")
        for part in re.findall(r"^stat/(\w+):", (root / "tools/layers.txt").read_text(
                encoding="utf-8"), re.M):
            if not re.search(rf"\b{part}\b", text.partition("```\n\n")[0]):
                yield f"{page}:1: the picture of modules lacks the part {part} of stat"


def check(root):
    root = pathlib.Path(root)
    files = set(rule.tracked(root))
    folders = {parent for path in files for parent in path.parents}
    words, tests = of_cmake(root, files)
    known = declared(root) | words
    folders |= tests
    yield from answers(files, known)
    yield from parts(root, files)
    for page in PAGES:
        if pathlib.Path(page) not in files:
            continue
        text = (root / page).read_text(encoding="utf-8")
        made = {p.stem for p in map(pathlib.Path, made_by(text))}
        known_here = known | set(re.findall(r"\biv_\w+", "".join(
            re.findall(r"^```c\n(.*?)^```", text, re.M | re.S))))
        for line, name in names(text):
            path = pathlib.Path(name)
            if re.fullmatch(r"[\w./-]+", name) and "/" in name and path.parts[0] in TOP:
                new = any(stem in path.stem.replace("-", "_") for stem in made)
                if path not in files and path not in folders and not new:
                    yield f"{page}:{line}: there is no {name}"
            m = re.fullmatch(r"(iv_\w+)(\(.*\))?", name)
            if m and m[1] not in known_here and not re.match(r"iv_(x|answer)_", m[1]):
                yield f"{page}:{line}: nothing declares {m[1]}"
        for pattern, count in COUNTS:
            for m in re.finditer(pattern, text):
                said = NUMBERS.get(m[1].lower(), m[1])
                if str(said).isdigit() and int(said) != count(root, files):
                    line = text.count("\n", 0, m.start()) + 1
                    yield f"{page}:{line}: '{' '.join(m[0].split())}', counted " \
                        f"{count(root, files)}"


SOUND = {
    "doc/architecture.md": "Two modules, a part a. `src/base/x.c`, `src/base/`, `iv_a()`, `iv_x_free(NULL)`, "
                           "`src/<module>/y.c`, `iv_unit()`, one `.cpp` files, `cli/seen`.\n",
    "CONTRIBUTING.md": "New, `src/base/share.c`:\n\n```c\n/* SPDX */\nint iv_share(void);\n```\n"
                       "`iv_share()` and `tests/unit/test_share.c`; `no/such` place.\n",
    "include/intervale/base.h": "IV_API int iv_a(void);\n",
    "src/base/x.c": "", "src/base/y.cpp": "", "cli/command/cmd_study_x.c": "",
    "tools/layers.txt": "# modules\nbase:\nnum: base\nstat/a:\ncli: base\n",
    "tests/CMakeLists.txt": "iv_unit(a)\niv_script_test(seen cli seen.py)\n",
}
PLANTED = [
    ({"doc/architecture.md": "\nSee `src/base/z.c`.\n"}, "architecture.md:2: there is no src/base/z.c"),
    ({"doc/architecture.md": "\nSee `iv_gone()`.\n"}, "architecture.md:2: nothing declares iv_gone"),
    ({"doc/architecture.md": "Three modules\n"}, "'Three modules', counted 2"),
    ({"doc/architecture.md": "the two `.cpp` files\n"}, "counted 1"),
    ({"doc/architecture.md": "fewer than two thousand lines\n"}, "counted 1"),
    ({"cli/command/cmd_next.c": ""}, "there is no iv_answer_next"),
    ({"tools/layers.txt": "base:\nnum: base\nstat/lost:\n"}, "lacks the part lost"),
    ({"CONTRIBUTING.md": "`src/base/share.c` and nothing made\n"}, "there is no src/base/share.c"),
]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

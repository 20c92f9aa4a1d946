# SPDX-License-Identifier: Apache-2.0
"""Files and functions stay short, say their licence, and live in named places.

usage: style.py ROOT
"""
import pathlib
import re

import rule

MOST_LINES, MOST_FUNCTION = 1000, 60
NO_FOLDERS = {"utils", "common", "misc", "helpers", "core"}
LICENSED = rule.SOURCES | {".py", ".sh", ".cmake", ".in", ".js", ".mk"}
LICENSED_NAMES = {"CMakeLists.txt", "Makefile", "layers.txt"}
# Written so that the rule does not find itself.
MACHINE = re.compile(r"(?<![\w.$}{)%*-])/(?:home|root|work|Users|builds?)/\w" + "|"
                     + r"\.\./" + "shared")

HEAD = f"/* {rule.SPDX} */\n"


def functions(text):
    """The function definitions of a C or C++ text, as (line, length)."""
    plain = rule.without_directives(rule.without_comments(text))
    plain = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                   lambda m: "x" * len(m[0]), plain)
    plain = re.sub(r"\b(extern\s+x+|namespace(?:\s+[\w:]+)?)\s*\{",
                   lambda m: re.sub(r"[^\n]", " ", m[0]), plain)
    depth, start, opened = 0, 0, False # start: behind the last statement at file scope
    for m in re.finditer(r"[{};]", plain):
        if m[0] == "{":
            depth += 1
            if depth == 1:
                head = plain[start:m.start()]
                opened = head.rstrip().endswith((")", "noexcept", "const")) \
                    and not re.search(r"=(?![^()]*\))", head)
                first = start + len(head) - len(head.lstrip())
        elif m[0] == "}":
            depth = max(depth - 1, 0)
            if depth == 0:
                if opened:
                    line = plain.count("\n", 0, first) + 1
                    yield line, plain.count("\n", first, m.start()) + 1
                start, opened = m.end(), False
        elif depth == 0:
            start = m.end()


def check_lengths(root):
    for path, text in rule.sources(root, "src", "cli", "include"):
        lines = text.count("\n")
        if lines > MOST_LINES:
            yield f"{path}: {lines} lines, at most {MOST_LINES}"
        for line, length in functions(text):
            if length > MOST_FUNCTION:
                yield f"{path}:{line}: a function of {length} lines, at most {MOST_FUNCTION}"


def check_comments(root):
    """Every public function has a comment above it or above its group.

    A group is unbroken by empty lines, and begins with the types it is about.
    """
    for path, text in rule.sources(root, "include"):
        blocks = re.split(r"\n[ \t]*\n", text)
        said, line = False, 1 # said: a comment stands above, with only types between
        for block in blocks:
            fresh = re.match(r"\s*/\* -{5}.*-- \*/\s*$", block) \
                or re.search(r"^\s*#", block, re.M) # a heading, or before everything
            above = block.replace(HEAD.strip(), "").split("IV_API")[0]
            said = not fresh and (said or "*/" in above)
            for at, name in rule.declarations(block):
                if not said:
                    yield f"{path}:{line + at - 1}: {name} has no comment above it or its group"
            said = said and "IV_API" not in block
            line += block.count("\n") + 2


def check_tracked(root):
    for path in rule.tracked(root):
        for part in path.parts[:-1]:
            if part in NO_FOLDERS:
                yield f"{path}: a folder named '{part}' says nothing"
        try:
            text = (pathlib.Path(root) / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if path.suffix in LICENSED or path.name in LICENSED_NAMES or text.startswith("#!"):
            head = text.split("\n")[:2]
            if not any(rule.SPDX in line for line in
                       (head if text.startswith("#!") else head[:1])):
                yield f"{path}:1: expected {rule.SPDX}"
        for no, line in enumerate(text.split("\n"), 1):
            m = MACHINE.search(line)
            if m:
                yield f"{path}:{no}: '{m[0]}' is a place on one machine"


def check(root):
    yield from check_tracked(root)
    yield from check_lengths(root)
    yield from check_comments(root)


def long_function(lines):
    return f"/* {rule.SPDX} */\nstatic int f(int a,\n    int b)\n{{\n" \
        + "    a++;\n" * (lines - 4) + "}\n"


SOUND = {
    "src/base/a.c": long_function(60) + "static const int t[] = {\n" + "1,\n" * 99 + "};\n",
    "src/base/b.cpp": HEAD + 'extern "C" {\nint g(void) { return 1; }\n}\n',
    "src/base/c.c": HEAD + "\n" * 999,
    "include/intervale/base.h": HEAD + "/* Says. */\nIV_API int iv_a(int x,\n    int y);\n"
                                "IV_API int iv_b(void);\n\n/* Both. */\n"
                                "typedef struct iv_c iv_c;\n\nIV_API void iv_c_free(iv_c *c);\n"
                                "IV_API int iv_c_x(const iv_c *c);\n",
    "tools/a.sh": f"#!/bin/sh\n# {rule.SPDX}\necho a/home/x ${{root}}/home/y\n",
}
PLANTED = [
    ({"src/base/a.c": long_function(61)}, "src/base/a.c:2: a function of 61 lines"),
    ({"src/base/b.cpp": HEAD + 'extern "C" {\n' + long_function(61) + "}\n"},
     "a function of 61 lines"),
    ({"cli/a.c": HEAD + "\n" * 1000}, "cli/a.c: 1001 lines"),
    ({"include/intervale/base.h": HEAD + "\n" * 1000}, "1001 lines"),
    ({"include/intervale/base.h": HEAD + "\nIV_API int iv_a(void);\n"}, "iv_a has no comment"),
    ({"include/intervale/base.h": HEAD + "/* Says. */\nIV_API int iv_a(void);\n\n"
      "IV_API int iv_b(void);\n"}, "iv_b has no comment"),
    ({"include/intervale/base.h": HEAD + "/* Says. */\nIV_API int iv_a(void);\n\n"
      "IV_API int iv_b(const iv_c *c);\n"}, "iv_b has no comment"),
    ({"include/intervale/base.h": HEAD + "/* Says. */\nIV_API int iv_a(void);\n\n"
      "IV_API void iv_c_free(iv_c *c);\n"}, "iv_c_free has no comment"),
    ({"include/intervale/base.h": HEAD + "/* What it is. */\n#ifndef X\n#define X\n\n"
      "IV_API int iv_a(void);\n#endif\n"}, "iv_a has no comment"),
    ({"include/intervale/base.h": HEAD + "/* Says. */\nIV_API int iv_a(void);\n\n"
      "/* -------- next -- */\n\nIV_API int iv_b(int x);\n"}, "iv_b has no comment"),
    ({"src/base/a.c": "int x;\n"}, "src/base/a.c:1: expected SPDX"),
    ({"tools/a.sh": "#!/bin/sh\necho\n"}, "tools/a.sh:1: expected SPDX"),
    ({"tools/b": "#!/bin/sh\necho\n"}, "tools/b:1: expected SPDX"),
    ({"cmake/x.cmake": "set(x)\n"}, "cmake/x.cmake:1: expected SPDX"),
    ({"tests/CMakeLists.txt": "set(x)\n"}, "tests/CMakeLists.txt:1: expected SPDX"),
    ({"src/base/utils/a.c": HEAD}, "named 'utils'"),
    ({"tests/core/a.txt": ""}, "named 'core'"),
    ({"README.md": "see /" + "home/somebody/x\n"}, "README.md:1:"),
    ({"doc/x.md": "\nin ../" + "shared/x\n"}, "doc/x.md:2:"),
]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

# SPDX-License-Identifier: Apache-2.0
"""Every function that the public headers declare is used by a test in C, and every command
that computes is among those whose faults are tested.

usage: tested.py ROOT CC

A name counts where it stands in a C file of tests/, outside comments and
strings, and not as a declaration.  Names that macros make by pasting (##) are
looked for behind the preprocessor.
"""
import pathlib
import re
import subprocess
import sys

import rule


def expanded(root, path):
    """The file's own lines as the compiler sees them."""
    root = pathlib.Path(root)
    done = subprocess.run(
        [sys.argv[2], "-E", "-std=c11", "-D_XOPEN_SOURCE=700", '-DTESTS_DIR=""',
         "-I", root / "include", "-I", root / "src", "-I", root / "tests" / "unit",
         root / path], capture_output=True, text=True, check=True)
    mine, out = False, []
    for line in done.stdout.splitlines():
        mark = re.match(r'# \d+ "(.*?)"', line)
        if mark:
            mine = pathlib.Path(mark[1]).name == path.name
        elif mine:
            out.append(line)
    return "\n".join(out)


def used_names(root):
    names = set()
    for path, text in rule.sources(root, "tests"):
        plain = rule.without_comments(text)
        if re.search(r"\biv_\w*##", plain):
            plain += expanded(root, path)
        plain = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', plain)
        names |= set(re.findall(r"\biv_\w+", plain))
    return names


def check(root):
    used = used_names(root)
    for path, text in rule.sources(root, "include"):
        for line, name in rule.declarations(text):
            if name not in used:
                yield f"{path}:{line}: {name} is in no test"
    table, faults = (pathlib.Path(root) / name for name in
                     ("cli/frame/cmd.h", "tests/fault/test_commands.c"))
    for name in re.findall(r"^extern const cmd (cmd_\w+);", table.read_text(), re.M):
        if name not in SAY and f"&{name}," not in faults.read_text():
            yield f"{faults.relative_to(root)}: {name} is missing"


# They tell what the program is (cli/failures), or serve (judge/*, web/*).
SAY = ["cmd_" + n for n in ("help", "version", "manual", "completion", "judge_serve", "web")]

HEADER = "IV_API int iv_a(int x);\nIV_API int iv_b(int x);\nIV_API int iv_c(int x);\n"
SOUND = {
    "cli/frame/cmd.h": "extern const cmd cmd_a;\nextern const cmd cmd_help;\n",
    "tests/fault/test_commands.c": "{ &cmd_a, 0 }\n",
    "include/intervale/base.h": HEADER,
    "tests/unit/test.c": "static int x(void) { return iv_a(1); }\n"
                         "static int (*y)(int) = iv_b;\n",
    "tests/unit/test_paste.c": "#define ROW(n) iv_##n\nstatic int (*z)(int) = ROW(c);\n",
}
PLANTED = [
    ({"tests/fault/test_commands.c": "cmd_a\n"}, "test_commands.c: cmd_a is missing"),
    ({"include/intervale/base.h": HEADER + "IV_API int iv_d(void);\n"}, "base.h:4: iv_d"),
    ({"tests/unit/test_paste.c": "/* iv_c(1); */\n"}, "iv_c is in no test"),
    ({"tests/unit/test_paste.c": 'static const char *x = "iv_c";\n'}, "iv_c is in no test"),
    ({"tests/unit/test_paste.c": None, "examples/a.c": "iv_c(1);\n"}, "iv_c is in no test"),
    ({"tests/unit/test_paste.c": "#define ROW(n) iv_##n\nint x;\n"}, "iv_c is in no test"),
]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

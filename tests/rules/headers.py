# SPDX-License-Identifier: Apache-2.0
"""Each public header compiles alone, twice in a row, as C99, as C11 and as C++17; headers that a comment names are there.

usage: headers.py ROOT CC CXX
"""
import pathlib
import re
import subprocess
import sys

import rule

STRICT = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wundef", "-Werror"]


def check(root):
    folder = pathlib.Path(root) / "include"
    names = sorted(str(p.relative_to(folder)) for p in folder.rglob("*.h"))
    there = {name.removeprefix("intervale/") for name in names} | set(names)
    for name in names:
        for comment in re.findall(r"/\*.*?\*/", (folder / name).read_text(), re.DOTALL):
            for named in re.findall(r"[\w/]+\.h\b", comment):
                beside = str(pathlib.Path(name).parent / named).removeprefix("intervale/")
                if named not in there and beside not in there:
                    yield f"include/{name}: names {named}, which is not there"
        text = f'#include "{name}"\n#include "{name}"\nint main(void) {{ return 0; }}\n'
        for compiler, language in ((sys.argv[2], ["-std=c99", "-x", "c"]),
                                   (sys.argv[2], ["-std=c11", "-x", "c"]),
                                   (sys.argv[3], ["-std=c++17", "-x", "c++"])):
            done = subprocess.run([compiler, *STRICT, *language, "-I", folder, "-"],
                                  input=text, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                yield f"include/{name}: not by itself {language[0]}: {done.stderr.strip()}"


GUARDED = "#ifndef A_H\n#define A_H\n{}\n#endif\n"
SOUND = {"include/a.h": GUARDED.format("#include <stddef.h>\n/* See a.h. */\nsize_t f(void);")}
PLANTED = [
    ({"include/a.h": GUARDED.format("size_t f(void);")}, "-std=c99"),
    ({"include/a.h": GUARDED.format("typedef int t;\ntypedef int t;")}, "-std=c99"),
    ({"include/a.h": GUARDED.format("int f(int class);")}, "-std=c++17"),
    ({"include/a.h": GUARDED.format("enum { X = 1LL << 40 };\nstatic int unused;")}, "-std=c"),
    ({"include/a.h": GUARDED.format("/* See b.h. */")}, "names b.h"),
    ({"include/a.h": "typedef struct s { int x; } s;\n"}, "redefinition"),
]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

# SPDX-License-Identifier: Apache-2.0
"""No two types share a name, but for those that live in one .c file each.

usage: type_names.py ROOT
"""
import re

import rule


def types(text):
    """The types that a C text defines, as (line, name): tags and typedefs.

    A struct and its typedef may have one name; a tag without a body is no definition.
    """
    plain = rule.without_directives(rule.without_comments(text))
    plain = re.sub(r'"(?:\\.|[^"\\\n])*"', lambda m: "x" * len(m[0]), plain)
    found = {}
    for m in re.finditer(r"\b(?:struct|union|enum)\s+(\w+)\s*\{", plain):
        found.setdefault(m[1], m.start())
    flat = plain
    while True:  # bodies vanish from the inside out; lines stay
        less = re.sub(r"\{[^{}]*\}", lambda m: re.sub(r"[^\n]", " ", m[0]), flat)
        if less == flat:
            break
        flat = less
    for m in re.finditer(r"\btypedef\b([^;]*);", flat):
        words = re.sub(r"\[[^\]]*\]", "", m[1])
        pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", words)
        name = pointer or re.search(r"(\w+)\s*\(", words) or re.search(r"(\w+)\s*$", words)
        # typedef struct x x; only announces what is defined elsewhere.
        if name and not re.fullmatch(rf"\s*(?:struct|union|enum)\s+{name[1]}\s+{name[1]}\s*",
                                     m[1]):
            found.setdefault(name[1], m.start())
    for name, at in found.items():
        yield plain.count("\n", 0, at) + 1, name


def check(root):
    texts = list(rule.sources(root, "include", "src", "cli"))
    seen = {}
    # Headers first: what they define, nobody else may.
    for path, text in sorted(texts, key=lambda t: (t[0].suffix != ".h", t[0])):
        for line, name in types(text):
            if name in seen:
                yield f"{path}:{line}: type '{name}' has the name of one in {seen[name]}"
            elif path.suffix == ".h":
                seen[name] = f"{path}:{line}"


SOUND = {
    "include/intervale/a.h": "typedef struct iv_a {\n    struct iv_in { int y; } x;\n} iv_a;\n"
                             "typedef struct iv_b iv_b;\ntypedef int (*iv_f)(void *user);\n",
    "src/base/b.h": "struct iv_b { int x; };\nstatic inline int f(struct iv_b b) { return b.x; }\n",
    "src/base/c.c": "typedef enum colour { RED } colour;\n/* typedef int iv_a; */\n",
    "cli/command/c2.c": "typedef enum colour { GREEN } colour;\n",
    "cli/frame/d.h": "typedef struct iv_b iv_b;\ntypedef const char *const *words(void);\n",
}
PLANTED = [
    ({"src/base/z.c": "\ntypedef struct iv_a { int q; } iv_a;\n"}, "src/base/z.c:2: type 'iv_a'"),
    ({"cli/z.c": "struct iv_in { int q; };\n"}, "cli/z.c:1: type 'iv_in'"),
    ({"src/base/b.h": "typedef int colour;\n"}, "'colour' has the name of one in src/base/b.h:1"),
    ({"src/base/z.c": "typedef void (*words)(int);\n"}, "type 'words'"),
    ({"src/base/z.h": "enum words { BLUE };\n"}, "src/base/z.h:1: type 'words'"),
]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

# SPDX-License-Identifier: Apache-2.0
"""The shared library exports what the headers declare IV_API, no more, no less;
the static one takes no name outside iv_ from those who link it.

usage: symbols.py ROOT NM SHARED STATIC
"""
import subprocess
import sys

import rule

# Names that linkers of some systems put into every shared library.
LINKER = {"_init", "_fini", "__bss_start", "_edata", "_end"}


def names_of(*command):
    """(kind, name) of each symbol that nm lists."""
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        words = line.split()
        if len(words) == 3:
            yield words[1], words[2].split("@")[0]


def compare(declared, exported, static):
    for name in sorted(declared - exported):
        yield f"{name}: declared IV_API but not exported"
    for name in sorted(exported - declared - LINKER):
        yield f"{name}: exported but not declared IV_API"
    for kind, name in sorted(static):
        # Weak symbols are the C++ library's templates, which may occur twice.
        if not name.startswith("iv_") and kind not in "WVwvu":
            yield f"{name}: a global name outside iv_ in the static library"


def check_project(root):
    declared = set()
    for _, text in rule.sources(root, "include"):
        declared |= {name for _, name in rule.declarations(text)}
    exported = {name for kind, name in names_of(sys.argv[2], "-D", "--defined-only",
                                                sys.argv[3]) if kind != "A"} # versions are
    static = set(names_of(sys.argv[2], "-g", "--defined-only", sys.argv[4]))
    return list(compare(declared, exported, static))


def self_test():
    header = ("#define IV_API x\n/* IV_API int iv_gone(void); */\n"
              "IV_API int iv_a(int x,\n    int (*f)(int)) IV_PRINTF(1, 2);\n"
              "IV_API IV_MUST_CHECK int\niv_b(void);\nIV_API extern const int iv_c[3];\n"
              "IV_API const char *const *iv_d(void);\n")
    got = [name for _, name in rule.declarations(header)]
    assert got == ["iv_a", "iv_b", "iv_c", "iv_d"], got
    sound = set(got), set(got) | {"_init"}, {("T", "iv_a"), ("W", "_ZSt1x")}
    assert not list(compare(*sound))
    for declared, exported, static, part in (
            (set(got) | {"iv_e"}, sound[1], sound[2], "iv_e: declared"),
            (sound[0], sound[1] | {"iv_e"}, sound[2], "iv_e: exported"),
            (sound[0], sound[1] | {"_ZSt1x"}, sound[2], "_ZSt1x: exported"),
            (sound[0], sound[1], {("T", "helper")}, "helper: a global name")):
        assert any(part in line for line in compare(declared, exported, static)), part


if __name__ == "__main__":
    self_test()
    found = check_project(sys.argv[1])
    for line in found:
        print(line)
    sys.exit(f"{len(found)} violations" if found else 0)

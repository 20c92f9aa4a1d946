# SPDX-License-Identifier: Apache-2.0
"""Structs and enums of the public headers change only with the library's number.

usage: abi.py ROOT

cmake/abi.txt holds the number (SOVERSION) and a digest of the definitions, or "open"
while no release has that number.  INTERVALE_UPDATE=1 writes the digest.  Headers
of experimental functions (IV_EXPERIMENTAL) promise nothing and are left out.
"""
import hashlib
import os
import pathlib
import re
import sys

import rule

RECORD = "cmake/abi.txt"


def definitions(text):
    """The struct, union and enum definitions of a header, blanks squeezed."""
    plain = rule.without_comments(text)
    depth, start = 0, None
    for m in re.finditer(r"\b(?:struct|union|enum)\b[^;{}()]*\{|[{}]|;", plain):
        if depth == 0 and m[0].endswith("{") and m[0] != "{":
            start, depth = m.start(), 1
        elif depth > 0 and m[0].endswith("{"):
            depth += 1
        elif depth > 0 and m[0] == "}":
            depth -= 1
            if depth == 0:
                yield re.sub(r"\s+", " ", plain[start:m.end()])
                start = None


def digest_of(root):
    all_of_them = [d for _, text in rule.sources(root, "include")
                   if not re.search(r"^IV_API IV_EXPERIMENTAL", text, re.M) for d in definitions(text)]
    return hashlib.sha256("\n".join(sorted(all_of_them)).encode()).hexdigest()


def recorded(root):
    for line in (pathlib.Path(root) / RECORD).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#") and line.strip():
            return line.split()
    return []


def check(root):
    words = recorded(root)
    if len(words) != 2 or not words[0].isdigit():
        yield f"{RECORD}: expected a number and a digest"
    elif words[1] not in ("open", digest_of(root)):
        yield (f"{RECORD}: structs of include/ are not those of number {words[0]}; "
               "give the library the next number, and INTERVALE_UPDATE=1 records them")


def update(root):
    path = pathlib.Path(root) / RECORD
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"^(\d+) \S+$", lambda m: f"{m[1]} {digest_of(root)}", text,
                           flags=re.M), encoding="utf-8")


HEADER = "/* x */\nenum { IV_A, IV_B = 2 };\ntypedef struct iv_x {\n    int a; /* n */\n} iv_x;\n"
DIGEST = hashlib.sha256("\n".join(
    ["enum { IV_A, IV_B = 2 }", "struct iv_x { int a; }"]).encode()).hexdigest()
SOUND = {"include/intervale/base.h": HEADER, RECORD: f"# x\n1 {DIGEST}\n"}
PLANTED = [
    ({"include/intervale/base.h": HEADER.replace("int a", "long a")}, "not those of number 1"),
    ({"include/intervale/base.h": HEADER.replace("IV_B = 2", "IV_B = 3")}, "not those of"),
    ({"include/intervale/more.h": "struct iv_y { struct { int b; } c; };\n"}, "not those of"),
    ({RECORD: "# x\n"}, "expected a number and a digest"),
]

if __name__ == "__main__":
    if os.environ.get("INTERVALE_UPDATE"):
        update(sys.argv[1])
    rule.judge(check, SOUND, PLANTED)

# SPDX-License-Identifier: Apache-2.0
"""A release is hardened: PIE, full RELRO, stack protector, FORTIFY, no executable stack.

usage: hardened.py READELF FILE...

Of a static library, which others link, what its compiler does is looked for.
"""
import subprocess
import sys

READELF, *FILES = sys.argv[1:]


def flaws(path):
    """What the file lacks."""
    text = subprocess.run([READELF, "-W", "-h", "-S", "-l", "-d", "-s", path],
                          capture_output=True, text=True, check=True).stdout
    if "__stack_chk_fail" not in text:
        yield "the stack protector"
    if "_chk" not in text.replace("__stack_chk_fail", ""):
        yield "FORTIFY"
    if path.endswith(".a"):
        marks = [l.partition("PROGBITS")[2].split() for l in text.splitlines()
                 if ".note.GNU-stack" in l and "PROGBITS" in l]
        if len(marks) != text.count("ELF Header:") or any("X" in m[4] for m in marks):
            yield "a stack that is not executable"
        return
    stack = [l.split() for l in text.splitlines() if "GNU_STACK" in l]
    if not any(l.strip().startswith("Type:") and "DYN" in l for l in text.splitlines()):
        yield "position-independent code"
    if "GNU_RELRO" not in text:
        yield "RELRO"
    if "BIND_NOW" not in text and not any("FLAGS" in l and "NOW" in l
                                          for l in text.splitlines()):
        yield "immediate binding"
    if not stack or any("E" in w for s in stack for w in s[6:7]):
        yield "a stack that is not executable"


def main():
    bad = [f"{path}: lacks {flaw}" for path in FILES for flaw in flaws(path)]
    if len(FILES) < 3:
        bad.append("expected a tool and libraries")
    print("\n".join(bad))
    sys.exit(1 if bad else 0)


main()

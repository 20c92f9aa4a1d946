# SPDX-License-Identifier: Apache-2.0
"""Workflows and recipes keep up with the tree: what they make can be made, and every library
that tools/setup.sh looks for is named wherever dependencies are listed.

usage: packaging.py ROOT
"""
import pathlib
import re

import rule

# Where the words of setup.sh do: one is found if its letters are, as in "KISS FFT".
WORDS = ("packaging/nix/default.nix", "packaging/conda/meta.yaml", "tools/sbom.py")
# Who names packages by a column of its table: Debian's, Fedora's, Alpine's, Homebrew's.
COLUMNS = {"debian/control": (1,), "packaging/homebrew/intervale.rb": (4,),
           "pyproject.toml": (2, 3, 4), "README.md": (1, 2, 3, 4)}


def libraries(setup):
    """The libraries a build looks for, each with its packages: [name, Debian's, ...]."""
    looked = setup.partition("if [ $what != dist ]; then")[2].partition("\nfi\n")[0]
    rows = {line.split(":")[0]: line.split(":") for line in setup.splitlines()
            if line.count(":") >= 4}
    for name in re.findall(r"has_header \S+ \|\| (?:need|want) (\S+)", looked):
        yield [word.strip('"') for word in rows[name]]


def letters(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def check(root):
    root = pathlib.Path(root)
    texts = {str(p): (root / p).read_text(encoding="utf-8") for p in rule.tracked(root)
             if p.parts[0] in (".github", "debian", "packaging")
             or str(p) in {*WORDS, *COLUMNS, "Makefile", "tools/setup.sh", "include/intervale/base.h"}}
    targets = set(re.findall(r"^([a-z-]+):", texts["Makefile"], re.M))
    version = ".".join(re.findall(r"#define IV_VERSION_\w+ +(\d+)",
                                  texts["include/intervale/base.h"]))
    for name, text in texts.items():
        if not name.startswith((".github/", "packaging/")):
            continue
        for used in re.findall(r"(?:^\s*(?:- )?(?:uses:|image:|FROM) *(?!scratch$)|(?=\b(?:debian|ubuntu|fedora|alpine):\S))"
                               r"([^\s']+)", text, re.M):  # a tag can be moved
            if not re.search(r"@(?:[0-9a-f]{40}|sha256:[0-9a-f]{64})$", used):
                yield f"{name}: {used} is not pinned by its hash"
        for made in re.findall(r"\bmake ([a-z-]+)", re.sub(r"^\s*#.*$|\.md$", "", text, flags=re.M)):
            if made not in targets:
                yield f"{name}: there is no make {made}"
        for said in re.findall(r"\b\d+\.\d+\.\d+\b", text):
            if name.startswith("packaging/") and said != version:
                yield f"{name}: version {said}, expected {version}"
        for jobs in re.findall(r"^ *target: \[(.*)\]", text, re.M):
            for made in set(jobs.replace(",", " ").split()) - targets:
                yield f"{name}: there is no make {made}"
    found = list(libraries(texts["tools/setup.sh"]))
    if len(found) < 2:
        yield "tools/setup.sh: its libraries are not found"
    for row in found:
        for name in WORDS:
            if letters(row[0]) not in letters(texts[name]):
                yield f"{name}: {row[0]} is missing"
        for name, columns in COLUMNS.items():
            for package in (row[c] for c in columns):
                if package and package not in texts[name]:
                    yield f"{name}: {package} is missing"


SOUND = {
    "Makefile": "test:\n\t@true\n",
    ".github/workflows/ci.yml": "target: [test]\n- run: make test\n",
    "include/intervale/base.h": "#define IV_VERSION_MAJOR 1\n#define IV_VERSION_MINOR 2\n"
                                "#define IV_VERSION_PATCH 3\n",
    "tools/setup.sh": "if [ $what != dist ]; then\n has_header a.h || need kissfft\n"
                      " has_header z.h || want zlib\nfi\n"
                      'table="compiler:gcc:gcc:gcc:gcc\nkissfft:libkissfft-dev:kiss-fft-devel::kissfft\n'
                      'zlib:zlib1g-dev:zlib-devel:zlib-dev:zlib"\n',
    "debian/control": "libkissfft-dev zlib1g-dev",
    "packaging/homebrew/intervale.rb": 'version "1.2.3"\nkissfft zlib',
    "packaging/nix/default.nix": "kissfft zlib", "packaging/conda/meta.yaml": "kissfft zlib",
    "tools/sbom.py": '("KISS FFT"), ("zlib")',
    "pyproject.toml": "kiss-fft-devel zlib-devel zlib-dev kissfft",
    "README.md": "libkissfft-dev zlib1g-dev kiss-fft-devel zlib-devel zlib-dev kissfft zlib",
}
PLANTED = [
    ({".github/workflows/ci.yml": "- run: make nothing\n"}, "ci.yml: there is no make nothing"),
    ({".github/workflows/ci.yml": "- run: make test\n- uses: actions/checkout@v4\n"},
     "ci.yml: actions/checkout@v4 is not pinned by its hash"),
    ({".github/workflows/ci.yml": "- run: make test\n  container: debian:${{ matrix.debian }}\n"},
     "ci.yml: debian:${{ is not pinned by its hash"),
    ({".github/workflows/ci.yml": "target: [test, none]\n"}, "ci.yml: there is no make none"),
    ({"packaging/homebrew/intervale.rb": 'version "1.2.2"\nkissfft zlib'},
     "intervale.rb: version 1.2.2, expected 1.2.3"),
    ({"tools/sbom.py": '("KISS FFT")'}, "tools/sbom.py: zlib is missing"),
    ({"debian/control": "zlib1g-dev"}, "debian/control: libkissfft-dev is missing"),
]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes python/intervale/_questions.py from the headers and the option tables.

usage: python_questions.py ROOT [--check]

What the Python package knows of the library's questions, their fields and the
options of each command, is read off the sources and never written by hand.
--check fails when the file is not what would be written; tests/python/layout.py
compares its structs with what the C compiler says.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
OUT = ROOT / "python" / "intervale" / "_questions.py"
# Written by hand in the package: what every call needs.
BASE = {"iv_err", "iv_str", "iv_texts", "iv_reals", "iv_integers", "iv_work", "iv_progress"}
SIMPLE = {"bool": "c_bool", "char": "c_char", "int": "c_int", "double": "c_double",
          "int32_t": "c_int32", "int64_t": "c_int64", "uint32_t": "c_uint32",
          "uint64_t": "c_uint64", "size_t": "c_size_t", "unsigned": "c_uint"}
# Beside the questions: what can be built from memory, and what describes an answer.
MORE = ["iv_run_columns", "iv_judgment_columns", "iv_labels_options", "iv_strata_row",
        "iv_strata_table", "iv_column", "iv_cell", "iv_report_options", "iv_evaluated", "iv_source", "iv_evaluating",
        "iv_input", "iv_note", "iv_citation", "iv_claim"]


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def read_headers():
    """The structs with their declarations, and the names of all enums."""
    text = without_comments("\n".join(
        p.read_text(encoding="utf-8") for p in sorted((ROOT / "include").rglob("*.h"))))
    enums = set(re.findall(r"typedef enum (\w+)", text))
    structs = {}
    for found in re.finditer(r"typedef struct (\w+) \{(.*?)\n\} \1;", text, flags=re.S):
        structs[found[1]] = found[2]
    return structs, enums


def ctype(name, stars, structs, enums):
    """The type of ctypes for a C type."""
    if stars:
        if (name, stars) == ("char", 1):
            return "c_char_p"
        inner = ctype(name, stars - 1, structs, enums) if name in SIMPLE or name in enums \
            or name in BASE or name in structs else None
        return "c_void_p" if inner is None else f"POINTER({inner})"
    if name in SIMPLE:
        return SIMPLE[name]
    if name in enums:
        return "c_int"
    if name in structs or name in BASE:
        return name
    sys.exit(f"python_questions.py: what is the type {name}?")


def fields_of(body, structs, enums):
    for line in body.split(";"):
        line = re.sub(r"\bconst\b|\bstruct\b", " ", " ".join(line.split())).strip()
        if not line:
            continue
        pointer = re.fullmatch(r"\w+ \(\*(\w+)\)\(.*\)", line)
        if pointer:
            yield pointer[1], "c_void_p"
            continue
        name, rest = line.split(None, 1)
        for one in rest.split(","):
            stars = one.count("*")
            one = one.replace("*", "").strip()
            array = re.fullmatch(r"(\w+)\[(\d+)\]", one)
            kind = ctype(name, stars, structs, enums)
            yield (array[1], f"{kind} * {array[2]}") if array else (one, kind)


def preprocessed(path):
    """A command's file as the compiler sees it, macros gone."""
    cc = os.environ.get("CC", "cc")
    said = subprocess.run([cc, "-E", "-P", "-I", ROOT / "include", "-I", ROOT / "src", "-I",
                           ROOT / "cli", path], check=True, capture_output=True, text=True).stdout
    return " ".join(said.split())


def about_of(row):
    """What an option's row says of it, as Python calls the others."""
    said = {}
    for part in ("help", "usual"):
        found = re.search(rf'\.{part} = \(?((?:"(?:[^"\\]|\\.)*" ?)+)', row)
        said[part] = "" if found is None else "".join(
            re.findall(r'"((?:[^"\\]|\\.)*)"', found[1])).replace('\\"', '"')
    text = said["help"] + (f" (usual: {said['usual']})" if said["usual"] else "")
    return re.sub(r"--([a-z][a-z-]+)", lambda m: m[1].replace("-", "_"), text)


def read_commands(structs):
    """Of each command with a question: its type, and option -> (field, list of words, zero, what
    it is)."""
    for path in sorted((ROOT / "cli" / "command").glob("cmd_*.c")):
        text = preprocessed(path)
        command = re.search(r'const cmd cmd_\w+ = \{ \.name = "([\w ]+)"', text)
        size = re.search(r"\.args_size = sizeof ?\((\w+)\)", text)
        if command is None or size is None or command[1].startswith(("study", "papers")):
            continue
        alias = dict((b, a) for a, b in re.findall(r"typedef (\w+) (\w+);", text))
        question = alias.get(size[1], size[1])
        if not re.fullmatch(r"iv_\w+_question", question):  # what has no answer, as sort
            continue
        options = {}
        for row in text.split("{ .kind = ")[1:]:
            name = re.search(r"\.letter = \('?(.)'?\), \.name = \((?:\"([\w-]+)\"|.*?)\), \.value",
                             row)
            field = re.search(r"\.offset = \(+__builtin_offsetof ?\((\w+), ([\w.]+)\)", row)
            if name is None or field is None or alias.get(field[1], field[1]) != question:
                continue
            words = re.search(r"\.names = \((\w+)\)", row)
            options[(name[2] or name[1]).replace("-", "_")] = (
                field[2], words and words[1], ".zero = 1" in row or ".zero = true" in row, about_of(row))
        where = re.search(r"\.confidence = \(1 \+ \(__builtin_offsetof ?\(\w+, ([\w.]+)\)", text)
        if where:
            options["confidence"] = (where[1], None, False, "confidence of every interval")
        if " not_worse;" in structs[question]:  # the tool's gate is an exit status, too
            options["gate"] = ("not_worse", None, False, "a verdict on every run, by baseline and margin")
        if " gate_on_worse;" in structs[question]:
            options["gate_on_worse"] = ("gate_on_worse", None, False,
                                        "with gate: only a demonstrated loss fails")
        yield command[1], question, options


def ordered(wanted, structs, enums):
    """The structs in an order in which each comes after those it holds."""
    done = []

    def visit(name):
        if name in done or name in BASE or name not in structs:
            return
        for _, kind in fields_of(structs[name], structs, enums):
            for inner in re.findall(r"\biv_\w+", kind):
                visit(inner)
        done.append(name)

    for name in wanted:
        visit(name)
    return done


def read_usual():
    """The names by which columns of scores are known, by their roles."""
    text = (ROOT / "src/trec/scores.c").read_text(encoding="utf-8")
    roles = re.search(r"IV_NAMES\(iv_score_role_names,(.*?)\)", text, re.S)[1]
    names = re.search(r"iv_score_usual\(.*?\n}", text, re.S)[0]
    lists = re.findall(r"\{([^{}]+)\}", names.partition("=")[2])
    return [(role, re.findall(r'"(\w+)"', of)) for role, of in
            zip(re.findall(r'"(\w+)"', roles), lists)]


def write():
    structs, enums = read_headers()
    commands = list(read_commands(structs))
    lines = ["# SPDX-License-Identifier: Apache-2.0",
             '"""The questions of the library, made by tools/python_questions.py from its headers."""',
             "from ctypes import (POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int,",
             "                    c_int32, c_int64, c_size_t, c_uint, c_uint32, c_uint64, c_void_p)",
             "", f"from ._base import {', '.join(sorted(BASE - {'iv_err'}))}", ""]
    for name in ordered([q for _, q, _ in commands] + [m for m in MORE if m in structs], structs,
                        enums):
        lines += ["", f"class {name}(Structure):", "    _fields_ = ["]
        lines += [f'        ("{field}{"_" if field == "from" else ""}", {kind}),'
                  for field, kind in fields_of(structs[name], structs, enums)]
        lines += ["    ]", ""]
    lines += ["", "# Command: its question, and its options: the field, the function that lists the",
              "# words it may have, whether 0 is a number that can be meant, what it is.", "COMMANDS = {"]
    for command, question, options in commands:
        lines.append(f'    "{command}": ({question}, {{')
        for name, (field, words, zero, about) in sorted(options.items()):
            field = re.sub(r"\bfrom\b", "from_", field)
            lines += [f'        "{name}": ("{field}", {words and json.dumps(words)}, {zero},',
                      f"            {json.dumps(about, ensure_ascii=False)}),"]
        lines.append("    }),")
    lines += ["}", "", "# Columns of scores: what they are, and the names they are known by.", "USUAL = {"]
    lines += [f'    "{role}": ({", ".join(map(json.dumps, names))}{"," * bool(names)}),' for role, names in read_usual()]
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    text = write()
    if "--check" not in sys.argv:
        OUT.write_text(text, encoding="utf-8")
    elif OUT.read_text(encoding="utf-8") != text:
        sys.exit("python/intervale/_questions.py is not what the headers say; "
                 "python3 tools/python_questions.py . writes it")

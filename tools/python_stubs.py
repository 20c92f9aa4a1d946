#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes python/intervale/__init__.pyi, the types of the package, from what its functions take.

usage: python_stubs.py ROOT LIBRARY [--check]

Options, and the words they may be, are those of the library.  --check fails when the file is not
what would be written.
"""
import inspect
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
OUT = ROOT / "python" / "intervale" / "__init__.pyi"
os.environ["INTERVALE_LIBRARY"] = os.path.abspath(sys.argv[2])
sys.path.insert(0, str(ROOT / "python"))
import intervale  # pylint: disable=wrong-import-position

RETURNS = {"__init__": "None", "__len__": "int", "__bool__": "bool", "__eq__": "bool", "__repr__": "str",
           "__str__": "str", "__dir__": "List[str]", "__iter__": "Iterator[Any]"}
# Attributes that __init__ sets.
SETS = {"Table": {"name": "str", "columns": "List[str]", "about": "Dict[str, Optional[str]]"},
        "Result": {"sentence": "str", "verdict": "Optional[str]", "method": "Optional[str]",
                   "has_charts": "bool", "notes": "List[str]", "methods": "List[str]",
                   "assumptions": "List[str]", "references": "List[str]", "messages": "List[Dict[str, Any]]",
                   "claims": "List[Dict[str, Any]]",
                   "citations": "List[Dict[str, Any]]", "tables": "Dict[str, Table]",
                   "failed": "Optional[Error]", "form": "str"}, "RelevanceEvaluator": {}}


def typed(text):
    """An annotation."""
    text = re.sub(r"\b(Sequence|Mapping)\b(?!\[)", lambda m: m[1] + ("[Any]" if m[1] == "Sequence" else
                                                                    "[Any, Any]"), text)
    text = re.sub(r"\blist\b", "List[Any]", text)
    return re.sub(r"\bdict\b", "Dict[str, Any]", text).replace("_Path", "Path")


def parameters(function):
    """The parameters of a function, as a stub has them."""
    made, star = [], False
    for p in inspect.signature(function).parameters.values():
        if p.name == "self":
            made.append("self")
            continue
        kind = "Any" if p.annotation is p.empty else typed(str(p.annotation))
        if p.kind == p.KEYWORD_ONLY and not star:
            star = True
            made.append("*")
        star = star or p.kind == p.VAR_POSITIONAL
        name = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        made.append(f"{name}: {kind}" + ("" if p.default is p.empty else " = ..."))
    return made


def stub(name, function, indent=""):
    given = function.__annotations__.get("return")
    back = RETURNS.get(name) or (typed(str(given)) if given else "Any")
    line = f"{indent}def {name}({', '.join(parameters(function))}) -> {back}: ..."
    if len(line) <= 100:
        return [line]
    return [f"{indent}def {name}(", *(f"{indent}    {p}," for p in parameters(function)),
            f"{indent}) -> {back}: ..."]


def write():
    lines = ["# SPDX-License-Identifier: Apache-2.0",
             "# Written by tools/python_stubs.py from the options of the library.", "import os", "from os import PathLike",
             "from typing import (Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Sequence,",
             "                    Union)", "", 'Path = Union[str, bytes, "os.PathLike[str]"]',
             "__version__: str", ""]
    for name in intervale.__all__:
        thing = getattr(intervale, name)
        if isinstance(thing, type) and issubclass(thing, Exception):
            bases = ", ".join(b.__name__ for b in thing.__bases__)
            lines += [f"class {name}({bases}):", "    code: int", ""]
    for name in SETS:
        lines += [f"class {name}:", *(f"    {n}: {kind}" for n, kind in SETS[name].items())]
        for member, function in vars(getattr(intervale, name)).items():
            if inspect.isfunction(function) and (not member.startswith("_") or member.startswith("__")):
                lines += stub(member, function, "    ")
        lines.append("")
    for name in intervale.__all__:
        if inspect.isfunction(getattr(intervale, name)):
            lines += stub(name, getattr(intervale, name))
    lines.append(f"__all__ = {sorted(intervale.__all__)!r}")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    text = write()
    if "--check" not in sys.argv:
        OUT.write_text(text, encoding="utf-8")
    elif not OUT.exists() or OUT.read_text(encoding="utf-8") != text:
        sys.exit("python/intervale/__init__.pyi is not what the library says; "
                 "python3 tools/python_stubs.py . LIBRARY writes it")

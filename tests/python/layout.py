# SPDX-License-Identifier: Apache-2.0
"""The structs of python/intervale are those of the headers, byte for byte.

usage: layout.py ROOT CC LIBRARY

A C program prints the size of each struct and the place and size of each of its
fields; ctypes must say the same, and for enumerators that the module has as
numbers.
"""
import ctypes
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT, CC, LIBRARY = pathlib.Path(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
os.environ["INTERVALE_LIBRARY"] = LIBRARY
sys.path.insert(0, str(ROOT / "python"))
import intervale  # pylint: disable=wrong-import-position
from intervale import _base, _questions, _result  # pylint: disable=wrong-import-position

# What the module takes for granted, and the C that must be true.
TRUE = {
    "_FITS": '!strncmp(iv_version(), "%s", %d)' % (_base._FITS, len(_base._FITS)),
    "errors": " && ".join(f"IV_{name} == {kind.code}" for name, kind in (
        ("ENOMEM", intervale.OutOfMemory), ("EIO", intervale.FileFailure),
        ("EPARSE", intervale.BadFile), ("EARG", intervale.BadArgument),
        ("ENODATA", intervale.NoData), ("ENUM", intervale.NotAccurate),
        ("ECANCELLED", intervale.Cancelled))),
    "dialects": "IV_TREC_EVAL_9 == 0 && IV_TREC_EVAL_10 == 1",
    "zero": f"IV_ZERO == {intervale._ZERO}",
    "kinds": f"IV_TEXT == {_result._TEXT} && IV_INTEGER == {_result._INTEGER} && "
             f"IV_FOR_PEOPLE == {_result._FOR_PEOPLE}",
    "text": "IV_ERR_TEXT_SIZE == 544",
}


def structs():
    return {name: kind for name, kind in {**vars(_base), **vars(_questions)}.items()
            if isinstance(kind, type) and issubclass(kind, ctypes.Structure)
            and name.startswith("iv_")}


def fields_of(kind):
    """Their names in Python, and in C: from is a word of Python's."""
    return [(field, field.rstrip("_")) for field, *_ in kind._fields_]


def program():
    lines = ["#include <intervale.h>", "#include <stddef.h>", "#include <string.h>",
             "int main(void)", "{"]
    for name, kind in structs().items():
        lines.append(f'    printf("{name} %zu\\n", sizeof({name}));')
        lines += [f'    printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), '
                  f'sizeof((({name} *)0)->{field}));' for _, field in fields_of(kind)]
    lines += [f'    printf("{name} %d\\n", {true});' for name, true in TRUE.items()]
    return "\n".join([*lines, "    return 0;", "}", ""])


def expected():
    for name, kind in structs().items():
        yield f"{name} {ctypes.sizeof(kind)}"
        for mine, field in fields_of(kind):
            at = getattr(kind, mine)
            yield f"{name}.{field} {at.offset} {at.size}"
    yield from (f"{name} 1" for name in TRUE)


with tempfile.TemporaryDirectory(prefix="intervale-layout-") as folder:
    source = pathlib.Path(folder) / "layout.c"
    source.write_text(program(), encoding="utf-8")
    subprocess.run([CC, "-std=c11", "-Wall", "-Werror", "-I", ROOT / "include", source, LIBRARY,
                    f"-Wl,-rpath,{pathlib.Path(LIBRARY).parent}", "-o", source.with_suffix("")],
                   check=True)
    said = subprocess.run([source.with_suffix("")], check=True, capture_output=True,
                          text=True).stdout.splitlines()
subprocess.run([sys.executable, ROOT / "tools" / "python_stubs.py", ROOT, LIBRARY, "--check"], check=True)
wrong = [f"Python has '{mine}', C has '{theirs}'" for mine, theirs in zip(expected(), said)
         if mine != theirs]
assert len(said) > 150 and len(said) == len(list(expected())), len(said)
print("\n".join(wrong))
sys.exit(f"{len(wrong)} differ" if wrong else 0)

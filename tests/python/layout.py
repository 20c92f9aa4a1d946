# SPDX-License-Identifier: Apache-2.0
"""The structs of python/intervale.py are those of the headers, byte for byte.

usage: layout.py ROOT CC LIBRARY

A C program prints the size of each struct and the place and size of each of its
fields; ctypes must say the same, but for structs with room to spare.  So must it
for enumerators that the module has as numbers.
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

ROOMY = {"iv_err": ["code"]}

# What the module takes for granted, and the C that must be true.
TRUE = {
    "_FITS": '!strncmp(iv_version(), "%s", %d)' % (intervale._FITS, len(intervale._FITS)),
    "_GEOMETRIC": f"IV_SUMMARY_GEOMETRIC == {intervale._GEOMETRIC}",
    "_NOT_ASKED": f"IV_GAP_NOT_ASKED == {intervale._NOT_ASKED}",
    "_F": f"IV_PRF_F == {intervale._F} && IV_PRF_PRECISION == 0 && IV_PRF_RECALL == 1",
    "_SPECIFICITY": f"IV_PRF_SPECIFICITY == {intervale._SPECIFICITY}",
    "_MCC": f"IV_PRF_MCC == {intervale._MCC}",
    "errors": " && ".join(f"IV_{name} == {kind.code}" for name, kind in (
        ("ENOMEM", intervale.OutOfMemory), ("EIO", intervale.FileFailure),
        ("EPARSE", intervale.BadFile), ("EARG", intervale.BadArgument),
        ("ENODATA", intervale.NoData), ("ENUM", intervale.NotAccurate))),
    "judgments": " && ".join(f"IV_JUDGMENTS_{name.upper()} == {i}"
                             for i, name in enumerate(intervale._JUDGMENTS)),
    "runs": " && ".join(f"IV_RUN_{name.upper()} == {i}"
                        for i, name in enumerate(intervale._RUNS)),
    "dialects": "IV_TREC_EVAL_9 == 0 && IV_TREC_EVAL_10 == 1",
    "zero": f"IV_ZERO == {intervale._ZERO}",
    "matrix": "IV_ROWS_SYSTEMS == 0 && IV_ROWS_TOPICS == 1",
    "ties": "IV_TIES_DISCARD == 0 && IV_TIES_SPLIT == 1",
    "zeros": "IV_ZEROS_DROP == 0 && IV_ZEROS_RANK == 1",
    "sides": "IV_TWO_SIDED == 0 && IV_GREATER == 1 && IV_LESS == 2",
    "tests": f"IV_NO_BASELINE == 0 && IV_ZERO == {intervale._ZERO}",
    "quantities": "IV_RECALL_RECALL == 0 && IV_RECALL_PRECISION == 1 && IV_RECALL_F == 2 && "
                  "IV_RECALL_YIELD == 3 && IV_RECALL_ELUSION == 4",
    "credible": "IV_INTERVAL_EQUAL == 0 && IV_INTERVAL_HDI == 1",
    "draws": "IV_PRF_DRAWS_MIN == 1000 && IV_PRF_DRAWS_MAX == 100000000 && "
             "IV_PRF_NAME_SIZE == 48 && IV_PRF_COUNT_MAX == 1000000000000",
}


def structs():
    return {name: kind for name, kind in vars(intervale).items()
            if isinstance(kind, type) and issubclass(kind, ctypes.Structure)
            and name.startswith("iv_")}


def fields_of(name, kind):
    return ROOMY.get(name) or [field for field, *_ in kind._fields_]


def program():
    lines = ["#include <intervale.h>", "#include <stddef.h>", "#include <string.h>",
             "int main(void)", "{"]
    for name, kind in structs().items():
        size = f"sizeof({name})"
        if name in ROOMY:
            size = f"{size} <= {ctypes.sizeof(kind)} ? (size_t){ctypes.sizeof(kind)} : {size}"
        lines.append(f'    printf("{name} %zu\\n", {size});')
        lines += [f'    printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), '
                  f'sizeof((({name} *)0)->{field}));' for field in fields_of(name, kind)]
    lines += [f'    printf("{name} %d\\n", {true});' for name, true in TRUE.items()]
    return "\n".join([*lines, "    return 0;", "}", ""])


def expected():
    for name, kind in structs().items():
        yield f"{name} {ctypes.sizeof(kind)}"
        for field in fields_of(name, kind):
            at = getattr(kind, field)
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
wrong = [f"Python has '{mine}', C has '{theirs}'" for mine, theirs in zip(expected(), said)
         if mine != theirs]
assert len(said) > 250 and len(said) == len(list(expected())), len(said)
print("\n".join(wrong))
sys.exit(f"{len(wrong)} differ" if wrong else 0)

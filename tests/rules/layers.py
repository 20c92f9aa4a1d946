# SPDX-License-Identifier: Apache-2.0
"""A file includes only what tools/layers.txt lets its module include.

usage: layers.py ROOT
"""
import pathlib
import re

import rule

TABLE = "tools/layers.txt"


def read_table(root):
    modules = {}
    for line in (pathlib.Path(root) / TABLE).read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line:
            module, _, others = line.partition(":")
            modules[module.strip()] = set(others.split())
    return modules


def includes(text):
    plain = rule.without_comments(text)
    for m in re.finditer(r"^[ \t]*#[ \t]*include(?:_next)?[ \t]*(.*)$", plain, re.M):
        line = plain.count("\n", 0, m.start()) + 1
        name = re.match(r'(["<])([^">]+)[">]', m[1])
        yield line, m[1].strip(), name and name[1], name and name[2]


def module_of_header(path):
    """include/intervale/ROOM.h or include/intervale/ROOM/PART.h"""
    return path.stem if len(path.parts) == 3 else path.parts[2]


def place_of(name, public, modules):
    """The module, or the part of one, that holds a header of this name."""
    parts = pathlib.PurePosixPath(name).parts
    if public:
        return parts[1] if len(parts) == 3 else parts[1][:-2]
    part = "/".join(parts[:2])
    return part if len(parts) == 3 and part in modules else parts[0]


def may_enter(here, there, modules):
    """Parts of one module are told apart; another module is open or closed as a whole."""
    if here == there:
        return True
    module, other = here.split("/")[0], there.split("/")[0]
    if module != other:
        return other in modules[module]
    return there == other or here == module or there in modules[here]


def flaw(path, quote, name, modules):
    """What is wrong with an include, or None."""
    if name is None:
        return "is not a plain name"
    parts = pathlib.PurePosixPath(name).parts
    if ".." in parts or "." in name.split("/"):
        return "is relative"
    ours = quote == '"' or parts[0] in modules or parts[0] in ("intervale", "intervale.h")
    if not ours:
        return None
    # intervale/ROOM.h is a module's door, intervale/ROOM/PART.h a part of it.
    public = len(parts) in (2, 3) and parts[0] == "intervale"
    place = path.parts[0]
    if place == "cli":
        if name == "intervale.h" or public and place_of(name, True, modules) in modules:
            return None
        if parts[0] in modules["cli"] and len(parts) > 1:
            return None
        there, here = f"cli/{parts[0]}", "/".join(path.parts[:2])
        if len(parts) != 2 or there not in modules:
            return "is neither public nor the tool's own"
        return None if here not in modules or may_enter(here, there, modules) \
            else f"is of a part that '{here}' may not enter"
    if path == pathlib.Path("include/intervale.h"):
        return None if public and place_of(name, True, modules) in modules else "is no module's door"
    here = place_of("/".join(path.parts[1:]), False, modules) if place == "src" \
        else module_of_header(path)
    there = place_of(name, public, modules)
    if name == "intervale.h":
        return "is all modules at once"
    if place == "include" and not public:
        return "is not public"
    if len(parts) < 2 or there not in modules or there.split("/")[0] == "cli":
        return "is of no module"
    if not may_enter(here, there, modules):
        return f"is of a module that '{here}' may not enter"
    return None


def check(root):
    modules = read_table(root)
    for module, others in modules.items():
        for other in others - modules.keys() - {"public"}:
            yield f"{TABLE}: '{module}' may enter '{other}', which is no module"
    files = list(rule.sources(root, "src", "include", "cli"))
    whole = dict(files).get(pathlib.Path("include/intervale.h"), "")
    for path, _ in files:
        if path.parts[:2] == ("include", "intervale") and len(path.parts) == 3 \
                and f'"intervale/{path.name}"' not in whole:
            yield f"include/intervale.h: does not include {path.name}"
    names = {}
    for path, _ in rule.sources(root, "src", "include", "cli", "tests", "examples", "bench"):
        if path.name in names:
            yield f"{path}: has the name of {names[path.name]}"
        names[path.name] = path
    for path, text in files:
        # src/ROOM/FILE, or src/ROOM/PART/FILE where the module has such a part.
        if path.parts[0] == "src" and (len(path.parts) not in (3, 4)
                                       or "/".join(path.parts[1:-1]) not in modules):
            yield f"{path}: not in a module of {TABLE}"
            continue
        if path.parts[0] == "include" and path != pathlib.Path("include/intervale.h") \
                and (path.parts[1] != "intervale" or len(path.parts) not in (3, 4)
                     or module_of_header(path) not in modules):
            yield f"{path}: not the door of a module of {TABLE}"
            continue
        for line, shown, quote, name in includes(text):
            wrong = flaw(path, quote, name, modules)
            if wrong:
                yield f"{path}:{line}: {shown} {wrong}"


SOUND = {
    TABLE: "# modules\nbase:\ntrec: base\nstat: base\nstat/a:\nstat/b: stat/a\nlab: stat base\n"
           "cli: public lab\ncli/frame:\ncli/command: cli/frame\n",
    "include/intervale.h": '#include "intervale/base.h"\n#include "intervale/trec.h"\n'
                           '#include "intervale/stat.h"\n',
    "include/intervale/base.h": "#include <stdio.h>\n",
    "include/intervale/trec.h": '#include "intervale/base.h"\n',
    "include/intervale/stat.h": '#include "intervale/stat/part.h"\n',
    "include/intervale/stat/part.h": '#include "intervale/base.h"\n',
    "src/base/x.h": "",
    "src/base/x.cpp": '#include "base/x.h"\n#include <vector>\n',
    "src/trec/y.c": '#include "trec/y.h"\n#include "base/x.h"\n#include "intervale/trec.h"\n'
                    '/* #include "stat/z.h" */\n',
    "src/trec/y.h": "",
    "src/stat/a/a.h": "",
    "src/stat/b/b.c": '#include "stat/a/a.h"\n',
    "src/lab/lab.h": '#include "stat/a/a.h"\n',
    "cli/frame/cmd.h": "",
    "cli/command/go.c": '#include "frame/cmd.h"\n#include "lab/lab.h"\n',
    "cli/main.c": '#include "frame/cmd.h"\n#include "intervale/trec.h"\n#include "intervale.h"\n',
}
PLANTED = [
    ({"src/base/a.c": '#include "trec/y.h"\n'}, "src/base/a.c:1:"),
    ({"src/base/a.cpp": '\n#include "trec/y.h"\n'}, "src/base/a.cpp:2:"),
    ({"src/base/a.h": '#  include "trec/y.h"\n'}, "src/base/a.h:1:"),
    ({"src/base/a.c": '#include <trec/y.h>\n'}, "src/base/a.c:1:"),
    ({"src/base/a.c": '#include "intervale/trec.h"\n'}, "src/base/a.c:1:"),
    ({"src/trec/a.c": '#include "intervale/stat.h"\n'}, "src/trec/a.c:1:"),
    ({"src/trec/a.c": '#include "../base/x.h"\n'}, "is relative"),
    ({"src/trec/a.c": '#include "y.h"\n'}, "is of no module"),
    ({"src/trec/a.c": '#include "attic/y.h"\n'}, "is of no module"),
    ({"src/trec/a.c": '#include "intervale.h"\n'}, "all modules at once"),
    ({"src/trec/a.c": '#include HEADER\n'}, "is not a plain name"),
    ({"src/stat/a/c.c": '#include "stat/b/d.h"\n', "src/stat/b/d.h": ""}, "src/stat/a/c.c:1:"),
    ({"src/trec/x.cpp": ""}, "has the name of"),
    ({"cli/frame/f.c": '#include "command/g.h"\n', "cli/command/g.h": ""}, "may not enter"),
    ({"src/trec/a.c": '#include "cli/cmd.h"\n'}, "is of no module"),
    ({"src/attic/a.c": ""}, "src/attic/a.c: not in a module"),
    ({"src/a.c": ""}, "src/a.c: not in a module"),
    ({"src/trec/deep/a.c": ""}, "src/trec/deep/a.c: not in a module"),
    ({"include/intervale/attic.h": ""}, "not the door"),
    ({"include/intervale/attic/part.h": ""}, "not the door"),
    ({"include/intervale/stat/part.h": '#include "intervale/trec.h"\n'}, "may not enter"),
    ({"src/trec/a.c": '#include "intervale/stat/part.h"\n'}, "src/trec/a.c:1:"),
    ({"include/intervale/base.h": '#include "intervale/trec.h"\n'}, "may not enter"),
    ({"include/intervale/trec.h": '#include "base/x.h"\n'}, "is not public"),
    ({"include/intervale.h": '#include "intervale/base.h"\n'}, "does not include trec.h"),
    ({"include/intervale.h": '#include "intervale/attic.h"\n'}, "is no module's door"),
    ({"cli/a.c": '#include "base/x.h"\n'}, "neither public"),
    ({"cli/a.c": '#include "trec/y.h"\n'}, "neither public"),
    ({"cli/a.c": '#include <trec/y.h>\n'}, "neither public"),
    ({TABLE: SOUND[TABLE] + "plan: attic\n"}, "which is no module"),
]

if __name__ == "__main__":
    rule.judge(check, SOUND, PLANTED)

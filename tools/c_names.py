# SPDX-License-Identifier: Apache-2.0
"""Which names a C file defines, and which names each definition uses.

A name counts wherever it stands outside comments and strings: in a call, in a table of
functions, as an argument.  Functions that a macro defines are known by the macro.
"""
import collections
import re

import rule

WORD = re.compile(r"(?<![\w.])(?<!->)[A-Za-z_]\w*")  # no member of a struct
# A macro at file scope that defines something: which name, from its first argument.
DEFINERS = {"IV_NAMES": "{}", "IV_FREES": "iv_{}_free", "IV_ENDS": "iv_end_{}"}
STARTS_TYPE = re.compile(r"(?:typedef|extern)\b|(?:struct|union|enum)\b[^()=]*$")

Definition = collections.namedtuple("Definition", "name static uses is_function")


def plain(text):
    """Without comments, directives, and what stands in quotes."""
    text = rule.without_directives(rule.without_comments(text))
    return re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', '""', text)


def closing(text, at):
    """Behind the bracket that closes the one at text[at]."""
    depth = 0
    for m in re.compile(r"[({\[\])}]").finditer(text, at):
        depth += 1 if m[0] in "({[" else -1
        if depth == 0:
            return m.end()
    return len(text)


def chunks(text):
    """What stands at file scope: (head, body) of definitions, (statement, "") of others."""
    at = 0
    while at < len(text):
        m = re.compile(r"[A-Z][A-Z0-9_]+\(|[;{]").search(text, at)
        if m is None:
            return
        if m[0][0] in "AIBCDEFGHJKLMNOPQRSTUVWXYZ":
            end = closing(text, m.end() - 1)
            if not text[at:m.start()].strip() and not text[end:].lstrip().startswith(";") \
                    or m[0][:-1] in DEFINERS:
                yield text[m.start():end], ""
                at = end
                continue
            m = re.compile(r"[;{]").search(text, end)
            if m is None:
                return
        head = text[at:m.start()]
        if m[0] == ";":
            yield head, ""
            at = m.end()
            continue
        end = closing(text, m.start())
        if head.rstrip().endswith(")"):
            yield head, text[m.start():end]
            at = end
        else:  # a type or an object: up to its semicolon
            stop = text.find(";", end)
            stop = len(text) if stop < 0 else stop
            yield head, text[m.start():stop]
            at = stop + 1


def definitions(text):
    for head, body in chunks(plain(text)):
        head = head.strip()
        macro = re.match(r"([A-Z][A-Z0-9_]+)\(\s*(\w+)", head)
        if macro and macro[1] in DEFINERS:
            yield Definition(DEFINERS[macro[1]].format(macro[2]), False,
                             set(WORD.findall(head)), True)
            continue
        head = re.sub(r"\bIV_PRINTF\s*\([^)]*\)|\bIV_[A-Z]+\b(?!\s*\()", "", head).strip()
        if not head or STARTS_TYPE.match(head):
            continue
        static = re.match(r"static\b", head) is not None
        function = re.match(r"[\w\s*]*?\b(\w+)\s*\(", head)
        if function and body and "=" not in head:
            yield Definition(function[1], static, set(WORD.findall(head + body)) - {function[1]},
                             True)
        elif "=" in head or (not function and not body):
            name = re.match(r"[\w\s*]*?\(?\*?(?:const\s+)?\b(\w+)\s*(?:\)\s*\(|\[|=|$)", head)
            if name:
                yield Definition(name[1], static, set(WORD.findall(head + body)) - {name[1]},
                                 False)


def graph_of_files(files):
    """For each file, the files of which it uses a global name.  files: {path: text}."""
    found = {p: list(definitions(t)) for p, t in files.items()}
    owner = {d.name: p for p, all_ in found.items() for d in all_ if not d.static}
    owner.pop("main", None)  # nobody calls it, and variables have that name
    graph = {}
    for path, text in files.items():
        own = {d.name for d in found[path]}
        names = set(WORD.findall(plain(text))) - own
        graph[path] = {owner[n] for n in names if n in owner} - {path}
    return graph


def reached(graph, start):
    seen, todo = set(), [start]
    while todo:
        new = graph.get(todo.pop(), set()) - seen
        seen |= new
        todo += new
    return seen


def graph_of_names(files):
    """For each (path or None, name), those that its definition uses.  None: a global name."""
    found = {p: list(definitions(t)) for p, t in files.items()}
    shared = {d.name for all_ in found.values() for d in all_ if not d.static}
    graph, place = {}, {}
    for path, all_ in found.items():
        own = {d.name for d in all_ if d.static}
        for d in all_:
            key = (path if d.static else None, d.name)
            graph[key] = {(path, n) if n in own else (None, n)
                          for n in d.uses if n in own or n in shared} - {key}
            place[key] = path
    return graph, place

# SPDX-License-Identifier: Apache-2.0
"""What a function takes, with the options of its command as keyword parameters."""
from __future__ import annotations

from ctypes import c_bool, c_char_p, c_double

from ._base import _words, iv_integers, iv_reals, iv_texts
from ._examples import EXAMPLES
from ._questions import COMMANDS

_PATH = "str | PathLike[str]"  # texts may be files
_KINDS = {c_bool: "bool", c_double: "float", c_char_p: _PATH, iv_texts: f"{_PATH} | Sequence[{_PATH}]",
          iv_reals: "float | Sequence[float]", iv_integers: "int | Sequence[int]"}
_TAKEN = {"columns": "Mapping[str, str] | str | Sequence[str]", "machine": "Any",  # by what Python has
          "set_weight": "Mapping[str, float] | str | Sequence[str]"}
_SHARED = {"seed": "int", "threads": "int", "progress": "Callable[[float], object] | bool"}


def _kind(question, field: str, words) -> str:
    """The type of an option, as an annotation."""
    if words is not None:
        return f"Literal[{', '.join(map(repr, _words(words)))}]"
    for step in field.split("."):
        question = dict(question._fields_)[step]
    return _KINDS.get(question, "int")


def _usual(question, field: str, words, about: str):
    """What the command takes if an option is not given; None: what its text says."""
    for step in field.split("."):
        question = dict(question._fields_)[step]
    if words is not None:
        return _words(words)[0]
    if question is c_bool:
        return False
    text = about.rpartition("(usual: ")[2][:-1] if about.endswith(")") and "(usual: " in about else ""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text if text and " " not in text and question is c_char_p else None


def explained(options) -> str:
    """Options as a section of a docstring, in Python's words."""
    import re
    pattern, functions = "'intervale ([a-z]+)'", lambda m: f"{'evaluate' if m[1] == 'eval' else m[1]}()"
    return "\n".join(f"{name}: {re.sub(pattern, functions, about)}" for name, about in options.items())


def explain(function, command: str) -> None:
    """Adds to a function what help() shows: an example, and the options of its command."""
    parts = ["Example:", EXAMPLES[function.__name__]]
    if function.__code__.co_flags & 8:
        function.__wrapped__ = Signed(function, command)
        options = {name: row[3] for name, row in sorted(COMMANDS[command][1].items())}
        parts += ["Options:", f"{explained(options)}\nseed, threads, progress: see help(intervale)"]
    doc = function.__doc__.rstrip()
    margin = "    " if "\n    " in doc else ""  # Python 3.13 takes it away
    more = "\n\n".join(parts).splitlines()
    function.__doc__ = f"{doc}\n\n" + "\n".join(f"{margin}{line}" if line else "" for line in more)


class Signed:
    """Stands behind a function as what it wraps, where inspect looks for its parameters; they are
    made when somebody asks, as most programs never do."""

    def __init__(self, function, command: str):
        self._command = command
        self.__wrapped__ = type(function)(function.__code__, function.__globals__, function.__name__,
                                          function.__defaults__, function.__closure__)
        self.__wrapped__.__kwdefaults__ = function.__kwdefaults__
        self.__wrapped__.__annotations__ = function.__annotations__

    @property
    def __signature__(self):
        import inspect
        own = inspect.signature(self.__wrapped__)
        given = [p for p in own.parameters.values() if p.kind != p.VAR_KEYWORD]
        question, known = COMMANDS[self._command]
        kinds = {n: _TAKEN.get(n) or _kind(question, field, words)
                 for n, (field, words, _, _) in known.items()}
        usual = {n: _usual(question, field, words, about)
                 for n, (field, words, _, about) in known.items()}
        usual.update(confidence=0.95, seed=1, threads=0)
        if "alpha" in kinds:
            kinds["confidence"], usual["confidence"] = "float", None  # which is 1 - alpha
        more = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=usual.get(n),
                                  annotation=f"{kind} | None")
                for n, kind in [*sorted(kinds.items()), *_SHARED.items()]
                if n not in own.parameters and n.isidentifier()]
        return own.replace(parameters=[*given, *more])

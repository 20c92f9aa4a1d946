# SPDX-License-Identifier: Apache-2.0
"""What a function takes, with the options of its command as keyword parameters."""
from __future__ import annotations

from ctypes import c_bool, c_char_p, c_double

from ._base import _words, iv_integers, iv_reals, iv_texts
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
        if "alpha" in kinds:
            kinds["confidence"] = "float"  # which is 1 - alpha
        more = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None,
                                  annotation=f"{kind} | None")
                for n, kind in [*sorted(kinds.items()), *_SHARED.items()]
                if n not in own.parameters and n.isidentifier()]
        return own.replace(parameters=[*given, *more])

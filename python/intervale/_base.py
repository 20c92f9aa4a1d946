# SPDX-License-Identifier: Apache-2.0
"""Finding the library, calling it, and what it says when it refuses."""
from __future__ import annotations

import ctypes
import operator
import os
from ctypes import (POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_int64, c_size_t,
                    c_uint64, c_void_p)

TYPE_CHECKING = False  # what only annotations name is not imported: an import takes time
if TYPE_CHECKING:
    from typing import Any, Iterable, List, Optional, Union
    _Path = Union[str, bytes, "os.PathLike[str]"]

# ------------------------------------------------------------------ errors --


class Error(Exception):
    """What the library said, and its code (one of the IV_E* values)."""
    code = 0


class OutOfMemory(Error, MemoryError):
    """An allocation failed."""
    code = -1


class FileFailure(Error, OSError):
    """The operating system refused a read or a write."""
    code = -2


class BadFile(Error, ValueError):
    """The input is not in the format it claims; the message begins FILE:LINE:."""
    code = -3


class BadArgument(Error, ValueError):
    """A value is outside its domain."""
    code = -4


class NoData(Error, ValueError):
    """The input is valid, but there is nothing to compute from."""
    code = -5


class NotAccurate(Error, ArithmeticError):
    """A computation did not reach its accuracy."""
    code = -6


class Cancelled(Error):
    """A progress function asked to stop."""
    code = -7


_KINDS = {kind.code: kind for kind in Error.__subclasses__()}

# ------------------------------------------------ structs of every call --


class iv_err(Structure):
    _fields_ = [("code", c_int), ("msg", c_char * 340), ("hint", c_char * 128),
                ("file", c_char * 160),
                ("line", c_uint64)]


class iv_str(Structure):
    _fields_ = [("ptr", c_void_p), ("len", c_size_t)]


class iv_texts(Structure):
    _fields_ = [("at", POINTER(c_char_p)), ("count", c_size_t)]


class iv_reals(Structure):
    _fields_ = [("at", POINTER(c_double)), ("count", c_size_t)]


class iv_integers(Structure):
    _fields_ = [("at", POINTER(c_int64)), ("count", c_size_t)]


_REPORT = ctypes.CFUNCTYPE(c_int, c_void_p, c_double)


class iv_progress(Structure):
    _fields_ = [("report", _REPORT), ("user", c_void_p)]


class iv_work(Structure):
    _fields_ = [("threads", c_int), ("seed", c_uint64), ("progress", iv_progress),
                ("most_bytes", c_uint64), ("digests", c_void_p)]


# ---------------------------------------------------------- finding it --

_FITS = "0.4."  # versions whose structs are those of this package


def _candidates() -> Iterable[str]:
    """Names to try, the surest first."""
    given = os.environ.get("INTERVALE_LIBRARY")
    names = ("libintervale.so", "libintervale.so.2", "libintervale.dylib",
             "libintervale.dll")
    if given:
        yield from (os.path.join(given, n) for n in names) if os.path.isdir(given) else (given,)
        return
    folder = os.path.dirname(os.path.realpath(__file__))
    for name in names:  # as a wheel has it
        if os.path.exists(os.path.join(folder, name)):
            yield os.path.join(folder, name)
    yield from _beside(os.path.dirname(folder), names)
    yield from names[1:]


def _libraries(lib: str) -> List[str]:
    """The folders of libraries that a prefix may have, from its folder lib."""
    import glob
    return [lib, os.path.join(os.path.dirname(lib), "lib64"), *sorted(glob.glob(os.path.join(glob.escape(lib), "*-linux-gnu")))]


def _beside(folder: str, names: Iterable[str]) -> Iterable[str]:
    """Libraries that belong to the package: of its source tree, or of the prefix it is installed in; never
    of just any folder above it, which somebody else may write."""
    above = os.path.dirname(folder)
    if os.path.basename(folder) == "python" and os.path.exists(os.path.join(above, "include", "intervale", "base.h")):
        places = [os.path.join(above, "build", kind) for kind in ("release", "dev")]
    elif folder.endswith(os.path.join("share", "intervale", "python")):  # as `make install` puts it
        prefix = os.path.dirname(os.path.dirname(above))
        places = _libraries(os.path.join(prefix, "lib"))
    elif os.path.basename(folder) in ("site-packages", "dist-packages") and os.path.basename(above).startswith("python"):
        places = _libraries(os.path.dirname(above))
    else:
        return
    for place in places:
        for name in names:
            if os.path.exists(os.path.join(place, name)):
                yield os.path.join(place, name)


def _load() -> ctypes.CDLL:
    tried = []
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
        except OSError as error:
            tried.append(f"{name}: {error}")
            continue
        library.iv_version.restype = c_char_p
        found = library.iv_version().decode()
        if found.startswith(_FITS):
            return library
        tried.append(f"{name}: version {found}, expected {_FITS}x")
    raise ImportError("no libintervale that fits; set INTERVALE_LIBRARY to its path\n"
                      + "\n".join(tried))


_lib = _load()


def _declare(result, *names_and_arguments):
    """Tells ctypes what some functions take and give."""
    *names, arguments = names_and_arguments
    for name in names:
        function = getattr(_lib, name)
        function.restype, function.argtypes = result, arguments


_P, _ERR, _TEXTS = c_void_p, POINTER(iv_err), POINTER(c_char_p)
_declare(c_char_p, "iv_err_text", [c_char_p, _ERR])
_declare(None, "iv_result_free", "iv_labels_free", "iv_run_free", "iv_judgments_free",
         "iv_evaluation_free", "iv_csv_free", [_P])

# ----------------------------------------------------------- calling it --

# What files of judgments by groups are read by.
BY_GROUPS = ('; judgments_format="groups" reads them so, and of a file measures of subtopics, such '
             'as alpha_nDCG@20')


def _in_python(text: Optional[str]) -> Optional[str]:
    """Options as arguments, and commands as functions: --judgments-format is judgments_format=, and
    (intervale plan topics) is (plan_topics())."""
    import re
    if not text:
        return text
    text = text.replace("Use -c to", "Use complete= to").replace(": --verbose)", ": .notes)")
    text = re.sub(r"\(intervale ([a-z]+(?: [a-z]+)?)\)", lambda m: f"({m[1].replace(' ', '_')}())", text)
    return re.sub(r"(?<![\w-])--([a-z][a-z-]*)(?: [A-Z]{2,}\b)?",
                  lambda m: m[1].replace("-", "_") + "=", text)


def _with_hint(error: Error, options) -> Error:
    """The error with these options as arguments, and what to do if that is done by them."""
    import re
    known = {f"--{name.replace('_', '-')}" for name in options}
    error.args = (re.sub(r"(?<![\w-])--[a-z][a-z-]*", lambda m: _in_python(m[0]) if m[0] in known
                         else m[0], str(error.args[0])), *error.args[1:])
    hint = getattr(error, "hint", "")
    names = {n.replace("-", "_") for n in re.findall(r"--([a-z][a-z-]*)", hint)}
    if hint and names <= set(options) and "intervale " not in hint:
        error.args = (error.args[0] + _in_python(hint), *error.args[1:])
        error.hint = ""
    return error


def _call(function, *arguments, options=()) -> None:
    """Calls what may fail, and raises what the library says; options: that may help."""
    err = iv_err()
    code = function(*arguments, byref(err))
    if code < 0:
        text = ctypes.create_string_buffer(544)  # IV_ERR_TEXT_SIZE
        _lib.iv_err_text(text, byref(err))
        said = text.value.decode("utf-8", "replace")
        error = _KINDS.get(code, Error)(said)
        error.line, error.hint = err.line, err.hint.decode("utf-8", "replace")
        _with_hint(error, options)
        raise error


def _patiently(function, *arguments, progress=None, threads: int = 0, seed: int = 0) -> None:
    """_call() of long work: with a report on it, and stopped at once by Ctrl-C.

    The work is done by a thread of its own: the one that waits can be interrupted, and a
    process that forks later does not inherit a team of threads that is not there.
    """
    import threading
    stop, done, failed = threading.Event(), threading.Event(), []

    def report(_, fraction):
        try:
            if progress is not None and not stop.is_set() and progress(fraction):
                stop.set()
        except BaseException as error:  # pylint: disable=broad-except
            failed.append(error)
            stop.set()
        return int(stop.is_set())

    def run():
        try:
            _call(function, *arguments, byref(work))
        except BaseException as error:  # pylint: disable=broad-except
            failed.append(error)
        finally:
            done.set()

    work = iv_work(threads, seed, iv_progress(_REPORT(report), None))
    thread = threading.Thread(target=run, name="intervale")
    thread.start()
    while not done.is_set():  # not join(): interrupted, it takes a thread at work for ended
        try:
            done.wait(0.05)  # a signal may wake another thread than this one
        except BaseException as error:  # pylint: disable=broad-except
            failed.insert(0, error)
            stop.set()
    thread.join()
    if failed:
        error = failed[0]
        failed.clear()  # or the error would hold itself, through what C could call
        try:
            raise error
        finally:
            del error


def _bytes(given: Any, what: str = "a text") -> bytes:
    """A path or a text as C has it, which ends at a NUL."""
    if given is None or (hasattr(given, "__iter__") and not isinstance(given, (str, bytes))):
        raise BadArgument(f"{what} is {_shown(given)}, expected a path or a text")
    if isinstance(given, os.PathLike):
        given = os.fspath(given)
    made = given if isinstance(given, bytes) else _encoded(str(given), what)
    if b"\0" in made:
        raise BadArgument(f"{what} is {_shown(given)}, expected one without a NUL")
    if os.name == "nt" and b"\\" in made and os.path.exists(made):
        made = made.replace(b"\\", b"/")  # the library takes the name of a file from after the last '/'
    return made


def _path(what: str, given: Any) -> bytes:
    if not isinstance(given, (str, bytes, os.PathLike)) or not given:
        raise BadArgument(f"{what} is {_shown(given)}, expected a path")
    made = _bytes(given, what)
    if b"\n" in made and not isinstance(given, os.PathLike):
        lines = made.rstrip().count(b"\n") + 1
        raise BadArgument(f"{what} is a text of {lines:,} line{'s' * (lines > 1)}, expected a path: write the "
                          "text to a file")
    return made


def _encoded(text: str, what: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise BadArgument(f"{what} is {_shown(text)}, expected characters that UTF-8 has") from None


def _decode(text: Optional[bytes]) -> Optional[str]:
    return None if text is None else text.decode("utf-8", "surrogateescape")


def _texts(given: Iterable, what: str = "a text") -> iv_texts:
    if isinstance(given, (str, bytes, os.PathLike)) or not hasattr(given, "__iter__"):
        given = [given]
    words = [_bytes(x, what) for x in given]
    return iv_texts((c_char_p * len(words))(*words), len(words))


def _whole(what: str, given, kind=c_int64) -> int:
    """A whole number that a field of that type of C's holds: ctypes cuts off what does not fit."""
    bits = 8 * ctypes.sizeof(kind) - (kind(-1).value < 0)
    try:
        number = operator.index(given)
    except TypeError:
        number = -1
    if not 0 <= number < 2 ** bits:
        raise BadArgument(f"{what} is {_shown(given)}, expected a whole number from 0 to "
                          f"{2 ** bits - 1}")
    return number


def _shown(given) -> str:
    """A value for a message, cut if it is long."""
    try:
        text = repr(given)
    except ValueError:  # a number of more digits than Python writes
        text = "a number of very many digits"
    if "\n" in text:  # a data frame
        return f"a {type(given).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."


_listed: dict = {}


def _words(function: str) -> List[str]:
    """The names that a function of the library lists."""
    if function not in _listed:
        _declare(_TEXTS, function, [])
        names, known = getattr(_lib, function)(), []
        while names[len(known)] is not None:
            known.append(names[len(known)].decode())
        _listed[function] = known
    return _listed[function]


def _index(what: str, given: str, function: str) -> int:
    known = _words(function)
    if given not in known:
        raise BadArgument(f"{what} is {given!r}, expected one of: {', '.join(known)}")
    return known.index(given)



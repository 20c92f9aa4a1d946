# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command line share: running the tool in a plain setting."""
import os
import socket
import subprocess
import sys

TOOL = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
failures = []


def environment():
    """No terminal, no locale, no settings of whoever runs the tests."""
    kept = {k: v for k, v in os.environ.items()
            if not k.startswith("LC_") and k not in ("LANG", "COLUMNS", "NO_COLOR", "TERM")}
    return {**kept, "PATH": os.path.dirname(TOOL) + os.pathsep + kept.get("PATH", "")}


def run(*words, cwd=None, stdin=b"", **more):
    """Runs the tool; stdout and stderr as bytes."""
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 300, **more}
    return subprocess.run([TOOL, *words], input=stdin, cwd=cwd, env=environment(),
                          check=False, **more)


def expect(condition, *what):
    """Notes a failure, with what was seen, and goes on."""
    if not condition:
        failures.append(" ".join(str(w) for w in what))


def needs_loopback():
    """Ends the test, skipped, where this machine cannot be reached from itself."""
    with socket.socket() as there, socket.socket() as here:
        try:
            there.bind(("127.0.0.1", 0))
            there.listen()
            here.connect(there.getsockname())
        except OSError as error:
            print("skipped: no loopback network:", error)
            sys.exit(77)


def finish():
    for failure in failures:
        print(failure)
    sys.exit(f"{len(failures)} failures" if failures else 0)

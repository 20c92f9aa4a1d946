# SPDX-License-Identifier: Apache-2.0
"""What the tests of messages share: claims that one command line says a message and another,
nearly the same, does not."""
import json
import os
import shlex
import subprocess
import sys

TOOL = os.path.abspath(sys.argv[1])


def words(command):
    return shlex.split(command) if isinstance(command, str) else list(command)


def said(command, stdin=""):
    """Ids of all messages of an answer; a command that gives no answer fails."""
    done = subprocess.run([TOOL, *words(command), "--format", "json", "--verbose"], input=stdin,
                          capture_output=True, text=True, check=False)
    assert done.stdout.startswith("{"), (command, done.stdout, done.stderr)
    return {note["id"] for note in json.loads(done.stdout)["notes"]}


def claim(identifier, unusual, ordinary, stdin=""):
    """The message is said of the first and not of the second."""
    assert identifier in said(unusual, stdin), (identifier, unusual, said(unusual, stdin))
    assert identifier not in said(ordinary, stdin), (identifier, ordinary)


def write(name, text):
    with open(name, "w", encoding="utf-8") as f:
        f.write(text)
    return name


def table(name, header, rows):
    return write(name, header + "\n" + "".join(
        ",".join(str(x) for x in row) + "\n" for row in rows))

# SPDX-License-Identifier: Apache-2.0
"""What files say reaches a terminal only as text, in every format and by every command that copies lines;
a file gets their bytes.

usage: terminal_bytes.py INTERVALE
"""
import os
import pathlib
import pty
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
BAD = "\x1b[31m\u009b31m\u202e"  # the second is the first as one character; the third turns what follows


def on_terminal(words, cwd):
    """What a terminal would get."""
    master, slave = pty.openpty()
    with subprocess.Popen([TOOL, *words], cwd=cwd, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                          env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"}) as process:
        os.close(slave)
        out = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            out += piece
        os.close(master)
    assert process.returncode == 0, (words, out)
    return out.decode()


with tempfile.TemporaryDirectory() as name:
    place = pathlib.Path(name)
    run = place / f"r{BAD}.run"
    run.write_text(f"1 Q0 d1{BAD}x 1 3 r{BAD}un\n1 Q0 d2é's 2 2 r{BAD}un\n")
    (place / "q").write_text(f"1 0 d1{BAD}x 1\n1 0 d2é's 0\n")
    for line in (["eval", "q", run.name], ["eval", "q", run.name, "--format", "github"],
                 ["eval", "q", run.name, "--format", "trec"], ["eval", "q", run.name, "--format", "json"],
                 ["eval", "q", run.name, "--format", "csv"], ["eval", "q", run.name, "--format", "markdown"],
                 ["sort", run.name], ["sample", "--budget", "2", run.name]):
        said = on_terminal(line, place)
        assert not any(c in said for c in "\x1b\u009b\u202e"), (line, said)
        assert said.strip() != "", line
    assert "d2é's 2" in on_terminal(["sort", run.name], place)
    copied = subprocess.run([TOOL, "sort", run.name], cwd=place, capture_output=True, text=True, check=True).stdout
    assert copied == run.read_text(), copied
print("ok")

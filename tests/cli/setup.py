# SPDX-License-Identifier: Apache-2.0
"""tools/setup.sh says what is missing by the names of each system, and nothing else.

usage: setup.py SOURCE
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SETUP = pathlib.Path(sys.argv[1]) / "tools" / "setup.sh"
ALWAYS = ("bash", "sh", "awk", "tr", "dirname", "id", "find", "head", "uname", "cat")
# All the compilers know is that every header is there, or none.
COMPILER = "#!/bin/sh\nexit %d\n"


def run(folder, have, headers, managers, what="build"):
    """Runs it where only these commands exist."""
    place = pathlib.Path(folder) / "bin"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for name in ALWAYS:
        os.symlink(shutil.which(name), place / name)
    for name in have + managers:
        (place / name).write_text(COMPILER % (0 if headers else 1))
        (place / name).chmod(0o755)
    return subprocess.run([place / "bash", SETUP, what], env={"PATH": str(place)},
                          capture_output=True, text=True, check=False)


def expect(done, status, *parts):
    said = done.stdout + done.stderr
    if done.returncode != status or any(p not in said for p in parts):
        sys.exit(f"exit {done.returncode}, expected {status}; {parts} not in: {said}")


with tempfile.TemporaryDirectory(prefix="intervale-setup-") as name:
    whole = ["cc", "c++", "cmake", "ninja", "pkg-config", "npm", "node"]
    done = run(name, whole, True, ["dnf"])
    expect(done, 0)
    if done.stdout or done.stderr:
        sys.exit(f"all is there, and it says: {done.stdout}{done.stderr}")
    expect(run(name, whole, False, ["dnf"]), 1, "dnf install boost-devel", "zlib-devel")
    expect(run(name, whole, False, ["apk"]), 1, "apk add boost-dev", "kissfft-dev")
    expect(run(name, whole, False, ["brew"]), 1, "brew install boost", "random123")
    expect(run(name, ["cc", "c++", "cmake"], True, ["dnf"]), 1, "missing: ninja",
           "dnf install ninja-build")
    # Names with a plus in them come through; whether it installs, and as whom, is apt's.
    said = run(name, whole[2:], False, ["apt-get", "sudo"])
    for part, is_there in (("gcc g++ ", False), ("libboost-dev", os.path.exists("/usr/include/boost"))):
        if (part in said.stdout + said.stderr) == is_there:
            sys.exit(f"{part}, wrongly: {said.stdout}{said.stderr}")
    # What can be left out is told, and is no failure; an archive needs no npm.
    expect(run(name, whole[:4], True, ["apk"]), 0, "can be left out: pkg-config",
           "apk add pkgconf")
    expect(run(name, whole[:5], True, []), 0)
    for what, is_there in (("build", False), ("test", False), ("html", True), ("test-all", True)):
        said = run(name, whole[:5], True, ["dnf"], what)
        if ("npm" in said.stdout + said.stderr) != is_there:
            sys.exit(f"npm for {what}, wrongly: {said.stdout}{said.stderr}")

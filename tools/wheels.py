# SPDX-License-Identifier: Apache-2.0
"""Wheels for Linux, macOS and Windows, compiled here by the compiler of PyPI's package ziglang.

usage: wheels.py ROOT FOLDER [NAME...]

NAME is one of the platforms below, all unless given.  Each wheel has the library, the tool
without the commands judge and web, and pages; it needs no library of its system but the C library.
Builds in FOLDER/build-NAME, puts wheels into FOLDER and prints their sizes.  Beside them are the
tools of the wheels, as intervale-NAME, and SHA256SUMS: what a release has for action.yml.
"""
import hashlib
import os
import pathlib
import subprocess
import sys
import venv
import zipfile

# platform: the compiler's target, the wheel's platform
PLATFORMS = {
    "linux-x86_64": ("x86_64-linux-gnu.2.28", "manylinux_2_28_x86_64"),
    "linux-aarch64": ("aarch64-linux-gnu.2.28", "manylinux_2_28_aarch64"),
    "musl-x86_64": ("x86_64-linux-musl", "musllinux_1_2_x86_64"),
    "musl-aarch64": ("aarch64-linux-musl", "musllinux_1_2_aarch64"),
    "macos-arm64": ("aarch64-macos.11.0", "macosx_11_0_arm64"),
    "macos-x86_64": ("x86_64-macos.11.0", "macosx_11_0_x86_64"),
    "windows-x86_64": ("x86_64-windows-gnu", "win_amd64"),
}
ZIG = "ziglang==0.17.0"
MOST_MB = 8.0


def run(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(w) for w in words)}: status {done.returncode}\n"
                 f"{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def builder(folder):
    """An environment with the compiler and what makes wheels; its Python, and the compiler's folder."""
    place = folder / "builder"
    python = place / "bin" / "python"
    if not python.exists():
        venv.create(place, with_pip=True)
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ZIG,
            "scikit-build-core>=0.10", "wheel")
    programs = place / "zig"
    programs.mkdir(exist_ok=True)
    for name in ("cc", "c++", "ar", "ranlib"):
        (programs / name).write_text(f'#!/bin/sh\nexec "{python}" -m ziglang {name} "$@"\n')
        (programs / name).chmod(0o755)
    return python, programs


def wheel(root, folder, name, python, programs):
    target, platform = PLATFORMS[name]
    made = folder / f"made-{name}"
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check",
        "-C", f"build-dir={folder / f'build-{name}'}", "-C", "cmake.define.INTERVALE_BUNDLED=ON",
        "-w", made, root,
        env={**os.environ, "INTERVALE_ZIG": str(programs), "INTERVALE_ZIG_TARGET": target,
             "CMAKE_TOOLCHAIN_FILE": str(root / "cmake" / "cross" / "zig.cmake")})
    plain, = made.glob("*.whl")
    tagged = run(python, "-m", "wheel", "tags", "--remove", f"--platform-tag={platform}", plain).split()[-1]
    out = (made / tagged).rename(folder / tagged)
    size = out.stat().st_size / 1e6
    print(f"{out.name} {size:.1f} MB", flush=True)
    if size > MOST_MB:
        sys.exit(f"{out.name}: {size:.1f} MB, at most {MOST_MB}")
    return out


def unpack_tool(made, folder, name):
    """The tool of a wheel as a file of its own; those of musl are linked whole, for any Linux."""
    end = ".exe" if name.startswith("windows") else ""
    tool = folder / f"intervale-{name}{end}"
    with zipfile.ZipFile(made) as parts:
        inside, = (n for n in parts.namelist() if n.endswith(f"/scripts/intervale{end}"))
        tool.write_bytes(parts.read(inside))
    tool.chmod(0o755)


def write_sums(folder):
    files = sorted(p for p in folder.iterdir() if p.is_file() and p.name.startswith("intervale-"))
    (folder / "SHA256SUMS").write_text("".join(
        f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in files), encoding="utf-8")


def main(root, folder, *names):
    root, folder = pathlib.Path(root).absolute(), pathlib.Path(folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    python, programs = builder(folder)
    for name in names or PLATFORMS:
        if name not in PLATFORMS:
            sys.exit(f"wheels: no platform '{name}', expected one of {', '.join(PLATFORMS)}")
        unpack_tool(wheel(root, folder, name, python, programs), folder, name)
    write_sums(folder)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1])
    main(*sys.argv[1:])

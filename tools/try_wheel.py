# SPDX-License-Identifier: Apache-2.0
"""Tries what wheels.py made on the platform that it is for: qemu, musl and Wine stand in for it.

usage: try_wheel.py ROOT FOLDER NAME [PYTEST-ARGUMENT...]

In FOLDER, which wheels.py filled for NAME, the wheel is installed by a Python of that platform, which
is timed; that Python runs the tests of the package, with the packages they need as their authors built
them for that platform; the tool beside the wheel prints the recorded command lines.  Needs, of Debian:

linux-x86_64    nothing: uses the Python 3.11 that runs this script
linux-aarch64   qemu-user-static, binfmt-support, mmdebstrap, arch-test
musl-x86_64     musl-tools, build-essential, tcl, curl: compiles CPython
windows-x86_64  wine64, binutils, and mvn for Python and Microsoft's C library, which NumPy needs there
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

import wheels

PACKAGES = ["pip", "pytest", "numpy", "pandas", "polars", "pyarrow", "tqdm", "matplotlib", "nbconvert", "ipykernel",
            "mypy", "colorama"]
SCORING = ["ir_measures", "pytrec-eval-terrier"]  # the latter has no wheel for aarch64
MANY = ["manylinux_2_28", "manylinux_2_27", "manylinux_2_26", "manylinux_2_17", "manylinux2014"]
PYPI = {"linux-x86_64": [f"{m}_x86_64" for m in MANY],
        "linux-aarch64": [f"{m}_aarch64" for m in MANY],
        "musl-x86_64": ["musllinux_1_2_x86_64", "musllinux_1_1_x86_64"],
        "windows-x86_64": ["win_amd64"]}
MOST_SECONDS = 10
WINDOWS = ["cpython:3.11.3-1.5.9", "javacpp:1.5.13"]
# NumPy's wheels need musl 1.2.4 or newer (relative relocations), and Debian 12 has 1.2.3.
COMPILE = """set -e
for file in m/musl/musl_1.2.5-3_amd64.deb z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2 \\
        libf/libffi/libffi_3.4.4.orig.tar.gz s/sqlite3/sqlite3_3.40.1.orig.tar.xz \\
        p/python3.11/python3.11_3.11.2.orig.tar.gz; do
    curl -sSfO https://deb.debian.org/debian/pool/main/$file
done
dpkg-deb -x musl_*.deb musl
for archive in *.orig.tar.*; do tar xf $archive; done
cat >cc <<'end'
#!/bin/sh
case $* in -print-multiarch | --print-multiarch) echo x86_64-linux-musl; exit ;; esac
exec musl-gcc "$@"
end
chmod +x cc
export CC=$PWD/cc
mkdir kernel # its headers, which musl-gcc does not look for
ln -s /usr/include/linux /usr/include/asm-generic /usr/include/x86_64-linux-gnu/asm kernel
(cd zlib-*/ && CFLAGS=-fPIC ./configure --prefix=$PWD/../python && make -s install)
(cd libffi-*/ && ./configure -q --prefix=$PWD/../python --disable-shared --with-pic --disable-docs \\
    --disable-exec-static-tramp && make -s install)
(cd sqlite*/ && ./configure -q --disable-tcl --disable-readline && make -s sqlite3.c && $CC -O1 -fPIC -c sqlite3.c && \\
    ar rcs ../python/lib/libsqlite3.a sqlite3.o && cp sqlite3.h ../python/include)
cd Python-*/
./configure -q --build=x86_64-linux-musl --prefix=$PWD/../python --without-ensurepip --disable-test-modules \\
    PKG_CONFIG=false OPT=-DNDEBUG CFLAGS="-O1 -w -I$PWD/../python/include -idirafter $PWD/../kernel" \\
    LDFLAGS="-L$PWD/../python/lib -Wl,-rpath,$PWD/../python/lib -Wl,--dynamic-linker=$PWD/../musl/usr/lib/x86_64-linux-musl/libc.so"
make -s -j2
make -s install
"""


def native(place):
    return in_environment(place, sys.executable)


def aarch64(place):
    """Debian's, unpacked; the kernel starts its programs by qemu (binfmt)."""
    root = place / "root"
    if not root.exists():
        wheels.run("mmdebstrap", "--arch=arm64", "--variant=extract", "--include=python3.11,python3.11-venv,libstdc++6",
                   "bookworm", root)
        (root / "usr/lib/python3.11/EXTERNALLY-MANAGED").unlink()
    os.environ["QEMU_LD_PREFIX"] = str(root)
    return in_environment(place, root / "usr/bin/python3.11")


def musl(place):
    if not (place / "python/bin/python3.11").exists():
        wheels.run("sh", "-c", COMPILE, cwd=place)
    return in_environment(place, place / "python/bin/python3.11")


def in_environment(place, python):
    wheels.run(python, "-m", "venv", "--clear", "--without-pip", place / "env")
    return [str(place / "env/bin/python")], str(place / "env/bin/intervale"), []


def add_libraries(home, compiler):
    """What packages in Rust need: python3.dll, which Maven's Python lacks, and random bytes, as Wine 8 lacks them."""
    (home / "prng.c").write_text("""#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *out, SIZE_T size) { return SystemFunction036(out, (ULONG)size); }
""")
    exports = wheels.run("objdump", "-p", home / "python311.dll").partition("[Ordinal/Name Pointer]")[2]
    names = re.findall(r" (_?Py\w+)$", exports, re.MULTILINE)
    (home / "python3.def").write_text("LIBRARY python3\nEXPORTS\n" + "".join(f"{n} = python311.{n}\n" for n in names))
    (home / "empty.c").write_text("")
    for name, *sources in (("bcryptprimitives", "prng.c", "-ladvapi32"), ("python3", "empty.c", "python3.def")):
        wheels.run(compiler, "-target", "x86_64-windows-gnu", "-shared", "-o", f"{name}.dll", *sources, cwd=home)


def windows(place):
    """Python and Microsoft's C library, as packages of Maven carry them: Wine's own lacks complex numbers."""
    home = place / "org/bytedeco/cpython/windows-x86_64"
    if not home.exists():
        for package in WINDOWS:
            wheels.run("mvn", "-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy",
                       f"-Dartifact=org.bytedeco:{package}:jar:windows-x86_64", f"-DoutputDirectory={place}")
        for file in place.glob("*.jar"):
            wheels.run(sys.executable, "-m", "zipfile", "-e", file, place)
        for file in ("ucrtbase", "vcruntime140", "vcruntime140_1", "msvcp140"):
            (home / f"{file}.dll").write_bytes((place / f"org/bytedeco/javacpp/windows-x86_64/{file}.dll").read_bytes())
        add_libraries(home, place.parent / "builder/zig/cc")
    os.environ.update(WINEPREFIX=str(place / "wine"), WINEDEBUG="-all", WINEDLLOVERRIDES="ucrtbase=n,b", MPLBACKEND="Agg")
    return ["wine", str(home / "python.exe")], str(home / "Scripts/intervale.exe"), ["wine"]


def install(builder, folder, name, site):
    """The packages of the tests, of their builders; pip here says which there are for the other platform."""
    def pip(*words):
        wheels.run(builder, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", site,
                   "--only-binary=:all:", "--python-version", "3.11", *(f"--platform={p}" for p in PYPI[name]), *words)
    if not site.exists():
        pip(*PACKAGES)
        pip("--no-deps", *(SCORING if name != "linux-aarch64" else SCORING[:1]))
    made, = folder.glob(f"intervale-*{wheels.PLATFORMS[name][1]}.whl")
    return made


def time_install(python, made, path, emulated):
    before, used = time.time(), os.times()
    wheels.run(*python, "-m", "pip", "install", "--no-index", "--no-deps", "--force-reinstall", path)
    after = os.times()
    work = after.children_user + after.children_system - used.children_user - used.children_system
    print(f"{made.name}: {made.stat().st_size / 1e6:.1f} MB, installed in {time.time() - before:.1f} s, "
          f"of the processor {work:.1f} s{emulated}", flush=True)
    if work > MOST_SECONDS and not emulated:
        sys.exit(f"{made.name}: takes longer than {MOST_SECONDS} s to install")


def main(root, folder, name, *arguments):
    root, folder = pathlib.Path(root).absolute(), pathlib.Path(folder).absolute()
    if name not in PYPI:
        sys.exit(f"try_wheel: no platform '{name}', expected one of {', '.join(PYPI)}")
    place = folder / f"try-{name}"
    place.mkdir(exist_ok=True)
    builder, _ = wheels.builder(folder)
    python, tool, start = {"linux-x86_64": native, "linux-aarch64": aarch64, "musl-x86_64": musl,
                           "windows-x86_64": windows}[name](place)
    made = install(builder, folder, name, place / "site")
    local = (lambda p: f"Z:{p}".replace("/", "\\")) if start else str
    os.environ.update(PYTHONPATH=local(place / "site"), INTERVALE_TOOL=local(tool), INTERVALE_ROOT=local(root),
                      PYTHONDONTWRITEBYTECODE="1")
    print(wheels.run(*python, "-c", "import platform as p; print(p.platform(), 'Python', p.python_version())").strip())
    time_install(python, made, local(made), " (emulated)" if name == "linux-aarch64" else "")
    # By pipes: Wine gives Python no files and no null device as standard streams.
    with subprocess.Popen([*python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--continue-on-collection-errors",
                           local(root / "tests/python/pytest"), *arguments], cwd=place, text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as tests:
        tests.stdin.close()
        for line in tests.stdout:
            print(line, end="", flush=True)
    caller = place / "intervale"
    caller.write_text(f"#!/bin/sh\nexec {shlex.join([*start, tool])} \"$@\"\n")
    caller.chmod(0o755)
    lines = subprocess.run([sys.executable, "-B", root / "tests/cli/golden.py", caller, root / "tests/cli/cases",
                            root / "tests/data", "--listed", root / "doc/portability.md", name],
                           check=False).returncode
    sys.exit(tests.returncode or lines)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__.split("\n\n")[1])
    main(*sys.argv[1:])

# SPDX-License-Identifier: Apache-2.0
"""A program builds against the installed library by pkg-config and by CMake,
and Python finds it.

usage: client.py SOURCE BUILD CC VERSION

Installs the build into a folder of its own, moves that folder, so that nothing
may depend on where it first stood, and builds tests/client/ against it.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SOURCE, BUILD, CC, VERSION = sys.argv[1:]
CLIENT = pathlib.Path(SOURCE) / "tests" / "client"
EXPECTED = f"intervale {VERSION}\ntopic\tretrieved\trelevant\n301\t2\t1\n302\t1\t0\n"


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True,
                          check=False, **more)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))}\nexit {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout


def check_files(prefix):
    """Every part is where its users look for it."""
    found = {str(p.relative_to(prefix)) for p in prefix.rglob("*") if p.is_file()}
    include = pathlib.Path(SOURCE) / "include"
    wanted = {f"include/{p.relative_to(include)}" for p in include.rglob("*.h")}
    wanted |= {"bin/intervale", "share/man/man1/intervale.1", "share/man/man1/intervale-check.1",
               "share/bash-completion/completions/intervale",
               "share/zsh/site-functions/_intervale",
               "share/fish/vendor_completions.d/intervale.fish",
               "share/intervale/python/intervale/__init__.py"}
    wanted |= {f"share/doc/intervale/{n}" for n in ("LICENSE", "README.md", "CHANGELOG.md",
                                                    "CITATION.cff", "doc/choosing.md",
                                                    "doc/methods/README.md")}
    wanted |= {f"share/doc/intervale/examples/{p.name}"
               for p in (pathlib.Path(SOURCE) / "examples").glob("*.[cpm]*")}
    for name in ("libintervale.a", "libintervale.so", "libintervale.so.2",
                 f"libintervale.so.{VERSION}", "pkgconfig/intervale.pc",
                 "cmake/intervale/intervaleConfig.cmake",
                 "cmake/intervale/intervaleConfigVersion.cmake"):
        if not any(f.startswith("lib") and f.endswith("/" + name) for f in found):
            sys.exit(f"not installed: lib/{name}")
    if any(f.endswith("/intervale-judge.pc") for f in found):  # built with judging
        wanted |= {f"include/intervale-judge/{module}/{module}.h" for module in ("store", "live", "serve")}
        for header in ("store/store.h", "live/live.h"):
            text = (pathlib.Path(SOURCE) / "src" / header).read_text(encoding="utf-8")
            wanted |= {f"include/intervale-judge/{part}" for part in re.findall(r'#include "((?:store|review)/.*)"', text)}
    if wanted - found:
        sys.exit(f"not installed: {sorted(wanted - found)}")
    for f in sorted(found):
        if f.startswith("include/") and f not in wanted:
            sys.exit(f"installed without being public: {f}")
        if f.startswith("share/") and not (prefix / f).stat().st_size:
            sys.exit(f"installed empty: {f}")


def check_client(program, shared, env):
    if run(program, env=env) != EXPECTED:
        sys.exit(f"{program} prints something else:\n{run(program, env=env)}")
    linked = "libintervale" in run("ldd", program, env=env)
    if linked != shared:
        sys.exit(f"{program}: expected the {'shared' if shared else 'static'} library")


def by_pkg_config(folder, prefix, env):
    libs = next(prefix.glob("lib/**/libintervale.a"))
    path = dict(os.environ, PKG_CONFIG_PATH=str(libs.parent / "pkgconfig"))
    if run("pkg-config", "--modversion", "intervale", env=path).strip() != VERSION:
        sys.exit("pkg-config tells another version")
    flags = shlex.split(run("pkg-config", "--cflags", "--libs", "intervale", env=path))
    run(CC, CLIENT / "client.c", "-o", folder / "pc_shared", *flags,
        f"-Wl,-rpath,{libs.parent}")
    check_client(folder / "pc_shared", True, env)
    flags = shlex.split(run("pkg-config", "--static", "--cflags", "--libs", "intervale",
                            env=path))
    flags = [str(libs) if f == "-lintervale" else f for f in flags]
    dirs = [f"-Wl,-rpath,{f[2:]}" for f in flags if f.startswith("-L")]
    run(CC, CLIENT / "client.c", "-o", folder / "pc_static", *flags, *dirs)
    check_client(folder / "pc_static", False, env)


def by_readme(folder, prefix):
    """The static line of examples/README.md links the static library."""
    examples = CLIENT.resolve().parent.parent / "examples"
    text = (examples / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    line = next(s for s in text.splitlines() if s.startswith("cc ") and "-Bstatic" in s)
    line = line.replace("cc score_run.c", f"{CC} {examples}/score_run.c").replace(
        "-o score_run", f"-o {folder}/readme_static")
    libs = next(prefix.glob("lib/**/libintervale.a")).parent
    run("sh", "-c", line, env=dict(os.environ, PKG_CONFIG_PATH=str(libs / "pkgconfig")))
    if "libintervale" in run("ldd", folder / "readme_static"):
        sys.exit("examples/README.md: the static line links the shared library")


def judging(folder, prefix):
    """The second library, where it was built: a session that the tool made is read."""
    libs = next(prefix.glob("lib/**/libintervale.a")).parent
    if not (libs / "pkgconfig/intervale-judge.pc").exists():
        return
    path = dict(os.environ, PKG_CONFIG_PATH=str(libs / "pkgconfig"))
    flags = shlex.split(run("pkg-config", "--cflags", "--libs", "intervale-judge", env=path))
    run(CC, "-std=c11", "-Wall", "-Wextra", "-Werror", CLIENT / "second_client.c", "-o",
        folder / "judging", *flags, *[f"-Wl,-rpath,{f[2:]}" for f in flags if f.startswith("-L")])
    (folder / "run").write_text("1 Q0 a 1 2 r\n1 Q0 b 2 1 r\n", encoding="utf-8")
    run(prefix / "bin/intervale", "judge", "new", folder / "session", "--queue", folder / "run",
        "--missing-documents", "show-id")
    if run(folder / "judging", folder / "session") != "queue\n":
        sys.exit("the second library reads another kind of session")


def examples(folder, prefix):
    """Each example as its first comment says, with what is installed alone."""
    libs = next(prefix.glob("lib/**/libintervale.a")).parent
    path = dict(os.environ, PKG_CONFIG_PATH=str(libs / "pkgconfig"))
    flags = shlex.split(run("pkg-config", "--cflags", "--libs", "intervale", env=path))
    for source in sorted((prefix / "share/doc/intervale/examples").glob("*.c")):
        run(CC, "-std=c11", "-Wall", "-Wextra", "-Werror", source, "-o",
            folder / source.stem, *flags)
    readme = (prefix / "share/doc/intervale/README.md").read_text(encoding="utf-8")
    snippet = readme.partition("```c\n")[2].partition("```")[0].partition("\n")
    (folder / "readme.c").write_text(f"{snippet[0]}\nint main(void)\n{{\n{snippet[2]}"
                                     "return 0;\n}\n",
                                     encoding="utf-8")
    run(CC, "-std=c11", "-Wall", "-Wextra", "-Werror", folder / "readme.c", "-o",
        folder / "readme", *flags)
    said = run(folder / "readme", env={"LD_LIBRARY_PATH": str(libs)})
    if said != run(prefix / "bin/intervale", "recall", "--retrieved", "10000,500,350",
                   "--unretrieved", "990000,2000,3"):
        sys.exit(f"the README's C says something else than the tool:\n{said}")
    said = run(folder / "plan_power", "0.3", "0.8", env={"LD_LIBRARY_PATH": str(libs)})
    if not said.startswith("90 topics"):
        sys.exit(f"plan_power says {said}")


def by_python(prefix):
    """The module finds the library that it was installed with."""
    env = {k: v for k, v in os.environ.items() if k != "INTERVALE_LIBRARY"}
    env["PYTHONPATH"] = str(prefix / "share/intervale/python")
    said = run(sys.executable, "-B", "-c", "import intervale\n"
               "print(intervale._lib._name, intervale.version())\n"
               "print(intervale.prf((10, 10, 5)).metrics[0].mean)", env=env)
    if f"{prefix}/lib" not in said or f" {VERSION}\n0.5\n" not in said:
        sys.exit(f"Python says {said}")


def by_cmake(folder, prefix, env):
    build = folder / "by_cmake"
    run("cmake", "-S", CLIENT, "-B", build, f"-DCMAKE_C_COMPILER={CC}",
        f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)
    check_client(build / "client_shared", True, env)
    check_client(build / "client_static", False, env)


def uninstalls(folder):
    """What was installed goes, with every folder that was made, and nothing else."""
    prefix = folder / "with blank" / "deep"
    kept = prefix / "share" / "man" / "man1" / "other.1"
    kept.parent.mkdir(parents=True)
    kept.write_text("not ours", encoding="utf-8")
    run("cmake", "--install", BUILD, "--prefix", prefix)
    run("cmake", f"-DBUILD={BUILD}", "-P", pathlib.Path(SOURCE) / "cmake/uninstall.cmake")
    left = sorted(str(p.relative_to(prefix)) for p in prefix.rglob("*"))
    if left != ["share", "share/man", "share/man/man1", "share/man/man1/other.1"]:
        sys.exit(f"uninstall leaves {left}")
    run("cmake", "--install", BUILD, "--prefix", folder / "new" / "prefix")
    for init in (folder / "new").rglob("__init__.py"):  # as an import leaves it
        (init.parent / "__pycache__").mkdir()
        (init.parent / "__pycache__" / "x.pyc").write_bytes(b"")
    run("cmake", f"-DBUILD={BUILD}", "-P", pathlib.Path(SOURCE) / "cmake/uninstall.cmake")
    if (folder / "new").exists():
        sys.exit("uninstall leaves folders that it made")


def main():
    env = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="intervale-client-") as name:
        folder = pathlib.Path(name)
        run("cmake", "--install", BUILD, "--prefix", folder / "first")
        prefix = folder / "moved"
        (folder / "first").rename(prefix)
        check_files(prefix)
        by_pkg_config(folder, prefix, env)
        by_readme(folder, prefix)
        judging(folder, prefix)
        by_cmake(folder, prefix, env)
        examples(folder, prefix)
        by_python(prefix)
        uninstalls(folder)
        if VERSION not in run(prefix / "bin" / "intervale", "version"):
            sys.exit("the installed tool tells another version")


main()

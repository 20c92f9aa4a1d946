# SPDX-License-Identifier: Apache-2.0
"""Runs pytest over a folder of tests/python in an environment with the packages people use.

usage: packages.py ROOT LIBRARY TOOL VENV FOLDER [PYTEST-ARGUMENT...]

Makes the environment VENV once.  Where no package index can be reached the tests are
skipped with one line (status 77); with CI=true that is a failure, unless the index is
really out of reach.
"""
import hashlib
import os
import pathlib
import subprocess
import sys
import venv

ROOT, LIBRARY, TOOL, VENV = (pathlib.Path(a).absolute() for a in sys.argv[1:5])
FOLDER = ROOT / "tests" / "python" / sys.argv[5]
PACKAGES = ["pytest", "numpy", "pandas", "polars", "pyarrow", "ir_measures",
            "pytrec-eval-terrier", "tqdm", "matplotlib", "nbconvert", "ipykernel", "mypy"]
if FOLDER.name == "partners":  # those that compile, or start Java
    PACKAGES += ["scipy", "ranx", "python-terrier", "mcp", "inspect_ai", "asreview", "ppi-python"]
if FOLDER.name == "spark":
    PACKAGES = ["pytest", "pandas", "pyarrow", "pyspark"]
PYTHON = VENV / "bin" / "python"


def make():
    """The environment, unless it exists already."""
    stamp = VENV / "made"
    wanted = hashlib.sha256(" ".join([sys.version, *PACKAGES]).encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    venv.create(VENV, with_pip=True, clear=True)
    done = subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "--prefer-binary", "--no-compile",
                           "--disable-pip-version-check", "--retries", "1", *PACKAGES],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:]
        reached = "No matching distribution" not in done.stderr \
            and "Connection" not in done.stderr and "resolve" not in done.stderr
        print("skipped: the packages of the Python tests cannot be installed:", *last)
        sys.exit(1 if os.environ.get("CI") == "true" and reached else 77)
    stamp.write_text(wanted)


make()
sys.exit(subprocess.run(
    [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", *sys.argv[6:],
     FOLDER, *([FOLDER.parent / "pytest" / "test_notebooks.py"] if FOLDER.name == "partners" else [])],
    env={**os.environ, **({"INTERVALE_NOTEBOOKS": "all"} if FOLDER.name == "partners" else {}), "INTERVALE_LIBRARY": str(LIBRARY), "INTERVALE_TOOL": str(TOOL),
         "PYTHONPATH": str(ROOT / "python"), "PYTHONPYCACHEPREFIX": str(VENV / "compiled"),
         "NUMBA_CACHE_DIR": str(VENV / "compiled"),
         "INTERVALE_ROOT": str(ROOT)},
    check=False).returncode)

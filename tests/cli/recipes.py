# SPDX-License-Identifier: Apache-2.0
"""The scripts for many machines say what one says: GNU parallel (or xargs) and an array job.

usage: recipes.py TOOL ROOT
"""
import os
import subprocess
import sys
import tempfile

from tool import environment, expect, finish, run

ROOT = os.path.abspath(sys.argv[2])


def script(name, *words, **more):
    r = subprocess.run(["sh", f"{ROOT}/examples/{name}", *words], capture_output=True, check=False,
                       env={**environment(), **more})
    expect(r.returncode == 0, name, r.stderr)
    return r.stdout


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    run("simulate", "--topics", "60", "--documents", "100", "--runs", "5", "--seed", "4", "-o", "made")
    runs = sorted(f"made/runs/{name}" for name in os.listdir("made/runs"))
    alone = run("eval", "made/qrels", *runs).stdout
    expect(alone != b"", "nothing to compare with")
    expect(script("parts.sh", "made/qrels", "parts", *runs) == alone, "parts.sh differs")
    for task in range(4):
        script("parts.slurm", "made/qrels", "tasks", *runs, SLURM_ARRAY_TASK_ID=str(task),
               SLURM_ARRAY_TASK_COUNT="4")
    together = run("eval", "--scores", *sorted(f"tasks/{p}" for p in os.listdir("tasks"))).stdout
    expect(together == alone, "parts.slurm differs")
    board = run("compare", "--scores", *sorted(f"tasks/{p}" for p in os.listdir("tasks"))).stdout
    expect(board == run("compare", "made/qrels", *runs).stdout, "compare of parts differs")
finish()

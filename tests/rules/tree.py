# SPDX-License-Identifier: Apache-2.0
"""The tests leave nothing behind in the source tree, and the tree has no stray top-level names.

usage: tree.py ROOT SNAPSHOT before|after

"before" writes down what is there that git does not track, "after" fails if
there is more, or if git tracks a top-level name that is not in ALLOWED; outside a clone both do
nothing.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

OURS = ("build/", "demo/", "node_modules/")
# Every name at the top of the tree; a new one is added here on purpose.
ALLOWED = set("""
    .ci .github .gitignore
    CHANGELOG.md CITATION.cff CMakeLists.txt CMakePresets.json CONTRIBUTING.md LICENSE Makefile
    README.md action.yml pyproject.toml
    bench cli cmake debian doc examples include packaging python src tests tools web
    """.split())


def untracked(root):
    done = subprocess.run(["git", "-C", root, "status", "--porcelain", "-z", "--ignored",
                           "--untracked-files=all"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None
    names = {entry[3:] for entry in done.stdout.split("\0") if entry[:2] in ("??", "!!")}
    return {n for n in names if not n.startswith(OURS)}


def stray(root):
    """Tracked top-level names that nobody allowed."""
    done = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True,
                          check=True)
    return sorted({n.split("/")[0] for n in done.stdout.split("\0") if n} - ALLOWED)


def main(root, snapshot, when):
    now = untracked(root)
    if now is None:
        return "not a clone: nothing to compare", []
    if when == "before":
        pathlib.Path(snapshot).write_text("\0".join(sorted(now)), encoding="utf-8")
        return f"{len(now)} untracked files before", []
    before = set(pathlib.Path(snapshot).read_text(encoding="utf-8").split("\0"))
    return "", ([f"{name}: left behind by a test" for name in sorted(now - before)]
                + [f"{name}: not a name of the top of the tree (tests/rules/tree.py)"
                   for name in stray(root)])


def self_test():
    with tempfile.TemporaryDirectory(prefix="intervale-rule-") as folder:
        root = pathlib.Path(folder) / "clone"
        root.mkdir()
        snapshot = pathlib.Path(folder) / "snapshot"
        subprocess.run(["git", "init", "-q", root], check=True)
        (root / "old").write_text("")
        (root / ".gitignore").write_text("*.o\n")
        main(root, snapshot, "before")
        assert main(root, snapshot, "after")[1] == []
        (root / "build").mkdir()
        (root / "build" / "fine").write_text("")
        (root / "new").write_text("")
        (root / "new.o").write_text("")
        assert [x.split(":")[0] for x in main(root, snapshot, "after")[1]] == ["new", "new.o"]
        (root / "debris").mkdir()
        (root / "debris" / "session.db").write_text("")
        subprocess.run(["git", "-C", root, "add", "debris"], check=True)
        assert stray(root) == ["debris"]


if __name__ == "__main__":
    if not shutil.which("git"):
        sys.exit(print("git is not here: nothing to compare"))
    if sys.argv[3] == "before":
        self_test()
    said, left = main(*sys.argv[1:4])
    print(said)
    for name in left:
        print(name)
    sys.exit(1 if left else 0)

# SPDX-License-Identifier: Apache-2.0
"""Which examples of the site run in a browser, and the files that they read.

Each is run here by the tool, in a folder with the files of tests/cli/run_examples.py and those of
its page.  What a browser has no shell, terminal or server for is shown only.
"""
import glob
import hashlib
import importlib
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEVER = {"judge", "web", "papers", "study", "help", "manual", "completion", "schema", "version"}
SECONDS = 5  # of the processor: which examples run does not depend on what else does
MOST = 1_500_000  # bytes that an example may need
SHELL = set("|<>;&$`()\n")


class Runner:
    """Runs examples; knows the files of each."""

    def __init__(self, tool):
        self.tool = pathlib.Path(tool).absolute()
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="intervale-site-"))
        self.files = {}  # the content of files that are needed, by their names on the site
        given, path = sys.argv, sys.path
        sys.argv, sys.path = ["", str(self.tool), str(ROOT)], [str(ROOT / "tests/cli"), *sys.path]
        try:
            self.made = importlib.import_module("run_examples")
        finally:
            sys.argv, sys.path = given, path
        self.plain = self.place / "plain"
        self.plain.mkdir()
        self.made.prepare(self.plain)

    def close(self):
        shutil.rmtree(self.place)

    def run(self, manual, lines, texts):
        """For each line the attributes that let the page run it, or None."""
        folder = self.place / "page"
        shutil.rmtree(folder, ignore_errors=True)
        if manual:
            self.made.prepare_page(self.plain, folder, manual)
        else:
            shutil.copytree(self.plain, folder)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        before = contents(folder)
        writers, out = {}, []  # the words that wrote a file
        for line in lines:
            words = self.words(line, folder)
            if words is None:
                out.append(None)
                continue
            needed = [n for n in sorted(contents(folder)) if any(
                n == w or n.startswith(w.rstrip("/") + "/") for word in words for w in (word, word.partition("=")[2]))]
            earlier = [writers[n] for n in needed if n in writers]
            files = {n: before[n] for n in needed if n in before and n not in writers}
            good = self.works(words, folder) and sum(map(len, files.values())) <= MOST
            after = contents(folder)
            for name in after:
                if after[name] != before.get(name) and name not in writers:
                    writers[name] = words
            out.append(self.attributes(words, files, earlier) if good else None)
        return out

    def words(self, line, folder):
        """The words of a line, without the tool; None if a shell must do more than expand names."""
        if not line.startswith("intervale ") or SHELL & set(line):
            return None
        out = []
        for word in shlex.split(line)[1:]:
            found = glob.glob(word, root_dir=folder) if "*" in word else []
            out += sorted(found) or [word]
        return None if out[0] in NEVER or "html" in out or any(w.endswith((".html", ".svg")) for w in out) else out

    def works(self, words, folder):
        done = subprocess.run(["sh", "-c", f'ulimit -t {SECONDS}; exec "$0" "$@"', self.tool, *words], cwd=folder,
                              capture_output=True, stdin=subprocess.DEVNULL, check=False)
        return done.returncode in (0, 3, 4)

    def attributes(self, words, files, earlier):
        names = {}
        for name, content in files.items():
            names[name] = f"files/{hashlib.sha256(content).hexdigest()[:16]}.txt"
            self.files[names[name]] = content
        before = [list(w) for w in dict.fromkeys(map(tuple, earlier))]
        return json.dumps({"words": words, "files": names, "before": before}, sort_keys=True)


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}

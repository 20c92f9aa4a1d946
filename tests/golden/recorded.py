# SPDX-License-Identifier: Apache-2.0
"""What other programs printed for made-up collections, beside what the tool says of them.

usage: recorded.py TOOL FOLDER

Each folder below FOLDER is a collection with a file `expected`, of blocks.  A block
begins with the options of eval: behind `$` every byte of --format trec must be equal,
behind `~` every line (topic, measure, value) to 1e-12, relative where it is above 1.
"""
import pathlib
import subprocess
import sys


def run(tool, folder, options):
    done = subprocess.run([tool, "eval"] + options, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{folder.name}: eval {' '.join(options)}: {done.stderr}")
    return done.stdout


def bytes_differ(tool, folder, options, lines):
    ours = run(tool, folder, ["--format", "trec", "--compat", "10"] + options).splitlines()
    return [f"{b!r}, expected {a!r}" for a, b in zip(lines, ours) if a != b] + (
        [f"{len(ours)} lines, expected {len(lines)}"] if len(ours) != len(lines) else [])


def values_differ(tool, folder, options, lines):
    table = run(tool, folder, ["--format", "tsv", "-q"] + options)
    head, *rows = (line.split("\t") for line in table.splitlines())
    at = {name: i for i, name in enumerate(head)}
    ours = {(r[at["topic"]], r[at["measure"]]): float(r[at["value"]]) for r in rows}
    wrong = []
    for topic, measure, value in (line.split("\t") for line in lines):
        x, y = float(value), ours.pop((topic, measure), None)
        if y is None or abs(x - y) > 1e-12 * max(1.0, abs(x)):
            wrong.append(f"{measure} of {topic} is {y}, expected {x}")
    return wrong


def main():
    tool, compared = str(pathlib.Path(sys.argv[1]).resolve()), 0
    for expected in sorted(pathlib.Path(sys.argv[2]).glob("*/expected")):
        blocks = []
        for line in expected.read_text().splitlines():
            if line[:2] in ("$ ", "~ "):
                blocks.append((line, []))
            else:
                blocks[-1][1].append(line)
        for head, lines in blocks:
            differ = bytes_differ if head[0] == "$" else values_differ
            wrong = differ(tool, expected.parent, head[2:].split(), lines)
            if wrong:
                sys.exit(f"{expected.parent.name}: {head}: {len(wrong)} differ; {wrong[0]}")
            compared += len(lines)
    assert compared > 6000, "blocks are missing"
    print(f"{compared} lines are as recorded")


main()

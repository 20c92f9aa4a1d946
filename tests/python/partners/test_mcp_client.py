# SPDX-License-Identifier: Apache-2.0
"""The protocol's own client package talks to the server."""
import asyncio
import json
import os
import pathlib
import re
import subprocess
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


# The questions of the README: the words of the tool, and what a client of the protocol sends.
MADE = ["collection/qrels", "collection/runs/sim01", "collection/runs/sim02", "collection/runs/sim03"]
README = [
    ("eval", ["eval", "-m", "AP", "-m", "nDCG@10", *MADE[:2]], {"measure": ["AP", "nDCG@10"], "files": MADE[:2]}),
    ("compare", ["compare", *MADE], {"files": MADE}),
    ("recall", ["recall", "--retrieved", "10000,500,350", "--unretrieved", "990000,2000,3", "--target", "70%"],
     {"retrieved": [10000, 500, 350], "unretrieved": [990000, 2000, 3], "target": 0.7}),
    ("plan_recall", ["plan", "recall", "--population", "100000", "--retrieved", "5000", "--recall", "0.8",
                     "--precision", "0.5", "--width", "0.2"],
     {"population": 100000, "retrieved": 5000, "recall": 0.8, "precision": 0.5, "width": 0.2}),
    ("compare", ["compare", "--scores", "nightly.csv", "--gate", "--baseline", "main", "--margin", "0.05"],
     {"scores": True, "files": ["nightly.csv"], "gate": True, "baseline": ["main"], "margin": 0.05}),
    ("prf", ["prf", "--compare", "--counts", "A=80,20,40", "--counts", "B=75,10,45"],
     {"compare": True, "counts": ["A=80,20,40", "B=75,10,45"]}),
]


def test_the_client_package_gets_the_answers_of_the_readme(tmp_path):
    tool = os.environ["INTERVALE_TOOL"]
    subprocess.run([tool, "simulate", "--topics", "50", "--documents", "1000", "--runs", "3", "--seed", "7", "-o",
                    "collection", "--quiet"], check=True, capture_output=True, cwd=tmp_path)
    text = (pathlib.Path(os.environ["INTERVALE_ROOT"]) / "README.md").read_text(encoding="utf-8")
    (tmp_path / "nightly.csv").write_text(re.search(r"```text nightly.csv\n(.*?)```", text, re.S)[1], encoding="utf-8")

    async def talk():
        server = StdioServerParameters(command=sys.executable, args=["-m", "intervale.mcp", str(tmp_path)],
                                       env=dict(os.environ))
        async with stdio_client(server) as (reads, writes), ClientSession(reads, writes) as session:
            await session.initialize()
            return [await session.call_tool(name, given) for name, _, given in README]
    for (_, words, _), answer in zip(README, asyncio.run(talk())):
        assert f"$ intervale {' '.join(words)}" in text, words
        done = subprocess.run([tool, *words, "--format", "json"], cwd=tmp_path, check=False, capture_output=True)
        got, want = json.loads(answer.content[-1].text), json.loads(done.stdout)
        for member in ("answer", "verdict", "claims", "notes"):
            assert got[member] == want[member], (words, member)
        for table, whole in zip(got["tables"], want["tables"]):
            assert table["rows"] == whole["rows"][:len(table["rows"])], (words, table["name"])
            assert table.get("rows_left_out", 0) == len(whole["rows"]) - len(table["rows"])
        assert got["exit_status"] == done.returncode


def test_the_client_package_lists_tools_and_gets_the_tools_numbers(tmp_path):
    words = ["recall", "--retrieved", "10000,500,350", "--unretrieved", "990000,2000,3", "--format", "json"]
    want = json.loads(subprocess.run([os.environ["INTERVALE_TOOL"], *words], check=True, capture_output=True).stdout)

    async def talk():
        server = StdioServerParameters(command=sys.executable, args=["-m", "intervale.mcp", str(tmp_path)],
                                       env=dict(os.environ))
        async with stdio_client(server) as (reads, writes), ClientSession(reads, writes) as session:
            await session.initialize()
            names = {t.name for t in (await session.list_tools()).tools}
            answer = await session.call_tool("recall", {"retrieved": [10000, 500, 350],
                                                        "unretrieved": [990000, 2000, 3]})
            refused = await session.call_tool("check", {"files": ["/etc/passwd"]})
            return names, answer, refused
    names, answer, refused = asyncio.run(talk())
    assert {"eval", "compare", "prf", "roc", "recall", "prefer", "check"} <= names
    assert json.loads(answer.content[-1].text)["tables"][0] == want["tables"][0]
    assert "outside the folder" in refused.content[-1].text

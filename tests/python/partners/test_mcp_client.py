# SPDX-License-Identifier: Apache-2.0
"""The protocol's own client package talks to the server."""
import asyncio
import json
import os
import subprocess
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


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

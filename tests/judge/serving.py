# SPDX-License-Identifier: Apache-2.0
"""A server of judging, for tests."""
import http.client
import json
import re
import signal
import subprocess
import time

import tool


class Server:
    """A server that is ended however the test ends."""

    def __init__(self, folder, *words, env=None):
        self.links = folder / "links"
        self.links.unlink(missing_ok=True)
        self.is_ = subprocess.Popen([tool.TOOL, "judge", "serve", *words, "--url-file", "links"],
                                    cwd=folder, env=env or tool.environment(),
                                    stderr=subprocess.PIPE)
        for _ in range(2400):
            if self.is_.poll() is not None or (self.links.exists() and "#t=" in self.links.read_text()):
                break
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.is_.poll() is None:
            self.is_.send_signal(signal.SIGTERM)
        self.is_.communicate(timeout=120)

    def token(self):
        return self.links.read_text().split("#t=")[1][:32]


def asking(server):
    """What a page asks of a server, logged in by the first link: the answer, as JSON."""
    port = int(re.search(r":(\d+)/#t=", server.links.read_text()).group(1))
    key = None

    def ask(method, path, body=None):
        c = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        c.request(method, path, None if body is None else json.dumps(body), {
            **({"Authorization": f"Bearer {key}"} if key else {}), "Content-Type": "application/json",
            "Origin": f"http://127.0.0.1:{port}"})
        answer = c.getresponse()
        text = answer.read()
        assert answer.status < 300, (path, answer.status, text)
        return json.loads(text)
    key = ask("POST", "/api/login", {"token": server.token()})["key"]
    return ask

# SPDX-License-Identifier: Apache-2.0
"""'intervale web' serves the three files of the site to this machine, and nothing else to
nobody else.

usage: serve.py TOOL
"""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import tool  # noqa: E402

TOOL = pathlib.Path(sys.argv[1]).resolve()
POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
PAGE = f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{POLICY}">page\n'
FILES = {"index.html": PAGE.encode(), "intervale.js": b"script\n",
         "intervale.wasm": b"\0asm\1\0\0\0" + bytes(range(256)) * 9000}
SECRET = b"nobody's business"


def make_site(folder):
    folder.mkdir(parents=True)
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    return folder


@contextlib.contextmanager
def serving(*options, tool=TOOL, env=None, end=signal.SIGTERM):
    """The server at work: its port.  It ends by the signal within seconds."""
    server = subprocess.Popen([tool, "web", *options], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=env)
    try:
        line = server.stdout.readline()
        assert line.startswith("http://127.0.0.1:") and line.endswith("/\n"), \
            line + server.stderr.read()
        yield int(line.rsplit(":", 1)[1].strip("/\n"))
        assert server.poll() is None, "it ended by itself"
        server.send_signal(end)
        assert server.wait(10) == -end, server.stderr.read()
    finally:
        server.kill()
        server.communicate()


def exchange(port, data, host="127.0.0.1"):
    """Sends bytes, and reads until the server ends the connection."""
    with socket.create_connection((host, port), 10) as s:
        with contextlib.suppress(ConnectionError):
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
        got = b""
        with contextlib.suppress(ConnectionError):
            while piece := s.recv(1 << 16):
                got += piece
    return got


def ask(port, method, path, host=None, extra=""):
    """Status, header lines by name, body."""
    got = exchange(port, f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\n"
                   f"Connection: close\r\n{extra}\r\n".encode())
    head, _, body = got.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    return (int(lines[0].split()[1]),
            {k.lower(): v for k, v in (line.split(": ", 1) for line in lines[1:])}, body)


def files_are_served(port):
    kinds = {"/": ("index.html", "text/html; charset=utf-8"),
             "/index.html": ("index.html", "text/html; charset=utf-8"),
             "/intervale.js": ("intervale.js", "text/javascript; charset=utf-8"),
             "/intervale.wasm": ("intervale.wasm", "application/wasm")}
    for path, (name, kind) in kinds.items():
        status, headers, body = ask(port, "GET", path)
        assert (status, headers["content-type"], body) == (200, kind, FILES[name]), path
        assert headers["content-security-policy"] == f"{POLICY}; frame-ancestors 'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in headers and "access-control-allow-origin" not in headers
        status, alone, body = ask(port, "HEAD", path)
        assert (status, alone, body) == (200, headers, b""), path
    assert ask(port, "GET", "/?x#y".split("#")[0])[0] == 200
    assert ask(port, "GET", "/", host=f"localhost:{port}")[0] == 200


def nothing_else_is_served(port):
    for path in ["/secret", "/../secret", "/%2e%2e/secret", "/..%2fsecret", "//secret",
                 "/./index.html", "/intervale.js/../../secret", "/intervale.js/", "/..\\secret",
                 "/index.html%00", "/Index.html", "/etc/passwd", "//etc/passwd",
                 "/intervale.wasm/../intervale.js", "/%2findex.html", "/favicon.ico",
                 "/api/session", "/" + "a" * 9000]:
        for method in ("GET", "HEAD"):
            status, _, body = ask(port, method, path)
            assert status == 404 and SECRET not in body and b"page" not in body, (path, status)
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get"]:
        status = ask(port, method, "/", extra="Content-Length: 0\r\n")[0]
        assert status == 405, (method, status)


def strangers_are_refused(port):
    for host in ["evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}",
                 f"LOCALHOST:{port}", f"127.0.0.1:{port}.evil", "0.0.0.0"]:
        status, _, body = ask(port, "GET", "/", host=host)
        assert status == 421 and b"page" not in body, host
    assert ask(port, "GET", "/", extra="Origin: http://evil.example\r\n")[0] == 403
    # Only loopback listens.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.connect(("192.0.2.1", 9)) # sends nothing; it tells our own address
        own = s.getsockname()[0]
        if not own.startswith("127."):
            try:
                socket.create_connection((own, port), 5).close()
            except OSError:
                pass
            else:
                sys.exit(f"{own} can be reached")


def malformed_requests_are_refused(port):
    host = f"Host: 127.0.0.1:{port}\r\n".encode()
    for expected, data in [
            (400, b"\r\n\r\n"), (400, b"hello\r\n\r\n"), (400, b"GET\r\n\r\n"),
            (400, b"GET / HTTP/1.1\n" + host.replace(b"\r", b"") + b"\n"),
            (400, b"GET / HTTP/1.1\r\n\r\n"), (400, b"GET / HTTP/1.1\r\n" + host + host + b"\r\n"),
            (400, b"GET http://127.0.0.1/ HTTP/1.1\r\n" + host + b"\r\n"),
            (400, b"GET /\0 HTTP/1.1\r\n" + host + b"\r\n"),
            (400, b"GET /\xff HTTP/1.1\r\n" + host + b"\r\n"),
            (400, b"GET / HTTP/1.1\r\n" + host + b"Content-Length: 3\r\n\r\nabc"),
            (400, b"GET / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            (400, b"GET / HTTP/1.1\r\n" + host + b" folded: x\r\n\r\n"),
            (505, b"GET / HTTP/2.0\r\n" + host + b"\r\n"),
            (400, b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"),
            (431, b"GET / HTTP/1.1\r\n" + host + b"X: " + b"a" * 20000 + b"\r\n\r\n")]:
        got = exchange(port, data)
        assert got.startswith(b"HTTP/1.1 %d " % expected), (data[:60], got[:60])
    # One that never ends its head, and many that say nothing, keep nobody out.
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(80)]
    idle[0].sendall(b"GET / HT")
    assert ask(port, "GET", "/")[0] == 200
    for s in idle:
        s.close()
    # Gone in the middle of an answer: the server lives on.
    with socket.create_connection(("127.0.0.1", port)) as s:
        s.sendall(b"GET /intervale.wasm HTTP/1.1\r\n" + host + b"\r\n")
        s.recv(10)
    assert ask(port, "GET", "/intervale.wasm")[2] == FILES["intervale.wasm"]


def refused(expected, *options, tool=TOOL):
    done = subprocess.run([tool, "web", *options], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and done.stdout == "", done
    assert done.stderr.count("\n") == 1 and expected in done.stderr, done.stderr


def starting(folder, site):
    refused("no site: expected index.html", "--site", folder)
    for name in FILES:
        broken = make_site(folder / f"without-{name}")
        (broken / name).unlink()
        refused("no site", "--site", broken)
        (broken / name).mkdir()
        refused(f"{name}: is no file of a site", "--site", broken)
    other = make_site(folder / "other")
    (other / "index.html").write_text("<!doctype html>somebody's\n")
    refused("is not the page of intervale", "--site", other)
    with serving("--site", site) as port:
        refused(f"cannot listen at 127.0.0.1 port {port}: Address already in use",
                "--site", site, "--port", str(port))
        with serving("--site", site) as second:
            assert second != port
    # Beside the tool, wherever both were moved to.
    tool = folder / "bin/intervale"
    tool.parent.mkdir()
    shutil.copy2(TOOL, tool)
    if not pathlib.Path("/usr/local/share/intervale/web").exists():
        refused("no site was installed or built with this tool", tool=tool)
    make_site(folder / "share/intervale/web")
    with serving(tool=tool) as port:
        assert ask(port, "GET", "/")[0] == 200


def a_browser_is_started(folder, site):
    opener = folder / "path/xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{folder}/opened.part"\n'
                      f'mv "{folder}/opened.part" "{folder}/opened"\n')
    opener.chmod(0o755)
    env = {**os.environ, "PATH": f"{opener.parent}:{os.environ['PATH']}"}
    with serving("--site", site, "--open", env=env, end=signal.SIGINT) as port:
        until = time.monotonic() + 120
        while not (folder / "opened").exists() and time.monotonic() < until:
            time.sleep(0.02)
        assert (folder / "opened").read_text() == f"http://127.0.0.1:{port}/\n"


tool.needs_loopback()
with tempfile.TemporaryDirectory(prefix="intervale-web-") as name:
    base = pathlib.Path(name)
    (base / "secret").write_bytes(SECRET)
    made = make_site(base / "site")
    (made / "secret").write_bytes(SECRET)
    with serving("--site", made) as at:
        files_are_served(at)
        nothing_else_is_served(at)
        strangers_are_refused(at)
        malformed_requests_are_refused(at)
    starting(base, made)
    a_browser_is_started(base, made)
print("served, and nothing else")

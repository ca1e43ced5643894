"""A running `greenkgc serve` and ways to talk to it. GREENKGC_BIN names the program; the default is the release build."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.parse

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = os.path.abspath(os.environ.get("GREENKGC_BIN", ROOT / "build/release/greenkgc"))
SLOW = "asan" in BIN or "tsan" in BIN  # times are not to be looked at


def command(*args):
    """What the command itself says, as JSON."""
    done = subprocess.run([BIN, *map(str, args), "--json"], capture_output=True, timeout=120, check=True)
    return json.loads(done.stdout)


def default_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Service:
    """A server on a free port of loopback."""

    def __init__(self, model, *flags, env=None, log="none", host="127.0.0.1", scheme="http", stdout=subprocess.PIPE):
        self.model = model
        args = [BIN, "serve", "--model", str(model), "--port=0", f"--access-log={log}", *flags]
        environment = {**{k: v for k, v in os.environ.items() if k != "GREENKGC_TOKEN"}, **(env or {})}
        self.process = subprocess.Popen(
            args, stdout=stdout, stderr=subprocess.PIPE, env=environment, preexec_fn=default_signals
        )
        self.lines = []
        self.said = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()
        self.port = int(self.wait_for(rf"at {scheme}://{re.escape(host)}:(\d+)").group(1))

    def _listen(self):
        for line in self.process.stderr:
            with self.said:
                self.lines.append(line.decode().rstrip())
                self.said.notify_all()
        with self.said:
            self.lines.append("END")
            self.said.notify_all()

    def wait_for(self, pattern, seconds=30):
        """A line of standard error that fits."""
        deadline = time.monotonic() + seconds
        with self.said:
            while True:
                for line in self.lines:
                    if found := re.search(pattern, line):
                        return found
                left = deadline - time.monotonic()
                assert left > 0 and "END" not in self.lines, f"no {pattern!r} in {self.lines}"
                self.said.wait(left)

    def stop(self, seconds=30):
        """By SIGTERM; returns the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def connection(self, timeout=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None, connection=None):
        """Status, headers and body; the body is decoded where it is JSON."""
        own = connection or self.connection()
        headers = dict(headers or {})
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        own.request(method, path, body, headers)
        response = own.getresponse()
        content = response.read()
        if connection is None:
            own.close()
        if response.getheader("Content-Type") == "application/json" and content:
            content = json.loads(content)
        return response.status, dict(response.getheaders()), content

    def get(self, path, **query):
        """A JSON answer, which must come."""
        status, _, content = self.ask("GET", with_query(path, query))
        assert status == 200, content
        return content

    def post(self, path, body):
        status, _, content = self.ask("POST", path, body)
        assert status == 200, content
        return content

    def fails(self, status, code, method, path, body=None, headers=None, **query):
        """An error of that status and word; returns its sentence."""
        got, _, content = self.ask(method, with_query(path, query), body, headers)
        assert got == status, (got, content)
        assert set(content) == {"error"} and set(content["error"]) == {"code", "message"}
        assert content["error"]["code"] == code, content
        assert len(content["error"]["message"]) > 10
        return content["error"]["message"]

    def raw(self, data, timeout=30):
        """What comes back for these bytes and no more."""
        with self.socket(timeout) as plain:
            with contextlib.suppress(OSError):
                plain.sendall(data)
                plain.shutdown(socket.SHUT_WR)
            return read_all(plain)

    def socket(self, timeout=30):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)


def read_all(plain):
    received = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := plain.recv(65536):
            received += piece
    return received


def status_of(received):
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", received)
    return int(found.group(1)) if found else None


def with_query(path, query):
    text = urllib.parse.urlencode({k: str(v).lower() if isinstance(v, bool) else v for k, v in query.items()})
    return f"{path}?{text}" if text else path


@contextlib.contextmanager
def serving(model, *flags, **options):
    service = Service(model, *flags, **options)
    try:
        yield service
    finally:
        code = service.stop()
        assert code == 0, (code, service.lines)


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """A folder with small models of the graph `world`: one.gkgc, two.gkgc (two stages), bare.gkgc (no facts), and its
    training facts, train.tsv."""
    folder = tmp_path_factory.mktemp("serve")

    def run(*args):
        subprocess.run([BIN, *map(str, args), "--quiet"], check=True, capture_output=True, timeout=120)

    run("convert", "world", "--out", folder / "world.tsv")
    lines = (folder / "world.tsv").read_text().splitlines(keepends=True)
    data = folder / "data"
    data.mkdir()
    for split, places in (("train", range(18)), ("valid", [18]), ("test", [19])):
        (data / f"{split}.txt").write_text("".join(line for i, line in enumerate(lines) if i % 20 in places))
    embedding, features = folder / "e.safetensors", folder / "f.safetensors"
    run("embed", data, "--model=rotate", "--dims=8", "--negatives=256", "--batch=512", "--margin=6", "--rate=0.3",
        "--epochs=4", "--valid-every=4", "--out", embedding)
    run("prune", data, "--embeddings", embedding, "--groups=2", "--keep-dims=8", "--out", features)
    small = ["--trees=20", "--depth=4", "--negatives-per-side=4", "--evaluate-every=20", "--mrr-every=20"]
    for name, with_facts in (("one", "true"), ("bare", "false")):
        run("decide", data, "--features", features, *small, f"--with-facts={with_facts}", "--out", folder / f"{name}.gkgc")
    run("rerank", data, "--model", folder / "one.gkgc", "--trees=20", "--depth=4", "--min-child-weight=3", "--lambda=1",
        "--rate=0.3", "--max-questions=300", "--labels=valid", "--out", folder / "two.gkgc")
    return folder


@pytest.fixture(scope="session")
def service(models):
    """Two stages, no limits that matter."""
    with serving(models / "two.gkgc") as running:
        yield running


@pytest.fixture(scope="session")
def known(models):
    """The facts that the models hold."""
    lines = [(models / "data" / f"{split}.txt").read_text().splitlines() for split in ("train", "valid")]
    return {tuple(line.split("\t")) for part in lines for line in part}

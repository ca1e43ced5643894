#!/usr/bin/env python3
"""service.py MODEL [SECONDS]: `greenkgc serve` under wrk: questions for the ten best answers, drawn at random, none
cached. Prints a line of JSON. bench/run.py compares the figures with their bars."""
import contextlib
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).parent.parent
BIN = ROOT / "build/release/greenkgc"
CONNECTIONS = 16
QUESTIONS = 50_000
RELOADS = 20

LUA = """
local paths = {}
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
function init(args) math.randomseed(os.time()) end
function request() return wrk.format("GET", paths[math.random(#paths)]) end
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('{"requests": %d, "seconds": %f, "p50_ms": %f, "p99_ms": %f, "max_ms": %f, "errors": %d}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3,
    e.connect + e.read + e.write + e.status + e.timeout))
end
"""


class Service:
    def __init__(self, model, folder):
        self.folder = pathlib.Path(folder)
        self.model = self.folder / "model.gkgc"
        self.model.write_bytes(pathlib.Path(model).read_bytes())
        args = [BIN, "serve", "--model", self.model, "--port=0", "--access-log=none", "--max-k=1000000"]
        self.process = subprocess.Popen(args, stderr=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)", self.process.stderr.readline()).group(1))
        threading.Thread(target=lambda: list(self.process.stderr), daemon=True).start()
        self.write_questions()

    def get(self, path, data=None):
        with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data)) as answer:
            return json.load(answer)

    def write_questions(self):
        draw = random.Random(1)
        entities = [one["label"] for one in self.get("/v1/entities?limit=1000000")["entities"]]
        relations = [one["label"] for one in self.get("/v1/relations?limit=1000000")["relations"]]
        (self.folder / "wrk.lua").write_text(LUA)
        with open(self.folder / "paths", "w") as file:
            for i in range(QUESTIONS):
                side = {("head", "tail")[i % 2]: draw.choice(entities), "relation": draw.choice(relations), "k": 10}
                file.write("/v1/predict?" + urllib.parse.urlencode(side) + "\n")

    def load(self, seconds):
        """Starts wrk."""
        return subprocess.Popen(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}", "--timeout=30", "-s", self.folder / "wrk.lua", f"http://127.0.0.1:{self.port}"],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PATHS": str(self.folder / "paths")})

    def megabytes(self):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text()).group(1)) / 1024


def figures(wrk):
    found = json.loads(wrk.communicate()[0].strip().splitlines()[-1])
    return {"per_second": found["requests"] / found["seconds"], **found}


def bad_clients(service, stop):
    """Some that send nothing, some that send half a request, and one with a gigabyte."""
    silent = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(60)]
    for one in silent[:30]:
        one.sendall(b"GET /v1/predict?head=")
    piece = b"x" * 65536
    while not stop.is_set():
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", service.port)) as sender:
            sender.sendall(b"POST /v1/predict HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n")
            for _ in range(16384):
                sender.sendall(piece)
        time.sleep(0.1)
    for one in silent:
        one.close()


def measure(model, seconds=60):
    with tempfile.TemporaryDirectory() as folder:
        service = Service(model, folder)
        figures(service.load(2))  # warm
        wrk = service.load(seconds)
        time.sleep(seconds / 4)
        early = service.megabytes()
        result = {"alone": figures(wrk), "early_megabytes": early, "late_megabytes": service.megabytes()}

        stop = threading.Event()
        bad = threading.Thread(target=bad_clients, args=(service, stop))
        bad.start()
        result["with_bad_clients"] = figures(service.load(max(5, seconds // 6)))
        stop.set()
        bad.join()

        wrk = service.load(max(5, seconds // 6))
        for _ in range(RELOADS):
            service.get("/v1/admin/reload", b"")
            time.sleep(0.05)
        result["reloads"] = service.get("/v1/model")["generation"] - 1
        result["with_reloads"] = figures(wrk)
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(60) == 0
    return result


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60)))

"""Start, reload, stop, logs and metrics."""

import concurrent.futures
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time

import pytest
from serving import BIN, Service, models, serving  # noqa: F401

PATH = "/v1/predict?head=Norway&relation=borders&k=2"


class Load:
    """Clients that ask without a break until they are told to stop; each answer must come, and be right."""

    def __init__(self, service, clients=6):
        self.service = service
        self.stop = threading.Event()
        self.pool = concurrent.futures.ThreadPoolExecutor(clients)
        self.counts = [self.pool.submit(self._ask) for _ in range(clients)]

    def _ask(self):
        connection = self.service.connection()
        count = 0
        while not self.stop.is_set():
            status, _, content = self.service.ask("GET", PATH, connection=connection)
            assert status == 200 and len(content["answers"]) == 2, content
            count += 1
        return count

    def finish(self):
        self.stop.set()
        return sum(count.result() for count in self.counts)


def wait_until(true, seconds=10):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def replace(path, source):
    """As `train` does it: written beside, then renamed."""
    beside = path.with_suffix(".new")
    shutil.copyfile(source, beside)
    os.replace(beside, path)


def test_twenty_reloads_under_load_lose_no_request(models, tmp_path):
    model = tmp_path / "m.gkgc"
    replace(model, models / "one.gkgc")
    with serving(model) as service:
        load = Load(service)
        for i in range(20):
            replace(model, models / ("two.gkgc" if i % 2 == 0 else "one.gkgc"))
            if i % 4 == 0:
                service.process.send_signal(signal.SIGHUP)
                service.wait_for(rf"replaced: generation {i + 2}$")
            else:
                assert service.post("/v1/admin/reload", "")["generation"] == i + 2
            assert service.get("/v1/model")["stages"] == (2 if i % 2 == 0 else 1)
        assert load.finish() > 50
        assert service.get("/v1/model")["generation"] == 21


@pytest.mark.parametrize("damage", ["missing", "text", "cut", "newer facts"])
def test_a_bad_file_leaves_the_old_model(models, tmp_path, damage):
    model = tmp_path / "m.gkgc"
    replace(model, models / "one.gkgc")
    good = model.read_bytes()
    with serving(model) as service:
        before = service.get(PATH)
        broken = tmp_path / "broken"
        if damage == "missing":
            model.unlink()
        else:
            facts = good.index(b'"facts.tails"')
            broken.write_bytes({"text": b"not a model\n" * 99, "cut": good[: len(good) // 2], "newer facts": good[:facts] + b'"facts.talis"' + good[facts + 13 :]}[damage])
            os.replace(broken, model)
        assert "goes on answering" in service.fails(500, "not_reloaded", "POST", "/v1/admin/reload", "")
        service.process.send_signal(signal.SIGHUP)
        wait_until(lambda: sum("the model was not replaced: " in line for line in service.lines) == 2)
        assert service.get(PATH) == before and service.get("/v1/model")["generation"] == 1
        assert b'greenkgc_model_reloads_total{result="failed"} 2' in service.ask("GET", "/metrics")[2]
        model.write_bytes(good)
        assert service.post("/v1/admin/reload", "")["generation"] == 2


def many(count):
    return {"questions": [{"head": "Norway", "relation": "borders"}] * count, "k": 50}


def test_requests_under_way_are_finished_at_the_end(models):
    service = Service(models / "two.gkgc", "--threads=1")
    idle = service.connection()
    assert service.ask("GET", "/healthz", connection=idle)[0] == 200
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        under_way = [pool.submit(service.ask, "POST", "/v1/predict", many(300)) for _ in range(3)]
        time.sleep(0.15)
        service.process.send_signal(signal.SIGTERM)
        for one in under_way:
            status, headers, content = one.result()
            assert status == 200 and len(content["results"]) == 300 and headers["Connection"] == "close"
    assert service.process.wait(20) == 0
    with pytest.raises(OSError):
        service.socket()


def test_it_says_that_it_is_about_to_stop(models):
    service = Service(models / "one.gkgc", "--drain-seconds=1.5")
    assert service.get("/readyz") == {"status": "ready"}
    service.process.send_signal(signal.SIGTERM)
    deadline = time.monotonic() + 1.2
    while service.ask("GET", "/readyz")[0] == 200:
        assert time.monotonic() < deadline
    service.fails(503, "stopping", "GET", "/readyz")
    assert service.get("/healthz") == {"status": "ok"} and service.get(PATH)["answers"]
    assert service.process.wait(20) == 0


def test_the_wait_at_the_end_is_bounded(models):
    service = Service(models / "two.gkgc", "--threads=1", "--shutdown-seconds=0.2", "--max-batch=100000", "--max-answers=1000000", "--max-body-bytes=10000000")
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(service.ask, "POST", "/v1/predict", many(15000))
        time.sleep(0.5)
        assert not under_way.done()
        began = time.monotonic()
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(20) == 0
        assert time.monotonic() - began < 10
        try:
            assert under_way.result()[0] == 503
        except (OSError, http.client.HTTPException):  # the end may come before the answer, or within it
            pass
    service.wait_for("were not answered within 0.2 s")


def test_ctrl_c_twice_does_not_wait(models):
    service = Service(models / "one.gkgc", "--drain-seconds=60")
    service.process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert service.process.poll() is None
    service.process.send_signal(signal.SIGINT)
    assert service.process.wait(10) == 130


def test_access_log(models, tmp_path):
    log = tmp_path / "access.jsonl"
    with serving(models / "one.gkgc", log=log) as service:
        service.get("/v1/predict", head="Norway", relation="borders")
        service.fails(404, "no_such_path", "GET", "/nothing%0Ahere?x=%FF")
        service.raw(b"nonsense\r\n\r\n")
        wait_until(lambda: log.read_text().count("\n") == 3)
        log.rename(tmp_path / "old.jsonl")
        service.process.send_signal(signal.SIGHUP)
        service.wait_for("generation 2")
        service.get("/healthz")
    lines = [json.loads(line) for line in (tmp_path / "old.jsonl").read_text().splitlines()]
    lines.sort(key=lambda line: line["status"])  # a line is written after its response was
    assert [(line["method"], line["path"], line["status"]) for line in lines] == [
        ("GET", "/v1/predict", 200), ("", "", 400), ("GET", "/nothing\nhere", 404),
    ]
    assert lines[0]["parameters"] == {"head": "Norway", "relation": "borders"} and lines[0]["remote"] == "127.0.0.1"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", lines[0]["time"])
    assert lines[0]["bytes"] > 100 and lines[0]["milliseconds"] > 0
    (line,) = [json.loads(line) for line in log.read_text().splitlines()]
    assert line["path"] == "/healthz"


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_an_access_log_on_standard_output_keeps_what_others_write(models, tmp_path, name):
    """As in `{ echo before; greenkgc serve ...; echo after; } > log`, also once SIGHUP has asked for a new log."""
    log = tmp_path / "log"
    with log.open("wb", buffering=0) as redirected:
        redirected.write(b"before\n")
        with serving(models / "one.gkgc", log=name, stdout=redirected) as service:
            service.get("/healthz")
            wait_until(lambda: log.read_text().count("\n") == 2)
            redirected.write(b"between\n")
            service.process.send_signal(signal.SIGHUP)
            service.wait_for("generation 2")
            service.get("/readyz")
            wait_until(lambda: log.read_text().count("\n") == 4)
        redirected.write(b"after\n")
    before, first, between, second, after = log.read_text().splitlines()
    assert [before, between, after] == ["before", "between", "after"]
    assert [json.loads(line)["path"] for line in (first, second)] == ["/healthz", "/readyz"]


def test_an_access_log_that_nobody_reads(models):
    with serving(models / "one.gkgc", log="-") as service:
        service.process.stdout.close()
        for _ in range(3):
            service.get("/healthz")
            time.sleep(0.1)
        assert 'greenkgc_access_log_lines_left_out' in service.ask("GET", "/metrics")[2].decode()


def test_metrics(models):
    with serving(models / "one.gkgc") as service:
        for _ in range(3):
            service.get(PATH)
        service.fails(404, "unknown_label", "GET", "/v1/predict", head="x", relation="borders")
        service.fails(404, "no_such_path", "GET", "/some/thing")
        # A request counts once the last byte of its response is sent, so the client may be here first.
        values, deadline = {}, time.monotonic() + 30
        while 'greenkgc_http_requests_total{endpoint="other",status="404"}' not in values and time.monotonic() < deadline:
            status, headers, text = service.ask("GET", "/metrics")
            assert status == 200 and headers["Content-Type"].startswith("text/plain; version=0.0.4")
            values = dict(line.rsplit(" ", 1) for line in text.decode().splitlines() if not line.startswith("#"))
        assert values['greenkgc_http_requests_total{endpoint="/v1/predict",status="200"}'] == "3"
        assert values['greenkgc_http_requests_total{endpoint="/v1/predict",status="404"}'] == "1"
        assert values['greenkgc_http_requests_total{endpoint="other",status="404"}'] == "1"
        assert values['greenkgc_http_request_seconds_count{endpoint="/v1/predict"}'] == "4"
        assert float(values["greenkgc_model_facts"]) == service.get("/v1/model")["facts"]
        assert values["greenkgc_ready"] == "1" and values["greenkgc_model_generation"] == "1"
        for name in {re.match(r"\w+?(?=_bucket|_sum|_count|\{|$)", key).group() for key in values}:
            assert f"# TYPE {name} " in text.decode()


def test_it_warns_of_an_open_door(models):
    with serving(models / "one.gkgc", "--host=0.0.0.0", host="0.0.0.0") as service:
        service.wait_for("there is no token")
        assert service.get("/healthz") == {"status": "ok"}
        assert service.ask("GET", "/healthz", headers={"Host": "any.example"})[0] == 200


def test_what_cannot_be_started(models, tmp_path):
    def fails(code, pattern, *args, env=None):
        done = subprocess.run([BIN, "serve", *map(str, args)], capture_output=True, timeout=30, env={**os.environ, **(env or {})})
        lines = done.stderr.decode().splitlines()
        assert done.returncode == code and len(lines) == 1 and re.search(pattern, lines[0]), (done.returncode, lines)

    model = models / "one.gkgc"
    fails(2, "serve needs --model")
    fails(2, "there is no file|does not exist|cannot be opened", "--model", tmp_path / "none.gkgc")
    fails(2, "cannot listen on no.such.host.invalid", "--model", model, "--host=no.such.host.invalid")
    fails(2, "at least 16 visible", "--model", model, env={"GREENKGC_TOKEN": "short"})
    fails(2, "no token can be read", "--model", model, f"--token-file={tmp_path / 'none'}")
    fails(1, "cannot be opened", "--model", model, f"--access-log={tmp_path / 'none' / 'log'}", "--port=0")
    with serving(model) as service:
        fails(1, f"cannot listen on 127.0.0.1 port {service.port}: Address already in use", "--model", model, f"--port={service.port}")

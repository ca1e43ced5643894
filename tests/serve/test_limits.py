"""Each limit has its status and its sentence, and a client that breaks one holds up nobody."""

import concurrent.futures
import contextlib
import json
import socket
import threading
import time

import pytest
from serving import SLOW, models, read_all, service, serving, status_of  # noqa: F401

QUESTION = {"head": "Norway", "relation": "borders"}
PATH = "/v1/predict?head=Norway&relation=borders"


def post(body, *headers):
    lines = ["POST /v1/predict HTTP/1.1", "Host: localhost", "Content-Type: application/json", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize(
    "status, code, request_bytes",
    [
        (413, "body_too_long", post(b"", "Content-Length: 1048577")),
        (413, "body_too_long", post(b"", "Content-Length: 99999999999999999999999")),
        (413, "body_too_long", post(b"", "Content-Length: 1048577", "Expect: 100-continue")),
        (413, "body_too_long", post(b"100000\r\n" + b" " * 0x100000 + b"\r\n10\r\n" + b" " * 16 + b"\r\n0\r\n\r\n", "Transfer-Encoding: chunked")),
        (413, "body_too_long", post(b"1\r\n \r\n" * 400000, "Transfer-Encoding: chunked")),
        (400, "malformed", post(b"", "Content-Length: -1")),
        (400, "malformed", post(b"", "Content-Length: 1e3")),
        (400, "malformed", post(b"{}", "Content-Length: 2", "Content-Length: 3")),
        (400, "malformed", post(b"{}", "Content-Length: 2", "Transfer-Encoding: chunked")),
        (400, "malformed", post(b"zz\r\n{}\r\n0\r\n\r\n", "Transfer-Encoding: chunked")),
        (501, "not_implemented", post(b"", "Transfer-Encoding: gzip")),
        (411, "length_required", post(b"{}")),
        (415, "compressed", post(b"{}", "Content-Length: 2", "Content-Encoding: gzip")),
        (400, "unexpected_body", b"GET /healthz HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"),
        (400, "bad_json", post(b"{", "Content-Length: 1")),
        (400, "bad_json", post(b"[1]", "Content-Length: 3")),
        (400, "bad_json", post(b"[" * 50000, "Content-Length: 50000")),
        (431, "head_too_long", b"GET /" + b"x" * 20000 + b" HTTP/1.1\r\n\r\n"),
        (431, "head_too_long", b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 20000 + b"\r\n\r\n"),
        (431, "head_too_long", b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5000 + b"\r\n"),
        (400, "malformed", b"hello\r\n\r\n"),
        (400, "malformed", b"GET / HTTP/9.9\r\n\r\n"),
        (400, "malformed", b"BREW /pot HTTP/1.1\r\n\r\n"),
        (400, "malformed", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
        (404, "no_such_path", b"PUT /x HTTP/1.1\r\n\r\n"),
        (405, "wrong_method", b"DELETE /v1/model HTTP/1.1\r\n\r\n"),
        (405, "wrong_method", b"OPTIONS /v1/predict HTTP/1.1\r\n\r\n"),
    ],
    ids=lambda value: str(value[:40]) if isinstance(value, bytes) else str(value),
)
def test_what_is_not_a_request_for_us(service, status, code, request_bytes):
    received = service.raw(request_bytes)
    head, _, body = received.partition(b"\r\n\r\n")
    assert status_of(received) == status, received[:300]
    assert json.loads(body)["error"]["code"] == code
    # What is left of a request must not be taken for another one; one that was read whole leaves nothing.
    whole = status in (404, 405) or code == "bad_json"
    assert (b"Connection: close" in head) != whole and received.count(b"HTTP/1.1") == 1
    assert service.get("/healthz") == {"status": "ok"}


def test_a_body_must_say_that_it_is_json(service):
    for content_type in ("application/x-www-form-urlencoded", "text/plain", ""):
        service.fails(415, "not_json", "POST", "/v1/predict", json.dumps({"questions": [QUESTION]}), {"Content-Type": content_type})


def test_a_page_from_elsewhere_may_not_post(service):
    service.fails(403, "foreign_origin", "POST", "/v1/predict", {"questions": [QUESTION]}, {"Origin": "https://elsewhere.example"})
    own = {"Origin": f"http://127.0.0.1:{service.port}"}
    assert service.ask("POST", "/v1/predict", {"questions": [QUESTION]}, own)[0] == 200


def test_a_name_that_is_not_this_machines(service, models):
    for host in ("elsewhere.example", "elsewhere.example:80", "127.0.0.1.elsewhere.example", "localhost.elsewhere.example"):
        service.fails(421, "wrong_host", "GET", "/v1/model", None, {"Host": host})
    for host in ("localhost", "localhost:99", "127.0.0.1", "[::1]:8080"):
        assert service.ask("GET", "/v1/model", headers={"Host": host})[0] == 200
    with serving(models / "one.gkgc", "--allow-host=kg.example") as named:
        assert named.ask("GET", "/healthz", headers={"Host": "kg.example"})[0] == 200
        named.fails(421, "wrong_host", "GET", "/healthz", None, {"Host": "other.example"})
    with serving(models / "one.gkgc", env={"GREENKGC_TOKEN": "correct-horse-battery"}) as closed:
        assert closed.ask("GET", "/healthz", headers={"Host": "kg.example"})[0] == 200


def test_answers_in_all(models):
    with serving(models / "one.gkgc", "--max-answers=20") as small:
        assert len(small.post("/v1/predict", {"questions": [QUESTION] * 4, "k": 5})["results"]) == 4
        sentence = small.fails(422, "out_of_bounds", "POST", "/v1/predict", {"questions": [QUESTION] * 5, "k": 5})
        assert "5 questions times k = 5 are more than 20 answers" in sentence


@pytest.fixture
def impatient(models):
    """Half a second for a request; eight connections."""
    with serving(models / "two.gkgc", "--read-seconds=0.5", "--idle-seconds=1.5", "--max-connections=8") as running:
        yield running


def test_clients_that_are_slow(impatient):
    began = time.monotonic()
    for sent, code in ((b"GET /heal", 408), (b"GET /healthz HTTP/1.1\r\nHost:", 408), (post(b"{", "Content-Length: 9"), 408), (b"", None)):
        with impatient.socket() as slow:
            slow.sendall(sent)
            received = read_all(slow)
        assert status_of(received) == code, received
        if code:
            assert b"did not come within 0.5 s" in received
    assert time.monotonic() - began < 8 or SLOW
    with impatient.socket() as drip:  # a byte now and then does not buy time
        with contextlib.suppress(OSError):
            for byte in b"GET /healthz HTTP/1.1\r\n" * 10:
                drip.sendall(bytes([byte]))
                time.sleep(0.05)
        assert status_of(read_all(drip)) in (408, None)


def test_silent_clients_make_room(impatient):
    silent = [impatient.socket() for _ in range(40)]
    for one in silent[::2]:
        one.sendall(b"GET /v1/mod")
    for _ in range(5):
        assert impatient.get("/v1/predict", **QUESTION)["answers"]
    for one in silent:
        one.close()


def latencies(service, seconds):
    """Of questions one after another."""
    connection = service.connection()
    times = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        status, _, _ = service.ask("GET", PATH, connection=connection)
        assert status == 200
        times.append(time.monotonic() - began)
    return sorted(times)


def send_endlessly(service, head, stop):
    """Up to a gigabyte of body, or until the server has enough."""
    with service.socket() as plain:
        plain.sendall(head)
        piece = b"x" * 65536
        with contextlib.suppress(OSError):
            for _ in range(16384):
                if stop.is_set():
                    break
                plain.sendall(b"10000\r\n" + piece + b"\r\n" if b"chunked" in head else piece)
        plain.settimeout(5)
        with contextlib.suppress(OSError):
            return status_of(plain.recv(65536))


def test_bad_clients_do_not_slow_the_others(models):
    with serving(models / "two.gkgc") as running:
        alone = latencies(running, 1)
        stop = threading.Event()
        silent = [running.socket() for _ in range(100)]
        for one in silent[50:]:
            one.sendall(b"POST /v1/predict HTTP/1.1\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            heads = [post(b"", "Content-Length: 1073741824"), post(b"", "Transfer-Encoding: chunked")]
            senders = [pool.submit(send_endlessly, running, head, stop) for head in heads]
            among = latencies(running, 2)
            stop.set()
            assert {sender.result() for sender in senders} <= {413, None}
        for one in silent:
            one.close()
        middle = len(among) // 2
        assert among[middle] < 5 * alone[len(alone) // 2] + 0.02 or SLOW, (alone[len(alone) // 2], among[middle])


def many(count):
    return {"questions": [QUESTION] * count, "k": 100}


def test_too_many_at_once(models):
    """One thread that works and one place to wait."""
    with serving(models / "two.gkgc", "--threads=1", "--max-waiting=1") as busy:
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            answers = list(pool.map(lambda _: busy.ask("POST", "/v1/predict", many(300)), range(12)))
        statuses = [status for status, _, _ in answers]
        assert set(statuses) <= {200, 503} and 200 in statuses and 503 in statuses
        for status, headers, content in answers:
            if status == 503:
                assert content["error"]["code"] == "overloaded" and headers["Retry-After"] == "1"
        assert busy.get("/v1/predict", **QUESTION)["answers"]


def test_too_long(models):
    with serving(models / "two.gkgc", "--max-seconds=0.01", "--threads=1") as hasty:
        assert "longer than 0.01 s" in hasty.fails(504, "too_long", "POST", "/v1/predict", many(1000))
        assert hasty.get("/healthz") == {"status": "ok"}


def test_what_took_too_long_may_be_there_later(models):
    with serving(models / "two.gkgc", "--max-seconds=0.005", "--threads=1") as hasty:
        hasty.fails(504, "too_long", "GET", "/v1/complete", relation="borders")
        deadline = time.monotonic() + 30
        while (answer := hasty.ask("GET", "/v1/complete?relation=borders"))[0] == 504:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert answer[0] == 200 and answer[2]["facts"]


def test_connections_that_are_all_busy(models):
    with serving(models / "two.gkgc", "--threads=1", "--max-connections=2", "--max-batch=100000") as small:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            under_way = [pool.submit(small.ask, "POST", "/v1/predict", many(700)) for _ in range(2)]
            time.sleep(0.3)
            statuses = set()
            while not all(one.done() for one in under_way):
                with contextlib.suppress(OSError):
                    statuses.add(status_of(small.raw(b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n")))
            assert all(one.result()[0] == 200 for one in under_way)
        assert 503 in statuses and statuses <= {200, 503, None}
        assert small.get("/healthz") == {"status": "ok"}


def test_a_token(models, tmp_path):
    token = "correct-horse-battery"
    secret = tmp_path / "token"
    secret.write_text(token + "\nmore\n")
    for flags, env in (([f"--token-file={secret}"], {}), ([], {"GREENKGC_TOKEN": token})):
        with serving(models / "one.gkgc", *flags, env=env) as closed:
            for given in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": token}, {"Authorization": f"Bearer {token}x"}, {"Authorization": f"Bearer {token[:-1]}"}, {"Authorization": "Bearer "}):
                for method, path, body in (("GET", "/v1/model", None), ("GET", "/metrics", None), ("POST", "/v1/admin/reload", ""), ("POST", "/v1/predict", {"questions": [QUESTION]})):
                    closed.fails(401, "no_token", method, path, body, given)
            right = {"Authorization": f"Bearer {token}"}
            assert closed.ask("GET", "/v1/model", headers=right)[0] == 200
            assert closed.ask("POST", "/v1/admin/reload", "", right)[0] == 200
            for path in ("/healthz", "/readyz", "/openapi.json", "/"):
                assert closed.ask("GET", path)[0] == 200
            assert token not in "".join(closed.lines)


def test_it_listens_to_this_machine_alone(service):
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        with contextlib.suppress(OSError):
            probe.connect(("192.0.2.1", 9))
        outside = probe.getsockname()[0]
    if outside.startswith(("127.", "0.")):
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError):
        socket.create_connection((outside, service.port), timeout=2)

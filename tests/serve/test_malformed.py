"""Requests that were damaged at random: the service says what is wrong with each, and goes on."""

import collections
import json
import os
import random

from serving import ROOT, serving, status_of

COUNT = int(os.environ.get("GREENKGC_MALFORMED_REQUESTS", 10000))
SEED = 9

BODY = json.dumps({"questions": [{"head": "Q63", "relation": "P2"}, {"head": "Q12", "tail": "Q48"}], "k": 3}).encode()
REQUESTS = [
    b"GET /v1/predict?head=Q63&relation=P2&k=3 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /v1/entities?q=q%C3%A9&match=substring&limit=3 HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n",
    b"GET /v1/facts?entity=Q63 HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-3\r\nConnection: keep-alive\r\n\r\n",
    b"GET /v1/explain?head=Q63&relation=P1&tail=Q6 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /v1/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY),
    b"POST /v1/predict HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY),
    b"POST /v1/admin/reload HTTP/1.1\r\nOrigin: http://localhost\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
]
SPLICES = [
    b"\r\n", b"\n", b"\r", b"\x00", b"%", b"%00", b"%ff", b"..", b"/", b"?", b"&", b"=", b" ", b"\t", b":", b"#", b"{", b"}", b"[", b'"', b"\\u0000",
    b"-1", b"1e999", b"99999999999999999999", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n",
    b"Content-Encoding: gzip\r\n", b"Range: bytes=" + b"0-," * 50 + b"\r\n", b"Upgrade: h2c\r\n", b"\xf0\x9f\x98\x80", b"\xc3", b"A" * 300, b"k=0", b"null",
]


def damaged(draw):
    data = bytearray(draw.choice(REQUESTS))
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(data) + 1)
        kind = draw.randrange(5)
        if kind == 0 and at < len(data):
            data[at] = draw.randrange(256)
        elif kind == 1:
            del data[at : at + draw.randint(1, 20)]
        elif kind == 2:
            data[at:at] = draw.choice(SPLICES)
        elif kind == 3:
            other = draw.choice(REQUESTS)
            data[at:] = other[draw.randrange(len(other)) :]
        else:
            data[at:at] = data[at : at + draw.randint(1, 60)]
        if not data:
            data = bytearray(b"\r\n")
    return bytes(data)


def test_damaged_requests():
    """10,000 of them, each on a connection of its own."""
    draw = random.Random(SEED)
    statuses = collections.Counter()
    with serving(ROOT / "tests/data/golden-2.gkgc") as service:
        for i in range(COUNT):
            data = damaged(draw)
            received = service.raw(data)
            status = status_of(received)
            statuses[status] += 1
            # A request that is none, or not whole, gets 400 or silence; nothing else may go wrong.
            assert status in (None, 100, 200, 400, 403, 404, 405, 408, 411, 413, 415, 416, 421, 422, 431, 501), (data, received)
            if status is None:
                assert received == b"" and b"\n" not in data, (data, received)
            elif status >= 400:
                error = json.loads(received.split(b"\r\n\r\n")[1].split(b"HTTP/1.1")[0])["error"]
                assert error["code"] and error["message"]
            if i % 500 == 0:
                assert service.get("/healthz") == {"status": "ok"}
        assert service.get("/v1/predict", head="Q63", relation="P2")["answers"]
        assert service.process.poll() is None
    assert statuses[200] and statuses[400] and statuses[404], statuses

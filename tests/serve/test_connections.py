"""Many connections, TLS, and the limit of open files."""

import contextlib
import json
import re
import resource
import signal
import socket
import ssl
import subprocess
import time

import pytest
from serving import BIN, SLOW, models, read_all, serving, status_of  # noqa: F401

PATH = "/v1/predict?head=Norway&relation=borders&k=2"


def median_time(service, count=60):
    """Of questions one after another."""
    connection = service.connection()
    times = []
    for _ in range(count):
        began = time.monotonic()
        assert service.ask("GET", PATH, connection=connection)[0] == 200
        times.append(time.monotonic() - began)
    return sorted(times)[count // 2]


def threads_of(service):
    with open(f"/proc/{service.process.pid}/status") as status:
        return int(re.search(r"Threads:\s+(\d+)", status.read()).group(1))


def test_idle_connections_cost_no_threads_and_no_time(models):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(4000, (hard if hard != resource.RLIM_INFINITY else 1 << 20) - 500)
    if wanted < 1000:
        pytest.skip(f"this machine allows only {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted + 500), hard))
    idle = []
    try:
        with serving(models / "two.gkgc", f"--max-connections={wanted + 20}", "--idle-seconds=600") as service:
            alone, threads = median_time(service), threads_of(service)
            for _ in range(wanted):
                idle.append(service.socket())
            deadline = time.monotonic() + 30
            while f"greenkgc_connections {wanted + 1}" not in service.ask("GET", "/metrics")[2].decode():
                assert time.monotonic() < deadline
            assert threads_of(service) == threads
            beside = median_time(service)
            assert beside < 3 * alone + 0.02 or SLOW, (alone, beside)
            # They are still there, and of use.
            for one in idle[:: wanted // 50]:
                one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                assert status_of(read_all(one)) == 200
    finally:
        for one in idle:
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_more_connections_than_open_files(models):
    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, 300))

    process = subprocess.Popen(
        [BIN, "serve", "--model", models / "one.gkgc", "--port=0", "--access-log=none", "--max-connections=5000"],
        stderr=subprocess.PIPE, text=True, preexec_fn=few_files,
    )
    try:
        said = process.stderr.readline()
        assert "--max-connections 5000 does not fit into the limit of 300 open files: at most 236 connections" in said
        port = int(re.search(r"at http://127.0.0.1:(\d+)", process.stderr.readline()).group(1))
        clients = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(400)]
        with socket.create_connection(("127.0.0.1", port), timeout=30) as one:
            one.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert status_of(read_all(one)) == 200
        for client in clients:
            client.close()
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        process.stderr.close()


def make_certificate(folder, name):
    """A key and a certificate for localhost that is signed with it; the paths of both."""
    key, certificate = folder / f"{name}.key", folder / f"{name}.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-keyout", key,
         "-out", certificate, "-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True,
    )
    return certificate, key


def flags(certificate, key):
    return f"--tls-certificate={certificate}", f"--tls-key={key}"


@contextlib.contextmanager
def secured(service, certificate, **versions):
    """A connection that trusts this certificate alone."""
    context = ssl.create_default_context(cafile=certificate)
    for name, version in versions.items():
        setattr(context, name, version)
    with service.socket() as plain, context.wrap_socket(plain, server_hostname="localhost") as own:
        yield own


def ask(own, path=PATH, headers=b""):
    own.sendall(b"GET " + path.encode() + b" HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n")
    received = b""
    while b"\r\n\r\n" not in received:
        received += own.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
    while len(body) < length:
        body += own.recv(65536)
    return status_of(head), json.loads(body)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1")
def test_tls(models, tmp_path):
    certificate, key = make_certificate(tmp_path, "one")
    with serving(models / "one.gkgc", *flags(certificate, key), "--read-seconds=0.5", scheme="https") as service:
        with secured(service, certificate) as own:
            assert own.version() in ("TLSv1.2", "TLSv1.3")
            for _ in range(3):  # one connection, several requests
                status, answer = ask(own)
                assert status == 200 and len(answer["answers"]) == 2
            big = json.dumps({"questions": [{"head": "Norway", "relation": "borders"}] * 1000, "k": 20}).encode()
            own.sendall(b"POST /v1/predict HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                        b"Content-Length: %d\r\n\r\n%s" % (len(big), big))
            received = read_all(own)
            assert len(json.loads(received.partition(b"\r\n\r\n")[2])["results"]) == 1000
        with secured(service, certificate, maximum_version=ssl.TLSVersion.TLSv1_2) as own:
            assert own.version() == "TLSv1.2" and ask(own)[0] == 200
        with secured(service, certificate) as own:  # slow clients get their status here, too
            own.sendall(b"GET /heal")
            assert status_of(read_all(own)) == 408
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        with service.socket() as plain, pytest.raises(OSError):
            old.wrap_socket(plain)
        assert status_of(service.raw(b"GET /healthz HTTP/1.1\r\n\r\n")) is None
        began = time.monotonic()
        with service.socket() as silent:  # no handshake: dropped after --read-seconds
            assert read_all(silent) == b"" and (time.monotonic() - began < 5 or SLOW)
        done = subprocess.run(["curl", "-sS", "--cacert", certificate, f"https://localhost:{service.port}/healthz"], capture_output=True)
        assert json.loads(done.stdout) == {"status": "ok"}, done.stderr


def test_certificates_are_replaced(models, tmp_path):
    first, first_key = make_certificate(tmp_path, "first")
    second, second_key = make_certificate(tmp_path, "second")
    certificate, key = tmp_path / "server.pem", tmp_path / "server.key"
    certificate.write_bytes(first.read_bytes())
    key.write_bytes(first_key.read_bytes())
    with serving(models / "one.gkgc", *flags(certificate, key), scheme="https") as service:
        with secured(service, first) as before:
            assert ask(before)[0] == 200
            key.write_bytes(second_key.read_bytes())  # the certificate is still the old one
            service.process.send_signal(signal.SIGHUP)
            service.wait_for(r"the certificate was not replaced: \S+server.key: this key does not belong to the certificate")
            service.wait_for("generation 2")
            with secured(service, first) as own:
                assert ask(own)[0] == 200
            certificate.write_bytes(second.read_bytes())
            service.process.send_signal(signal.SIGHUP)
            service.wait_for("generation 3")
            with secured(service, second) as own:
                assert ask(own)[0] == 200
            with pytest.raises(ssl.SSLError), secured(service, first):
                pass
            assert ask(before)[0] == 200  # what was there goes on


def test_tls_files_that_cannot_be_used(models, tmp_path):
    certificate, key = make_certificate(tmp_path, "good")
    _, other_key = make_certificate(tmp_path, "other")
    text, empty = tmp_path / "text.pem", tmp_path / "empty.pem"
    text.write_text("not a certificate\n")
    empty.write_text("")
    locked = tmp_path / "locked.key"
    subprocess.run(["openssl", "pkey", "-in", key, "-aes128", "-passout", "pass:secret", "-out", locked], check=True, capture_output=True)

    def fails(pattern, *arguments):
        done = subprocess.run([BIN, "serve", "--model", models / "one.gkgc", "--port=0", *arguments], capture_output=True, timeout=30,
                              stdin=subprocess.DEVNULL)
        said = done.stderr.decode()
        assert done.returncode == 2 and len(said.splitlines()) == 1 and re.search(pattern, said), (done.returncode, said)

    fails("--tls-key is missing", f"--tls-certificate={certificate}")
    fails("--tls-certificate is missing", f"--tls-key={key}")
    fails(r"none.pem: cannot be read: No such file", *flags(tmp_path / "none.pem", key))
    fails(r"none.key: cannot be read: No such file", *flags(certificate, tmp_path / "none.key"))
    fails(r"text.pem: holds no usable PEM certificate: no start line", *flags(text, key))
    fails(r"empty.pem: is empty", *flags(empty, key))
    fails(r"text.pem: holds no usable PEM private key", *flags(certificate, text))
    fails(r"other.key: this key does not belong to the certificate in \S+good.pem", *flags(certificate, other_key))
    fails(r"locked.key: holds no usable PEM private key without a password", *flags(certificate, locked))


def test_ipv6(models):
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    with serving(models / "one.gkgc", "--host=::1", host="[::1]") as service:
        with socket.create_connection(("::1", service.port), timeout=30) as plain:
            plain.sendall(b"POST /v1/admin/reload HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close\r\n\r\n")
            assert status_of(read_all(plain)) == 200

"""The greenkgc program for its black-box tests. GREENKGC_BIN names it; the default is the release build."""

import json
import os
import pathlib
import re
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = os.path.abspath(os.environ.get("GREENKGC_BIN", ROOT / "build/release/greenkgc"))


def default_signals():
    """A test run in the background ignores SIGINT, one under nohup SIGHUP, and so would their children."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Finished:
    """What a run of the program came to."""

    def __init__(self, code, stdout, stderr):
        self.code = code
        self.stdout = stdout
        self.stderr = stderr

    @property
    def json(self):
        return json.loads(self.stdout)


def environment(**changes):
    env = {k: v for k, v in os.environ.items() if k not in ("GREENKGC_KERNELS", "NO_COLOR")}
    env.update(changes)
    return env


def run(*args, env=None, timeout=120, **popen):
    popen.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run(
        [BIN, *map(str, args)],
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=environment(**(env or {})),
        timeout=timeout,
        **popen,
    )
    return Finished(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())


def fails(code, pattern, *args, **options):
    """Runs, and expects an exit code and one line on standard error that fits the pattern."""
    done = run(*args, **options)
    assert done.code == code, (done.code, done.stderr)
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("greenkgc: "), lines[0]
    assert re.search(pattern, lines[0]), f"{lines[0]!r} does not fit {pattern!r}"
    return done


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def tsv(*facts):
    return "".join("\t".join(fact.split()) + "\n" for fact in facts)

"""Progress, colors and widths on a terminal and elsewhere; Ctrl-C."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unicodedata

import pytest
from program import BIN, default_signals, environment, run, tsv, write

# Runs far longer than any test waits, and writes little.
LONG = ["generate", "--entities=1000000", "--relations=50", "--triples=2000000000", "--compress=zst"]
FIGURES = r"\d+%.* of .*/s"


class Terminal:
    """A run on a pseudo-terminal of the given width."""

    def __init__(self, *args, columns=100, **env):
        self.seen = ""
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            try:
                default_signals()
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
                os.execve(BIN, [BIN, *map(str, args)], environment(TERM="xterm", **env))
            finally:
                os._exit(99)

    def read(self, seconds):
        """Adds what comes within this time; False at the end of the run."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(self.descriptor, 65536)
        except OSError:
            return False
        self.seen += piece.decode(errors="replace")
        return bool(piece)

    def wait_for(self, pattern, seconds=30):
        deadline = time.monotonic() + seconds
        while not re.search(pattern, self.seen):
            assert time.monotonic() < deadline, f"nothing fits {pattern!r} in {self.seen!r}"
            assert self.read(0.2), f"ended without {pattern!r}: {self.seen!r}"

    def finish(self):
        while self.read(60):
            pass
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def columns_of(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def no_files(folder):
    return not folder.exists() or [path for path in folder.rglob("*") if path.is_file()] == []


def test_progress_is_redrawn_on_a_terminal_and_ctrl_c_ends_it(tmp_path):
    terminal = Terminal(*LONG, "--out", tmp_path / "out")
    terminal.wait_for(r"\r\x1b\[K[^\r\n]*" + FIGURES + ".*left[^\n]*\r\x1b\\[K")
    os.write(terminal.descriptor, b"\x03")
    assert terminal.finish() == 130
    assert terminal.seen.count("\n") <= 2, "progress takes one line"
    last = re.split(r"\r\x1b\[K", terminal.seen)[-1]
    assert "interrupted" in last and "%" not in last
    assert no_files(tmp_path / "out")


def test_progress_fits_a_narrow_terminal(tmp_path):
    terminal = Terminal(*LONG, "--out", tmp_path / "out", columns=40)
    terminal.wait_for(r"\r\x1b\[K[^\r\n]+\r\x1b\[K")
    os.write(terminal.descriptor, b"\x03")
    assert terminal.finish() == 130
    drawn = re.findall(r"\r\x1b\[K([^\r\n\x1b]+)(?=\r)", terminal.seen.replace("^C", ""))
    assert drawn and max(map(columns_of, drawn)) <= 40


def test_quiet_shows_no_progress_on_a_terminal(tmp_path):
    terminal = Terminal(*LONG, "--out", tmp_path / "out", "--quiet")
    time.sleep(2)
    os.write(terminal.descriptor, b"\x03")
    assert terminal.finish() == 130
    assert "%" not in terminal.seen


def interrupted(tmp_path, seconds, signals=(signal.SIGINT,), flags=()):
    """Standard error of a long run that gets these signals after some time."""
    process = subprocess.Popen(
        [BIN, *LONG, "--out", tmp_path / "out", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(TERM="xterm"),
        preexec_fn=default_signals,
    )
    time.sleep(seconds)
    assert process.poll() is None, process.stderr.read()
    for number in signals:
        process.send_signal(number)
    out, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == b""
    return errors.decode()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_the_run_and_leaves_nothing_behind(number, tmp_path):
    assert interrupted(tmp_path, 1, [number]) == "greenkgc: interrupted\n"
    assert no_files(tmp_path / "out")


def test_a_second_signal_ends_at_once(tmp_path):
    process = subprocess.Popen(
        [BIN, *LONG, "--out", tmp_path / "out"], stderr=subprocess.PIPE, env=environment(), preexec_fn=default_signals
    )
    time.sleep(0.5)
    process.send_signal(signal.SIGSTOP)  # both arrive before the run can react to the first
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    assert process.wait(timeout=10) == 130


def test_an_ignored_signal_stays_ignored(tmp_path):
    process = subprocess.Popen(
        [BIN, *LONG, "--out", tmp_path / "out"],
        stderr=subprocess.PIPE,
        env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    assert process.wait(timeout=30) == 130


def test_progress_is_a_rare_plain_line_elsewhere(tmp_path):
    errors = interrupted(tmp_path, 5)
    lines = errors.splitlines()
    assert len([line for line in lines if re.search(FIGURES, line)]) == 1
    assert "\r" not in errors and "\x1b" not in errors


def test_quiet_shows_no_progress_elsewhere(tmp_path):
    assert interrupted(tmp_path, 3, flags=["--quiet"]) == "greenkgc: interrupted\n"


def test_a_short_run_shows_no_progress(tmp_path):
    short = ["generate", "--entities=100", "--triples=1000", "--out", tmp_path / "out"]
    done = run(*short)
    assert (done.code, "%" in done.stderr) == (0, False)
    terminal = Terminal(*short)
    assert terminal.finish() == 0
    assert "\x1b" not in terminal.seen


def test_errors_are_coloured_unless_unwanted():
    for env, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        terminal = Terminal("bogus", **env)
        assert terminal.finish() == 2
        assert ("\x1b[31m" in terminal.seen) == coloured
        assert "unknown command 'bogus'" in terminal.seen
    assert "\x1b" not in run("bogus").stderr


@pytest.mark.parametrize("columns", [80, 100, 200])
def test_tables_fit_the_terminal(columns, tmp_path):
    relations = ["/very/long/relation/" + "x" * 150, "日本語の関係" * 20, "short"]
    path = write(tmp_path / "t.tsv", tsv(*[f"e{i} {relations[i % 3]} e{i + 1}" for i in range(3000)]))
    terminal = Terminal("stats", path, "--quiet", columns=columns)
    assert terminal.finish() == 0
    table = terminal.seen.split("Relations")[1].split("Categories")[0].splitlines()[1:]
    rows = [line.rstrip() for line in table if line.strip()]
    assert max(map(columns_of, rows)) <= columns
    assert len({columns_of(row) for row in rows if columns != 80}) <= 1, "the last column is flush right"
    assert sum("…" in row for row in rows) == 2
    assert any(row.startswith("  short ") for row in rows)

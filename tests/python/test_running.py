"""Python calls that run: threads, signals, progress."""
import concurrent.futures
import logging
import os
import pty
import signal
import threading
import time

import pytest

from package import greenkgc, python


# Takes hours, if nobody interrupts it.
LONG = "greenkgc.train('world', threads=1, dims=500, embed={'epochs': 100_000, 'patience': 0}, second_stage='no')"


def test_calls_release_the_gil_and_run_in_threads(model):
    expected = model.predict_tails("Norway", "borders", 5)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: model.predict_tails("Norway", "borders", 5, threads=1), range(100)))
    assert all(answers == expected for answers in found)

    ticks = 0
    done = threading.Event()

    def tick():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    model.complete(top=10, threads=1)
    seconds = time.monotonic() - began
    done.set()
    thread.join()
    assert ticks > 50 * seconds, (ticks, seconds)


def interrupted(code, number=signal.SIGINT):
    """Seconds from the signal to the end of a process that prints a line once it trains."""
    child = python("def begun(p):\n  if p.done > 2 and p.unit != 'bytes': print('begun', flush=True)\n" + code)
    assert child.stdout.readline().strip() == "begun"
    began = time.monotonic()
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    return time.monotonic() - began, child.returncode, out, err


def test_ctrl_c_ends_a_training():
    code = LONG.replace("threads=1", "progress=begun, threads=1")
    seconds, status, out, err = interrupted(
        f"try:\n  {code}\nexcept KeyboardInterrupt:\n  print('caught', greenkgc.load_dataset('world')); raise")
    assert "caught <Dataset" in out and err.rstrip().endswith("KeyboardInterrupt") and status == -signal.SIGINT
    assert seconds < 2


def test_own_handlers_run_and_are_kept():
    code = LONG.replace("threads=1", "progress=begun, threads=1")
    handler = ("import signal\nclass Stop(Exception): pass\ndef handle(*_): raise Stop\n"
               "signal.signal(signal.SIGTERM, handle)\n")
    seconds, status, out, err = interrupted(
        f"{handler}try:\n  {code}\nexcept Stop:\n  print('stopped', signal.getsignal(signal.SIGTERM) is handle)",
        signal.SIGTERM)
    assert out.endswith("stopped True\n") and status == 0 and seconds < 2


def test_what_a_progress_callback_raises_comes_out(tmp_path):
    class Enough(Exception):
        pass

    def callback(progress):
        if progress.task.startswith("embedding"):
            raise Enough

    seen = []
    with pytest.raises(Enough):
        greenkgc.train("world", out=tmp_path / "run", embed={"dims": 64, "epochs": 10_000, "patience": 0},
                       progress=lambda p: (seen.append(p), callback(p)))
    assert seen[-1].total > 0 and str(seen[-1]).startswith(seen[-1].task)
    assert not (tmp_path / "run/model.gkgc").exists()


def test_progress_on_a_terminal_is_one_line():
    ours, theirs = pty.openpty()
    child = python("from greenkgc import _progress\n_progress._Terminal.patience = 0\n"
                   "greenkgc.train('world', threads=1, dims=32, epochs=20, second_stage='no', decide={'trees': 5})",
                   stderr=theirs, env={"TERM": "xterm"})
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    assert child.wait(timeout=60) == 0
    assert b"\r\x1b[K" in shown and b"\n" not in shown and b"%" in shown
    assert shown.endswith(b"\r\x1b[K")


def test_progress_elsewhere_is_lines(tmp_path):
    with open(tmp_path / "err", "w") as err:
        child = python("from greenkgc import _progress\n_progress._Lines.patience = _progress._Lines.every = 0\n"
                       "greenkgc.train('world', threads=1, dims=32, epochs=20, second_stage='no', decide={'trees': 5})",
                       stderr=err)
        assert child.wait(timeout=60) == 0
    lines = (tmp_path / "err").read_text().splitlines()
    assert lines and all("/s" in line for line in lines) and not any("\x1b" in line for line in lines)


def test_progress_in_a_notebook_updates_one_display(monkeypatch):
    shell_module = pytest.importorskip("IPython.core.interactiveshell")
    displays = pytest.importorskip("IPython.core.displaypub")
    # What a notebook's kernel calls its shell.
    kernel = type("ZMQInteractiveShell", (shell_module.InteractiveShell,), {})
    shell = kernel.instance()
    try:
        shell.display_pub = displays.CapturingDisplayPublisher()
        monkeypatch.setattr(greenkgc._progress._Notebook, "patience", 0)
        greenkgc.train("world", threads=1, dims=32, epochs=20, second_stage="no", decide={"trees": 5})
        outputs = shell.display_pub.outputs
        assert len(outputs) >= 2 and len({o["transient"]["display_id"] for o in outputs}) == 1
        assert not outputs[0].get("update") and all(o["update"] for o in outputs[1:])
        assert "/s" in outputs[0]["data"]["text/plain"] and outputs[-1]["data"]["text/plain"] == ""
    finally:
        kernel.clear_instance()


def test_notes_go_to_the_logger(caplog):
    caplog.set_level(logging.INFO, "greenkgc")
    greenkgc.train("world", second_stage="no", dims=8, epochs=1, keep_dims=4, decide={"trees": 2}, progress=False)
    assert any("embed: complex, 8 dimensions" in record.message for record in caplog.records)
    assert {record.name for record in caplog.records} == {"greenkgc"}

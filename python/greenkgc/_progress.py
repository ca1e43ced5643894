"""Progress of long calls: one line that is redrawn in a terminal or a notebook, plain lines elsewhere."""
from __future__ import annotations

import logging
import os
import shutil
import sys
import time
from typing import Any, Callable, NamedTuple, Protocol, Union

logger = logging.getLogger("greenkgc")


class Progress(NamedTuple):
    """Progress of a task of a long call; `total` is 0 if it is not known."""

    task: str
    done: int
    total: int
    unit: str
    seconds: float

    def __str__(self) -> str:
        """
        >>> str(Progress("training", 30, 40, "epochs", 6.0))
        'training   75%  30 of 40 epochs  5.0 epochs/s  2 s left'
        """
        rate = f"{_amount(self.done / max(self.seconds, 1e-3), self.unit)}/s"
        if self.total == 0:
            return f"{self.task}  {_amount(self.done, self.unit)}  {rate}"
        share = min(1.0, self.done / self.total)
        done = f"{_amount(self.done, self.unit).split(' ')[0]} of {_amount(self.total, self.unit)}"
        if self.unit == "bytes":
            done = f"{_amount(self.done, self.unit)} of {_amount(self.total, self.unit)}"
        left = f"  {_duration(self.seconds * (1 - share) / share)} left" if share > 0 else ""
        return f"{self.task}  {share:4.0%}  {done}  {rate}{left}"


def _amount(value: float, unit: str) -> str:
    for size, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {prefix}B" if unit == "bytes" else f"{value / size:.3g}{prefix} {unit}"
    digits = f"{value:.1f}" if isinstance(value, float) and value < 100 else f"{value:.0f}"
    return f"{digits} {'B' if unit == 'bytes' else unit}"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = int(seconds) // 60
    return f"{minutes} min {int(seconds) % 60:02d} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"


class _Display(Protocol):
    patience: float  # seconds before the first showing
    every: float  # seconds between two

    def show(self, progress: Progress) -> None: ...

    def clear(self) -> None: ...


class _Lines:
    patience, every = 2.0, 10.0

    def show(self, progress: Progress) -> None:
        print(progress, file=sys.stderr, flush=True)

    def clear(self) -> None:
        pass


class _Terminal:
    patience, every = 0.5, 0.1
    _shown = False

    def show(self, progress: Progress) -> None:
        width = shutil.get_terminal_size().columns
        sys.stderr.write("\r\x1b[K" + str(progress)[: width - 1])
        sys.stderr.flush()
        self._shown = True

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        self._shown = False


class _Notebook:
    patience, every = 0.5, 0.2
    _handle: Any = None

    def show(self, progress: Progress) -> None:
        self._put(str(progress))

    def clear(self) -> None:
        if self._handle is not None:
            self._put("")

    def _put(self, text: str) -> None:
        from IPython.display import display

        content = {"text/plain": text}
        if self._handle is None:
            self._handle = display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def _display() -> _Display:
    if _in_notebook():
        return _Notebook()
    stderr = sys.stderr
    if stderr is not None and stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        return _Terminal()
    return _Lines()


class _Callback:
    patience, every = 0.0, 0.0

    def __init__(self, function: Callable[[Progress], object]):
        self._function = function

    def show(self, progress: Progress) -> None:
        self._function(progress)

    def clear(self) -> None:
        pass


class Watch:
    """What the library tells of a call; `_core.Call` says how. The library's notes go to the logger "greenkgc"."""

    def __init__(self, progress: Union[bool, Callable[[Progress], object]]):
        self._display: _Display | None = None
        if callable(progress):
            self._display = _Callback(progress)
        elif progress and sys.stderr is not None:
            self._display = _display()
        self._task = ""
        self._began = 0.0
        self._next = 0.0

    def progress(self, task: str, done: int, total: int, unit: str) -> None:
        if self._display is None:
            return
        now = time.monotonic()
        if task != self._task:
            self._task, self._began, self._next = task, now, now + self._display.patience
        if now < self._next:
            return
        self._next = now + self._display.every
        self._display.show(Progress(task, done, total, unit, now - self._began))

    def idle(self) -> None:
        self._task = ""
        if self._display is not None:
            self._display.clear()

    def log(self, level: str, message: str) -> None:
        if self._display is not None:
            self._display.clear()
        logger.log(getattr(logging, level.upper()), message)

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self.idle()

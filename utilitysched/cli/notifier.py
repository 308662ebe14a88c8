"""Notes and progress for people on standard error."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock, Timer
from typing import TYPE_CHECKING, Self

from utilitysched.report.visible import plain, visible

if TYPE_CHECKING:
    import rich.progress

Echo = Callable[[str], None]

LINE = 80
"""Characters of a line where standard error is no terminal."""

_COMMAND = re.compile(r"utilitysched( [a-z-]+){1,2}")

PATIENCE = 0.5
"""Seconds without a bar."""


def notifier(*, quiet: bool) -> Echo:
    """Return a function that writes a line on standard error, or nothing if `quiet`."""
    return _nothing if quiet else _line


@contextmanager
def noting_compilation(echo: Echo) -> Iterator[None]:
    """Say so, once, if anything has to be compiled in the block."""
    from utilitysched.kernels.compiling import telling_of_compilation
    from utilitysched.workers.places import COMPILING

    with telling_of_compilation(partial(echo, COMPILING)):
        yield


def watcher(*, quiet: bool) -> Callable[[str], ProgressBar]:
    """Return what opens a bar under a title; see `utilitysched.runs.simulation.Watch`."""
    return partial(ProgressBar, quiet=quiet)


def _line(text: str) -> None:
    from swfx.base.numbers import shortened

    shown = shortened(visible(text))
    if sys.stderr.isatty():  # a file has whole lines
        shown = folded(shown)
    sys.stdout.flush()  # in a pipe, too, results stand before what is said after them
    print(shown, file=sys.stderr, flush=True)


def folded(text: str) -> str:
    """Return a text in lines of the width of standard error; paths and commands stay whole.

    The further lines are indented.
    """
    from utilitysched.report.terminal import filled, known_width  # brings rich

    whole = _COMMAND.sub(lambda command: command[0].replace(" ", "\xa0"), text)
    room = known_width(sys.stderr) or LINE
    return filled(whole, room, further="  ").replace("\xa0", " ")


def _nothing(_: str) -> None:
    return


class ProgressBar:
    """Shows a bar on standard error within the first second, and the time left once that is known.

    Call it with the fraction done. Shows nothing when standard error is no terminal.
    """

    def __init__(self, title: str, *, quiet: bool = False) -> None:
        self.title = visible(title)
        self.visible = not quiet and sys.stderr.isatty()
        self.began = time.monotonic()
        self._bar: rich.progress.Progress | None = None
        self._told = False
        self._lock = Lock()
        self._timer = Timer(PATIENCE, self._start)

    def __enter__(self) -> Self:
        if self.visible:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self.visible = False
            if self._bar is not None:
                self._bar.stop()
            elif self._told:
                _erase_line()

    def __call__(self, fraction: float) -> None:
        """Show that `fraction` (0 to 1) is done."""
        elapsed = time.monotonic() - self.began
        if not self.visible or elapsed < PATIENCE or fraction <= 0:
            return
        self._start()
        left = f"{clock(elapsed * (1 - fraction) / fraction)} left"
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=fraction, total=1.0, left=left)

    def _start(self) -> None:
        """Show the bar, if it is not there yet: it moves to and fro while no fraction is known.

        Its title stands there at once, before what draws bars is imported.
        """
        with self._lock:
            if self._told or not self.visible:
                return
            self._told = True
            print(f"{self.title} ...", end="", file=sys.stderr, flush=True)
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        with self._lock:
            if not self.visible:
                return
            _erase_line()
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TaskProgressColumn(),
                Elapsed(),
                TextColumn("{task.fields[left]}"),
                console=Console(file=plain(sys.stderr)),
                transient=True,
            )
            self._bar.add_task(self.title, total=None, left="")
            self._bar.start()


def _erase_line() -> None:
    print("\r\x1b[K", end="", file=plain(sys.stderr), flush=True)


def clock(seconds: float) -> str:
    """Return a time span as hours, minutes and seconds.

    Examples
    --------
    >>> clock(75.2), clock(7325)
    ('1:15', '2:02:05')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"

"""Who works in a store, and whether they still live."""

import json
import os
import socket
import threading
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Any

from swfx import InputError
from swfx.base.atomic import atomic_write

BEAT = 10.0
"""Seconds between signs of life."""

STALE = 120.0
"""Seconds without a sign of life after which an owner on another machine counts as dead."""


class Owner:
    """A process that works in a store: this one, as the others see it.

    Its file in `directory` says which process on which machine it is, and is touched every `BEAT`
    seconds for as long as the process lives.

    Parameters
    ----------
    directory : Path
        Of all owners of the store; exists.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.token = uuid.uuid4().hex
        self._file = directory / f"{self.token}.json"
        self._introduce()
        self._gone = threading.Event()
        self._heart = threading.Thread(target=self._beat, daemon=True, name="heartbeat")
        self._heart.start()

    def lives(self, token: str) -> bool:
        """Whether the owner with that token may still be at work."""
        file = self.directory / f"{token}.json"
        try:
            found = json.loads(file.read_text("utf-8"))
            silent = self.now() - file.stat().st_mtime
        except (OSError, ValueError):
            return False
        here = _this_process()
        tells = here["start"] is not None  # where the system says when processes started
        if tells and (found["host"], found["boot"]) == (here["host"], here["boot"]):
            return bool(_start_of(found["pid"]) == found["start"])
        return silent < STALE

    def forget(self, token: str) -> None:
        """Remove the file of a dead owner."""
        (self.directory / f"{token}.json").unlink(missing_ok=True)

    def leave(self) -> None:
        """Stop working in the store."""
        self._gone.set()
        self._heart.join()
        self._file.unlink(missing_ok=True)

    def now(self) -> float:
        """Time by the clock of the file system, which all owners share."""
        self._touch()
        return self._file.stat().st_mtime

    def _introduce(self) -> None:
        with atomic_write(self._file) as stream:
            stream.write(json.dumps(_this_process()).encode())

    def _beat(self) -> None:
        while not self._gone.wait(BEAT):
            self._touch()

    def _touch(self) -> None:
        with suppress(OSError, InputError):  # the store will tell what cannot be written
            try:
                os.utime(self._file)
            except FileNotFoundError:  # taken for dead by others, after a long sleep for instance
                self._introduce()


def _this_process() -> dict[str, Any]:
    return {
        "host": socket.gethostname(),
        "boot": _boot(),
        "pid": os.getpid(),
        "start": _start_of(os.getpid()),
    }


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


def _start_of(pid: int) -> str | None:
    """When a process started, in ticks since boot; None if there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", errors="replace")
    except OSError:
        return None
    state, *rest = stat.rpartition(")")[2].split()  # the name before it may hold anything
    return None if state in "ZX" else rest[18]

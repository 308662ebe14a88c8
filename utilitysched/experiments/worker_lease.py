"""Leases of workers on a store, and their claims on its cells.

A process holds one lease, however many cells it has claimed: one file that it touches while it
lives. A lease of filelock would be a thread and a file to touch per cell, thousands of them before
a large cluster, and one whose holder was killed on this machine is known to be free only when it
has expired; its other locks tell nothing of holders on other machines. Earlier versions, which
may work in the same store, know these files, too.
"""

import fcntl
import json
import os
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from swfx import InputError
from swfx.base.atomic import atomic_write

BEAT = 10.0
"""Seconds between signs of life."""

STALE = 120.0
"""Seconds without a sign of life after which a worker on another machine counts as dead."""

TORN = 5.0
"""Seconds after which a claim without a worker's name is one whose worker died writing it."""


class WorkerLease:
    """Lease of this process on a store, visible to other processes.

    Its file in `directory` says which process on which machine it is, and is touched every `BEAT`
    seconds for as long as the process lives.

    Parameters
    ----------
    directory : Path
        Of all leases of the store; exists.
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
        """Whether the worker with that token may still be at work."""
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
        """Remove the lease of a dead worker."""
        (self.directory / f"{token}.json").unlink(missing_ok=True)

    def leave(self) -> None:
        """Stop working in the store."""
        self._gone.set()
        self._heart.join()
        self._file.unlink(missing_ok=True)

    def now(self) -> float:
        """Time by the clock of the file system, which all workers share."""
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


class CellClaims:
    """Files named for cells, made by exactly one process each.

    Parameters
    ----------
    directory : Path
        Of the claims of the store; exists.
    lease : WorkerLease
        Of this process.
    """

    def __init__(self, directory: Path, lease: WorkerLease) -> None:
        self.directory = directory
        self.lease = lease

    def take(self, key: str) -> bool:
        """Claim a cell, and return whether it is ours; claims of the dead are taken over."""
        if self._make(key):
            return True
        if self._is_held(key):
            return False
        with self._only_one():
            if self._make(key):
                return True
            if self._is_held(key):
                return False
            self._take_over(key)
        return True

    def release(self, key: str) -> None:
        """Give up a claim of ours."""
        (self.directory / key).unlink(missing_ok=True)

    def _make(self, key: str) -> bool:
        try:
            handle = os.open(self.directory / key, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        except FileExistsError:
            return False
        with os.fdopen(handle, "wb") as stream:
            stream.write(self.lease.token.encode())
        return True

    def _take_over(self, key: str) -> None:
        dead = ""
        with suppress(FileNotFoundError):  # given up by who was slow, not dead
            dead = (self.directory / key).read_text("ascii")
        with atomic_write(self.directory / key) as stream:
            stream.write(self.lease.token.encode())
        if dead:
            self.lease.forget(dead)

    def _is_held(self, key: str) -> bool:
        file = self.directory / key
        try:
            token = file.read_text("ascii")
            return self.lease.lives(token) if token else self._age(file) < TORN
        except FileNotFoundError:
            return False

    def _age(self, file: Path) -> float:
        return self.lease.now() - file.stat().st_mtime

    @contextmanager
    def _only_one(self) -> Iterator[None]:
        """Hold the lock of the store: the kernel frees it when its holder dies."""
        with (self.directory / ".lock").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


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

"""Claims: which process runs which cell."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from swfx.base.atomic import atomic_write
from utilitysched.experiments.owner import Owner

TORN = 5.0
"""Seconds after which a claim without an owner's name is one whose owner died writing it."""


class Claims:
    """Files named for cells, made by exactly one process each.

    Parameters
    ----------
    directory : Path
        Of the claims of the store; exists.
    owner : Owner
        This process.
    """

    def __init__(self, directory: Path, owner: Owner) -> None:
        self.directory = directory
        self.owner = owner

    def take(self, key: str) -> bool:
        """Claim a cell, and return whether it is ours; claims of dead owners are taken over."""
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
            stream.write(self.owner.token.encode())
        return True

    def _take_over(self, key: str) -> None:
        dead = ""
        with suppress(FileNotFoundError):  # given up by who was slow, not dead
            dead = (self.directory / key).read_text("ascii")
        with atomic_write(self.directory / key) as stream:
            stream.write(self.owner.token.encode())
        if dead:
            self.owner.forget(dead)

    def _is_held(self, key: str) -> bool:
        file = self.directory / key
        try:
            token = file.read_text("ascii")
            return self.owner.lives(token) if token else self._age(file) < TORN
        except FileNotFoundError:
            return False

    def _age(self, file: Path) -> float:
        return self.owner.now() - file.stat().st_mtime

    @contextmanager
    def _only_one(self) -> Iterator[None]:
        """Hold the lock of the store: the kernel frees it when its holder dies."""
        with (self.directory / ".lock").open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

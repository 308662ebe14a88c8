"""A real Dask scheduler and real workers, as processes of their own, reachable from here only.

Most are forks of a process that has everything imported.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Self

from tests.warm import Started

ROOT = Path(__file__).parents[3]
HERE = ("--host", "127.0.0.1", "--no-dashboard")
START = 300.0

AnyProcess = Started | subprocess.Popen[bytes]


class DaskProcesses:
    """A cluster, told of in a folder; ends what it started when it is left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = ""
        self.started: list[AnyProcess] = []

    def __enter__(self) -> Self:
        file = self.folder / "scheduler.json"
        self.scheduler = self._start("scheduler", *HERE, "--port", "0", "--scheduler-file", file)
        until = time.monotonic() + START
        while not self.address:
            assert time.monotonic() < until
            assert self.scheduler.poll() is None, self.scheduler.communicate()
            time.sleep(0.01)
            if file.is_file() and file.read_text("utf-8").endswith("}"):
                self.address = json.loads(file.read_text("utf-8"))["address"]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in reversed(self.started):
            process.kill()
            process.wait()

    def worker(
        self,
        *options: object,
        cwd: Path = ROOT,
        environment: Mapping[str, str] | None = None,
    ) -> AnyProcess:
        """Start a worker with one thread, which is one process; a new one in an environment."""
        alone = ("--nthreads", "1", "--no-nanny", "--death-timeout", START)
        words = (self.address, *HERE, *alone, *options)
        return self._start("worker", *words, cwd=cwd, environment=environment)

    @contextmanager
    def replaced_worker(self, *options: object) -> Iterator[None]:
        """Keep one worker there: when it has died, the next one is started.

        Dask's own nanny gives up a worker that dies while the nanny still takes it for starting.
        """
        over = Event()

        def replace_it() -> None:
            while not over.is_set():
                self.worker(*options).wait()

        keeper = Thread(target=replace_it)
        keeper.start()
        try:
            yield
        finally:
            over.set()
            while keeper.is_alive():
                self.started[-1].kill()
                keeper.join(0.1)

    def _start(
        self,
        *words: object,
        cwd: Path = ROOT,
        environment: Mapping[str, str] | None = None,
    ) -> AnyProcess:
        process: AnyProcess
        if environment is None:
            process = Started(*words, program="dask", folder=cwd)
        else:
            command = [sys.executable, "-m", "dask", *map(str, words)]
            process = subprocess.Popen(
                command, cwd=cwd, env={**os.environ, **environment}, stderr=subprocess.DEVNULL
            )
        self.started.append(process)
        return process


def kill(process: AnyProcess) -> None:
    """End a process as a power cut would."""
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL

"""A real Dask scheduler and real workers, as processes of their own, reachable from here only."""

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

ROOT = Path(__file__).parents[3]
HERE = ("--host", "127.0.0.1", "--no-dashboard")
START = 300.0


class DaskProcesses:
    """A cluster in a folder that takes its logs; ends what it started when it is left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = ""
        self.started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        file = self.folder / "scheduler.json"
        self.scheduler = self._start("scheduler", *HERE, "--port", "0", "--scheduler-file", file)
        until = time.monotonic() + START
        while not self.address:
            assert time.monotonic() < until, self.logs()
            time.sleep(0.05)
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
    ) -> subprocess.Popen[bytes]:
        """Start a worker with one thread, which is one process."""
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

    def logs(self) -> str:
        """All that the processes have said."""
        return "\n".join(log.read_text("utf-8") for log in sorted(self.folder.glob("*.log")))

    def _start(
        self,
        *words: object,
        cwd: Path = ROOT,
        environment: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *map(str, words)]
        with (self.folder / f"{len(self.started)}.log").open("wb") as log:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self.started.append(process)
        return process


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process as a power cut would."""
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL

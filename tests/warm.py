"""A process with everything imported, which runs each command in a fork of itself.

Pages and tests run some three hundred commands. Most of what each takes is importing and loading
compiled code, which is done once here, for all processes that run tests.
"""

from __future__ import annotations

import atexit
import fcntl
import importlib
import json
import os
import pkgutil
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = "UTILITYSCHED_WARM_COMMANDS"
LIBRARIES = (
    "altair",
    "distributed.cli.dask_scheduler",
    "distributed.cli.dask_worker",
    "pandas",
    "scipy.stats",
)
COMMON = (
    "simulate sample: --jobs 0:60 --scheduler easy --scheduler ga --out {}/runs",
    "bill {}/runs/easy",
)
CLIENT = """\
#!{python} -SE
import json, os, socket, sys
request = json.dumps([os.getcwd(), sys.argv, dict(os.environ)]).encode()
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    socket.send_fds(line, [len(request).to_bytes(8)], [0, 1, 2])
    line.sendall(request)
    line.recv(8)
    sys.exit((line.recv(1) or b"\\1")[0])
"""
_STARTED: list[subprocess.Popen[bytes]] = []


def share() -> None:
    """Make the folder by which this process, and those it starts, find the warm one."""
    if PLACE not in os.environ:
        folder = tempfile.TemporaryDirectory(prefix="warm-")
        atexit.register(folder.cleanup)
        os.environ[PLACE] = folder.name
        Path(folder.name, "owner").write_text(str(os.getpid()), "ascii")


def programs() -> Path:
    """Folder of `utilitysched`, and of `script` to run a file: they need not import anything.

    The process that they ask is started by who is the first to need it, and ends with the owner.
    """
    place = Path(os.environ[PLACE])
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "socket").exists():
            _start(place)
    return place


class Started:
    """A command that runs in a fork, in a session of its own, as a process that one has started."""

    def __init__(
        self,
        *arguments: object,
        feed: bytes = b"",
        program: str = "utilitysched",
        folder: Path = ROOT,
    ) -> None:
        words = [program, *map(str, arguments)]
        request = json.dumps([str(folder), words, dict(os.environ)]).encode()
        self._streams = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115 - until it ends
        self._written: list[bytes] = []
        self._streams[0].write(feed)
        self._streams[0].seek(0)
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(programs() / "socket"))
        streams = [stream.fileno() for stream in self._streams]
        socket.send_fds(self._line, [len(request).to_bytes(8)], streams)
        self._line.sendall(request)
        self.pid = int.from_bytes(self._line.recv(8))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Exit code, if it has ended."""
        if self.returncode is None and select.select([self._line], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self) -> int:
        """Exit code; who could not send one has been killed."""
        if self.returncode is None:
            code = self._line.recv(1)
            self.returncode = code[0] if code else -signal.SIGKILL
            self._line.close()
            for stream in self._streams:
                with stream:
                    stream.seek(0)
                    self._written.append(stream.read())
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it, whoever waits for it."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def communicate(self) -> tuple[bytes, bytes]:
        """What it has written on standard output and standard error, when it has ended."""
        self.wait()
        return self._written[1], self._written[2]


def _start(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place / "socket"))
        listener.listen()
        for name in ("utilitysched", "script"):
            client = place / name
            address = str(place / "socket")
            client.write_text(CLIENT.format(python=sys.executable, address=address))
            client.chmod(0o755)
        owner = (place / "owner").read_text("ascii")
        with (place / "log").open("wb") as log:
            server = subprocess.Popen(
                [sys.executable, "-m", "tests.warm", str(listener.fileno()), owner],
                cwd=ROOT,
                env=os.environ | {"COLUMNS": "100"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[listener.fileno()],
            )
    _STARTED.append(server)


def _serve(listener: socket.socket, owner: int) -> None:
    import utilitysched

    names = [each.name for each in pkgutil.walk_packages(utilitysched.__path__, "utilitysched.")]
    for name in (*LIBRARIES, *names):
        if not name.endswith("__main__"):
            importlib.import_module(name)
    work_alone()
    _load_compiled_code()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener.settimeout(1)
    while _lives(owner):
        try:
            line, _ = listener.accept()
        except TimeoutError:
            continue
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            _answer(line)
        line.close()
    shutil.rmtree(Path(listener.getsockname()).parent, ignore_errors=True)  # of who was killed


def work_alone() -> None:
    """Have commands start no processes but those that they are told to: each imports everything."""
    from utilitysched.workers import local

    local.processors = lambda: 1  # type: ignore[assignment]


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _load_compiled_code() -> None:
    """Run what most commands run."""
    from utilitysched.cli.entry import run

    with (
        tempfile.TemporaryDirectory() as folder,
        Path(os.devnull).open("w") as nowhere,
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
    ):
        for command in COMMON:
            assert run(command.format(folder).split()) == 0


def _answer(line: socket.socket) -> None:
    """Run what is asked for, with the streams of who asks, and send back the exit code."""
    from swfx.base.plugins import import_family
    from utilitysched.schedulers import registry

    os.setsid()
    line.sendall(os.getpid().to_bytes(8))
    length, streams, _, _ = socket.recv_fds(line, 8, 3)
    with line.makefile("rb") as words:
        folder, arguments, environment = json.loads(words.read(int.from_bytes(length)))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = os.fdopen(0, encoding="utf-8")
    sys.stdout = os.fdopen(1, "w", encoding="utf-8")
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(":"))
    for found in (import_family, registry._import_families):
        found.cache_clear()  # who asks may have packages of its own
    code = _run(arguments)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    line.sendall(bytes([code]))
    os._exit(code)


def _run(arguments: list[str]) -> int:
    from utilitysched.cli.entry import run

    program, *rest = arguments
    try:
        if Path(program).name == "utilitysched":
            return run(rest)
        if program == "dask":
            return _dask(rest)
        sys.argv = rest
        runpy.run_path(rest[0], run_name="__main__")
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:  # noqa: BLE001 - what Python itself would print
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _dask(words: list[str]) -> int:
    """Run a scheduler or a worker, as the environment of who asks says."""
    import dask
    from dask.cli import run_cli

    dask.config.refresh()
    sys.argv = ["dask", *words]
    run_cli()
    return 0


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]))

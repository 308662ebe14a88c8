"""A process with everything imported, which runs each command in a fork of itself.

Pages show some two hundred commands. Most of what each takes is importing and loading
compiled code, which is done once here.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIBRARIES = ("bokeh.embed", "matplotlib.pyplot", "pandas", "scipy.stats", "statsmodels.api")
COMMON = (
    "simulate sample: --scheduler easy --scheduler ga:generations=2,population=4 --out {}/runs",
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
    sys.exit((line.recv(1) or b"\\1")[0])
"""


@contextmanager
def warm_commands(environment: dict[str, str]) -> Iterator[Path]:
    """Start the process; yield a folder with its ``utilitysched`` and its ``script`` to run a file.

    Parameters
    ----------
    environment : dict of str to str
        What it finds while it imports. Each command has the environment of who runs it.
    """
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        address = f"{folder}/socket"
        listener.bind(address)
        listener.listen()
        for name in ("utilitysched", "script"):
            client = Path(folder, name)
            client.write_text(CLIENT.format(python=sys.executable, address=address))
            client.chmod(0o755)
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.warm", str(listener.fileno())],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            pass_fds=[listener.fileno()],
        )
        listener.close()
        try:
            yield Path(folder)
        finally:
            server.terminate()
            server.wait()


def _serve(listener: socket.socket) -> None:
    import utilitysched

    names = [each.name for each in pkgutil.walk_packages(utilitysched.__path__, "utilitysched.")]
    for name in (*LIBRARIES, *names):
        if not name.endswith("__main__"):
            importlib.import_module(name)
    _load_compiled_code()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        line, _ = listener.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            _answer(line)
        line.close()


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

    length, streams, _, _ = socket.recv_fds(line, 8, 3)
    with line.makefile("rb") as words:
        folder, arguments, environment = json.loads(words.read(int.from_bytes(length)))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = environment["PYTHONPATH"].split(":")
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
    if Path(program).name == "utilitysched":
        return run(rest)
    sys.argv = rest
    try:
        runpy.run_path(rest[0], run_name="__main__")
    except BaseException:  # noqa: BLE001 - what Python itself would print
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))

"""A PostgreSQL server of our own: in a new folder, reached through a socket in it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

UNPRIVILEGED = ("postgres", "nobody")
"""Whom the server runs as when the tests are root's: it refuses to be root's itself."""

SETTINGS = ("listen_addresses=", "fsync=off", "full_page_writes=off", "shared_buffers=16MB")


def programs() -> Path | None:
    """Return the folder of initdb and postgres, the newest one."""
    found = shutil.which("initdb")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: len(path.parts))
    candidates = [Path(found).resolve().parent] if found else []
    return next((path for path in [*candidates, *folders] if (path / "postgres").exists()), None)


@contextmanager
def server(bin_folder: Path) -> Iterator[str]:
    """Start a server; yields the addresses of its databases, with {} for the name.

    The socket lies in a folder that only its owner and root can enter.
    """
    user = _unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # socket paths are short
    try:
        os.chown(folder, user.pw_uid, user.pw_gid)
        identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        options = identity if os.geteuid() == 0 else {}
        initdb = [bin_folder / "initdb", "-D", folder / "data", "-U", "ledger", "-A", "trust", "-N"]
        subprocess.run(initdb, check=True, capture_output=True, cwd=folder, **options)
        settings = [word for setting in SETTINGS for word in ("-c", setting)]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [bin_folder / "postgres", "-D", folder / "data", "-k", folder, *settings],
                stdout=log,
                stderr=log,
                cwd=folder,
                **options,
            )
        try:
            address = f"postgresql://ledger@/{{}}?host={folder}"
            _wait(address.format("postgres"), process, folder / "log")
            yield address
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()
    finally:
        shutil.rmtree(folder)


def _unprivileged() -> pwd.struct_passwd:
    if os.geteuid():
        return pwd.getpwuid(os.geteuid())
    known = {user.pw_name: user for user in pwd.getpwall()}
    return next(known[name] for name in UNPRIVILEGED if name in known)


def _wait(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    while not _answers(address):
        assert process.poll() is None, log.read_text()
        time.sleep(0.05)


def _answers(address: str) -> bool:
    try:
        psycopg.connect(address).close()
    except psycopg.OperationalError:
        return False
    return True

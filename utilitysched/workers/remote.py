"""Worker's side of a Dask cluster: light until it computes, since schedulers import it, too."""

from __future__ import annotations

import os
import pickle
import socket
import traceback
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from threading import Lock
from typing import Any

from swfx.base.errors import InputError
from swfx.base.plugins import OURS, file_digest, installed_plugins, module_places
from utilitysched.model.versions import package_versions
from utilitysched.workers.executor import Work, unpacked

UNRELATED = {"cli", "description", "report", "series", "statistics", "__pycache__"}
"""Folders of ours that no task needs: an edit there is no other installation."""

ALSO = ("scipy", "dask", "distributed")
"""Packages that decide results, or what machines understand of each other, beside the recorded."""


@cache
def installation() -> Mapping[str, str]:
    """Return what has to be equal for results to be: versions, and a digest of our files.

    Code and versions of distributions with plug-ins of ours count, too.
    """
    return (
        package_versions()
        | {name: _version(name) for name in ALSO}
        | {name: f"{_version(name)} {digest}" for name, digest in installed_plugins().items()}
        | {
            "files": file_digest(
                (place for each in OURS for place in module_places(each)), UNRELATED
            )
        }
    )


def differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """Return how two installations differ, in words; empty if they do not.

    Examples
    --------
    >>> differences({"numpy": "2.4.1", "files": "ab"}, {"numpy": "2.3.0", "files": "ab"})
    'numpy 2.3.0 instead of 2.4.1'
    >>> differences({"files": "ab"}, {"files": "cd"})
    'other files of utilitysched'
    """
    lines = [
        f"{name} {theirs.get(name, 'missing')} instead of {ours.get(name, 'none')}"
        for name in sorted({*ours, *theirs})
        if name != "files" and ours.get(name) != theirs.get(name)
    ]
    if not lines and ours["files"] != theirs["files"]:
        lines = ["other files of utilitysched"]
    return ", ".join(lines)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


_ONE_AT_A_TIME = Lock()
"""Threads of one process share what it keeps, and would only wait for each other."""


DEPTH = -20
"""Innermost calls of an unexpected error that are told."""


class UnfitWorker(InputError):  # noqa: N818 - the worker is what is unfit
    """A worker that cannot give the results that others give; no task is to blame for it."""


class TaskStatus(StrEnum):
    """Status of a task on a worker."""

    RESULT = "result"
    FAILED = "failed"
    UNFIT = "unfit"
    BUG = "bug"


def compute(work: bytes, task: bytes, expected: Mapping[str, str]) -> tuple[str, Any]:
    """Do a task.

    Parameters
    ----------
    work : bytes
        A `Work`, pickled: not loaded before the installations have been compared.
    task : bytes
        A task, pickled.
    expected : mapping
        Installation of the process that asks.

    Returns
    -------
    tuple of TaskStatus and of the result, pickled, or a text
        Nothing is raised: not every exception survives the way back, and one that does not would
        be waited for, for ever.
    """
    try:
        require_installed(expected)
        with _ONE_AT_A_TIME:
            return TaskStatus.RESULT.value, pickle.dumps(_result(work, task))
    except UnfitWorker as error:
        return TaskStatus.UNFIT.value, str(error)
    except InputError as error:
        return TaskStatus.FAILED.value, str(error)
    except MemoryError:
        return TaskStatus.FAILED.value, f"not enough memory: {_here()}"
    except Exception:  # noqa: BLE001 - as above
        return TaskStatus.BUG.value, traceback.format_exc(limit=DEPTH)


def _result(sent: bytes, pickled: bytes) -> Any:
    work, do = _prepared(sent)
    task = pickle.loads(pickled)
    try:
        work.check(task)
    except InputError as error:
        raise UnfitWorker(error.message, source=_here(), remedy=error.remedy) from error
    return do(task)


@lru_cache(maxsize=1)
def _prepared(sent: bytes) -> tuple[Work[Any, Any], Callable[[Any], Any]]:
    work = unpacked(sent)
    return work, work.prepare()


def require_installed(expected: Mapping[str, str]) -> None:
    """Refuse to work beside another installation.

    Raises
    ------
    UnfitWorker
        This one differs.
    """
    mismatches = differences(expected, installation())
    if mismatches:
        raise UnfitWorker(
            f"has {mismatches}: its results might differ",
            source=_here(),
            remedy="install the same on every machine, and restart the workers",
        )


def _here() -> str:
    return f"Dask worker on {socket.gethostname()}, process {os.getpid()}"

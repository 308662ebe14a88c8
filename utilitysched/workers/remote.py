"""What a Dask worker calls: schedulers import it, too, so it is light until it computes."""

from __future__ import annotations

import os
import socket
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from enum import StrEnum
from pkgutil import resolve_name
from threading import Lock
from typing import TYPE_CHECKING, Any

from swfx.base.errors import InputError
from utilitysched.workers.installation import differences, installation

if TYPE_CHECKING:
    from utilitysched.experiments.files import NamedFile

_ONE_AT_A_TIME = Lock()
"""Threads of one process share the workloads it keeps, and would only wait for each other."""


DEPTH = -20
"""Innermost calls of an unexpected error that are told."""


class UnfitWorker(InputError):  # noqa: N818 - the worker is what is unfit
    """A worker that cannot give the results that others give; no cell is to blame for it."""


class Answer(StrEnum):
    """What a worker answers."""

    RESULT = "result"
    FAILED = "failed"
    UNFIT = "unfit"
    BUG = "bug"


def compute(
    function: str, shared: bytes, task: Any, expected: Mapping[str, str]
) -> tuple[str, Any]:
    """Do a task.

    Parameters
    ----------
    function : str
        What is called with what is shared and the task, as ``package.module:function``: not loaded
        before the installations have been compared.
    shared : bytes
        What all tasks need.
    task : object
        As it was sent.
    expected : mapping
        Installation of the process that asks.

    Returns
    -------
    tuple of Answer and of what the function returned, or a text
        Nothing is raised: not every exception survives the way back, and one that does not would
        be waited for, for ever.
    """
    try:
        require_installed(expected)
        with _ONE_AT_A_TIME:
            return Answer.RESULT.value, resolve_name(function)(shared, task)
    except UnfitWorker as error:
        return Answer.UNFIT.value, str(error)
    except InputError as error:
        return Answer.FAILED.value, str(error)
    except MemoryError:
        return Answer.FAILED.value, f"not enough memory: {_here()}"
    except Exception:  # noqa: BLE001 - as above
        return Answer.BUG.value, traceback.format_exc(limit=DEPTH)


def run(_: bytes, cell: str) -> dict[str, Any]:
    """Run a cell, as `Cell.to_json` writes it, and return the fields of its `CellResult`."""
    from utilitysched.experiments.cell import Cell, run_cell  # noqa: PLC0415  brings the engine

    asked = Cell.from_json(cell)
    _require_files(asked.material.files)
    return asdict(run_cell(asked))


def require_installed(expected: Mapping[str, str]) -> None:
    """Refuse to work beside another installation.

    Raises
    ------
    UnfitWorker
        This one differs.
    """
    found = differences(expected, installation())
    if found:
        raise UnfitWorker(
            f"has {found}: its results might differ",
            source=_here(),
            remedy="install the same on every machine, and restart the workers",
        )


def _require_files(files: Iterable[NamedFile]) -> None:
    from utilitysched.experiments.files import named_files  # noqa: PLC0415

    for file in files:
        try:
            found = named_files(file.text)
        except InputError as error:
            raise _lacking(file, str(error)) from error
        if not found:
            raise _lacking(file, f"{file.text} cannot be found")
        if found != (file,):
            raise _lacking(file, f"{file.text} holds other bytes than where the experiment runs")


def _lacking(file: NamedFile, what: str) -> UnfitWorker:
    remedy = "fetch it there, too"
    if not file.text.startswith("archive:"):
        remedy = "every worker must see the same file under this path: use a shared file system"
    return UnfitWorker(what, source=_here(), remedy=remedy)


def _here() -> str:
    return f"Dask worker on {socket.gethostname()}, process {os.getpid()}"

"""What a Dask worker calls: schedulers import it, too, so it is light until it computes."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from threading import Lock
from typing import TYPE_CHECKING, Any

from swfx.errors import InputError
from utilitysched.experiments.installation import differences, installation

if TYPE_CHECKING:
    from utilitysched.experiments.files import NamedFile

_ONE_AT_A_TIME = Lock()
"""Threads of one process share the workloads it keeps, and would only wait for each other."""


class UnfitWorker(InputError):  # noqa: N818 - the worker is what is unfit
    """A worker that cannot give the results that others give; no cell is to blame for it."""


def compute(cell: str, expected: Mapping[str, str]) -> dict[str, Any]:
    """Run a cell.

    Parameters
    ----------
    cell : str
        As `Cell.to_json` writes it: not read before the installations have been compared.
    expected : mapping
        Installation of the process that asks.

    Returns
    -------
    dict
        Fields of the `CellResult`.

    Raises
    ------
    UnfitWorker
        Something else is installed here, or a file of the workload is not here.
    """
    require_installed(expected)
    from utilitysched.experiments.cell import Cell, run_cell  # noqa: PLC0415  brings the engine

    with _ONE_AT_A_TIME:
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
    from distributed import get_worker  # noqa: PLC0415  an optional dependency

    return f"Dask worker {get_worker().address} on {socket.gethostname()}"

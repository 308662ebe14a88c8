"""What a Dask worker calls. Imported by schedulers, too, so light until it computes."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from threading import Lock
from typing import Any

from swfx.errors import InputError
from utilitysched.experiments.installation import differences, installation

_ONE_AT_A_TIME = Lock()
"""Threads would share what a process keeps of the last workloads, and wait for each other anyway."""


class UnfitWorker(InputError):
    """A worker that cannot give the results that the others give; no cell is to blame for it."""


def compute(cell: str, expected: Mapping[str, str]) -> dict[str, Any]:
    """Run a cell.

    Parameters
    ----------
    cell : str
        As `Cell.to_json` writes it: read only after the installations have been compared.
    expected : mapping
        Installation of the process that asks.

    Returns
    -------
    dict
        Fields of the `CellResult`.

    Raises
    ------
    UnfitWorker
        Another version is installed here, or a file of the workload is not here.
    """
    require(expected)
    from utilitysched.experiments.cell import Cell, run_cell  # noqa: PLC0415  brings the engine

    with _ONE_AT_A_TIME:
        asked = Cell(**json.loads(cell)) if False else Cell.from_json(cell)
        _require_files(asked)
        return asdict(run_cell(asked))

"""Cells of sacct's table, from what other listings of Slurm say."""

from __future__ import annotations

import re
from collections.abc import Mapping

from swfx.accounting.record_error import RecordError
from swfx.slurm.states import parse_state

__all__ = ["as_of_now", "job_id_cell", "memory_of"]

_WAITING = frozenset({"PENDING", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD"})
_MEMORY = re.compile(r"(?:^|,)mem=([^,]*)")
_NONE = frozenset({"", "0"})


def job_id_cell(number: str, array: str, task: str, het: str, offset: str) -> str:
    """Write a number as users see it: 17, 17_3 for a task, 17+1 for a part.

    Examples
    --------
    >>> job_id_cell("21", "17", "3", "", ""), job_id_cell("17", "17", "[4-9%2]", "", "")
    ('17_3', '17_[4-9%2]')
    >>> job_id_cell("18", "0", "", "17", "1"), job_id_cell("17", "0", "", "0", "0")
    ('17+1', '17')
    """
    if array not in _NONE and task:
        return f"{array}_{task}"
    return f"{het}+{offset}" if het not in _NONE and offset else number


def memory_of(resources: str) -> str:
    """Return the memory in a list of trackable resources; empty without any.

    >>> memory_of("cpu=4,mem=2G,node=1"), memory_of("cpu=4")
    ('2G', '')
    """
    match = _MEMORY.search(resources)
    return match[1] if match else ""


def as_of_now(cells: Mapping[str, str]) -> dict[str, str]:
    """Return the cells of a job in a live listing without the times that are only planned.

    Squeue and scontrol list the planned start of a job that waits, and the planned end of one that
    runs.
    """
    try:
        state = parse_state(cells.get("State", ""))
    except RecordError:
        return dict(cells)
    planned = {} if state.over else {"End": ""}
    return {**cells, **planned, **({"Start": ""} if state.name in _WAITING else {})}

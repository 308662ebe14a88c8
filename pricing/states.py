"""States in which jobs ended, in Slurm's words, and the terms of a bill that exempt them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from swfx import InputError, Workload
from swfx.accounting.jobs import FAILED
from swfx.base.columns import Bools
from swfx.base.options import nearest
from swfx.slurm.states import MACHINE_FAULTS, STATES

__all__ = [
    "MACHINE_FAULTS",
    "STATE_NAMES",
    "BillTerms",
    "check_state",
    "general",
    "in_states",
    "states_of",
]

_BY = " by "

STATE_NAMES = (
    *(state.name for state in STATES if state.over),
    *(f"CANCELLED{_BY}{whom}" for whom in ("user", "another")),
)
"""States that rules can name."""


def check_state(name: str) -> str:
    """Return a state in capitals.

    Raises
    ------
    InputError
        There is none of this name.
    """
    word, by, whom = name.partition(_BY)
    state = f"{word.upper()}{by}{whom}"
    if state not in STATE_NAMES:
        raise InputError(f"no state is named {name!r}", remedy=nearest(state, STATE_NAMES))
    return state


def general(state: str) -> str:
    """Return a state without by whom: ``CANCELLED`` of ``CANCELLED by user``."""
    return state.partition(_BY)[0]


def states_of(workload: Workload) -> list[str]:
    """Return the state of each job, empty where the log does not tell it."""
    states = workload.labels.of("state")
    return [states.names.get(number, "") for number in states.numbers.tolist()]


def in_states(workload: Workload, states: Collection[str]) -> Bools:
    """Return which jobs ended in any of these states, (n,).

    Examples
    --------
    >>> from swfx import Header
    >>> header = Header((' State: 1 "CANCELLED by user"', " State: 2 NODE_FAIL"))
    >>> jobs = Workload.from_columns(state=[1, 2, -1], header=header)
    >>> in_states(jobs, ["CANCELLED"]).tolist(), in_states(jobs, MACHINE_FAULTS).tolist()
    ([True, False, False], [False, True, False])
    """
    names = workload.labels.of("state")
    chosen = [n for n, name in names.names.items() if {name, general(name)} & set(states)]
    return np.isin(names.numbers, chosen)


def with_failures(workload: Workload, cut_short: Bools) -> Workload:
    """Return a workload in which the jobs that were cut short, (n,), have failed, by their status.

    Whatever happened to them in the log.
    """
    if not cut_short.any():
        return workload
    return workload.replace(status=np.where(cut_short, FAILED, workload.status))


class BillTerms(NamedTuple):
    """What is agreed beside the mechanism.

    Attributes
    ----------
    exclude_statuses : tuple of int
        Jobs with these values in the status field do not pay; ascending.
    cap : bool
        Nobody with a utility function pays more than its realised value.
    exclude_states : tuple of str
        Jobs that ended in these states do not pay; those of which the log has any, in order.
    """

    exclude_statuses: tuple[int, ...] = ()
    cap: bool = False
    exclude_states: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, workload: Workload, statuses: Collection[int], states: Collection[str], *, cap: bool
    ) -> BillTerms:
        """Return the terms of the bill of a workload, of which those without states need none."""
        known = states if (workload.labels.of("state").numbers >= 0).any() else ()
        return cls(tuple(sorted(set(statuses))), cap, tuple(sorted(set(known))))

    def free(self, workload: Workload) -> Bools:
        """Return which jobs do not pay, (n,)."""
        statuses = np.array(self.exclude_statuses, dtype=np.int64)
        return np.isin(workload.status, statuses) | in_states(workload, self.exclude_states)

"""Job states of Slurm, and the status they are in SWF."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from swfx.accounting.jobs import CANCELLED, COMPLETED, FAILED, UNKNOWN
from swfx.accounting.record_error import RecordError
from swfx.reading.report import Rule

__all__ = [
    "MACHINE_FAULTS",
    "NOT_A_STATE",
    "STATES",
    "TO_BE_CONTINUED",
    "UNSAID",
    "State",
    "cancelled_by",
    "parse_state",
    "state_in_words",
    "state_of_flags",
    "status_of",
]

TO_BE_CONTINUED = 2
"""SWF status of a run that another one follows."""

NOT_A_STATE = Rule(
    "unknown-state", "repaired", "the state is none of Slurm's: the status is left unknown"
)


class State(NamedTuple):
    """A state: its name, its abbreviation, its status in SWF, and whether the job is over."""

    name: str
    short: str
    status: int
    over: bool = True


STATES: tuple[State, ...] = (
    State("BOOT_FAIL", "BF", FAILED),
    State("CANCELLED", "CA", CANCELLED),
    State("COMPLETED", "CD", COMPLETED),
    State("DEADLINE", "DL", FAILED),
    State("FAILED", "F", FAILED),
    State("LAUNCH_FAILED", "LF", FAILED),
    State("NODE_FAIL", "NF", FAILED),
    State("OUT_OF_MEMORY", "OOM", FAILED),
    State("PREEMPTED", "PR", CANCELLED),
    State("RECONFIG_FAIL", "RF", FAILED),
    State("REQUEUED", "RQ", TO_BE_CONTINUED),
    State("RESIZING", "RS", TO_BE_CONTINUED),
    State("REVOKED", "RV", CANCELLED),
    State("SPECIAL_EXIT", "SE", FAILED),
    State("TIMEOUT", "TO", FAILED),
    State("COMPLETING", "CG", UNKNOWN, over=False),
    State("CONFIGURING", "CF", UNKNOWN, over=False),
    State("PENDING", "PD", UNKNOWN, over=False),
    State("REQUEUE_FED", "RF", UNKNOWN, over=False),
    State("REQUEUE_HOLD", "RH", UNKNOWN, over=False),
    State("RESV_DEL_HOLD", "RD", UNKNOWN, over=False),
    State("RUNNING", "R", UNKNOWN, over=False),
    State("SIGNALING", "SI", UNKNOWN, over=False),
    State("STAGE_OUT", "SO", UNKNOWN, over=False),
    State("STOPPED", "ST", UNKNOWN, over=False),
    State("SUSPENDED", "S", UNKNOWN, over=False),
)
"""Job states of sacct(1) and squeue(1)."""

MACHINE_FAULTS = ("BOOT_FAIL", "LAUNCH_FAILED", "NODE_FAIL", "RECONFIG_FAIL")
"""States of runs that failed for a fault of the machine, not of the job, by sacct(1)."""

_KNOWN = {state.short: state for state in reversed(STATES)} | {s.name: s for s in STATES}
UNSAID = State("", "", UNKNOWN)

_FLAGS = (
    "COMPLETING", "STAGE_OUT", "CONFIGURING", *MACHINE_FAULTS, "RESIZING", "REQUEUED",
    "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "STOPPED", "REVOKED", "RESV_DEL_HOLD",
    "SIGNALING",
)  # fmt: skip
"""States that are named before the base state, in the order of Slurm's job_state_string, but that
no flag hides a fault of the machine."""

_BY = re.compile(r"(?i)\bby (\S+)$")
_ROOT = frozenset({"0", "root"})


def parse_state(text: str) -> State:
    """Read a state: ``CANCELLED by 1000`` and the cut off ``CANCELLED+``, too; empty is unknown.

    Raises
    ------
    RecordError
        It is none of Slurm's.

    Examples
    --------
    >>> parse_state("CANCELLED by 1000").status, parse_state("RUNNING").over
    (5, False)
    """
    word = text.split(maxsplit=1)[0].upper() if text.split() else ""
    if not word:
        return UNSAID
    if word.endswith("+"):
        fitting = [state for state in STATES if state.name.startswith(word[:-1])]
        return fitting[0] if fitting else _refuse(text)
    return _KNOWN.get(word) or _refuse(text)


def state_of_flags(flags: Collection[str]) -> str:
    """Return the state that sacct writes of a base state and flags, which JSON lists.

    Examples
    --------
    >>> state_of_flags(["PENDING", "REQUEUED"]), state_of_flags(["RUNNING", "COMPLETING"])
    ('REQUEUED', 'COMPLETING')
    >>> state_of_flags(["COMPLETED"]), state_of_flags(["POWER_UP_NODE", "RUNNING"])
    ('COMPLETED', 'RUNNING')
    """
    ranked = (*_FLAGS, *(state.name for state in STATES), *flags, "")
    return next(state for state in ranked if state in flags or not state)


def state_in_words(state: State, text: str, user: Collection[str]) -> str:
    """Say a state, and by whom a job was cancelled: by its user, or by another.

    Parameters
    ----------
    state : State
        As `parse_state` read it.
    text : str
        What it was read from.
    user : collection of str
        What the user goes by, a name and a number; not all need be known.

    Examples
    --------
    >>> cancelled = parse_state("CANCELLED")
    >>> state_in_words(cancelled, "CANCELLED by 1000", {"alice", "1000"})
    'CANCELLED by user'
    >>> state_in_words(cancelled, "CANCELLED by 0", {"alice"})
    'CANCELLED by another'
    >>> state_in_words(cancelled, "CANCELLED by 1000", {"alice"})
    'CANCELLED'
    """
    by = _BY.search(text)
    if by is None:
        return state.name
    who = by[1]
    if who in user:
        return f"{state.name} by user"
    comparable = any(name.isdecimal() == who.isdecimal() for name in user if name)
    return f"{state.name} by another" if comparable or who in _ROOT else state.name


def cancelled_by(who: str, user: str) -> str:
    """Say that a job was cancelled, and by whom: names may have a machine behind them.

    Examples
    --------
    >>> cancelled_by("alice@login", "alice"), cancelled_by("root@head", "alice")
    ('CANCELLED by user', 'CANCELLED by another')
    >>> cancelled_by("", "alice")
    'CANCELLED'
    """
    names = [name.partition("@")[0] for name in (who, user)]
    if not all(names):
        return "CANCELLED"
    return f"CANCELLED by {'user' if names[0] == names[1] else 'another'}"


def status_of(words: str) -> int:
    """Status in SWF of a state in these words; unknown without any.

    >>> status_of("CANCELLED by another"), status_of("COMPLETED"), status_of("")
    (5, 1, -1)
    """
    return parse_state(words).status


def _refuse(text: str) -> State:
    raise RecordError(NOT_A_STATE, text, "State")

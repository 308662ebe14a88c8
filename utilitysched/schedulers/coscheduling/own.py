"""Policies of one's own: plain functions that score the queue, and say who is placed compact."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from swfx import InputError
from utilitysched.kernels.curves import realised_values
from utilitysched.kernels.sharing.state import SharedRun
from utilitysched.kernels.sharing.terms import NOBODY, QUEUED
from utilitysched.model.state import Floats, Integers, JobTable

Function = Callable[["SharedQueue"], Any]


class SharedQueue(NamedTuple):
    """Columns of the queue at a pass, and what runs on the nodes.

    Attributes
    ----------
    now : float
        Time since the first submission (s).
    job : (k,) int64
        Queued jobs, numbered by arrival.
    submit, wait : (k,) float64
        Submit time (s since the first submission), and time since then (s).
    size : (k,) int64
        Processes.
    run : (k,) float64
        Run time when compact, as far as it is known (s): see the option ``known``.
    application : (k,) int64
        Row of the speeds.
    alone : (a,) float64
        Speed of each application beside nobody, compact = 1, as the scheduler believes.
    beside : (a, a) float64
        The same of each beside each other.
    parts : (nodes, parts) int64
        Application that has each part of each node, -1 where it is free.
    table : JobTable
        All jobs with their utility functions, for `value`; None for a policy that does not read
        them.
    """

    now: float
    job: Integers
    submit: Floats
    wait: Floats
    size: Integers
    run: Floats
    application: Integers
    alone: Floats
    beside: Floats
    parts: NDArray[np.int64]
    table: JobTable | None

    def value(self, end: Any) -> Floats:
        """Return the utility (SU) of each queued job if it ended then, shape (k,).

        Parameters
        ----------
        end : float or (k,) float64
            Time since the first submission (s).

        Raises
        ------
        InputError
            The policy was not entered as one that reads utility functions.
        """
        if self.table is None:
            raise InputError(
                "the policy reads utility functions, but does not say so",
                field="policy",
                remedy="write @policy(..., value_aware=True)",
            )
        values = np.empty(len(self.job))
        ends = np.broadcast_to(np.asarray(end, np.float64), values.shape)
        table = self.table._replace(submit=self.table.arrival)
        realised_values(self.job, np.ascontiguousarray(ends), table, values)
        return values


def fill_in(name: str, function: Function, run: SharedRun, table: JobTable | None) -> None:
    """Write scores of the queued jobs, and who would be compact, into the state.

    Parameters
    ----------
    name : str
        Of the policy, for messages.
    function : callable
        Takes a `SharedQueue`; returns a score of each job and whether it is placed compact.
    run : SharedRun
        At a pass that waits for scores.
    table : JobTable or None
        Utility functions, if the policy reads them.

    Raises
    ------
    InputError
        It returned something else than k numbers and k booleans.
    """
    jobs, state = run.jobs, run.state
    queued = state.queue[: state.counts[QUEUED]].copy()
    now, submit = float(state.wake_up[0]), jobs.submit[queued]
    speeds = state.beliefs.speeds
    taken = state.holders != NOBODY
    parts = np.where(taken, jobs.application[np.where(taken, state.holders, 0)], NOBODY)
    queue = SharedQueue(
        now,
        queued,
        submit,
        now - submit,
        jobs.size[queued],
        jobs.known[queued],
        jobs.application[queued],
        speeds.alone.copy(),
        speeds.beside.copy(),
        parts,
        table,
    )
    state.score[queued], state.compact[queued] = _columns(name, function(queue), len(queued))


def _columns(name: str, returned: Any, count: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Return scores and placements as columns, if they are such."""
    try:
        scores, compact = returned
        score, whole = np.asarray(scores, np.float64), np.asarray(compact)
    except (TypeError, ValueError) as error:
        problem = f"the policy returned a {type(returned).__name__} that is no pair of columns"
        raise _unusable(name, problem) from error
    for what, column in (("scores", score), ("compact", whole)):
        if column.shape != (count,):
            raise _unusable(name, f"{what} has the shape {column.shape} for {count} jobs")
    if np.isnan(score).any():
        raise _unusable(name, f"{int(np.isnan(score).sum())} of {count} scores are NaN")
    if whole.dtype != np.bool_:
        raise _unusable(name, f"compact has the type {whole.dtype}, not bool")
    return score, whole


def _unusable(name: str, problem: str) -> InputError:
    return InputError(
        problem,
        source=name,
        remedy="return (scores, compact): for each queued job a number, the lowest first, and a"
        " boolean",
    )

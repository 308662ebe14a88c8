"""Pivot charges of decisions that were really taken, and asked about later."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pricing.counterfactual import JOBS, Duration, ReplayRule
from pricing.pivots import Losses, Pivots
from pricing.reader import WorkStarts
from pricing.replays import Replays
from swfx import InputError
from swfx.base.columns import Floats, Ints
from utilitysched.counterfactual.pivots import PivotRecorder
from utilitysched.counterfactual.plan_comparison import PivotTally, Players
from utilitysched.model.state import Decision, QueueState

NOTHING = (0, np.nan, np.nan, 0.0, np.nan)
"""Of a start that was never decided on: it is not known to have stood in anybody's way."""


class LivePivots(PivotRecorder):
    """A scheduler's decisions unchanged, with the cost of each to the other jobs.

    Jobs come and go and their indices with them, so that what was recorded is `taken` after each.
    """

    def decide(self, state: QueueState) -> Decision:
        """Return the scheduler's decision."""
        self.players = Players(None if self.charged.players == JOBS else state.known.user)
        self._tally, self._known = PivotTally(), len(state.known.submit)
        return super().decide(state)

    def taken(self, starts: Sequence[int]) -> list[tuple[float, ...]]:
        """Return the pivots of starts of the latest decision, in the form of `DecidedPivots`.

        Parameters
        ----------
        starts : sequence of int
            Jobs that it starts, by index.
        """
        pivots = self.pivots(np.arange(self._known))
        columns = pivots.others, pivots.with_job, pivots.without_job, pivots.charge, pivots.error
        return [tuple(column[job].item() for column in columns) for job in starts]


@dataclass(frozen=True, eq=False)
class DecidedPivots:
    """Answers by what was noted when jobs were started; see `pricing.Counterfactual`.

    All that the others lost by a start counts: what becomes of them later, and what other starts
    have cost them, is not known when a run is charged.

    Attributes
    ----------
    noted : mapping of int to sequence of float
        Of jobs, by their place: others in the queue, their planned utility with and without the
        job, charge and standard error (SU); see `pricing.pivots.Pivots`.
    jobs : int
        How many there are.
    """

    noted: Mapping[int, Sequence[float]]
    jobs: int

    def pivots(
        self,
        duration: Duration,  # noqa: ARG002 - as it was decided
        searches: int,  # noqa: ARG002
        *,
        reservations: bool,  # noqa: ARG002
        players: str,  # noqa: ARG002
    ) -> Pivots:
        """Return the pivots noted at the starts of the jobs."""
        rows = [self.noted.get(job) or NOTHING for job in range(self.jobs)]
        table = np.array(rows, dtype=np.float64).reshape(-1, len(NOTHING)).T
        others, (with_job, without_job, charge, error) = table[0].astype(np.int64), table[1:]
        # who lost was not noted: the victims of each start are nobody else's
        cause = np.flatnonzero(charge)
        unknown = np.full(len(cause), np.nan)
        losses = Losses.whole(cause, self.jobs + cause, charge[cause], unknown)
        reserved = np.zeros(self.jobs)
        return Pivots(others, with_job, without_job, charge, error, losses, reserved)

    def replays(self, rule: ReplayRule, jobs: Ints) -> Replays:  # noqa: ARG002
        """Refuse: a real queue cannot be replayed."""
        raise self._unknown(len(jobs))

    def starts(self, jobs: Ints) -> WorkStarts:
        """Refuse: how the scheduler read a curve was not noted."""
        raise self._unknown(len(jobs))

    def forecasts(self, jobs: Ints, at: Floats) -> Floats:  # noqa: ARG002
        """Refuse likewise."""
        raise self._unknown(len(jobs))

    @staticmethod
    def _unknown(jobs: int) -> InputError:
        return InputError(f"what this asks of {jobs} jobs was not noted when they started")

"""What would have been without a job: asked of whoever has the scheduler."""

from __future__ import annotations

from typing import Literal, Protocol

from pricing.pivots import Pivots

Duration = Literal["requested", "expected", "actual"]


class Counterfactual(Protocol):
    """Answers for the jobs of one schedule, by position in its workload."""

    def pivots(self, duration: Duration, searches: int) -> Pivots:
        """Compare, at each start, the plan in force with the best one without the job.

        Parameters
        ----------
        duration : {"requested", "expected", "actual"}
            For how long the job is taken to be in the way.
        searches : int
            Searches for each plan without a job.
        """
        ...

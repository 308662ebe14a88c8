"""Options of rules by which re-runnable jobs are stopped whatever they are worth."""

from dataclasses import dataclass

from swfx.base.configured import choice, whole
from utilitysched.model.scheduler import Scheduler
from utilitysched.schedulers.speculation.around import AroundOptions

NEVER, LEARNED_REQUESTS, YOUNGEST_FIRST = "never", "learned-requests", "youngest-first"


@dataclass(frozen=True, kw_only=True)
class SpeculationOptions(AroundOptions):
    """Rule by which jobs are stopped that may be, as of any scheduler that preempts nobody.

    Attributes
    ----------
    stop : str
        ``learned-requests``: at the end of requests learned from past runs; ``youngest-first``: for
        a job at the head of the queue that came earlier; or ``never``.
    stops : int
        How often one job may be stopped; after that it runs to its end.
    """

    name = "speculation"
    asked_by = ("stop",)
    needless = "nobody is stopped", f"give stop={LEARNED_REQUESTS} or stop={YOUNGEST_FIRST}, too"

    stop: str = choice((NEVER, LEARNED_REQUESTS, YOUNGEST_FIRST), NEVER)
    stops: int = whole(3, (0.0, 1e9))

    def _around(self, scheduler: Scheduler, label: str) -> Scheduler:
        # numba is imported when such a scheduler is made, not when its options are read
        if self.stop == YOUNGEST_FIRST:
            from utilitysched.schedulers.speculation.youngest_first import (  # noqa: PLC0415
                YoungestFirst,
            )

            return YoungestFirst(scheduler, self, label)
        from utilitysched.schedulers.speculation.learned_requests import (  # noqa: PLC0415
            LearnedRequests,
        )

        return LearnedRequests(scheduler, self, label)

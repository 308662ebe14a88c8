"""Options of rules by which re-runnable jobs are stopped whatever they are worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from swfx import InputError
from swfx.base.configured import Configured, choice, whole
from utilitysched.model.scheduler import Scheduler

NEVER, LEARNED_REQUESTS, YOUNGEST_FIRST = "never", "learned-requests", "youngest-first"


@dataclass(frozen=True, kw_only=True)
class SpeculationOptions(Configured):
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

    stop: str = choice((NEVER, LEARNED_REQUESTS, YOUNGEST_FIRST), NEVER)
    stops: int = whole(3, (0.0, 1e9))

    @classmethod
    def split(cls, options: Mapping[str, str], source: str) -> tuple[Self, dict[str, str]]:
        """Return these options, and the others.

        Raises
        ------
        InputError
            A value that does not fit, or `stops` where nobody is stopped.
        """
        names = cls.defaults()
        own = {name: text for name, text in options.items() if name in names}
        made = cls.from_text(",".join(f"{name}={text}" for name, text in own.items()))
        if "stops" in own and made.stop == NEVER:
            rules = f"stop={LEARNED_REQUESTS} or stop={YOUNGEST_FIRST}"
            raise InputError(
                "nobody is stopped", source=source, field="stops", remedy=f"give {rules}, too"
            )
        return made, {name: text for name, text in options.items() if name not in names}

    def around(self, scheduler: Scheduler, label: str) -> Scheduler:
        """Return the scheduler with this rule.

        Raises
        ------
        InputError
            It preempts jobs itself, or follows a log.
        """
        if self.stop == NEVER:
            return scheduler
        if scheduler.preempts or scheduler.label == "recorded":
            raise InputError(
                f"{scheduler.label} decides itself who is stopped",
                source=label,
                field="stop",
                remedy="leave it out",
            )
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

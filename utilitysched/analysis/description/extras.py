"""Extras of some logs: checkpoints, re-runnable jobs, soft estimates, dependencies."""

from collections import defaultdict
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from swfx import MISSING, Workload
from swfx.offered_load import processor_seconds
from utilitysched.analysis.description.jobs import classes_panel
from utilitysched.analysis.description.tally import MOST, NumberTally, Sums, quantile_panel
from utilitysched.analysis.documents import Panel

PLACES = 4
"""Decimal places of ratios that are told apart."""

OF = "of jobs with one"


class Checkpoints:
    """Shares of the jobs and of the work that take checkpoints, and how often."""

    def __init__(self) -> None:
        self._jobs = self._with = 0
        self._work = self._work_with = 0.0
        self._tallies = defaultdict[str, NumberTally](NumberTally)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        takes, area, run = part.checkpoint_interval > 0, processor_seconds(part), part.effective_run
        interval, overhead = part.checkpoint_interval[takes], part.restart_overhead
        self._jobs += len(part)
        self._with += int(np.count_nonzero(takes))
        self._work += float(area.sum())
        self._work_with += float(area[takes].sum())
        self._tallies["interval (s)"].add(np.rint(interval))
        self._tallies["checkpoints in its run"].add(np.floor(run[takes] / interval))
        self._tallies["restart overhead (s)"].add(np.rint(overhead[overhead >= 0]))

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any job takes checkpoints."""
        if not self._with:
            return
        work = self._work_with / self._work if self._work else 0.0
        caption = (
            f"{self._with / self._jobs:.1%} of the jobs, {work:.1%} of the processor-hours (by "
            f"run time up to the request) take checkpoints. {MOST}"
        )
        yield quantile_panel(("checkpoints", "Checkpoints", OF), caption, self._tallies)


class RerunnableJobs:
    """Shares of the jobs and of the work that may be killed and run again from scratch."""

    NAMES: ClassVar = {1: "yes", 0: "no", MISSING: "not said: no"}

    def __init__(self) -> None:
        self._marks = Sums(2)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        self._marks.add(part.column("rerunnable"), np.ones(len(part)), processor_seconds(part))

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any user has said it."""
        marks = list(self._marks)[::-1]
        if any(mark != MISSING for mark in marks):
            names = [self.NAMES[mark] for mark in marks]
            heads = ("rerunnable", "Re-runnable jobs", "may be killed and run again")
            yield classes_panel(*heads, names, self._marks.rows(marks))


class SoftEstimates:
    """The users' own guesses of run times, and how sure they were."""

    def __init__(self) -> None:
        self._tallies = defaultdict[str, NumberTally](NumberTally)

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        guessed = part[part.soft_estimate > 0]
        guess, request = guessed.soft_estimate, guessed.requested_time
        asked = request > 0
        sure = part.confidence[part.confidence >= 0]
        for name, values in {
            "soft estimate (s)": np.rint(guess),
            "soft estimate / requested time": np.round(guess[asked] / request[asked], PLACES),
            "run time / soft estimate": np.round(guessed.effective_run / guess, PLACES),
            "confidence (0 to 1)": np.round(sure, PLACES),
        }.items():
            self._tallies[name].add(values)

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any job has a soft estimate."""
        if self._tallies["soft estimate (s)"].count:
            heads = ("soft_estimates", "Soft estimates", OF)
            note = f"What users expect without penalty. {MOST}"
            yield quantile_panel(heads, note, self._tallies)


class Followers:
    """Jobs that name a preceding job."""

    def __init__(self) -> None:
        self._jobs = 0
        self._think_times = NumberTally()

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        follows = part.preceding_job > 0
        self._jobs += int(np.count_nonzero(follows))
        self._think_times.add(np.rint(part.think_time[follows & (part.think_time >= 0)]))

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any job names one."""
        if not self._jobs:
            return
        caption = (
            f"{self._jobs:,} jobs name a preceding job; which of them hold is said by simulate "
            f"--dependencies. {MOST}"
        )
        tallies = {"think time (s)": self._think_times}
        yield quantile_panel(("dependencies", "Dependencies", OF), caption, tallies)

"""Runs of a report, with what all its charts share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from swfx import InputError, Workload
from utilitysched.report.html.palette import MOST_LINES
from utilitysched.report.html.time_scale import TimeScale, time_scale
from utilitysched.runs import RunResults


@dataclass(frozen=True)
class Shown:
    """Runs of one workload, and how they are told apart.

    Attributes
    ----------
    runs : sequence of RunResults
        At least one; figures of the others are compared with those of the first.
    labels : sequence of str
        All different.
    scale : TimeScale
        Of every chart over time.
    """

    runs: Sequence[RunResults]
    labels: Sequence[str]
    scale: TimeScale

    @classmethod
    def of(cls, runs: Sequence[RunResults]) -> Shown:
        """Take runs together.

        Raises
        ------
        InputError
            They are of different workloads, more than can be told apart, or of no job.
        """
        if len({run.record["workload"]["digest"] for run in runs}) > 1:
            raise InputError(
                "the runs are of different workloads",
                remedy="name those of one results directory",
            )
        if len(runs) > MOST_LINES:
            raise InputError(
                f"{len(runs)} runs cannot be told apart in one chart",
                remedy=f"name at most {MOST_LINES}",
            )
        if len(runs[0].workload) == 0:
            raise InputError("no job ran: there is nothing to show", source=str(runs[0].directory))
        return cls(runs, _labels(runs), time_scale(runs))

    @property
    def workload(self) -> Workload:
        """The jobs; with dependencies, submitted as in the first run."""
        return self.runs[0].workload

    @property
    def key(self) -> dict[int, str]:
        """Labels by place."""
        return dict(enumerate(self.labels))

    def __iter__(self) -> Iterator[tuple[str, RunResults]]:
        return zip(self.labels, self.runs, strict=True)

    def __len__(self) -> int:
        return len(self.runs)


def _labels(runs: Sequence[RunResults]) -> list[str]:
    """Schedulers, with the directory where two runs are of the same."""
    labels = [run.label for run in runs]
    return [
        f"{run.label} ({run.directory})" if labels.count(run.label) > 1 else run.label
        for run in runs
    ]

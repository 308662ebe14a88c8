"""Runs of a report, with what all its charts share: labels, and a scale of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from swfx import InputError, Workload
from utilitysched.report.charts.scales import TimeScale, check_told_apart
from utilitysched.report.comparison import check_baseline
from utilitysched.runs import RunResults


@dataclass(frozen=True)
class Shown:
    """Runs of one workload with names, colours and a common time scale.

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
    def of(cls, runs: Sequence[RunResults], baseline: str | None = None) -> Shown:
        """Take runs together, that of the baseline first.

        Raises
        ------
        InputError
            They are of different workloads, more than can be told apart, or of no job; or none is
            of the baseline.
        """
        if baseline is not None:
            check_baseline(baseline, [run.label for run in runs])
            runs = sorted(runs, key=lambda run: run.label != baseline)
        if len({run.record["workload"]["digest"] for run in runs}) > 1:
            raise InputError(
                "the runs are of different workloads",
                remedy="name those of one results directory",
            )
        check_told_apart(len(runs))
        if len(runs[0].workload) == 0:
            raise InputError("no job ran: there is nothing to show", source=str(runs[0].directory))
        return cls(runs, _labels(runs), TimeScale.of(runs))

    @property
    def workload(self) -> Workload:
        """The jobs; with dependencies, submitted as in the first run."""
        return self.runs[0].workload

    @property
    def by_label(self) -> dict[str, RunResults]:
        """Runs by label."""
        return dict(self)

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

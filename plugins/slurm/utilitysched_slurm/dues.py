"""Dues: which runs of jobs that were admitted are to be charged, and at what price."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

import pricing
from swfx import Workload
from utilitysched.market.quote import WORTHLESS
from utilitysched_centre.accounts import Account, Book
from utilitysched_centre.accounts.claims import in_units
from utilitysched_slurm.accounting import COLUMNS, AccountedRun
from utilitysched_slurm.holds import HoldRule
from utilitysched_slurm.journal import date_of, said_as_comment
from utilitysched_slurm.open_runs import CHARGED, OpenRun
from utilitysched_slurm.pivots import DecidedPivots

LISTED = (*COLUMNS, "Reference", "Comment")

_SUBMIT, REFERENCE = LISTED.index("Submit"), LISTED.index("Reference")


class Due(NamedTuple):
    """A run to be charged: its line of accounting, if it ran, and the start of its curve (s)."""

    run: OpenRun
    line: AccountedRun | None
    since: float = 0.0

    @property
    def counts(self) -> bool:
        """Whether the run completed its job."""
        return self.line is not None and self.line.last

    @property
    def row(self) -> list[str]:
        """Line of the listing, with the first submission of the job as the submission.

        The curve stands at the run after which the job was done: others are worth nothing.
        """
        assert self.line is not None
        annotations = self.run.annotations
        curve = annotations.utility if self.counts else None
        cells = [
            *self.line.cells,
            self.run.reference,
            said_as_comment(annotations._replace(utility=curve or WORTHLESS)),
        ]
        cells[_SUBMIT] = date_of(self.since)
        return cells


class ToldJob(NamedTuple):
    """A job as Slurm and its accounting describe it: open runs, lines of accounting, presence.

    `alive` is one that Slurm shows; `replaced` one of which another job has the number.
    """

    runs: Mapping[int, OpenRun]
    lines: Sequence[AccountedRun]
    alive: bool
    replaced: bool

    @property
    def is_over(self) -> bool:
        """Whether the job will not run any more."""
        ended = bool(self.lines) and self.lines[-1].last
        return not self.alive and (ended or self.replaced)

    @property
    def is_silent(self) -> bool:
        """Whether the job is gone, and accounting has neither its end nor a run that goes on."""
        return not (self.alive or self.is_over or (self.lines and self.lines[-1].going_on))

    def is_withdrawn(self, arrays: Collection[tuple[str, float]]) -> bool:
        """Return whether the job was a task of one of these arrays, and nothing was told of it."""
        first = self.runs[0]
        mine = (first.key.partition("_")[0], first.submit)
        return (
            self.is_silent and mine in arrays and all(each.key != first.key for each in self.lines)
        )

    def due(self, since: float, *, over: bool) -> list[Due]:
        """Return the runs of the job to be charged: ended runs, and all runs if it is over."""
        ran = enumerate(line for line in self.lines if line.ran)
        ended = {number: line for number, line in ran if line.over}
        first, rest = self.runs[0], self.runs.keys() - ended.keys() if over else ()
        due = [
            Due(self.runs.get(number) or first.numbered(number), ended.get(number), since)
            for number in [*ended, *sorted(rest)]
        ]
        return [each for each in due if each.run.state != CHARGED]


def priced(
    workload: Workload, rule: HoldRule, pivots: Mapping[str, Sequence[float]], book: Book
) -> dict[str, int]:
    """Return what jobs cost by reference, each rounded to the minor unit by itself."""
    references = _references(workload)
    noted = {place: pivots.get(name, ()) for place, name in enumerate(references)}
    start = workload.submit + workload.wait
    charges = pricing.charge(
        workload,
        start,
        start + workload.run,
        rule.made,
        counterfactual=DecidedPivots(noted, len(workload)),
        used=workload.run - np.maximum(workload.suspended, 0.0),
    )
    paying = _references(charges.workload)
    each = [Account("job", name) for name in paying]
    return dict(zip(paying, in_units(charges.ledger, book.money, each), strict=True))


def _references(workload: Workload) -> list[str]:
    if not len(workload):  # one that is charged for no job says nothing of any
        return []
    names = workload.labels.required("reference")
    return list(map(names.name, names.numbers.tolist()))

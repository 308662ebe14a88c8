"""Explanations: why one job of a billed run is charged what it is.

They read a bill's evidence, or have `Counterfactuals` find it again: the branches are of bills.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pricing import Charges, Fault, recompute
from pricing.commitments import Commitments
from pricing.evidence import Loss, causes, losers
from swfx import InputError
from swfx.base.errors import placed
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.segments_log import waste_of
from utilitysched.runs import StoredRun, read_run
from utilitysched.runs.basis import basis_of
from utilitysched.runs.bill_csv import require_bill
from utilitysched.runs.commitments import require_committed
from utilitysched.runs.plausibility import require_plausible


@dataclass(frozen=True, eq=False)
class Explanation:
    """A job and its charge.

    Attributes
    ----------
    directory : Path
        Of the run and its bill.
    run : StoredRun
        The run.
    charges : Charges
        Its bill, computed again.
    faults : tuple of Fault
        Where the bill's files say otherwise.
    commitments : Commitments or None
        All jobs are as they say; None where nobody vouches for the utility functions.
    job : int
        The job, by position in the workload.
    losers : list of Loss
        Who lost because of it, or gained, the largest first.
    causes : list of Loss
        Because of whom it lost, or gained, the largest first; of those that pay.
    """

    directory: Path
    run: StoredRun
    charges: Charges
    faults: tuple[Fault, ...]
    commitments: Commitments | None
    job: int
    losers: list[Loss]
    causes: list[Loss]

    @property
    def job_id(self) -> int:
        """Number of the job."""
        return int(self.run.workload.job_id[self.job])

    @property
    def job_name(self) -> str:
        """Name of the explained job, such as ``103_1``, or the digits of its number."""
        return self.run.workload.job_name(self.job)

    @cached_property
    def place(self) -> int | None:
        """Position of the job among the paying jobs; None for a job that does not pay."""
        places = np.flatnonzero(self.charges.outcome.position == self.job)
        return int(places[0]) if len(places) else None

    @property
    def own_faults(self) -> list[Fault]:
        """Where the files say otherwise about this very job."""
        return [fault for fault in self.faults if fault.job_id == str(self.job_id)]


class Rebill(NamedTuple):
    """A bill computed again; see `Explanation` for its parts."""

    directory: Path
    run: StoredRun
    charges: Charges
    faults: tuple[Fault, ...]
    commitments: Commitments | None

    def explained(self, name: int | str) -> Explanation:
        """Return what one job's charge rests on; see `explain`."""
        job = _position(name, self.directory, self.run)
        return Explanation(*self, job, losers(self.charges, job), causes(self.charges, job))


def explain(
    directory: Path, name: int | str, *, again: bool = False, published: str | None = None
) -> Explanation:
    """Compute the bill in a run's directory again, and say what one job's charge rests on.

    Parameters
    ----------
    directory : Path
        Of one run, with its bill.
    name : int or str
        Number of the job, or its name, such as ``103_1``; of several with the same number the
        first.
    again : bool, default False
        Ask the scheduler what would have been, rather than the bill's files.
    published : str, optional
        Last line of the commitments that the centre has published, or the whole file.

    Raises
    ------
    InputError
        There is no such run, bill or job, the bill has lost its evidence, or jobs are not as they
        were committed to.
    """
    run = read_run(directory)
    _position(name, directory, run)  # before the bill is computed
    commitments = require_committed(run, directory, published)
    return _rebilled(directory, run, commitments, again=again).explained(name)


def rebill(directory: Path) -> Rebill:
    """Compute the bill in a run's directory again, from its files.

    Raises
    ------
    InputError
        There is no such run or bill, the bill has lost its evidence, or jobs are not as they were
        committed to.
    """
    run = read_run(directory)
    return _rebilled(directory, run, require_committed(run, directory), again=False)


def _rebilled(
    directory: Path, run: StoredRun, commitments: Commitments | None, *, again: bool
) -> Rebill:
    require_bill(directory)
    require_plausible(run, directory)
    recorder = None
    if again:
        recorded = Counterfactuals.recorded(run.workload, run.start, run.record["simulation"])
        recorder = replace(recorded, end=run.end, segments=run.segments)
    recomputed = recompute(
        directory,
        run.workload,
        run.start,
        run.end,
        recorder,
        used=run.running_time,
        waste=waste_of(run.segments),
        cut_short=run.cut_short,
        shared=run.shared,
    )
    charges = replace(recomputed.charges, basis=basis_of(run.workload, run.record))
    return Rebill(directory, run, charges, recomputed.faults, commitments)


def _position(name: int | str, directory: Path, run: StoredRun) -> int:
    """Position of the first job of a number or name."""
    try:
        return run.workload.job_names.position(name)
    except InputError as error:
        raise placed(error, str(directory)) from error

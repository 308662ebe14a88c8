"""Jobs that cannot be simulated taken out, and the ends of a log."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swfx.base.columns import Bools, Ints
from swfx.base.configured import number
from swfx.base.errors import InputError
from swfx.base.options import as_text
from swfx.families.transformation import TRANSFORMS, Transformation, Transformed, lost_links
from swfx.links import chosen
from swfx.reading.cleaning import examine
from swfx.reading.report import RULES
from swfx.workload import Workload


@TRANSFORMS.register("clean")
@dataclass(frozen=True)
class Clean(Transformation):
    """Clean as reading does, and drop the warm-up and cool-down of the log.

    The rules are those of reading (GAUSSIER 6.1.1); they find something new where an earlier
    transformation changed sizes or times, or the log was read without them. Flurries of a user are
    left to `filter`: the archive names the jobs it takes for one log by log, by no general rule.

    What simulations take for an unknown field is written into it: requested processors for unknown
    allocated ones and the other way round, the run time for an unknown request.

    Parameters
    ----------
    trim : float, default 0
        Share of the jobs taken out at either end, by order of submission (then of position); about
        0.01 in LEE 1.4. Counted after the rules.

    Examples
    --------
    >>> log = Workload.from_columns(submit=[0, 5, 9, 12], run=[1, -1, 1, 1], processors=[1] * 4)
    >>> done = Clean.from_text("trim=0.34").apply(log, 0)
    >>> done.workload.job_id.tolist(), done.dropped
    ([3], {'negative-run': 1, 'warm-up': 1, 'cool-down': 1})
    """

    trim: float = number(0.0)
    keeps_jobs = False

    def __post_init__(self) -> None:
        if not 0 <= self.trim < 0.5:
            raise InputError(
                f"{as_text(self.trim)} is out of bounds",
                source="clean",
                field="trim",
                remedy="give a share from 0 to below 0.5",
            )

    def apply(self, workload: Workload, seed: int) -> Transformed:
        """Take out the jobs."""
        findings = examine(workload)
        counts = {
            rule.name: int((findings.rule == code).sum())
            for code, rule in enumerate(RULES)
            if rule.action == "dropped" and (findings.rule == code).any()
        }
        cut = int(self.trim * findings.keep.sum())
        ends = {"warm-up": cut, "cool-down": cut} if cut else {}
        middle, lost = chosen(workload, _middle(workload, findings.keep, cut))
        full, filled = _filled(middle)
        return Transformed(full, dropped=counts | ends, changed=lost_links(lost) | filled)


def _filled(workload: Workload) -> tuple[Workload, dict[str, int]]:
    """Write what is taken for unknown fields, and count the jobs that have got something."""
    taken = {
        "processors": workload.size,
        "requested_processors": workload.size,
        "requested_time": workload.request,
    }
    unknown = {
        name: (getattr(workload, name) <= 0) & (values > 0) for name, values in taken.items()
    }
    columns = {
        name: np.where(unknown[name], values, getattr(workload, name))
        for name, values in taken.items()
    }
    counts = {
        f"{name} was unknown, and is now what is taken for it": int(which.sum())
        for name, which in unknown.items()
        if which.any()
    }
    return (workload.replace(**columns) if counts else workload), counts


def _middle(workload: Workload, sound: Bools, cut: int) -> Ints:
    """Positions of the sound jobs without the first and last `cut` to be submitted."""
    rows = np.flatnonzero(sound)
    by_submit = rows[np.argsort(workload.submit[rows], kind="stable")]
    return np.sort(by_submit[cut : len(rows) - cut])

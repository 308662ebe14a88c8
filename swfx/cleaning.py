"""Standard cleaning: which jobs of a log can be simulated (GAUSSIER 6.1.1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from swfx.columns import Bools, Ints
from swfx.report import RULES
from swfx.workload import Workload

__all__ = ["Findings", "examine"]


class Findings(NamedTuple):
    """Rules that apply to jobs: positions and codes into `RULES`, by position; whom to keep."""

    job: Ints
    rule: npt.NDArray[np.int8]
    keep: Bools


def examine(workload: Workload) -> Findings:
    """Find the cases of standard cleaning.

    A job falls under one rule that drops it, the first in the order of `RULES`, or under any number
    of rules that repair or note. The chosen processors (allocated where positive, else requested)
    over the machine's are too wide; that rule needs a known machine size.

    Examples
    --------
    >>> found = examine(Workload.from_columns(submit=[0, 1], run=[5, -1], processors=[1, 1]))
    >>> found.keep.tolist()
    [True, False]
    """
    cases = _cases(workload)
    keep = np.ones(len(workload), np.bool_)
    jobs: list[Ints] = []
    codes: list[npt.NDArray[np.int8]] = []
    for code, rule in enumerate(RULES):
        if rule.name in cases:
            found = np.flatnonzero(cases[rule.name] & keep)
            jobs.append(found)
            codes.append(np.full(len(found), code, np.int8))
            if rule.action == "dropped":
                keep[found] = False
    job, rules = np.concatenate(jobs), np.concatenate(codes)
    order = np.argsort(job, kind="stable")
    return Findings(job[order], rules[order], keep)


def _cases(w: Workload) -> dict[str, Bools]:
    widest = w.machine_size
    allocated, requested = w.processors > 0, w.requested_processors > 0
    return {
        "negative-submit": w.submit < 0,
        "negative-run": w.run < 0,
        "no-processors": w.size <= 0,
        "too-wide": np.zeros(len(w), np.bool_) if widest is None else w.size > widest,
        "processors-missing": ~allocated & requested,
        "requested-processors-missing": allocated & ~requested,
        "requested-time-missing": w.requested_time <= 0,
        "run-over-request": w.run > w.request,
    }

"""Disclosed run times: how well they follow from what a scheduler may read of a job."""

import math
from collections.abc import Iterator

import numpy as np

from swfx import Workload
from utilitysched.analysis.description.tally import NumberTally, Sums
from utilitysched.analysis.documents import Panel, column, panel
from utilitysched.model.state import Floats, Integers

CLOSE = 0.1
"""How far a prediction may be off to count as right."""

PLACES = 3
"""Decimal places of logarithms of ratios that are told apart."""

CLASSES_PER_OCTAVE = 2
APART = 10_000
"""Above all numbers of classes, to number pairs of them."""


class DisclosedRunTimes:
    """How much of the run times requests tell, and how much the ends of utility functions.

    Logarithms of run times are predicted by their mean over the other jobs of the same half octave
    of what is known (jobs alone in theirs, by the mean over all others).
    """

    def __init__(self) -> None:
        self._errors = {
            name: _Prediction()
            for name in ("nothing", "requested time", "curve's end", "request and curve's end")
        }
        self._ratios = {"requested time": NumberTally(), "curve's end": NumberTally()}

    def add(self, part: Workload) -> None:
        """Take the next jobs into account."""
        table = part.utility
        end = np.zeros(len(part))
        end[table.defined] = table.times[table.offsets[1:][table.defined] - 1]
        told = (end > 0) & (part.request > 0) & (part.effective_run > 0)
        run, request, end = part.effective_run[told], part.request[told], end[told]
        by_request, by_end = _half_octave(request), _half_octave(end)
        keys = (0 * by_end, by_request, by_end, by_request * APART + by_end)
        for prediction, key in zip(self._errors.values(), keys, strict=True):
            prediction.add(key, np.log(run))
        for ratios, known in zip(self._ratios.values(), (request, end), strict=True):
            ratio: Floats = np.log(run / known)
            ratios.add(np.round(ratio, PLACES))

    def panels(self) -> Iterator[Panel]:
        """Yield a table, if any job has a utility function, a request and a run time."""
        if self._errors["nothing"].count < 2:
            return
        columns = [
            column("what is known", "text", "known"),
            column("error factor", "number", "error_factor"),
            column("R² of logs", "number", "r_squared"),
            column("% within 10%", "percent", "share_close"),
            column("of it times", "number", "multiple"),
        ]
        caption = (
            f"Logarithms of the run times of {self._errors['nothing'].count:,} jobs, predicted "
            "from the other jobs of the same half octave of what is known; and the share that is "
            "within 10% of what is known times the best constant. Schedulers that read the curve's "
            "end know what it tells beyond the request."
        )
        rows = [self._row(name) for name in self._errors]
        yield panel("disclosed_run_times", "Run times given away", caption, columns, rows)

    def _row(self, name: str) -> tuple[str, float, float | None, float | None, float | None]:
        error, whole = (self._errors[known].error() for known in (name, "nothing"))
        share = multiple = None
        if name in self._ratios:
            share, middle = self._ratios[name].densest(2 * math.log1p(CLOSE))
            multiple = math.exp(middle)
        variance_told = 1 - error / whole if whole else None
        return name, math.exp(math.sqrt(error)), variance_told, share, multiple


class _Prediction:
    """Logarithms of run times by class, and how far each is from the mean of the others'."""

    def __init__(self) -> None:
        self._sums = Sums(3)

    def add(self, keys: Integers, logs: Floats) -> None:
        self._sums.add(keys, np.ones(len(keys)), logs, logs * logs)

    @property
    def count(self) -> int:
        return int(self._totals()[:, 0].sum())

    def error(self) -> float:
        """Mean square of the differences."""
        totals = self._totals()
        jobs, logs, squares = totals.T
        everybody = totals.sum(axis=0)
        n = everybody[0]
        alone = jobs == 1
        within = np.maximum(squares - logs * logs / jobs, 0.0)[~alone]
        many = jobs[~alone]
        left_out = within * (many / (many - 1)) ** 2
        others = (everybody[1] - logs[alone]) / (n - 1)
        return float((left_out.sum() + ((logs[alone] - others) ** 2).sum()) / n)

    def _totals(self) -> Floats:
        return self._sums.rows(list(self._sums))


def _half_octave(seconds: Floats) -> Integers:
    classes: Integers = np.floor(CLASSES_PER_OCTAVE * np.log2(seconds)).astype(np.int64)
    return classes

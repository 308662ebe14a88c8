"""What quotes tell of a rival: an attacker copies a curve from charges by ``vcg``.

``python -m benchmarks disclosure`` prints how far copies are from the curves of forty rivals, by
the number of quotes and by how their charges are rounded; and how far a rival's present bid is
from what bisection finds, for no rounding hides who would go first.
"""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import NamedTuple

import numpy as np

from pricing.disclosure import band
from swfx import UtilityFunction
from swfx.base.columns import Floats
from utilitysched.market.quote import QuotedJob, Quoter, QuoteTerms
from utilitysched.runs.snapshot import QueuedJob, RunningJob, Snapshot

HOUR = 3600.0
FREE_AT, HORIZON = 0.5, 24.0
"""When the machine is free, and how far a rival's curve goes (h)."""

LONGEST = HORIZON - FREE_AT
LENGTHS = np.linspace(0.0, LONGEST, 236)
"""At which a copy is compared with the curve (h)."""

SCHEDULER = "value-density:duration=zero"
URGENT = UtilityFunction([0, 48 * HOUR], [1e6, 1e6])
RIVALS = 40
QUOTES = (5, 20, 50, 200)
BISECTIONS = (1, 4, 7, 10)

Charge = Callable[[float], float]
"""What a job of so many hours is quoted (SU)."""


def rivals_curve(rng: Random) -> UtilityFunction:
    """Draw a curve of two to five pieces that is worth nothing at the horizon."""
    pieces = rng.randint(2, 5)
    times = [0.0, *sorted(rng.uniform(0.5, HORIZON - 1) for _ in range(pieces - 1)), HORIZON]
    left = sorted((rng.random() for _ in range(pieces - 1)), reverse=True)
    worth = rng.lognormvariate(3.0, 1.0)
    return UtilityFunction([at * HOUR for at in times], [worth, *(worth * x for x in left), 0.0])


def moment(curve: UtilityFunction) -> Snapshot:
    """Return a full machine for which a single rival waits."""
    rival = QueuedJob(2, 0.0, 4, HOUR, curve, user=2)
    running = RunningJob(1, 4, FREE_AT * HOUR, start=-HOUR)
    return Snapshot(0.0, 4, (running,), (rival,))


def quoted(curve: UtilityFunction, *, rounded: bool) -> Charge:
    """Return what the library quotes an attacker whose job goes before the rival's."""
    snapshot, terms = moment(curve), QuoteTerms(SCHEDULER, ("vcg",), 1, rounded=rounded)

    def charge(hours: float) -> float:
        job = QuotedJob(4, hours * HOUR, user=3, curves={"": URGENT})
        return Quoter(snapshot, job, terms).expected(URGENT, 0.0).charges["vcg"].mean

    return charge


def losses(curve: UtilityFunction, hours: Floats = LENGTHS) -> Floats:
    """Return what a rival loses by delays (SU): what an attacker's job of such a length pays."""
    values: Floats = curve(FREE_AT * HOUR) - curve((FREE_AT + hours) * HOUR)
    return values


def found_bid(curve: UtilityFunction, quotes: int) -> float:
    """Return a rival's bid when the machine is free (SU), as bisection on one's own bid finds it.

    The first quote says how often a bid of 0.01 SU is to be doubled; the others, who goes first.
    """
    snapshot, terms = moment(curve), QuoteTerms(SCHEDULER, ("vcg",), 1, rounded=True)

    def goes_first(bid: float) -> bool:
        mine = UtilityFunction([0, 48 * HOUR], [bid, bid])
        quoter = Quoter(snapshot, QuotedJob(4, HOUR, user=3, curves={"": mine}), terms)
        return quoter.expected(mine, 0.0).wait.median == FREE_AT * HOUR

    high = next(bid for doublings in range(30) if goes_first(bid := 0.01 * 2.0**doublings))
    low = high / 2
    for _ in range(quotes - 1):
        middle = (low * high) ** 0.5
        low, high = (low, middle) if goes_first(middle) else (middle, high)
    return float((low * high) ** 0.5)


class Copy(NamedTuple):
    """Losses that an attacker takes a rival to have (SU), by hours of delay, linear between."""

    hours: list[float]
    loss: list[float]

    def error(self, curve: UtilityFunction) -> tuple[float, float]:
        """Return the mean and the largest error, as shares of what the curve is worth at once."""
        values = np.interp(LENGTHS, self.hours, np.maximum.accumulate(self.loss))
        wrong = np.abs(values - losses(curve)) / float(curve.start_value)
        return float(wrong.mean()), float(wrong.max())


def copied(charge: Charge, quotes: int) -> Copy:
    """Copy a curve with quotes for jobs of lengths that are spread evenly."""
    hours = np.linspace(0.0, LONGEST, quotes + 1)[1:].tolist()
    return Copy([0.0, *hours], [0.0, *map(charge, hours)])


def copied_by_bisection(charge: Charge, quotes: int, rounding: Charge = band) -> Copy:
    """Copy a curve by the lengths at which a rounded charge changes.

    There the loss is known: it is the limit between two rounded amounts.
    """
    known = {0.0: 0.0}
    for hours in np.linspace(0.0, LONGEST, max(2, quotes // 3) + 1)[1:].tolist():
        known[hours] = charge(hours)
    limits = _Limits(rounding)

    def uncertain(pair: tuple[float, float]) -> float:
        """Return how much between two lengths is not known: hours times SU."""
        first, last = (known[each] for each in pair)
        return 0.0 if first == last else float(np.diff(pair)[0]) * (limits[last] - first)

    while len(known) <= quotes:
        before, after = max(pairwise(sorted(known)), key=uncertain)
        middle = (before + after) / 2
        known[middle] = charge(middle)
    changes = [pair for pair in pairwise(sorted(known)) if known[pair[0]] != known[pair[1]]]
    loss = [limits[known[first]] for first, _ in changes]
    last = max(known.values())
    return Copy([0.0, *map(fmean, changes), LONGEST + 1e-9], [0.0, *loss, last])


class _Limits(dict[float, float]):
    """The largest amounts that are rounded to some."""

    def __init__(self, rounding: Charge) -> None:
        self._rounding = rounding

    def __missing__(self, shown: float) -> float:
        low, high = shown, 10 * shown + 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self._rounding(middle) <= shown else (low, middle)
        self[shown] = low
        return low


def in_digits(digits: int) -> Charge:
    """Return what rounds to so many significant digits."""
    return lambda amount: float(f"{amount:.{digits - 1}e}")


def main(_: list[str]) -> int:
    """Print the table."""
    print("error of a copy in % of the curve's value: mean, largest (means over 40 rivals)")
    print(f"{'quotes':>6}  {'exact':>13}  {'three digits':>13}  {'two digits':>13}  {'bands':>13}")
    curves = [rivals_curve(Random(seed)) for seed in range(RIVALS)]
    for quotes in QUOTES:
        cells = [_error(curves, quotes, each) for each in (None, in_digits(3), in_digits(2), band)]
        print(f"{quotes:>6}" + "".join(f"  {mean:6.2f} {most:6.2f}" for mean, most in cells))
    print("error of a rival's present bid in %, by the number of quotes in bands")
    for quotes in BISECTIONS:
        wrong = [abs(found_bid(each, quotes) / float(each(FREE_AT * HOUR)) - 1) for each in curves]
        print(f"{quotes:>6}  {100 * fmean(wrong):6.2f}")
    return 0


def _error(
    curves: list[UtilityFunction], quotes: int, rounding: Charge | None
) -> tuple[float, float]:
    """Return the error of the better attack (%)."""
    found = []
    for curve in curves:

        def charge(hours: float, curve: UtilityFunction = curve) -> float:
            exact = float(losses(curve, np.array([hours]))[0])
            return exact if rounding is None else rounding(exact)

        copies = [copied(charge, quotes)]
        if rounding is not None:
            copies.append(copied_by_bisection(charge, quotes, rounding))
        found.append([copy.error(curve) for copy in copies])
    means = np.mean(found, axis=0)
    mean, most = (100 * means[np.argmin(means[:, 0])]).tolist()
    return mean, most

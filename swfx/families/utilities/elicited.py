"""Answers to a survey joined into curves (LEE 2.4)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from swfx.base.bounds import float_between
from swfx.base.columns import Bools, Floats, Ints
from swfx.base.csv_columns import CsvColumns, number, read_columns
from swfx.base.errors import InputError, placed
from swfx.base.missing import importing
from swfx.base.numbers import jobs_of, lines_of, plural
from swfx.base.options import as_text
from swfx.families.annotation import Annotated
from swfx.families.utilities.replacement import with_curves
from swfx.utility import UtilityFunction
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["Answers", "Fit", "attach_answers", "fit", "read_answers"]

SAME_JOB = ("user", "processors", "request")
"""Jobs that agree in these are the same job to their user (LEE 2.4)."""

OPTIONAL = ("turnaround", "cost", "weight")
CLOSE = 1e-9
"""Relative difference below which a value counts as unchanged: rounding, not repair."""


@dataclass(frozen=True)
class Answers:
    """What users answered, n times.

    Parameters
    ----------
    columns : CsvColumns
        The file.
    user, processors, request : ndarray, shape (n,)
        Whose jobs and which they are about; requested time in s.
    factor, willingness, weight : ndarray, shape (n,)
        How many times faster, for how many times the cost, and how much the answer counts.
    turnaround, cost : ndarray, shape (n,)
        What the user was told: s and SU; NaN where it follows from the log and the rate.
    rate : float
        SU per processor-hour requested.
    """

    columns: CsvColumns
    user: Ints
    processors: Ints
    request: Floats
    factor: Floats
    willingness: Floats
    weight: Floats
    turnaround: Floats
    cost: Floats
    rate: float = 1.0

    @cached_property
    def jobs(self) -> list[tuple[int, int, float]]:
        """User, processors and requested time (s) of each answer: the job that it is about."""
        columns = (getattr(self, name).tolist() for name in SAME_JOB)
        return list(zip(*columns, strict=True))

    @property
    def label(self) -> str:
        """Description of the answers: file and start value."""
        return f"answers of {self.columns.label}, {as_text(self.rate)} SU a processor-hour"


class Fit(NamedTuple):
    """Monotone regression of the answers about one job.

    Attributes
    ----------
    times : ndarray, shape (k,)
        Distinct times, ascending.
    means : ndarray, shape (k,)
        Weighted means of the values at each of them.
    values : ndarray, shape (k,)
        The values that never rise and are nearest to the means, by weighted squares.
    place : ndarray of int64, shape (n,)
        Position of each answer's time in `times`.
    """

    times: Floats
    means: Floats
    values: Floats
    place: Ints

    @property
    def curve(self) -> UtilityFunction:
        """The curve, flat from submission to its first time."""
        return UtilityFunction(np.append(0.0, self.times), np.append(self.values[0], self.values))


def read_answers(text: str) -> Answers:
    """Read ``FILE`` or ``FILE,rate=RATE``.

    The columns are `user`, `processors`, `request` (s), `factor` (``2``: twice as fast, ``1/2``:
    half as fast) and `willingness` (times the cost, at most), and there may be `turnaround` (s) and
    `cost` (SU), as the user was told them, and `weight` (1).

    Parameters
    ----------
    text : str
        Path, and the cost in SU per processor-hour requested, 1 by default as at SDSC.

    Raises
    ------
    InputError
        The file cannot be read or an answer not be used; by line and field.
    """
    path, given, rate = text.rpartition(",rate=")
    columns = read_columns(path if given else text)
    columns.require((*SAME_JOB, "factor", "willingness"), OPTIONAL)
    answers = Answers(
        columns,
        columns.whole("user"),
        columns.whole("processors"),
        columns.numbers("request"),
        columns.numbers("factor", _ratio),
        columns.numbers("willingness"),
        columns.optional("weight", 1.0),
        columns.optional("turnaround", math.nan),
        columns.optional("cost", math.nan),
        float_between(path, "rate", rate, 1e-12, 1e12) if given else 1.0,
    )
    _check(answers)
    return answers


def attach_answers(workload: Workload, answers: Answers) -> Annotated:
    """Give jobs the curves that their users' answers make.

    The question was: the job takes this turnaround time at this cost; how many times the cost is
    the most that you would pay, were it `factor` times faster? So an answer is the point
    (turnaround / factor, willingness * cost). All points of one job, that is one user, number of
    processors and requested time, make one curve: answers for one time are averaged by weight, and
    values that rise with time are replaced by the nearest that do not (isotonic regression). The
    curve begins at submission with the value of its first point, and nothing is left after its last
    one. A job about which there is one answer only gets no curve, as in LEE's study.

    Where the file does not say which turnaround time the user was told, it is the median of the
    logged ones (wait + run time) of these jobs; the cost is the rate times what they request.

    Parameters
    ----------
    workload : Workload
        n jobs.
    answers : Answers
        From `read_answers`.

    Returns
    -------
    Annotated
        One header line; the notes say how many jobs have a curve, what became of all answers, and
        of every answer that was changed, how.

    Raises
    ------
    InputError
        No turnaround time is known for an answer.

    References
    ----------
    C. B. Lee, dissertation 2009, sections 2.3 to 2.5.
    """
    about, which = _groups(workload, answers)
    known = np.isin(about, which)
    several = np.bincount(about)[about] > 1 if about.size else known
    curves: list[UtilityFunction | None] = [None] * (int(about.max(initial=-1)) + 1)
    changes: list[tuple[int, str]] = []
    for place in np.unique(about[known & several]).tolist():
        rows = np.flatnonzero(about == place)
        cost = _costs(answers, rows)
        turnaround = _turnarounds(answers, rows, workload[which == place])
        values = answers.willingness[rows] * cost
        joined = fit(turnaround / answers.factor[rows], values, answers.weight[rows])
        try:
            curves[place] = joined.curve
        except InputError as error:  # numbers so large or small that they are none any more
            line = int(answers.columns.line[rows[0]])
            raise placed(error, answers.columns.source, line) from error
        changes += _changes(answers, rows, cost, joined)
    table = UtilityTable.from_functions(curves)
    served = np.where(np.append(table.defined, False)[which], which, -1)
    jobs = int(np.count_nonzero(served >= 0))
    text = f"{answers.label} ({plural(jobs, 'job')})"
    notes = (
        f"{answers.label}: {jobs_of(jobs, len(workload))}",
        *_account(answers, known, several, int(table.defined.sum())),
        *(note for _, note in sorted(changes)),
    )
    return Annotated(with_curves(workload, table, served, np.ones(len(workload)), text), notes)


def fit(times: Floats, values: Floats, weights: Floats) -> Fit:
    """Average the values at equal times, and make them never rise.

    Parameters
    ----------
    times, values, weights : ndarray, shape (n,)
        Points (s, SU) in any order, n >= 1; weights are above 0.

    Examples
    --------
    >>> fit(np.array([30.0, 10, 20]), np.array([2.0, 6, 8]), np.ones(3)).values.tolist()
    [7.0, 7.0, 2.0]
    """
    with importing("the use of answers", "scipy"):
        from scipy.optimize import isotonic_regression  # noqa: PLC0415  an extra

    distinct, place = np.unique(times, return_inverse=True)
    weight = np.bincount(place, weights)
    means = np.bincount(place, weights * values) / weight
    fitted = isotonic_regression(means, weights=weight, increasing=False).x
    return Fit(distinct, means, fitted, place)


def _groups(workload: Workload, answers: Answers) -> tuple[Ints, Ints]:
    """Give numbers to what users take for the same job: for each answer, and for each job or -1."""
    group = {job: place for place, job in enumerate(dict.fromkeys(answers.jobs))}
    columns = (getattr(workload, name).tolist() for name in ("user", "size", "request"))
    jobs = zip(*columns, strict=True)
    about = np.array([group[job] for job in answers.jobs], np.int64)
    return about, np.array([group.get(job, -1) for job in jobs], np.int64)


def _costs(answers: Answers, rows: Ints) -> Floats:
    """Cost (SU) of the job of each answer."""
    costs = answers.cost[rows]
    hours = answers.processors[rows] * answers.request[rows] / 3600
    return np.where(np.isnan(costs), answers.rate * hours, costs)


def _turnarounds(answers: Answers, rows: Ints, jobs: Workload) -> Floats:
    """Turnaround time (s) that each answer is about."""
    turnarounds = answers.turnaround[rows]
    if not np.isnan(turnarounds).any():
        return turnarounds
    logged = (jobs.wait + jobs.effective_run)[jobs.wait >= 0]
    usual = float(np.median(logged)) if logged.size else 0.0
    if not usual > 0:
        row = int(rows[np.isnan(turnarounds)][0])
        user, processors, request = answers.jobs[row]
        raise answers.columns.refusal(
            row,
            "turnaround",
            f"no turnaround time above 0 is logged for user {user}, {processors} processors and"
            f" {as_text(request)} s",
            "give the column turnaround, as the user was told it",
        )
    return np.where(np.isnan(turnarounds), usual, turnarounds)


def _changes(answers: Answers, rows: Ints, cost: Floats, joined: Fit) -> Iterator[tuple[int, str]]:
    """Yield line and reason of each answer whose value the fit has changed."""
    given = answers.willingness[rows] * cost
    mean, used = joined.means[joined.place], joined.values[joined.place]
    lines = answers.columns.line[rows]
    averaged, pooled = ~np.isclose(mean, given, CLOSE, 0), ~np.isclose(used, mean, CLOSE, 0)
    for each in np.flatnonzero(averaged | pooled):
        mates = (joined.place == joined.place[each]) & (lines != lines[each])
        reasons = [f"averaged with {lines_of(lines[mates])}"] if averaged[each] else []
        reasons += ["so that value never rises"] if pooled[each] else []
        yield (
            int(lines[each]),
            (
                f"{answers.columns.source}:{lines[each]}: willingness {given[each] / cost[each]:g}"
                f" counts as {used[each] / cost[each]:g}, {' and '.join(reasons)}"
            ),
        )


def _account(answers: Answers, known: Bools, several: Bools, curves: int) -> Iterator[str]:
    """Say what became of the answers; the counts add up to all of them."""
    source, lines = answers.columns.source, answers.columns.line
    used, answered = np.count_nonzero(known & several), plural(len(known), "answer")
    yield f"{source}: {used} of {answered} joined into {plural(curves, 'curve')}"
    for left, why in (
        (~known, "about no job of the workload"),
        (known & ~several, "that is the only one about its job"),
    ):
        if left.any():
            count = plural(int(np.count_nonzero(left)), "answer")
            yield f"{source}: left out: {count} {why}: {lines_of(lines[left])}"


def _check(answers: Answers) -> None:
    """Refuse what cannot have been meant."""
    for name in ("processors", "request", "factor", *OPTIONAL):
        for row in np.flatnonzero(getattr(answers, name) <= 0):
            raise _refused(answers, int(row), name, "must be above 0")
    for row in np.flatnonzero(answers.willingness < 0):
        raise _refused(answers, int(row), "willingness", "must not be negative")


def _refused(answers: Answers, row: int, name: str, why: str) -> InputError:
    text = answers.columns.cells[name][row].strip()
    return answers.columns.refusal(row, name, f"{why}: {text}", "correct it")


def _ratio(text: str) -> float:
    """Read ``2`` or ``1/2``."""
    times, slash, parts = text.partition("/")
    try:
        return number(repr(number(times) / (number(parts) if slash else 1.0)))
    except ZeroDivisionError as error:
        raise ValueError(text) from error

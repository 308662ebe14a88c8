"""Synthetic utility functions for the jobs of a log (LEE 2.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from swfx.base.bounds import require_whole
from swfx.base.columns import LIMIT, Floats, Ints
from swfx.base.errors import InputError
from swfx.families.generators.decay import DecayDraws, curve_table
from swfx.families.generators.randomness import stream
from swfx.families.generators.utility_spec import SOURCE, UtilitySpec
from swfx.priorities import priority_classes
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

MIN_DEADLINE = 10.0
"""Earliest deadline, in s (LEE 2.6.3)."""


class Drawn(NamedTuple):
    """Utility functions of all jobs, and how they came about, in one line of text."""

    table: UtilityTable
    text: str


class MissingWaits(InputError):  # noqa: N818  named for what is missing, as KeyError is not
    """A log without waits, from which no deadline follows."""


def needs_waits(workload: Workload) -> bool:
    """Whether no job has a logged wait, so that waits must be given to `attach_utilities`."""
    return len(workload) > 0 and not bool(np.any(workload.wait >= 0))


def attach_utilities(
    workload: Workload,
    spec: UtilitySpec | None = None,
    seed: int = 0,
    *,
    waits: npt.ArrayLike | None = None,
    classes: Mapping[int, int] | None = None,
) -> Workload:
    """Give every job a utility function drawn from its priority, size and wait.

    - Start value = x * processors * requested minutes. x (SU per processor-minute) is normal
      about the centre of the priority's bin, drawn again until it is above 0: [0, globmax] has
      one bin per priority, the most urgent has the highest.
    - Deadline = factor * (wait + run time, or what else is the base), at least 10 s. The curve
      ends there with value 0: reached along a line by linear and exponential curves, by a jump by
      steps.
    - Linear: k unique times uniform in (0, deadline), k values uniform in [0, start], sorted.
      Exponential: the same times, each value uniform between 0 and the one before.
      Step: start value until a uniform time, then a level uniform in [0, start].
      A jump is two points epsilon apart (wider where float64 cannot tell these times apart).

    A job without a logged wait in a log that has waits counts as one that did not wait; the
    header says how many there were.

    Parameters
    ----------
    workload : Workload
        n jobs; utility functions it has are replaced.
    spec : UtilitySpec, optional
        Parameters; LEE's with `base="turnaround"` by default.
    seed : int, default 0
        Fixes every draw, at least 0. Type, start value, times and values have independent
        streams, so changing one parameter leaves the other draws as they were.
    waits : array_like, shape (n,), optional
        Waits in s that replace the logged ones, for instance of a simulated schedule.
    classes : mapping of int to int, optional
        Queue number to priority class, as in `swfx.priority_classes`.

    Returns
    -------
    Workload
        The same jobs with `utility`, and a header line `UtilityModel` that says how.

    Raises
    ------
    MissingWaits
        No wait is logged and none is given.
    InputError
        Waits of the wrong number, negative or not finite, a job without processors, a priority
        class beyond `spec.classes`, or values beyond 2^53.

    References
    ----------
    C. B. Lee, dissertation 2009, section 2.6; with equation 2.2 the way its text has it.

    Examples
    --------
    >>> w = Workload.from_columns(submit=[0], wait=[50], run=[100], processors=[4], queue=[1])
    >>> attach_utilities(w, UtilitySpec(factor=2), seed=1).utility[0].deadline
    300.0
    """
    drawn = draw_utilities(workload, spec or UtilitySpec(), seed, waits=waits, classes=classes)
    header = workload.header.with_value("UtilityModel", drawn.text)
    return workload.replace(utility=drawn.table, header=header)


def draw_utilities(
    workload: Workload,
    spec: UtilitySpec,
    seed: int,
    *,
    waits: npt.ArrayLike | None = None,
    classes: Mapping[int, int] | None = None,
) -> Drawn:
    """Draw what `attach_utilities` attaches."""
    known, missing = _known_waits(workload, waits)
    draws = _draw(workload, spec, known, seed, classes)
    origin = "given" if waits is not None else f"logged ({missing} missing, counted as 0)"
    text = f"LEE 2.6: {spec.to_text()}; seed {seed}; waits {origin}"
    return Drawn(curve_table(draws, spec.epsilon), text)


def draw_start_values(
    workload: Workload,
    spec: UtilitySpec,
    seed: int,
    classes: Mapping[int, int] | None = None,
) -> Floats:
    """Draw the value (SU) of every job at submission: what `attach_utilities` begins with.

    Returns
    -------
    ndarray of float64, shape (n,)
        The same as `attach_utilities(workload, spec, seed).utility.start_values`.
    """
    require_whole(SOURCE, "seed", seed, 0, 2**63)
    rank, count = _ranks(workload, spec, classes)
    per_minute = _draw_per_minute(rank, count, spec, stream(seed, "utilities starts"))
    return start_values(workload, per_minute)


def _known_waits(workload: Workload, waits: npt.ArrayLike | None) -> tuple[Floats, int]:
    """Wait of every job (s, >= 0), and how many were not known."""
    if waits is not None:
        return _checked_waits(len(workload), waits), 0
    if needs_waits(workload):
        raise MissingWaits(
            f"none of the {len(workload)} jobs has a logged wait",
            field="wait",
            remedy="simulate the workload once and give the waits of that schedule",
        )
    return np.maximum(workload.wait, 0.0), int(np.count_nonzero(workload.wait < 0))


def _checked_waits(jobs: int, waits: npt.ArrayLike) -> Floats:
    given = np.asarray(waits, dtype=np.float64)
    if given.shape != (jobs,):
        raise InputError(f"has shape {given.shape} for {jobs} jobs", field="waits")
    bad = ~(np.isfinite(given) & (given >= 0))
    if np.any(bad):
        first = int(np.argmax(bad))
        raise InputError(
            f"{given[first]} at position {first} is no wait",
            field="waits",
            remedy="give finite seconds, at least 0",
        )
    return given


def _draw(
    workload: Workload,
    spec: UtilitySpec,
    waits: Floats,
    seed: int,
    classes: Mapping[int, int] | None,
) -> DecayDraws:
    """Draw everything for all jobs, one stream per purpose."""
    jobs = len(workload)
    start = draw_start_values(workload, spec, seed, classes)
    kinds, times, values, step_times, step_levels = (
        stream(seed, f"utilities {purpose}")
        for purpose in ("kinds", "times", "values", "step times", "step levels")
    )
    base = waits + _expected_durations(workload, spec, seed)
    deadline = np.maximum(spec.factor * base, MIN_DEADLINE)
    _check_limit("deadline", deadline, "s", "a smaller factor")
    return DecayDraws(
        kind=np.searchsorted(np.cumsum(spec.shares())[:-1], kinds.random(jobs), side="right"),
        start=start,
        deadline=deadline,
        times=_unique_times(deadline, spec.points, times),
        values=values.random((jobs, spec.points)),
        step_time=step_times.random(jobs),
        step_level=step_levels.random(jobs),
    )


def _expected_durations(workload: Workload, spec: UtilitySpec, seed: int) -> Floats:
    """How long (s) each job takes to the one who sets its deadline, beside the wait."""
    run, request = np.maximum(workload.run, 0.0), np.maximum(workload.request, 0.0)
    if spec.base == "wait":
        return np.zeros(len(workload))
    if spec.base == "turnaround":
        return run
    if spec.base == "request":
        return request
    noise = stream(seed, "utilities beliefs").normal(0.0, spec.sigma or 0.0, len(workload))
    believed: Floats = np.minimum(run * np.exp(noise), request)
    return believed


def _ranks(
    workload: Workload, spec: UtilitySpec, classes: Mapping[int, int] | None
) -> tuple[Ints, int]:
    """Priority of each job, 0 the most urgent, and the number N of priorities.

    Without `spec.classes` the classes that occur are ranked 0 .. N-1; with it, N is given and
    classes are taken as they are, so that a slice of a log is valued as the whole log is.
    """
    rank = priority_classes(workload, classes)
    if spec.classes is None:
        present, rank = np.unique(rank, return_inverse=True)
        return rank, present.size
    if rank.max(initial=0) >= spec.classes:
        raise InputError(
            f"{spec.classes} classes are 0 to {spec.classes - 1}, but a job has class {rank.max()}",
            source=SOURCE,
            field="classes",
            remedy=f"give classes={rank.max() + 1} or more",
        )
    return rank, spec.classes


def _draw_per_minute(rank: Ints, count: int, spec: UtilitySpec, rng: np.random.Generator) -> Floats:
    """Draw start values (SU per processor-minute); those not above 0 again until none is left."""
    means = (count - rank - 0.5) / max(count, 1) * spec.globmax
    deviation = spec.globmax / max(count, 1) / 2 if spec.deviation is None else spec.deviation
    drawn = np.zeros(rank.size)
    rows = np.arange(rank.size)
    while rows.size:
        drawn[rows] = rng.normal(means[rows], deviation)
        rows = np.flatnonzero(drawn <= 0)
    return drawn


def start_values(workload: Workload, per_minute: Floats | float) -> Floats:
    """Value (SU) of every job at submission, shape (n,), of `per_minute` SU a processor-minute.

    Raises
    ------
    InputError
        A job without processors, or a value beyond 2^53.
    """
    if np.any(workload.size <= 0):
        raise InputError(
            f"job at position {int(np.argmax(workload.size <= 0))} has no processors",
            field="processors",
            remedy="read the log with standard cleaning",
        )
    start: Floats = per_minute * workload.size * np.maximum(workload.request, 0.0) / 60
    _check_limit("start value", start, "SU", "a smaller globmax")
    return start


def _check_limit(field: str, values: Floats, unit: str, remedy: str) -> None:
    worst = float(values.max(initial=0.0))
    if worst > LIMIT:
        raise InputError(
            f"{worst:g} {unit} is beyond the limit of 2^53 = {LIMIT}",
            source=SOURCE,
            field=field,
            remedy=f"give {remedy}",
        )


def _unique_times(deadline: Floats, count: int, rng: np.random.Generator) -> Floats:
    """Sorted unique times strictly between 0 and each deadline, shape (n, count).

    A row with two equal times, or one at an end, is drawn again.
    """
    times = np.empty((deadline.size, count))
    rows = np.arange(deadline.size)
    while rows.size:
        times[rows] = np.sort(rng.random((rows.size, count)), axis=1) * deadline[rows, None]
        gaps = np.diff(times[rows], axis=1, prepend=0.0, append=deadline[rows, None])
        rows = rows[(gaps <= 0).any(axis=1)]
    return times

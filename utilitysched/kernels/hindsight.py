"""Schedules of jobs whose run times are known: serial generation, and moves that improve them.

A job is placed at its earliest feasible start, or left out where it would be worth nothing. A move
takes out a job that lost value and jobs that ran when it wanted to, and puts them back in another
order; it is kept where the sum of values does not fall. A trial moves one job, or two, in the order
by which all are placed.
"""

import math
from typing import NamedTuple

import numpy as np

from utilitysched.kernels.compiling import kernel, leaf
from utilitysched.kernels.curves import curve_value
from utilitysched.kernels.profile import occupy, step_at
from utilitysched.kernels.stream import Words, below, uniform
from utilitysched.model.state import Floats, Integers, JobTable

MOST_TAKEN = 24
"""Jobs that a move takes out at most."""

REDRAWN = 500
"""Moves after which the jobs that lost value are counted anew."""

REORDERED = 100
"""Trials of other orders after which they are."""


class PlacedJobs(NamedTuple):
    """Jobs on the machine, and what they leave free.

    Attributes
    ----------
    time, free, steps : arrays
        The availability profile; see `utilitysched.kernels.profile`.
    start : (n,) float64
        Of each job (s), infinite for one that is left out.
    value : (n,) float64
        What it is worth (SU), 0 for one that is left out.
    """

    time: Floats
    free: Integers
    steps: Integers
    start: Floats
    value: Floats


@leaf
def earliest_after(
    time: Floats,
    free: Integers,
    count: int,
    size: int,
    duration: float,
    since: float,
    latest: float,
) -> float:
    """Return when, not before `since`, `size` processors are first free for `duration` (s).

    Infinite if they are not for so long before the last of `count` steps, which counts as full if
    it has fewer processors free. A time after `latest` is of no use: it may count as infinite.
    """
    i = step_at(time, count, since)
    while True:
        while i < count and free[i] < size:
            i += 1
        if i == count or time[i] > latest:
            return math.inf
        begin = max(since, time[i])
        enough = begin + duration
        i += 1
        while i < count and time[i] < enough and free[i] >= size:
            i += 1
        if i == count or time[i] >= enough:
            return begin


@leaf
def _latest(job: int, known: JobTable, run: Floats) -> float:
    """Return a time from which on a job starts too late to be worth anything (s).

    A second is added, so that rounding never makes it too early.
    """
    last = known.offsets[job + 1] - 1
    if last < known.offsets[job]:
        return -math.inf
    return known.submit[job] + known.times[last] - run[job] + 1.0


@kernel
def place_serially(
    order: Integers,
    known: JobTable,
    run: Floats,
    release: Floats,
    placed: PlacedJobs,
    until: float,
) -> None:
    """Start jobs one after another, each at the earliest time that earlier placements allow.

    Parameters
    ----------
    order : (k,) int64
        Jobs that are left out so far.
    run, release : (n,) float64
        Run times, and times before which jobs may not start (s).
    placed : PlacedJobs
        Changed.
    until : float
        Jobs that would be worth nothing are placed, too, if they end by then (s).
    """
    time, free, steps = placed.time, placed.free, placed.steps
    for job in order:
        size = known.size[job]
        start = earliest_after(time, free, steps[0], size, run[job], release[job], math.inf)
        value = curve_value(known, job, start + run[job] - known.submit[job])
        if value > 0 or start + run[job] <= until:
            occupy(time, free, steps, start, start + run[job], size)
            placed.start[job], placed.value[job] = start, value


@leaf
def _losses(best: Floats, value: Floats, losses: Floats) -> float:
    """Fill in the running sum of what each job lost (SU); return it in all."""
    total = 0.0
    for job in range(len(best)):
        total += max(0.0, best[job] - value[job])
        losses[job] = total
    return total


@leaf
def _taken_out(
    job: int,
    draws: Words,
    known: JobTable,
    run: Floats,
    release: Floats,
    placed: PlacedJobs,
    taken: Integers,
) -> int:
    """Choose the jobs of a move: `job`, and some that are in the way of an earlier start of it.

    They are among those on the machine during a run of it that begins somewhere between its
    release and its present start, or the end of its curve if it is left out.
    """
    latest = placed.start[job]
    if latest == math.inf:
        latest = known.submit[job] + known.times[known.offsets[job + 1] - 1] - run[job]
    draw = uniform(draws)
    begin = release[job] + draw * draw * max(0.0, latest - release[job])
    end = begin + run[job]
    most = 2 + below(uniform(draws), MOST_TAKEN - 2)
    taken[0], count, seen = job, 1, 0
    for other in range(len(run)):
        start = placed.start[other]
        if other == job or start >= end or start + run[other] <= begin:
            continue
        seen += 1
        if count < most:
            taken[count] = other
            count += 1
        else:  # each of those seen is as likely to be among those taken
            place = below(uniform(draws), seen)
            if place < most - 1:
                taken[1 + place] = other
    return count


@leaf
def _ordered(
    count: int,
    draws: Words,
    known: JobTable,
    run: Floats,
    best: Floats,
    taken: Integers,
    keys: Floats,
) -> None:
    """Put the jobs of a move in a random order in which those worth most a second come early."""
    greed = 3.0 * uniform(draws)
    for i in range(count):
        job = taken[i]
        area = max(run[job], 1.0) * known.size[job]
        keys[i] = math.log(best[job] / area + 1e-300) + greed * uniform(draws)
    if uniform(draws) < 0.5:
        keys[0] = math.inf
    for i in range(1, count):  # by insertion: they are few
        job, key, at = taken[i], keys[i], i
        while at > 0 and keys[at - 1] < key:
            taken[at], keys[at] = taken[at - 1], keys[at - 1]
            at -= 1
        taken[at], keys[at] = job, key


@leaf
def _copied(placed: PlacedJobs, first: int, last: int, time: Floats, free: Integers) -> int:
    """Copy the profile's steps from `first` up to `last`; return how many."""
    for i in range(first, last):
        time[i - first] = placed.time[i]
        free[i - first] = placed.free[i]
    return last - first


@leaf
def _replaced(
    placed: PlacedJobs, first: int, last: int, time: Floats, free: Integers, count: int
) -> None:
    """Put `count` steps in place of those of the profile from `first` up to `last`."""
    shift = first + count - last
    total = placed.steps[0]
    if shift > 0:
        for i in range(total - 1, last - 1, -1):
            placed.time[i + shift] = placed.time[i]
            placed.free[i + shift] = placed.free[i]
    elif shift < 0:
        for i in range(last, total):
            placed.time[i + shift] = placed.time[i]
            placed.free[i + shift] = placed.free[i]
    for i in range(count):
        placed.time[first + i] = time[i]
        placed.free[first + i] = free[i]
    placed.steps[0] = total + shift


@kernel
def improve(
    moves: int,
    draws: Words,
    known: JobTable,
    run: Floats,
    release: Floats,
    best: Floats,
    placed: PlacedJobs,
) -> None:
    """Make so many moves.

    Parameters
    ----------
    moves : int
        How many.
    draws : (1,) uint64
        Random stream.
    known, run, release
        As `place_serially` takes them.
    best : (n,) float64
        What each job would be worth if it started at its release (SU).
    placed : PlacedJobs
        Changed.
    """
    room = len(placed.time)
    time, free, steps = np.empty(room), np.empty(room, np.int64), np.ones(1, np.int64)
    losses = np.empty(len(run))
    taken, keys = np.empty(MOST_TAKEN, np.int64), np.empty(MOST_TAKEN)
    new_start, new_value = np.empty(MOST_TAKEN), np.empty(MOST_TAKEN)
    total = 0.0
    for move in range(moves):
        # draw a job that lost value, the more the likelier, and jobs in its way
        if move % REDRAWN == 0:
            total = _losses(best, placed.value, losses)
            if total <= 0:
                return
        job = int(np.searchsorted(losses, uniform(draws) * total, side="right"))
        if job >= len(run) or best[job] <= placed.value[job]:
            continue
        count = _taken_out(job, draws, known, run, release, placed, taken)
        # the part of the profile that the move can change
        since, until, longest, before = math.inf, -math.inf, 0.0, 0.0
        for i in range(count):
            each = taken[i]
            since = min(since, release[each])
            longest = max(longest, run[each])
            before += placed.value[each]
            if placed.start[each] < math.inf:
                until = max(until, placed.start[each] + run[each])
        until = max(until, since) + longest
        # with the step before, into which the first may merge
        first = max(step_at(placed.time, placed.steps[0], since) - 1, 0)
        last = min(step_at(placed.time, placed.steps[0], until) + 2, placed.steps[0])
        steps[0] = _copied(placed, first, last, time, free)
        horizon = math.inf if last == placed.steps[0] else time[steps[0] - 1]
        for i in range(count):
            each = taken[i]
            if placed.start[each] < math.inf:
                begin = placed.start[each]
                occupy(time, free, steps, begin, begin + run[each], -known.size[each])
        # take them out, and put them back in another order: each as early as it fits
        _ordered(count, draws, known, run, best, taken, keys)
        after = 0.0
        for i in range(count):
            each = taken[i]
            size = known.size[each]
            latest = _latest(each, known, run)
            begin = earliest_after(time, free, steps[0], size, run[each], release[each], latest)
            if begin + run[each] > horizon:
                begin = math.inf
            value = curve_value(known, each, begin + run[each] - known.submit[each])
            if value <= 0:
                begin = math.inf
            else:
                occupy(time, free, steps, begin, begin + run[each], size)
            new_start[i], new_value[i] = begin, value
            after += value
        # keep the move unless it costs value
        if after >= before:
            for i in range(count):
                placed.start[taken[i]], placed.value[taken[i]] = new_start[i], new_value[i]
            _replaced(placed, first, last, time, free, steps[0])


@leaf
def _occupied(
    order: Integers, count: int, known: JobTable, run: Floats, empty: PlacedJobs, placed: PlacedJobs
) -> None:
    """Let the profile be that of an empty machine with the first `count` jobs of an order on it."""
    placed.steps[0] = empty.steps[0]
    for i in range(empty.steps[0]):
        placed.time[i], placed.free[i] = empty.time[i], empty.free[i]
    for i in range(count):
        job = order[i]
        begin = placed.start[job]
        if begin < math.inf:
            occupy(placed.time, placed.free, placed.steps, begin, begin + run[job], known.size[job])


@leaf
def _two_places(
    draws: Words, order: Integers, place: Integers, losses: Floats, release: Floats, start: Floats
) -> tuple[int, int]:
    """Draw a place in the order, and one that its job may move to or change with.

    Every other time the job is one that lost value, the more the likelier, and moves ahead of
    those that start after a time between its release and its start.
    """
    n = len(order)
    if uniform(draws) < 0.5:
        drawn = uniform(draws) * losses[n - 1]
        job = min(int(np.searchsorted(losses, drawn, side="right")), n - 1)
        at = place[job]
        share = uniform(draws)
        other = at - 1 - int(at * share)
        if start[job] < math.inf:
            begin = release[job] + share * (start[job] - release[job])
            other = at
            while other > 0 and start[order[other - 1]] >= begin:
                other -= 1
        return at, max(other, 0)
    at = below(uniform(draws), n)
    far = 1 + int(n * uniform(draws))
    other = at - far if uniform(draws) < 0.5 else at + far
    return at, min(max(other, 0), n - 1)


@leaf
def _exchanged(order: Integers, at: int, other: int, trial: Integers, swapped: bool) -> None:
    """Fill in an order with the job of one place moved to another, or changed with that one's."""
    for i in range(min(at, other), max(at, other) + 1):
        trial[i] = order[i]
    if swapped:
        trial[at] = order[other]
    elif other < at:
        for i in range(at, other, -1):
            trial[i] = order[i - 1]
    else:
        for i in range(at, other):
            trial[i] = order[i + 1]
    trial[other] = order[at]


@kernel
def reorder(
    trials: int,
    draws: Words,
    order: Integers,
    known: JobTable,
    run: Floats,
    release: Floats,
    best: Floats,
    empty: PlacedJobs,
    placed: PlacedJobs,
) -> None:
    """Vary the best order so many times, and keep variations worth no less.

    Parameters
    ----------
    trials : int
        How many.
    draws : (1,) uint64
        Random stream.
    order : (n,) int64
        All jobs; changed.
    known, run, release
        As `place_serially` takes them.
    best : (n,) float64
        What each job would be worth if it started at its release (SU).
    empty : PlacedJobs
        The machine before any of these jobs.
    placed : PlacedJobs
        The jobs as `place_serially` places them in this order; changed.
    """
    n = len(order)
    trial, place, losses = order.copy(), np.empty(n, np.int64), np.empty(n)
    tried = PlacedJobs(
        np.empty(len(placed.time)),
        np.empty(len(placed.time), np.int64),
        np.ones(1, np.int64),
        placed.start.copy(),
        placed.value.copy(),
    )
    for i in range(n):
        place[order[i]] = i
    for count in range(trials):
        if count % REORDERED == 0 and _losses(best, placed.value, losses) <= 0:
            break
        # move one job of the order, or change two
        at, other = _two_places(draws, order, place, losses, release, placed.start)
        if at == other:
            continue
        _exchanged(order, at, other, trial, uniform(draws) < 0.5)
        first = min(at, other)
        # place anew from the first change on
        _occupied(order, first, known, run, empty, tried)
        before, after = 0.0, 0.0
        for i in range(first, n):
            job = trial[i]
            size, latest = known.size[job], _latest(job, known, run)
            begin = earliest_after(
                tried.time, tried.free, tried.steps[0], size, run[job], release[job], latest
            )
            value = curve_value(known, job, begin + run[job] - known.submit[job])
            if value > 0:
                occupy(tried.time, tried.free, tried.steps, begin, begin + run[job], size)
            else:
                begin, value = math.inf, 0.0
            tried.start[job], tried.value[job] = begin, value
            before += placed.value[job]
            after += value
        # keep what is worth no less; equal orders let the search drift
        better = after >= before
        for i in range(first, n):
            job = trial[i]
            if better:
                order[i], place[job] = job, i
                placed.start[job], placed.value[job] = tried.start[job], tried.value[job]
            else:  # the next trial begins from what is kept
                trial[i] = order[i]
                tried.start[job], tried.value[job] = placed.start[job], placed.value[job]
    _occupied(order, n, known, run, empty, placed)

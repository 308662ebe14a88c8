"""Demand of jobs for the time of processors and other resources at given prices, in whole numbers.

Times are ticks, values units, prices units a processor-tick: sums are exact, and nothing is rounded
but where a `utilitysched.schedulers.offline.clearing.ClearingProblem` is made, upward.
"""

from typing import NamedTuple

import numpy as np

from utilitysched.kernels.compiling import kernel, leaf
from utilitysched.model.state import Integers


class Bidders(NamedTuple):
    """Jobs that buy the time of r resources, n of them.

    Attributes
    ----------
    submit, run : (n,) int64
        Submit time and run time (ticks).
    demand : (n, r) int64
        Amount of each resource; the first is processors.
    first : (n + 1,) int64
        Job j owns the points first[j] .. first[j + 1] - 1 of its utility function.
    age : (m,) int64
        Time since submission (ticks), never falling within a job.
    value : (m,) int64
        Value (units), never rising within a job; of two points of one age the first counts there.
    slope : (m,) int64
        What the value loses a tick on the way to each point (units), 0 for the first of a job.
    """

    submit: Integers
    run: Integers
    demand: Integers
    first: Integers
    age: Integers
    value: Integers
    slope: Integers


class PriceSteps(NamedTuple):
    """Prices of the time of r resources, constant between k + 1 points.

    Attributes
    ----------
    time : (k + 2,) int64
        Points (ticks); the last stands for ever.
    price : (r, k + 1) int64
        From each point to the next (units for one of a resource in a tick); 0 behind the last but
        one.
    rent : (r, k + 1) int64
        What one of a resource costs from the first point to each (units).
    """

    time: Integers
    price: Integers
    rent: Integers


@kernel
def raise_curves(first: Integers, age: Integers, value: Integers, slope: Integers) -> None:
    """Give the pieces of utility functions slopes in whole numbers, none below what it was.

    From the last point backward, each value is raised to where the next whole slope leads: by less
    than one unit a tick of the piece. What is above at both ends of a piece is above in between.

    Parameters
    ----------
    first, age, value, slope : arrays
        As in `Bidders`; `value` is raised, `slope` filled.
    """
    for job in range(len(first) - 1):
        for point in range(first[job + 1] - 1, first[job], -1):
            ticks = age[point] - age[point - 1]
            slope[point] = 0
            lost = value[point - 1] - value[point]
            if ticks > 0:
                slope[point] = (lost + ticks - 1) // ticks
                value[point - 1] = value[point] + slope[point] * ticks


@leaf
def cell_at(time: Integers, when: int) -> int:
    """Return the last step that begins at `when` or before."""
    low, high = 0, len(time) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if time[middle] <= when:
            low = middle
        else:
            high = middle
    return low


@leaf
def best_start(
    jobs: Bidders, job: int, steps: PriceSteps, at_submit: int, at_end: int
) -> tuple[int, int]:
    """Return the highest profit of a job, its value less what its resources cost, and the start.

    Profit is linear while start, end and value stay within their pieces: its maximum is where one
    of them changes pieces, and all of those are visited that can be better than the best so far.

    Parameters
    ----------
    at_submit, at_end : int
        The price steps in which the job would start and end if it started at once.

    Returns
    -------
    profit : int
        Units, 0 if it is better not to run.
    start : int
        Ticks, -1 then.
    """
    run, needs, submit = jobs.run[job], jobs.demand[job], jobs.submit[job]
    point, last = jobs.first[job], jobs.first[job + 1]
    best, best_at, start = 0, -1, submit
    a, b = at_submit, at_end
    while True:
        end = start + run
        # the piece of the curve in which it would end; behind the last there is nothing to earn
        age = end - submit
        while point < last and jobs.age[point] < age:
            point += 1
        if point == last:
            return best, best_at
        value = jobs.value[point] + jobs.slope[point] * (jobs.age[point] - age)
        # values only fall: without that much value no later start can be better
        if value <= best:
            return best, best_at
        # the rent between start and end, from running sums
        while steps.time[a + 1] <= start:
            a += 1
        while steps.time[b + 1] <= end:
            b += 1
        profit = value
        for k in range(len(needs)):
            until_start = steps.rent[k, a] + steps.price[k, a] * (start - steps.time[a])
            until_end = steps.rent[k, b] + steps.price[k, b] * (end - steps.time[b])
            profit -= needs[k] * (until_end - until_start)
        if profit > best:
            best, best_at = profit, start
        # on to where start, end or value enters its next piece: in between profit is linear
        ahead = min(steps.time[a + 1] - start, steps.time[b + 1] - end)
        if jobs.age[point] > age:
            ahead = min(ahead, jobs.age[point] - age)
        elif point + 1 < last and jobs.age[point + 1] > age:
            ahead = min(ahead, jobs.age[point + 1] - age)
        start += ahead


@kernel
def demand(
    jobs: Bidders,
    steps: PriceSteps,
    at_submit: Integers,
    at_end: Integers,
    profit: Integers,
    start: Integers,
    used: Integers,
) -> None:
    """Let every job choose its start at these prices.

    Parameters
    ----------
    at_submit, at_end : (n,) int64
        As `best_start` takes them.
    profit, start : (n,) int64
        Filled as `best_start` returns them.
    used : (r, k + 1) int64
        Filled with what they take of each resource in each price step, times ticks.
    """
    resources, cells = used.shape
    flow = np.zeros((resources, cells), np.int64)
    used[:] = 0
    # each job starts where its profit is highest; its use of the machine begins and ends
    for job in range(len(profit)):
        profit[job], start[job] = best_start(jobs, job, steps, at_submit[job], at_end[job])
        if profit[job] <= 0:
            continue
        begin = start[job]
        end = begin + jobs.run[job]
        a, b = cell_at(steps.time, begin), cell_at(steps.time, end)
        for k in range(resources):
            amount = jobs.demand[job, k]
            used[k, a] -= amount * (begin - steps.time[a])
            used[k, b] += amount * (end - steps.time[b])
            flow[k, a] += amount
            flow[k, b] -= amount
    # what runs through a whole price step uses all of it
    for k in range(resources):
        held = 0
        for cell in range(cells - 1):
            held += flow[k, cell]
            used[k, cell] += held * (steps.time[cell + 1] - steps.time[cell])


@leaf
def _sift_up(cells: Integers, price: Integers, at: int) -> None:
    """Let the entry at a place of a heap, the highest price first, rise to where it belongs."""
    while at > 0 and price[cells[(at - 1) // 2]] < price[cells[at]]:
        above = (at - 1) // 2
        cells[at], cells[above] = cells[above], cells[at]
        at = above


@leaf
def _sift_down(cells: Integers, price: Integers, count: int) -> None:
    """Let the first entry of a heap of `count` sink to where it belongs."""
    at = 0
    while 2 * at + 1 < count:
        below = 2 * at + 1
        if below + 1 < count and price[cells[below + 1]] > price[cells[below]]:
            below += 1
        if price[cells[at]] >= price[cells[below]]:
            return
        cells[at], cells[below] = cells[below], cells[at]
        at = below


@leaf
def spread_work(
    jobs: Bidders,
    job: int,
    steps: PriceSteps,
    at_submit: int,
    at_end: int,
    stop: int,
    heap: Integers,
    taken: Integers,
) -> tuple[int, int, int]:
    """Return the highest profit of a job that takes the cheapest ticks before its end, and the end.

    It needs processors alone.

    Later ends let cheaper ticks replace the most expensive taken. In between profit is linear:
    its maximum is where a tick's price is used up, a price step or a piece of the value begins.

    Parameters
    ----------
    at_submit, at_end : int
        As `best_start` takes them.
    stop : int
        Last end to look at (ticks).
    heap : (k + 1,) int64
        Left with the price steps that the work is in, if it ends where the search did.
    taken : (k + 1,) int64
        Ticks in each of these.

    Returns
    -------
    profit : int
        Units, 0 if it is better not to run.
    end : int
        Ticks, -1 then.
    count : int
        Price steps in `heap`.
    """
    run, size, submit = jobs.run[job], jobs.demand[job, 0], jobs.submit[job]
    price = steps.price[0]
    point, last = jobs.first[job], jobs.first[job + 1]
    end, cell, count, cost = submit + run, at_end, 0, 0
    # the earliest end takes all ticks since submission
    for each in range(at_submit, at_end + 1):
        ticks = min(end, steps.time[each + 1]) - max(submit, steps.time[each])
        if ticks > 0:
            heap[count], taken[each] = each, ticks
            cost += price[each] * ticks
            _sift_up(heap, price, count)
            count += 1
    best, best_at = 0, -1
    entered = end > steps.time[cell]
    while True:
        # profit at this end
        age = end - submit
        while point < last and jobs.age[point] < age:
            point += 1
        if point == last:
            return best, best_at, count
        value = jobs.value[point] + jobs.slope[point] * (jobs.age[point] - age)
        profit = value - size * cost
        if profit > best:
            best, best_at = profit, end
        if value <= best or end >= stop or count == 0 or price[heap[0]] == 0:
            return best, best_at, count
        # the next price step, once the end has reached it
        while steps.time[cell + 1] <= end:
            cell += 1
            entered = False
        # how far profit stays linear
        ahead = min(steps.time[cell + 1], stop) - end
        if jobs.age[point] > age:
            ahead = min(ahead, jobs.age[point] - age)
        elif point + 1 < last and jobs.age[point + 1] > age:
            ahead = min(ahead, jobs.age[point + 1] - age)
        # cheaper ticks of this step replace the most expensive that are taken
        highest = heap[0]
        saved = price[highest] - price[cell]
        if saved > 0:
            ahead = min(ahead, taken[highest])
            cost -= saved * ahead
            taken[highest] -= ahead
            if taken[highest] == 0:
                count -= 1
                heap[0] = heap[count]
                _sift_down(heap, price, count)
            if not entered:
                heap[count], taken[cell], entered = cell, 0, True
                _sift_up(heap, price, count)
                count += 1
            taken[cell] += ahead
        end += ahead


@kernel
def spread_demand(
    jobs: Bidders,
    steps: PriceSteps,
    at_submit: Integers,
    at_end: Integers,
    profit: Integers,
    end: Integers,
    used: Integers,
) -> None:
    """Do what `demand` does for jobs that spread their work; `end` is filled with their ends.

    They need processors alone.
    """
    cells = used.shape[1]
    heap, taken = np.zeros(cells, np.int64), np.zeros(cells, np.int64)
    used[:] = 0
    for job in range(len(profit)):
        a, b = at_submit[job], at_end[job]
        forever = steps.time[-1]
        profit[job], end[job], _ = spread_work(jobs, job, steps, a, b, forever, heap, taken)
        if profit[job] <= 0:
            continue
        _, _, count = spread_work(jobs, job, steps, a, b, end[job], heap, taken)
        for i in range(count):
            used[0, heap[i]] += jobs.demand[job, 0] * taken[heap[i]]

"""Every queue ordering of section 3 as a function of (job, context): lower keys go first.

Conventions, so that results can be equal bit by bit: float64; formulas as printed, from left to
right; w = now - submit; scores that divide by the request use max(request, 1) for it all through,
so do the logarithms; a cube is x*x*x; r counts from the first submit and is at least 1; scores of
which the highest goes first are negated. `order` breaks ties by number, the order of arrival.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, inf, log, log2, log10, sqrt
from pathlib import Path

import utilitysched
from tests.reference.jobs import Job
from tests.reference.values import (
    HOUR,
    REQUESTED,
    History,
    ValueRule,
    decay_rate,
    durations,
    mean_over,
    occupancy,
    time_left,
    utility,
    value_ahead,
)

Key = tuple[float, ...]
DAY = 24 * HOUR

_ORDERINGS = Path(utilitysched.__file__).parent / "schedulers" / "orderings"
SHIPPED: Mapping[str, float] = tomllib.loads((_ORDERINGS / "nonlinear.toml").read_text())["weights"]
LEARNED: Mapping[str, float] = tomllib.loads((_ORDERINGS / "index.toml").read_text())["weights"]
"""The weights that come with the package."""


@dataclass(frozen=True)
class Context:
    """What an ordering may look at besides the job; `queue` in order of arrival.

    `submits` are those of all jobs so far, in the same order.
    """

    now: float = 0.0
    processors: int = 1
    first_submit: float = 0.0
    queue: tuple[Job, ...] = ()
    history: History = field(default_factory=History)
    rule: ValueRule = REQUESTED
    weights: tuple[float, ...] = (0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    free: int = 0
    learned: Mapping[str, float] = field(default_factory=lambda: LEARNED)
    submits: Sequence[float] = ()

    def wait(self, job: Job) -> float:
        """Seconds the job has waited so far."""
        return self.now - job.submit

    def arrival(self, job: Job) -> float:
        """Seconds from the first submit of the workload to the job's, at least 1."""
        return max(job.submit - self.first_submit, 1.0)


Ordering = Callable[[Job, Context], Key]


def at_least_one(job: Job) -> float:
    """The request as a divisor."""
    return max(job.request, 1.0)


def fcfs(job: Job, context: Context) -> Key:
    """First come, first served."""
    return (job.submit,)


def lcfs(job: Job, context: Context) -> Key:
    """Last come, first served."""
    return (-job.submit,)


def spf(job: Job, context: Context) -> Key:
    """Shortest request first."""
    return (job.request,)


def lpf(job: Job, context: Context) -> Key:
    """Longest request first."""
    return (-job.request,)


def sqf(job: Job, context: Context) -> Key:
    """Narrowest first."""
    return (job.size,)


def lqf(job: Job, context: Context) -> Key:
    """Widest first."""
    return (-job.size,)


def saf(job: Job, context: Context) -> Key:
    """Smallest requested area first."""
    return (job.request * job.size,)


def laf(job: Job, context: Context) -> Key:
    """Largest requested area first."""
    return (-(job.request * job.size),)


def srf(job: Job, context: Context) -> Key:
    """Smallest ratio of request to size first."""
    return (job.request / job.size,)


def lrf(job: Job, context: Context) -> Key:
    """Largest ratio of request to size first."""
    return (-(job.request / job.size),)


def expansion(job: Job, context: Context) -> float:
    """Expansion factor if the job started now and used its request."""
    return (context.wait(job) + at_least_one(job)) / at_least_one(job)


def lexp(job: Job, context: Context) -> Key:
    """Largest expansion factor first."""
    return (-expansion(job, context),)


def sexp(job: Job, context: Context) -> Key:
    """Smallest expansion factor first."""
    return (expansion(job, context),)


def wfp3(job: Job, context: Context) -> Key:
    """Cubed relative wait times size, highest first."""
    x = context.wait(job) / at_least_one(job)
    return (-(x * x * x * job.size),)


def unicef(job: Job, context: Context) -> Key:
    """Small jobs' relative wait, highest first; serial jobs before all others."""
    if job.size == 1:
        return (0.0, -(context.wait(job) / at_least_one(job)))
    return (1.0, -(context.wait(job) / (log2(job.size) * at_least_one(job))))


def f1(job: Job, context: Context) -> Key:
    """F1 of CARASTAN."""
    return (log10(at_least_one(job)) * job.size + 870.0 * log10(context.arrival(job)),)


def f2(job: Job, context: Context) -> Key:
    """F2 of CARASTAN."""
    return (sqrt(job.request) * job.size + 25600.0 * log10(context.arrival(job)),)


def f3(job: Job, context: Context) -> Key:
    """F3 of CARASTAN."""
    return (job.request * job.size + 6.86e6 * log10(context.arrival(job)),)


def f4(job: Job, context: Context) -> Key:
    """F4 of CARASTAN."""
    return (job.request * sqrt(job.size) + 5.30e5 * log10(context.arrival(job)),)


def priority_fifo(job: Job, context: Context) -> Key:
    """Most urgent class first (0 is the most urgent), within it by arrival."""
    return (job.priority, job.submit)


def mixed(job: Job, context: Context) -> Key:
    """Weighted sum of LEGRAND's six features, highest first; the weights' norm is 1."""
    features = (
        job.size,
        job.request,
        context.wait(job),
        job.request / job.size,
        expansion(job, context),
        job.request * job.size,
    )
    total = 0.0
    for weight, feature in zip(context.weights, features, strict=True):
        total += weight * feature
    return (-total,)


def worth(job: Job, context: Context, delay: float = 0.0) -> float:
    """U(w + delay): mean value in SU if the job starts `delay` s from now."""
    guesses = durations(job, context.rule, context.history)
    return mean_over(utility, job, context.wait(job) + delay, guesses)


def committed(job: Job, context: Context) -> float:
    """Processor-seconds that a start takes: q o."""
    return job.size * occupancy(job, context.rule, context.history)


def value(job: Job, context: Context) -> Key:
    """Highest value first."""
    return (-worth(job, context),)


def value_density(job: Job, context: Context) -> Key:
    """Highest value per processor-second first."""
    return (-(worth(job, context) / committed(job, context)),)


def delay_loss(job: Job, context: Context) -> float:
    """SU lost by starting tau later."""
    return worth(job, context) - worth(job, context, context.rule.tau)


def cost_of_delay(job: Job, context: Context) -> Key:
    """Highest loss by a delay of tau, per processor-second, first."""
    return (-(delay_loss(job, context) / committed(job, context)),)


def value_and_delay(job: Job, context: Context) -> Key:
    """Blend of value and cost of delay, per processor-second, highest first."""
    alpha = context.rule.alpha
    blend = (1.0 - alpha) * worth(job, context) + alpha * delay_loss(job, context)
    return (-(blend / committed(job, context)),)


def others_loss(job: Job, context: Context) -> float:
    """SU per second that the other queued jobs lose while `job` holds the whole machine.

    Each loses at its present rate (at age w + d, to the right) for the occupancy of `job` or
    until its own last point, whichever is shorter; rate and time left are means over guesses.
    """
    held = Fraction(occupancy(job, context.rule, context.history))
    total = Fraction(0)
    for other in context.queue:
        if other.number != job.number:
            guesses = durations(other, context.rule, context.history)
            age = context.wait(other)
            rate = Fraction(mean_over(decay_rate, other, age, guesses))
            left = mean_over(time_left, other, age, guesses)
            total += rate if left >= held else rate * Fraction(left) / held
    return float(total)


def first_reward(job: Job, context: Context) -> Key:
    """Discounted value per processor-second, less what its processors cost the others by second."""
    rule = context.rule
    held = occupancy(job, rule, context.history)
    present = worth(job, context) / (1.0 + rule.discount * held)
    gain = rule.alpha * present / committed(job, context)
    return ((1.0 - rule.alpha) * others_loss(job, context) / context.processors - gain,)


def projected_value_remaining(job: Job, context: Context) -> Key:
    """Least area under the curve from now + d on, over the start value; worth nothing: last."""
    if not worth(job, context) > 0:
        return (inf,)
    guesses = durations(job, context.rule, context.history)
    return (mean_over(value_ahead, job, context.wait(job), guesses) / job.points[0][1],)


def apparent_tardiness_cost(job: Job, context: Context) -> Key:
    """Value per processor-second times exp(-slack / (k mean occupancy)), highest first."""
    rule, history = context.rule, context.history
    total = 0.0
    for other in context.queue:
        total += occupancy(other, rule, history)
    scale = rule.lookahead * total / len(context.queue)
    guesses = durations(job, rule, history)
    left = mean_over(time_left, job, context.wait(job), guesses)
    slack = max(0.0, left - occupancy(job, rule, history))
    return (-(worth(job, context) / committed(job, context)) * exp(-slack / scale),)


def queued_time(context: Context) -> float:
    """T: seconds that the whole machine would take for all that is queued, by the requests."""
    return sum(job.size * job.request for job in context.queue) / context.processors


def all_there_is(context: Context) -> bool:
    """Whether jobs came at few instants of the last day: at most 2% as many as are queued.

    The first instant of all does not count.
    """
    first, since = context.submits[0], context.now - DAY
    came = {submit for submit in context.submits if submit > max(first, since)}
    return len(came) <= 0.02 * len(context.queue)


def index_delays(job: Job, context: Context) -> dict[str, float]:
    """Delays (s) by the names of their weights."""
    fixed = {"10min": 600.0, "1h": HOUR, "4h": 4 * HOUR, "12h": 12 * HOUR}
    days = {"24h": 24 * HOUR, "48h": 48 * HOUR}
    load = queued_time(context)
    return {
        "value": 0.0,
        **{f"value_{name}": delay for name, delay in {**fixed, **days}.items()},
        "value_015_request": 0.15 * job.request,
        "value_05_request": 0.5 * job.request,
        "value_15_request": 1.5 * job.request,
        "value_015_load": 0.15 * load,
        "value_06_load": 0.6 * load,
    }


def index_features(job: Job, context: Context) -> dict[str, float]:
    """Features by the names of their weights."""
    request, wait, end = at_least_one(job), context.wait(job), job.points[-1][0]
    present = worth(job, context)
    density = log(present / (job.size * request) * 36_000.0 + 1e-4)
    slack = log(1.0 + max(0.0, end - wait - request) / 600.0)
    busy = log(1.0 + queued_time(context) / HOUR) - 2.5
    return {
        "size": log(job.size),
        "request": log(request),
        "predicted": log(occupancy(job, context.rule, context.history)),
        "class": 0.2 * job.priority,
        "wait": log(1.0 + wait / HOUR),
        "slack": slack,
        "life": log(max(end, 10.0)),
        "share_left": present / worth(job, context, -wait),
        "density": density,
        "fits": 1.0 if job.size <= context.free else 0.0,
        "wide": 1.0 if job.size > context.processors / 4 else 0.0,
        "size_load": log(job.size) * busy,
        "request_load": log(request) * busy,
        "density_load": density * busy,
        "slack_load": slack * busy,
    }


def index(job: Job, context: Context) -> Key:
    """Weighted values after delays, times the exponential of the weighted features; highest first.

    Who is worth nothing any more scores 0. A queue of more than a day's work to which almost nobody
    came during the last day is ordered by what a day's delay loses per requested processor-second.
    """
    if not worth(job, context) > 0:
        return (0.0,)
    if queued_time(context) > DAY and all_there_is(context):
        lost = worth(job, context) - 0.95 * worth(job, context, DAY)
        return (-(lost / (job.size * at_least_one(job))),)
    value, power = 0.0, 0.0
    for name, delay in index_delays(job, context).items():
        value += context.learned[name] * worth(job, context, delay)
    for name, feature in index_features(job, context).items():
        power += context.learned[name] * feature
    return (-value * exp(power),)


def nonlinear(job: Job, context: Context) -> Key:
    """Sum of the terms c p~^a log10(p~)^b q^c log10(q)^d r^e log10(r)^f of the shipped policy."""
    bases = {"p": max(job.request, 1.0), "q": float(job.size), "r": context.arrival(job)}
    total = 0.0
    for term in range(1, 11):
        product = SHIPPED[f"coefficient_{term}"]
        for name, base in bases.items():
            power, log_power = SHIPPED[f"{name}_{term}"], SHIPPED[f"log_{name}_{term}"]
            product *= (base**power if power else 1.0) * (
                log10(base) ** log_power if log_power else 1.0
            )
        total += product
    return (total,)


ORDERINGS: dict[str, Ordering] = {
    "fcfs": fcfs,
    "lcfs": lcfs,
    "spf": spf,
    "lpf": lpf,
    "sqf": sqf,
    "lqf": lqf,
    "saf": saf,
    "laf": laf,
    "srf": srf,
    "lrf": lrf,
    "lexp": lexp,
    "sexp": sexp,
    "wfp3": wfp3,
    "unicef": unicef,
    "f1": f1,
    "f2": f2,
    "f3": f3,
    "f4": f4,
    "priority-fifo": priority_fifo,
    "mixed": mixed,
    "value": value,
    "value-density": value_density,
    "cost-of-delay": cost_of_delay,
    "value-and-delay": value_and_delay,
    "first-reward": first_reward,
    "projected-value-remaining": projected_value_remaining,
    "apparent-tardiness-cost": apparent_tardiness_cost,
    "index": index,
    "nonlinear": nonlinear,
}


def order(
    jobs: Iterable[Job], name: str, context: Context, threshold: float | None = None
) -> list[Job]:
    """Sort jobs; those that have waited longer than `threshold` (s) go first, by arrival."""
    ordering = ORDERINGS[name]

    def key(job: Job) -> tuple[float, Key, int]:
        if threshold is not None and context.wait(job) > threshold:
            return (0, fcfs(job, context), job.number)
        return (1, ordering(job, context), job.number)

    return sorted(jobs, key=key)

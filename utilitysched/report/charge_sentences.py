"""Sentences on the charge of a job."""

import math
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from functools import partial

from pricing import PivotRule, Pivots, Replays, Rounds
from pricing.evidence import Loss
from pricing.ledger import amount
from pricing.reasons import reason
from pricing.registry import MECHANISMS
from pricing.rounds import NOBODY
from swfx import InputError
from swfx.base.numbers import money, percent, plural, span
from swfx.clock import clock_of
from utilitysched.counterfactual.explanation import Explanation
from utilitysched.report.plan_sentences import Wording, of_plans
from utilitysched.report.stops import stop_sentences


def sentences(explained: Explanation) -> list[str]:
    """Return paragraphs: the charge, the job, what would have been, stops, what became of it."""
    parts = (
        _charge(explained),
        _job(explained),
        _evidence(explained),
        _stops(explained),
        _cut(explained),
    )
    return [" ".join(part) for part in map(list, parts) if part]


def billed(explained: Explanation) -> Decimal:
    """Return what the job pays, as it stands in charges.csv (SU)."""
    ledger = explained.charges.ledger
    if explained.place is None:
        return Decimal(0)
    return amount(int(ledger.units[explained.place]), ledger.decimals)


def why(explained: Explanation) -> str:
    """Return why the job is charged, or not."""
    if explained.place is not None:
        return explained.charges.reason[explained.place]
    status = int(explained.run.workload.status[explained.job])
    return reason(False, f"jobs of status {status} are let off")


def _charge(explained: Explanation) -> Iterator[str]:
    jobs, job, charges = explained.run.workload, explained.job, explained.charges
    told = f"Job {explained.job_id} of user {jobs.user[job]}, queue {jobs.queue[job]}:"
    paid = f" {money(billed(explained))} SU by {charges.mechanism}," if billed(explained) else ""
    yield f"{told}{paid} {why(explained)}."
    same = int((jobs.job_id == explained.job_id).sum())
    if same > 1:
        yield f"It is the first of {same:,} jobs with this number."


def _job(explained: Explanation) -> Iterator[str]:
    run, job = explained.run, explained.job
    jobs = run.workload
    size, request = plural(int(jobs.size[job]), "processor"), span(jobs.request.item(job))
    submit, start, end = (column.item(job) for column in (jobs.submit, run.start, run.end))
    when = f"{moment(explained, submit)}{_zone(explained, submit)}"
    yield f"It asked for {size} for {request} at {when}."
    waited = start - submit
    delay = f"waited {span(waited)}" if waited else "started at once"
    used = run.end - run.start if run.running_time is None else run.running_time
    ran = span(used.item(job))
    yield f"It {delay} and ran for {ran}, until {moment(explained, end)}."
    curve = jobs.utility[job]
    if curve is None:
        yield "It has no utility function."
        return
    worth, most = curve(end - submit), curve.start_value
    share = f", {percent(worth / most)}% of what it was worth when it was submitted" if most else ""
    yield f"It was then worth {worth:,.2f} SU{share}."


def _evidence(explained: Explanation) -> Iterator[str]:
    place, known = explained.place, explained.charges.evidence
    if place is None:
        return
    if isinstance(known, Pivots):
        yield from _of_plans(explained, known)
    elif isinstance(known, Replays):
        yield from _of_replays(explained, known)
    else:
        yield from _of_rate(explained, place, known)


def _of_plans(explained: Explanation, known: Pivots) -> Iterator[str]:
    mechanism = MECHANISMS.make(explained.charges.mechanism)
    length = _taken_for(mechanism.pivots) if mechanism.pivots else ""
    preemptible = "preemption" in explained.run.record["simulation"]
    told = Wording(length, preemptible, partial(moment, explained))
    return of_plans(known, explained.job, told)


def _taken_for(rule: PivotRule) -> str:
    if rule.duration == "actual":
        return "for as long as it did"
    return f"for as long as {rule.duration}"


def _of_replays(explained: Explanation, known: Replays) -> Iterator[str]:
    job = explained.job
    first, *more = range(len(known.seeds))
    window = span(known.end.item(job, first) - known.begin.item(job))
    yield "The log was played again from its submission on as if it had never come,"
    rule = MECHANISMS.make(explained.charges.mechanism).replays
    if rule and rule.literal:
        yield f"and nobody once it had ended, for {window}: LEE's own procedure."
    elif known.recoupled[job, first]:
        yield f"for {window}, until that made no difference any more."
    else:
        yield f"for {window}."
    yield (
        f"The {plural(int(known.count[job, first]), 'other job')} of that time have"
        f" {known.having[job, first]:,.2f} SU with it and {known.lacking[job, first]:,.2f} without."
    )
    if more:
        told = ", ".join(f"{each:,.2f}" for each in known.difference[job].tolist())
        yield f"By seed they have {told} SU more without it, {known.mean[job]:,.2f} on average."
    error = known.error.item(job)
    if not known.draws:
        yield "The scheduler draws nothing: there is no standard error."
    elif math.isnan(error):
        yield "One seed: the standard error is not known."
    else:
        yield f"The standard error is {error:,.2f} SU."


def _of_rate(explained: Explanation, place: int, rounds: Rounds | None) -> Iterator[str]:
    charges = explained.charges
    if rounds is not None:
        others = plural(int(rounds.others[place]), "other job")
        yield f"{others} of its queue took part in the round in which it started;"
        yield f"it bid {rounds.bid[place]:,.4f} SU per processor-hour."
        setter = int(rounds.setter[place])
        yield (
            "Its bid was the lowest that started, and no other was as low."
            if setter == NOBODY
            else f"Its price is the bid of job {charges.workload.job_id[setter]}."
        )
    hours = charges.outcome.useful.processor_hours.item(place)
    rate = charges.rate.item(place)
    if not math.isnan(rate):
        yield f"{hours:,.4f} processor-hours at {rate:,.4f} SU each are {rate * hours:,.2f} SU."


def _stops(explained: Explanation) -> Iterator[str]:
    if explained.place is not None:
        yield from stop_sentences(explained.charges, explained.place)


def _cut(explained: Explanation) -> Iterator[str]:
    place, charges = explained.place, explained.charges
    if place is None:
        return
    worth = charges.outcome.utility.item(place)
    uncut = charges.uncut[place] if len(charges.uncut) else charges.charge[place]
    if uncut > charges.charge[place]:
        yield f"It would have been {uncut:,.2f} SU, above what the job was worth, and was cut."
    elif charges.workload.utility.defined[place] and uncut > worth:
        yield f"That is {uncut - worth:,.2f} SU more than the job was worth."
    if explained.causes:
        lost = math.fsum(cause.loss for cause in explained.causes)
        named = ", ".join(_named(explained, cause) for cause in explained.causes[:3])
        rest = len(explained.causes) - 3
        more = f" and {plural(rest, 'other')}" if rest > 0 else ""
        verb = "lost" if lost >= 0 else "gained"
        yield f"The job itself {verb} {abs(lost):,.2f} SU by others: {named}{more}."


def _named(explained: Explanation, lost: Loss) -> str:
    return f"job {explained.run.workload.job_id[lost.job]} ({lost.loss:,.2f})"


def moment(explained: Explanation, seconds: float) -> str:
    """Say when something was: a date if the calendar has one for it, else seconds of the log."""
    date = _date(explained, seconds)
    return f"{date:%Y-%m-%d %H:%M:%S}" if date else f"second {seconds:,.0f} of the log"


def _zone(explained: Explanation, seconds: float) -> str:
    date = _date(explained, seconds)
    return f" ({date.tzinfo})" if date else ""


def _date(explained: Explanation, seconds: float) -> datetime | None:
    clock = clock_of(explained.run.workload.header)
    try:
        return clock.date(seconds) if clock else None
    except InputError:
        return None

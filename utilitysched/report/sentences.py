"""Sentences on the charge of a job: what it is, what would have been, what stops cost.

A maker yields sentences on one job; those about a matter make a paragraph.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from pricing import Charges, PivotRule, Pivots, Readings, Replays, Rounds, Shares
from pricing.counterfactual import JOBS, players_of
from pricing.disclosure import ClassLoss
from pricing.evidence import Loss, for_later, for_losses, uncharged
from pricing.ledger import Ledger, amount, positions
from pricing.parts import ExactDues, exact_sum
from pricing.pivots import Starts
from pricing.reader import NOBODY
from pricing.reasons import reason
from pricing.registry import MECHANISMS
from pricing.resources import resource_hours
from pricing.states import in_states, states_of
from pricing.waste import OWNERS_ONLY, PREEMPTED
from swfx import InputError, Workload
from swfx.base.columns import Floats, Ints
from swfx.base.numbers import percent, plural, significant, span
from swfx.clock import calendar_of
from swfx.eligibility import time_held
from utilitysched.counterfactual.explanation import Explanation
from utilitysched.counterfactual.plan_comparison import shares
from utilitysched.schedulers.billed import charges_requested_end

NAMED = 3
"""Jobs that are named, the others are counted; the files have them all."""


def later(lost: Loss) -> str:
    """Say how much later a loser starts, or earlier; nothing if that is not known."""
    if lost.delay is None:
        return ""
    if lost.delay == 0:
        return "as it would"
    return f"{span(abs(lost.delay))} {'later' if lost.delay > 0 else 'earlier'}"


def few(texts: Sequence[str], named: int = NAMED) -> str:
    """Return the first few items of a list, and the number of further ones."""
    rest = len(texts) - named
    return ", ".join(texts[:named]) + (f" and {plural(rest, 'other')}" if rest > 0 else "")


def usual(texts: Iterable[str]) -> str:
    """Return what is said most often, and at least twice: it is said once for all.

    Examples
    --------
    >>> usual(["by bid", "by rate", "by bid"]), usual(["by bid", "by rate"])
    ('by bid', '')
    """
    ((text, count),) = Counter(texts).most_common(1) or (("", 0),)
    return text if count > 1 else ""


def loss_text(loss: Loss | ClassLoss) -> str:
    """Return a loss as text; of one that is rounded to nothing, below what it is.

    Examples
    --------
    >>> loss_text(Loss(1, 1234.5, None, Decimal("1234.50")))
    '1,234.50'
    >>> loss_text(Loss(1, 0.0013, None, Decimal("0.00")))
    'less than 0.01'
    """
    if loss.amount:
        return f"{loss.amount:,f}"
    return f"less than {Decimal((0, (1,), int(loss.amount.as_tuple().exponent))):f}"


def total(losses: Iterable[Loss | ClassLoss]) -> Decimal:
    """Return the sum of losses as they are printed (SU)."""
    return exact_sum(lost.amount for lost in losses)


def sentences(explained: Explanation, *, whole: bool = True) -> list[str]:
    """Return paragraphs on the charge, the evidence, stops, the cut, and the job.

    Parameters
    ----------
    explained : Explanation
        The job and its charge.
    whole : bool, default True
        Name other jobs, and say what they bid and lose: for the centre and its auditors. What a
        user may see has none of that; `pricing.disclosure.losses_by_class` goes beside it.
    """
    place = explained.place
    parts = (
        _charge(explained, whole=whole),
        _evidence(explained, whole=whole),
        () if place is None else stop_sentences(explained.charges, place, whole=whole),
        _cut(explained, whole=whole),
        _job(explained),
    )
    return [" ".join(part) for part in map(list, parts) if part]


def billed(explained: Explanation) -> Decimal:
    """Return the charge of the job as in charges.csv (SU)."""
    return Decimal(0) if explained.place is None else explained.charges.amount(explained.place)


def why(explained: Explanation) -> str:
    """Return why the job is charged, or not."""
    if explained.place is not None:
        return explained.charges.reason[explained.place]
    job = explained.run.workload[explained.job : explained.job + 1]
    if in_states(job, explained.charges.terms.exclude_states).any():
        return reason(False, f"jobs that ended in {states_of(job)[0]} are exempt")
    return reason(False, f"jobs of status {explained.run.status[explained.job]} are exempt")


def verdict_of(explained: Explanation) -> str:
    """Return whether a job is charged, and how much."""
    money, verdict = billed(explained), why(explained).partition(": ")[0]
    return f"{verdict} {abs(money):,f} SU" if money else verdict


def _charge(explained: Explanation, *, whole: bool) -> Iterator[str]:
    """Yield the verdict: the charge of the job, why, and the largest loss behind it."""
    jobs, job, charges = explained.run.workload, explained.job, explained.charges
    user, queue = (jobs.labels.in_field(name) for name in ("user", "queue"))
    owner = user.title(jobs.user.item(job))
    if jobs.queue[job] >= 0:
        owner += f", {queue.title(jobs.queue.item(job))},"
    under = f" under {charges.mechanism}" if billed(explained) else ""
    because = why(explained).partition(": ")[2]
    why_so = f": {because}" if because else ""
    yield f"Job {explained.job_name} of {owner} is {verdict_of(explained)}{under}{why_so}."
    if whole and explained.losers:
        most = explained.losers[0]
        named = f"job {jobs.job_name(most.job)} of {user.title(jobs.user.item(most.job))}"
        count = plural(len(explained.losers), "job")
        yield f"It delayed {count}; {named} lost the most, {loss_text(most)} SU."
    same = int((jobs.job_id == explained.job_id).sum())
    if same > 1:
        yield f"It is the first of {same:,} jobs with this number."


def _job(explained: Explanation) -> Iterator[str]:
    run, job = explained.run, explained.job
    jobs = run.workload
    held, requested = int(jobs.size[job]), int(jobs.requested_processors[job])
    size = plural(requested if requested > 0 else held, "processor")
    submit, start, end = (column.item(job) for column in (jobs.submit, run.start, run.end))
    when = f"{moment(explained, submit)}{_zone(explained, submit)}"
    yield f"It requested {size} {_limit(jobs, job)} at {when}."
    ineligible = time_held(jobs[job : job + 1]).item()
    waited = start - submit - ineligible
    delay = f"waited {span(waited)}" if waited else "started at once"
    if ineligible:
        why = "a begin time, hold, dependency or array limit"
        delay = f"could not start for {span(ineligible)} ({why}), {delay}"
    used = run.end - run.start if run.running_time is None else run.running_time
    ran = span(used.item(job))
    on = f" on {plural(held, 'processor')}" if 0 < requested != held else ""
    if used[job] < end - start and jobs.suspended[job] > 0:
        on += f", suspended for another {span(jobs.suspended.item(job))}"
    yield f"It {delay} and ran for {ran}{on}, until {moment(explained, end)}."
    if explained.place is not None and explained.charges.outcome.spared[explained.place]:
        alone = span(jobs.effective_run.item(job))
        yield f"Alone it takes {alone}: what its neighbours slowed it by is not charged."
    curve = jobs.utility[job]
    if curve is None:
        yield "It has no utility function."
        return
    if run.cut_short[job]:
        yield "It was killed before its work was done, and so was worth nothing."
        return
    worth, most = curve(end - submit), curve.start_value
    share = f", {percent(worth / most)}% of what it was worth when it was submitted" if most else ""
    yield f"It was then worth {worth:,.2f} SU{share}."


def _limit(jobs: Workload, job: int) -> str:
    """Say for how long a job was asked for, if anybody did."""
    if jobs.requested_time[job] > 0:
        return f"for {span(jobs.requested_time.item(job))}"
    default = jobs.default_limit.item(job)
    return (
        f"without a time limit ({span(default)} by default)"
        if default > 0
        else "without a time limit"
    )


def _evidence(explained: Explanation, *, whole: bool) -> Iterator[str]:
    place, known = explained.place, explained.charges.evidence
    if place is None or (isinstance(known, Pivots | Replays) and not whole):
        return
    if isinstance(known, Pivots):
        yield from _of_plans(explained, known)
    elif isinstance(known, Replays):
        yield from _of_replays(explained, known)
    elif isinstance(known, Readings):
        yield from _of_readings(explained, known)
    elif known is None and charges_requested_end(explained.charges.mechanism):
        yield from _of_requested_end(explained, place)
    else:
        yield from _of_rate(explained, place, known, whole=whole)


def _of_plans(explained: Explanation, known: Pivots) -> Iterator[str]:
    """Yield sentences on the plans of the other jobs with and without the charged one."""
    job, length = explained.job, _taken_for(explained)
    mine = None if known.starts is None else known.starts.of(known.starts.job == job)
    if mine is not None and len(mine.job) > 1:
        yield from _of_starts(explained, mine, length)
    else:
        others, values = int(known.others[job]), (known.with_job[job], known.without_job[job])
        shared = _shared_start(explained, known)
        yield from _of_start(explained, others, values)
        yield from _of_values(explained, values, shared)
        yield from _of_player(explained, shared)
    if known.reserved[job]:
        yield f"Before it started, its reservation had cost others {known.reserved[job]:,.2f} SU."
    if explained.place is not None:
        yield from uncharged_sentences(explained.charges, [explained.place])
    if known.reserve is not None:
        later, price = for_later(explained.charges), known.reserve.price[job]
        assert later is not None
        charge = _sum(later, np.array([] if explained.place is None else [explained.place], int))
        rule = _pivot_rule(explained)
        hours = "held" if rule and rule.duration == "actual" else "requested"
        yield (
            f"In addition, it pays a reserve of {charge:,f} SU for later arrivals: {price:.4f} SU"
            f" for each processor-hour {hours}."
        )
    if not math.isnan(known.error[job]):
        yield f"Over several searches the standard error is {known.error[job]:,.2f} SU."


def _of_starts(explained: Explanation, mine: Starts, length: str) -> Iterator[str]:
    """Yield sentences on the costs of each start of a stopped job to other jobs."""
    others = "the others in the queue"
    if _could_preempt(explained):
        others += ", and those that ran and could be preempted"
    yield (
        f"It started {len(mine.job)} times, and is charged for each by what the best plans found"
        f" were worth to {others}, with it and without it."
    )
    columns = (mine.at, mine.held, mine.others, mine.with_job, mine.without_job)
    for at, held, count, *values in zip(*(column.tolist() for column in columns), strict=True):
        stay = length if math.isnan(held) else f"for {span(held)} until it was stopped"
        yield f"At {moment(explained, at)}, {stay}: {_compared(count, values)}."


def _compared(others: int, values: Sequence[float]) -> str:
    """Return the values compared at one of several starts."""
    if others == 0:
        return "no other job was queued"
    if math.isnan(values[0]):
        return "all others in the queue started"
    with_job, without_job = values
    return f"{with_job:,.2f} and {without_job:,.2f} SU, to {plural(others, 'job')}"


def _of_start(explained: Explanation, others: int, values: Sequence[float]) -> Iterator[str]:
    """Yield a sentence on the queue at the start of a job."""
    queued = f"{plural(others, 'other job')} {'was' if others == 1 else 'were'} queued"
    if others == 0:
        yield "When it started, no other job was queued."
    elif math.isnan(values[0]):
        yield f"When it started, {queued}, and started with it."
    elif _could_preempt(explained):
        yield f"When it started, {queued}, or ran and could be preempted."
    else:
        yield f"When it started, {queued}."


def _shared_start(explained: Explanation, known: Pivots) -> SharedStart | None:
    """Return the start of a job with others of its player; None where it started without them."""
    rule, cost = _pivot_rule(explained), np.nan_to_num(known.without_job - known.with_job)
    if rule is None:
        return None
    run = explained.run
    return shared_starts(run.workload, run.start, cost, rule.players).get(explained.job)


def _of_player(explained: Explanation, shared: SharedStart | None) -> Iterator[str]:
    """Yield that a player's own jobs are in no plan, and which part of several the job pays."""
    rule = _pivot_rule(explained)
    player = players_of(explained.run.workload, rule.players if rule else JOBS)
    if shared:
        yield f"{shared}{', by the processor-seconds requested' * bool(shared.cost)}."
    if rule is not None and player[explained.job] >= 0:
        user = rule.players.removesuffix("s")
        yield f"Other queued jobs of the same {user} are in neither plan."


class SharedStart(NamedTuple):
    """Start of several jobs of one player in the same pass, as one of them is charged for it.

    Attributes
    ----------
    jobs : int
        How many they are.
    player : str
        What a player is, such as ``user``.
    cost : float
        What they cost others together (SU).
    share : float
        The job's share of that, from 0 to 1.
    """

    jobs: int
    player: str
    cost: float
    share: float

    def __str__(self) -> str:
        them = f"{self.jobs:,} jobs of the same {self.player} started together and cost others"
        if f"{self.cost:.2f}" == "0.00":
            return f"{them} nothing"
        return f"{them} {self.cost:,.2f} SU; this one's share is {percent(self.share)}%"


def shared_starts(
    jobs: Workload, start: Floats, cost: Floats, players: str
) -> dict[int, SharedStart]:
    """Return the starts that several of n jobs share, by position of each job.

    Parameters
    ----------
    jobs : Workload
        All that started.
    start : ndarray of float64, shape (n,)
        When (s).
    cost : ndarray of float64, shape (n,)
        What each is taken to cost others (SU), its share.
    players : str
        Kind of players, see `pricing.counterfactual.players_of`.
    """
    player, known = players_of(jobs, players).tolist(), dict[int, SharedStart]()
    for (who, _), together in positions(zip(player, start.tolist(), strict=True)).items():
        if who >= 0 and len(together) > 1:
            parts = shares(jobs.size[together] * jobs.request[together])
            for job, part in zip(together, parts, strict=True):
                whole = cost.item(job) / part if part else 0.0
                known[job] = SharedStart(len(together), players.removesuffix("s"), whole, part)
    return known


def uncharged_sentences(charges: Charges, places: Sequence[int] | None = None) -> Iterator[str]:
    """Yield how much of what others lose by some jobs is not charged, and why; all by default."""
    left_out = uncharged(charges, places)
    brief = f"of jobs that ran for less than {100 * left_out.fair:g}% of their requested time"
    amounts = [(left_out.brief, brief), (left_out.beyond, "beyond all that the jobs were worth")]
    amounts = [(lost, why) for lost, why in amounts if f"{abs(lost):.2f}" != "0.00"]
    if parts := [f"{lost:,.2f} SU {why}" for lost, why in amounts if lost > 0]:
        yield f"Of what others lose by the plans, {' and '.join(parts)} are not charged."
    if parts := [f"{-lost:,.2f} SU {why}" for lost, why in amounts if lost < 0]:
        yield f"Of what others gain by the plans, {' and '.join(parts)} do not lower charges."


def _of_values(
    explained: Explanation, values: Sequence[float], shared: SharedStart | None
) -> Iterator[str]:
    """Yield what plans were worth with the job and without it; as printed, they differ by it."""
    if math.isnan(values[0]):
        return
    length, (with_job, without_job) = _taken_for(explained), values
    if shared:
        without_job = with_job + shared.cost
    worth, more = _apart(explained, with_job, without_job)
    it, starts, runs = ("they", "start", "run") if shared else ("it", "starts", "runs")
    stay = f", and {runs} {length}," if length else ""
    yield (
        f"The best plan found in which {it} {starts}{stay} was worth {worth:,f} SU to"
        f" others, the best without {'them' if shared else it} {more:,f} SU."
    )


def _apart(explained: Explanation, with_job: float, without_job: float) -> tuple[Decimal, Decimal]:
    """Return both values rounded: the difference is the charge as billed where it was before."""
    charges, place = explained.charges, explained.place
    decimals = charges.ledger.decimals
    worth, more = (round(Decimal(value), decimals) for value in (with_job, without_job))
    lost = more - worth if place is None else _for_losses(charges, place)
    near = abs(without_job - with_job - float(lost)) < 10.0**-decimals
    return worth, worth + lost if near else more


def _for_losses(charges: Charges, place: int) -> Decimal:
    return _sum(for_losses(charges), np.array([place]))


def _taken_for(explained: Explanation) -> str:
    """Say for how long the job is taken to run; nothing where the rule does not tell."""
    rule = _pivot_rule(explained)
    if rule is None:
        return ""
    return "for as long as " + ("it did" if rule.duration == "actual" else rule.duration)


def _pivot_rule(explained: Explanation) -> PivotRule | None:
    return MECHANISMS.make(explained.charges.mechanism).pivots


def _could_preempt(explained: Explanation) -> bool:
    return "preemption" in explained.run.record["simulation"]


def _of_replays(explained: Explanation, known: Replays) -> Iterator[str]:
    job = explained.job
    first, *more = range(len(known.seeds))
    window = span(known.end.item(job, first) - known.begin.item(job))
    yield "The log was replayed without it from its submission on,"
    rule = MECHANISMS.make(explained.charges.mechanism).replays
    if rule and rule.literal:
        yield f"and without later arrivals once it had ended, for {window}: LEE's own procedure."
    elif known.recoupled[job, first]:
        yield f"for {window}, until both replays were the same again."
    else:
        yield f"for {window}."
    by_seed = known.with_job_by_seed, known.without_job_by_seed
    worth, without = _apart(explained, *(values.item(job, first) for values in by_seed))
    yield (
        f"The {plural(int(known.count[job, first]), 'other job')} of that time earn"
        f" {worth:,f} SU with it and {without:,f} SU without it."
    )
    if more:
        amounts = ", ".join(f"{each:,.2f}" for each in known.difference[job].tolist())
        mean = f"{known.mean[job]:,.2f} on average"
        yield f"Seed by seed they earn {amounts} SU more without it, {mean}."
    error = known.error.item(job)
    if not known.draws:
        yield "The scheduler is deterministic: there is no standard error."
    elif math.isnan(error):
        yield "One seed: the standard error is not known."
    else:
        yield f"The standard error is {error:,.2f} SU."


def _of_readings(explained: Explanation, known: Readings) -> Iterator[str]:
    """Yield what the job's starts were read to be worth."""
    mine = np.flatnonzero(known.starts.job == explained.job)
    ahead = {float(known.duration[row].mean()) for row in mine.tolist()}
    then = "it was worth then" if ahead == {0.0} else "it would be worth at its end"
    if len(ahead) == 1 and ahead != {0.0}:
        then = f"it would be worth {span(*ahead)} later"
    worth = [
        (moment(explained, known.starts.at.item(row)), f"{known.worth[row]:,.2f} SU")
        for row in mine.tolist()
    ]
    if len(worth) == 1:
        yield (
            f"When it started, at {worth[0][0]}, the scheduler ranked it by what {then}:"
            f" {worth[0][1]}."
        )
    elif worth:
        values = ", ".join(f"{value} at {when}" for when, value in worth)
        yield (
            f"At each of its {len(worth)} starts the scheduler ranked it by what {then}:"
            f" {values}. It pays the highest of these values."
        )


def _of_requested_end(explained: Explanation, place: int) -> Iterator[str]:
    """Yield the sentence on the worth of a job at its requested end, or at its later real one."""
    outcome = explained.charges.outcome
    jobs, last = outcome.workload, outcome.requested_end.item(place)
    requested = outcome.start.item(place) + jobs.request.item(place)
    name = "requested" if last == requested else "real"
    curve = jobs.utility[place]
    if curve is not None:
        worth = curve(last - jobs.submit.item(place))
        when = moment(explained, last)
        yield f"By its curve it is worth {worth:,.2f} SU at its {name} end, {when}."


def _of_rate(
    explained: Explanation, place: int, rounds: Rounds | None, *, whole: bool
) -> Iterator[str]:
    charges = explained.charges
    if rounds is not None:
        count = int(rounds.others[place])
        others = plural(count, "other job") if count else "No other job"
        yield f"{others} of its queue took part in the round in which it started;"
        yield f"it bid {significant(rounds.bid.item(place), 4)} SU per processor-hour."
        setter = int(rounds.setter[place])
        yield (
            "Its bid was the lowest that started, and no other was as low."
            if setter == NOBODY
            else f"Its price is the bid of job {charges.workload.job_name(setter)}."
            if whole
            else "Its price is the bid of another job."
        )
    hours = charges.outcome.useful.hours_of(charges.per).item(place)
    rate = charges.rate.item(place)
    if not math.isnan(rate) and rate:
        # with so many digits, who multiplies the two as printed finds the charge
        decimals = charges.ledger.decimals
        digits = decimals + math.ceil(math.log10(hours + 1)) + 2
        money, asked = (
            round(Decimal(rate * hours), decimals),
            _for_losses(charges, place),
        )
        if abs(money - asked) <= Decimal(1).scaleb(-decimals):
            money = asked
        yield (
            f"{_digits(hours, digits)} {resource_hours(charges.per)} at {_digits(rate, digits)} SU"
            f" each{_rated_label(charges, place)} come to {money:,f} SU."
        )


def _digits(value: float, decimals: int) -> str:
    """Return a number without zeros at its end, of so many decimals at most."""
    return f"{value:,.{decimals}f}".rstrip("0").rstrip(".")


def _rated_label(charges: Charges, place: int) -> str:
    """Return the label of a job that its rate is for, where the rates are not those of queues."""
    by = getattr(MECHANISMS.make(charges.mechanism), "by", "queue")
    labels = charges.workload.labels.of(by)
    return "" if by == "queue" else f" ({labels.title(labels.numbers.item(place))})"


def stop_sentences(charges: Charges, place: int, *, whole: bool = True) -> Iterator[str]:
    """Yield sentences on the stops of a job, their costs, and its payments for other jobs.

    `place` is its place among those that pay; other jobs are named if `whole`.
    """
    shares = charges.shares
    if shares is None:
        return
    assert charges.parts is not None
    work, between = charges.parts.work, charges.parts.displaced
    own = np.flatnonzero(shares.stopped == place)
    if len(own):
        hours, price = shares.hours[own].sum(), exact_sum(work.price[row] for row in own)
        yield (
            f"It {_stopped(charges, shares, own, whole=whole)}: {hours:,.4f} processor-hours of"
            f" lost work and restarts, which cost {price:,f} SU."
        )
        if price:
            yield _paid(charges, shares, own, whole=whole)
        yield from _compensated(charges, shares, own, whole=whole)
    others = np.flatnonzero((work.payer == place) & (shares.stopped != place))
    if work.paid.units[others].any():
        amounts = _amounts_by_job(charges, work, others) if whole else []
        yield f"It pays {_sum(work.paid, others):,f} SU for the losses of others{_listed(amounts)}."
    displaced = np.flatnonzero(between.payer == place)
    if between.paid.units[displaced].any():
        yield _displaced(charges, between, displaced, whole=whole)


def _sum(lines: Ledger, rows: Ints) -> Decimal:
    return amount(int(lines.units[rows].sum()), lines.decimals)


def _listed(names: Sequence[str]) -> str:
    """Return a list behind a colon; nothing where no jobs are named."""
    return f": {few(names)}" if names else ""


def _amounts_by_job(charges: Charges, dues: ExactDues, rows: Ints) -> list[str]:
    """Return payments by job, the largest first."""
    waste = charges.outcome.waste
    assert waste is not None
    lost = Counter[int]()
    for row in rows.tolist():
        lost[int(waste.job[row])] += int(dues.paid.units[row])
    return [
        f"{_numbered(charges, job)} ({amount(paid, dues.paid.decimals):,f})"
        for job, paid in lost.most_common()
    ]


def _compensated(charges: Charges, shares: Shares, own: Ints, *, whole: bool) -> Iterator[str]:
    """Yield sentences on a displaced job's compensation, and on the limits that lower it."""
    assert charges.parts is not None
    dues, only = charges.parts.displaced, shares.rule.receiver == OWNERS_ONLY
    rows = own[dues.receiver[own] != NOBODY].tolist()
    due = {row: dues.price[row] if only else _sum(dues.paid, np.array([row])) for row in rows}
    rows = sorted((row for row in rows if due[row] > 0), key=lambda row: -due[row])
    if not rows:
        return
    received = {row: _sum(dues.received, np.array([row])) for row in rows}
    total = exact_sum(received.values())
    short = exact_sum(due[row] for row in rows) - total
    sentences = [
        f"{_named_payer(charges, int(dues.payer[row]))}"
        f" ({span(shares.waste.lost.item(row))} of work lost, {received[row]:,f}"
        f"{f' of {due[row]:,f}' * bool(short)} SU)"
        for row in rows
    ]
    by = f" by {few(sentences)}" if whole else ""
    yield f"It is compensated with {total:,f} SU for being displaced{by}."
    if short:
        place, left = int(shares.stopped[own[0]]), shares.value_left[rows]
        asked = _sum(charges.asked, np.array([place]))
        rest = "is not charged" if only else "goes to the centre"
        yield (
            f"The other {short:,f} SU {rest}: compensation is at most what the job was still"
            f" worth when it was stopped ({few([f'{value:,.2f}' for value in left.tolist()])} SU)"
            f" and what it pays itself ({asked:,f} SU)."
        )


def _displaced(charges: Charges, dues: ExactDues, rows: Ints, *, whole: bool) -> str:
    """Sentence on the payment of a job for the jobs that it preempted."""
    paid, received = _sum(dues.paid, rows), _sum(dues.received, rows)
    amounts = _listed(_amounts_by_job(charges, dues, rows) if whole else [])
    if received and paid != received:
        return (
            f"It pays {paid:,f} SU for jobs that it displaced, {received:,f} SU to their owners"
            f" and {paid - received:,f} SU to the centre{amounts}."
        )
    whom = "the owners of" if received else "the centre for"
    return f"It pays {paid:,f} SU to {whom} jobs that it displaced{amounts}."


def _named_payer(charges: Charges, place: int) -> str:
    """Return number and user of a job by place among those that pay."""
    jobs = charges.workload
    owner = jobs.labels.in_field("user").title(jobs.user.item(place))
    return f"job {jobs.job_name(place)} of {owner}"


def _stopped(charges: Charges, shares: Shares, own: Ints, *, whole: bool) -> str:
    preempted = own[shares.waste.preempted[own]]
    failures = len(own) - len(preempted)
    sentences = []
    if len(preempted):
        causes = Counter(shares.waste.cause[preempted].tolist())
        named = [f"for {_numbered(charges, job)}" for job in causes if job != NOBODY and whole]
        sentences.append(
            f"was {PREEMPTED} {_times(len(preempted))}{f' ({few(named)})' * bool(named)}"
        )
    if failures:
        sentences.append(f"{'' if sentences else 'was '}stopped by failures {_times(failures)}")
    return " and ".join(sentences)


def _paid(charges: Charges, shares: Shares, own: Ints, *, whole: bool) -> str:
    """Return the sentence on the payers of a job's stops."""
    assert charges.parts is not None
    by, work = Counter[int](), charges.parts.work
    for row in own.tolist():
        if work.paid.units[row]:
            payer = int(work.payer[row])
            mine = whole or payer == shares.stopped[row]
            by[payer if mine else NOBODY] += int(work.paid.units[row])
    place = int(shares.stopped[own[0]])
    names = {place: "it pays", NOBODY: "others pay"}
    job_name = charges.workload.job_name
    sentences = [
        f"{names.get(payer) or f'job {job_name(payer)} pays'}"
        f" {amount(paid, work.paid.decimals):,f} SU"
        for payer, paid in by.most_common()
    ]
    borne = _sum(work.borne, own)
    if not sentences:
        return "The centre bears that."
    rest = f", the centre bears {borne:,f} SU" if borne else ""
    return f"Of that {few(sentences)}{rest}."


def _numbered(charges: Charges, position: int) -> str:
    number = int(charges.outcome.everybody[position])
    return charges.workload.job_names.title(number)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _cut(explained: Explanation, *, whole: bool) -> Iterator[str]:
    place, charges = explained.place, explained.charges
    if place is None:
        return
    worth = charges.outcome.utility.item(place)
    uncut = charges.uncut[place] if len(charges.uncut) else charges.charge[place]
    if uncut > charges.charge[place]:
        yield f"Uncut, the charge would be {uncut:,.2f} SU, more than the job was worth."
    elif charges.workload.utility.defined[place] and uncut > worth:
        yield f"The charge is {uncut - worth:,.2f} SU more than the job was worth when it ended."
    if explained.causes:
        lost = total(explained.causes)
        name = explained.run.workload.job_name
        named = [f"job {name(each.job)} ({loss_text(each)})" for each in explained.causes if whole]
        verb = "gained" if lost < 0 else "lost"
        yield f"The job itself {verb} {abs(lost):,f} SU because of others{_listed(named)}."


def moment(explained: Explanation, seconds: float) -> str:
    """Say when something was: a date if the calendar has one for it, else seconds of the log."""
    date = _date(explained, seconds)
    return f"{date:%Y-%m-%d %H:%M:%S}" if date else f"second {seconds:,.0f} of the log"


def _zone(explained: Explanation, seconds: float) -> str:
    date = _date(explained, seconds)
    return f" ({date.tzinfo})" if date else ""


def _date(explained: Explanation, seconds: float) -> datetime | None:
    clock = calendar_of(explained.run.workload.header)
    try:
        return clock.date(seconds) if clock else None
    except InputError:
        return None

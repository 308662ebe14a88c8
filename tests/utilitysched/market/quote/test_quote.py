"""Quotes beside what becomes of the job, and hand-made moments with known answers."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

import pricing
from swfx import InputError, UtilityFunction
from tests.scale import many
from tests.utilitysched.displaced import MACHINE, TEXT, URGENT, displacing
from tests.utilitysched.market.quote.markets import Market, market
from utilitysched import simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.segments_log import SegmentEntry, waste_of
from utilitysched.market.quote import Offer, Quote, QuotedJob, QuoteTerms, Spread, quote
from utilitysched.market.quote.futures import Displacements
from utilitysched.market.quote.offer import Displaced
from utilitysched.market.quote.quoter import Patience
from utilitysched.model.segments import Stop
from utilitysched.runs.snapshot import (
    FinishedJob,
    PreemptionRecord,
    QueuedJob,
    RunningJob,
    Snapshot,
)
from utilitysched.runs.snapshot.stored import snapshot_of
from utilitysched.runs.stored import StoredRun

MECHANISMS = (
    "single-price",
    "multi-queue",
    "first-price:reading=end",
    "second-price",
    "vcg",
    "vcg:settle=end,reserve=0.4",
    "vcg:duration=expected,reserve=0.4",
)
FAILURES = "nodes=8,mtbf=600,repair=20"
FLAT = UtilityFunction([0, 1000], [10, 10])
FALLING = UtilityFunction([0, 100], [100, 0])
ASKED = QuotedJob(1, 1.0)


def quoted(case: Market, scheduler: str, *, replan: bool = False) -> Quote:
    terms = QuoteTerms(scheduler, MECHANISMS, samples=3, replan=replan)
    return quote(case.snapshot, case.job, terms)


def billed(case: Market, mechanism: str, asked: Counterfactuals) -> float:
    """Return what the last job is charged when all is over (SU).

    By plans as if nobody else were: what others are charged for its victims is not quoted.
    """
    jobs, free = case.workload, (5,) if mechanism.startswith("vcg") else ()
    charges = pricing.charge(
        jobs.replace(status=np.where(np.arange(len(jobs)) < len(jobs) - 1, 5, 1)),
        case.schedule.start,
        case.schedule.end,
        mechanism,
        exclude_statuses=free,
        counterfactual=asked,
        used=case.schedule.running_time,
        waste=waste_of(case.schedule.segments),
    )
    return float(charges.charge[-1])


def offer_of(
    moment: Snapshot, job: QuotedJob, terms: QuoteTerms, curve: UtilityFunction = FALLING
) -> Offer:
    """Return the offer for a job with one utility function."""
    (offer,) = quote(moment, replace(job, curves={"": curve}), terms).offers
    return offer


def exactly(value: float) -> Spread:
    return Spread(value, value, (value,) * 3)


@pytest.mark.parametrize(
    ("scheduler", "replan"),
    [
        ("easy", False),
        ("spf", False),
        ("value-density:duration=predicted", False),
        ("cost-of-delay:duration=expected", False),
        ("value-density:threshold=50", False),
        ("conservative", False),
        ("ga:warm=false,prior=0", True),
    ],
)
def test_where_nothing_is_uncertain_the_bill_is_as_quoted(scheduler: str, replan: bool) -> None:
    rng = Random(7)
    waited = charged = 0
    for _ in range(many(6, least=6)):
        case = market(rng, scheduler)
        offer = quoted(case, scheduler, replan=replan).offers[0]
        start, end = case.schedule.start[-1], case.schedule.end[-1]
        assert offer.now.wait == exactly(start - case.workload.submit[-1])
        assert offer.now.completion == exactly(end)
        assert offer.now.worth == exactly(case.curve(end - case.workload.submit[-1]))
        asked = Counterfactuals.of(case.workload, case.schedule)
        for mechanism in MECHANISMS:
            paid = billed(case, mechanism, asked)
            assert offer.now.charges[mechanism] == exactly(paid), mechanism
        waited += start > case.workload.submit[-1]
        charged += offer.now.charges["vcg"].mean > 0
    assert waited > 0
    assert charged > 0 or scheduler != "spf"


@pytest.mark.parametrize(
    ("scheduler", "preemption", "failures"),
    [
        ("priority-preempt", None, None),
        ("priority-preempt:preemptions=2", "on_demand=5", None),
        ("priority-preempt:preemptions=2", "scratch=true,overhead=0", None),
        ("ga:preempt=true,warm=false,prior=0,generations=3,population=6,lost=0", None, None),
        ("easy", None, FAILURES),
        ("priority-preempt:preemptions=2", "on_demand=5", FAILURES),
    ],
)
def test_where_jobs_are_stopped_the_bill_is_as_quoted(
    scheduler: str, preemption: str | None, failures: str | None
) -> None:
    rng = Random(11)
    waited = again = charged = 0
    for _ in range(many(20)):
        case = market(rng, scheduler, preemption=preemption, failures=failures)
        offer = quoted(case, scheduler).offers[0]
        start, end = case.schedule.start[-1], case.schedule.end[-1]
        assert offer.now.wait == exactly(start - case.workload.submit[-1])
        assert offer.now.completion == exactly(end)
        segments = case.schedule.segments
        assert segments is not None
        if np.count_nonzero(segments.job == len(case.workload) - 1) == 1:  # it loses nothing
            asked = Counterfactuals.of(case.workload, case.schedule)
            for mechanism in MECHANISMS:
                paid = billed(case, mechanism, asked)
                assert offer.now.charges[mechanism].mean == pytest.approx(paid), mechanism
        waited += start > case.workload.submit[-1]
        charged += offer.now.charges["vcg"].mean > 0
        again += np.count_nonzero(segments.end[segments.stop > 0] >= case.snapshot.now)
        again += sum(job.checkpoints.stops for job in case.snapshot.queued if job.checkpoints)
    assert waited > 0
    assert charged > 0 or scheduler == "easy"
    assert again > 0


def test_a_job_that_is_preempted_itself_pays_for_what_was_not_lost() -> None:
    """Processors are free early, at 100 s: it makes way for the urgent one up to 150 s.

    It goes on from where it was, and is killed at its limit, 410 s later: restarts take longer.
    """
    stated = PreemptionRecord(0.0, -1.0)
    held = RunningJob(1, 2, 1000.0, 7, 0.0, priority=4, checkpoints=stated)
    urgent = QueuedJob(2, 0.0, 4, 50.0, FLAT, user=8, priority=0)
    past = [FinishedJob(7, 100.0, 10.0)] * 8 + [FinishedJob(8, 100.0, 100.0)] * 8
    moment = Snapshot(0.0, 4, (held,), (urgent,), tuple(past), preemption="on_demand=10,actual=2")
    terms = QuoteTerms("priority-preempt", ("single-price", "vcg"), samples=3)

    offer = offer_of(moment, QuotedJob(2, 500.0, 8, priority=5), terms)
    now = offer.now

    assert now.wait == exactly(0.0)
    assert now.completion == exactly(150.0 + 410)
    assert now.charges["single-price"].mean == pytest.approx(2 * (100 + 390) / 3600)


def test_a_snapshot_that_does_not_say_what_preemption_means_is_refused() -> None:
    moment = Snapshot(0.0, 4, (RunningJob(1, 4, 30.0, start=-10.0),))
    with pytest.raises(InputError, match="does not say what that would mean"):
        offer_of(moment, QuotedJob(1, 20.0), QuoteTerms("priority-preempt", samples=3), FLAT)


def test_an_empty_machine_starts_the_job_at_once() -> None:
    offer = offer_of(Snapshot(50.0, 4), QuotedJob(2, 3600.0), QuoteTerms("easy", samples=3), FLAT)

    assert offer.now.completion == exactly(3650.0)
    assert offer.now.charges["single-price"] == exactly(2.0)
    assert offer.now.charges["vcg"] == exactly(0.0)
    assert offer.hurry.why == "the job starts at once anyway"


def test_a_full_machine_lets_it_wait_for_the_end_of_what_runs() -> None:
    full = Snapshot(0.0, 4, (RunningJob(1, 4, 30.0, start=-10.0),))
    offer = offer_of(full, QuotedJob(1, 20.0), QuoteTerms("ga", samples=3))

    assert offer.now.wait == exactly(30.0)
    assert offer.now.charges["first-price"] == exactly(50.0)  # worth at its requested end
    assert offer.hurry.factor is None


def test_a_bid_that_has_to_be_above_another() -> None:
    # One processor, free at 10 s. ga reads curves at the start: if the job (10 s) goes first, the
    # other (30 s) loses 10 s of its 0.8 a second; else the job loses 30 s of its own slope.
    other = QueuedJob(2, 0.0, 1, 30.0, UtilityFunction([0, 100], [80, 0]))
    moment = Snapshot(0.0, 1, (RunningJob(1, 1, 10.0, start=-10.0),), (other,))
    terms = QuoteTerms("ga", ("first-price:reading=end", "vcg"), samples=3)

    offer = offer_of(moment, QuotedJob(1, 10.0), terms, UtilityFunction([0, 100], [10, 0]))

    assert offer.now.wait == exactly(40.0)
    assert offer.now.charges["vcg"] == exactly(0.0)
    # 8 / 30 = 0.267 a second is outbid by the first step of 2^(1/8) above 2.67 times 0.1
    assert offer.hurry.factor == 2 ** (12 / 8)
    assert offer.hurry.prospect is not None
    assert offer.hurry.prospect.wait == exactly(10.0)
    assert offer.hurry.prospect.charges["vcg"] == exactly(8.0)
    assert offer.hurry.prospect.charges["first-price:reading=end"].mean == pytest.approx(8 * 2**1.5)


def test_a_job_that_runs_for_long_is_not_done_in_half_the_time() -> None:
    other = QueuedJob(2, 0.0, 1, 30.0, UtilityFunction([0, 100], [80, 0]))
    moment = Snapshot(0.0, 1, (RunningJob(1, 1, 10.0, start=-10.0),), (other,))
    offer = offer_of(moment, QuotedJob(1, 90.0), QuoteTerms("ga", samples=3))

    assert offer.hurry.why == "it would run for more than half of that"


def test_who_does_not_look_at_bids_cannot_be_bought() -> None:
    full = Snapshot(0.0, 4, (RunningJob(1, 4, 3000.0, start=-10.0),), (QueuedJob(2, 0.0, 4, 9e3),))
    offer = offer_of(full, QuotedJob(1, 20.0), QuoteTerms("easy", samples=3))

    assert offer.hurry.why == "the scheduler does not look at bids"


def test_a_job_that_is_not_worth_its_charge_is_told_so() -> None:
    """One processor for an hour, on an empty machine: 0.4 SU of reserve, 1 SU by the hour."""
    mechanisms = ("vcg", "vcg:reserve=0.4", "single-price")
    curves = {
        f"{worth} SU": UtilityFunction([0, 7200], [worth, worth]) for worth in (0.3, 0.4, 1, 0)
    }
    terms = QuoteTerms("easy:reserve=0.35", mechanisms, samples=2)
    made = quote(Snapshot(0.0, 2), QuotedJob(1, 3600.0, curves=curves), terms)

    assert made.reserve == 0.35
    assert [made.below_reserve(offer) for offer in made.offers] == [True, False, False, True]
    assert [offer.refusals for offer in made.offers] == [
        ("vcg:reserve=0.4", "single-price"),
        ("single-price",),
        (),
        (),  # it is not said what the job is worth
    ]


def test_the_same_job_in_the_morning() -> None:
    full = Snapshot(0.0, 4, (RunningJob(1, 4, 30.0, start=-10.0),))
    terms = QuoteTerms("easy", ("first-price:reading=end",), samples=3, later=25.0)
    later = offer_of(full, QuotedJob(1, 20.0), terms).later

    assert later is not None
    assert later.wait == exactly(5.0)
    assert later.completion == exactly(50.0)
    assert later.charges["first-price:reading=end"] == exactly(75.0)


@pytest.mark.parametrize("scheduler", ["easy", "ga", "conservative"])
def test_a_later_time_is_as_if_the_job_came_then(scheduler: str) -> None:
    rng = Random(3)
    for _ in range(many(6)):
        case = market(rng, scheduler)
        later = case.snapshot.now + rng.randint(1, 9) * 10
        terms = QuoteTerms(scheduler, ("single-price",), samples=3, later=later)
        offer = quote(case.snapshot, case.job, terms).offers[0]
        assert offer.later is not None
        assert offer.later.completion.mean >= later + case.job.request
        assert offer.later.wait.mean <= offer.now.completion.mean + 2000


def test_ratios_of_the_past_are_the_quantiles() -> None:
    ended = tuple(FinishedJob(1, 100.0, 10.0 * run) for run in range(1, 11))
    moment = Snapshot(0.0, 4, finished=ended)
    terms = QuoteTerms("easy", ("single-price",), samples=10)
    offer = offer_of(moment, QuotedJob(1, 200.0, user=1), terms, FLAT)

    assert offer.now.turnaround.quantiles == (20.0, 100.0, 180.0)
    assert offer.now.turnaround.mean == 110.0


def test_what_is_paid_to_the_displaced_is_what_the_run_says() -> None:
    jobs = displacing()
    schedule = simulate(jobs, TEXT, machine_size=MACHINE)
    provenance = {"simulation": schedule.provenance}
    run = StoredRun(jobs, schedule.start, schedule.end, provenance, schedule.segments)
    moment = snapshot_of(run, 50.0).without([int(jobs.job_id[URGENT])])
    curve = jobs.utility[URGENT]
    assert curve is not None
    assert schedule.segments is not None
    assert schedule.segments.value_lost is not None

    job = QuotedJob(MACHINE, 100.0, curves={"": curve})
    terms = QuoteTerms(mechanisms=("first-price:reading=end",), samples=3)
    (offer,) = quote(moment, job, terms).offers

    paid = float(schedule.segments.value_lost.sum())
    assert paid > 0
    assert offer.now.wait == exactly(0.0)
    assert offer.now.displaced == Displaced(0.0, 0.0, exactly(0.0), exactly(paid))


def test_compensation_is_at_most_what_the_job_is_still_worth() -> None:
    """Job 3 loses 10 SU in 100 s; it is stopped at 20 and 30 s for 5 SU each, and in a hole."""
    times = (0.0, 0.0, 0.0)  # of no matter here
    stops = [
        SegmentEntry(3, 0.0, end, *times, Stop.PREEMPTED, 7, value_lost=price)
        for end, price in ((20.0, 5.0), (25.0, 0.0), (30.0, 5.0))
    ]

    found = Displacements.of([stops, []], 3, UtilityFunction([0, 100], [10, 0]))
    for_other = Displacements.of([stops, []], 7, FLAT)

    assert [each.tolist() for each in found] == [[3, 0], [7, 0], [0, 0]]
    assert [each.tolist() for each in for_other] == [[0, 0], [0, 0], [10, 0]]


def test_a_rerunnable_job_starts_in_a_hole_and_may_be_killed() -> None:
    ended = tuple(FinishedJob(7, 40.0, run, 1, 0.0) for run in [1.0] * 5 + [40.0] * 5)
    moment = Snapshot(
        2.0,
        4,
        running=(RunningJob(1, 3, 10.0, start=0.0),),
        queued=(QueuedJob(2, 1.0, 4, 50.0),),
        finished=ended,
        preemption="default",
    )
    terms = QuoteTerms("easy:holes=true", ("first-price:reading=end",), samples=10)
    offer = offer_of(moment, QuotedJob(1, 40.0), terms)

    assert offer.now.wait.quantiles[0] > 0
    assert offer.rerunnable is not None
    assert offer.rerunnable.wait.quantiles == (0.0, 0.0, 0.0)
    assert offer.rerunnable.turnaround.quantiles[0] == 1.0
    assert offer.rerunnable.displaced == Displaced(0.5, 0.5, exactly(0.0), exactly(0.0))


def test_the_same_seed_the_same_quote() -> None:
    case = market(Random(5), "easy", exact=False)
    terms = [QuoteTerms("ga", samples=9, seed=seed) for seed in (1, 1, 2)]
    first, second, other = (quote(case.snapshot, case.job, each).offers for each in terms)

    assert first == second
    assert first != other


def test_schedulers_that_replan_see_the_same_future_where_nothing_is_uncertain() -> None:
    rng = Random(11)
    for _ in range(many(3)):
        case = market(rng, "ga")
        followed, searched = (quoted(case, "ga", replan=each).offers[0] for each in (False, True))
        assert followed.now.completion.mean > 0
        assert searched.now.completion.quantiles[0] == searched.now.completion.mean


@pytest.mark.parametrize("scheduler", ["easy", "conservative"])
def test_what_the_user_starts_with_the_job_is_quoted_with_it(scheduler: str) -> None:
    """Two jobs of a user start beside a rival's, which then waits 10 s and loses 150 SU."""
    rival = UtilityFunction([0, 10, 20], [150, 150, 0])
    waiting = QueuedJob(1, 0.0, 1, 10.0, FALLING, 1), QueuedJob(2, 0.0, 2, 10.0, rival, 2)
    moment = Snapshot(0.0, 2, queued=waiting)
    by_user, alone = "vcg", "vcg:players=jobs"

    for user, charge in ((1, 75.0), (3, 0.0)):
        terms = QuoteTerms(scheduler, (by_user, alone), samples=3)
        found = offer_of(moment, QuotedJob(1, 10.0, user=user), terms).now

        assert found.wait == exactly(0.0)
        assert found.charges[by_user] == exactly(charge)
        assert found.charges[alone] == exactly(0.0)


@pytest.mark.parametrize(
    ("job", "terms", "message"),
    [
        (QuotedJob(5, 1.0), QuoteTerms("easy"), "field processors: 5 is not from 1 to 4"),
        (QuotedJob(1, -1.0), QuoteTerms("easy"), "field request: -1 s"),
        (ASKED, QuoteTerms(), "the snapshot does not say who decides"),
        (ASKED, QuoteTerms("easy", samples=0), "field samples: 0 samples"),
        (ASKED, QuoteTerms("easy", quantiles=(2.0,)), "field quantiles: 2 is no share of 1"),
        (ASKED, QuoteTerms("easy", later=0.0), "field later: 0 is not after the moment"),
        (ASKED, QuoteTerms("easy", ("vcg:method=replay",)), "nothing has happened yet"),
        (ASKED, QuoteTerms("easy", ("vcg:reservations=true",)), "field reservations: what a"),
        (
            ASKED,
            QuoteTerms("easy", ("vcg:players=accounts",)),
            "field players: moments do not say to which accounts",
        ),
        (ASKED, QuoteTerms("ga:preempt=true"), "field scheduler: ga:preempt=true preempts"),
        (ASKED, QuoteTerms("priority-preempt"), "field scheduler: priority-preempt preempts"),
    ],
)
def test_refusals(job: QuotedJob, terms: QuoteTerms, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        quote(Snapshot(0.0, 4), replace(job, curves={"": FLAT}), terms)
    assert message in str(refusal.value)


def test_a_quote_that_takes_longer_than_its_limit_is_refused() -> None:
    full = Snapshot(0.0, 4, (RunningJob(1, 4, 30.0, start=-10.0),))
    with pytest.raises(InputError, match=r"sample.* of 30 took 0 s, and the limit is 0 s"):
        offer_of(full, QuotedJob(1, 20.0), QuoteTerms("easy", limit=1e-9))


def test_plans_of_a_long_queue_are_not_searched_for_within_a_short_limit() -> None:
    """The job starts at once, as one of 5,000: charges by vcg would take four minutes."""
    waiting = tuple(QueuedJob(number, 0.0, 4, 100.0, FALLING) for number in range(2, 5_000))
    moment = Snapshot(0.0, 4, (), waiting)
    terms = QuoteTerms("ga", ("single-price", "vcg"), samples=1)
    with pytest.raises(InputError, match=r"vcg with 4,999 queued, would take about 4 min"):
        offer_of(moment, QuotedJob(4, 10.0), terms, UtilityFunction([0, 1000], [1e6, 0]))


@pytest.mark.parametrize(
    ("lasts", "refused"),
    [([50, 40, 1, 1, 1], False), ([20, 20, 19], True), ([130], True)],
)
def test_a_scenario_that_would_take_too_long_is_refused_once_that_is_known(
    lasts: list[float], refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first samples load code: only the shortest of three tells how long the others take."""
    clock = iter(np.repeat(np.cumsum([0, *lasts]), [1, *[2] * len(lasts)]).tolist())
    monkeypatch.setattr("utilitysched.market.quote.quoter.working_time", lambda: next(clock))
    patience = Patience(120.0, 30, 1, lambda _: None)

    def count() -> None:
        for _ in lasts:
            patience.count()

    if refused:
        with pytest.raises(InputError, match="and the limit is 2 min"):
            count()
    else:
        count()

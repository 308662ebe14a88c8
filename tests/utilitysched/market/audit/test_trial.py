"""What lies bring: against whole simulations, and where it is known by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from checkpoint.failures import Outages
from pricing import charge
from pricing.mechanisms.vcg import Vcg
from pricing.pivots import run_shares
from swfx import UtilityFunction, UtilityTable, Workload
from tests.scale import enough, many
from tests.utilitysched.market.audit.markets import (
    PROCESSORS,
    checkpointing,
    crowd,
    scenario_of,
)
from utilitysched import Schedule, make_scheduler, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.conditions import Failures
from utilitysched.engine.segments_log import waste_of
from utilitysched.market.audit import Design
from utilitysched.market.audit.reported import ReportedJobs, tell
from utilitysched.market.audit.scenario import AuditScenario
from utilitysched.market.audit.trajectory import Branch
from utilitysched.market.audit.trial import Auditor, Case
from utilitysched.model.segments import Stop

FOR_EVER = Design(horizon="recoupled", draws=1)
BY_JOB = ("single-price", "first-price:reading=end", "second-price")
SCHEDULERS = ("easy", "value-density", "value-density:placement=conservative")


FAILING = Failures.from_text(f"nodes={PROCESSORS},mtbf=400,repair=6", 5).between(0, 9_000)
FEW = replace(FOR_EVER, lies=("scale:factor=0.1", "scale:factor=10", "request", "split", "delay"))
STOPPING: tuple[dict[str, Any], ...] = (
    {"scheduler": "priority-preempt"},
    {"scheduler": "priority-preempt:preemptions=3", "preemption": "actual=2,overrun=run"},
    {"scheduler": "value-density", "failures": FAILING},
    {"scheduler": "priority-preempt", "preemption": "scratch=true", "failures": FAILING},
    {"scheduler": "value-density:holes=true,restarts=true"},
)


def served(jobs: Workload, scenario: AuditScenario) -> Schedule:
    return simulate(
        jobs,
        scenario.scheduler,
        machine_size=PROCESSORS,
        seed=5,
        preemption=scenario.preemption,
        failures=scenario.failures,
        machine=scenario.machine,
    )


def left_to(scenario: AuditScenario, job: int, lie: str | None) -> NDArray[np.float64]:
    """What the job's user is left with in a simulation of the whole log, from the definition.

    By mechanism.
    """
    jobs = scenario.workload
    lies = {job: Design(lies=(lie,)).told[0]} if lie else {}
    told = tell(jobs, lies, None, scenario.processors_for(job))
    schedule = served(told.workload, scenario)
    start, end = schedule.start, schedule.end
    mine = jobs.user[told.owner] == jobs.user[job]
    cut = schedule.cut_short(told.workload)
    whole = told.complete & ~ruined(told, jobs, schedule) & ~cut
    total = 0.0
    for one in np.flatnonzero(jobs.user == jobs.user[job]).tolist():
        parts, curve = (told.owner == one) & ~told.decoy, jobs.utility[one]
        if curve is not None and whole[parts].all():
            total += curve(end[parts].max() - jobs.submit[one])
    asked = Counterfactuals.of(told.workload, schedule, failures=scenario.failures)
    waste = waste_of(schedule.segments)
    left = []
    for mechanism in scenario.mechanisms:
        charged = charge(
            told.workload,
            start,
            end,
            mechanism,
            counterfactual=asked,
            used=schedule.running_time,
            waste=waste,
            cut_short=cut,
        ).charge
        left.append(total - math.fsum(charged[mine]))
    return np.array(left)


def ruined(told: ReportedJobs, jobs: Workload, schedule: Schedule) -> NDArray[np.bool_]:
    """Return which jobs were killed for others, and cannot be run again though they say so."""
    ran = schedule.segments
    if ran is None:
        return np.zeros(len(told.owner), np.bool_)
    killed = np.isin(np.arange(len(told.owner)), ran.job[ran.stop == Stop.PREEMPTED])
    false = told.workload.rerunnable & ~jobs.rerunnable[told.owner]
    return np.asarray(killed & false)


def compared_with_whole_simulations(
    scenario: AuditScenario, design: Design, jobs: Sequence[int]
) -> int:
    """Hold the gains of some jobs against `left_to`, and return how many are not 0."""
    changed = 0
    auditor = Auditor(scenario, design)
    for job in jobs:
        honest = left_to(scenario, job, None)
        gains = np.array([left_to(scenario, job, lie) - honest for lie in design.lies]).T
        assert auditor.trial(job).scored == pytest.approx(gains, abs=1e-6)
        changed += np.count_nonzero(gains)
    return changed


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_gains_are_those_of_whole_simulations(scheduler: str) -> None:
    changed = 0
    for seed in range(many(1)):
        scenario = scenario_of(crowd(seed), scheduler, *BY_JOB)
        changed += compared_with_whole_simulations(scenario, FOR_EVER, (3, 17))
    assert changed > enough(15)


def test_where_jobs_are_stopped_gains_are_those_of_whole_simulations() -> None:
    """Who pays for lost work is part of what a user is left with."""
    mechanisms = (
        *BY_JOB,
        "first-price:reading=end,lost=preempted",
        "first-price:reading=end,lost=preemptor",
    )
    changed = stopped = 0
    for seed, asked in enumerate(STOPPING * many(1)):
        scenario = scenario_of(
            checkpointing(crowd(seed), seed), asked["scheduler"], *mechanisms, **but(asked)
        )
        segments = served(scenario.workload, scenario).segments
        assert segments is not None
        stopped += np.count_nonzero(segments.stop)
        changed += compared_with_whole_simulations(scenario, FEW, (17,))
    assert changed > enough(5)
    assert stopped > enough(15)


def test_whom_a_restart_cuts_short_is_worth_nothing_to_its_user() -> None:
    cut = changed = 0
    for seed in range(many(2)):
        scenario = scenario_of(
            checkpointing(crowd(seed), seed),
            *("value-density", "single-price", "first-price:reading=end"),
            preemption="actual=9",
            failures=FAILING,
        )
        jobs = scenario.workload
        short = np.flatnonzero(served(jobs, scenario).cut_short(jobs))
        cut += len(short)
        changed += compared_with_whole_simulations(scenario, FEW, short[:2].tolist())
    assert cut > enough(3)
    assert changed > enough(3)


def test_who_is_said_to_be_rerunnable_is_killed_and_paid_as_in_a_whole_simulation() -> None:
    lies = ("scale:factor=10", "rerunnable", "rerunnable:says=yes")
    mechanisms = ("single-price", "single-price:rate=0", "first-price:reading=end,displaced=centre")
    changed = ruins = 0
    for seed in range(many(3)):
        jobs = crowd(seed, jobs=60)
        jobs = jobs.replace(rerunnable=np.arange(len(jobs)) % 2)
        scenario = scenario_of(jobs, "value-density:holes=true,restarts=true", *mechanisms)
        asked = replace(FOR_EVER, lies=lies)
        changed += compared_with_whole_simulations(scenario, asked, (30, 41))
        for job in range(20, 60, 2):
            told = tell(jobs, {job: asked.told[2]}, None)
            ruins += np.count_nonzero(ruined(told, jobs, served(told.workload, scenario)))
    assert changed > enough(6)
    assert ruins > enough(2)


def test_added_jobs_bring_what_they_do_in_whole_simulations() -> None:
    lies = ("worthless-rerunnable:jobs=3,lasts=60", "shill:request=2min", "split:gap=1")
    changed = 0
    for seed, scheduler in enumerate((*SCHEDULERS, "value-density:holes=true,restarts=true")):
        jobs = crowd(seed).replace(rerunnable=np.ones(40))
        scenario = scenario_of(jobs, scheduler, *BY_JOB)
        changed += compared_with_whole_simulations(scenario, replace(FOR_EVER, lies=lies), (3, 17))
    assert changed > enough(20)


@pytest.mark.parametrize("scheduler", ["value-density", "value-density:holes=true,restarts=true"])
def test_added_jobs_change_others_as_in_whole_simulations(scheduler: str) -> None:
    mechanisms = ("first-price:reading=end", "vcg", "vcg:method=replay")
    jobs = crowd(3, jobs=24).replace(rerunnable=np.ones(24))
    scenario = scenario_of(jobs, scheduler, *mechanisms)
    design = replace(FOR_EVER, lies=("shill:request=2min,jobs=1", "scale"))
    job = 8

    trial = Auditor(scenario, design).trial(job)

    known = [others(scenario, job, lie) for lie in (None, *design.lies)]
    assert trial.others[:3] == pytest.approx(np.transpose(known), abs=1e-6)
    assert np.isnan(trial.others[3]).all()  # replays charge users as a whole
    assert len(set(trial.others[2].tolist())) == 3


def others(scenario: AuditScenario, job: int, lie: str | None) -> list[float]:
    """What the jobs of others are worth, and pay, from the submission of a job on."""
    jobs = scenario.workload
    lies = {job: Design(lies=(lie,)).told[0]} if lie else {}
    told = tell(jobs, lies, None, PROCESSORS)
    schedule = served(told.workload, scenario)
    before = jobs.submit[told.owner] < jobs.submit[job]
    if schedule.segments is None:
        gone = before & (schedule.start < jobs.submit[job])
    else:
        gone = before & (schedule.end < jobs.submit[job])
    rest = ~gone & (jobs.user[told.owner] != jobs.user[job])
    value = told.workload.utility.evaluate(schedule.turnaround(told.workload))
    if lie == "scale":
        assert (told.owner[rest] != job).all()
    first = charge(
        told.workload,
        schedule.start,
        schedule.end,
        scenario.mechanisms[0],
        used=schedule.running_time,
        waste=waste_of(schedule.segments),
    ).charge[rest]
    # what victims lose is added up over the starts since the submission alone
    brief = np.flatnonzero(run_shares(told.workload, schedule.end) < Vcg().fair)
    losses = Counterfactuals.of(told.workload, schedule).pivots(players="users").losses
    since = losses.of(losses.time >= jobs.submit[job])
    lost = since.settled(np.flatnonzero(rest), brief).by_cause(len(told.workload))
    planned = np.maximum(lost, 0.0)[rest]
    return [math.fsum(value[rest]), math.fsum(first), math.fsum(planned)]


def test_only_lies_that_add_jobs_ask_about_others() -> None:
    scenario = scenario_of(crowd(3), "easy", "first-price:reading=end")

    assert np.isnan(Auditor(scenario, FEW).trial(8).others).all()


@pytest.mark.parametrize(
    "asked",
    [
        {"scheduler": "value-density:duration=expected"},
        {"scheduler": "value-density:duration=requested", "failures": FAILING},
        {"scheduler": "value-density:holes=true,restarts=true"},
    ],
)
def test_what_is_read_is_charged_as_in_a_whole_simulation(asked: dict[str, Any]) -> None:
    mechanisms = "first-price:reading=scheduler", "second-price:reading=scheduler"
    design = replace(FOR_EVER, lies=("scale:factor=10", "cliff", "split", "delay"))
    changed = 0
    for seed in range(many(1)):
        jobs = checkpointing(crowd(seed), seed).replace(rerunnable=np.arange(40) % 2)
        scenario = scenario_of(jobs, asked["scheduler"], *mechanisms, **but(asked))
        changed += compared_with_whole_simulations(scenario, design, (17,))
    assert changed > enough(3)


def but(asked: dict[str, Any]) -> dict[str, Any]:
    """Return all but the scheduler."""
    return {name: value for name, value in asked.items() if name != "scheduler"}


@pytest.mark.parametrize(
    ("asked", "mechanism"),
    [*zip(STOPPING, ["vcg", "vcg:settle=end,reserve=0.3,lost=preemptor"] * 3, strict=False)],
)
def test_where_jobs_are_stopped_plans_charge_as_in_a_bill(
    asked: dict[str, Any], mechanism: str
) -> None:
    jobs = crowd(9, jobs=24, users=1)
    alone = checkpointing(jobs.replace(user=np.arange(len(jobs))), 9)
    lies = tuple(lie for lie in FEW.lies if lie != "split")  # parts are not charged for others
    scenario = scenario_of(alone, asked["scheduler"], mechanism, **but(asked))
    assert compared_with_whole_simulations(scenario, replace(FOR_EVER, lies=lies), (16,)) > 0


@pytest.mark.parametrize("asked", [*STOPPING, *({"scheduler": each} for each in SCHEDULERS)])
def test_replays_charge_what_the_others_lose_through_all_jobs_of_a_user(
    asked: dict[str, Any],
) -> None:
    jobs = checkpointing(crowd(8), 8)
    scenario = scenario_of(jobs, asked["scheduler"], "vcg:method=replay", **but(asked))
    own = jobs.user == jobs.user[0]
    case = Case(scenario, scenario.beginning(), 0, math.inf)

    account = case.account(case.truth(None)[0], None)

    alone = jobs[~own]
    without = alone.utility.evaluate(served(alone, scenario).turnaround(alone))
    value = jobs.utility.evaluate(served(jobs, scenario).turnaround(jobs))
    assert own.sum() > 3
    assert account.value == pytest.approx(math.fsum(value[own]))
    assert account.charge.item() == pytest.approx(math.fsum(without) - math.fsum(value[~own]))
    assert account.charge.item() != 0


@pytest.mark.parametrize("scheduler", ["easy", "saf", "conservative"])
def test_value_lies_to_schedulers_that_do_not_look_bring_exactly_nothing(scheduler: str) -> None:
    scenario = scenario_of(
        crowd(4),
        scheduler,
        "single-price",
        "vcg:settle=end",
        "vcg:method=replay",
        "first-price:reading=end",
    )
    design = Design()
    auditor = Auditor(scenario, design)
    about_value = [lie.about_value for lie in design.told]

    found = [auditor.trial(job) for job in (15, 26)]

    for trial in found:
        assert (trial.scored[:3, about_value] == 0).all()
        assert (trial.placebo == 0).all()
    assert any((trial.scored[3] != 0).any() for trial in found)
    assert any((trial.scored[0] != 0).any() for trial in found)  # other lies may bring something


def test_under_first_price_who_says_a_tenth_pays_a_tenth() -> None:
    scenario = scenario_of(crowd(5), "easy", "first-price:reading=end")
    design = Design(lies=("scale:factor=0.1", "scale:factor=0.5", "scale:factor=10"))

    auditor = Auditor(scenario, design)
    trials = [auditor.trial(job) for job in range(0, 40, 4)]

    assert sum(trial.value > 0 for trial in trials) > 3
    for trial in trials:
        assert trial.scored[0] == pytest.approx(np.array([0.9, 0.5, -9.0]) * trial.value)


def three() -> Workload:
    """One processor is taken for 10 s; then jobs of 10 s begin, whose values fall by the second."""
    return Workload.from_columns(
        submit=[0, 1, 1, 1],
        run=[10] * 4,
        requested_time=[10] * 4,
        processors=[1] * 4,
        user=[0, 1, 2, 3],
        utility=UtilityTable.from_functions(
            [UtilityFunction([0, 100], [worth, 0]) for worth in (1, 200, 300, 400)]
        ),
    )


def test_the_best_lie_under_first_price_is_known() -> None:
    # 400, 300 and 200 end 19, 29 and 39 s after their submission, with 81, 71 and 61% left
    scenario = scenario_of(
        three(), "value-density:placement=none", "first-price:reading=end", processors=1
    )
    scales = ("scale:factor=0.1", "scale:factor=0.7", "scale:factor=2")
    auditor = Auditor(scenario, Design(lies=scales))

    last, middle, first = (auditor.trial(job).scored[0] for job in (1, 2, 3))

    assert last == pytest.approx([0.9 * 122, 0.3 * 122, -200 * 0.81])
    assert middle == pytest.approx([0.9 * 183, 0.3 * 213, -300 * 0.81])
    assert first == pytest.approx([0.9 * 244, 0.3 * 284, -400 * 0.81])


def test_where_the_best_schedule_is_found_no_scale_beats_the_truth_under_vcg() -> None:
    # by value per processor-second is best for jobs of one length whose values fall alike
    rng = np.random.default_rng(3)
    scales = tuple(f"scale:factor={factor}" for factor in (0.1, 0.3, 0.5, 0.8, 1.5, 2, 10))
    lost = 0
    for _ in range(many(5)):
        worth = rng.permutation(np.arange(50, 400, 50))
        curves = [UtilityFunction([0, 1000], [value, 0]) for value in worth]
        jobs = Workload.from_columns(
            submit=[0, *[1] * 6],
            run=[10] * 7,
            requested_time=[10] * 7,
            processors=[1] * 7,
            user=np.arange(7),
            utility=UtilityTable.from_functions(curves),
        )
        scenario = scenario_of(
            jobs, "value-density:placement=none", "vcg:method=replay", "vcg", processors=1
        )
        auditor = Auditor(scenario, Design(lies=scales))
        gains = np.array([auditor.trial(job).scored for job in range(1, 7)])
        assert (gains[:, 0] < 1e-9).all()
        lost += int((gains[:, 0] < -1e-9).sum())
    assert lost > enough(20)


@pytest.mark.parametrize(
    ("scheduler", "mechanisms", "failures"),
    [
        ("ga:generations=2,population=4", ("first-price:reading=end", "vcg"), None),
        ("value-density", ("first-price:reading=end", "vcg"), None),
        ("ga:preempt=true,generations=2,population=4", ("first-price:reading=end",), None),
        ("ga:preempt=true,generations=2,population=4,damping=airline", ("vcg",), FAILING),
        ("priority-preempt", ("first-price:reading=end",), FAILING),
    ],
)
def test_courses_that_meet_the_truth_go_on_as_it_does(
    scheduler: str, mechanisms: tuple[str, ...], failures: Outages | None
) -> None:
    stops = make_scheduler(scheduler).preempts
    jobs = checkpointing(crowd(6, jobs=20), 6) if stops else crowd(6, jobs=30)
    scenario = scenario_of(jobs, scheduler, *mechanisms, failures=failures)
    design = replace(FEW, lies=("scale", "request")) if stops else Design()
    met = goes_on_as_the_truth(scenario, (5, 12, 17) if stops else (13, 21), design)
    assert met > (0 if stops else 5)


def goes_on_as_the_truth(scenario: AuditScenario, jobs: tuple[int, ...], design: Design) -> int:
    """Compare courses with such as are followed to the end; return how many are as the truth."""
    baseline = scenario.beginning()
    met = 0
    for job in jobs:
        baseline.advance(scenario.workload.submit.item(job))
        case = Case(scenario, baseline, job, math.inf)
        for seed in (None, 17) if scenario.draws else (None,):
            known = case.truth(seed)
            for lie in design.told:
                told = case.told(lie)
                expected = Branch(scenario, baseline, told, seed).follow(math.inf)
                course = case.lied(told, seed, known)
                assert np.array_equal(course.start, expected.start)
                assert np.array_equal(course.end, expected.end)
                charge = course.charge(case.jobs, 0.1)
                assert np.array_equal(charge, expected.charge(case.jobs, 0.1))
                assert course.entries == expected.entries
                met += np.array_equal(course.start, known[0].start)
    return met


def test_the_truth_told_as_a_lie_brings_exactly_nothing() -> None:
    scenario = scenario_of(
        crowd(7), "ga:generations=4,population=6", *BY_JOB, "vcg", "vcg:method=replay"
    )
    auditor = Auditor(scenario, Design(lies=("scale:factor=1", "later:factor=1"), draws=2))

    for job in (10, 30):
        trial = auditor.trial(job)
        assert (trial.chosen == 0).all()
        assert (trial.scored == 0).all()


def test_the_placebo_is_the_truth_on_other_seeds() -> None:
    scenario = scenario_of(crowd(7), "ga:generations=1,population=2", "single-price")
    auditor = Auditor(scenario, Design(lies=("scale",), draws=1))
    other = Auditor(replace(scenario), Design(lies=("scale",), draws=1))
    other.seeds = auditor.seeds._replace(
        choosing=auditor.seeds.scoring, scoring=auditor.seeds.choosing
    )

    found = np.array([auditor.trial(job).placebo for job in range(0, 40, 8)])
    reverse = np.array([other.trial(job).placebo for job in range(0, 40, 8)])

    assert found.any()
    assert found == pytest.approx(-reverse)


def test_a_killed_job_is_worth_nothing_and_pays() -> None:
    scenario = scenario_of(three(), "easy", "single-price", "first-price:reading=end", processors=1)
    auditor = Auditor(scenario, Design(lies=("request:factor=0.5",)))

    single, first = auditor.trial(1).scored[:, 0]

    # it runs 5 s in place of 10, and ends 5 s earlier: at 14 s after its submission, not at 19
    assert single == pytest.approx(-200 * 0.81 + 5 / 3600)
    assert first == pytest.approx(-200 * 0.86)


def test_earlier_jobs_may_be_tried_again() -> None:
    scenario = scenario_of(crowd(5), "easy", "first-price:reading=end")
    auditor = Auditor(scenario, Design(lies=("split", "delay:by=10")))

    first = auditor.trial(10).scored
    auditor.trial(30)

    assert np.array_equal(auditor.trial(10).scored, first)


def test_a_window_closes_at_the_horizon() -> None:
    scenario = scenario_of(three(), "easy", "single-price", processors=1)
    case = Case(scenario, scenario.beginning(), 0, 15.0)

    course, _ = case.truth(None)
    others = Case(scenario, scenario.beginning(), 1, 15.0)

    assert case.account(course, None).value == pytest.approx(0.9)
    # of the others the first starts at 10 s; the next two count as if they started at 15 s
    assert np.isnan(course.start).tolist() == [False, False, True, True]
    assert others.account(course, None).value == pytest.approx(200 * 0.81)
    assert Case(scenario, scenario.beginning(), 3, 15.0).account(
        course, None
    ).value == pytest.approx(400 * 0.76)

"""Schedulers that rank jobs by what first price charges: no cliff, and nobody overcharged."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import pricing
import swfx
from swfx import InputError, UtilityFunction, UtilityTable, Workload
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from tests.scale import many
from tests.utilitysched.market.audit.markets import PROCESSORS, crowd
from utilitysched import Schedule, as_billed_by, simulate
from utilitysched.market.audit import AuditSubject, Design, audit
from utilitysched.market.audit.summary import by_lie
from utilitysched.runs.steps import transforming
from utilitysched.schedulers.billed import ranked_as_billed, spelt_out

CLOSED = (
    "value",
    "value-density",
    "value-and-delay",
    "cost-of-delay",
    "first-reward",
    "apparent-tardiness-cost",
    "projected-value-remaining",
    "index",
    "ga:population=6,generations=3",
    "climb",
    "easy:backfill=value-density",
)
"""Schedulers under which a curve that ends before the requested end is worth nothing."""

CELLS = (
    ("SDSC-SP2-1998-4.2-cln", 30_000, 31_500, 0.90),
    ("SDSC-BLUE-2000-4.2-cln", 5_000, 6_500, 0.90),
    ("KTH-SP2-1996-2.1-cln", 10_000, 11_500, 0.95),
)
"""Log, first and last job, and load."""


def charged(jobs: Workload, schedule: Schedule) -> pricing.Charges:
    return pricing.charge(jobs, schedule.start, schedule.end)


def told(jobs: Workload, liar: int, factor: float, at: float) -> Workload:
    """A job reports its first value, multiplied, until a turnaround time, and nothing after it."""
    curves = list(jobs.utility)
    value = factor * float(jobs.utility.start_values[liar])
    curves[liar] = UtilityFunction([0, at * 0.999, at], [value, value, 0])
    return jobs.replace(utility=UtilityTable.from_functions(curves))


@pytest.mark.parametrize(
    ("scheduler", "mechanism", "ranked"),
    [
        ("value-density", "first-price", "value-density:duration=requested"),
        ("value-density", "second-price", "value-density:duration=requested"),
        (
            "first-reward:alpha=0.3",
            "first-price",
            "first-reward:alpha=0.3,duration=requested",
        ),
        ("value-density:duration=zero", "first-price", "value-density:duration=zero"),
        ("value-density:duration=fraction", "first-price", "value-density:duration=fraction"),
        ("ga:preset=checkpoints", "first-price", "ga:preset=checkpoints"),
        ("value-density", "first-price:reading=scheduler", "value-density"),
        ("value-density", "first-price:reading=end", "value-density"),
        ("value-density", "vcg", "value-density"),
        ("value-density", "single-price", "value-density"),
        ("easy", "first-price", "easy"),
        ("ga:weights=utility:0+wait:1", "first-price", "ga:weights=utility:0+wait:1"),
        ("offline", "first-price", "offline"),
    ],
)
def test_schedulers_rank_by_what_is_charged_unless_they_say_otherwise(
    scheduler: str, mechanism: str, ranked: str
) -> None:
    assert as_billed_by(scheduler, [mechanism]) == ranked
    assert as_billed_by(ranked, [mechanism]) == ranked


def test_one_mechanism_of_several_is_enough() -> None:
    assert as_billed_by("ga", ["vcg", "first-price"]) == "ga:duration=requested"
    assert as_billed_by("ga", []) == "ga"


def test_what_is_changed_is_said() -> None:
    lines: list[str] = []

    ranked_as_billed("ga", ["vcg", "first-price"], lines.append)
    ranked_as_billed("easy", ["first-price"], lines.append)

    assert lines == ["ga ranks jobs by what first-price charges: ga:duration=requested"]


def test_a_scheduler_that_is_not_known_is_refused() -> None:
    with pytest.raises(InputError, match="unknown scheduler 'fist'"):
        as_billed_by("fist", [])


def test_a_label_is_spelt_out_where_it_would_be_taken_otherwise() -> None:
    assert spelt_out("value-density", ["first-price"]) == "value-density:duration=zero"
    assert spelt_out("value-density", []) == "value-density"
    assert spelt_out("easy", ["first-price"]) == "easy"


@pytest.mark.parametrize("scheduler", CLOSED)
@pytest.mark.parametrize("factor", [0.1, 1.0, 100.0])
def test_a_cliff_ranks_as_nothing_and_pays_nothing(scheduler: str, factor: float) -> None:
    """It ends just before the run time, so it is as good as a curve that is worth nothing."""
    ranked = as_billed_by(scheduler, ["first-price"])
    for seed in range(many(4)):
        jobs = crowd(seed)
        liar = int(np.argmax(jobs.request))
        cliff = told(jobs, liar, factor, 0.99 * float(jobs.run[liar]))
        nothing = told(jobs, liar, 0.0, 0.99 * float(jobs.run[liar]))

        schedules = [simulate(each, ranked, machine_size=PROCESSORS) for each in (cliff, nothing)]

        assert schedules[0].start.tolist() == schedules[1].start.tolist()
        assert charged(cliff, schedules[0]).charge[liar] == 0


def test_a_cliff_buys_the_first_place_where_the_wait_so_far_ranks() -> None:
    """The same job under the same rule: what the default is for."""
    better = 0
    for seed in range(many(20)):
        jobs = crowd(seed)
        liar = int(np.argmax(jobs.request))
        cliff = told(jobs, liar, 100.0, 0.99 * float(jobs.run[liar]))
        honest, lying = (
            simulate(each, "value-density", machine_size=PROCESSORS) for each in (jobs, cliff)
        )
        better += lying.end[liar] < honest.end[liar]
        assert charged(cliff, lying).charge[liar] == 0

    assert better


@pytest.mark.parametrize("scheduler", CLOSED)
def test_honest_users_pay_at_most_what_their_jobs_are_worth(scheduler: str) -> None:
    for name in (scheduler, as_billed_by(scheduler, ["first-price"])):
        for seed in range(many(4)):
            jobs = crowd(seed)
            schedule = simulate(jobs, name, machine_size=PROCESSORS)
            charges = charged(jobs, schedule)

            assert (charges.charge <= charges.outcome.utility).all()


def test_an_audit_finds_that_the_height_of_a_cliff_does_not_matter() -> None:
    ranked = as_billed_by("value-density", ["first-price"])
    lies = ("cliff", "cliff:factor=1", "cliff:factor=0.01")
    subject = AuditSubject(ranked, ("first-price",), machine_size=PROCESSORS)

    gains = [row.gain for row in by_lie(audit(crowd(3), subject, Design(10, 1, lies)))]

    assert len(gains) == 3
    assert gains == pytest.approx([gains[0]] * 3)


@pytest.mark.slow
@pytest.mark.parametrize(("log", "first", "last", "load"), CELLS)
@pytest.mark.parametrize(
    "scheduler",
    [
        "value-density",
        "value-and-delay",
        "first-reward",
        "cost-of-delay",
        "ga:population=6,generations=3",
    ],
)
def test_honest_users_pay_at_most_the_value_on_busy_logs(
    traces: Path, log: str, first: int, last: int, load: float, scheduler: str
) -> None:
    step = transforming([f"scale-load:load={load}"], 1)
    assert step is not None
    jobs = step(swfx.read(traces / f"{log}.swf.gz").workload[first:last]).workload
    jobs = attach_utilities(jobs, UtilitySpec(), seed=1)
    schedule = simulate(jobs, as_billed_by(scheduler, ["first-price"]))

    charges = charged(jobs, schedule)

    assert 0.3 < charges.total / math.fsum(charges.outcome.utility) <= 1
    assert (charges.charge <= charges.outcome.utility).all()

from __future__ import annotations

import math

import pytest

from checkpoint import PreemptionRules
from checkpoint.overhead import Overhead
from swfx import InputError, Workload

JOBS = Workload.from_columns(
    run=[9, 9, 9],
    processors=[1, 2, 4],
    checkpoint_interval=[300, -1, 60],
    restart_overhead=[5, -1, -1],
)


@pytest.mark.parametrize(
    ("text", "canonical", "rules"),
    [
        ("", "default", PreemptionRules()),
        ("default", "default", PreemptionRules()),
        ("actual=1, overrun=run", "overrun=run", PreemptionRules(overrun="run")),
        (
            "actual=1.5,overhead=0.5/processor,scratch=true",
            "scratch=true,overhead=0.5/processor,actual=1.5",
            PreemptionRules(scratch=True, overhead=Overhead(0.5, per_processor=True), actual=1.5),
        ),
        ("on_demand=30", "on_demand=30", PreemptionRules(on_demand=Overhead(30))),
    ],
)
def test_rules_from_text_and_back(text: str, canonical: str, rules: PreemptionRules) -> None:
    assert PreemptionRules.from_text(text) == rules
    assert str(rules) == canonical
    assert PreemptionRules.from_text(canonical) == rules


@pytest.mark.parametrize(
    ("text", "interval", "overhead"),
    [
        ("", [300, -1, 60], [5, 0, 0]),
        ("scratch=true,overhead=2/processor", [300, math.inf, 60], [5, 4, 8]),
        ("on_demand=3/processor,overhead=1", [0, 0, 0], [3, 6, 12]),
    ],
)
def test_what_rules_mean_for_jobs(text: str, interval: list[float], overhead: list[float]) -> None:
    rules = PreemptionRules.from_text(text)

    assert rules.intervals(JOBS).tolist() == interval
    assert rules.overheads(JOBS).tolist() == overhead


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "scrach=true",
            (
                "preemption: field scrach: is not a known key; did you mean 'scratch'? "
                "known: actual, on_demand, overhead, overrun, scratch"
            ),
        ),
        ("scratch=1", "preemption: field scratch: '1' is not a choice; give true or false"),
        ("actual=-1", "preemption: field actual: '-1' is below 0; give a factor from 0"),
        ("actual=inf", "preemption: field actual: 'inf' is not a finite number; give a number"),
        ("overrun=stop", "preemption: field overrun: 'stop' is not a choice; known: kill, run"),
        (
            "on_demand=true",
            (
                "field on_demand: 'true' is not a time from 0; write 30 (s), 5min, "
                "or 0.5/processor for seconds per processor"
            ),
        ),
        (
            "scratch",
            (
                "preemption: 'scratch' is not of the form key=value; "
                "separate options by commas, as in a=1,b=2"
            ),
        ),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        PreemptionRules.from_text(text)

    assert str(error.value) == message


def test_a_rerunnable_job_without_checkpoints_starts_from_scratch() -> None:
    jobs = Workload.from_columns(
        run=[60] * 4, checkpoint_interval=[-1, -1, -1, 30], rerunnable=[1, 0, -1, 1]
    )

    assert PreemptionRules().intervals(jobs).tolist() == [math.inf, -1, -1, 30]

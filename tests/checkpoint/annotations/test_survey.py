from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import swfx
from checkpoint.answers import ANSWERS
from checkpoint.pairing import INTERVALS, interval_kind
from checkpoint.registry import ANNOTATIONS, node_hours
from swfx import InputError, Workload
from swfx.families.transforms import apply_all
from tests.checkpoint.annotated import many_jobs, six_jobs


def shares(workload: Workload) -> tuple[float, float]:
    takes = workload.checkpoint_interval > 0
    hours = node_hours(workload)
    return float(takes.mean()), float(hours[takes].sum() / hours.sum())


def test_the_tables_of_answers_add_up() -> None:
    assert sum(answer.responses for answer in ANSWERS) == 1365
    assert sum(answer.node_hours for answer in ANSWERS) == pytest.approx(65953.72, abs=0.11)
    assert [answer.choice for answer in ANSWERS] == list(range(7))


def test_both_shares_hold_by_default() -> None:
    annotated, notes = ANNOTATIONS.make("survey").annotate(many_jobs(), seed=1)

    assert shares(annotated) == pytest.approx((0.16, 0.57), abs=0.0001)
    assert notes[0].startswith("640 of 4,000 jobs take checkpoints: 16.00% of the jobs, 57.0")
    assert annotated.header.get("CheckpointModel") == "survey; seed 1"


@pytest.mark.parametrize(("jobs", "hours"), [(0.05, 0.3), (0.3, 0.6), (0.5, 0.95)])
def test_other_shares(jobs: float, hours: float) -> None:
    made = ANNOTATIONS.make(f"survey:jobs={jobs},node_hours={hours}")

    assert shares(made.annotate(many_jobs(), 1).workload) == pytest.approx((jobs, hours), abs=1e-4)


def test_a_restart_costs_what_the_option_says() -> None:
    annotated = ANNOTATIONS.make("survey:overhead=0.5/processor").annotate(many_jobs(), 1).workload

    takes = annotated.checkpoint_interval > 0
    assert np.array_equal(annotated.restart_overhead[takes], 0.5 * annotated.size[takes])
    assert set(annotated.restart_overhead[~takes].tolist()) == {-1.0}
    assert set(annotated.checkpoint_interval[~takes].tolist()) == {-1.0}


def test_the_same_seed_gives_the_same_everywhere() -> None:
    survey, jobs = ANNOTATIONS.make("survey"), many_jobs()

    interval = survey.annotate(jobs, 4).workload.checkpoint_interval
    drawn = np.flatnonzero(interval > 0)
    assert drawn[:5].tolist() == [2, 3, 13, 19, 20]
    assert interval[drawn[:5]].tolist() == [900, 3600, 300, 3600, 900]

    assert survey.annotate(jobs, 4).workload == survey.annotate(jobs, 4).workload
    assert survey.annotate(jobs, 4).workload != survey.annotate(jobs, 5).workload


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "survey:node_hours=0.99",
            (
                "field node_hours: 640 jobs cannot have 0.99 of the node-hours: "
                "the smallest have 0.0006445, the largest 0.9299; "
                "give a share in between, or another share of jobs"
            ),
        ),
        (
            "survey:jobs=0.99",
            (
                "survey: field jobs: 0.99 of 4000 jobs are 3960; 3495 run for more than 240 s and "
                "could take a checkpoint; give another share"
            ),
        ),
        ("survey:jobs=1.5", "survey: field jobs: 1.5 is out of bounds; give 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        ANNOTATIONS.make(text).annotate(many_jobs(), 1)

    assert str(error.value) == message


def test_an_earlier_annotation_is_replaced_and_it_is_said() -> None:
    earlier = ANNOTATIONS.make("all").annotate(six_jobs(), 0).workload

    annotated, notes = ANNOTATIONS.make("survey:jobs=0.5,node_hours=0.5,tolerance=0.06").annotate(
        earlier, 0
    )

    assert np.count_nonzero(annotated.checkpoint_interval > 0) == 3
    assert notes[-1] == "6 checkpoint intervals replaced"


def test_datastar_as_lee_simulated_it(traces: Path) -> None:
    log = swfx.read(traces / "SDSC-DS-2004-2.1-cln.swf.gz").workload
    nodes = apply_all(log, ["nodes:per=8,count=260"], seed=0).workload

    annotated = ANNOTATIONS.make("survey").annotate(nodes, seed=1).workload

    assert annotated.machine_size == 260
    assert shares(annotated) == pytest.approx((0.16, 0.57), abs=0.001)
    takes = annotated.checkpoint_interval > 0
    interval, run = annotated.checkpoint_interval[takes], annotated.effective_run[takes]
    kinds = np.bincount(interval_kind(interval, run)) / len(run)
    assert kinds == pytest.approx([67 / 120, 48 / 120, 5 / 120], abs=0.002)
    for minutes, answers in INTERVALS.items():
        assert np.mean(interval == 60 * minutes) == pytest.approx(answers / 219, abs=0.001)

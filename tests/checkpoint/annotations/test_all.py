from __future__ import annotations

import pytest

from checkpoint.registry import ANNOTATIONS
from swfx import InputError, Workload
from tests.checkpoint.annotated import six_jobs


def test_every_job_takes_checkpoints_every_quarter_of_an_hour() -> None:
    annotated, notes = ANNOTATIONS.make("all").annotate(six_jobs(), 0)

    assert annotated.checkpoint_interval.tolist() == [900] * 6
    assert annotated.restart_overhead.tolist() == [8, 8, 8, 4, 4, 4]
    assert notes == (
        (
            "6 of 6 jobs take checkpoints: 100.00% of the jobs, 100.00% of the node-hours "
            "(run times up to the request)"
        ),
    )


def test_interval_and_overhead_are_options() -> None:
    annotated = ANNOTATIONS.make("all:interval=60,overhead=30").annotate(six_jobs(), 0).workload

    assert annotated.checkpoint_interval.tolist() == [60] * 6
    assert annotated.restart_overhead.tolist() == [30] * 6
    assert annotated.header.get("CheckpointModel") == "all:overhead=30,interval=60; seed 0"


def test_no_interval_is_no_annotation() -> None:
    with pytest.raises(InputError, match="all: field interval: 0 is out of bounds"):
        ANNOTATIONS.make("all:interval=0")


def test_jobs_that_never_ran_have_no_node_hours_to_share() -> None:
    notes = (
        ANNOTATIONS.make("all").annotate(Workload.from_columns(run=[0], processors=[1]), 0).notes
    )

    assert notes == (
        (
            "1 of 1 jobs take checkpoints: 100.00% of the jobs, 0.00% of the node-hours "
            "(run times up to the request)"
        ),
    )

import numpy as np
import pytest
from hypothesis import given

from swfx import Header, Workload
from swfx.reading.cleaning import examine
from swfx.reading.report import RULES
from tests.strategies import raw_workloads, workloads

SOUND = {"submit": 0, "run": 5, "processors": 4, "requested_processors": 4, "requested_time": 10}


@pytest.mark.parametrize(
    ("columns", "rules", "kept"),
    [
        ({}, [], True),
        ({"run": 0}, [], True),
        ({"processors": 8, "requested_processors": 9}, [], True),
        ({"submit": -1, "run": -1, "processors": -1}, ["negative-submit"], False),
        ({"run": -1}, ["negative-run"], False),
        ({"processors": -1, "requested_processors": 0}, ["no-processors"], False),
        ({"processors": 9}, ["too-wide"], False),
        ({"processors": -1, "requested_processors": 9}, ["too-wide"], False),
        ({"requested_processors": -1}, ["requested-processors-missing"], True),
        ({"requested_time": -1}, ["requested-time-missing"], True),
        ({"run": 11, "processors": 0}, ["processors-missing", "run-over-request"], True),
    ],
)
def test_rules_of_a_job_and_whether_it_is_kept(
    columns: dict[str, int], rules: list[str], kept: bool
) -> None:
    values = {name: [value] for name, value in (SOUND | columns).items()}

    findings = examine(Workload.from_columns(header=Header((" MaxProcs: 8",)), **values))

    assert [RULES[code].name for code in findings.rule] == rules
    assert findings.keep.tolist() == [kept]


@given(raw_workloads())
def test_what_is_kept_can_be_simulated_and_stays(w):
    kept = w[examine(w).keep]
    assert (kept.submit >= 0).all()
    assert (kept.run >= 0).all()
    assert (kept.size > 0).all()
    assert (kept.request >= 0).all()
    assert kept.machine_size is None or (kept.size <= kept.machine_size).all()
    assert examine(kept).keep.all()


@given(raw_workloads())
def test_a_dropped_job_has_one_rule(w):
    findings = examine(w)
    dropped = [RULES[code].action == "dropped" for code in findings.rule]
    assert sorted(findings.job[dropped]) == np.flatnonzero(~findings.keep).tolist()


@given(workloads())
def test_sound_workloads_are_left_alone(w):
    assert {RULES[code].action for code in examine(w).rule} <= {"noted"}

import numpy as np
from hypothesis import given

from swfx import Header, Workload
from swfx.reading.cleaning import examine
from swfx.reading.report import RULES
from tests.strategies import raw_workloads, workloads


def found(machine: int | None = 8, **columns: int) -> tuple[list[str], bool]:
    """Rules of one job, and whether it is kept; by default there is nothing to find."""
    sound = {"submit": 0, "run": 5, "processors": 4, "requested_processors": 4}
    values = sound | {"requested_time": 10} | columns
    header = Header() if machine is None else Header((f" MaxProcs: {machine}",))
    w = Workload.from_columns(header=header, **{name: [value] for name, value in values.items()})
    findings = examine(w)
    return [RULES[code].name for code in findings.rule], bool(findings.keep[0])


def test_sound_job():
    assert found() == ([], True)
    assert found(run=0) == ([], True)
    assert found(processors=8) == ([], True)


def test_dropped_jobs():
    assert found(submit=-1) == (["negative-submit"], False)
    assert found(run=-1) == (["negative-run"], False)
    assert found(processors=-1, requested_processors=0) == (["no-processors"], False)
    assert found(processors=9) == (["too-wide"], False)
    assert found(processors=-1, requested_processors=9) == (["too-wide"], False)


def test_first_rule_wins():
    assert found(submit=-1, run=-1, processors=-1) == (["negative-submit"], False)


def test_allocated_processors_decide_the_width():
    assert found(processors=8, requested_processors=9) == ([], True)


def test_width_needs_a_machine():
    assert found(machine=None, processors=9) == ([], True)


def test_repaired_and_noted_jobs():
    assert found(processors=0) == (["processors-missing"], True)
    assert found(requested_processors=-1) == (["requested-processors-missing"], True)
    assert found(requested_time=-1) == (["requested-time-missing"], True)
    assert found(run=11) == (["run-over-request"], True)
    assert found(run=11, processors=0) == (["processors-missing", "run-over-request"], True)


def test_findings_are_in_the_order_of_jobs():
    w = Workload.from_columns(submit=[0, -1, 0], run=[-1, 5, 5], processors=[1, 1, 1])
    findings = examine(w)
    assert findings.job.tolist() == [0, 1, 2, 2]
    assert findings.keep.tolist() == [False, False, True]


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

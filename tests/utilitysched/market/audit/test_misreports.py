"""What liars say, by hand."""

from __future__ import annotations

import pytest

from swfx import InputError, UtilityFunction
from utilitysched.market.audit.misreport import MISREPORTS, Report

JOB = Report(100.0, 5, 30.0, 60.0, UtilityFunction([0, 60, 120], [8, 6, 0]))


def curve(text: str) -> UtilityFunction:
    (told,) = MISREPORTS.make(text).tell(JOB)
    assert told._replace(curve=JOB.curve) == JOB
    return told.curve


@pytest.mark.parametrize(
    ("text", "times", "values"),
    [
        ("scale:factor=0.5", [0, 60, 120], [4, 3, 0]),
        ("scale", [0, 60, 120], [16, 12, 0]),
        ("steeper", [0, 60, 120], [8, 3, 0]),
        ("flatter", [0, 60, 120], [8, 8, 8]),
        ("earlier", [0, 30, 60], [8, 6, 0]),
        ("later:factor=3", [0, 180, 360], [8, 6, 0]),
        ("shift", [0, 60, 120, 180], [8, 8, 6, 0]),
        ("shift:by=0.25,to=earlier", [0, 30, 90], [7, 6, 0]),
        ("shift:by=1,to=earlier", [0, 1], [0, 0]),
        ("step", [0, 60], [8, 8]),
        ("step:at=0.25", [0, 30], [8, 8]),
        ("cliff", [0, 29.7], [800, 800]),
        ("cliff:factor=3,at=0.5", [0, 15], [24, 24]),
    ],
)
def test_another_curve(text: str, times: list[float], values: list[float]) -> None:
    assert curve(text) == UtilityFunction(times, values)
    assert MISREPORTS.make(text).about_value


def test_another_requested_time() -> None:
    (longer,) = MISREPORTS.make("request").tell(JOB)
    (shorter,) = MISREPORTS.make("request:factor=0.25").tell(JOB)

    assert longer == JOB._replace(request=120.0)
    assert shorter == JOB._replace(request=15.0)
    assert longer.completes
    assert not shorter.completes
    assert not MISREPORTS.make("request").about_value


def test_a_job_may_be_said_to_be_rerunnable_or_not() -> None:
    honest = JOB._replace(rerunnable=True)

    assert MISREPORTS.make("rerunnable").tell(honest) == (JOB,)
    assert MISREPORTS.make("rerunnable:says=yes").tell(JOB) == (honest,)
    assert MISREPORTS.make("rerunnable").tell(JOB) == (JOB,)
    assert not MISREPORTS.make("rerunnable").about_value


def test_processors_are_split_and_those_left_over_go_first() -> None:
    parts = MISREPORTS.make("split").tell(JOB)

    half = UtilityFunction([0, 60, 120], [4, 3, 0])
    assert parts == (JOB._replace(size=3, curve=half), JOB._replace(size=2, curve=half))


def test_time_is_split() -> None:
    parts = MISREPORTS.make("split:by=time,parts=3").tell(JOB)

    third = UtilityFunction([0, 60, 120], [8 / 3, 2, 0])
    assert parts == (JOB._replace(run=10.0, request=20.0, curve=third),) * 3


def test_parts_may_come_one_after_the_other() -> None:
    first, second = MISREPORTS.make("split:gap=30").tell(JOB)
    thirds = MISREPORTS.make("split:by=time,parts=3,gap=1").tell(JOB)

    assert (first.submit, first.curve(60), first.size) == (100.0, 3.0, 3)
    assert second.curve == UtilityFunction([0, 30, 90], [3.5, 3, 0])
    assert (second.submit, second.size) == (130.0, 2)
    assert [part.submit for part in thirds] == [100.0, 101.0, 102.0]


def test_worthless_jobs_come_beside_the_job() -> None:
    lie = MISREPORTS.make("worthless-rerunnable:jobs=2,lasts=1h")
    job, *decoys = lie.tell(JOB)

    assert lie.adds_jobs
    assert job == JOB
    assert len(decoys) == 2
    assert {(each.size, each.run, each.request, each.rerunnable) for each in decoys} == {
        (5, 3600.0, 3600.0, True)
    }
    assert [each.curve(86_400.0) for each in decoys] == [0.01, 0.01]
    assert all(each.decoy for each in decoys)


def test_shills_want_the_whole_machine_for_a_second() -> None:
    job, shill = MISREPORTS.make("shill:jobs=1,factor=2,request=10min").tell(
        JOB._replace(machine=50)
    )

    # 8 SU for 5 processors x 60 s; a hundred times as much is requested, at twice the value
    assert job == JOB._replace(machine=50)
    assert (shill.size, shill.run, shill.request, shill.decoy) == (50, 1.0, 600.0, True)
    assert shill.curve == UtilityFunction([0, 1200], [1600, 0])


def test_a_job_without_a_request_has_no_shills() -> None:
    job = JOB._replace(request=0.0)

    assert MISREPORTS.make("shill").tell(job) == (job,)


def test_a_job_with_too_few_processors_is_told_as_it_is() -> None:
    assert MISREPORTS.make("split:parts=6").tell(JOB) == (JOB,)


def test_a_job_that_takes_no_time_has_no_cliff() -> None:
    job = JOB._replace(run=0.0)

    assert MISREPORTS.make("cliff").tell(job) == (job,)


def test_a_job_that_comes_later_has_less_time_left() -> None:
    (later,) = MISREPORTS.make("delay:by=30").tell(JOB)
    (too_late,) = MISREPORTS.make("delay:by=1h").tell(JOB)

    assert later == JOB._replace(submit=130.0, curve=UtilityFunction([0, 30, 90], [7, 6, 0]))
    assert too_late.curve == UtilityFunction([0, 1], [0, 0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scael", "unknown misreport 'scael'; did you mean 'scale'"),
        ("scale:factor=0", "scale: field factor: 0 is not above 0"),
        ("split:parts=1", "split: field parts: 1 is below 2"),
        ("split:gap=0.5", "split: field gap: 0.5 s are not whole seconds"),
        ("shill:jobs=0", "shill: field jobs: 0 is below 1"),
        ("delay:by=0", "delay: field by: 0 is below 1"),
        ("split:by=space", "'space' is not a choice"),
    ],
)
def test_lies_that_are_none_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        MISREPORTS.make(text)

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from swfx import InputError, UtilityFunction
from swfx.base.zones import read_zone
from swfx.clock import Clock
from utilitysched.market.quote import QuotedJob
from utilitysched.market.quote.request import read_curve
from utilitysched.runs.snapshot import Snapshot

JOB = QuotedJob(4, 3600.0, user=3, queue=1)


def read(text: str, moment: Snapshot) -> UtilityFunction:
    return read_curve(text, moment, JOB, 1)


def test_points_with_units() -> None:
    found = read("0:8.5, 30min:8 ,1.5h:5e-1,2h:0", Snapshot(0.0, 4))
    assert found == UtilityFunction([0, 1800, 5400, 7200], [8.5, 8, 0.5, 0])


def test_models_draw_for_a_job_that_runs_at_once() -> None:
    found = read("factor=3,step=1,linear=0,exponential=0", Snapshot(0.0, 4))
    assert found.deadline == pytest.approx(3 * 3600, rel=0.5)


def test_a_centre_s_own_curves_go_by_labels(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    curves = "[curves.{0}]\npoints = '0:{1},1h:0'\nper = 'job'\n".format
    rules = "[[rules]]\naccount = 'physics'\ncurve = 'a'\n[[rules]]\nuser = 3\ncurve = 'b'\n"
    path.write_text(curves("a", 7) + curves("b", 5) + rules, "utf-8")
    text, moment = f"curves:file={path}", Snapshot(0.0, 4)

    assert read(text, moment).start_value == 5
    assert read_curve(text, moment, replace(JOB, labels={"account": "physics"}), 1).start_value == 7
    assert read_curve(text, moment, replace(JOB, labels={"user": "ann"}), 1).start_value == 5
    with pytest.raises(InputError, match="makes no utility function"):
        read_curve(text, moment, QuotedJob(4, 3600.0), 1)


def test_deadlines_by_the_clock_need_dates() -> None:
    # a Tuesday, 15:00:03
    placed = Snapshot(0.0, 4, clock=Clock(956700003, read_zone("US/Pacific")))
    apart = Snapshot(0.0, 4, clock=Clock(956700003, read_zone("-08:00")))

    assert read("diurnal:at=09:00", placed).times[1] == 18 * 3600 - 3
    assert read("diurnal:at=09:00,zone=Etc/GMT+8", apart).times[1] == 19 * 3600 - 3
    with pytest.raises(InputError, match="the log does not say"):
        read("diurnal:at=09:00", Snapshot(0.0, 4))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0:8,1x:0", "curve 0:8,1x:0: field time: unknown unit of time: 'x'"),
        ("5:8,9:0", "curve 5:8,9:0: "),
        ("0:8,9:9", "curve 0:8,9:9: "),
        ("0:8", "curve 0:8: "),
        ("0:nan", "curve 0:nan: field value: 'nan' is not a finite number; give a number"),
        ("0:8,-1:0", "curve 0:8,-1:0: "),
        ("0:8,9", "curve 0:8,9: '9' is no point; write TIME:SU, as in 0:200,12h:0"),
        ("defalt", "utilities: 'defalt' is not of the form key=value"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(text, Snapshot(0.0, 4))
    assert str(refusal.value).startswith(message)

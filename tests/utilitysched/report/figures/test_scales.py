"""Units of time scales."""

from __future__ import annotations

import pytest

from swfx import Header, Workload
from utilitysched.report.figures.scales import timeline

DAY = 86400.0


@pytest.mark.parametrize(
    ("span", "label"),
    [
        (100.0, "seconds"),
        (180.0, "minutes"),
        (3 * 3600.0, "hours"),
        (3 * DAY - 1, "hours"),
        (3 * DAY, "days"),
        (999 * DAY, "days"),
    ],
)
def test_a_unit_suits_the_span(span: float, label: str) -> None:
    scale = timeline(Workload.from_columns(submit=[0]), 50.0, 50.0 + span)

    assert scale.label == f"{label} since the first submission"
    assert scale.length * scale.seconds == pytest.approx(span)


def test_where_the_log_has_a_clock_its_date_is_told() -> None:
    header = Header((" UnixStartTime: 954547200", " TimeZoneString: US/Pacific"))

    scale = timeline(Workload.from_columns(submit=[0], header=header), 3600.0, 7200.0)
    assert scale.label == "minutes since 2000-03-31 17:00 (US/Pacific)"

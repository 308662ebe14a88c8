"""What jobs are coloured by."""

from __future__ import annotations

import numpy as np
import pytest

from utilitysched.report.html.jobs import Colouring, colourings
from utilitysched.report.html.shown import Shown


@pytest.fixture
def found(shown: Shown) -> dict[str, Colouring]:
    return {each.key: each for each in colourings(shown)}


def test_there_is_one_for_all_that_differs(found: dict[str, Colouring]) -> None:
    assert list(found) == ["wait", "user", "queue", "priority", "value", "charge", "moved"]
    for each in found.values():
        last = max(int(kind.max()) for kind in each.kinds)
        assert last < len(each.names) <= len(each.colours)


def test_waits_are_those_until_the_first_start(shown: Shown, found: dict[str, Colouring]) -> None:
    run, kind = shown.runs[1], found["wait"].kinds[1]
    wait = run.schedule.wait(run.workload)

    assert kind.tolist() == [0 if each <= 60 else 1 if each <= 3600 else 2 for each in wait]


def test_jobs_of_a_user_have_one_colour(shown: Shown, found: dict[str, Colouring]) -> None:
    colouring = found["user"]
    [kind] = colouring.kinds

    for user, each in zip(shown.workload.user.tolist(), kind.tolist(), strict=True):
        assert colouring.names[each] == f"user {user}"


def test_the_most_urgent_class_stands_out(shown: Shown, found: dict[str, Colouring]) -> None:
    priority = found["priority"]

    assert priority.names == ["class 1", "class 2", "class 3"]
    assert priority.colours[0] == "--shade-3"
    assert priority.kinds[0].tolist() == (shown.workload.queue - 1).tolist()


def test_charges_are_in_quarters_and_unbilled_runs_charge_nothing(
    shown: Shown, found: dict[str, Colouring]
) -> None:
    easy, saf = found["charge"].kinds
    bill = shown.runs[0].bill
    nothing = found["charge"].names.index("charged nothing")

    assert bill is not None
    assert set(saf.tolist()) == {nothing}
    assert np.array_equal(easy != nothing, bill.charge > 0)
    counts = np.bincount(easy[bill.charge > 0])
    assert counts.max() - counts.min() <= 1


def test_what_moved_is_beside_the_baseline(shown: Shown, found: dict[str, Colouring]) -> None:
    easy, saf = found["moved"].kinds
    later = shown.runs[1].schedule.start - shown.runs[0].schedule.start

    assert found["moved"].title == "start, beside easy"
    assert set(easy.tolist()) == {2}
    assert np.array_equal(saf > 2, later > 60)
    assert np.array_equal(saf < 2, later < -60)

"""What is said of searches."""

from __future__ import annotations

import numpy as np
import pytest

from utilitysched.model.schedule import Schedule
from utilitysched.report.comparison import effort, print_effort
from utilitysched.report.decision import some_generations


def schedule(label: str, **search: int) -> Schedule:
    none = np.empty(0)
    told = {"search": search} if search else {}
    return Schedule(none, none, np.empty(0, np.bool_), 1, label, 0, told)


def test_generations_decisions_and_plans_are_counted() -> None:
    found = schedule("ga", decisions=1738, generations=16210, plans=358960)

    assert list(effort(found)) == ["ga bred 16,210 generations in 1,738 decisions: 358,960 plans."]


def test_nothing_is_said_of_those_who_breed_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    print_effort([schedule("easy"), schedule("climb", decisions=3, generations=0, plans=60)])

    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("last", "shown"),
    [(0, [0]), (1, [0, 1]), (2, [0, 1, 2]), (10, [0, 1, 2, 5, 10]), (30, [0, 1, 2, 5, 10, 20, 30])],
)
def test_generations_shown_end_with_the_last(last: int, shown: list[int]) -> None:
    assert some_generations(last) == shown

"""The graph around a job."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from matplotlib.patches import PathPatch

from pricing.evidence import Loss
from swfx import InputError
from tests.pricing.jobs import three_charges, three_jobs
from tests.utilitysched.report.figures.conftest import Drawn
from utilitysched.counterfactual.explanation import Explanation
from utilitysched.report.figures import evidence
from utilitysched.report.figures.canvas import PAGE
from utilitysched.runs import StoredRun

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def explained(losers: list[Loss], causes: list[Loss]) -> Explanation:
    charges = three_charges("vcg")
    run = StoredRun(three_jobs(), charges.outcome.start, charges.outcome.end, {})
    return Explanation(Path("run"), run, charges, (), None, 0, losers, causes)


def widths(figure: Figure) -> list[float]:
    [axes] = figure.axes
    return [patch.get_linewidth() for patch in axes.patches if isinstance(patch, PathPatch)]


def texts(figure: Figure) -> list[str]:
    [axes] = figure.axes
    return [text.get_text() for text in axes.texts]


def test_arrows_are_as_wide_as_what_is_lost(drawn: Drawn) -> None:
    some = explained([Loss(1, 8.0, 60.0), Loss(2, -4.0, -7200.0)], [Loss(2, 2.0, None)])

    figure = drawn(lambda: evidence.draw(some, PAGE))

    # causes first, then losers
    assert widths(figure) == [evidence.WIDEST / 4, evidence.WIDEST, evidence.WIDEST / 2]
    assert texts(figure) == [
        "job 3, user 7",
        "2.00 SU",
        "job 2, user 8",
        "8.00 SU, 1 min later",
        "job 3, user 7",
        "gains 4.00 SU, 2 h earlier",
        "job 1\nuser 7\npays 5.00 SU",
        "it lost by",
        "lost by it",
    ]


def test_the_smallest_losses_are_drawn_as_one(drawn: Drawn) -> None:
    losers = [Loss(1, 20.0 - number, 60.0) for number in range(evidence.MOST + 2)]

    figure = drawn(lambda: evidence.draw(explained(losers, []), PAGE))

    assert len(widths(figure)) == evidence.MOST + 1
    assert "2 others" in texts(figure)
    assert "23.0 SU" in texts(figure)  # 12 and 11
    assert "it lost by" not in texts(figure)


def test_a_job_that_nobody_lost_by_is_not_drawn() -> None:
    with pytest.raises(InputError, match="job 1 cost no other job anything"):
        evidence.draw(explained([], []), PAGE)


def test_a_job_that_does_not_pay_says_so(drawn: Drawn) -> None:
    some = replace(explained([], [Loss(0, 5.0, 1800.0)]), job=1)

    figure = drawn(lambda: evidence.draw(some, PAGE))

    assert "job 2\nuser 8\npays nothing" in texts(figure)
    assert figure.axes[0].get_title(loc="left") == (
        "Job 2 by vcg, not charged: no other job was queued"
    )

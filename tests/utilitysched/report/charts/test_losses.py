"""The graph around a job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pricing.evidence import Loss
from swfx import InputError
from tests.utilitysched.report.charts.drawn import explained, rows, texts
from utilitysched.report.charts import losses as graph
from utilitysched.report.charts.losses import losses
from utilitysched.report.charts.picture import Picture

EDGES, ENDS = 0, 1


def widths(picture: Picture) -> list[float]:
    """Width of each edge."""
    return [row["width"] for row in rows(picture, EDGES)[::4]]


def test_edges_are_as_wide_as_what_is_lost() -> None:
    some = explained([Loss(1, 8.0, 60.0), Loss(2, -4.0, -7200.0)], [Loss(2, 2.0, None)])

    picture = losses(some)

    assert widths(picture) == [graph.WIDEST / 4, graph.WIDEST, graph.WIDEST / 2]
    kinds = [row["kind"] for row in rows(picture, ENDS)]
    assert kinds == [graph.CAUSE, graph.LOST, graph.GAINED]
    assert set(texts(picture)) >= {
        "Job 1, user 7, pays 5.00 SU",
        *("job", "1"),
        *("It lost because of", "job 3, user 7", "2.00 SU"),
        *("Lost because of it", "job 2, user 8", "8.00 SU, 1 min later"),
        "gains 4.00 SU, 2 h earlier",
    }


def test_the_smallest_losses_are_drawn_as_one() -> None:
    losers = [Loss(1, 20.0 - number, 60.0) for number in range(graph.MOST + 2)]

    picture = losses(explained(losers, []))

    assert len(widths(picture)) == graph.MOST + 1
    assert {"2 others", "15.00 SU"} <= set(texts(picture))  # 8 and 7
    assert "It lost because of" not in texts(picture)


@pytest.mark.parametrize("sides", [(1, 0), (0, 1), (1, 1), (20, 20)])
def test_no_edge_passes_a_text(sides: tuple[int, int]) -> None:
    losers, causes = ([Loss(1, 5.0, 60.0)] * count for count in sides)

    picture = losses(explained(losers, causes))

    ends: Sequence[float] = [row["across"] for row in rows(picture, EDGES)]
    assert max(ends) < graph.TEXT
    heights = [row["down"] for row in rows(picture, ENDS)]
    assert len(set(heights)) == len(heights) <= 2 * (graph.MOST + 1)


def test_what_is_next_to_nothing_is_said_in_words() -> None:
    assert "less than 0.01 SU, 1 min later" in texts(losses(explained([Loss(1, 1e-5, 60.0)], [])))


def test_a_job_that_nobody_lost_by_is_not_drawn() -> None:
    with pytest.raises(InputError, match="job 1 cost no other job anything"):
        losses(explained([], []))


def test_a_job_that_does_not_pay_says_so() -> None:
    picture = losses(replace(explained([], [Loss(0, 5.0, 1800.0)]), job=1))

    assert picture.title == "Job 2, user 8, pays nothing"
    assert "Not charged under vcg: no other job was queued" in texts(picture)

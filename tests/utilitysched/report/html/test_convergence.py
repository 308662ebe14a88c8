"""Charts of the search of genetic schedulers."""

from __future__ import annotations

from dataclasses import replace

from utilitysched.report.html import convergence
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults

COURSE = {
    "decisions": [9, 7, 7],
    "plans": [2.0, 4.0, 5.5],
    "best": [0.0, 0.03, 0.05],
    "median": [-0.2, 0.0, 0.01],
    "worst": [-0.5, -0.1, 0.0],
}


def bred(run: RunResults, course: dict[str, list[float]], generations: int = 14) -> RunResults:
    search = {"decisions": 9, "generations": generations, "convergence": course}
    told = {**run.schedule.provenance, "search": search}
    return run._replace(schedule=replace(run.schedule, provenance=told))


def test_nothing_is_shown_where_nothing_was_bred(runs: list[RunResults]) -> None:
    idle = bred(runs[1], {}, generations=0)

    assert list(convergence.pictures(Shown.of([runs[0], idle]))) == []


def test_a_sentence_says_how_far_the_best_rises_and_how_soon(runs: list[RunResults]) -> None:
    (fitness,) = convergence.pictures(Shown.of([runs[0], bred(runs[1], COURSE)]))

    assert fitness.caption.startswith(
        "The best plan of saf's last generation is 5.0% above that of its first,"
        " half of that by generation 1 of 2. "
    )
    assert fitness.lines == {1: "saf"}


def test_a_best_that_falls_is_told_as_it_is(runs: list[RunResults]) -> None:
    falling = COURSE | {"best": [0.0, -0.01, -0.02]}
    (fitness,) = convergence.pictures(Shown.of([bred(runs[1], falling)]))

    assert "last generation is 2.0% below that of its first. " in fitness.caption


def test_the_table_has_what_is_drawn(runs: list[RunResults]) -> None:
    (fitness,) = convergence.pictures(Shown.of([bred(runs[0], COURSE)]))

    assert fitness.table is not None
    assert fitness.table.rows == [
        [0, 0.0, -0.2, -0.5, 2.0, 9],
        [1, 0.03, 0.0, -0.1, 4.0, 7],
        [2, 0.05, 0.01, 0.0, 5.5, 7],
    ]
    drawn = [line.data_source.data["y"] for line in fitness.chart.renderers]
    assert drawn == [
        [100 * value for value in COURSE[name]] for name in ("best", "median", "worst")
    ]

"""Plots of all runs of an experiment: boxes, fronts and correlations of its metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from swfx import InputError
from utilitysched.analysis.statistics import Pairs, correlations
from utilitysched.experiments.comparisons import MetricComparison, paired, published_ratios
from utilitysched.experiments.comparisons import published as published_values
from utilitysched.experiments.metric_names import METRICS, MORE_IS_BETTER
from utilitysched.experiments.results import Finished
from utilitysched.experiments.specification import BOX, CORRELATION, PARETO, Experiment
from utilitysched.model.state import Floats
from utilitysched.report.figures.canvas import Figure
from utilitysched.report.figures.studies import draw_boxes, draw_correlations, draw_pareto

MAKESPAN = "makespan"
"""Drawn as a speedup: the baseline's over that of each scheduler, on the same load."""


def check_plots(experiment: Experiment) -> None:
    """Refuse plots of two metrics where one alone is compared.

    Raises
    ------
    InputError
        So it is.
    """
    if PARETO in experiment.report.plots and len(experiment.report.compared) < 2:
        raise InputError(
            "a front needs two metrics that are compared",
            field="report.plots",
            remedy="name two or more in report.compare; the first two are drawn",
        )


def scatter_plots(
    experiment: Experiment,
    rows: Sequence[Finished],
    there: Sequence[MetricComparison],
    width: float,
) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """Yield what each plot of a place is called, and what draws it.

    Parameters
    ----------
    experiment : Experiment
        Says which.
    rows : sequence of Finished
        Of that place.
    there : sequence of MetricComparison
        Of that place; what others published stands beside boxes.
    width : float
        Inches.
    """
    wanted = experiment.report.plots
    found = {one.metric: _drawn(paired(experiment, rows, one.metric), one.metric) for one in there}
    compared = [one for one in there if one.is_tested]
    if BOX in wanted:
        for one in compared:
            values, known = found[one.metric], _published(experiment, one)
            yield f"box-{one.metric}", partial(draw_boxes, values, _title(one.metric), width, known)
    if PARETO in wanted:
        up, across = (one.metric for one in compared[:2])
        names = [name for name in found[up] if len(found[up][name]) and len(found[across][name])]
        points = {
            name: (float(found[across][name].mean()), float(found[up][name].mean()))
            for name in names
        }
        better = across in MORE_IS_BETTER or across == MAKESPAN, up in MORE_IS_BETTER
        draw = partial(draw_pareto, points, (_title(across), _title(up)), better, width)
        yield f"pareto-{up}-{across}", draw
    if CORRELATION in wanted:
        titles = [_title(metric) for metric in found]
        values = correlations(_columns(list(found.values())))
        yield "correlation", partial(draw_correlations, titles, values)


def _title(metric: str) -> str:
    return "makespan speedup" if metric == MAKESPAN else METRICS[metric].title


def _drawn(pairs: Mapping[str, Pairs], metric: str) -> dict[str, Floats]:
    return {
        name: each.baseline / each.values if metric == MAKESPAN else each.values
        for name, each in pairs.items()
    }


def _published(experiment: Experiment, one: MetricComparison) -> dict[str, float]:
    if one.metric != MAKESPAN:
        return published_values(experiment, one)
    return {name: 1.0 / ratio for name, ratio in published_ratios(experiment, one).items()}


def _columns(found: Sequence[Mapping[str, Floats]]) -> list[Floats]:
    """Return the values of each metric, those of schedulers that have all of them."""
    whole = [name for name in found[0] if len({len(values[name]) for values in found}) == 1]
    return [np.concatenate([values[name] for name in whole]) for values in found]

"""Plans of one moment of which none is better than another by every aim."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from swfx import InputError
from utilitysched.exact.decision import ExplainedDecision
from utilitysched.exact.planned import brought_to
from utilitysched.kernels.fitness import TERMS, Problem, measure
from utilitysched.model.forecast import ForecastRule
from utilitysched.model.state import Floats
from utilitysched.schedulers.genetic.options import KNEE, GeneticOptions
from utilitysched.schedulers.genetic.problem import placed
from utilitysched.schedulers.genetic.scheduler import GeneticScheduler

POPULATION, GENERATIONS = 60, 60
"""Of the search: a second or two for a hundred queued jobs."""


class PlanFront(NamedTuple):
    """The front of plans of a moment, and where others stand beside it.

    Attributes
    ----------
    terms : tuple of str
        Of `utilitysched.kernels.fitness.TERMS`, two or three.
    start : (f, k) float64
        Planned starts (s), in the order of the queue; the best by the first term comes first.
    values : (f, t) float64
        What each plan has of the terms.
    picked : mapping of str to int
        By rule, ``knee`` or the name of a term: which plan it picks.
    others : mapping of str to (t,) float64
        What the plans of `ExplainedDecision.plans` have of the terms, by label.
    """

    terms: tuple[str, ...]
    start: Floats
    values: Floats
    picked: Mapping[str, int]
    others: Mapping[str, Floats]


def plan_front(found: ExplainedDecision, terms: str, seed: int = 0) -> PlanFront:
    """Return the front of plans at the moment of a decision, as `ga` finds it.

    Parameters
    ----------
    found : ExplainedDecision
        The moment, and plans to set beside it.
    terms : str
        Two or three terms of the fitness of `ga`, as in ``utility+wait``.
    seed : int
        Of what is drawn.

    Raises
    ------
    InputError
        They are no such terms, or one compares with a plan made before, of which a moment does not
        tell; or values are read at another fraction of the request than `ga` can.
    """
    rule, snapshot = found.problem.rule, found.problem.snapshot
    asked = tuple(terms.split("+"))
    if "predictability" in asked:
        raise InputError(
            "predictability compares with the plan made before, of which a moment does not tell",
            field="pareto",
            remedy="name other terms",
        )
    if rule.duration == "fraction" and rule.fraction != ForecastRule().fraction:
        raise InputError(
            f"the run reads values at {rule.fraction:g} of the request, fronts only at"
            f" {ForecastRule().fraction:g} of it",
            field="pareto",
            remedy="leave it out",
        )
    options = GeneticOptions(
        population=POPULATION,
        generations=GENERATIONS,
        depth=math.inf,
        delays=(0.0,),
        duration=rule.duration,
        pareto=asked,
    )
    scheduler = GeneticScheduler(options)
    state = brought_to(snapshot, scheduler, seed)
    front, problem = scheduler.front(state)
    return PlanFront(
        asked,
        np.array([placed(order, problem.queue, state.queued)[0] for order in front.orders]),
        front.values,
        {rule: front.pick(rule) for rule in (KNEE, *asked)},
        {plan.label: _terms_of(plan.start, problem, asked) for plan in found.plans},
    )


def _terms_of(start: Floats, problem: Problem, terms: tuple[str, ...]) -> Floats:
    value = np.empty(len(TERMS))
    measure(start, problem, value)
    asked: Floats = value[[TERMS.index(term) for term in terms]]
    return asked

"""The genetic operators, in DEAP's signatures.

- ``select(individuals, k) -> individuals``: consecutive ones are a child's parents;
- ``mate(one, other) -> (one, other)`` and ``mutate(individual) -> (individual,)``: in place;
- ``replace(parents, children) -> individuals``: who goes on.

Operators marked as drawing from the stream get it as ``stream=``; DEAP's own draw from Python's
global random generator, which a search seeds from the stream and puts back afterwards. Compiled
code does the same to whole populations where it has all operators of a search
(`utilitysched.kernels.operators`).
"""

from __future__ import annotations

import random
from ast import literal_eval
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from itertools import accumulate
from operator import attrgetter
from typing import Any, TypeVar

from deap import tools

from swfx import InputError
from swfx.base.options import nearest
from utilitysched.kernels.evolution import REPLACEMENTS
from utilitysched.kernels.operators import CROSSOVERS, MUTATIONS, SELECTIONS
from utilitysched.kernels.stream import Words, below, uniform
from utilitysched.schedulers.genetic.options import FAMILY

Order = list[int]
Individual = Any
Made = TypeVar("Made", bound=Callable[..., Any])

COMPILED = {
    "selection": SELECTIONS,
    "crossover": CROSSOVERS,
    "mutator": MUTATIONS,
    "replacement": REPLACEMENTS,
}
"""Operators by kind that compiled code has, in the order of their numbers."""

_OF_DEAP = {
    "selection": (
        *("selBest", "selDoubleTournament", "selRandom", "selRoulette"),
        *("selStochasticUniversalSampling", "selTournament", "selWorst"),
    ),
    "crossover": ("cxOrdered", "cxPartialyMatched", "cxUniformPartialyMatched"),
    "mutator": ("mutInversion", "mutShuffleIndexes"),
    "replacement": (),
}
"""Operators of DEAP's that take orders and leave orders."""

_OPERATORS: dict[str, dict[str, Callable[..., Any]]] = {kind: {} for kind in COMPILED}


def operator(kind: str, name: str) -> Callable[[Made], Made]:
    """Enter the decorated function as an operator of the genetic scheduler, by name.

    Parameters
    ----------
    kind : str
        ``selection``, ``crossover``, ``mutator`` or ``replacement``: the option that names it.
    name : str
        Its name there. Other arguments than the individuals are given as in ``name:key=value``;
        one named ``stream`` gets the random stream of the decision.

    Examples
    --------
    >>> @operator("mutator", "reverse")
    ... def reverse(order):
    ...     order.reverse()
    ...     return (order,)
    >>> named("mutator", "reverse").name
    'reverse'
    """

    def enter(made: Made) -> Made:
        _OPERATORS[kind][name] = made
        return made

    return enter


@dataclass(frozen=True)
class NamedOperator:
    """An operator and the arguments that a text gives it.

    Attributes
    ----------
    kind, name : str
        As `operator` takes them.
    function : callable
        In DEAP's signature.
    arguments : dict of str to object
        By name.
    """

    kind: str
    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]

    def bound(self, stream: Words) -> Callable[..., Any]:
        """Return the operator with its arguments, drawing from a stream if it asks for one."""
        own = {"stream": stream} if "stream" in signature(self.function).parameters else {}
        return partial(self.function, **self.arguments, **own)

    @property
    def number(self) -> int | None:
        """The operator's number for compiled code; None where that has none."""
        names = COMPILED[self.kind]
        return names.index(self.name) if self.name in names else None


def named(kind: str, text: str) -> NamedOperator:
    """Find an operator by its text, ``name`` or ``name:key=value``, several joined by ``+``.

    Raises
    ------
    InputError
        Unknown name or argument, a value that is no number, or an argument missing.
    """
    name, _, rest = text.partition(":")
    # own operators go before those of DEAP
    function = _OPERATORS[kind].get(name)
    if function is None and name in _OF_DEAP[kind]:
        function = getattr(tools, name)
    if function is None:
        known = {*_OPERATORS[kind], *_OF_DEAP[kind]}
        raise _refusal(kind, f"{name!r} is no {kind}", nearest(name, known))
    # settings: what the signature has behind the individuals
    parameters = dict(list(signature(function).parameters.items())[_INDIVIDUALS[kind] :])
    parameters.pop("stream", None)
    # arguments as texts, checked against the signature
    arguments = {}
    for piece in filter(None, rest.split("+")):
        key, _, value = piece.partition("=")
        if key not in parameters:
            raise _refusal(kind, f"{name} has no argument {key!r}", nearest(key, parameters))
        arguments[key] = _number(kind, key, value)
    # settings without a default must be given
    for key, parameter in parameters.items():
        if parameter.default is Parameter.empty and key not in arguments:
            raise _refusal(kind, f"{name} needs {key}", f"write {name}:{key}=NUMBER")
    return NamedOperator(kind, name, function, arguments)


_INDIVIDUALS = {"selection": 2, "crossover": 2, "mutator": 1, "replacement": 3}
"""Arguments of each kind that are no settings: individuals, and how many are wanted."""


def _number(kind: str, key: str, text: str) -> float | int | bool:
    try:
        value = literal_eval(text.strip().title() if text.isalpha() else text)
    except (SyntaxError, ValueError):
        value = None
    if not isinstance(value, int | float):
        raise _refusal(kind, f"{key}={text} is no number", "write a number, as in tournsize=3")
    return value


def _refusal(kind: str, message: str, remedy: str) -> InputError:
    return InputError(message, source=FAMILY, field=kind, remedy=remedy)


@contextmanager
def borrowed_random(stream: Words) -> Iterator[None]:
    """Seed Python's global random generator from a stream, and put it back afterwards."""
    outside = random.getstate()
    random.seed(int(stream[0]))
    try:
        yield
    finally:
        random.setstate(outside)


# Selection


@operator("selection", "tournament")
def tournament(
    individuals: Sequence[Individual], k: int, *, tournsize: int = 3, stream: Words
) -> list[Individual]:
    """Select the fittest of `tournsize` drawn uniformly, the second parent among the others."""

    def drawn(barred: int) -> int:
        count, best = len(individuals) - (barred >= 0), -1
        for _ in range(tournsize):
            row = below(uniform(stream), count)
            row += 0 <= barred <= row
            if best < 0 or individuals[row].fitness > individuals[best].fitness:
                best = row
        return best

    return _parents(individuals, k, drawn)


@operator("selection", "roulette")
def roulette(
    individuals: Sequence[Individual], k: int, *, stream: Words, signed: bool = False
) -> list[Individual]:
    """Select in proportion to fitness, the second parent among the others (LEE 3.2.3).

    Less the least fitness if they may be `signed`. Uniformly where no weight is positive.
    """
    fitness = [individual.fitness.values[0] for individual in individuals]
    least = min(fitness) if signed else 0.0

    def drawn(barred: int) -> int:
        weight = {i: each - least for i, each in enumerate(fitness) if i != barred}
        positive = [i for i in weight if weight[i] > 0.0]
        draw = uniform(stream)
        if not positive:
            return list(weight)[below(draw, len(weight))]
        sums = list(accumulate(weight[i] for i in positive))
        at = bisect_right(sums, draw * sums[-1])
        return positive[min(at, len(positive) - 1)]

    return _parents(individuals, k, drawn)


def _parents(
    individuals: Sequence[Individual], k: int, drawn: Callable[[int], int]
) -> list[Individual]:
    """Return k individuals: every second one is drawn among those that the first is not."""
    rows: list[int] = []
    while len(rows) < k:
        one = drawn(-1)
        rows += [one, drawn(one if len(individuals) > 1 else -1)]
    return [individuals[row] for row in rows[:k]]


# Crossover


@operator("crossover", "order")
def order_crossover(one: Order, other: Order, *, stream: Words) -> tuple[Order, Order]:
    """Order crossover: a piece of one parent in place, other jobs as in the second parent.

    OX of Davis (1985), but that the rest is filled from the front, which decides what starts now.
    """
    first, last = sorted(below(uniform(stream), len(one)) for _ in range(2))
    return _cross(one, other, lambda a, b: _around(a, b, first, last))


@operator("crossover", "one-point")
def one_point(one: Order, other: Order, *, stream: Words) -> tuple[Order, Order]:
    """One-point crossover: the front of one parent, other jobs as in the second parent."""
    last = below(uniform(stream), len(one) - 1)
    return _cross(one, other, lambda a, b: _around(a, b, 0, last))


@operator("crossover", "mean-rank")
def mean_rank(one: Order, other: Order, *, stream: Words) -> tuple[Order, Order]:
    """Sort jobs by a weighted mean of their places in both orders, the weight drawn uniformly."""
    weight = uniform(stream)

    def child(a: Order, b: Order) -> Order:
        place_a, place_b = ({job: i for i, job in enumerate(order)} for order in (a, b))
        return sorted(
            range(len(a)), key=lambda job: weight * place_a[job] + (1.0 - weight) * place_b[job]
        )

    return _cross(one, other, child)


@operator("crossover", "zipper")
def zipper(one: Order, other: Order, *, stream: Words) -> tuple[Order, Order]:
    """Take the next job not yet taken from one order or the other, at random (LEE 3.2.3)."""
    first = [uniform(stream) < 0.5 for _ in one]

    def child(a: Order, b: Order) -> Order:
        taken: Order = []
        for from_a in first:
            taken.append(next(job for job in (a if from_a else b) if job not in taken))
        return taken

    return _cross(one, other, child)


@operator("crossover", "mixed")
def mixed(one: Order, other: Order, *, stream: Words) -> tuple[Order, Order]:
    """Cross by ``order``, ``one-point`` or ``mean-rank``, a third of the children each."""
    which = (order_crossover, one_point, mean_rank)[below(uniform(stream), 3)]
    return which(one, other, stream=stream)


def _around(a: Order, b: Order, first: int, last: int) -> Order:
    piece = a[first : last + 1]
    rest = [job for job in b if job not in set(piece)]
    return rest[:first] + piece + rest[first:]


def _cross(one: Order, other: Order, child: Callable[[Order, Order], Order]) -> tuple[Order, Order]:
    one[:], other[:] = child(one, other), child(other, one)
    return one, other


# Mutation


@operator("mutator", "front")
def front(order: Order, *, stream: Words) -> tuple[Order]:
    """Insert a job near the front, or swap it with one there: place n u^2, u uniform.

    Half of these places are in the first quarter: who is in front decides what starts now.
    """
    inserts = uniform(stream) < 0.5
    source, draw = below(uniform(stream), len(order)), uniform(stream)
    target = below(draw * draw, len(order))
    if inserts:
        order.insert(target, order.pop(source))
    else:
        order[source], order[target] = order[target], order[source]
    return (order,)


@operator("mutator", "swap")
def swap(order: Order, *, stream: Words) -> tuple[Order]:
    """Swap two jobs (LEE 3.2.2)."""
    one, other = below(uniform(stream), len(order)), below(uniform(stream), len(order) - 1)
    other += other >= one
    order[one], order[other] = order[other], order[one]
    return (order,)


# Replacement


@operator("replacement", "plus")
def plus(parents: list[Individual], children: list[Individual], k: int) -> list[Individual]:
    """Let the k best of parents and children go on, of equal plans one (mu + lambda)."""
    kept: dict[float, Individual] = {}
    for individual in sorted([*parents, *children], key=attrgetter("fitness"), reverse=True):
        kept.setdefault(individual.value, individual)
    return list(kept.values())[:k]


@operator("replacement", "comma")
def comma(parents: list[Individual], children: list[Individual], k: int) -> list[Individual]:
    """Let the k best of the children go on, of equal plans one (mu, lambda)."""
    return plus([], children or parents, k)


@operator("replacement", "generational")
def generational(parents: list[Individual], children: list[Individual], k: int) -> list[Individual]:
    """Let all children go on, and no parent (LEE 3.2)."""
    return (children or parents)[:k]

"""Orderings by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from swfx.base.registry import check_free

ScoreFunction = Callable[..., None]


@dataclass(frozen=True)
class Ordering:
    """A rule that puts the queue in order, lowest score first, ties in arrival order.

    Attributes
    ----------
    name : str
        Name on the command line.
    score : callable
        Plain function, compiled when first used. Called as ``score(now, queue, known,
        forecast, parameters, out)``: writes the score of ``queue[i]`` to ``out[i]``.
    dynamic : bool
        Scores change with time, so the queue is sorted at every pass.
    value_aware : bool
        Scores read utility functions, so the forecast matters.
    parameters : mapping of str to float
        Defaults of the numbers in ``parameters``, in that order.
    summary : str
        One line for people.
    ranges : mapping of str to (float, float)
        Least and largest value of the parameters that may not be any number.
    """

    name: str
    score: ScoreFunction
    dynamic: bool
    value_aware: bool
    parameters: Mapping[str, float]
    summary: str
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)


ORDERINGS: dict[str, Ordering] = {}


@dataclass(frozen=True)
class ordering:  # noqa: N801 - reads as the decorator it is
    """Enter the decorated score function as the ordering `name`.

    Parameters
    ----------
    name : str
        Name on the command line.
    dynamic, value_aware : bool
        See `Ordering`; a value-aware ordering is dynamic.
    parameters : mapping of str to float
        Option names and defaults.
    ranges : mapping of str to (float, float)
        See `Ordering`.
    summary : str
        One line for people.
    """

    name: str
    summary: str
    dynamic: bool = False
    value_aware: bool = False
    parameters: Mapping[str, float] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __call__(self, function: ScoreFunction) -> ScoreFunction:
        """Enter `function` and return it as it is."""
        earlier = ORDERINGS.get(self.name)
        check_free("ordering", self.name, earlier and earlier.score, function)
        ORDERINGS[self.name] = Ordering(
            self.name,
            function,
            self.dynamic or self.value_aware,
            self.value_aware,
            self.parameters,
            self.summary,
            self.ranges,
        )
        return function

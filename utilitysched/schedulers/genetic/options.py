"""The options of the genetic scheduler."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from swfx import InputError
from swfx.base.options import as_float, as_int, as_text, check_keys, nearest
from utilitysched.model.forecast import DURATIONS, OCCUPANCIES, ForecastRule
from utilitysched.model.threshold import Threshold

FAMILY = "ga"

SELECTIONS = ("roulette", "selTournament", "selRandom")
CROSSOVERS = ("zipper", "cxOrdered", "cxPartialyMatched", "cxUniformPartialyMatched")
MUTATORS = ("swap", "mutShuffleIndexes", "mutInversion")
PLANNINGS = ("requested", "expected")

PRESETS: dict[str, dict[str, str]] = {
    "lee": {"population": "20", "generations": "100", "mutation": "0.3", "warm": "false"},
    "checkpoints": {
        "preempt": "true",
        "occupancy": "predicted",
        "duration": "expected",
        "planning": "expected",
    },
}
"""Named sets of options: `lee` is the setting of the 2009 dissertation (LEE 3.3), `checkpoints` the
one of those measured that earns most by preemptions."""


_PREEMPTING = (
    "preemptions",
    "boost",
    "airline",
    "minimum",
    "lost",
    "margin",
    "preempt_generations",
)
_WEIGHTS = ("utility", "wait", "slowdown", "fairness", "predictability", "large")


@dataclass(frozen=True)
class GeneticOptions:
    """How the genetic scheduler searches, and for what.

    Attributes
    ----------
    population : int
        Queue orders in a generation, at least 2.
    generations : int
        Generations bred after the first; 0 takes the best of the first.
    mutation : float
        Probability that a child is mutated.
    selection, crossover, mutator : str
        The operators: ours (``roulette``, ``zipper``, ``swap``) or one of DEAP's by its name.
    duration : str
        How long the fitness takes jobs to run when it reads their utility functions: see
        `utilitysched.model.forecast.ForecastRule`.
    fraction : float
        Share of the requested time, for ``duration=fraction``.
    occupancy : str
        How long jobs are taken to occupy their processors where a seed of the first
        generation is sorted by value per processor-second: ``requested`` or ``predicted``.
    planning : str
        How long plans take jobs to hold their processors: ``requested``, or ``expected``, the mean
        of the samples of ``duration=expected`` that are longer than a job has run already.
    warm : bool
        Put the order last decided on into the next first generation.
    patience : int
        Stop after so many generations without a better plan; 0 for never.
    budget : float
        Stop after so many seconds in one decision. The result then depends on the
        speed of the machine and cannot be repeated.
    threshold : Threshold
        Jobs that have waited longer go first.
    utility, wait, slowdown, fairness, predictability, large : float
        Weights of the terms of the fitness: see `utilitysched.kernels.fitness.FitnessTerms`.
    preempt : bool
        Preempt running jobs that take checkpoints where that is worth more (LEE 6.7). The options
        that follow are for this.
    preemptions : int
        How often one job may be preempted.
    boost : bool
        Raise the utility of running jobs in plans in which they go on running, by their start
        values.
    airline : bool
        Preempted jobs go ahead of all other queued jobs but starved ones, in the order in which
        they were preempted.
    minimum : float
        Least time between a start of a job and its preemption (s).
    lost : float
        Charge for work that a preemption loses and for restart overheads (SU per processor-hour).
    margin : float
        Share by which a plan with preemptions must be worth more than the best found without; 0 for
        any gain, infinite for never.
    preempt_generations : int
        Generations bred in the search for plans with preemptions, which begins at the best plan
        without.
    """

    population: int = 20
    generations: int = 30
    mutation: float = 0.3
    selection: str = "roulette"
    crossover: str = "zipper"
    mutator: str = "swap"
    duration: str = "zero"
    fraction: float = 0.3
    occupancy: str = "requested"
    planning: str = "requested"
    warm: bool = True
    patience: int = 0
    budget: float = math.inf
    threshold: Threshold = field(default_factory=Threshold)
    utility: float = 1.0
    wait: float = 0.0
    slowdown: float = 0.0
    fairness: float = 0.0
    predictability: float = 0.0
    large: float = 0.0
    preempt: bool = False
    preemptions: int = 10
    boost: bool = False
    airline: bool = False
    minimum: float = 0.0
    lost: float = 2.0
    margin: float = 0.0
    preempt_generations: int = 2

    def __post_init__(self) -> None:
        _at_least(self, "population", 2)
        _at_least(self, "generations", 0)
        _at_least(self, "patience", 0)
        _at_least(self, "budget", 0.0)
        for name in (*_WEIGHTS, "preemptions", "minimum", "lost", "margin", "preempt_generations"):
            _at_least(self, name, 0.0)
        for name in _PREEMPTING:
            if not self.preempt and getattr(self, name) != getattr(type(self), name):
                raise _refusal("nothing is preempted", name, "give preempt=true, too")
        for name in ("mutation", "fraction"):
            _at_least(self, name, 0.0)
            if getattr(self, name) > 1.0:
                raise _refusal(f"{getattr(self, name):g} is over 1", name, "give 0 to 1")
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                message = f"{getattr(self, name)!r} is not a choice"
                raise _refusal(message, name, nearest(getattr(self, name), known))
        if self.planning == "expected" and self.duration != "expected":
            raise _refusal("nothing is expected", "planning", "give duration=expected, too")

    @classmethod
    def parse(cls, options: Mapping[str, str]) -> "GeneticOptions":
        """Read option texts; ``preset`` names a set that the other options change.

        Raises
        ------
        InputError
            Unknown option or preset, or a value that does not fit; names the option.

        Examples
        --------
        >>> GeneticOptions.parse({"preset": "lee", "mutation": "0.5"}).generations
        100
        """
        check_keys(options, defaults(), FAMILY)
        texts = dict(options)
        preset = texts.pop("preset", "none")
        if preset != "none" and preset not in PRESETS:
            message = f"{preset!r} is not a preset"
            raise _refusal(message, "preset", nearest(preset, PRESETS))
        texts = {**PRESETS.get(preset, {}), **texts}
        kinds = {option.name: option.type for option in fields(cls)}
        return cls(**{name: _READERS[kinds[name]](text, name) for name, text in texts.items()})

    @property
    def rule(self) -> ForecastRule:
        """What the fitness takes for granted about run times."""
        return ForecastRule(self.duration, self.fraction, self.occupancy)

    @property
    def may_preempt(self) -> bool:
        """Whether a running job can ever be preempted."""
        return self.preempt and self.preemptions > 0 and self.margin < math.inf

    @property
    def signed(self) -> bool:
        """Whether the fitness can be negative."""
        terms = (self.wait, self.slowdown, self.fairness, self.predictability, self.large)
        return any(weight != 0.0 for weight in terms)


def defaults() -> dict[str, str]:
    """Return every option and its default as texts."""
    texts = {option.name: _write(getattr(_DEFAULT, option.name)) for option in fields(_DEFAULT)}
    return {"preset": "none", **texts}


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Threshold):
        return "" if value == Threshold() else str(value)
    if value == math.inf:
        return ""
    return as_text(value)


def _read_bool(text: str, name: str) -> bool:
    if text not in ("true", "false"):
        raise _refusal(f"{text!r} is not a choice", name, "true or false")
    return text == "true"


def _read_float(text: str, name: str) -> float:
    return math.inf if (name, text) == ("margin", "inf") else as_float(text, FAMILY, name)


_READERS: dict[Any, Callable[[str, str], Any]] = {
    int: lambda text, name: as_int(text, FAMILY, name),
    float: _read_float,
    str: lambda text, _: text,
    bool: _read_bool,
    Threshold: lambda text, _: Threshold.parse(text),
}

_CHOICES: dict[str, tuple[str, ...]] = {
    "selection": SELECTIONS,
    "crossover": CROSSOVERS,
    "mutator": MUTATORS,
    "duration": DURATIONS,
    "occupancy": OCCUPANCIES,
    "planning": PLANNINGS,
}


def _at_least(options: GeneticOptions, name: str, least: float) -> None:
    value = getattr(options, name)
    if not value >= least:
        raise _refusal(f"{value:g} is below {least:g}", name, "give a larger number")


def _refusal(message: str, name: str, remedy: str) -> InputError:
    return InputError(message, source=FAMILY, field=name, remedy=remedy)


_DEFAULT = GeneticOptions()

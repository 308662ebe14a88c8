"""The families `ga` and `climb`, and their options."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from swfx import InputError
from swfx.base.bounds import require_between
from swfx.base.configured import (
    ANY,
    SHARE,
    Configured,
    choice,
    flag,
    named,
    number,
    option,
    whole,
    within,
)
from swfx.base.options import as_choice, as_float, as_seconds, as_text, check_keys, nearest
from utilitysched.kernels.fitness import TERMS
from utilitysched.model.forecast import DURATIONS, ForecastRule
from utilitysched.model.scheduling_pass import NEVER_STARVED, Threshold, threshold_text
from utilitysched.schedulers.list_options import order_from

FAMILY, CLIMB = "ga", "climb"
NONE = "none"
Weights = tuple[tuple[str, float], ...]
PLANNINGS = ("requested", "expected")
DAMPINGS = ("boost", "airline")

_DELAYS = (0.0, 7200.0, 43200.0, 86400.0)  # s
_SEEDS = ("index", *(f"value-and-delay:tau={hours * 3600}" for hours in (12, 2, 24)))

_PUBLISHED = {
    "selection": "roulette",
    "crossover": "zipper",
    "mutator": "swap",
    "mutation": "0.3",
    "replacement": "generational",
    "prior": "0",
    "spread": "inf",
}
_PLAIN = _PUBLISHED | {"generations": "30", "depth": "inf", "seeds": "none", "delays": "0"}
PRESETS: dict[str, dict[str, str]] = {
    "plain": _PLAIN,
    "lee": _PLAIN | {"generations": "100", "warm": "false"},
    "checkpoints": _PLAIN | {"preempt": "true", "duration": "expected", "planning": "expected"},
}
"""Named sets of options: `plain` searches the whole queue by generations of the published operators
alone, `lee` is the setting of the 2009 dissertation (LEE 3.3), `checkpoints` the one of those
measured that earns most by preemptions."""

CLIMBING = _PUBLISHED | {"generations": "0", "climb": "4"}
"""Options of the scheduler `climb`, which breeds nothing."""

BREEDING = ("generations", "selection", "crossover", "mutator", "mutation", "replacement")
"""Options that have no meaning where nothing is bred."""

_PREEMPTING = ("preemptions", "damping", "lost")


def _delays(text: str, source: str, field: str) -> tuple[float, ...]:
    return tuple(as_seconds(part, source, field) for part in text.split("+"))


def _listed(delays: tuple[float, ...]) -> str:
    return "+".join(as_text(delay) for delay in delays)


def _check_delays(delays: tuple[float, ...], source: str, field: str) -> None:
    for delay in delays:
        require_between(source, field, delay, *ANY)


def _orders(text: str) -> tuple[str, ...]:
    """Part a list of orderings; what has an equals sign and no colon before it goes on with one."""
    if text == NONE:
        return ()
    orders: list[str] = []
    for piece in filter(None, text.split(",")):
        # an option of the ordering before it
        if orders and "=" in piece.partition(":")[0]:
            orders[-1] += f",{piece}"
        else:
            orders.append(piece.strip())
    for each in orders:
        order_from(each)
    return tuple(orders)


def _listed_orders(orders: tuple[str, ...]) -> str:
    return ",".join(orders) or NONE


def _weights(text: str, source: str, field: str) -> Weights:
    pieces = [piece.partition(":") for piece in text.split("+")] if text else []
    return tuple((term, as_float(weight, source, field)) for term, _, weight in pieces)


def _weighed(weights: Weights) -> str:
    return "+".join(f"{term}:{as_text(weight)}" for term, weight in weights)


def _check_weights(weights: Weights, source: str, field: str) -> None:
    for term, weight in weights:
        _check_term(term, source, field)
        require_between(source, field, weight, *ANY)
    if len(dict(weights)) < len(weights):
        raise InputError("names a term twice", source=source, field=field, remedy="name it once")


def _dampings(text: str, source: str, field: str) -> tuple[str, ...]:
    given = {as_choice(each, DAMPINGS, source, field) for each in text.split("+") if each}
    return tuple(each for each in DAMPINGS if each in given)


def _check_term(term: str, source: str, field: str) -> None:
    if term not in TERMS:
        message = f"{term!r} is no term of the fitness"
        raise InputError(message, source=source, field=field, remedy=nearest(term, TERMS))


def _or_never(text: str, source: str, field: str) -> float:
    return math.inf if text == "inf" else as_float(text, source, field)


@dataclass(frozen=True)
class GeneticOptions(Configured):
    """Options of the genetic scheduler: search, fitness, preemption.

    Attributes
    ----------
    population : int
        Queue orders that go on, at least 2, and children of a generation.
    generations : int
        Generations bred after the first.
    selection, crossover, mutator, replacement : str
        Operators: see `utilitysched.schedulers.genetic.operators`.
    mutation : float
        Probability that a child is mutated.
    prior : float
        What the fitness takes from an order that is the reverse of the first seed's, as a share of
        what all jobs would earn alone: see `utilitysched.kernels.evolution`. Where almost nobody
        arrives any more, plans are trusted instead: see `GeneticScheduler`.
    seeds : tuple of str
        Orderings whose orders are in the first generation; jobs that are worth nothing any more
        come last there. The first one says which jobs are within `depth`.
    spread : float
        Mean places by which jobs fall back in the copies of the seeds that fill the first
        generation; infinite for random orders and LEE's four guesses in their place.
    warm : bool
        Put the order last decided on into the next first generation.
    depth : float
        So many jobs of the queue are put in order, those first by the first seed; the others
        follow in its order and are not planned. Infinite for all.
    climb : int
        Then move single jobs of the best order to one of so many places in front, or to the end, as
        long as its fitness is better then; 0 for never.
    duration : str
        How long the fitness takes jobs to run when it reads their utility functions: see
        `utilitysched.model.forecast.ForecastRule`.
    delays : tuple of float
        The fitness reads utility functions so much later than that, too (s); the mean counts.
    planning : str
        How long plans take jobs to hold their processors: ``requested``, or ``expected``, the mean
        of the samples of ``duration=expected`` that are longer than a job has run already.
    weights : tuple of (str, float)
        Weights of the terms of the fitness, see `utilitysched.kernels.fitness.FitnessTerms`; 1 for
        the utility, 0 for others.
    threshold : Threshold
        Jobs that have waited longer go first.
    preempt : bool
        Preempt running jobs that take checkpoints where that is worth more (LEE 6.7). The options
        that follow are for this.
    preemptions : int
        How often one job may be preempted.
    damping : tuple of str
        ``boost``: raise the utility of running jobs in plans in which they go on running, by their
        start values. ``airline``: preempted jobs go ahead of all other queued jobs but starved
        ones, in the order in which they were preempted.
    lost : float
        Charge for work that a preemption loses and for restart overheads (SU per processor-hour).
    """

    LISTED = "utilitysched list schedulers"
    name = FAMILY

    population: int = whole(20, (2, math.inf))
    generations: int = whole(10, ANY)
    selection: str = option(str, "tournament")
    crossover: str = option(str, "mixed")
    mutator: str = option(str, "front")
    mutation: float = number(0.5, SHARE)
    replacement: str = option(str, "plus")
    prior: float = number(0.2, ANY)
    seeds: tuple[str, ...] = option(_orders, _SEEDS, _listed_orders)
    spread: float = named(_or_never, 0.25, as_text, within(ANY))
    warm: bool = flag(True)
    depth: float = named(_or_never, 32.0, as_text, within((1.0, math.inf)))
    climb: int = whole(0, ANY)
    duration: str = choice(DURATIONS, "zero")
    delays: tuple[float, ...] = named(_delays, _DELAYS, _listed, _check_delays)
    planning: str = choice(PLANNINGS, "requested")
    weights: tuple[tuple[str, float], ...] = named(_weights, (), _weighed, _check_weights)
    threshold: Threshold = option(Threshold.parse, NEVER_STARVED, threshold_text)
    preempt: bool = flag()
    preemptions: int = whole(10, ANY)
    damping: tuple[str, ...] = named(_dampings, (), "+".join)
    lost: float = number(2.0, ANY)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in _PREEMPTING:
            if not self.preempt and getattr(self, name) != getattr(type(self), name):
                raise _refusal("nothing is preempted", name, "give preempt=true, too")
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
        check_keys(options, defaults(), FAMILY, cls.LISTED)
        texts = dict(options)
        preset = texts.pop("preset", "none")
        if preset != "none" and preset not in PRESETS:
            message = f"{preset!r} is not a preset"
            raise _refusal(message, "preset", nearest(preset, PRESETS))
        return cls.from_texts(PRESETS.get(preset, {}) | texts)

    @property
    def rule(self) -> ForecastRule:
        """What the fitness takes for granted about run times."""
        occupancy = "predicted" if self.planning == "expected" else "requested"
        return ForecastRule(self.duration, occupancy=occupancy)

    def weight(self, term: str) -> float:
        """Return the weight of a term of the fitness."""
        return dict(self.weights).get(term, 1.0 if term == "utility" else 0.0)

    @property
    def may_preempt(self) -> bool:
        """Whether a running job can ever be preempted."""
        return self.preempt and self.preemptions > 0

    @property
    def compares_with_before(self) -> bool:
        """Whether plans are compared with the one last decided on."""
        return self.weight("predictability") > 0.0

    @property
    def signed(self) -> bool:
        """Whether the fitness can be negative."""
        return any(self.weight(term) != 0.0 for term in TERMS[1:])


def defaults() -> dict[str, str]:
    """Return every option of `ga` and its default as texts."""
    own = {name: text for name, text in GeneticOptions.defaults().items() if name != "climb"}
    return {"preset": "none", **own}


def climbing_defaults() -> dict[str, str]:
    """Return every option of `climb` and its default as texts."""
    texts = GeneticOptions.defaults() | CLIMBING
    return {name: text for name, text in texts.items() if name not in BREEDING}


def _refusal(message: str, name: str, remedy: str) -> InputError:
    return InputError(message, source=FAMILY, field=name, remedy=remedy)

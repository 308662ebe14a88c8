"""The options of the genetic scheduler."""

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
    seconds,
    whole,
    within,
)
from swfx.base.options import as_float, as_seconds, as_text, check_keys, nearest
from utilitysched.kernels.fitness import TERMS
from utilitysched.kernels.policy import NO_RESERVE
from utilitysched.model.forecast import DURATIONS, OCCUPANCIES, ForecastRule
from utilitysched.model.threshold import NEVER_STARVED, Threshold
from utilitysched.schedulers.list_options import order_from

FAMILY = "ga"

KNEE = "knee"
SELECTIONS = ("roulette", "selTournament", "selRandom")
CROSSOVERS = ("zipper", "cxOrdered", "cxPartialyMatched", "cxUniformPartialyMatched")
MUTATORS = ("swap", "mutShuffleIndexes", "mutInversion")
RULES = ("index", "value-and-delay", "none")
PLANNINGS = ("requested", "expected")

_DELAYS = (0.0, 7200.0, 43200.0, 86400.0)  # s

_PLAIN = {
    "population": "20",
    "generations": "30",
    "mutation": "0.3",
    "depth": "inf",
    "rules": "none",
    "climb": "0",
    "delays": "0",
}
PRESETS: dict[str, dict[str, str]] = {
    "plain": _PLAIN,
    "lee": _PLAIN | {"generations": "100", "warm": "false"},
    "checkpoints": {
        **_PLAIN,
        "preempt": "true",
        "occupancy": "predicted",
        "duration": "expected",
        "planning": "expected",
    },
}
"""Named sets of options: `plain` searches the whole queue by generations alone, `lee` is the
setting of the 2009 dissertation (LEE 3.3), `checkpoints` the one of those measured that earns most
by preemptions."""


_PREEMPTING = (
    "preemptions",
    "boost",
    "airline",
    "minimum",
    "lost",
    "margin",
    "preempt_generations",
)


def _or_off(value: float | Threshold) -> str:
    """Return a text, the empty one for no limit."""
    return "" if value in (math.inf, NEVER_STARVED) else str(value)


def _delays(text: str, source: str, field: str) -> tuple[float, ...]:
    return tuple(as_seconds(part, source, field) for part in text.split("+"))


def _listed(delays: tuple[float, ...]) -> str:
    return "+".join(as_text(delay) for delay in delays)


def _check_delays(delays: tuple[float, ...], source: str, field: str) -> None:
    for delay in delays:
        require_between(source, field, delay, *ANY)


def _orders(text: str) -> tuple[str, ...]:
    """Part a list of orderings; what has an equals sign and no colon before it goes on with one."""
    found: list[str] = []
    for piece in filter(None, text.split(",")):
        if found and "=" in piece.partition(":")[0]:
            found[-1] += f",{piece}"
        else:
            found.append(piece.strip())
    for each in found:
        order_from(each)
    return tuple(found)


def _terms(text: str, source: str, field: str) -> tuple[str, ...]:  # noqa: ARG001
    return tuple(text.split("+")) if text else ()


def _check_terms(terms: tuple[str, ...], source: str, field: str) -> None:
    for term in terms:
        if term not in TERMS:
            raise InputError(
                f"{term!r} is no term of the fitness",
                source=source,
                field=field,
                remedy=nearest(term, TERMS),
            )
    if terms and (len(set(terms)) < len(terms) or not 2 <= len(terms) <= 3):
        message = f"{'+'.join(terms)} are not two or three terms"
        raise InputError(message, source=source, field=field, remedy="write utility+wait")


def _or_never(text: str, source: str, field: str) -> float:
    return math.inf if text == "inf" else as_float(text, source, field)


@dataclass(frozen=True)
class GeneticOptions(Configured):
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
    delays : tuple of float
        The fitness reads utility functions so much later than that, too (s); the mean counts.
    occupancy : str
        How long jobs are taken to occupy their processors where they are sorted by value per
        processor-second: ``requested`` or ``predicted``.
    planning : str
        How long plans take jobs to hold their processors: ``requested``, or ``expected``, the mean
        of the samples of ``duration=expected`` that are longer than a job has run already.
    depth : float
        So many jobs of the queue are put in order, those first by the first of `initial.rules`; the
        others follow in the order of this rule and are not planned. Infinite for all.
    rules : str
        Put the orders of `initial.rules` into the first generation, before all others: ``index``
        for that one and ``value-and-delay``, ``value-and-delay`` for the latter alone, or ``none``.
    seeds : tuple of str
        Orderings whose orders are in the first generation behind those of the rules, as in
        ``saf,mixed:weights=FILE``.
    climb : int
        Move single jobs of the best order to one of so many places in front, or to the end, as long
        as it is worth more then; 0 for never.
    lead : float
        Share by which the best plan must be worth more than that of the first order the search
        begins with to be followed in its place; 0 for any gain, infinite for never.
    warm : bool
        Put the order last decided on into the next first generation.
    patience : int
        Stop after so many generations without a better plan; 0 for never.
    budget : float
        Stop after so many seconds in one decision. The result then depends on the
        speed of the machine and cannot be repeated.
    threshold : Threshold
        Jobs that have waited longer go first.
    utility, wait, slowdown, longest, fairness, jain, predictability, large : float
        Weights of the terms of the fitness: see `utilitysched.kernels.fitness.FitnessTerms`.
    pareto : tuple of str
        Search for the front of the plans of which none is better in each of these terms, two or
        three, in place of the best weighted one; empty for that.
    pick : str
        Which plan of the front is decided on: ``knee``, see `front.FrontSearch`, or the best by a
        term.
    reserve, idle : float
        Jobs that are worth less wait for idle time: see `utilitysched.kernels.policy.ReserveRule`.
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

    name = FAMILY

    population: int = whole(20, (2, math.inf))
    generations: int = whole(0, ANY)
    mutation: float = number(0.3, SHARE)
    selection: str = choice(SELECTIONS, "roulette")
    crossover: str = choice(CROSSOVERS, "zipper")
    mutator: str = choice(MUTATORS, "swap")
    duration: str = choice(DURATIONS, "zero")
    fraction: float = number(0.3, SHARE)
    delays: tuple[float, ...] = named(_delays, _DELAYS, _listed, _check_delays)
    occupancy: str = choice(OCCUPANCIES, "requested")
    planning: str = choice(PLANNINGS, "requested")
    depth: float = named(_or_never, 32.0, as_text, within((1.0, math.inf)))
    rules: str = choice(RULES, "index")
    seeds: tuple[str, ...] = option(_orders, (), ",".join)
    climb: int = whole(4, ANY)
    lead: float = named(_or_never, 0.0, as_text, within(ANY))
    warm: bool = flag(True)
    patience: int = whole(0, ANY)
    budget: float = named(as_seconds, math.inf, _or_off, within(ANY))
    threshold: Threshold = option(Threshold.parse, NEVER_STARVED, _or_off)
    utility: float = number(1.0, ANY)
    wait: float = number(0.0, ANY)
    slowdown: float = number(0.0, ANY)
    longest: float = number(0.0, ANY)
    fairness: float = number(0.0, ANY)
    jain: float = number(0.0, ANY)
    predictability: float = number(0.0, ANY)
    large: float = number(0.0, ANY)
    pareto: tuple[str, ...] = named(_terms, (), "+".join, _check_terms)
    pick: str = choice((KNEE, *TERMS), KNEE)
    reserve: float = number(NO_RESERVE.price, ANY)
    idle: float = number(NO_RESERVE.idle, SHARE)
    preempt: bool = flag()
    preemptions: int = whole(10, ANY)
    boost: bool = flag()
    airline: bool = flag()
    minimum: float = seconds(0.0, ANY)
    lost: float = number(2.0, ANY)
    margin: float = named(_or_never, 0.0, as_text, within(ANY))
    preempt_generations: int = whole(2, ANY)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in _PREEMPTING:
            if not self.preempt and getattr(self, name) != getattr(type(self), name):
                raise _refusal("nothing is preempted", name, "give preempt=true, too")
        if self.preempt and self.reserve:
            message = "jobs that wait for idle time do not preempt others"
            raise _refusal(message, "reserve", "leave it out, or preempt=true")
        self._check_front()
        if self.planning == "expected" and self.duration != "expected":
            raise _refusal("nothing is expected", "planning", "give duration=expected, too")

    def _check_front(self) -> None:
        """Refuse what a front leaves without a meaning, and the other way round."""
        if self.pick != KNEE and self.pick not in self.pareto:
            raise _refusal(f"{self.pick!r} is no term of the front", "pick", "name it in pareto")
        if not self.pareto:
            return
        if self.signed or self.utility != 1.0:
            raise _refusal("terms have no weights there", "pareto", "leave weights out")
        for name in ("preempt", "patience", "lead"):
            if getattr(self, name):
                raise _refusal("is not for fronts", name, "leave it out, or pareto")

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
        return cls.from_texts(PRESETS.get(preset, {}) | texts)

    @property
    def rule(self) -> ForecastRule:
        """What the fitness takes for granted about run times."""
        return ForecastRule(self.duration, self.fraction, self.occupancy)

    @property
    def may_preempt(self) -> bool:
        """Whether a running job can ever be preempted."""
        return self.preempt and self.preemptions > 0 and self.margin < math.inf

    @property
    def compares_with_before(self) -> bool:
        """Whether plans are compared with the one last decided on."""
        return self.predictability > 0.0 or "predictability" in self.pareto

    @property
    def signed(self) -> bool:
        """Whether the fitness can be negative."""
        return any(getattr(self, name) != 0.0 for name in TERMS[1:])


def defaults() -> dict[str, str]:
    """Return every option and its default as texts."""
    return {"preset": "none", **GeneticOptions.defaults()}


def _refusal(message: str, name: str, remedy: str) -> InputError:
    return InputError(message, source=FAMILY, field=name, remedy=remedy)

"""The options of ordering x placement."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, make_dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

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
)
from swfx.base.options import as_int, nearest, split_options
from utilitysched.kernels.policy import NO_RESERVE, ReserveRule
from utilitysched.model.forecast import DURATIONS, OCCUPANCIES, ForecastRule
from utilitysched.model.scheduling_pass import NEVER_STARVED, Threshold, threshold_text
from utilitysched.schedulers.list_scheduler import EVERYTHING, ListScheduler
from utilitysched.schedulers.orderings import (
    ORDERINGS,
    Ordering,
    fcfs,  # noqa: F401 - that of `CLASSICS`, which need no other
    orderings,
)
from utilitysched.schedulers.orderings.weights import read_weights
from utilitysched.schedulers.orders import Order
from utilitysched.schedulers.placements import placements
from utilitysched.schedulers.python_orders import PythonListScheduler, PythonOrder


class Classic(NamedTuple):
    """A combination with a name of its own."""

    ordering: str
    placement: str
    summary: str


CLASSICS = {
    "fcfs": Classic("fcfs", "none", "first come first served, no backfilling"),
    "easy": Classic("fcfs", "easy", "first come first served with EASY backfilling"),
    "conservative": Classic("fcfs", "conservative", "conservative backfilling"),
}

Member = TypeVar("Member")


def _known(known: Mapping[str, Member], name: str, kind: str, source: str, field: str) -> Member:
    """Return an ordering or a placement by name."""
    if name not in known:
        problem = f"unknown {kind} {name!r}"
        raise InputError(problem, source=source, field=field, remedy=nearest(name, known))
    return known[name]


def _check_placement(name: str, source: str, field: str) -> None:
    _known(placements(), name, "placement", source, field)


def _check_backfill(name: str, source: str, field: str) -> None:
    if name:
        _known(orderings(), name, "ordering", source, field)


def _read_reservations(text: str, source: str, field: str) -> int:
    return EVERYTHING if text == "all" else as_int(text, source, field)


def _check_reservations(count: int, source: str, field: str) -> None:
    require_between(source, field, count, *ANY)


def _as_given(text: str, *_: str) -> str:
    return text


def _placement_option(default: str) -> Any:
    return named(_as_given, default, str, _check_placement)


@dataclass(frozen=True, kw_only=True)
class OrderOptions(Configured):
    """Numbers of an ordering, an option each or all in a file of weights."""

    LISTED = "utilitysched list schedulers"

    ordering: ClassVar[Ordering]

    @property
    def order(self) -> Order:
        """The ordering with its numbers.

        Raises
        ------
        InputError
            A file of weights and numbers besides, a file that cannot be read, or a mix of which
            all weights are 0.
        """
        usual = self.ordering.parameters
        numbers = {name: self._number(name, default) for name, default in usual.items()}
        file = getattr(self, "weights", None)
        if file:
            changed = next((name for name in usual if numbers[name] != usual[name]), None)
            if changed:
                both = f"weights names a file, and {changed} is given, too"
                raise self._refusal(both, "weights", "give one of them")
            numbers = read_weights(file, list(usual))
        if self.ordering.name == "mixed" and not any(numbers.values()):
            remedy = "give at least one weight, as in wait=1"
            raise InputError("all weights are 0", source=self.name, remedy=remedy)
        return order_of(self.ordering, numbers)

    def _number(self, name: str, default: float) -> float:
        """Return a parameter, the code of a word."""
        given = getattr(self, name, default)
        words = self.ordering.choices.get(name)
        return words.index(given) if words else given

    def _refusal(self, problem: str, field: str, remedy: str) -> InputError:
        return InputError(problem, source=self.name, field=field, remedy=remedy)


@dataclass(frozen=True, kw_only=True)
class ListOptions(OrderOptions):
    """Options of every list scheduler: placement, backfill order and limits.

    Attributes
    ----------
    placement : str
        Name of the placement.
    backfill : str
        Ordering of the jobs behind a blocked one; empty for the queue order.
    threshold : Threshold
        Starvation threshold.
    reservations : int, optional
        Blocked jobs that hold a reservation, ``all`` for every one; planned anew at every pass.
        None for what the placement does by itself.
    window : float, optional
        No reservation further away than this (s).
    depth : int, optional
        Queued jobs looked at in one pass.
    replan : bool
        Plan the reservations of conservative placement anew at every pass; always done where the
        order of the queue can change.
    reserve, idle : float
        See `utilitysched.kernels.policy.ReserveRule`.
    """

    placement: str = _placement_option("easy")
    backfill: str = named(_as_given, "", str, _check_backfill)
    threshold: Threshold = option(Threshold.parse, NEVER_STARVED, threshold_text)
    reservations: int | None = named(_read_reservations, None, str, _check_reservations)
    window: float | None = seconds(None, ANY)
    depth: int | None = whole(None, (1, math.inf))
    replan: bool = flag()
    reserve: float = number(0.0, ANY)
    idle: float = number(NO_RESERVE.idle, SHARE)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.backfill and self.placement in ("none", "conservative"):
            problem = f"placement {self.placement} has no backfill order"
            raise self._refusal(problem, "backfill", "leave backfill out, or use placement=easy")
        if self._limited and self.placement not in ("easy", "reservations"):
            raise InputError(
                f"placement {self.placement} has no reservations to limit",
                source=self.name,
                remedy="use reservations= and window= with placement=easy",
            )
        if self.replan and self.placement != "conservative":
            raise self._refusal(
                "only conservative placement can be planned anew",
                "replan",
                "add placement=conservative, or leave replan out",
            )

    @property
    def rule(self) -> ForecastRule:
        """Forecast rule of value-aware orderings."""
        return ForecastRule()

    @property
    def _limited(self) -> bool:
        return self.reservations is not None or self.window is not None

    @property
    def _order_changes(self) -> bool:
        """Whether a later pass may look at the same jobs in another order."""
        never = self.threshold == NEVER_STARVED and self.depth is None and not self.reserve
        return self.ordering.dynamic or not never

    def scheduler(self, label: str) -> ListScheduler:
        """Return the scheduler with these options."""
        placement, reservations = self.placement, self.reservations
        if self._limited:
            placement = "reservations"
        elif placement == "conservative" and (self.replan or self._order_changes):
            placement, reservations = "reservations", EVERYTHING
        backfill = orderings()[self.backfill] if self.backfill else None
        order = self.order
        backfill_order = order_of(backfill, backfill.parameters) if backfill else None
        in_python = any(isinstance(each, PythonOrder) for each in (order, backfill_order))
        return (PythonListScheduler if in_python else ListScheduler)(
            label,
            order,
            placements()[placement],
            backfill_order,
            self.threshold,
            1 if reservations is None else reservations,
            math.inf if self.window is None else self.window,
            EVERYTHING if self.depth is None else self.depth,
            self.rule,
            ReserveRule(self.reserve, self.idle),
        )


@dataclass(frozen=True, kw_only=True)
class ValueAwareOptions(ListOptions):
    """Options of list schedulers that read utility functions.

    Attributes
    ----------
    duration, fraction, occupancy
        See `utilitysched.model.forecast.ForecastRule`.
    """

    duration: str = choice(DURATIONS, "zero")
    fraction: float = number(0.3, SHARE)
    occupancy: str = choice(OCCUPANCIES, "predicted")

    @property
    def rule(self) -> ForecastRule:
        """Forecast rule of value-aware orderings."""
        return ForecastRule(self.duration, self.fraction, self.occupancy)


def _parameter_option(ordering: Ordering, name: str, default: float) -> Any:
    """Return the option of a parameter: a word, a time or a number."""
    if name in ordering.choices:
        words = ordering.choices[name]
        return choice(words, words[int(default)])
    kind = seconds if name in ordering.times else number
    return kind(None if math.isnan(default) else default, ordering.ranges.get(name))


@cache
def order_options(ordering: Ordering) -> type[OrderOptions]:
    """Return the options class of an ordering: a field for each of its numbers."""
    fields: list[tuple[str, Any, Any]] = []
    if ordering.given_by != "options":
        fields.append(("weights", Path | None, named(lambda text, *_: Path(text), None)))
    if ordering.given_by != "file":
        for name, default in ordering.parameters.items():
            fields.append((name, Any, _parameter_option(ordering, name, default)))
    return make_dataclass(
        "NumbersOf" + ordering.name.title().replace("-", ""),
        fields,
        bases=(OrderOptions,),
        namespace={"name": ordering.name, "ordering": ordering},
        frozen=True,
        kw_only=True,
    )


@cache
def _list_options(
    name: str, ordering: Ordering, placement: str, base: type[ListOptions]
) -> type[ListOptions]:
    return make_dataclass(
        base.__name__,
        [("placement", str, _placement_option(placement))],
        bases=(base, order_options(ordering)),
        namespace={"name": name},
        frozen=True,
        kw_only=True,
    )


def list_options(name: str, backfill: str = "") -> type[ListOptions]:
    """Return the options class of a list scheduler.

    Parameters
    ----------
    name : str
        An ordering, or one of `CLASSICS`.
    backfill : str
        Ordering of the jobs behind a blocked one; options of forecasts are there if this or the
        queue order is value-aware.

    Examples
    --------
    >>> list_options("saf").from_text("depth=5").label
    'saf:depth=5'
    """
    classic = CLASSICS.get(name, Classic(name, "easy", ""))
    ordering = ORDERINGS.get(classic.ordering) or orderings()[classic.ordering]
    behind = orderings().get(backfill, ordering) if backfill else ordering
    value_aware = ordering.value_aware or behind.value_aware
    base = ValueAwareOptions if value_aware else ListOptions
    return _list_options(name, ordering, classic.placement, base)


def list_scheduler(label: str, name: str, options: Mapping[str, str]) -> ListScheduler:
    """Make the list scheduler `name` (an ordering or one of `CLASSICS`).

    Raises
    ------
    InputError
        Unknown option, or a value that does not fit; names the option.
    """
    kind = list_options(name, options.get("backfill", ""))
    return kind.from_texts(options).scheduler(label)


def order_of(ordering: Ordering, numbers: Mapping[str, float]) -> Order:
    """Return an ordering with its numbers."""
    parameters = tuple(numbers.values())
    if ordering.reads_usage:
        from utilitysched.schedulers.usage_orders import UsageOrder  # noqa: PLC0415 - read seldom

        return UsageOrder(ordering, parameters)
    return (PythonOrder if ordering.in_python else Order)(ordering, parameters)


def order_from(text: str) -> Order:
    """Make an order from an ordering with its numbers, ``NAME[:key=value,...]``.

    Raises
    ------
    InputError
        Unknown ordering or option, a value that does not fit, or an ordering that is in Python or
        reads usage.
    """
    name, _, rest = (part.strip() for part in text.partition(":"))
    ordering = _known(orderings(), name, "ordering", text, "seeds")
    if ordering.in_python or ordering.reads_usage:
        problem = "scores jobs in Python" if ordering.in_python else "reads usage"
        remedy = "name an ordering that reads the queue only"
        raise InputError(problem, source=name, field="seeds", remedy=remedy)
    return order_options(ordering).from_texts(split_options(rest, name)).order

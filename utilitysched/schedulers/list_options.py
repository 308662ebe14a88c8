"""The options of ordering x placement."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from swfx import InputError
from swfx.base.bounds import require_between
from swfx.base.options import (
    as_choice,
    as_float,
    as_int,
    as_seconds,
    as_text,
    check_keys,
    nearest,
    split_options,
)
from utilitysched.kernels.policy import NO_RESERVE, ReserveRule
from utilitysched.model.forecast import DURATIONS, OCCUPANCIES, ForecastRule
from utilitysched.model.scheduling_pass import Threshold
from utilitysched.schedulers.list_scheduler import EVERYTHING, ListScheduler, Order
from utilitysched.schedulers.orderings import Ordering, orderings
from utilitysched.schedulers.orderings.weights import read_weights
from utilitysched.schedulers.placements import placements


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

_OPTIONS = {
    "placement": "easy",
    "backfill": "",
    "threshold": "",
    "reservations": "",  # given, be it as 1, they are planned ahead, which EASY does not do
    "window": "",
    "depth": "",
    "replan": "false",
    "reserve": "0",
    "idle": as_text(NO_RESERVE.idle),
}
_MOST = {"reserve": math.inf, "idle": 1.0}
_VALUE_OPTIONS = {"duration": "zero", "fraction": "0.3", "occupancy": "predicted"}


def list_defaults(ordering: Ordering) -> dict[str, str]:
    """Return every option of schedulers with this ordering, and its default."""
    return {
        **order_defaults(ordering),
        **_OPTIONS,
        **(_VALUE_OPTIONS if ordering.value_aware else {}),
    }


def order_defaults(ordering: Ordering) -> dict[str, str]:
    """Return the options that are an ordering's own, and their defaults."""
    return {
        **({} if ordering.given_by == "options" else {"weights": ""}),
        **({} if ordering.given_by == "file" else _as_options(ordering.parameters)),
    }


def _as_options(parameters: Mapping[str, float]) -> dict[str, str]:
    return {name: as_text(value) for name, value in parameters.items()}


def options_of(name: str, options: Mapping[str, str]) -> dict[str, str]:
    """Return every option of the list scheduler `name` beside those given, and its default."""
    classic = _classic(name)
    backfill = orderings().get(options.get("backfill", ""))
    return {
        **list_defaults(orderings()[classic.ordering]),
        "placement": classic.placement,
        **(_VALUE_OPTIONS if backfill is not None and backfill.value_aware else {}),
    }


def _classic(name: str) -> Classic:
    return CLASSICS.get(name, Classic(name, "easy", ""))


def list_scheduler(label: str, name: str, options: dict[str, str]) -> ListScheduler:
    """Make the list scheduler `name` (an ordering or one of `CLASSICS`).

    Raises
    ------
    InputError
        Unknown option, or a value that does not fit; names the option.
    """
    classic = _classic(name)
    ordering = orderings()[classic.ordering]
    behind = options.get("backfill")
    backfill = behind and _known(orderings(), behind, "ordering", name, "backfill")
    defaults = options_of(name, options)
    check_keys(options, defaults, name)
    placement = options.get("placement", classic.placement)
    scheduler = ListScheduler(
        label,
        Order(ordering, _parameters(ordering, options, name)),
        _known(placements(), placement, "placement", name, "placement"),
        Order(backfill, tuple(backfill.parameters.values())) if backfill else None,
        Threshold.parse(options["threshold"]) if "threshold" in options else Threshold(),
        rule=_rule(defaults | options, name),
    )
    if backfill and scheduler.placement.name in ("none", "conservative"):
        raise InputError(
            f"placement {scheduler.placement.name} has no backfill order",
            source=name,
            field="backfill",
            remedy="leave backfill out, or use placement=easy",
        )
    return _limited(scheduler, options, name)


Member = TypeVar("Member")


def _known(known: Mapping[str, Member], name: str, kind: str, source: str, field: str) -> Member:
    """Return an ordering or a placement by name."""
    if name not in known:
        problem = f"unknown {kind} {name!r}"
        raise InputError(problem, source=source, field=field, remedy=nearest(name, known))
    return known[name]


def _parameters(ordering: Ordering, options: dict[str, str], source: str) -> tuple[float, ...]:
    given = {
        name: _reader(ordering, name)(options[name], source, name)
        for name in ordering.parameters
        if name in options
    }
    if options.get("weights"):
        if given:
            both = f"weights names a file, and {next(iter(given))} is given, too"
            raise InputError(both, source=source, field="weights", remedy="give one of them")
        given = read_weights(Path(options["weights"]), list(ordering.parameters))
    values = {**ordering.parameters, **given}
    for name, value in values.items():
        least, largest = ordering.ranges.get(name, (-math.inf, math.inf))
        if not least <= value <= largest:
            raise InputError(
                f"{as_text(value)} is out of range",
                source=source,
                field=name,
                remedy=f"give {as_text(least)} or more"
                + (f", at most {as_text(largest)}" if largest < math.inf else ""),
            )
    if ordering.name == "mixed" and not any(values.values()):
        raise InputError(
            "all weights are 0", source=source, remedy="give at least one weight, as in wait=1"
        )
    return tuple(values.values())


def _reader(ordering: Ordering, name: str) -> Callable[[str, str, str], float]:
    return as_seconds if name in ordering.times else as_float


def order_from(text: str) -> Order:
    """Make an order from an ordering with its numbers, ``NAME[:key=value,...]``.

    Raises
    ------
    InputError
        Unknown ordering or option, or a value that does not fit.
    """
    name, _, rest = (part.strip() for part in text.partition(":"))
    ordering: Ordering = _known(orderings(), name, "ordering", text, "seeds")
    options = split_options(rest, name)
    check_keys(options, order_defaults(ordering), name)
    return Order(ordering, _parameters(ordering, options, name))


def _rule(options: dict[str, str], source: str) -> ForecastRule:
    if "duration" not in options:
        return ForecastRule()
    fraction = as_float(options["fraction"], source, "fraction")
    if not 0 <= fraction <= 1:
        raise InputError(
            f"{fraction:g} is not in [0, 1]",
            source=source,
            field="fraction",
            remedy="give the share of the requested time that jobs are taken to run",
        )
    return ForecastRule(
        as_choice(options["duration"], DURATIONS, source, "duration"),
        fraction,
        as_choice(options["occupancy"], OCCUPANCIES, source, "occupancy"),
    )


def _limited(scheduler: ListScheduler, options: dict[str, str], source: str) -> ListScheduler:
    """Apply the options that bound how far the placement looks."""
    reservations = _reservations(options, source)
    window = _positive(options, "window", source)
    depth = _depth(options, source)
    name = scheduler.placement.name
    if name in ("easy", "reservations") and (reservations is not None or window != math.inf):
        scheduler = replace(
            scheduler,
            placement=placements()["reservations"],
            reservations=1 if reservations is None else reservations,
            window=window,
        )
    elif reservations is not None or window != math.inf:
        raise InputError(
            f"placement {name} has no reservations to limit",
            source=source,
            remedy="use reservations= and window= with placement=easy",
        )
    reserve, idle = (_within(options, name, most, source) for name, most in _MOST.items())
    scheduler = replace(scheduler, depth=depth, reserve=ReserveRule(reserve, idle))
    return _replanned(scheduler, options, source)


def _within(options: dict[str, str], field: str, most: float, source: str) -> float:
    value = as_float(options.get(field, _OPTIONS[field]), source, field)
    require_between(source, field, value, 0.0, most)
    return value


def _replanned(scheduler: ListScheduler, options: dict[str, str], source: str) -> ListScheduler:
    """Plan conservative reservations anew at every pass where told to or unavoidable."""
    given = options.get("replan", "")
    if given not in ("", "true", "false"):
        raise InputError(
            f"{given!r} is not a choice", source=source, field="replan", remedy="true or false"
        )
    if scheduler.placement.name != "conservative":
        if given == "true":
            raise InputError(
                "only conservative placement can be planned anew",
                source=source,
                field="replan",
                remedy="add placement=conservative, or leave replan out",
            )
        return scheduler
    changing = (
        scheduler.order.ordering.dynamic
        or scheduler.threshold != Threshold()
        or scheduler.depth != EVERYTHING
        or scheduler.reserve.price > 0
    )
    if given == "false" and changing:
        raise InputError(
            "reservations cannot be kept when the queue order changes over time",
            source=source,
            field="replan",
            remedy="leave replan out, or use a static ordering without threshold, depth, reserve",
        )
    if not changing and given != "true":
        return scheduler
    return replace(scheduler, placement=placements()["reservations"], reservations=EVERYTHING)


def _reservations(options: dict[str, str], source: str) -> int | None:
    text = options.get("reservations")
    if text is None:
        return None
    if text == "all":
        return EVERYTHING
    count = as_int(text, source, "reservations")
    if count < 0:
        raise InputError(
            f"{count} reservations",
            source=source,
            field="reservations",
            remedy="give 0 (backfill freely), 1 (EASY), more, or all (conservative)",
        )
    return count


def _depth(options: dict[str, str], source: str) -> int:
    _positive(options, "depth", source)
    return as_int(options["depth"], source, "depth") if "depth" in options else EVERYTHING


def _positive(options: dict[str, str], key: str, source: str) -> float:
    if key not in options:
        return math.inf
    read = as_seconds if key == "window" else as_float
    value = read(options[key], source, key)
    if not value > 0:
        raise InputError(
            f"{value:g} is not above 0", source=source, field=key, remedy="give a larger number"
        )
    return value

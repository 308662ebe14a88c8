"""Schedulers as they rank jobs that are billed by what they are worth."""

from collections.abc import Callable, Sequence

from swfx.base.options import split_options
from utilitysched.schedulers.registry import make_scheduler

_DURATION = "duration"
_NOW = "zero"


def as_billed_by(scheduler: str, mechanisms: Sequence[str]) -> str:
    """Return the text of a scheduler that ranks jobs by the value that they are charged.

    Where a mechanism charges what jobs are worth at their requested end, a scheduler that would
    rank them by their worth at the wait so far gets ``duration=requested``. A curve that ends
    before the requested end would otherwise rank its job first, and cost nothing. A text that says
    at which time curves are read stays as it is.

    Parameters
    ----------
    scheduler : str
        Name and options, as a user writes them.
    mechanisms : sequence of str
        Names and options of the mechanisms that will charge.

    Raises
    ------
    InputError
        There is no such scheduler or mechanism.

    Examples
    --------
    >>> as_billed_by("value-density", ["first-price"])
    'value-density:duration=requested'
    >>> as_billed_by("value-density:duration=zero", ["first-price"])
    'value-density:duration=zero'
    >>> as_billed_by("value-density", ["vcg"]), as_billed_by("easy", ["first-price"])
    ('value-density', 'easy')
    """
    ranks, charged = _ranks_by_now(scheduler), list(map(charges_requested_end, mechanisms))
    if not ranks or not any(charged):
        return scheduler
    name, _, options = scheduler.strip().partition(":")
    if _DURATION in split_options(options, name):
        return scheduler
    return _with_duration(scheduler, "requested")


def spelt_out(scheduler: str, mechanisms: Sequence[str]) -> str:
    """Return a text from which `as_billed_by` makes the same scheduler again.

    Examples
    --------
    >>> spelt_out("value-density", ["first-price"])
    'value-density:duration=zero'
    """
    same = as_billed_by(scheduler, mechanisms) == scheduler
    return scheduler if same else _with_duration(scheduler, _NOW)


def ranked_as_billed(scheduler: str, mechanisms: Sequence[str], echo: Callable[[str], None]) -> str:
    """Return the text of `as_billed_by`, and print it where it is another scheduler."""
    ranked = as_billed_by(scheduler, mechanisms)
    if ranked != scheduler:
        charges = " and ".join(filter(charges_requested_end, mechanisms))
        echo(f"{scheduler} ranks jobs by what {charges} charges: {ranked}")
    return ranked


def charges_requested_end(mechanism: str) -> bool:
    """Return whether a mechanism charges by what jobs are worth at their requested end."""
    from pricing.readings import REQUESTED, ReadingMechanism  # noqa: PLC0415  most runs bill none
    from pricing.registry import make_mechanism  # noqa: PLC0415

    made = make_mechanism(mechanism)
    return isinstance(made, ReadingMechanism) and made.reading == REQUESTED


def _ranks_by_now(scheduler: str) -> bool:
    """Return whether a scheduler has the option, and ranks by the worth at the wait so far."""
    made = make_scheduler(scheduler)
    ranks = made.reading is not None and made.reading.duration == _NOW
    return ranks and _DURATION in made.options


def _with_duration(scheduler: str, duration: str) -> str:
    text = scheduler.strip().removesuffix(":")
    return f"{text}{',' if ':' in text else ':'}{_DURATION}={duration}"

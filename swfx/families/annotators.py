"""Additions to the jobs of a model: users, requested times, priorities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from swfx.base.errors import InputError
from swfx.base.registry import Registry
from swfx.families.annotation import Annotated, Annotator
from swfx.families.estimates.registry import ESTIMATE_MODELS
from swfx.families.queues.registry import PRIORITY_MODELS
from swfx.families.users.registry import USER_MODELS
from swfx.workload import Workload

__all__ = ["ANNOTATORS", "annotate_all", "annotators_from", "is_annotator_key"]

ANNOTATORS: Mapping[str, Registry[Any]] = {
    "users": USER_MODELS,
    "estimates": ESTIMATE_MODELS,
    "priorities": PRIORITY_MODELS,
}
"""Families by option name, in the order of work: priorities may go by users and requests."""


def is_annotator_key(key: str) -> bool:
    """Whether an option of a model belongs to one of `ANNOTATORS`."""
    return key.partition(".")[0] in ANNOTATORS


def annotators_from(options: Mapping[str, str], source: str) -> tuple[Annotator, ...]:
    """Make annotators from options such as ``users=zipf``, ``users.exponent=1``.

    Parameters
    ----------
    options : mapping of str to str
        Keys for which `is_annotator_key` holds. ``users`` names a model, ``users.KEY`` is an
        option of it.
    source : str
        What the options belong to, for messages.

    Raises
    ------
    InputError
        Options without a model, or whatever the models refuse.

    Examples
    --------
    >>> annotators_from({"users": "zipf", "users.groups": "5"}, "model:lublin")[0].label
    'zipf:groups=5'
    """
    _require_models(options, source)
    return tuple(
        family.make(_text(name, options)) for name, family in ANNOTATORS.items() if name in options
    )


def _require_models(options: Iterable[str], source: str) -> None:
    for key in options:
        name = key.partition(".")[0]
        if name not in options:
            raise InputError(
                f"is given without {name}",
                source=source,
                field=key,
                remedy=f"add {name}=MODEL: {', '.join(ANNOTATORS[name].names())}",
            )


def _text(name: str, options: Mapping[str, str]) -> str:
    prefix = f"{name}."
    nested = [f"{k.removeprefix(prefix)}={v}" for k, v in options.items() if k.startswith(prefix)]
    model = options[name]
    return "".join((model, "," if ":" in model else ":", ",".join(nested))) if nested else model


def annotate_all(workload: Workload, annotators: Iterable[Annotator], seed: int) -> Annotated:
    """Apply annotators one after the other, each with random streams of its own."""
    notes: list[str] = []
    for annotator in annotators:
        workload, remarks = annotator.annotate(workload, seed)
        notes += remarks
    return Annotated(workload, tuple(notes))

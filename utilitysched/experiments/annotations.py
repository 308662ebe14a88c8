"""Annotations of the values of experiment files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from checkpoint import ANNOTATIONS, PreemptionRules
from pricing import make_mechanism
from swfx.base.document import DocumentError
from swfx.base.document_values import (
    Annotation,
    Text,
    after,
    each_once,
    listed,
    made,
    made_beside,
    number,
    one_of,
    one_or_more,
    whole,
    zero_or_more,
)
from swfx.base.options import nearest
from swfx.families.transforms import TRANSFORMS
from swfx.families.utilities.registry import make_model
from swfx.reading.located import located
from utilitysched.analysis.metrics.catalogue import BILL_METRICS, known_metrics, matching
from utilitysched.engine.valued import AS_THEY_ARE

__all__ = [
    "BillMetricValues",
    "CheckpointAnnotations",
    "MechanismLabel",
    "MechanismLabels",
    "MetricNames",
    "MetricValues",
    "PreemptionTexts",
    "PriorityClasses",
    "Seeds",
    "Step",
    "StepLists",
    "UtilityTexts",
]


def _valid_beside(make: Callable[[str], Any]) -> Annotation:
    """Return the annotation of a text from which `make` makes something.

    Files that it names are beside the experiment file; their paths become absolute.
    """

    def check(text: str, folder: Path) -> str:
        text = located(text, folder)
        make(text)
        return text

    return made_beside(check)


Seeds = Annotated[tuple[Annotated[int, whole(0)], ...], one_or_more]


def _step_lists(value: Any, inner: Callable[[Any], Any]) -> Any:
    """Return lists of transformations; a list of texts is one of them."""
    steps = value if isinstance(value, list) else [value]
    if not steps:
        raise DocumentError("is an empty list", "leave it out, or name at least one")
    lists = [isinstance(each, list) for each in steps]
    if any(lists) and not all(lists):
        raise DocumentError("has both texts and lists", "write lists alone, as in [[], [...]]")
    made = inner(steps)
    return each_once(made) if all(lists) else (tuple(chain(*made)),)


Step = Annotated[str, _valid_beside(TRANSFORMS.make)]
StepLists = Annotated[
    tuple[Annotated[tuple[Step, ...], listed], ...],
    Annotation(lambda core, inner: core.no_info_wrap_validator_function(_step_lists, inner())),
]
"""Lists of transformations."""


def _queue(text: str) -> int:
    if not re.fullmatch("-?[0-9]{1,18}", text):
        raise DocumentError(f"{text!r} is no number of a queue", "write {7 = 0}: queue = class")
    return int(text)


PriorityClasses = dict[Annotated[int, made(_queue)], Annotated[int, whole(0)]]
"""Priority class by queue number."""


def _check_utility(text: str) -> None:
    if text != AS_THEY_ARE:
        make_model(text)


UtilityTexts = Annotated[
    tuple[Annotated[str | None, _valid_beside(_check_utility)], ...], one_or_more
]
CheckpointAnnotations = Annotated[
    tuple[Annotated[str, _valid_beside(ANNOTATIONS.make)], ...], one_or_more
]
PreemptionTexts = Annotated[
    tuple[Annotated[str, made(lambda text: str(PreemptionRules.from_text(text)))], ...],
    one_or_more,
]
MechanismLabel = Annotated[str, made(lambda text: make_mechanism(text).label)]
MechanismLabels = Annotated[tuple[MechanismLabel, ...], one_or_more]


def _metric_names(patterns: Sequence[str]) -> tuple[str, ...]:
    for place, pattern in enumerate(patterns):
        if not matching([pattern]):
            remedy = nearest(pattern, known_metrics(), "docs/metrics.md")
            raise DocumentError(f"no metric is named {pattern!r}", remedy, at=(place,))
    return matching(patterns)


MetricNames = Annotated[tuple[Text, ...], zero_or_more, after(_metric_names)]
MetricValues = dict[Annotated[str, one_of(known_metrics)], Annotated[float, number()]]
BillMetricValues = dict[Annotated[str, one_of(BILL_METRICS)], Annotated[float, number()]]

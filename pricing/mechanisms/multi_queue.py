"""A rate for each queue, or for each label of another kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from pricing.rates import Queue, rate_text, rates_text, read_rate, read_rates_of
from pricing.registry import RatedMechanism, option, register
from pricing.resources import resource_hours
from swfx import InputError, Workload
from swfx.base.columns import Floats, Ints
from swfx.base.configured import ANY, choice
from swfx.base.numbers import plural
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import JobLabels

QUEUE = "queue"

LEE_RATES: tuple[tuple[Queue, float], ...] = (
    (0, 1.0),
    (1, 1.7),
    (2, 2.0),
    (3, 1.0),
    (4, 0.5),
    (5, 0.5),
)
"""SU per processor-hour by SDSC-Blue's queue number. LEE gives express (1) 1.7, high (2) 2, normal
(3) 1 and low (4) 0.5; ours are interactive (0), charged as normal, and standby (5), charged as low.
"""


MOST_NAMED = 5
"""Labels that a note names."""


@register("multi-queue")
@dataclass(frozen=True)
class MultiQueue(RatedMechanism):
    """A rate per processor-hour for each queue: more expensive queues promise shorter waits.

    Attributes
    ----------
    rates : tuple of (int or str, float)
        Number or name of a queue, and SU per processor-hour; given rates replace the default ones
        altogether. A log names its queues or not; of one that is Slurm's, they are QOS.
    other : float
        Rate of every queue that `rates` does not name, an unknown queue (-1) among them.
    by : str
        Kind of label that the rates are for, such as ``partition``, ``qos`` or ``account``; by
        default queues, or what the log has in their place. A job that lists several partitions has
        the list as its name, ``cpu,gpu``.

    References
    ----------
    LEE, section 3.4.3, "GA within a Multiple-Queue, Multiple-Price Framework".
    """

    promises = frozenset({"value-blindness"})
    scope = "job"

    rates: tuple[tuple[Queue, float], ...] = option(read_rates_of, LEE_RATES, rates_text)
    other: float = option(partial(read_rate, field="other"), 1.0, rate_text, ANY)
    by: str = choice(tuple(LABEL_KINDS), QUEUE)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by != QUEUE and self.rates == LEE_RATES:
            raise _refusal(f"{self.by} has no rates", f"write by={self.by},rates=cpu:1,gpu:3", "by")

    @property
    def about(self) -> str:
        """What a user pays for."""
        used = f"Every job pays for the {resource_hours(self.of)} that it used, at the rate of its"
        if self.by == QUEUE:
            return f"{used} queue. Queues that promise shorter waits cost more."
        return f"{used} {LABEL_KINDS[self.by].words}."

    def hourly_rates(self, workload: Workload) -> Floats:
        """Return the rate of each job's queue, or other label.

        Raises
        ------
        InputError
            The jobs have no labels of the kind, or rates have names and labels only numbers.
        """
        labels = self._labels(workload)
        named = any(isinstance(queue, str) for queue, _ in self.rates)
        if named and not labels.names and (labels.numbers >= 0).any():
            raise _refusal(f"each {labels.words} is a number without a name", "write rates=1:2,2:3")
        numbers, position = np.unique(labels.numbers, return_inverse=True)
        rates = {str(queue): rate for queue, rate in self.rates}
        by_number = [rates.get(text, self.other) for text in self._rated_as(labels, numbers)]
        return np.array(by_number, dtype=np.float64)[position]

    def notes(self, workload: Workload) -> Iterator[str]:
        """Yield rates that are for no job, and which jobs pay the `other` rate.

        Raises
        ------
        InputError
            No job has any of the names: they are labels of another kind.
        """
        labels = self._labels(workload)
        if self.rates == LEE_RATES and labels.kind == QUEUE:
            return
        numbers, jobs = np.unique(labels.numbers, return_counts=True)
        rated = self._rated_as(labels, numbers)
        strays = [str(queue) for queue, _ in self.rates if str(queue) not in rated]
        if self.by == QUEUE and not any(rated):
            _require_no_other_kind(workload, labels, {*strays})
        if strays:
            yield f"no job has the {labels.words} {_joined(strays)}; the log has {_listed(labels)}"
        other = np.array([not text for text in rated], np.bool_)
        if other.any():
            count, names = plural(int(jobs[other].sum()), "job"), _listed(labels, numbers[other])
            yield f"{count} at the rate other={rate_text(self.other)}: {names}"

    def _labels(self, workload: Workload) -> JobLabels:
        if self.by == QUEUE or not len(workload):
            return workload.labels.in_field(QUEUE)
        return workload.labels.required(self.by, "by")

    def _rated_as(self, labels: JobLabels, numbers: Ints) -> list[str]:
        """Return the label in `rates` that each number of a label goes by; empty for `other`."""
        listed, named = {str(queue) for queue, _ in self.rates}, {*labels.names.values()}
        rated = []
        for number in numbers.tolist():
            texts = [labels.names.get(number, ""), labels.name(number)]
            # digits that are a name are no number; numbers of other kinds are made up for names
            if str(number) not in named and (labels.kind == QUEUE or not texts[0]):
                texts.append(str(number))
            rated.append(next((text for text in texts if text in listed), ""))
        return rated


def _require_no_other_kind(workload: Workload, labels: JobLabels, names: set[str]) -> None:
    """Refuse rates for names that jobs have as labels of another kind."""
    for kind in workload.labels.kinds:
        other = workload.labels.of(kind)
        if kind != labels.kind and (common := names.intersection(other.of_jobs())):
            missing = f"no job has the {labels.words} {_joined(common)}"
            has = f"the log has {_listed(labels)}; {_listed(other)}"
            raise _refusal(f"{missing}; {has}", f"write by={kind}, or leave these rates out")


def _refusal(problem: str, remedy: str, field: str = "rates") -> InputError:
    return InputError(problem, source="multi-queue", field=field, remedy=remedy)


def _listed(labels: JobLabels, numbers: Ints | None = None) -> str:
    """Return the names of some labels behind their kind; of all that jobs have by default."""
    named = np.unique(labels.numbers if numbers is None else numbers).tolist()
    return f"{labels.words} {_joined(map(labels.name, named))}"


def _joined(names: Iterable[str]) -> str:
    shown = [repr(name) if "," in name else name for name in sorted(names)]
    return ", ".join(shown[:MOST_NAMED]) + (", ..." if shown[MOST_NAMED:] else "")

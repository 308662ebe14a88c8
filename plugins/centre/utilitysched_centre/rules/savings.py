"""Savings: what an invoice would have come to, had users chosen otherwise, by computing it again.

Only what needs no other schedule is computed: who runs when stays as it is. Charges that rest on
what others lost or bid are left out, as one job's choice would change what others do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pricing.charges import charge_outcome
from pricing.outcome import Outcome, in_queue
from pricing.registry import MECHANISMS
from swfx import InputError
from swfx.labels import field_labels
from utilitysched_centre.rules.invoice import Invoice
from utilitysched_centre.rules.steps import steps


class Saving(NamedTuple):
    """What a choice would have saved.

    Attributes
    ----------
    choice : str
        A clause behind *if*.
    due : tuple of Fraction, length n
        What each job would have had to pay (SU), without tax.
    """

    choice: str
    due: tuple[Fraction, ...]


def savings(bill: Invoice) -> list[Saving]:
    """Return what each job of an invoice would have cost by other choices.

    Less time asked for; each queue that has a rate or a discount of its own; what the mechanism
    yields as its `alternatives`. What changes nothing for anybody is left out.
    """
    charges = bill.charges
    if charges.evidence is not None or charges.shares is not None or not len(bill):
        return []
    try:
        mechanism = MECHANISMS.make(charges.mechanism)
    except InputError:  # a mechanism that was given as an object
        return []
    found: dict[str, Saving] = {}
    for choice, outcome in _choices(bill, [*mechanism.alternatives(charges.outcome)]):
        if choice not in found:
            chosen = charge_outcome(outcome, mechanism, charges.terms)
            found[choice] = Saving(choice, steps(chosen, bill.rules, bill.payer).due)
    return [saving for saving in found.values() if saving.due != bill.steps.due]


def _choices(bill: Invoice, declared: list[tuple[str, Outcome]]) -> Iterator[tuple[str, Outcome]]:
    outcome, rules = bill.charges.outcome, bill.rules
    if rules.quantity and rules.quantity.basis == "request":
        asked = outcome.workload.replace(
            requested_time=np.minimum(outcome.workload.request, outcome.held)
        )
        yield "no job had asked for more time than it used", replace(outcome, workload=asked)
    yield from declared
    known = field_labels(outcome.workload, "queue")
    named = {queue for each in rules.discounts for queue in each.whom.queues}
    numbers = {known.by_name.get(queue) if isinstance(queue, str) else queue for queue in named}
    for queue in sorted(number for number in numbers if number is not None):
        yield in_queue(outcome, queue)

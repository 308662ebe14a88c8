"""Total cost of all stops of a bill, by payer."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import NamedTuple

from pricing.charges import Charges
from pricing.parts import exact_sum


class WasteTotal(NamedTuple):
    """Lost work and restarts of the jobs that pay.

    Attributes
    ----------
    payer : {"centre", "bumper", "bumped"}
        Who was to pay.
    bumps, failures : int
        How often jobs were stopped.
    hours : float
        Processor-hours of lost work and restart overhead.
    price : Decimal
        What they cost (SU): what is paid and what is borne.
    paid : Decimal
        What jobs pay for them (SU), part of their charges.
    borne : Decimal
        What the centre bears (SU).
    """

    payer: str
    bumps: int
    failures: int
    hours: float
    price: Decimal
    paid: Decimal
    borne: Decimal


def waste_total(charges: Charges) -> WasteTotal | None:
    """Sum up what stops cost; None where no job could be stopped."""
    shares, parts = charges.shares, charges.parts
    if shares is None or parts is None:
        return None
    bumps = int(shares.waste.preempted.sum())
    return WasteTotal(
        shares.payer_by,
        bumps,
        len(shares.waste) - bumps,
        math.fsum(shares.hours),
        exact_sum(parts.price),
        parts.money(parts.paid),
        parts.borne.total,
    )

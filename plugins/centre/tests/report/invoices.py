"""Invoices that the tests of this folder share."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pricing import charge
from swfx import Header, Workload
from utilitysched_centre.rules import Invoice, Rules, invoice
from utilitysched_centre.rules.rules import (
    Accounts,
    Centre,
    Currency,
    Tax,
)


def bill(jobs: int, chosen: Rules | None = None) -> Invoice:
    """Jobs of one hour on one processor of users 1 and 2 of <lab>, one in five failed."""
    start = np.arange(jobs) * 60.0
    log = Workload.from_columns(
        header=Header((" UnixStartTime: 954547200",)),
        submit=start,
        run=[3600.0] * jobs,
        processors=[1] * jobs,
        user=[1, 2] * (jobs // 2) + [9] * (jobs % 2),
        status=[0 if job % 5 == 0 else 1 for job in range(jobs)],
    )
    rules = chosen or Rules(
        status={"failed": Fraction(0)},
        currency=Currency("EUR", Fraction(1, 2), 2),
        tax=Tax("VAT", Fraction(20)),
        accounts=Accounts({1: "<lab>", 2: "<lab>"}),
        centre=Centre("R&D Computing", ("1 Lattice Road", "Anytown"), "Within 30 days, please."),
    )
    return invoice(charge(log, start, start + 3600, "single-price").rounded(), rules)

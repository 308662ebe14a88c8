"""Shills at a small size: jobs that nobody needs raise nobody's bill."""

from __future__ import annotations

import numpy as np

from benchmarks.vcg import Shills, beyond, billed, with_shills
from pricing import Pivots
from swfx import Header
from tests.utilitysched.market.audit.markets import PROCESSORS, crowd
from utilitysched import simulate

SHILLS = Shills(every=40.0, request=300.0, run=1.0)


def test_nobody_pays_for_shills_or_beyond_what_a_victim_had() -> None:
    honest = crowd(5).replace(header=Header((f" MaxProcs: {PROCESSORS}",)))
    jobs = with_shills(honest, SHILLS)
    schedule = simulate(jobs, "value-and-delay", machine_size=PROCESSORS)
    shills = np.flatnonzero(jobs.user > honest.user.max())

    charges, everybody = (billed(jobs, schedule, text) for text in ("vcg", "vcg:fair=0"))

    assert jobs.size[shills].tolist() == [PROCESSORS] * len(shills)
    assert (jobs.run[shills] == 1).all()
    for bill, counts in ((charges, False), (everybody, True)):
        assert isinstance(bill.evidence, Pivots)
        losses = bill.evidence.losses
        of_shills = np.isin(losses.victim, shills)
        assert (losses.planned[of_shills] > 0).any()
        assert (losses.loss[of_shills] > 0).any() == counts
        assert beyond(bill) == 0
    assert charges.total < everybody.total

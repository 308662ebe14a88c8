"""Basis of the bill of a run: from its record, and the header of its workload."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from pricing.basis import DRAWN, Basis
from pricing.charges import Charges
from swfx import InputError, Workload
from utilitysched.schedulers.recorded import FAMILY as RECORDED


def basis_of(workload: Workload, record: Mapping[str, Any]) -> Basis:
    """Return what a bill of a run rests on.

    Parameters
    ----------
    workload : Workload
        Of the run.
    record : mapping
        Its run.json.
    """
    scheduler = str(record["simulation"]["scheduler"])
    models = workload.header.all("UtilityModel")
    made_by = "" if scheduler == RECORDED else scheduler
    return Basis.of(made_by, models, valued=workload.has_utilities)


def require_given(charges: Charges, record: Mapping[str, Any]) -> None:
    """Refuse charges of what really happened by values that were drawn, unless that was asked for.

    Parameters
    ----------
    charges : Charges
        With their basis.
    record : mapping
        run.json of the run.

    Raises
    ------
    InputError
        The schedule is the log's own, charges read utility functions, and some of these were drawn
        at random, not by ``--utilities`` of the run.
    """
    basis = charges.basis
    if basis is None or basis.scheduler or basis.curves != DRAWN or not charges.reads_values:
        return
    if "--utilities" in shlex.split(record["command"]) and record["utilities"]["seed"] is not None:
        return
    raise InputError(
        f"{charges.mechanism} charges what really happened by utility functions that were"
        f" drawn, not given: {basis.brief.partition('; ')[2]}",
        field="`mechanism`",
        remedy="give `drawn_values=True` if that is meant, or charge by single-price",
    )

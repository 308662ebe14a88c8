"""Audits of an experiment, by mechanism."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from utilitysched.experiments.results import Finished, Priced


def audited(rows: Iterable[Finished]) -> list[Priced]:
    """Return what rows that are audits found, mechanism by mechanism: job by job."""
    return [
        Priced(row.entry, mechanism, row.result.figures[mechanism])
        for row in rows
        if row.entry.cell.audit
        for mechanism in row.entry.cell.audit.mechanisms
    ]


def with_means(rows: Iterable[Priced]) -> list[Priced]:
    """Return the same with the means over the jobs, as `figure_names.AUDITS` names them."""
    return [row._replace(figures=_means(row.figures)) for row in rows]


def _means(found: Mapping[str, Any]) -> dict[str, float]:
    measures = {name: one for name, one in found.items() if name != "truth"}
    jobs = len(found["truth"]["value"])
    means = {f"{name}_gain": _mean(one["gain"]) for name, one in measures.items()}
    shares = {f"{name}_share": _mean(one["lying"]) for name, one in measures.items()}
    return {"jobs_audited": jobs, "true_value": _mean(found["truth"]["value"]), **means, **shares}


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)

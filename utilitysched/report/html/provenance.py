"""Provenance of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from utilitysched.analysis.documents import Fact, Facts
from utilitysched.report.html.shown import Shown
from utilitysched.runs import RunResults


def provenance(shown: Shown) -> Facts:
    """Return commands, seeds, versions and digests: what repeats the runs."""
    return Facts("provenance", "Provenance", [*_workload(shown.runs[0]), *_runs(shown)])


def _workload(run: RunResults) -> Iterator[Fact]:
    record = run.record
    workload = record["workload"]
    yield _fact("workload", workload.get("source"))
    yield _fact("job lines", workload.get("slice"))
    yield _fact("cleaning", workload.get("cleaning"))
    yield _fact("digest as read", workload.get("read_digest"))
    yield _fact("digest as simulated", workload["digest"])
    yield _fact(
        "transformations", ", ".join((record.get("transformations") or {}).get("applied", []))
    )
    yield _fact("utility functions", "; ".join((record.get("utilities") or {}).get("models", [])))


def _runs(shown: Shown) -> Iterator[Fact]:
    for label, run in shown:
        yield _fact(f"{label}: command", run.record.get("command"))
        yield _fact(f"{label}: seeds", _pairs(run.record.get("seeds")))
        yield _fact(f"{label}: versions", _pairs(run.record.get("versions")))
        yield _fact(f"{label}: sha256 of jobs.csv", run.record["files"]["jobs.csv"])


def _pairs(values: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name} {value}" for name, value in (values or {}).items())


def _fact(name: str, value: object) -> Fact:
    text = "" if value is None else str(value)
    return Fact(name, name, text, text)

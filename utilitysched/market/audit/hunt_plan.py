"""Plan of a hunt: the cells that it takes place in, and the files that come of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

from swfx import Workload
from swfx.base.csv_rows import write_csv
from swfx.reading.notes import Echo
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.hunt import Hunt, HuntRules, hunt
from utilitysched.market.audit.hunt_summary import HuntRow, hunt_rows
from utilitysched.market.audit.kept import KEPT, TrialKeeper
from utilitysched.market.audit.plan import SubjectPlan
from utilitysched.market.audit.run import AuditPlace
from utilitysched.market.audit.sample import crowding, most_crowded
from utilitysched.market.audit.scenario import AuditSubject, make_scenario
from utilitysched.market.audit.whole_market import MarketRow, whole_market
from utilitysched.runs.files import write_json
from utilitysched.runs.simulation import Watch, unwatched
from utilitysched.runs.steps import transforming

HUNTED, TRIED, HOLDOUT, MARKET = "hunt.csv", "tried.csv", "holdout.csv", "market.csv"
DOCUMENT, PAGE = "hunt.json", "hunt.html"


@dataclass(frozen=True)
class HuntPlan(SubjectPlan):
    """What is hunted in.

    Attributes
    ----------
    apply : tuple of str
        Transformations of the workload.
    cells : int
        The most crowded stretches are hunted in, so many; 0 for all jobs as one.
    cell_jobs : int
        Jobs of each.
    design : Design
        How lies are played.
    rules : HuntRules
        Whose lies.
    """

    apply: tuple[str, ...]
    cells: int
    cell_jobs: int
    design: Design
    rules: HuntRules

    def to_dict(self) -> dict[str, object]:
        """Return what provenance keeps."""
        return {
            **super().to_dict(),
            "apply": list(self.apply),
            "cells": self.cells,
            "cell_jobs": self.cell_jobs,
            "design": asdict(self.design),
            "rules": asdict(self.rules),
        }


class HuntResult(NamedTuple):
    """What a hunt found.

    Attributes
    ----------
    found : tuple of Hunt
        By what lies are told of.
    rows : tuple of HuntRow
        Their summary.
    market : tuple of MarketRow
        What comes of it if shares of the users tell the best.
    cells : tuple of Workload
        The cells.
    provenance : mapping
        What repeats it.
    """

    found: tuple[Hunt, ...]
    rows: tuple[HuntRow, ...]
    market: tuple[MarketRow, ...]
    cells: tuple[Workload, ...]
    provenance: Mapping[str, object]

    def document(self) -> dict[str, object]:
        """Return all but the gains of single jobs, for JSON."""
        return {
            "asked": self.provenance,
            "scheduler": self.found[0].scheduler,
            "seed": self.found[0].seed,
            "cells": [len(cell) for cell in self.cells],
            "tried": {each.told_of: each.tried for each in self.found},
            "hunt": [row._asdict() for row in self.rows],
            "market": [
                row._asdict()
                | {"welfare_change": row.welfare_change, "revenue_change": row.revenue_change}
                for row in self.market
            ],
        }


def perform_hunt(
    plan: HuntPlan,
    place: AuditPlace,
    out: Path,
    *,
    echo: Echo = lambda _: None,
    watch: Watch = unwatched,
) -> HuntResult:
    """Hunt, in this order: cells, lies, whole markets.

    What single lies bring is kept in `out` until files are written: a hunt that was broken off goes
    on with it.

    Parameters
    ----------
    plan : HuntPlan
        What is hunted in.
    place : AuditPlace
        Where; the result is the same everywhere.
    out : Path
        Directory that will be written to.
    echo, watch
        As `utilitysched.market.audit.plan.perform` takes them.

    Raises
    ------
    InputError
        The plan cannot be carried out, or `out` cannot be written: before anything is played.
    """
    valued = plan.valued(out, echo, transforming(plan.apply, plan.utility_seed))
    cells = _cells(valued.workload, plan)
    keeping = replace(place, keeper=TrialKeeper(out / KEPT))
    result = hunt_in(cells, plan.subject, plan.design, plan.rules, keeping, watch)
    provenance = plan.to_dict() | {"utilities": valued.utilities}
    return result._replace(provenance=provenance)


def hunt_in(
    cells: Sequence[Workload],
    subject: AuditSubject,
    design: Design,
    rules: HuntRules,
    place: AuditPlace | None = None,
    watch: Watch = unwatched,
) -> HuntResult:
    """Hunt in cells, and let shares of all their users tell what was found.

    Raises
    ------
    InputError
        As `utilitysched.market.audit.hunt.hunt`.
    """
    where = place or AuditPlace()
    with watch("searching for lies") as progress:
        at = replace(where, on_progress=progress)
        found = hunt(cells, subject, design, rules, at)
    with watch("trying them in whole markets") as progress:
        at = replace(where, on_progress=progress)
        market = whole_market(cells, subject, found, design, rules, at) if rules.shares else ()
    rows = tuple(row for each in found for row in hunt_rows(each))
    return HuntResult(found, rows, market, tuple(cells), {})


def write_hunt(directory: Path, result: HuntResult) -> list[Path]:
    """Write the tables, each complete or not at all; hunt.json comes last.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    for name in (DOCUMENT, PAGE, HUNTED, TRIED, HOLDOUT, MARKET):
        (directory / name).unlink(missing_ok=True)
    changes = ("welfare_change", "revenue_change")
    tables = {
        HUNTED: (HuntRow._fields, result.rows),
        TRIED: (("told_of", "mechanism", "lie", "trained"), _tried(result)),
        HOLDOUT: (HOLDOUT_FIELDS, _holdout(result)),
        MARKET: (
            (*MarketRow._fields, *changes),
            [(*row, row.welfare_change, row.revenue_change) for row in result.market],
        ),
    }
    for name, (header, lines) in tables.items():
        write_csv(directory / name, header, lines)
    write_json(directory / DOCUMENT, result.document())
    (directory / KEPT).unlink(missing_ok=True)
    return [directory / name for name in (*tables, DOCUMENT)]


def _cells(workload: Workload, plan: HuntPlan) -> list[Workload]:
    """Return the most crowded stretches, in the order of their jobs."""
    if not plan.cells:
        return [workload]
    scenario, order = make_scenario(workload, plan.subject, plan.design.thresholds)
    found = most_crowded(crowding(scenario), plan.cell_jobs, plan.cells)
    ordered = workload[order]
    return [ordered[here] for here in sorted(found, key=lambda here: here.start or 0)]


def _tried(result: HuntResult) -> Iterator[tuple[object, ...]]:
    for found in result.found:
        for place, mechanism in enumerate(found.mechanisms):
            for lie, shares in found.training.items():
                yield found.told_of, mechanism, lie, shares[place]


HOLDOUT_FIELDS = ("told_of", "cell", "job", "user", "value", "mechanism", "lie", "gain")


def _holdout(result: HuntResult) -> Iterator[tuple[object, ...]]:
    for found in result.found:
        held = found.holdout
        for row, (cell, position) in enumerate(zip(held.cell, held.position, strict=True)):
            jobs = result.cells[cell]
            about = (cell, jobs.job_id[position], jobs.user[position], held.value[row])
            for place, mechanism in enumerate(found.mechanisms):
                for number, lie in enumerate(found.lies):
                    yield found.told_of, *about, mechanism, lie, held.gain[row, place, number]

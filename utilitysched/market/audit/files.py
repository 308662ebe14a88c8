"""Files that an audit leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from swfx import Workload
from swfx.base.csv_rows import write_csv
from utilitysched.market.audit.audit import Audit
from utilitysched.market.audit.sample import STRATA
from utilitysched.market.audit.summary import MeasureRow, MisreportRow, by_lie
from utilitysched.runs.files import write_json

SUMMARY, MISREPORTS, GAINS = "summary.csv", "lies.csv", "gains.csv"
DOCUMENT = "audit.json"
PAGE = "audit.html"


def document(audit: Audit, rows: Sequence[MeasureRow], asked: object) -> dict[str, object]:
    """Return all but the gains of single jobs, for JSON."""
    return {
        "asked": asked,
        "scheduler": audit.scheduler,
        "draws": audit.draws,
        "seed": audit.seed,
        "jobs": len(audit.job),
        "summary": [row._asdict() for row in rows],
        "lies": [row._asdict() for row in by_lie(audit)],
    }


def write_audit(
    directory: Path,
    workload: Workload,
    audit: Audit,
    rows: Sequence[MeasureRow],
    asked: object,
) -> list[Path]:
    """Write the tables, each complete or not at all; audit.json comes last.

    Parameters
    ----------
    directory : Path
        Exists; what an earlier audit left there goes first.
    workload : Workload
        The jobs, for their numbers.
    audit, rows
        What was found.
    asked : object
        What was asked for, for audit.json.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    forget(directory)
    tables = {
        SUMMARY: (MeasureRow._fields, rows),
        MISREPORTS: (MisreportRow._fields, by_lie(audit)),
        GAINS: (("job", *GAIN_FIELDS), _gains(workload, audit)),
    }
    for name, (header, lines) in tables.items():
        write_csv(directory / name, header, lines)
    write_json(directory / DOCUMENT, document(audit, rows, asked))
    return [directory / name for name in (*tables, DOCUMENT)]


def forget(directory: Path) -> None:
    """Remove what an earlier audit left."""
    for name in (DOCUMENT, SUMMARY, MISREPORTS, GAINS, PAGE):
        (directory / name).unlink(missing_ok=True)


GAIN_FIELDS = (
    "user",
    "congestion",
    "third",
    "value",
    "mechanism",
    "lie",
    "gain_chosen",
    "gain_scored",
    "placebo",
)


def _gains(workload: Workload, audit: Audit) -> Iterable[tuple[object, ...]]:
    for row, job in enumerate(audit.job.tolist()):
        about = (
            workload.job_id[job],
            audit.user[row],
            audit.congestion[row],
            STRATA[audit.stratum[row]],
            audit.value[row],
        )
        for place, mechanism in enumerate(audit.mechanisms):
            for number, lie in enumerate(audit.lies):
                at = row, place, number
                gains = audit.chosen[at], audit.scored[at], audit.placebo[row, place]
                yield (*about, mechanism, lie, *gains)

"""Plan of an audit: the workload, what is audited of it, and the files that come of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

from swfx import Workload
from swfx.base.answer_file import AnswerFile
from swfx.base.csv_rows import write_csv
from swfx.families.transforms.submit_at import simulated
from swfx.reading.notes import Echo
from swfx.reading.workload_source import WorkloadSource
from utilitysched.engine.loops import given_machine
from utilitysched.engine.valued import Valued, ensure, require_machine
from utilitysched.market.audit.audit import STRATA, Audit, audit
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.run import KEPT, AuditPlace
from utilitysched.market.audit.scenario import AuditSubject, check, require_values
from utilitysched.market.audit.summary import MeasureRow, MisreportRow, by_lie, summarise
from utilitysched.runs.files import write_json
from utilitysched.runs.machines import sized_by
from utilitysched.runs.simulation import Watch, unwatched
from utilitysched.runs.target import prove_writable

SUMMARY, MISREPORTS, GAINS = "summary.csv", "lies.csv", "gains.csv"
DOCUMENT = "audit.json"
PAGE = "audit.html"


def document(audit: Audit, rows: Sequence[MeasureRow], request: object) -> dict[str, object]:
    """Return all but the gains of single jobs, for JSON."""
    return {
        "asked": request,
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
    request: object,
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
    request : object
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
    write_json(directory / DOCUMENT, document(audit, rows, request))
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
            for number, misreport in enumerate(audit.lies):
                at = row, place, number
                gains = audit.chosen[at], audit.scored[at], audit.placebo[row, place]
                yield (*about, mechanism, misreport, *gains)


@dataclass(frozen=True)
class AuditPlan:
    """Workload, subject and design of an audit.

    Attributes
    ----------
    source : WorkloadSource
        The workload.
    utilities : str or None
        Its utility functions, see `utilitysched.engine.valued.ensure`.
    utility_seed : int
        Seed of drawn utility functions; all else has the subject's.
    subject : AuditSubject
        Scheduler, machine and mechanisms.
    design : Design
        Misreports, sample and draws.
    machine : Path or None
        Machine file; None for one pool of processors without limits.
    """

    source: WorkloadSource
    utilities: str | None
    utility_seed: int
    subject: AuditSubject
    design: Design
    machine: Path | None = None

    def check(self) -> None:
        """Refuse a scheduler or mechanism that cannot be audited.

        Raises
        ------
        InputError
            Saying which.
        """
        check(self.subject)

    def to_dict(self) -> dict[str, object]:
        """Return the plan as provenance keeps it."""
        kept = {**self.source.to_dict(), **self.subject.to_dict()}
        return {**kept, "design": asdict(self.design)}

    def valued(self, out: Path, echo: Echo) -> Valued:
        """Return the jobs with utility functions, before anything is played.

        Parameters
        ----------
        out : Path
            Directory that will be written to.
        echo : callable
            Takes lines for people.

        Raises
        ------
        InputError
            The plan cannot be carried out, or `out` cannot be written.
        """
        self.check()
        source = sized_by(self.source, self.machine) if self.machine else self.source
        jobs = simulated(source.load().workload, ())
        for line in jobs.notes:
            echo(line)
        require_machine(jobs.workload)
        drawn = self.utilities, self.utility_seed
        valued = ensure(jobs.workload, *drawn, classes=self.subject.classes, say=echo)
        require_values(valued.workload)
        prove_writable(out)
        return valued


class AuditResult(NamedTuple):
    """Result of an audit: gains, summary, provenance and files.

    Attributes
    ----------
    audit : Audit
        Gains, job by job.
    rows : sequence of MeasureRow
        Their summary.
    provenance : mapping
        What repeats it.
    files : list of Path
        Written.
    """

    audit: Audit
    rows: Sequence[MeasureRow]
    provenance: Mapping[str, object]
    files: list[Path]

    def document(self) -> dict[str, object]:
        """Return all of it for JSON."""
        return document(self.audit, self.rows, self.provenance)


def perform(
    plan: AuditPlan,
    out: Path,
    place: AuditPlace | None = None,
    *,
    echo: Echo = lambda _: None,
    watch: Watch = unwatched,
) -> AuditResult:
    """Audit, and write summary.csv, lies.csv, gains.csv and audit.json.

    What single lies bring is kept in `out` until then: an audit that was broken off goes on.

    Parameters
    ----------
    plan : AuditPlan
        What is audited.
    out : Path
        Directory to write to, made if absent.
    place : AuditPlace, optional
        Where; the files are the same.
    echo : callable
        Takes lines for people.
    watch : callable
        Shows how far it is; see `utilitysched.runs.simulation.Watch`.

    Raises
    ------
    InputError
        The plan cannot be carried out, or `out` cannot be written: before anything is played.
    """
    with watch("reading the log"):
        valued = plan.valued(out, echo)
    where = replace(place or AuditPlace(), keeper=AnswerFile(out / KEPT))
    header = valued.workload.header
    machine = None if plan.machine is None else given_machine(plan.machine, header)
    plan = replace(plan, subject=replace(plan.subject, machine=machine))
    subject = valued.workload, plan.subject, plan.design
    with watch("misreporting one job at a time") as progress:
        result = audit(*subject, replace(where, on_progress=progress))
    rows = summarise(result)
    provenance = plan.to_dict() | {"utilities": valued.utilities}
    files = write_audit(out, valued.workload, result, rows, provenance)
    (out / KEPT).unlink(missing_ok=True)
    return AuditResult(result, rows, provenance, files)

"""Plan of an audit: the workload, what is audited of it, and the files that come of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

from swfx.base.answer_file import AnswerFile
from swfx.reading.notes import Echo
from swfx.reading.workload_source import WorkloadSource
from utilitysched.engine.valued import Valued, ensure, require_machine
from utilitysched.market.audit.audit import Audit, audit
from utilitysched.market.audit.design import Design
from utilitysched.market.audit.files import document, write_audit
from utilitysched.market.audit.run import AuditPlace
from utilitysched.market.audit.scenario import AuditSubject, check, require_values
from utilitysched.market.audit.summary import MeasureRow, summarise
from utilitysched.runs.simulation import Watch, unwatched
from utilitysched.runs.steps import Step, take_steps
from utilitysched.runs.target import prove_writable

KEPT = "trials.kept"
"""File of the finished trials, until the audit is complete."""


@dataclass(frozen=True)
class SubjectPlan:
    """A workload, and who serves and charges its jobs: what an audit begins with.

    Attributes
    ----------
    source : WorkloadSource
        The workload.
    utilities : str or None
        Its utility functions, see `utilitysched.engine.valued.ensure`.
    utility_seed : int
        Of those; all else has the subject's.
    subject : AuditSubject
        Who serves and charges the jobs.
    """

    source: WorkloadSource
    utilities: str | None
    utility_seed: int
    subject: AuditSubject

    def check(self) -> None:
        """Refuse a scheduler or mechanism that cannot be audited.

        Raises
        ------
        InputError
            Saying which.
        """
        check(self.subject)

    def to_dict(self) -> dict[str, object]:
        """Return what provenance keeps."""
        return {**self.source.to_dict(), **self.subject.to_dict()}

    def valued(self, out: Path | None, echo: Echo, step: Step | None = None) -> Valued:
        """Return the jobs with utility functions, before anything is played.

        Parameters
        ----------
        out : Path or None
            Directory that will be written to, if any.
        echo : callable
            Takes lines for people.
        step : callable, optional
            Taken before utility functions are drawn.

        Raises
        ------
        InputError
            The plan cannot be carried out, or `out` cannot be written.
        """
        self.check()
        loaded = self.source.load()
        require_machine(loaded.workload)
        workload, classes = take_steps(loaded.workload, [step], echo), self.subject.classes
        valued = ensure(workload, self.utilities, self.utility_seed, classes=classes, say=echo)
        require_values(valued.workload)
        if out:
            prove_writable(out)
        return valued


@dataclass(frozen=True)
class AuditPlan(SubjectPlan):
    """What is to be audited.

    Attributes
    ----------
    design : Design
        How it is made.
    """

    design: Design

    def to_dict(self) -> dict[str, object]:
        """Return what provenance keeps."""
        return {
            **super().to_dict(),
            "design": asdict(self.design),
        }


class AuditResult(NamedTuple):
    """What an audit found, and the files that say so.

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
    asked = valued.workload, plan.subject, plan.design
    with watch("misreporting one job at a time") as progress:
        found = audit(*asked, replace(where, on_progress=progress))
    rows = summarise(found)
    provenance = plan.to_dict() | {"utilities": valued.utilities}
    files = write_audit(out, valued.workload, found, rows, provenance)
    (out / KEPT).unlink(missing_ok=True)
    return AuditResult(found, rows, provenance, files)

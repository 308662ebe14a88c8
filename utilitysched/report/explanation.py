"""Explanations of charges: sentences, who lost, whether the bill follows from its files."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pricing import Pivots, Readings, Replays, Rounds
from pricing.basis import COLUMN
from pricing.evidence import Loss
from pricing.evidence_tables import (
    BIDS_FILE,
    EVIDENCE_FILE,
    READINGS_FILE,
    WASTE_FILE,
    evidence_tables,
)
from pricing.ledger import plain
from swfx import InputError
from swfx.base.atomic import prove_writable
from swfx.base.numbers import plural
from swfx.base.plugins import EXPLANATIONS, loaded_entry_points
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.counterfactual.explanation import Explanation
from utilitysched.report.bill import print_warnings
from utilitysched.report.sentences import (
    billed,
    later,
    loss_text,
    sentences,
    total,
    verdict_of,
    why,
)
from utilitysched.report.templating import render, write_html
from utilitysched.report.terminal import filled, print_json, print_table
from utilitysched.runs.commitments import NOBODY, proof_for, read_proof, vouching
from utilitysched.runs.files import write_json

SHOWN = 10
"""Losers that have a line of their own; the others are summed."""

HTML = ".html"


class ExplanationPart(NamedTuple):
    """Part of an explanation by another distribution.

    An entry point of the group ``utilitysched.explanations`` is a function that takes the directory
    of a run and the number of a job and returns such a part, or None.

    Attributes
    ----------
    sentences : sequence of str
        Sentences, printed as a paragraph before the charge.
    document : mapping of str to object
        JSON-able values, in JSON under the name of the entry point.
    """

    sentences: Sequence[str]
    document: Mapping[str, object]


def print_explanation(explained: Explanation) -> None:
    """Print why a job is charged, and who lost because of it."""
    print_warnings(explained.charges.basis)
    for paragraph in _further_paragraphs(explained):
        print(filled(paragraph), end="\n\n")
    for paragraph in sentences(explained):
        print(filled(paragraph))
    if explained.losers:
        print()
        print_table(_table(explained))
    print()
    print("\n".join(map(filled, [*verdict(explained).splitlines(), checking(explained)])))


def _further_paragraphs(explained: Explanation) -> list[str]:
    return [" ".join(part.sentences) for part in _further_parts(explained).values()]


def _further_parts(explained: Explanation) -> dict[str, ExplanationPart]:
    """Parts of the explanation by other distributions, by the names of their entry points."""
    parts = {
        point.name: explain(explained.directory, explained.job_id)
        for point, explain in loaded_entry_points(EXPLANATIONS)
    }
    return {name: part for name, part in parts.items() if part is not None}


def verdict(explained: Explanation) -> str:
    """Say whether the bill follows from its files, and who vouches for the utility functions."""
    return f"{_recomputed(explained)}\n{vouching(explained.commitments)}"


EVIDENCE_OF = {
    Pivots: EVIDENCE_FILE,
    Replays: EVIDENCE_FILE,
    Rounds: BIDS_FILE,
    Readings: READINGS_FILE,
}
"""File with what a charge rests on, by the kind of its evidence."""


def checking(explained: Explanation) -> str:
    """Say in which lines of which files whoever doubts a charge finds what it rests on."""
    if explained.place is None:
        return f"How to check: jobs.csv, line {explained.job + 2}."
    where = f"charges.csv, line {explained.place + 2}"
    if file := EVIDENCE_OF.get(type(explained.charges.evidence)):
        where += f"; {file}, where row is {explained.job + 1}"
    again = ". explain-charge --again asks the scheduler once more" if explained.losers else ""
    return f"How to check: {where}{again}."


def _recomputed(explained: Explanation) -> str:
    files = "the workload, the schedule and the bill's evidence"
    if not explained.faults:
        return f"Recomputed from {files}: identical to the last decimal."
    own = explained.own_faults
    if not own:
        count = len(explained.faults)
        others = f"{plural(count, 'cell')} of other jobs {'does' if count == 1 else 'do'}"
        return f"Recomputed from {files}: identical, but {others} not follow from them."
    return "\n".join(map(str, own))


def _table(explained: Explanation) -> ResultTable:
    jobs = explained.run.workload
    user, queue = (jobs.labels.in_field(name) for name in ("user", "queue"))
    named = [user, queue] if (jobs.queue >= 0).any() else [user]
    rows = [
        (
            f"job {jobs.job_name(lost.job)}",
            *(known.name(known.numbers.item(lost.job)) for known in named),
            loss_text(lost),
            later(lost),
        )
        for lost in explained.losers[:SHOWN]
    ]
    blank = [""] * len(named)
    if rest := explained.losers[SHOWN:]:
        rows.append((plural(len(rest), "other"), *blank, f"{total(rest):,f}", ""))
    return plain_table(
        ["jobs delayed by it", *(known.words for known in named), "lost (SU)", "starts"],
        rows,
        total=[("all", *blank, f"{total(explained.losers):,f}", "")],
    )


def document(explained: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON-able values; the charge is a text, for it is exact."""
    place, charges, job = explained.place, explained.charges, explained.job
    return {
        **({COLUMN: charges.basis.document()} if charges.basis else {}),
        "job_id": explained.job_id,
        **_name(explained, job),
        "row": job + 1,
        "mechanism": charges.mechanism,
        "charge": plain(billed(explained)),
        "reason": why(explained),
        "sentences": sentences(explained),
        "with_job": _known(explained, "with_job"),
        "without_job": _known(explained, "without_job"),
        "standard_error": _known(explained, "error"),
        "utility": None if place is None else charges.outcome.utility.item(place),
        **_stops(explained),
        "losers": [_row(explained, lost) for lost in explained.losers],
        "loses_by": [_row(explained, lost) for lost in explained.causes],
        "verified": not explained.own_faults,
        "faults": [str(fault) for fault in explained.faults],
        "commitments": explained.commitments and explained.commitments.line.hex(),
        **{name: dict(part.document) for name, part in _further_parts(explained).items()},
    }


def _stops(explained: Explanation) -> dict[str, Any]:
    """Return the rows of waste.csv in which the job was stopped or pays; none without the file."""
    charges = explained.charges
    if charges.shares is None:
        return {}
    columns, rows = evidence_tables(charges)[WASTE_FILE]
    named = [columns.index(name) for name in ("row", "payer_row")]
    mine = explained.job + 1
    shown = [row for row in rows if mine in [row[place] for place in named]]
    return {"stops": [dict(zip(columns, row, strict=True)) for row in shown]}


def _known(explained: Explanation, name: str) -> float | None:
    known = explained.charges.evidence
    if explained.place is None or not isinstance(known, Pivots | Replays):
        return None
    value = float(getattr(known, name)[explained.job])
    return None if math.isnan(value) else value


def _row(explained: Explanation, lost: Loss) -> dict[str, Any]:
    number = int(explained.run.workload.job_id[lost.job])
    row = {"row": lost.job + 1, "loss": lost.loss, "delay_s": lost.delay}
    return {"job_id": number, **_name(explained, lost.job), **row}


def _name(explained: Explanation, job: int) -> dict[str, str]:
    """Name of a job, where users know any by another name than its number."""
    jobs = explained.run.workload
    return {"job": jobs.job_name(job)} if jobs.job_names.names else {}


def write_proof(explained: Explanation, path: Path) -> None:
    """Write the proof of all jobs of the job's user as JSON.

    Raises
    ------
    InputError
        There are no commitments, or the file cannot be written.
    """
    commitments = explained.commitments
    if commitments is None:
        raise InputError(
            NOBODY,
            field="`proof`",
            remedy="simulate or bill the log again with `out`",
        )
    write_json(path, proof_for(explained.run, explained.directory, commitments, explained.job))


def show_proof(path: Path, name: str, published: str | None, *, json: bool) -> None:
    """Check a proof against the published line, and print what it proves of the job of a name.

    Raises
    ------
    InputError
        It proves nothing of the job.
    """
    if published is None:
        raise InputError(
            "a proof is checked against a line that the centre has published",
            field="`published`",
            remedy="give the line",
        )
    proven = [job for job in read_proof(path, published) if name in {str(job.job), job.name}]
    if not proven:
        raise InputError(f"proves nothing of job {name}", source=str(path))
    if json:
        print_json({"jobs": [job._asdict() for job in proven]})
        return
    for job in proven:
        curve = ", ".join(f"{time:g} s: {value:g}" for time, value in job.curve) or "none"
        print(
            filled(
                f"Job {job.name or job.job}: committed to on {job.date}."
                f" Its utility function (SU): {curve}."
            )
        )


def check_drawable(path: Path) -> None:
    """Refuse a file that nothing can be drawn into.

    Raises
    ------
    InputError
        Its suffix is no format of ours, or it cannot be written.
    """
    from utilitysched.report.charts.picture import FORMATS  # noqa: PLC0415 - takes 0.4 s

    if path.suffix != HTML and path.suffix.removeprefix(".") not in FORMATS:
        raise InputError(
            f"no graph can be drawn as {path.suffix or 'a file without suffix'}",
            source=str(path),
            remedy="name it .svg, .pdf, .png or .html",
        )
    prove_writable(path)


def draw_explanation(explained: Explanation, path: Path) -> None:
    """Draw the graph around a job; in HTML with the sentences above it.

    Raises
    ------
    InputError
        There is nothing to draw, or the file cannot be written.
    """
    from utilitysched.report.charts.losses import losses  # noqa: PLC0415 - takes 0.4 s
    from utilitysched.report.charts.picture import PAGE  # noqa: PLC0415

    graph = losses(explained)
    if path.suffix != HTML:
        graph.save(path, PAGE)
        return
    basis = explained.charges.basis
    paragraphs = [
        *(basis.notices if basis else ()),
        *_further_paragraphs(explained),
        *sentences(explained),
        verdict(explained),
        checking(explained),
    ]
    title = f"Job {explained.job_name} is {verdict_of(explained)}"
    write_html(render("explanation.html", title=title, said=paragraphs, graph=graph), path)

"""`utilitysched explain-charge`."""

from pathlib import Path
from typing import Annotated

from swfx.base.typed import Typed
from utilitysched.cli.shared import Json, Quiet

EPILOG = """\b
Examples:
  utilitysched explain-charge runs/blue/ga 5543
  utilitysched explain-charge runs/blue/ga 5543 --draw 5543.svg
  utilitysched explain-charge runs/may/ga 103_1
  utilitysched explain-charge runs/blue/ga 5543 --again
  utilitysched explain-charge runs/blue/ga 5543 --proof mine.json
  utilitysched explain-charge mine.json 5543 --published published.csv
"""


def explain_charge(
    directory: Annotated[Path, Typed("DIR")],
    job: Annotated[str, Typed("JOB")],
    draw: Annotated[Path | None, Typed("--draw FILE")] = None,
    again: Annotated[bool, Typed("--again")] = False,
    published: Annotated[str | None, Typed("--published LINE")] = None,
    proof: Annotated[Path | None, Typed("--proof FILE")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Explain what a job of a billed run is charged.

    Shows who lost how much because of it, and what the others had with it and without it. The
    charge is recomputed from the workload, the schedule and the evidence of the bill; exit
    code 2 if the bill disagrees, or a job is not as it was committed to when the log was read.

    Parameters
    ----------
    directory : Path
        Directory of one run with its bill; or a file that --proof has written, to be checked
        against --published.
    job : str
        Number or name of a job, such as 103_1.
    draw : Path or None
        Draw whom the job cost how much, and who cost it: .svg, .pdf, .png, or .html with the
        sentences.
    again : bool
        Ask the scheduler again what would have happened, rather than the bill's evidence; takes as
        long as the bill.
    published : str or None
        Last line of the commitments that the centre has published, or the whole file.
    proof : Path or None
        Write what proves the curves of the job's user, and shows nobody else's.
    json, quiet : bool
        JSON in place of text; errors alone.
    """
    from swfx import InputError
    from utilitysched.cli.notifier import notifier
    from utilitysched.counterfactual.explanation import explain
    from utilitysched.report.explanation import document, print_explanation, show_proof, write_proof
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.commitments import vouched_since

    if directory.is_file():
        show_proof(directory, job, published, json=json)
        return
    if draw:
        from utilitysched.report.explanation import check_drawable

        check_drawable(draw)
    explained = explain(directory, job, again=again, published=published)
    since = vouched_since(explained.run, directory)
    if explained.commitments and since:
        notifier(quiet=quiet)(since)
    if proof:
        write_proof(explained, proof)
        notifier(quiet=quiet)(f"wrote {proof}")
    if draw:
        from utilitysched.report.explanation import draw_explanation

        draw_explanation(explained, draw)
        notifier(quiet=quiet)(f"wrote {draw}")
    if json:
        print_json(document(explained))
    else:
        print_explanation(explained)
    if explained.own_faults:
        raise InputError(
            f"the charge of job {job} does not follow from its evidence",
            source=str(directory),
            remedy="bill again",
        )

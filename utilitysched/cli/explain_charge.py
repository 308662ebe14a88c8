"""`utilitysched explain-charge`."""

from pathlib import Path
from typing import Annotated

from swfx.base.document_values import whole
from swfx.base.typed import Typed
from utilitysched.cli.shared import Json, Quiet

EPILOG = """\b
Examples:
  utilitysched explain-charge runs/blue/ga 5543
  utilitysched explain-charge runs/blue/ga 5543 --draw 5543.svg
  utilitysched explain-charge runs/blue/ga 5543 --again
"""


def explain_charge(
    directory: Annotated[Path, Typed("DIR")],
    job: Annotated[int, whole(), Typed("JOB")],
    draw: Annotated[Path | None, Typed("--draw FILE")] = None,
    again: Annotated[bool, Typed("--again")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Explain what a job of a billed run is charged.

    Shows who lost how much because of it, and what the others had with it and without it. The
    charge is recomputed from the workload, the schedule and the evidence of the bill; exit
    code 2 if the bill disagrees.

    Parameters
    ----------
    directory : Path
        Directory of one run with its bill.
    job : int
        Number of a job.
    draw : Path or None
        Draw whom the job cost how much, and who cost it: .svg, .pdf, .png, or .html with the
        sentences; needs matplotlib.
    again : bool
        Ask the scheduler again what would have happened, rather than the bill's evidence; takes as
        long as the bill.
    json, quiet : bool
        JSON in place of text; errors alone.
    """
    from swfx import InputError
    from utilitysched.cli.notifier import notifier
    from utilitysched.counterfactual.explanation import explain
    from utilitysched.report.explanation import document, print_explanation
    from utilitysched.report.terminal import print_json

    if draw:
        from utilitysched.report.explanation import check_drawable

        check_drawable(draw)
    explained = explain(directory, job, again=again)
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

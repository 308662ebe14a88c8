"""`utilitysched estimates`."""

from typing import Annotated

import typer

from utilitysched.cli.options import (
    Jobs,
    Json,
    Procs,
    Quiet,
    SoftEstimates,
    Strict,
    WorkloadText,
    from_zero,
)

EPILOG = """\b
Examples:
  utilitysched estimates log.swf.gz
  utilitysched estimates log.swf.gz --soft-estimates answers.csv --least-request 0 --json
"""


def estimates(
    workload: WorkloadText,
    soft_estimates: SoftEstimates = None,
    least_request: Annotated[
        int,
        typer.Option(
            "--least-request",
            metavar="S",
            parser=from_zero,
            help="Leave out jobs that request less (s); LEE asked from 20 minutes on.",
        ),
    ] = 1200,
    top: Annotated[
        int,
        typer.Option(
            "--top", metavar="N", parser=from_zero, help="Users to print, with most jobs."
        ),
    ] = 10,
    jobs: Jobs = None,
    procs: Procs = None,
    strict: Strict = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Study how wrong users are about run times.

    Compares requested times, and the users' own best guesses where there are any, with run times:
    overall, by user, and by the confidence they stated. LEE's figures stand beside.
    """
    from swfx.reading.notes import read_notes
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.analysis.estimates import study
    from utilitysched.cli.notifier import notifier
    from utilitysched.report.estimates import print_estimates
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.steps import attaching, take_steps

    loaded = WorkloadSource(workload, jobs, procs, strict).load()
    echo = notifier(quiet=quiet)
    for line in read_notes(loaded.report):
        echo(line)
    surveyed = take_steps(loaded.workload, [attaching(soft_estimates)], echo)
    found = study(surveyed, least_request)
    if json:
        print_json(found.to_dict())
    else:
        print_estimates(found, shown=top)

"""`utilitysched estimates`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import duration, from_zero, option

EPILOG = """\b
Examples:
  utilitysched estimates log.swf.gz
  utilitysched estimates log.swf.gz --jobs 0:20000 --forecasts
  utilitysched estimates log.swf.gz --soft-estimates answers.csv --least-request 0 --json
"""


def estimates(
    workload: str = shared.WORKLOAD,
    soft_estimates: str | None = shared.SOFT_ESTIMATES,
    least_request: float = option(
        "--least-request TIME",
        "Leave out jobs that request less; LEE's survey began at 20min.",
        1200,
        shown="20min",
        parser=duration,
    ),
    top: int = option(
        "--top N", "Number of users to print, those with the most jobs.", 10, parser=from_zero
    ),
    forecasts: bool = option(
        "--forecasts",
        "Score forecasts of run times from what was known at the time instead; needs "
        "utilitysched[forecasts].",
        False,
    ),
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    strict: bool | None = shared.STRICT,
    page: Path | None = shared.PAGE,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Measure how wrong users are about run times.

    Compares requested times, and the users' own best guesses where there are any, with run times:
    overall, by user, and by the confidence they stated. Those of LEE's survey are shown beside.
    """
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.analysis.estimates import scoreboard, study
    from utilitysched.cli.notifier import notifier, watcher
    from utilitysched.report.description import write_page
    from utilitysched.report.estimates import (
        estimates_description,
        print_estimates,
        print_scoreboard,
    )
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.steps import attaching, load_and_take

    echo = notifier(quiet=quiet)
    source, steps = WorkloadSource(workload, jobs, procs, strict), [attaching(soft_estimates)]
    watch = watcher(quiet=quiet)
    with watch("reading the log"):
        taken = load_and_take(source, steps, echo)
    if forecasts:
        with watch("forecasting") as progress:
            scores = scoreboard(taken, progress)
        print_json(scores.to_dict()) if json else print_scoreboard(scores)
        return
    found = study(taken, least_request)
    if page:
        write_page(estimates_description(found, workload), page)
        echo(f"wrote {page}")
    if json:
        print_json(found.to_dict())
    else:
        print_estimates(found, shown=top)

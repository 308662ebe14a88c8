"""`utilitysched quote`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, from_one, from_zero, option

EPILOG = """\b
Examples:
  utilitysched quote runs/blue/ga --at 2939789 --processors 64 --request 4h --curve 0:200,12h:0
  utilitysched quote queue.json --processors 8 --request 1h --curve 0:9,2h:0 --curve default
  utilitysched quote queue.json --job job.json --scheduler easy --until 2961389 --json
"""


def quote(
    moment: Path = argument(
        "SNAPSHOT|DIR",
        "JSON that decision snapshot writes; or the directory of one run, with --at.",
    ),
    at: str | None = option("--at TIME", shared.AT_HELP),
    processors: int | None = option("--processors N", "Processors of the job.", parser=from_one),
    request: str | None = option(
        "--request TIME", "Its requested time: seconds, or 30min, 4h, 2d."
    ),
    user: int | None = option("--user N", "User of the job.", shown="anybody's"),
    queue: int | None = option("--queue N", "Its queue.", shown="none"),
    label: list[str] | None = option(
        "--label KIND=NAME",
        "Its account, project, job_name, comment, ...; for curves by label. Repeatable.",
    ),
    priority: int | None = option(
        "--priority N",
        "Its priority class, 0 the most urgent.",
        parser=from_zero,
        shown="by queue: 0 to 5 their own number, others 3",
    ),
    curve: list[str] | None = option(
        "--curve TIME:SU,...",
        "Its worth by turnaround time, or a text as for --utilities; repeatable, each "
        "gets an offer.",
        shown="worth nothing",
    ),
    job: Path | None = option("--job FILE", "The job as JSON, instead of these options."),
    scheduler: str = option(
        "--scheduler -s NAME", "Scheduler of the quote.", "", shown="that of the snapshot"
    ),
    mechanism: list[str] | None = option(
        "--mechanism NAME",
        "Price mechanism: NAME or NAME:key=value,...; repeatable.",
        shown="single-price, multi-queue, first-price, second-price, vcg",
    ),
    morning: str | None = option(
        "--morning HH:MM", "Alternative time of submission.", shown="08:00"
    ),
    timezone: str | None = option(
        "--timezone ZONE",
        "Time zone of --morning, such as US/Pacific or -08:00.",
        shown="that of the snapshot",
    ),
    until: str | None = option("--until TIME", "Alternative time of submission, as for --at."),
    samples: int = option("--samples N", "Samples of all run times.", 30, parser=from_one),
    quantile: list[float] | None = option(
        "--quantile Q",
        "Quantile to show, 0 to 1; repeatable.",
        shown="0.1, 0.5, 0.9",
    ),
    replan: bool = option(
        "--replan",
        "Let ga search again at every event of every sample instead of following its "
        "present plan; takes minutes.",
        False,
    ),
    csv: Path | None = option("--csv FILE", "Also write the figures as CSV, one per line."),
    seed: int = shared.SEED,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Predict when a job would be done, and what it would cost.

    How long it and all others run is drawn from what is known of jobs that ended; no further
    jobs are submitted. Also: which bid would halve its turnaround, and what it would cost if it
    were submitted in the morning.
    """
    from swfx.base.atomic import atomic_write, prove_writable
    from utilitysched.cli.notifier import ProgressBar, notifier, noting_compilation
    from utilitysched.market.quote import MECHANISMS, QuoteTerms
    from utilitysched.market.quote import quote as make
    from utilitysched.market.quote.quote import QUANTILES
    from utilitysched.market.quote.request import (
        JobOptions,
        another_time,
        asked_for,
        moment_of,
        placed,
        with_curves,
    )
    from utilitysched.report.quote import csv_text, document, print_quote
    from utilitysched.report.terminal import print_json

    echo = notifier(quiet=quiet)
    typed = JobOptions(processors, request, user, queue, priority)
    asked = asked_for(job, typed, tuple(label or ()))
    if csv is not None:
        prove_writable(csv)
    with ProgressBar("reading the run", quiet=quiet):
        snapshot = placed(moment_of(moment, at, (asked.inquiry.user,), echo), timezone)
    later = another_time(snapshot, morning, until)
    if later is None:
        echo("the moment's date is not known: give --until TIME to compare with another time")
    terms = QuoteTerms(
        scheduler,
        tuple(mechanism or MECHANISMS),
        samples,
        tuple(sorted(set(quantile or QUANTILES))),
        seed,
        later,
        replan,
    )
    with noting_compilation(echo), ProgressBar("quoting", quiet=quiet):
        made = make(snapshot, asked.inquiry, with_curves(asked, curve or (), snapshot, seed), terms)
    if csv is not None:
        with atomic_write(csv) as stream:
            stream.write(csv_text(made).encode())
    if json:
        print_json(document(made))
    else:
        print_quote(made)

"""`utilitysched quote`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from swfx.base.document_values import seconds, whole
from swfx.base.typed import Typed
from utilitysched.cli.shared import AT_HELP, Json, Quiet
from utilitysched.market.quote.terms import QuoteTerms

EPILOG = """\b
Examples:
  utilitysched quote runs/blue/ga --at 2939789 --processors 64 --request 4h --curve 0:200,12h:0
  utilitysched quote queue.json --processors 8 --request 1h --curve 0:9,2h:0 --curve default
  utilitysched quote queue.json --job job.json --scheduler easy --until 2961389 --json
"""

BY_QUEUE = "by queue: 0 to 5 their own number, others 3"


def quote(
    moment: Annotated[Path, Typed("SNAPSHOT|DIR")],
    terms: QuoteTerms,
    at: Annotated[str | None, Typed("--at TIME", text=AT_HELP)] = None,
    processors: Annotated[int | None, whole(1), Typed("--processors N")] = None,
    request: Annotated[float | None, seconds(), Typed("--request TIME")] = None,
    user: Annotated[int | None, whole(-(2**63)), Typed("--user N", shown="anybody's")] = None,
    queue: Annotated[int | None, whole(-(2**63)), Typed("--queue N", shown="none")] = None,
    label: Annotated[Sequence[str], Typed("--label KIND=NAME")] = (),
    priority: Annotated[int | None, whole(), Typed("--priority N", shown=BY_QUEUE)] = None,
    curve: Annotated[Sequence[str], Typed("--curve TIME:SU,...", shown="worth nothing")] = (),
    job: Annotated[Path | None, Typed("--job FILE")] = None,
    morning: Annotated[str | None, Typed("--morning HH:MM", shown="08:00")] = None,
    timezone: Annotated[str | None, Typed("--timezone ZONE", shown="that of the snapshot")] = None,
    until: Annotated[str | None, Typed("--until TIME")] = None,
    csv: Annotated[Path | None, Typed("--csv FILE")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Predict when a job would be done, and what it would cost.

    How long it and all others run is drawn from what is known of jobs that ended; no further
    jobs are submitted. Also: which bid would halve its turnaround, and what it would cost if it
    were submitted in the morning.

    Parameters
    ----------
    moment : Path
        JSON that decision snapshot writes; or the directory of one run, with --at.
    terms : QuoteTerms
        Terms of the quote.
    at : str, optional
        Moment of a run.
    processors : int, optional
        Processors of the job.
    request : float, optional
        Its requested time: seconds, or 30min, 4h, 2d.
    user : int, optional
        User of the job.
    queue : int, optional
        Its queue.
    label : sequence of str
        Its account, project, job_name, comment, ...; for curves by label. Repeatable.
    priority : int, optional
        Its priority class, 0 the most urgent.
    curve : sequence of str
        Its worth by turnaround time, or a text as for --utilities; repeatable, each gets an offer.
    job : Path, optional
        The job as JSON, instead of these options.
    morning : str, optional
        Alternative time of submission.
    timezone : str, optional
        Time zone of --morning, such as US/Pacific or -08:00.
    until : str, optional
        Alternative time of submission, as for --at.
    csv : Path, optional
        Also write the figures as CSV, one per line.
    json, quiet : bool
        What is printed.
    """
    from dataclasses import replace

    from swfx.base.atomic import atomic_write, prove_writable
    from utilitysched.cli.notifier import ProgressBar, notifier, noting_compilation
    from utilitysched.market.quote import MECHANISMS
    from utilitysched.market.quote import quote as make
    from utilitysched.market.quote.request import (
        JobOptions,
        another_time,
        moment_of,
        placed,
        stated_job,
        with_curves,
    )
    from utilitysched.report.quote import csv_text, document, print_quote
    from utilitysched.report.terminal import print_json
    from utilitysched.schedulers.billed import ranked_as_billed

    echo = notifier(quiet=quiet)
    typed = JobOptions(processors, request, user, queue, priority, tuple(label))
    quoted = stated_job(job, typed)
    if csv is not None:
        prove_writable(csv)
    with ProgressBar("reading the run", quiet=quiet):
        snapshot = placed(moment_of(moment, at, (quoted.user,), echo), timezone)
    later = another_time(snapshot, morning, until)
    if later is None:
        echo("the moment's date is not known: give --until TIME to compare with another time")
    quoted = with_curves(quoted, curve, snapshot, terms.seed)
    quantiles = tuple(sorted(set(terms.quantiles)))
    terms = replace(terms, quantiles=quantiles, later=later)
    if terms.scheduler and terms.mechanisms != MECHANISMS:
        ranked = ranked_as_billed(terms.scheduler, terms.mechanisms, echo)
        terms = replace(terms, scheduler=ranked)
    with noting_compilation(echo), ProgressBar("quoting", quiet=quiet) as bar:
        made = make(snapshot, quoted, terms, bar)
    if csv is not None:
        with atomic_write(csv) as stream:
            stream.write(csv_text(made).encode())
    if json:
        print_json(document(made))
    else:
        print_quote(made)

"""`utilitysched quote`."""

from pathlib import Path
from typing import Annotated

import typer

from utilitysched.cli.options import Json, Quiet, Seed, from_one, from_zero

EPILOG = """\b
Examples:
  utilitysched quote runs/blue/ga --at 2939789 --processors 64 --request 4h --curve 0:200,12h:0
  utilitysched quote queue.json --processors 8 --request 1h --curve 0:9,2h:0 --curve default
  utilitysched quote queue.json --job job.json --scheduler easy --until 2961389 --json
"""


def quote(
    moment: Annotated[
        Path,
        typer.Argument(
            metavar="SNAPSHOT|DIR",
            help="JSON of a moment, as utilitysched snapshot writes it; or the directory of one "
            "run, with --at.",
            show_default=False,
        ),
    ],
    at: Annotated[
        float | None,
        typer.Option(
            "--at", metavar="T", help="When, in seconds on the run's clock.", show_default=False
        ),
    ] = None,
    processors: Annotated[
        int | None,
        typer.Option(
            "--processors", metavar="N", parser=from_one, help="Of the job.", show_default=False
        ),
    ] = None,
    request: Annotated[
        str | None,
        typer.Option(
            "--request",
            metavar="TIME",
            help="Its requested time: seconds, or 30min, 4h, 2d.",
            show_default=False,
        ),
    ] = None,
    user: Annotated[
        int | None,
        typer.Option("--user", metavar="N", help="Whose it is.", show_default="anybody's"),
    ] = None,
    queue: Annotated[
        int | None,
        typer.Option("--queue", metavar="N", help="Its queue.", show_default="none"),
    ] = None,
    priority: Annotated[
        int | None,
        typer.Option(
            "--priority",
            metavar="N",
            parser=from_zero,
            help="Its class, 0 the most urgent.",
            show_default="by the queue: 0 to 5 are their own, others 3",
        ),
    ] = None,
    curve: Annotated[
        list[str] | None,
        typer.Option(
            "--curve",
            metavar="TIME:SU,...",
            help="What it is worth by its turnaround time, or what --utilities takes; repeatable, "
            "each gets an offer.",
            show_default="worth nothing",
        ),
    ] = None,
    job: Annotated[
        Path | None,
        typer.Option(
            "--job",
            metavar="FILE",
            help="The job as JSON, in place of these options.",
            show_default=False,
        ),
    ] = None,
    scheduler: Annotated[
        str,
        typer.Option(
            "--scheduler",
            "-s",
            metavar="NAME",
            help="Who decides.",
            show_default="of the moment",
        ),
    ] = "",
    mechanism: Annotated[
        list[str] | None,
        typer.Option(
            "--mechanism",
            metavar="NAME",
            help="Who charges: NAME or NAME:key=value,...; repeatable.",
            show_default="single-price, multi-queue, first-price, second-price, vcg",
        ),
    ] = None,
    morning: Annotated[
        str | None,
        typer.Option(
            "--morning",
            metavar="HH:MM",
            help="When else it might be submitted.",
            show_default="08:00",
        ),
    ] = None,
    timezone: Annotated[
        str | None,
        typer.Option(
            "--timezone",
            metavar="ZONE",
            help="Of --morning: US/Pacific, -08:00.",
            show_default="that of the moment",
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(
            "--until",
            metavar="T",
            help="The same in seconds on the clock of the moment.",
            show_default=False,
        ),
    ] = None,
    samples: Annotated[
        int,
        typer.Option("--samples", metavar="N", parser=from_one, help="Of all run times."),
    ] = 30,
    quantile: Annotated[
        list[float] | None,
        typer.Option(
            "--quantile",
            metavar="Q",
            help="Share of the samples to be shown, 0 to 1; repeatable.",
            show_default="0.1, 0.5, 0.9",
        ),
    ] = None,
    replan: Annotated[
        bool,
        typer.Option(
            "--replan",
            help="Let ga search again at every event of every sample, as it does, in place of "
            "following its plan of now: minutes.",
        ),
    ] = False,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="Write a line for each figure, too.", show_default=False
        ),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tell when a job would be done if it were submitted, and what it would be charged.

    How long it and all others run is drawn from what is known of jobs that ended; nobody else is
    submitted. Besides: which bid would have it done in half the time, and what it would cost to
    submit it in the morning.
    """
    from swfx.base.atomic import atomic_write, prove_writable
    from utilitysched.cli.notifier import notifier, noting_compilation
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
    asked = asked_for(job, JobOptions(processors, request, user, queue, priority))
    if csv is not None:
        prove_writable(csv)
    snapshot = placed(moment_of(moment, at, (asked.inquiry.user,), echo), timezone)
    later = another_time(snapshot, morning, until)
    if later is None:
        echo("the moment's date is not known: give --until T to compare with another time")
    terms = QuoteTerms(
        scheduler,
        tuple(mechanism or MECHANISMS),
        samples,
        tuple(sorted(set(quantile or QUANTILES))),
        seed,
        later,
        replan,
    )
    with noting_compilation(echo):
        made = make(snapshot, asked.inquiry, with_curves(asked, curve or (), snapshot, seed), terms)
    if csv is not None:
        with atomic_write(csv) as stream:
            stream.write(csv_text(made).encode())
    if json:
        print_json(document(made))
    else:
        print_quote(made)

"""`utilitysched bill`."""

from pathlib import Path
from typing import Annotated

import typer

from utilitysched.cli.options import (
    Dask,
    JobQueue,
    JobQueueOption,
    Json,
    Quiet,
    from_one,
    from_zero,
)

EPILOG = """\b
Examples:
  utilitysched bill runs/blue/ga
  utilitysched bill runs/blue/ga --mechanism single-price:rate=0.5 --by month
  utilitysched bill runs/blue/ga --mechanism vcg:settle=end,searches=4
  utilitysched bill runs/blue/ga --mechanism vcg:method=replay,horizon=24h
  utilitysched bill runs/blue/ga --mechanism vcg:method=replay --dask tcp://head:8786
  utilitysched bill runs/blue/ga --ledger books.db
  utilitysched bill runs/blue/ga --rules rules.toml --html statements --by account
"""


def bill(
    directory: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="Of one run, as simulate --out makes it: DIR/SCHEDULER.",
            show_default=False,
        ),
    ],
    mechanism: Annotated[
        str,
        typer.Option(
            "--mechanism",
            metavar="NAME",
            help="first-price: what a job turned out to be worth; single-price: by "
            "processor-hour; multi-queue: that by queue; vcg: what the others lose because of the "
            "job. With options: NAME:key=value,...",
        ),
    ] = "first-price",
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="KIND",
            help="Statement to show: user, group, queue, month; with --rules account, too.",
        ),
    ] = "user",
    exclude_status: Annotated[
        list[int] | None,
        typer.Option(
            "--exclude-status",
            metavar="N",
            help="Jobs of SWF status N pay nothing (0 failed, 5 cancelled); repeatable.",
        ),
    ] = None,
    cap: Annotated[
        bool, typer.Option("--cap", help="Nobody pays more than the job turned out to be worth.")
    ] = False,
    decimals: Annotated[
        int | None,
        typer.Option(
            "--decimals",
            metavar="N",
            parser=from_zero,
            help="Round statements; remainders are spread, so lines still add up.",
        ),
    ] = None,
    ledger: Annotated[
        str | None,
        typer.Option(
            "--ledger",
            metavar="LEDGER",
            help="Charge the accounts of this ledger, too: a file, or postgresql://USER@HOST/"
            "DATABASE. A second time changes nothing.",
            show_default=False,
        ),
    ] = None,
    month: Annotated[
        str | None,
        typer.Option(
            "--month",
            metavar="YYYY-MM",
            help="In which the ledger is charged.",
            show_default="that in which each job completed",
        ),
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option(
            "--rules",
            metavar="FILE",
            help="What the centre makes of the charges: minimums, weights, exemptions, discounts, "
            "allowances, currency, tax (TOML). Writes invoice.csv and what it adds up to.",
            show_default=False,
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FOLDER",
            help="Write a page for each payer, to be printed, and one with links to them.",
            show_default=False,
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes",
            metavar="N",
            parser=from_one,
            help="Replay the log in so many processes (vcg:method=replay).",
            show_default="one per processor",
        ),
    ] = None,
    dask: Dask = None,
    jobqueue: JobQueue = None,
    jobqueue_option: JobQueueOption = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Charge the jobs of a run and write the bill.

    Writes charges.csv, a statement-by-KIND.csv for each kind, and statements.json. Lines add up
    exactly to the total. With --ledger the accounts pay; if one cannot, none does, and the bill is
    written all the same. With --rules what is to be paid is written beside it, with the reason of
    every job.
    """
    from dataclasses import replace
    from json import loads

    import pricing
    from pricing.rules import document as to_document
    from utilitysched.cli.accounting import paying, posted_line
    from utilitysched.cli.invoicing import forget_invoice, invoicing
    from utilitysched.cli.progress import Progress
    from utilitysched.cli.say import speaker
    from utilitysched.cli.where import Where
    from utilitysched.counterfactuals import REPLAYS_FILE, Counterfactuals
    from utilitysched.report.bill import print_bill
    from utilitysched.report.console import print_json
    from utilitysched.report.invoices import print_invoice
    from utilitysched.runs import read_run

    say = speaker(quiet=quiet)
    where = Where(processes, dask, jobqueue, tuple(jobqueue_option or ()))
    blocks = where.blocks_for(pricing.make_mechanism(mechanism), say)
    ruled = invoicing(rules, html, by, exempted=exclude_status, ledger=ledger, decimals=decimals)
    with paying(ledger, month) as pay:
        run = read_run(directory)
        with Progress("asking what would have been", quiet=quiet) as progress:
            asked = replace(
                Counterfactuals.recorded(
                    run.workload, run.start, run.record["simulation"], progress
                ),
                blocks=blocks,
                keep=directory / REPLAYS_FILE,
            )
            charges = pricing.charge(
                run.workload,
                run.start,
                run.end,
                mechanism,
                exclude_statuses=exclude_status or (),
                cap=cap,
                counterfactual=asked,
            )
        if ruled is None:
            pricing.statement(charges, by)  # refuses an unknown kind before anything is written
        forget_invoice(directory)
        files = pricing.write_statements(directory, charges, decimals=decimals)
        asked.forget()
        say(f"wrote {', '.join(path.name for path in files)} in {directory}")
        invoice = ruled.write(charges, directory, say) if ruled else None
        posted = pay(charges, f"{directory}, {mechanism}")
    if posted is not None:
        say(f"{ledger}: {posted_line(posted)}")
    if json:
        document = loads(files[-1].read_text(encoding="utf-8"))
        document |= {} if posted is None else {"ledger": posted._asdict()}
        print_json(document | ({"invoice": to_document(invoice)} if invoice else {}))
    elif invoice:
        print_invoice(invoice, by)
    else:
        print_bill(charges, by, decimals=decimals)

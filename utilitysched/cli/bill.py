"""`utilitysched bill`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, directory_of, from_one, from_zero, option

EPILOG = """\b
Examples:
  utilitysched bill runs/blue/ga
  utilitysched bill runs/blue/ga --mechanism vcg:method=replay,horizon=24h
  utilitysched bill slurm:sacct.txt --mechanism single-price --by account
  utilitysched bill slurm:sacct.txt --utilities curves:file=curves.toml --by account
  utilitysched bill runs/blue/ga --rules rules.toml --html invoices --ledger books.db
"""


def bill(
    run: str = argument(
        "RUN",
        "Folder of one run, as simulate --out makes it: DIR/SCHEDULER. Or a log, such as "
        "slurm:sacct.txt: what really happened is billed.",
    ),
    mechanism: str = option(
        "--mechanism NAME",
        "NAME or NAME:key=value,...: single-price and multi-queue charge by the hour, first-price "
        "what a job is worth, vcg what the others lose by it; see utilitysched list mechanisms.",
        "",
        shown="first-price",
    ),
    by: str | None = option(
        "--by KIND",
        "Statement to show: user, group, queue, month, account, project, qos, "
        "partition, job_name, ... as far as the log has it; with pages, who gets one.",
        shown="user; account for pages",
    ),
    exclude_status: list[int] | None = option(
        "--exclude-status N",
        "Jobs of SWF status N (0 failed, 5 cancelled) pay 0; repeatable.",
    ),
    exclude_state: list[str] | None = option(
        "--exclude-state STATE",
        "Jobs that ended in this state pay nothing, such as TIMEOUT; repeatable. NODE_FAIL, "
        "BOOT_FAIL, LAUNCH_FAILED, RECONFIG_FAIL never do; 'none': all pay.",
    ),
    cap: bool = option("--cap", "Charge no job more than it turned out to be worth.", False),
    drawn_values: bool = option(
        "--drawn-values",
        "Charge a log by values that were drawn at random.",
        False,
    ),
    decimals: int | None = option(
        "--decimals N",
        "Round statements; remainders are spread, so lines still add up.",
        parser=from_zero,
    ),
    ledger: str | None = option(
        "--ledger LEDGER",
        "Charge the accounts of this ledger, too: a file, or postgresql://USER@HOST/DATABASE. A "
        "second time changes nothing.",
    ),
    month: str | None = option(
        "--month YYYY-MM",
        "Of the ledger's charges.",
        shown="in which each job completed",
    ),
    rules: Path | None = option(
        "--rules FILE",
        "What the centre makes of the charges: minimums, weights, exemptions, discounts, "
        "allowances, currency, tax (TOML).",
    ),
    html: Path | None = option(
        "--html FOLDER",
        "Write an invoice for each payer (--by) as a page, its evidence, its jobs as CSV, and "
        "with a currency as UBL.",
    ),
    pdf: Path | None = option(
        "--pdf FOLDER",
        "Write the invoices as PDF, too; needs reportlab and matplotlib.",
    ),
    savings: int | None = option(
        "--savings N",
        "On vcg invoices, show what N jobs would have cost otherwise.",
        parser=from_one,
    ),
    out: Path | None = option(
        "--out DIR",
        "Where the schedule of a log and its bill are written, in DIR/recorded.",
        parser=directory_of,
        shown="the log's name with -bill",
    ),
    procs: int | None = shared.LOG_PROCS,
    utilities: str | None = shared.LOG_UTILITIES,
    processes: int | None = shared.REPLAY_PROCESSES,
    dask: str | None = shared.DASK,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Charge the jobs of a run or of a log, and write the bill.

    Writes charges.csv, a statement-by-KIND.csv for each kind, and statements.json. Lines add up
    exactly to the total. With --rules what is to be paid is written beside it, with the reason of
    every job. With --ledger the accounts pay, and what they paid is reconciled with the bill; if
    one cannot, none does, and nothing is written.
    """
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.market.billing import (
        BY_PAYER,
        BillPlan,
        bill_run,
        replay_places,
        rules_of_bill,
        run_to_bill,
        states_let_off,
    )
    from utilitysched.report.bill import bill_document, show_bill
    from utilitysched.report.terminal import print_json
    from utilitysched.workers.places import Workplace
    from utilitysched_centre.report.statements import Statements, write_pages, write_pdfs
    from utilitysched_centre.report.statements.pdf import require_reportlab

    echo, excluded = notifier(quiet=quiet), exclude_status or ()
    states = states_let_off(exclude_state or ())
    place = Workplace(processes, dask)
    executor = replay_places(mechanism, place, echo)
    pages = tuple(folder for folder in (html, pdf) if folder)
    if pdf:
        require_reportlab()
    asked = "--html" if html else "--pdf" if pdf else ""
    exempted = [*excluded, *(exclude_state or ())]
    ruled = rules_of_bill(rules, asked, by, exempted=exempted, decimals=decimals)
    directory = run_to_bill(run, out, procs, utilities, echo)
    plan = BillPlan(
        directory,
        mechanism,
        excluded,
        states,
        cap,
        decimals,
        ruled,
        ledger,
        month,
        pages,
        by,
        drawn_values,
        savings or 0,
    )
    with ProgressBar("replaying without each job", quiet=quiet) as progress:
        made = bill_run(plan, executor=executor, echo=echo, on_progress=progress)
    if pages and made.invoice:
        said = made.reconciled, None, made.savings
        statements = Statements(made.invoice, by or BY_PAYER, directory, *said)
        for folder, write in ((html, write_pages), (pdf, write_pdfs)):
            if folder:
                with ProgressBar("writing invoices", quiet=quiet) as progress:
                    written = write(statements, folder, progress)
                echo(f"wrote {len(written):,} files in {folder}")
    if json:
        print_json(bill_document(made))
    else:
        show_bill(made, by or "user", decimals=decimals)

"""`utilitysched billing-run`."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

from swfx.base.document_values import made
from swfx.base.typed import Typed
from utilitysched.cli.layout import CommandFamily, Commands
from utilitysched.cli.shared import Json, Quiet
from utilitysched_centre.cli.days import day_of

EPILOG = """\b
Examples:
  utilitysched billing-run billing.toml
  utilitysched billing-run billing.toml --month 2026-10
  utilitysched billing-run adjust billing.toml 102_1 --percent 50 --reason "slow node"
"""

RUN = "run"
"""Command that is meant where none is typed."""


class BillingCommands(CommandFamily):
    """Commands of which the first word may be left out where it is `RUN`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse options; put the command in front of a configuration."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = [RUN, *args]
        return super().parse_args(ctx, args)


billing_run = Commands(
    cls=BillingCommands,
    help="Bill a month: invoices, and credit notes for corrections.",
    epilog=EPILOG,
)

Config = Annotated[Path, Typed("CONFIG", text="TOML that says how to bill; see docs/billing.md.")]


@billing_run.command(RUN)
def run(
    config: Config,
    month: Annotated[str | None, Typed("--month YYYY-MM", shown="the last complete month")] = None,
    issued: Annotated[
        date | None, made(day_of), Typed("--issued YYYY-MM-DD", shown="today")
    ] = None,
    *,
    partial: Annotated[bool, Typed("--partial")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Bill a month of a log, and issue an invoice per account; `billing-run CONFIG` is the same.

    Every job is charged once. Run it again at any time: what is invoiced stays. Where the log has
    grown or was corrected since, the invoice of an account is cancelled by a credit note and
    replaced; what adjustments give back of single jobs gets a credit note of its own. Nothing is
    sent.

    Parameters
    ----------
    month : str, optional
        Month in which the jobs completed.
    issued : date, optional
        Date on the documents.
    partial : bool
        Bill a month that is not over.
    """
    from datetime import UTC, datetime

    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.report.terminal import print_json
    from utilitysched_centre.billing_config import read_config
    from utilitysched_centre.billing_run import billing_run as bill
    from utilitysched_centre.report.billing_run import last_month, month_document, show_month

    echo = notifier(quiet=quiet)
    day = issued or datetime.now(UTC).date()
    plan, when = read_config(config), month or last_month(day)
    with ProgressBar(f"billing {when}", quiet=quiet) as progress:
        billed = bill(plan, when, day, partial=partial, echo=echo, on_progress=progress)
    echo(f"documents and tables are in {billed.directory}")
    if json:
        print_json(month_document(billed))
    else:
        show_month(billed)


@billing_run.command("adjust")
def adjust(
    config: Config,
    job: Annotated[str, Typed("JOB", text="Job as Slurm prints it, such as 102_1.")],
    percent: Annotated[float | None, Typed("--percent P")] = None,
    amount: Annotated[float | None, Typed("--amount AMOUNT")] = None,
    reason: Annotated[str, Typed("--reason TEXT")] = "",
    account: Annotated[str, Typed("--account NAME")] = "",
    month: Annotated[str | None, Typed("--month YYYY-MM", shown="the last complete month")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Give back a part of what a job costs, by the next billing run of its month.

    The adjustment is written into the file of adjustments, if a billing run can take it.

    Parameters
    ----------
    percent : float, optional
        Percent of what the job costs, and of the tax on it.
    amount : float, optional
        Amount in the currency, tax included.
    reason : str
        Reason, as it stands on the credit note.
    account : str
        Account on the invoice, which tells jobs of the same name apart.
    month : str, optional
        Month of the invoice.
    """
    from datetime import UTC, datetime

    from swfx.base.document import check_document
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.report.terminal import print_json
    from utilitysched_centre.adjustments import Adjustment
    from utilitysched_centre.billing_config import read_config
    from utilitysched_centre.billing_run import adjust as write
    from utilitysched_centre.report.billing_run import adjusted_document, last_month, show_adjusted

    values = {"percent": percent, "amount": amount, "account": account or None}
    given = {name: value for name, value in values.items() if value is not None}
    when = month or last_month(datetime.now(UTC).date())
    one = check_document(Adjustment, {"job": job, "reason": reason, "month": when, **given})
    plan = read_config(config)
    with ProgressBar(f"charging {when}", quiet=quiet):
        adjusted = write(plan, one, echo=notifier(quiet=quiet))
    if json:
        print_json(adjusted_document(adjusted))
    else:
        show_adjusted(adjusted, config, plan.adjustments)

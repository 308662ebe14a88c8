"""`utilitysched bill`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from swfx.base.document_values import whole
from swfx.base.numbers import CENTS, MOST_DECIMALS
from swfx.base.request_fields import Directory
from swfx.base.typed import Typed
from utilitysched.cli.shared import Json, LogMachine, LogUtilities, Quiet
from utilitysched.workers.places import Workplace

EPILOG = """\b
Examples:
  utilitysched bill runs/blue/ga
  utilitysched bill runs/blue/ga --mechanism vcg:method=replay,horizon=24h
  utilitysched bill slurm:sacct.txt --mechanism single-price --by account
  utilitysched bill slurm:sacct.txt --utilities curves:file=curves.toml --html bill.html
"""


def bill(
    run: Annotated[str, Typed("RUN")],
    mechanism: Annotated[
        str, Typed("--mechanism NAME", shown="that of simulate, else first-price")
    ] = "",
    by: Annotated[str, Typed("--by KIND")] = "user",
    exclude_status: Annotated[
        Sequence[Annotated[int, whole(-1)]], Typed("--exclude-status N")
    ] = (),
    exclude_state: Annotated[Sequence[str], Typed("--exclude-state STATE")] = (),
    cap: Annotated[bool, Typed("--cap")] = False,
    drawn_values: Annotated[bool, Typed("--drawn-values")] = False,
    decimals: Annotated[int, whole(0, MOST_DECIMALS), Typed("--decimals N")] = CENTS,
    html: Annotated[Path | None, Typed("--html FILE")] = None,
    out: Annotated[Directory, Typed("--out DIR")] = None,
    machine_size: LogMachine = None,
    utilities: LogUtilities = None,
    *,
    place: Workplace,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Charge the jobs of a run or of a log.

    The bill of a run is written into its folder: charges.csv, a statement-by-KIND.csv for each
    kind, and statements.json; that of a log with --out. Lines add up exactly to the total.

    Parameters
    ----------
    run : str
        Folder of one run, as simulate --out makes it: DIR/SCHEDULER. Or a log, such as
        slurm:sacct.txt: what really happened is billed.
    mechanism : str
        NAME or NAME:key=value,...: single-price and multi-queue charge by the hour, first-price
        what a job is worth at its requested end, vcg what the others lose by it; see utilitysched
        list mechanisms.
    by : str
        Statement to show: user, group, queue, month, account, project, qos, partition, job_name,
        ... as far as the log has it.
    exclude_status : sequence of int
        Jobs of SWF status N (0 failed, 5 cancelled) pay 0; repeatable.
    exclude_state : sequence of str
        Jobs that ended in this state pay nothing, such as TIMEOUT; repeatable. NODE_FAIL,
        BOOT_FAIL, LAUNCH_FAILED, RECONFIG_FAIL never do; 'none': all pay.
    cap : bool
        Charge no job more than it turned out to be worth.
    drawn_values : bool
        Charge a log by values that were drawn at random.
    decimals : int
        Of each job's charge. It is rounded once, what rounding takes is spread over the jobs, and
        every file and page prints that amount, or an exact sum.
    html : Path, optional
        Write the bill as a page: the statement, and why each job is charged.
    out : Path, optional
        Write the schedule of a log and its bill, in DIR/recorded.
    """
    from pricing.files import bill_document
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.market.billing import (
        BillPlan,
        BillSource,
        charges_of,
        replay_places,
        states_let_off,
        usual_mechanism,
        write_bill,
    )
    from utilitysched.report.bill import print_bill, print_warnings, write_bill_page
    from utilitysched.report.terminal import print_json

    echo, states = notifier(quiet=quiet), states_let_off(exclude_state)
    executor = replay_places(mechanism or usual_mechanism(run), place, echo)
    plan = BillPlan(mechanism, exclude_status, states, cap, by, drawn_values, decimals)
    billed = BillSource(run, out, machine_size, utilities).read(echo)
    with ProgressBar("replaying without each job", quiet=quiet) as progress:
        charges = charges_of(plan, billed, executor=executor, echo=echo, on_progress=progress)
    if billed.directory:
        files = write_bill(billed.directory, charges)
        echo(f"wrote {', '.join(path.name for path in files)} in {billed.directory}")
    if html:
        write_bill_page(charges, by, html)
        echo(f"wrote {html}")
    if json:
        print_json(bill_document(charges))
    else:
        print_warnings(charges.basis)
        print_bill(charges, by)

"""`utilitysched bill`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, directory_of, from_zero, option

EPILOG = """\b
Examples:
  utilitysched bill runs/blue/ga
  utilitysched bill runs/blue/ga --mechanism vcg:method=replay,horizon=24h
  utilitysched bill slurm:sacct.txt --mechanism single-price --by account
  utilitysched bill slurm:sacct.txt --utilities curves:file=curves.toml --html bill.html
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
    by: str = option(
        "--by KIND",
        "Statement to show: user, group, queue, month, account, project, qos, "
        "partition, job_name, ... as far as the log has it.",
        "user",
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
    html: Path | None = option(
        "--html FILE", "Write the bill as a page: the statement, and why each job is charged."
    ),
    out: Path | None = option(
        "--out DIR",
        "Write the schedule of a log and its bill, in DIR/recorded.",
        parser=directory_of,
    ),
    procs: int | None = shared.LOG_PROCS,
    utilities: str | None = shared.LOG_UTILITIES,
    processes: int | None = shared.REPLAY_PROCESSES,
    dask: str | None = shared.DASK,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Charge the jobs of a run or of a log.

    The bill of a run is written into its folder: charges.csv, a statement-by-KIND.csv for each
    kind, and statements.json; that of a log with --out. Lines add up exactly to the total.
    """
    from pricing.files import bill_document
    from utilitysched.cli.notifier import ProgressBar, notifier
    from utilitysched.market.billing import (
        BillPlan,
        BillSource,
        charges_of,
        replay_places,
        states_let_off,
        write_bill,
    )
    from utilitysched.report.bill import print_bill, print_warnings, write_bill_page
    from utilitysched.report.terminal import print_json
    from utilitysched.workers.places import Workplace

    echo, states = notifier(quiet=quiet), states_let_off(exclude_state or ())
    executor = replay_places(mechanism, Workplace(processes, dask), echo)
    plan = BillPlan(mechanism, exclude_status or (), states, cap, by, drawn_values)
    billed = BillSource(run, out, procs, utilities).read(echo)
    with ProgressBar("replaying without each job", quiet=quiet) as progress:
        charges = charges_of(plan, billed, executor=executor, echo=echo, on_progress=progress)
    if billed.directory:
        files = write_bill(billed.directory, charges, decimals=decimals)
        echo(f"wrote {', '.join(path.name for path in files)} in {billed.directory}")
    if html:
        write_bill_page(charges, by, html, decimals=decimals)
        echo(f"wrote {html}")
    if json:
        print_json(bill_document(charges, decimals=decimals))
    else:
        print_warnings(charges.basis)
        print_bill(charges, by, decimals=decimals)

"""`utilitysched tariff-study`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, directory_of, option

EPILOG = """\b
Examples:
  utilitysched tariff-study runs/blue/ga -t single-price -t multi-queue -t first-price
  utilitysched tariff-study slurm:2025.txt -t single-price@now.toml -t single-price@planned.toml
"""


def tariff_study(
    run: str = argument("RUN", "Folder of one run, or a log, as for bill."),
    tariff: list[str] = option(
        "--tariff -t TARIFF",
        "MECHANISM as for bill, or MECHANISM@RULES with a file of rules; repeatable. "
        "The first is the baseline.",
        ...,
    ),
    by: str = option("--by KIND", "Who pays: account, user, group, ...", "account"),
    out: Path | None = option("-o --out FILE", "Also write an HTML page."),
    table: Path | None = option(
        "--table FILE", "Write what each payer pays under each tariff as CSV."
    ),
    folder: Path | None = option(
        "--folder DIR",
        "Where the schedule of a log is written.",
        parser=directory_of,
        shown="the log's name with -bill",
    ),
    procs: int | None = shared.LOG_PROCS,
    utilities: str | None = shared.LOG_UTILITIES,
    processes: int | None = shared.REPLAY_PROCESSES,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Compare the income from tariffs, and who would pay more.

    Assumes that users would have submitted the same jobs at any price. Intervals are over weeks.
    """
    from utilitysched.cli.notifier import notifier
    from utilitysched.market.billing import replay_places, run_to_bill
    from utilitysched.market.tariff_study import read_tariff
    from utilitysched.market.tariff_study import tariff_study as study
    from utilitysched.report.description import print_description, write_page
    from utilitysched.report.tariff_study import study_document, write_payers
    from utilitysched.report.terminal import print_json
    from utilitysched.workers.places import Workplace

    echo = notifier(quiet=quiet)
    tariffs = list(map(read_tariff, tariff))
    place = Workplace(processes, None, None, ())
    directory = run_to_bill(run, folder, procs, utilities, echo)
    found = study(
        directory,
        tariffs,
        by,
        executor=lambda mechanism: replay_places(mechanism, place, echo),
        echo=echo,
    )
    document = study_document(found)
    if table:
        echo(f"wrote {write_payers(found, table)}")
    if out:
        write_page(document, out)
        echo(f"wrote {out}")
    if json:
        print_json(document.to_dict())
    else:
        print_description(document)

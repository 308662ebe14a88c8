"""`utilitysched experiment run|status|report`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from swfx.base.request_fields import Directory, Page
from swfx.base.typed import Typed
from utilitysched.cli.layout import CommandFamily, Commands
from utilitysched.cli.shared import Quiet
from utilitysched.workers.places import Workplace

if TYPE_CHECKING:
    from utilitysched.cli.notifier import Echo
    from utilitysched.experiments.work import ExperimentWork
    from utilitysched.workers.executor import Executor

EPILOG = """\b
Examples:
  utilitysched experiment run grid.toml
  utilitysched experiment run grid.toml --dask tcp://head:8786
  utilitysched experiment status grid.toml
  utilitysched experiment report grid.toml --page grid.html
"""

app = Commands(
    cls=CommandFamily,
    help="Run a grid of simulations from a file, and compare them.",
    epilog=EPILOG,
)

ExperimentFile = Annotated[Path, Typed("FILE", text="Experiment file; see docs/experiments.md.")]
StoreFolder = Annotated[
    Directory,
    Typed(
        "--store DIR",
        shown="the file's own, else FILE without .toml, with .store",
        text="Where results are kept; several experiments and processes may share it.",
    ),
]


@app.command("run", epilog=EPILOG, tables=True)
def run(
    file: ExperimentFile,
    store: StoreFolder = None,
    page: Page = None,
    *,
    place: Workplace,
    quiet: Quiet = False,
) -> None:
    """Run what is not in the store yet, then report.

    May be interrupted, killed, and started again at any time: what is finished is kept.
    """
    from utilitysched.cli.notifier import notifier

    echo = notifier(quiet=quiet)
    executor = place.executor(echo)
    run_and_report(_opened(file, store, echo), executor, page, quiet=quiet)


@app.command("status", epilog=EPILOG)
def status(file: ExperimentFile, store: StoreFolder = None, quiet: Quiet = False) -> None:
    """Count the simulations in the store, and those that are missing."""
    from utilitysched.cli.notifier import notifier
    from utilitysched.experiments.work import status as lines

    for line in lines(_opened(file, store, notifier(quiet=quiet))):
        print(line)


@app.command("report", epilog=EPILOG, tables=True)
def report(
    file: ExperimentFile, store: StoreFolder = None, page: Page = None, quiet: Quiet = False
) -> None:
    """Print and write the tables of what is in the store, and run nothing."""
    from utilitysched.cli.notifier import notifier
    from utilitysched.report.experiment import report_on

    echo = notifier(quiet=quiet)
    report_on(_opened(file, store, echo), echo, page)


def run_and_report(
    work: "ExperimentWork", executor: "Executor", page: Path | None = None, *, quiet: bool
) -> None:
    """Run what is missing, print and write the tables."""
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.experiments.work import complete
    from utilitysched.report.experiment import report_on

    echo, complain = notifier(quiet=quiet), notifier(quiet=False)
    with noting_compilation(echo):
        complete(work, executor, echo, complain, watcher(quiet=quiet))
    report_on(work, echo, page)


def _opened(file: Path, store: Path | None, echo: "Echo") -> "ExperimentWork":
    from utilitysched.experiments.work import open_work
    from utilitysched.report.experiment import check_plots

    work = open_work(file, store, echo)
    check_plots(work.experiment)
    return work

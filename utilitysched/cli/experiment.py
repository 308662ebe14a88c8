"""`utilitysched experiment run|status|report`."""

from pathlib import Path
from typing import Annotated

import typer

from utilitysched.cli.options import (
    Dask,
    JobQueue,
    JobQueueOption,
    Quiet,
    directory_of,
    from_one,
)

EPILOG = """\b
Examples:
  utilitysched experiment run grid.toml
  utilitysched experiment run grid.toml --dask tcp://head:8786
  utilitysched experiment status grid.toml
  utilitysched experiment report grid.toml
"""

app = typer.Typer(
    help="Run the simulations that a file describes, and compare their results.",
    epilog=EPILOG,
    no_args_is_help=True,
)

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="The experiment, as docs/experiments.md says.", show_default=False
    ),
]
StoreDirectory = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="DIR",
        parser=directory_of,
        help="Where results are kept; several experiments and processes may share it.",
        show_default="the file's own, else FILE without .toml, with .store",
    ),
]
Processes = Annotated[
    int | None,
    typer.Option(
        "--processes",
        metavar="N",
        parser=from_one,
        help="Processes that simulate.",
        show_default="one per processor",
    ),
]


@app.command("run", epilog=EPILOG)
def run(
    file: File,
    store: StoreDirectory = None,
    processes: Processes = None,
    dask: Dask = None,
    jobqueue: JobQueue = None,
    jobqueue_option: JobQueueOption = None,
    quiet: Quiet = False,
) -> None:
    """Run what is not in the store yet, then report.

    May be interrupted, killed, and started again at any time: what is finished is kept.
    """
    from utilitysched.cli.experimenting import execute, opened
    from utilitysched.cli.say import speaker
    from utilitysched.cli.where import Where

    say = speaker(quiet=quiet)
    executor = Where(processes, dask, jobqueue, tuple(jobqueue_option or ())).executor(say)
    execute(opened(file, store, say), executor, say, quiet=quiet)


@app.command("status", epilog=EPILOG)
def status(file: File, store: StoreDirectory = None, quiet: Quiet = False) -> None:
    """Say how many simulations are in the store, and how many are missing."""
    from utilitysched.cli.experimenting import opened, print_status
    from utilitysched.cli.say import speaker

    print_status(opened(file, store, speaker(quiet=quiet)))


@app.command("report", epilog=EPILOG)
def report(file: File, store: StoreDirectory = None, quiet: Quiet = False) -> None:
    """Print and write the tables of what is in the store, and run nothing."""
    from utilitysched.cli.experimenting import opened, report_on
    from utilitysched.cli.say import speaker

    say = speaker(quiet=quiet)
    report_on(opened(file, store, say), say)

"""`utilitysched snapshot`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, option

EPILOG = """\b
Examples:
  utilitysched snapshot runs/blue/ga --at 2001-02-10T09:30 -o queue.json
  utilitysched bound queue.json --scheduler ga
"""


def snapshot(
    directory: Path = argument(
        "DIR", "Directory of one run, as simulate --out writes it: DIR/SCHEDULER."
    ),
    at: str = option("--at TIME", shared.AT_HELP, ...),
    out: Path = option("-o --out FILE", "JSON to write.", ...),
    quiet: bool = shared.QUIET,
) -> None:
    """Write what a run's scheduler saw at a moment.

    Holds the queue, the running jobs, and what had ended. Jobs that it started at the moment
    itself still wait.
    """
    from swfx.base.atomic import prove_writable
    from swfx.base.numbers import plural
    from utilitysched.cli.notifier import notifier
    from utilitysched.runs.snapshot import snapshot_of_run, write_snapshot

    prove_writable(out)
    echo = notifier(quiet=quiet)
    found = snapshot_of_run(directory, at, on_note=echo)
    write_snapshot(found, out)
    echo(
        f"wrote {plural(len(found.queued), 'queued job')} and"
        f" {plural(len(found.running), 'running job')} to {out}"
    )

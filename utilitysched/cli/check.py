"""`utilitysched check`."""

from typing import Annotated

from swfx.base.typed import Typed
from swfx.reading.workload_source import WorkloadSource
from utilitysched.cli.notifier import ProgressBar
from utilitysched.cli.shared import Json

EPILOG = """\b
Exit code 0: the workload loads. 2: it is refused, and standard error says why.
Examples:
  utilitysched check log.swf.gz
  utilitysched check log.swf.gz --all | less
  utilitysched check log.swf.gz --list | grep too-wide
"""


def check(
    source: WorkloadSource,
    listed: Annotated[bool, Typed("--list")] = False,
    everything: Annotated[bool, Typed("--all")] = False,
    json: Json = False,
) -> None:
    """Read a workload and account for every line.

    Says whether the workload loads, and what was dropped or repaired by which rule, with line
    numbers, and other oddities, on one screen.

    Parameters
    ----------
    source : WorkloadSource
        The workload.
    listed : bool
        List every line to which a rule applied instead.
    everything : bool
        Show all notes and rules, what they mean, and the header, however long.
    json : bool
        JSON in place of tables.
    """
    from swfx import InputError
    from utilitysched.report.check import Checked, print_check
    from utilitysched.report.terminal import print_json

    utilities = 0
    try:
        parts = source.open()
        with ProgressBar(f"reading {source.text}") as progress:
            for part in parts.jobs:
                utilities += int(part.utility.defined.sum())
                progress(parts.fraction())
    except InputError as error:
        if json:
            print_json({"loads": False, "error": str(error)})
        raise
    checked = Checked(parts.header, parts.report(), utilities)
    if json:
        print_json({"loads": True, **checked.to_dict()})
    else:
        print_check(checked, listed=listed, everything=everything)

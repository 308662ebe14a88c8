"""`utilitysched check`."""

from pathlib import Path
from typing import Annotated

from swfx.base.typed import Typed
from swfx.reading.workload_source import WorkloadSource
from utilitysched.cli.notifier import ProgressBar
from utilitysched.cli.shared import Json

EPILOG = """\b
Exit code 0: the workload loads. 2: it is refused, and standard error says why. Of a folder of runs,
as simulate --out writes it: 0, every schedule keeps the rules of its machine; 2, one breaks some.
Examples:
  utilitysched check log.swf.gz
  utilitysched check log.swf.gz --all | less
  utilitysched check log.swf.gz --list | grep too-wide
  utilitysched check runs/blue
"""


def check(
    source: WorkloadSource,
    listed: Annotated[bool, Typed("--list")] = False,
    everything: Annotated[bool, Typed("--all")] = False,
    json: Json = False,
) -> None:
    """Read a workload and account for every line.

    Says whether the workload loads, and what was dropped or repaired by which rule, with line
    numbers, and other oddities, on one screen. Of a folder of runs, checks that schedules keep the
    capacity of each pool and resource, the limits and the calendar of the machine.

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

    if Path(source.text).is_dir():
        _check_runs(Path(source.text), everything=everything, json=json)
        return
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


def _check_runs(directory: Path, *, everything: bool, json: bool) -> None:
    """Check the schedules of all runs in a folder."""
    from swfx import InputError
    from swfx.base.numbers import plural
    from utilitysched.report.check import CheckedSchedule, print_schedules
    from utilitysched.report.terminal import print_json
    from utilitysched.runs import read_results, run_directories

    checked = [CheckedSchedule.of(read_results(each)) for each in run_directories([directory])]
    if json:
        print_json({"schedules": [each.to_dict() for each in checked]})
    else:
        print_schedules(checked, everything=everything)
    broken = sum(len(each.violations) for each in checked)
    if broken:
        raise InputError(
            f"schedules break rules of their machines: {plural(broken, 'violation')}",
            source=str(directory),
        )

"""`utilitysched check`."""

from utilitysched.cli import shared
from utilitysched.cli.notifier import ProgressBar
from utilitysched.cli.options import option

EPILOG = """\b
Exit code 0: the workload loads. 2: it is refused, and standard error says why.
Examples:
  utilitysched check log.swf.gz
  utilitysched check log.swf.gz --list | grep too-wide
"""


def check(
    workload: str = shared.WORKLOAD,
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    strict: bool | None = shared.STRICT,
    listed: bool = option("--list", "List every line to which a rule applied instead.", False),
    json: bool = shared.JSON,
) -> None:
    """Read a workload and account for every line.

    Lists what was dropped or repaired by which rule, with line numbers, and other oddities.
    """
    from swfx import InputError
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.report.check import Checked, print_check
    from utilitysched.report.terminal import print_json

    utilities = 0
    try:
        parts = WorkloadSource(workload, jobs, procs, strict).open()
        with ProgressBar(f"reading {workload}") as progress:
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
        print_check(checked, listed=listed)

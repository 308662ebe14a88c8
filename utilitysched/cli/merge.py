"""`utilitysched merge`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import argument, option

EPILOG = """\b
Clocks: submissions keep their dates, by UnixStartTime in each header; a log without one is
refused unless --clocks first. Jobs of later logs get numbers above those of earlier ones.
Utilities in other units are refused.
Examples:
  utilitysched merge blue.swf.gz green.swf.gz -o both.swf.gz
  utilitysched merge slurm:jan.txt slurm:feb.txt -o winter.swf.gz --users same --machine first
  utilitysched merge log.swf.gz model:lublin,jobs=500 -o busier.swf.gz --clocks first
"""


def merge(
    logs: list[str] = argument("LOG", "Two or more logs, each as any WORKLOAD."),
    out: Path = shared.OUT_FILE,
    to: str | None = shared.TO,
    clocks: str = option(
        "--clocks unix|first", "Meet by date, or with the first job of each at once.", "unix"
    ),
    machine: str = option(
        "--machine largest|sum|first",
        "The largest of the machines, all together, or the first; drops wider jobs.",
        "largest",
    ),
    users: str = option(
        "--users apart|same",
        "Whether users, groups, accounts and job names of the same name or number in "
        "several logs are different ones, or the same.",
        "apart",
    ),
    quiet: bool = shared.QUIET,
) -> None:
    """Merge logs into one, on one clock and one machine.

    The same as convert --apply merge:log=LOG,..., once for each log after the first.
    """
    from swfx.reading.conversion import Conversion, convert, merging
    from swfx.reading.saving import refuse_overwriting
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import ProgressBar, notifier

    steps = merging(logs, clocks=clocks, machine=machine, users=users)
    for log in logs:
        refuse_overwriting(out, log)
    conversion = Conversion(WorkloadSource(logs[0]), out, to, steps)
    with ProgressBar(f"merging {len(logs)} logs", quiet=quiet) as progress:
        convert(conversion, notifier(quiet=quiet), progress)

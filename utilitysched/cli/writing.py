"""Writing a workload where the command line says."""

from pathlib import Path

import swfx
from swfx import Workload
from utilitysched.cli.say import Say

STDOUT = Path("-")


def save(workload: Workload, out: Path, say: Say) -> None:
    """Write a workload and say so; ``-`` is standard output.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    swfx.write(workload, out)
    if out != STDOUT:
        say(f"wrote {len(workload):,} jobs to {out}")

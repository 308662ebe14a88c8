"""Writing a workload where the command line says."""

from pathlib import Path

import swfx
from swfx import InputError, Workload
from utilitysched.cli.say import Say

STDOUT = Path("-")


def save(workload: Workload, out: Path, say: Say) -> None:
    """Write a workload and say so; ``-`` is standard output.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    try:
        swfx.write(workload, "-" if out == STDOUT else out)
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}",
            source=str(out),
            remedy="choose another place",
        ) from error
    if out != STDOUT:
        say(f"wrote {len(workload):,} jobs to {out}")

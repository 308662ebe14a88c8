"""Writing a workload where the command line says."""

from pathlib import Path

import swfx
from swfx import InputError, Workload
from swfx.atomic import prove_writable
from swfx.compression import check_packing
from utilitysched.cli.say import Say

STDOUT = Path("-")


def check_target(out: Path) -> None:
    """Refuse a file that cannot be written, before the work that would fill it.

    Raises
    ------
    InputError
        Its folder cannot be written to, or its suffix is a packing that there is not.
    """
    if out != STDOUT:
        try:
            check_packing(out.suffix)
        except InputError as error:
            raise InputError(error.message, source=str(out), remedy=error.remedy) from None
        prove_writable(out)


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

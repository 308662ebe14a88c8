"""Machines by the name of their file."""

from __future__ import annotations

from pathlib import Path

from swfx.clock import Clock
from swfx.machine.machine import Machine, read_machine

__all__ = ["machine_files", "machine_from"]

MACHINE, SLURM = PREFIXES = ("machine:", "slurm:")
SLURM_CONF = ".conf"


def machine_from(text: str | Path, clock: Clock | None = None) -> Machine:
    """Read a machine: a machine file, or a slurm.conf.

    Parameters
    ----------
    text : str or Path
        Path of a file; one whose name ends in .conf, or behind ``slurm:``, is a slurm.conf. The
        prefix ``machine:`` changes nothing.
    clock : Clock, optional
        The log's, for dates: of windows, and of reservations beside a slurm.conf.

    Raises
    ------
    InputError
        The file cannot be read, or its first mistake.
    """
    path, of_slurm = _path(text)
    if not of_slurm:
        return read_machine(path, clock)
    from swfx.machine.slurm_conf import read_slurm_conf  # noqa: PLC0415  seldom needed

    return read_slurm_conf(path, clock)


def machine_files(text: str | Path) -> dict[str, Path | None]:
    """Return the files that `machine_from` reads, by kind; None for a listing that is not there."""
    path, of_slurm = _path(text)
    if not of_slurm:
        return {"machine": path}
    from swfx.machine.slurm_conf import slurm_files  # noqa: PLC0415  seldom needed

    return slurm_files(path)


def _path(text: str | Path) -> tuple[Path, bool]:
    """Return the path that names a machine, and whether it is a slurm.conf."""
    given = str(text)
    prefix = next((each for each in PREFIXES if given.startswith(each)), "")
    path = Path(given.removeprefix(prefix))
    return path, prefix == SLURM or path.suffix == SLURM_CONF

"""Machines by the name of their file."""

from __future__ import annotations

from pathlib import Path

from swfx.clock import Clock
from swfx.machine.machine import Machine, read_machine
from swfx.machine.slurm_conf import read_slurm_conf

__all__ = ["machine_from", "machine_path"]

PREFIXES = ("machine:", "slurm:")
SLURM_CONF = ".conf"


def machine_from(text: str | Path, clock: Clock | None = None) -> Machine:
    """Read a machine: a machine file, or a slurm.conf.

    Parameters
    ----------
    text : str or Path
        Path of a file; one whose name ends in .conf, or behind ``slurm:``, is a slurm.conf. The
        prefix ``machine:`` changes nothing.
    clock : Clock, optional
        The log's, for reservations beside a slurm.conf.

    Raises
    ------
    InputError
        The file cannot be read, or its first mistake.
    """
    path = machine_path(text)
    if str(text).startswith("slurm:") or path.suffix == SLURM_CONF:
        return read_slurm_conf(path, clock)
    return read_machine(path)


def machine_path(text: str | Path) -> Path:
    """Return the path that names a machine, without its prefix."""
    given = str(text)
    prefix = next((each for each in PREFIXES if given.startswith(each)), "")
    return Path(given.removeprefix(prefix))

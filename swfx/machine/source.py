"""Machines by the name of their file."""

from __future__ import annotations

from pathlib import Path

from swfx.clock import Clock
from swfx.machine.machine import Machine, read_machine

__all__ = ["machine_files", "machine_from"]

PREFIX = "machine:"
"""What a path may begin with, to no effect."""


def machine_from(text: str | Path, clock: Clock | None = None) -> Machine:
    """Read a machine: a machine file, or a slurm.conf.

    Parameters
    ----------
    text : str or Path
        Path of a file; one whose name ends in .conf is a slurm.conf. ``machine:`` before it changes
        nothing.
    clock : Clock, optional
        The log's, for dates: of windows, and of reservations beside a slurm.conf.

    Raises
    ------
    InputError
        The file cannot be read, or its first mistake.
    """
    path = _path(text)
    if not _is_of_slurm(path):
        return read_machine(path, clock)
    from swfx.machine.slurm_conf import read_slurm_conf  # noqa: PLC0415  seldom needed

    return read_slurm_conf(path, clock)


def machine_files(text: str | Path) -> dict[str, Path | None]:
    """Return the files that `machine_from` reads, by kind; None for a listing that is not there."""
    path = _path(text)
    if not _is_of_slurm(path):
        return {"machine": path}
    from swfx.machine.slurm_conf import slurm_files  # noqa: PLC0415  seldom needed

    return slurm_files(path)


def _path(text: str | Path) -> Path:
    return Path(str(text).removeprefix(PREFIX))


def _is_of_slurm(path: Path) -> bool:
    return path.suffix == ".conf"

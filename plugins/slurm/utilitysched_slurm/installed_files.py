"""Files for Slurm and systemd that come with the package."""

import re
from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import count
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.base.atomic import atomic_write

NAMES = ("job_submit.lua", "utilitysched.lua", "utilitysched-slurm.service")
"""Script of slurmctld, the functions that it calls, and the unit of the market."""

BEFORE = "before"
"""End of the name of a file that was replaced, with a number from the second on."""


_RELEASE = re.compile(rb'^local RELEASE = "(.*)"$', re.MULTILINE)


class InstalledFile(NamedTuple):
    """A file in its place.

    Attributes
    ----------
    path : Path
        Its place.
    outcome : str
        What was done, for people.
    kept : bool
        Whether another file stays there.
    """

    path: Path
    outcome: str
    kept: bool = False


def packaged(name: str) -> bytes:
    """Return a file of the package."""
    return (resources.files("utilitysched_slurm") / "files" / name).read_bytes()


def script_release() -> str:
    """Return the release of the functions that the submission script is to call."""
    [release] = _RELEASE.findall(packaged("utilitysched.lua"))
    return str(release, "utf-8")


def install(folder: Path, names: Sequence[str], *, replace: bool) -> Iterator[InstalledFile]:
    """Write files of the package into a folder, and yield what was done with each.

    Parameters
    ----------
    folder : Path
        Folder that exists.
    names : sequence of str
        Files among `NAMES`; all if empty.
    replace : bool
        Replace other files of these names, which are kept beside; they stay otherwise.

    Raises
    ------
    InputError
        There is no such file, or it cannot be written.
    """
    for name in names:
        if name not in NAMES:
            raise InputError(f"no file {name}", field="NAME", remedy=f"one of {', '.join(NAMES)}")
    for name in names or NAMES:
        yield _install(folder / name, packaged(name), replace=replace)


def _install(path: Path, content: bytes, *, replace: bool) -> InstalledFile:
    try:
        before = path.read_bytes() if path.exists() else None
    except OSError as error:
        raise InputError(error.strerror or str(error), source=str(path)) from error
    if before == content:
        return InstalledFile(path, "is there")
    if before is not None and not replace:
        return InstalledFile(path, "another file is there, and stays", kept=True)
    old = ""
    if before is not None:
        place = _free(path)
        old = f"; the other file is now {place.name}"
        with atomic_write(place) as stream:
            stream.write(before)
    with atomic_write(path) as stream:
        stream.write(content)
    path.chmod(0o644)
    return InstalledFile(path, f"written{old}")


def _free(path: Path) -> Path:
    """Return a name beside `path` that no file has."""
    names = (f"{path.name}.{BEFORE}{number or ''}" for number in count())
    return next(place for place in map(path.with_name, names) if not place.exists())

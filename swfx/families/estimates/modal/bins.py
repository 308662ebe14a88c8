"""Known numbers of jobs per estimate, as text or in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from swfx.base.errors import InputError
from swfx.base.options import as_int, as_whole_seconds

__all__ = ["bins_text", "read_bins"]

SOURCE = "tsafrir"
PAIR = re.compile(r"[^:,\s]+:[0-9]+")


def read_bins(text: str) -> tuple[tuple[int, int], ...]:
    """Read ``TIME:JOBS,TIME:JOBS,...``, or a file with a time and a number of jobs per line.

    Times are in seconds or have a unit: ``18h:3000``. In a file, a line that begins with ``#``
    and an empty line do not count.

    Raises
    ------
    InputError
        A time that is not a whole number of seconds, a number of jobs that is not whole, or a
        file that cannot be read.

    Examples
    --------
    >>> read_bins("18h:3000,900:40")
    ((900, 40), (64800, 3000))
    """
    pieces = text.split(",")
    if all(PAIR.fullmatch(piece) for piece in pieces):
        return tuple(sorted(_pair(piece.split(":"), "bins") for piece in pieces))
    return tuple(sorted(_from_file(Path(text))))


def bins_text(bins: tuple[tuple[int, int], ...]) -> str:
    """Write what `read_bins` reads."""
    return ",".join(f"{time}:{jobs}" for time, jobs in bins)


def _from_file(path: Path) -> Iterator[tuple[int, int]]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{str(path)!r} is neither TIME:JOBS,... nor a file that can be read ({error})",
            source=SOURCE,
            field="bins",
            remedy="write for instance bins=18h:3000,1h:500",
        ) from error
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _pair(line.split(), f"bins, line {number}")


def _pair(words: list[str], place: str) -> tuple[int, int]:
    if len(words) != 2:
        raise InputError(
            f"{' '.join(words)!r} is not a time and a number of jobs",
            source=SOURCE,
            field=place,
            remedy="write for instance 18h 3000",
        )
    return as_whole_seconds(words[0], SOURCE, place), as_int(words[1], SOURCE, place)

"""Known numbers of jobs per estimate, as text or in a file."""

from __future__ import annotations

import re
from pathlib import Path

from swfx.errors import InputError
from swfx.generators.bounds import require_between
from swfx.options import as_int, as_whole_seconds

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
        A time that is not a whole number of seconds, a number of jobs below 1, a time given
        twice, or a file that cannot be read.

    Examples
    --------
    >>> read_bins("18h:3000,900:40")
    ((900, 40), (64800, 3000))
    """
    pieces = text.split(",")
    if all(PAIR.fullmatch(piece) for piece in pieces):
        return _ascending([_pair(piece.split(":"), None) for piece in pieces])
    return _ascending(_from_file(Path(text)))


def bins_text(bins: tuple[tuple[int, int], ...]) -> str:
    """Write what `read_bins` reads."""
    return ",".join(f"{time}:{jobs}" for time, jobs in bins)


def _from_file(path: Path) -> list[tuple[int, int]]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{str(path)!r} is neither TIME:JOBS,... nor a file that can be read ({error})",
            source=SOURCE,
            field="bins",
            remedy="write for instance bins=18h:3000,1h:500",
        ) from error
    return [
        _pair(line.split(), number)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]


def _pair(words: list[str], line: int | None) -> tuple[int, int]:
    place = "bins" if line is None else f"bins, line {line}"
    if len(words) != 2:
        raise InputError(
            f"{' '.join(words)!r} is not a time and a number of jobs", source=SOURCE, field=place
        )
    time, jobs = as_whole_seconds(words[0], SOURCE, place), as_int(words[1], SOURCE, place)
    require_between(SOURCE, place, jobs, 1, 10**9)
    return time, jobs


def _ascending(pairs: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    for (time, _), (following, _) in zip(sorted(pairs), sorted(pairs)[1:], strict=False):
        if time == following:
            raise InputError(
                f"{time} s is given twice", source=SOURCE, field="bins", remedy="keep one of them"
            )
    return tuple(sorted(pairs))

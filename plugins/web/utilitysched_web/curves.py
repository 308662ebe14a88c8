"""Curves that people draw: as texts for other programs, and as each user has saved them."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import NamedTuple

from swfx import InputError, UtilityFunction
from swfx.base.row_file import RowFile
from swfx.families.utilities.points import points_text, read_points, tuples_text
from utilitysched_slurm.comments import read_bid

MOST = 100
"""Curves that a user may have saved."""

STORE_FILE = "curves.db"

DAY = 86_400.0

_NAME = re.compile(r"[\w.-]{1,40}")
VERSION = 1
"""Of the file of saved curves."""


class CurveTexts(NamedTuple):
    """Text forms of a curve for other programs.

    Attributes
    ----------
    points : str
        ``TIME:SU,...``, as options take it, and comments of sbatch.
    by_clock : str
        The same comment by the clock, which stays right however late the job is submitted; empty
        unless it is worth the same until less than a day from now.
    tuples : str
        As SWF has it behind the fields of a job.
    toml : str
        File of curves that jobs choose by their comment.
    """

    points: str
    by_clock: str
    tuples: str
    toml: str


def drawn_curve(text: str) -> UtilityFunction:
    """Read a drawn curve.

    Raises
    ------
    InputError
        It is no curve, or none that a comment may bid.
    """
    curve = read_points(text)
    if problem := read_bid(points_text(curve), 0.0, UTC).problem:
        raise InputError(problem, field="curve", remedy="draw fewer points, or smaller numbers")
    return curve


def texts_of(curve: UtilityFunction, name: str, now: float, zone: tzinfo | None) -> CurveTexts:
    """Return the text forms of a curve.

    Parameters
    ----------
    curve : UtilityFunction
        From `drawn_curve`.
    name : str
        From `checked_name`.
    now : float
        s of Unix time.
    zone : tzinfo, optional
        Of the centre's clock; without it nothing is said by the clock.
    """
    by_clock = _by_clock(curve, now, zone) if zone else ""
    return CurveTexts(points_text(curve), by_clock, tuples_text(curve), curve_file({name: curve}))


def _by_clock(curve: UtilityFunction, now: float, zone: tzinfo) -> str:
    first, *others = curve.values.tolist()
    if curve.deadline >= DAY or any(value != first for value in others):
        return ""
    end = datetime.fromtimestamp(now + curve.deadline, zone) + timedelta(seconds=30)
    text = f"deadline={end:%H:%M},value={points_text(curve).rpartition(':')[2]}"
    read = read_bid(text, now, zone).said.utility
    return text if read is not None and abs(read.deadline - curve.deadline) <= 60 else ""


def curve_file(curves: Mapping[str, UtilityFunction]) -> str:
    """Return a file for ``curves:file=FILE``, of which jobs choose by ``sbatch --comment=NAME``."""
    parts = [
        f'[curves.{json.dumps(name)}]\npoints = "{points_text(curve)}"\nper = "job"\n'
        for name, curve in curves.items()
    ]
    return "\n".join([*parts, '[[rules]]\nnamed_by = "comment"\n'])


def checked_name(text: str) -> str:
    """Return a name that a comment and a file can have.

    Raises
    ------
    InputError
        Anything else.
    """
    name = text.strip()
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{text[:50]!r} is no name of a curve",
            field="name",
            remedy="give up to 40 letters, digits, '.', '_' and '-'",
        )
    return name


class SavedCurve(NamedTuple):
    """A curve that a user has saved.

    Attributes
    ----------
    user, name, points : str
        Its user, its name, and ``TIME:SU,...``.
    saved : float
        Time (s of Unix time).
    """

    user: str
    name: str
    points: str
    saved: float


@dataclass(frozen=True)
class CurveStore:
    """Curves of all users in a SQLite file; one that is saved is never changed.

    Parameters
    ----------
    path : Path
        The file, made if need be.
    most : int
        Curves of each user.
    """

    path: Path
    most: int = MOST

    def curves_of(self, user: str) -> list[SavedCurve]:
        """Return a user's curves, the latest first."""
        with self._opened() as file:
            return file.find(SavedCurve, last_by="saved", user=user)

    def save(self, user: str, name: str, curve: UtilityFunction) -> str:
        """Save a curve and return its name, with a number if another curve has the name.

        Raises
        ------
        InputError
            The user has as many as there may be, or it is no name.
        """
        name, points = checked_name(name), points_text(curve)
        with self._opened() as file, file.writing():  # names are looked up and taken at once
            own = {each.name: each.points for each in file.find(SavedCurve, user=user)}
            free = _free_name(name, points, own)
            if free not in own:
                if len(own) >= self.most:
                    raise InputError(
                        f"{self.most} curves are saved already", remedy="delete one of them"
                    )
                file.put([SavedCurve(user, free, points, time.time())])
        return free

    def delete(self, user: str, name: str) -> bool:
        """Delete a user's curve, and return whether the user had one of this name."""
        with self._opened() as file:
            return file.drop(SavedCurve, user=user, name=name) > 0

    def _opened(self) -> RowFile:
        return RowFile(self.path, VERSION, {SavedCurve: ["user name"]})


def curve_store(state: Path) -> CurveStore:
    """Return the store of saved curves in the folder of a server."""
    return CurveStore(state / STORE_FILE)


def _free_name(name: str, points: str, own: Mapping[str, str]) -> str:
    """Return the name, or with a number behind it, that no other curve has."""
    number, free = 1, name
    while own.get(free, points) != points:
        number += 1
        free = checked_name(f"{name[:36]}-{number}")
    return free

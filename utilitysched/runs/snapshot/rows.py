"""Jobs of a snapshot as objects of JSON."""

from swfx import InputError, UtilityFunction
from utilitysched.runs.snapshot.jobs import FinishedJob, QueuedJob, RunningJob
from utilitysched.runs.snapshot.members import Members, is_number, members_of, shown, value_of


def row_of(job: RunningJob | QueuedJob | FinishedJob) -> Members:
    """Return a job as an object of JSON."""
    row = job._asdict()
    if isinstance(job, QueuedJob):
        curve = job.utility
        points = [] if curve is None else zip(curve.times, curve.values, strict=True)
        row["utility"] = [[plain_number(time), plain_number(value)] for time, value in points]
    return {
        key: plain_number(value) if isinstance(value, float) else value
        for key, value in row.items()
        if value is not None
    }


def plain_number(value: float) -> int | float:
    """Return a whole number without a point."""
    plain = float(value)
    return int(plain) if plain.is_integer() and abs(plain) < 2**53 else plain


def read_running(row: object, where: str) -> RunningJob:
    """Read a running job; `where` is named if it cannot be."""
    members = members_of(row, where, *_needed_and_optional(RunningJob))
    return RunningJob(**{key: value_of(members, where, key) for key in members})


def read_finished(row: object, where: str) -> FinishedJob:
    """Read a job that has ended; `where` is named if it cannot be."""
    members = members_of(row, where, FinishedJob._fields)
    return FinishedJob(**{key: value_of(members, where, key) for key in members})


def read_queued(row: object, where: str) -> QueuedJob:
    """Read a queued job; `where` is named if it cannot be."""
    members = members_of(row, where, *_needed_and_optional(QueuedJob))
    curve = curve_of(members.pop("utility", None), f"{where}.utility")
    values = {key: value_of(members, where, key) for key in members}
    return QueuedJob(**values, utility=curve)


def _needed_and_optional(row: type[RunningJob] | type[QueuedJob]) -> tuple[list[str], list[str]]:
    optional = list(row._field_defaults)
    return [key for key in row._fields if key not in optional], optional


def curve_of(points: object, where: str) -> UtilityFunction | None:
    """Read a list of [time, value]; None and an empty list are no curve.

    Raises
    ------
    InputError
        It is something else; `where` is the field blamed.
    """
    if points is None or points == []:
        return None
    if not isinstance(points, list):
        raise InputError(f"{shown(points)} is not a list of [time, value]", field=where)
    for place, point in enumerate(points):
        if not isinstance(point, list) or len(point) != 2 or not all(map(is_number, point)):
            raise InputError(
                f"{shown(point)} is not [time, value]",
                field=f"{where}[{place}]",
                remedy="give seconds since submission and SU",
            )
    try:
        return UtilityFunction(*zip(*points, strict=True))
    except InputError as error:
        raise InputError(error.message, field=where, remedy=error.remedy) from None

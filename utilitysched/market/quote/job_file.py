"""Job files: a job, and what it may be worth, as JSON."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from swfx import InputError, UtilityFunction
from swfx.base.errors import failed
from swfx.base.options import as_seconds, nearest
from swfx.label_kinds import LABEL_KINDS
from utilitysched.market.quote.inquiry import Inquiry
from utilitysched.runs.snapshot.jobs import curve_of

WHOLE = ("processors", "user", "queue", "priority")
TIME = "request"
CURVES, LABELS = "curves", "labels"


class JobFile(NamedTuple):
    """What a file asks for.

    Attributes
    ----------
    inquiry : Inquiry
        The job.
    curves : dict of str to UtilityFunction
        By name, in the order of the file.
    labels : mapping of str to str
        Names of the job's account, project and so on, by kind.
    """

    inquiry: Inquiry
    curves: dict[str, UtilityFunction]
    labels: Mapping[str, str] = {}


def read_job(path: Path) -> JobFile:
    """Read a job.

    Raises
    ------
    InputError
        The file cannot be read, or a field is missing, unknown or of another kind.
    """
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise failed("cannot be read", error, path) from error
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON: {error.msg}", source=str(path), line=error.lineno) from None
    except (ValueError, RecursionError):  # not UTF-8, thousands of digits, lists without end
        raise InputError("is no JSON", source=str(path)) from None
    try:
        return _asked(document)
    except InputError as error:
        raise InputError(
            error.message, source=str(path), field=error.field, remedy=error.remedy
        ) from None


def _asked(document: Any) -> JobFile:
    if not isinstance(document, dict):
        raise InputError("is no object")
    known = (*Inquiry._fields, CURVES, LABELS)
    for key in document:
        if key not in known:
            raise InputError("is not known", field=key, remedy=nearest(key, known))
    for key in Inquiry._fields:
        if key not in document and key not in Inquiry._field_defaults:
            raise InputError("is missing", field=key)
    given = {key: _number(document[key], key) for key in Inquiry._fields if key in document}
    curves = document.get(CURVES, {})
    if not isinstance(curves, dict):
        raise InputError("is no object of names and points", field=CURVES)
    read = {name: _curve(curves[name], name) for name in curves}
    return JobFile(Inquiry(**given), read, _labels(document.get(LABELS, {})))


def _labels(given: object) -> dict[str, str]:
    if not isinstance(given, dict) or not all(isinstance(name, str) for name in given.values()):
        raise InputError("is no object of kinds and names", field=LABELS)
    for kind in given:
        if kind not in LABEL_KINDS:
            raise InputError("is not known", field=kind, remedy=nearest(kind, LABEL_KINDS))
    return given


def _number(value: object, field: str) -> Any:
    if field == TIME and isinstance(value, str):
        return as_seconds(value, "", field)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or abs(float(str(value))) >= 1e300:
        raise InputError(f"{json.dumps(value)[:40]} is no number", field=field)
    if field not in WHOLE:
        return float(str(value))
    if float(str(value)) != int(float(str(value))):
        raise InputError(f"{value} is no whole number", field=field)
    return int(float(str(value)))


def _curve(points: object, name: str) -> UtilityFunction:
    try:
        curve = curve_of(points)
    except InputError as error:
        field = f"{CURVES}.{name}{error.field or ''}"
        raise InputError(error.message, field=field, remedy=error.remedy) from None
    if curve is None:
        raise InputError("has no points", field=f"{CURVES}.{name}")
    return curve

"""Options of dask-jobqueue, as texts `key=value`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from swfx.base.errors import InputError
from swfx.base.options import nearest

FIELD = "--jobqueue-option"

JOBS = "jobs"
"""Our own option: how many jobs to submit."""

_BESIDE = {"job_name": None, "nanny": None, "protocol": None, "security": None}
"""Options that dask-jobqueue's settings files do not have."""

_NOT_OURS = {"name", "extra", "job_extra", "env_extra", "header_skip"}
"""Settings that are for other uses, or that have another name by now."""

_WORDS: dict[str, object] = {"true": True, "false": False, "none": None}


def read_options(texts: Sequence[str], settings: Mapping[str, object]) -> dict[str, Any]:
    """Read options.

    Parameters
    ----------
    texts : sequence of str
        ``key=value``. An option that is a list takes one item each time; of one that is a
        mapping, ``key.name=value`` sets one entry. Whole numbers, ``true``, ``false`` and
        ``none`` are what they look like.
    settings : mapping
        The settings of the batch system, with their defaults: these say which options there are,
        and which of them are lists or mappings.

    Returns
    -------
    dict
        Values by name.

    Raises
    ------
    InputError
        Not ``key=value``, an unknown option, or one given twice.

    Examples
    --------
    >>> settings = {"cores": None, "job-extra-directives": [], "scheduler-options": {}}
    >>> texts = ["cores=8", "job_extra_directives=--exclusive", "scheduler_options.port=0"]
    >>> read_options(texts, settings)
    {'cores': 8, 'job_extra_directives': ['--exclusive'], 'scheduler_options': {'port': 0}}
    """
    known = _known(settings)
    options: dict[str, Any] = {}
    for text in texts:
        path, equals, value = text.partition("=")
        key, dot, entry = path.strip().replace("-", "_").partition(".")
        if not equals:
            raise InputError(f"{text!r} is not key=value", field=FIELD)
        if key not in known:
            raise _unknown(key, known)
        kind = known[key]
        if isinstance(kind, dict) != bool(dot and entry):
            form = f"{key}.NAME=VALUE" if isinstance(kind, dict) else f"{key}=VALUE"
            raise InputError(f"{text!r} should be {form}", field=FIELD)
        if isinstance(kind, list):
            options.setdefault(key, []).append(value)
        elif isinstance(kind, dict):
            _set_once(options.setdefault(key, {}), path.partition(".")[2].strip(), value)
        else:
            _set_once(options, key, value)
    return options


def _known(settings: Mapping[str, object]) -> dict[str, object]:
    names = {name.replace("-", "_"): default for name, default in settings.items()}
    return {
        name: default
        for name, default in sorted((names | _BESIDE | {JOBS: 1}).items())
        if name not in _NOT_OURS
    }


def _set_once(options: dict[str, Any], key: str, value: str) -> None:
    if key in options:
        raise InputError(f"{key} is given twice", field=FIELD)
    options[key] = _plain(value)


def _plain(value: str) -> object:
    if re.fullmatch("0|[1-9][0-9]{0,17}", value):
        return int(value)
    return _WORDS.get(value, value)


def _unknown(key: str, known: Mapping[str, object]) -> InputError:
    return InputError(f"there is no option {key!r}", field=FIELD, remedy=nearest(key, known))

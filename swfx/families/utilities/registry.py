"""Utility models: what gives every job of a workload a utility function.

A model is a frozen dataclass whose fields are its options, made with
`swfx.base.configured.option`, in a module of this package or behind an entry point of the group
``swfx.utilities``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar, NamedTuple

import numpy.typing as npt

from swfx.base.configured import Configured
from swfx.base.errors import InputError
from swfx.base.options import nearest
from swfx.base.registry import Registry
from swfx.families.generators.utilities import Drawn
from swfx.workload import Workload

__all__ = ["DEFAULT", "UTILITY_MODELS", "Drawn", "Given", "UtilityModel", "make_model"]

DEFAULT = "default"
"""Text of LEE's model with its default options."""


def _unheard(_: str) -> None:
    """Take a line that nobody reads."""


class Given(NamedTuple):
    """What a model may read besides the workload.

    Attributes
    ----------
    waits : array_like, shape (n,), optional
        Waits in s, in place of the logged ones.
    classes : mapping of int to int, optional
        Queue number to priority class, as in `swfx.priority_classes`.
    say : callable
        Takes lines for people.
    """

    waits: npt.ArrayLike | None = None
    classes: Mapping[int, int] | None = None
    say: Callable[[str], object] = _unheard


class UtilityModel(Configured, ABC):
    """Base of all utility models.

    Attributes
    ----------
    reads_waits : bool
        Needs the waits of the log, or others in their place.
    keeps : bool
        Jobs that have a utility function keep it.
    """

    LISTED = "utilitysched list models"

    reads_waits: ClassVar[bool] = False
    keeps: ClassVar[bool] = False

    @abstractmethod
    def draw(self, workload: Workload, seed: int, given: Given) -> Drawn:
        """Make the utility function of every job.

        A job's draws depend on the seed and on its position only, not on the options: so a job
        keeps its curve when other jobs get theirs from another model.

        Raises
        ------
        InputError
            The workload lacks what the model needs.
        """


UTILITY_MODELS: Registry[UtilityModel] = Registry(
    "utility model", "swfx.utilities", "swfx.families.utilities"
)
"""Models of utility functions by name."""


def make_model(text: str, base: UtilityModel | None = None) -> UtilityModel:
    """Make a model from ``NAME[:key=value,...]``, or from ``key=value,...`` alone.

    Parameters
    ----------
    text : str
        Options alone change those of `base`; with a name, `base` does not matter.
    base : UtilityModel, optional
        LEE's model with its defaults, when it is not given.

    Raises
    ------
    InputError
        Unknown name or option, or an unusable value.

    Examples
    --------
    >>> make_model("factor=3").name, make_model("diurnal:at=13:00").name
    ('lee', 'diurnal')
    """
    base = base or UTILITY_MODELS.make("lee")
    name, colon, _ = text.strip().partition(":")
    if text.strip() in ("", DEFAULT):
        return base
    if "=" in name:
        return base.changed(text)
    if not colon and name not in UTILITY_MODELS.names():
        raise InputError(
            f"{name!r} is not of the form key=value, and no utility model has that name",
            source="utilities",
            remedy=nearest(name, UTILITY_MODELS.names()),
        )
    return UTILITY_MODELS.make(text)

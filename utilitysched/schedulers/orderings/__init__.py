"""Orderings: what puts the queue in order, one file each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import getattr_static, signature
from types import FunctionType
from typing import Any, Literal, TypeVar

from swfx import InputError
from swfx.base.plugins import import_family
from swfx.base.registry import check_free

__all__ = ["Ordering", "ordering", "orderings"]

ScoreFunction = Callable[..., Any]
Score = TypeVar("Score", bound=ScoreFunction)
GivenBy = Literal["options", "file", "either"]


@dataclass(frozen=True)
class Ordering:
    """A rule that puts the queue in order, lowest score first, ties in arrival order.

    Attributes
    ----------
    name : str
        Name on the command line.
    score : callable
        Plain function, compiled when first used. Called as ``score(moment, queue, known,
        forecast, parameters, out)``: writes the score of ``queue[i]`` to ``out[i]``. Or a class,
        made with the parameters by name; its method ``score(state)`` returns the scores of
        ``state.queued`` at every pass, and ``prepare(setting)``, if there is one, is called before
        the first event.
    dynamic : bool
        Scores change with time, so the queue is sorted at every pass.
    value_aware : bool
        Scores read utility functions, so the forecast matters.
    parameters : mapping of str to float
        Defaults of the numbers in ``parameters``, in that order.
    summary : str
        One line for people.
    ranges : mapping of str to (float, float)
        Least and largest value of the parameters that may not be any number.
    times : tuple of str
        Those that are times (s), and may be given with units.
    given_by : {"options", "file", "either"}
        The parameters are options each; or learned, and the option ``weights`` names a file of
        them; or one or the other.
    start : mapping of str to float
        What a search for the parameters begins with, where there is one. The first is as it is
        here for good, and so sets the scale of the others.
    reads_usage : bool
        Scores read decayed usage, so a machine has to keep account of it. A parameter that is not
        a number by default is then as the machine says. The score function gets no parameters but
        what `utilitysched.kernels.machine.priority` describes.
    choices : mapping of str to tuple of str
        Words for the parameters that are codes, by code.
    """

    name: str
    score: ScoreFunction
    dynamic: bool
    value_aware: bool
    parameters: Mapping[str, float]
    summary: str
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    times: tuple[str, ...] = ()
    given_by: GivenBy = "options"
    start: Mapping[str, float] = field(default_factory=dict)
    reads_usage: bool = False
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def in_python(self) -> bool:
        """Whether a class scores jobs, which may remember what it has seen."""
        return isinstance(self.score, type)

    def __hash__(self) -> int:
        return hash(self.name)


ORDERINGS: dict[str, Ordering] = {}


def ordering(
    name: str,
    *,
    summary: str,
    dynamic: bool = False,
    value_aware: bool = False,
    parameters: Mapping[str, float] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    times: tuple[str, ...] = (),
    given_by: GivenBy = "options",
    start: Mapping[str, float] | None = None,
    reads_usage: bool = False,
    choices: Mapping[str, tuple[str, ...]] | None = None,
) -> Callable[[Score], Score]:
    """Enter the decorated score function, or class, as the ordering `name`.

    The rest is as of `Ordering`; a value-aware ordering and a class are dynamic.

    Raises
    ------
    InputError
        The name is taken; a class has no method `score`, or does not take the parameters.
    """

    def enter(function: Score) -> Score:
        earlier = ORDERINGS.get(name)
        check_free("ordering", name, earlier and earlier.score, function)
        if isinstance(function, type):
            _check_class(name, function, parameters or {})
        changes = dynamic or value_aware or isinstance(function, type)
        ORDERINGS[name] = Ordering(
            name,
            function,
            changes,
            value_aware,
            parameters or {},
            summary,
            ranges or {},
            times,
            given_by,
            start or {},
            reads_usage,
            choices or {},
        )
        return function

    return enter


def _check_class(name: str, rule: type, parameters: Mapping[str, float]) -> None:
    """Refuse a class that cannot be made with the parameters, or has no method `score`."""
    if not _has_score(rule):
        raise InputError(
            f"class {rule.__name__} has no method score(self, state)",
            source=name,
            remedy="write one, which returns a number for each job of state.queued",
        )
    try:
        signature(rule).bind(**parameters)
    except TypeError as error:
        raise InputError(
            f"class {rule.__name__} does not take the parameters: {error}",
            source=name,
            remedy=f"write {', '.join(['__init__(self', *parameters])})",
        ) from error


def _has_score(rule: type) -> bool:
    """Whether a class has a method `score` that can be called with a state."""
    score = getattr_static(rule, "score", None)
    if not isinstance(score, FunctionType):
        return callable(getattr(rule, "score", None))
    try:
        signature(score).bind(None, None)
    except TypeError:
        return False
    return True


def orderings() -> dict[str, Ordering]:
    """Return all orderings by name."""
    import_family(__name__, "utilitysched.orderings")
    return dict(sorted(ORDERINGS.items()))

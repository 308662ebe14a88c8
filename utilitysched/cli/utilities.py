"""Utility functions for workloads that come without: the steps of the commands."""

from collections.abc import Mapping, Sequence

from swfx import Workload
from swfx.families.annotation import Annotated
from swfx.families.utilities.curve_file import attach_curves, read_curves
from swfx.families.utilities.elicited import attach_answers, read_answers
from swfx.families.utilities.tally import jobs_of
from swfx.families.utilities.valuation import Valuation
from utilitysched.cli.say import Say
from utilitysched.cli.steps import Step
from utilitysched.engine.valued import AS_THEY_ARE, attach


def valuing(
    text: str,
    overrides: Sequence[str] | None,
    seed: int,
    *,
    classes: Mapping[int, int] | None,
    say: Say,
    replace: bool,
) -> Step | None:
    """Return the step of ``--utilities`` and ``--utilities-for``; ``none`` alone is none.

    Jobs that have a utility function keep it, but for those that ``--utilities-for`` names, and
    with `replace`.

    Raises
    ------
    InputError
        A specification cannot be used.
    """
    valuation = Valuation.parse(text, overrides or ())
    if text == AS_THEY_ARE and not overrides:
        return None

    def step(workload: Workload) -> Annotated:
        valued = attach(workload, valuation, seed, classes=classes, say=say, keep=not replace)
        kept = workload.has_utilities and not replace and text != AS_THEY_ARE
        hint = ("--replace draws new ones for jobs that have a utility function",) if kept else ()
        return Annotated(valued.workload, (*valued.notes, *hint))

    return step


def curving(
    texts: Sequence[str] | None, seed: int, *, classes: Mapping[int, int] | None
) -> Step | None:
    """Return the step of ``--curves``.

    Raises
    ------
    InputError
        A file cannot be used.
    """
    if not texts:
        return None
    files = [read_curves(text) for text in texts]
    return lambda workload: attach_curves(workload, files, seed, classes)


def joining(text: str | None) -> Step | None:
    """Return the step of ``--elicited``.

    Raises
    ------
    InputError
        The file cannot be used.
    """
    if text is None:
        return None
    answers = read_answers(text)
    return lambda workload: attach_answers(workload, answers)


def telling_of_worthless(workload: Workload) -> Annotated:
    """Say how many jobs have no utility function while others do; a step that changes nothing."""
    without = len(workload) - int(workload.utility.defined.sum())
    if not without or not workload.has_utilities:
        return Annotated(workload)
    jobs = jobs_of(without, len(workload))
    return Annotated(workload, (f"{jobs} have no utility function and earn nothing",))

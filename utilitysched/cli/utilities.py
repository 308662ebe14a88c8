"""Utility functions for workloads that come without."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import utilitysched
from swfx import InputError, Workload
from swfx.annotation import Annotated
from swfx.generators import needs_waits
from swfx.utilities.curve_file import attach_curves, read_curves
from swfx.utilities.elicited import attach_answers, read_answers
from swfx.utilities.registry import DEFAULT, Given
from swfx.utilities.tally import jobs_of
from swfx.utilities.valuation import Valuation
from utilitysched.cli.say import Say
from utilitysched.cli.steps import Step

AS_THEY_ARE = "none"


class Valued(NamedTuple):
    """A workload ready to be simulated.

    Attributes
    ----------
    workload : Workload
        Its jobs, with utility functions unless told otherwise.
    utilities : dict
        Where the functions come from, for provenance.
    notes : tuple of str
        How many jobs have theirs from where.
    """

    workload: Workload
    utilities: dict[str, object]
    notes: tuple[str, ...] = ()


def attach(
    workload: Workload,
    valuation: Valuation,
    seed: int,
    *,
    classes: Mapping[int, int] | None,
    say: Say,
) -> Valued:
    """Give jobs their utility functions.

    Where deadlines follow from waits and the log has none, they come from simulating EASY once.

    Raises
    ------
    InputError
        The workload lacks what a model needs, or the machine's size is not known.
    """
    waits = None
    if valuation.reads_waits and needs_waits(workload):
        require_machine(workload)
        say("the log has no waits: simulating easy once, deadlines follow from its waits")
        waits = utilitysched.simulate(workload, "easy", classes=classes).wait(workload)
    made = valuation.attach(workload, seed, Given(waits, classes))
    origin = ("log" if waits is None else "easy") if valuation.reads_waits else None
    record = {"spec": valuation.base.label, "seed": seed, "waits": origin}
    return Valued(made.workload, record | _models(made.workload), made.notes)


def valuing(
    text: str,
    overrides: Sequence[str] | None,
    seed: int,
    *,
    classes: Mapping[int, int] | None,
    say: Say,
) -> Step | None:
    """Return the step of ``--utilities`` and ``--utilities-for``; ``none`` alone is none.

    Raises
    ------
    InputError
        A specification cannot be used.
    """
    valuation = Valuation.parse(text, overrides or ())
    if text == AS_THEY_ARE and not overrides:
        return None

    def step(workload: Workload) -> Annotated:
        valued = attach(workload, valuation, seed, classes=classes, say=say)
        return Annotated(valued.workload, valued.notes)

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


def ensure(
    workload: Workload,
    text: str | None,
    seed: int,
    *,
    classes: Mapping[int, int] | None,
    say: Say,
) -> Valued:
    """Attach utility functions if asked to, or if the workload has none.

    ``none`` as `text` leaves the workload as it is.
    """
    if text == AS_THEY_ARE or (text is None and workload.has_utilities):
        record = {"spec": "as in the workload", "seed": None, "waits": None}
        return Valued(workload, record | _models(workload))
    valuation = Valuation.parse(DEFAULT if text is None else text)
    if text is None:
        say(
            "the workload has no utility functions: drawing the default ones "
            f"({valuation.base.label}; seed {seed}); choose with --utilities"
        )
    elif workload.has_utilities:
        say("replacing the workload's utility functions, as --utilities asks")
    return attach(workload, valuation, seed, classes=classes, say=say)


def _models(workload: Workload) -> dict[str, object]:
    """Return what the header says about where utility functions come from."""
    return {"models": list(workload.header.all("UtilityModel"))}


def require_machine(workload: Workload) -> int:
    """Return the number of processors.

    Raises
    ------
    InputError
        The log does not say.
    """
    if workload.machine_size is None:
        raise InputError(
            "the workload does not say how many processors the machine has",
            field="MaxProcs",
            remedy="give --procs N",
        )
    return workload.machine_size

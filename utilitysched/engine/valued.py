"""Utility functions for workloads that come without."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from swfx import InputError, Workload
from swfx.families.generators import needs_waits
from swfx.families.utilities.registry import DEFAULT, Given
from swfx.families.utilities.valuation import Valuation
from utilitysched.engine.engine import simulate

Say = Callable[[str], None]
"""Takes a line for people."""

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
    keep: bool = False,
) -> Valued:
    """Give jobs their utility functions; with `keep`, jobs with a function keep theirs.

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
        waits = simulate(workload, "easy", classes=classes).wait(workload)
    made = valuation.attach(workload, seed, Given(waits, classes, say), keep=keep)
    origin = ("log" if waits is None else "easy") if valuation.reads_waits else None
    record = {"spec": valuation.base.label, "seed": seed, "waits": origin}
    return Valued(made.workload, record | _models(made.workload), made.notes)


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
    elif workload.has_utilities and not valuation.base.keeps:
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
            remedy="give `machine_size=N`",
        )
    return workload.machine_size

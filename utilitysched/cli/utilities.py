"""Utility functions for workloads that come without."""

from collections.abc import Mapping
from typing import NamedTuple

import utilitysched
from swfx import InputError, Workload
from swfx.annotation import Annotated
from swfx.generators import UtilitySpec, attach_utilities, needs_waits
from utilitysched.cli.say import Say
from utilitysched.cli.steps import Step

AS_THEY_ARE = "none"
DEFAULTS = "default"


class Valued(NamedTuple):
    """A workload ready to be simulated.

    Attributes
    ----------
    workload : Workload
        Its jobs, with utility functions unless told otherwise.
    utilities : dict
        Where the functions come from, for provenance.
    """

    workload: Workload
    utilities: dict[str, object]


def specification(text: str) -> UtilitySpec:
    """Read ``--utilities``, ``default`` included.

    Raises
    ------
    InputError
        An unknown key, or a value out of bounds.
    """
    return UtilitySpec() if text == DEFAULTS else UtilitySpec.parse(text)


def attach(
    workload: Workload, text: str, seed: int, *, classes: Mapping[int, int] | None, say: Say
) -> Valued:
    """Draw utility functions by the specification `text`.

    Deadlines follow from waits; when the log has none, they come from simulating EASY once.

    Raises
    ------
    InputError
        The specification cannot be used, or the machine's size is not known.
    """
    spec = specification(text)
    waits = None
    if needs_waits(workload):
        require_machine(workload)
        say("the log has no waits: simulating easy once, deadlines follow from its waits")
        waits = utilitysched.simulate(workload, "easy", classes=classes).wait(workload)
    valued = attach_utilities(workload, spec, seed, waits=waits, classes=classes)
    origin = "log" if waits is None else "easy"
    return Valued(valued, {"spec": spec.to_text(), "seed": seed, "waits": origin})


def valuing(text: str, seed: int, *, classes: Mapping[int, int] | None, say: Say) -> Step | None:
    """Return the step of ``--utilities``; ``none`` is none.

    Raises
    ------
    InputError
        The specification cannot be used.
    """
    if text == AS_THEY_ARE:
        return None
    specification(text)
    return lambda workload: Annotated(
        attach(workload, text, seed, classes=classes, say=say).workload
    )


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
        return Valued(workload, {"spec": "as in the workload", "seed": None, "waits": None})
    if text is None:
        say(
            "the workload has no utility functions: drawing the default ones "
            f"({UtilitySpec().to_text()}; seed {seed}); choose with --utilities"
        )
    elif workload.has_utilities:
        say("replacing the workload's utility functions, as --utilities asks")
    return attach(workload, text or DEFAULTS, seed, classes=classes, say=say)


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

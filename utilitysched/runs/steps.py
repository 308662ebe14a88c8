"""Steps that prepare jobs for simulation, one after the other: models, utilities, checkpoints.

An option that cannot be used is refused by an InputError when its step is made, before any work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from checkpoint import ANNOTATIONS
from swfx import Workload
from swfx.base.numbers import jobs_of
from swfx.base.options import as_text
from swfx.families.annotation import Annotated
from swfx.families.annotators import ANNOTATORS, annotate_all
from swfx.families.soft_estimates import attach_soft_estimates
from swfx.families.transforms import apply_all, make_transforms
from swfx.families.utilities.curve_file import attach_curves, read_curves
from swfx.families.utilities.elicited import attach_answers, read_answers
from swfx.families.utilities.valuation import Valuation
from swfx.reading.notes import Echo, read_notes, transformation_notes
from swfx.reading.workload_source import WorkloadSource
from utilitysched.engine.valued import AS_THEY_ARE, attach

Step = Callable[[Workload], Annotated]


def take_steps(workload: Workload, steps: Iterable[Step | None], echo: Echo) -> Workload:
    """Take the steps that there are, and say what each has to say."""
    for step in steps:
        if step is not None:
            workload, notes = step(workload)
            for note in notes:
                echo(note)
    return workload


def load_and_take(source: WorkloadSource, steps: Iterable[Step | None], echo: Echo) -> Workload:
    """Read a workload, announce the report of reading, and take the given steps."""
    loaded = source.load()
    for line in read_notes(loaded.report):
        echo(line)
    return take_steps(loaded.workload, steps, echo)


def transforming(texts: Sequence[str] | None, seed: int) -> Step | None:
    """Return the step of ``--apply``."""
    if not texts:
        return None
    make_transforms(texts)

    def step(workload: Workload) -> Annotated:
        done = apply_all(workload, texts, seed)
        return Annotated(done.workload, tuple(transformation_notes(done)))

    return step


def modelling(models: Mapping[str, str | None], seed: int) -> Step | None:
    """Return the step of ``--users``, ``--estimates`` and ``--priorities``, by these names."""
    chosen = [
        family.make(text)
        for name, family in ANNOTATORS.items()
        if (text := models[name]) is not None
    ]
    return (lambda workload: annotate_all(workload, chosen, seed)) if chosen else None


def checkpointing(text: str | None, seed: int) -> Step | None:
    """Return the step of ``--checkpoints``."""
    if text is None:
        return None
    annotation = ANNOTATIONS.make(text)
    return lambda workload: annotation.annotate(workload, seed)


def rerunning(share: float | None, seed: int) -> Step | None:
    """Return the step of ``--rerunnable``."""
    return None if share is None else transforming([f"rerunnable:share={as_text(share)}"], seed)


def attaching(soft_estimates: str | None) -> Step | None:
    """Return the step of ``--soft-estimates``."""
    if soft_estimates is None:
        return None
    return lambda workload: attach_soft_estimates(workload, soft_estimates)


def valuing(
    text: str,
    overrides: Sequence[str] | None,
    seed: int,
    *,
    classes: Mapping[int, int] | None,
    echo: Echo,
    replace: bool,
) -> Step | None:
    """Return the step of ``--utilities`` and ``--utilities-for``; ``none`` alone is none.

    Jobs that have a utility function keep it, but for those that ``--utilities-for`` names, and
    with `replace`.
    """
    valuation = Valuation.parse(text, overrides or ())
    if text == AS_THEY_ARE and not overrides:
        return None

    def step(workload: Workload) -> Annotated:
        valued = attach(workload, valuation, seed, classes=classes, say=echo, keep=not replace)
        kept = workload.has_utilities and not replace and text != AS_THEY_ARE
        hint = ("--replace draws new ones for jobs that have a utility function",) if kept else ()
        return Annotated(valued.workload, (*valued.notes, *hint))

    return step


def curving(
    texts: Sequence[str] | None, seed: int, *, classes: Mapping[int, int] | None
) -> Step | None:
    """Return the step of ``--curves``."""
    if not texts:
        return None
    files = [read_curves(text) for text in texts]
    return lambda workload: attach_curves(workload, files, seed, classes)


def joining(text: str | None) -> Step | None:
    """Return the step of ``--elicited``."""
    if text is None:
        return None
    answers = read_answers(text)
    return lambda workload: attach_answers(workload, answers)


def counting_worthless(workload: Workload) -> Annotated:
    """Say how many jobs have no utility function while others do; a step that changes nothing."""
    without = len(workload) - int(workload.utility.defined.sum())
    if not without or not workload.has_utilities:
        return Annotated(workload)
    jobs = jobs_of(without, len(workload))
    return Annotated(workload, (f"{jobs} have no utility function and earn nothing",))

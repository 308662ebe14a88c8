"""What commands do to the jobs they have read, one step after the other."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from checkpoint import ANNOTATIONS
from swfx import LoadReport, Workload
from swfx.families.annotation import Annotated
from swfx.families.annotators import ANNOTATORS, annotate_all
from swfx.families.soft_estimates import attach_soft_estimates
from swfx.families.transforms import TransformationReport, Transformed, apply_all, make_transforms
from utilitysched.cli.say import Say

Step = Callable[[Workload], Annotated]


def taken(workload: Workload, steps: Iterable[Step | None], say: Say) -> Workload:
    """Take the steps that there are, and say what each has to say."""
    for step in steps:
        if step is not None:
            workload, notes = step(workload)
            for note in notes:
                say(note)
    return workload


def told_read(report: LoadReport) -> Iterator[str]:
    """Yield a line if jobs were dropped or repaired when they were read."""
    if report.dropped or report.repaired:
        yield (
            f"{report.source}: {report.kept:,} jobs of {report.job_lines:,} lines,"
            f" {report.dropped:,} dropped, {report.repaired:,} repaired; see utilitysched check"
        )


def transforming(texts: Sequence[str] | None, seed: int) -> Step | None:
    """Return the step of ``--apply``.

    Raises
    ------
    InputError
        A transformation cannot be made.
    """
    if not texts:
        return None
    make_transforms(texts)

    def step(workload: Workload) -> Annotated:
        done = apply_all(workload, texts, seed)
        return Annotated(done.workload, tuple(told_transformed(done)))

    return step


def told_transformed(done: Transformed | TransformationReport) -> Iterator[str]:
    """Yield what transformations have to say, and the jobs they dropped."""
    yield from done.notes
    for what, jobs in done.changed.items():
        yield f"{what}: {jobs:,}"
    for reason, jobs in done.dropped.items():
        yield f"{jobs:,} jobs dropped: {reason}"


def transformation_record(
    texts: Sequence[str], done: Transformed | TransformationReport
) -> dict[str, object]:
    """Return what was done to the jobs that were read, and which are gone."""
    return {
        "applied": list(texts),
        "notes": list(done.notes),
        "dropped": dict(done.dropped),
        "changed": dict(done.changed),
    }


def modelling(given: Mapping[str, str | None], seed: int) -> Step | None:
    """Return the step of ``--users``, ``--estimates`` and ``--priorities``, by these names.

    Raises
    ------
    InputError
        An unknown model or option, or an unusable value.
    """
    chosen = [
        family.make(text)
        for name, family in ANNOTATORS.items()
        if (text := given[name]) is not None
    ]
    return (lambda workload: annotate_all(workload, chosen, seed)) if chosen else None


def checkpointing(text: str | None, seed: int) -> Step | None:
    """Return the step of ``--checkpoints``.

    Raises
    ------
    InputError
        An unknown annotation or option, or an unusable value.
    """
    if text is None:
        return None
    annotation = ANNOTATIONS.make(text)
    return lambda workload: annotation.annotate(workload, seed)


def attaching(soft_estimates: str | None) -> Step | None:
    """Return the step of ``--soft-estimates``."""
    if soft_estimates is None:
        return None
    return lambda workload: attach_soft_estimates(workload, soft_estimates)

"""`utilitysched augment`."""

from collections.abc import Sequence
from typing import Annotated

from swfx.base.document_values import number
from swfx.base.request_fields import (
    Checkpoints,
    Estimates,
    ExportFormat,
    OutputFile,
    Priorities,
    PriorityClasses,
    Seed,
    SoftEstimates,
    Steps,
    Users,
)
from swfx.base.typed import Typed
from swfx.reading.workload_source import WorkloadSource
from utilitysched.cli.shared import Quiet

EPILOG = """\b
Examples:
  utilitysched augment log.swf.gz -o log.swfx.gz --seed 1
  utilitysched augment log.swf.gz -o steps.swfx.gz --jobs 5000:10000 --utilities step=1,factor=3
  utilitysched augment log.swf.gz -o nine.swfx.gz --utilities-for queue=1:diurnal:at=09:00,least=4
  utilitysched augment log.swf.gz -o own.swfx.gz --curves jobs.csv --curves users.csv,start=2
  utilitysched augment log.swf.gz -o busy.swfx.gz --apply scale-load:load=0.85
  utilitysched augment log.swf.gz -o wide.swfx.gz --estimates uniform:f=4 --priorities by-request
  utilitysched augment log.swf.gz -o ds.swfx.gz -a nodes:per=8,count=260 --checkpoints survey
  utilitysched augment log.swf.gz -o half.swfx.gz --rerunnable 0.5
"""


def augment(
    source: WorkloadSource,
    out: OutputFile,
    to: ExportFormat = None,
    apply: Steps = (),
    users: Users = None,
    estimates: Estimates = None,
    priorities: Priorities = None,
    utilities: Annotated[str, Typed("--utilities SPEC")] = "default",
    utilities_for: Annotated[Sequence[str], Typed("--utilities-for WHO:SPEC")] = (),
    replace: Annotated[bool, Typed("--replace")] = False,
    curves: Annotated[Sequence[str], Typed("--curves FILE")] = (),
    elicited: Annotated[str | None, Typed("--elicited FILE")] = None,
    checkpoints: Checkpoints = None,
    rerunnable: Annotated[float | None, number(ge=0, le=1), Typed("--rerunnable SHARE")] = None,
    soft_estimates: SoftEstimates = None,
    seed: Seed = 0,
    classes: PriorityClasses = None,
    quiet: Quiet = False,
) -> None:
    """Add utility functions to the jobs of a log.

    Jobs that have one keep it. Writes extended SWF, also to .swf; other suffixes or --to say
    another format. What a job is worth (SU) falls from its submission to its deadline; start values
    follow its priority and size. The same seed writes the same bytes.

    Parameters
    ----------
    utilities : str
        How to draw them: factor=3,step=1, diurnal:at=09:00, curves:file=FILE, default; or 'none'.
    utilities_for : sequence of str
        Exceptions for a queue or a user, by number or name, as queue=1:factor=3 or
        user=ann:diurnal:at=13:00; repeatable.
    replace : bool
        Also draw for jobs that have a utility function.
    curves : sequence of str
        CSV of t (s), v, and one of job (v in SU), user, queue, size (v as share of the start
        value); FILE,start=RATE sets that in SU per processor-hour. Repeatable.
    elicited : str, optional
        CSV of survey answers: user, processors, request, factor, willingness; FILE,rate=RATE sets
        the cost in SU per processor-hour.
    rerunnable : float, optional
        Mark each job as re-runnable with this probability (0 to 1).
    """
    from swfx.reading.saving import exporter_for, refuse_overwriting, save
    from utilitysched.cli.notifier import ProgressBar, notifier, noting_compilation
    from utilitysched.runs.steps import (
        attaching,
        checkpointing,
        counting_worthless,
        curving,
        joining,
        load_and_take,
        modelling,
        rerunning,
        transforming,
        valuing,
    )

    echo = notifier(quiet=quiet)
    steps = (  # in order; all are made first, so that a wrong option is told before any work
        transforming(apply, seed),
        modelling({"users": users, "estimates": estimates, "priorities": priorities}, seed),
        valuing(utilities, utilities_for, seed, classes=classes, echo=echo, replace=replace),
        curving(curves, seed, classes=classes),
        joining(elicited),
        counting_worthless,
        checkpointing(checkpoints, seed),
        rerunning(rerunnable, seed),
        attaching(soft_estimates),
    )
    exporter = exporter_for(out, to)
    refuse_overwriting(out, source.text)
    with noting_compilation(echo), ProgressBar("reading the log", quiet=quiet):
        augmented = load_and_take(source, steps, echo)
    save(augmented, exporter, out, echo)

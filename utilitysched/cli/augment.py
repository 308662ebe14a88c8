"""`utilitysched augment`."""

from pathlib import Path

from utilitysched.cli import shared
from utilitysched.cli.options import option, share

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
    workload: str = shared.WORKLOAD,
    out: Path = shared.OUT_FILE,
    to: str | None = shared.TO,
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    apply: list[str] | None = shared.APPLY,
    users: str | None = shared.USERS,
    estimates: str | None = shared.ESTIMATES,
    priorities: str | None = shared.PRIORITIES,
    utilities: str = option(
        "--utilities SPEC", f"How to draw them: {shared.SPEC_HELP}; or 'none'.", "default"
    ),
    utilities_for: list[str] | None = option(
        "--utilities-for WHO:SPEC",
        "Exceptions for a queue or a user, by number or name, as queue=1:factor=3 or "
        "user=ann:diurnal:at=13:00; repeatable.",
    ),
    replace: bool = option("--replace", "Also draw for jobs that have a utility function.", False),
    curves: list[str] | None = option(
        "--curves FILE",
        "CSV of t (s), v, and one of job (v in SU), user, queue, size (v as share of the "
        "start value); FILE,start=RATE sets that in SU per processor-hour. Repeatable.",
    ),
    elicited: str | None = option(
        "--elicited FILE",
        "CSV of survey answers: user, processors, request, factor, willingness; "
        "FILE,rate=RATE sets the cost in SU per processor-hour.",
    ),
    checkpoints: str | None = shared.CHECKPOINTS,
    rerunnable: float | None = option(
        "--rerunnable SHARE",
        "Mark each job as re-runnable with this probability (0 to 1).",
        parser=share,
    ),
    soft_estimates: str | None = shared.SOFT_ESTIMATES,
    seed: int = shared.SEED,
    classes: dict[int, int] | None = shared.CLASSES,
    strict: bool | None = shared.STRICT,
    quiet: bool = shared.QUIET,
) -> None:
    """Add utility functions to the jobs of a log.

    Jobs that have one keep it. Writes extended SWF, also to .swf; other suffixes or --to say
    another format. What a job is worth (SU) falls from its submission to its deadline; start values
    follow its priority and size. The same seed writes the same bytes.
    """
    from swfx.reading.saving import exporter_for, refuse_overwriting, save
    from swfx.reading.workload_source import WorkloadSource
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
    refuse_overwriting(out, workload)
    with noting_compilation(echo), ProgressBar("reading the log", quiet=quiet):
        source = WorkloadSource(workload, jobs, procs, strict)
        augmented = load_and_take(source, steps, echo)
    save(augmented, exporter, out, echo)

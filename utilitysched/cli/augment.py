"""`utilitysched augment`."""

from typing import Annotated

import typer

from utilitysched.cli.options import (
    SPEC_HELP,
    Apply,
    Checkpoints,
    Classes,
    Estimates,
    Jobs,
    OutFile,
    Priorities,
    Procs,
    Quiet,
    Seed,
    SoftEstimates,
    Strict,
    To,
    Users,
    WorkloadText,
)

EPILOG = """\b
Examples:
  utilitysched augment log.swf.gz -o log.swfx.gz --seed 1
  utilitysched augment log.swf.gz -o steps.swfx.gz --jobs 5000:10000 --utilities step=1,factor=3
  utilitysched augment log.swf.gz -o nine.swfx.gz --utilities-for queue=1:diurnal:at=09:00,least=4
  utilitysched augment log.swf.gz -o own.swfx.gz --curves jobs.csv --curves users.csv,start=2
  utilitysched augment log.swf.gz -o busy.swfx.gz --apply scale-load:load=0.85
  utilitysched augment log.swf.gz -o wide.swfx.gz --estimates uniform:f=4 --priorities by-request
  utilitysched augment log.swf.gz -o ds.swfx.gz -a nodes:per=8,count=260 --checkpoints survey
"""


def augment(
    workload: WorkloadText,
    out: OutFile,
    to: To = None,
    jobs: Jobs = None,
    procs: Procs = None,
    apply: Apply = None,
    users: Users = None,
    estimates: Estimates = None,
    priorities: Priorities = None,
    utilities: Annotated[
        str,
        typer.Option(
            "--utilities", metavar="SPEC", help=f"How to draw them: {SPEC_HELP}; or 'none'."
        ),
    ] = "default",
    utilities_for: Annotated[
        list[str] | None,
        typer.Option(
            "--utilities-for",
            metavar="WHO:SPEC",
            help="What is different for a queue or a user, as queue=1:factor=3 or "
            "user=17:diurnal:at=13:00; repeat for others.",
            show_default=False,
        ),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Draw for jobs that have a utility function, too."),
    ] = False,
    curves: Annotated[
        list[str] | None,
        typer.Option(
            "--curves",
            metavar="FILE",
            help="CSV of t (s), v, and one of job (v in SU), user, queue, size (v as share of the "
            "start value); FILE,start=RATE sets that in SU per processor-hour. Repeatable.",
            show_default=False,
        ),
    ] = None,
    elicited: Annotated[
        str | None,
        typer.Option(
            "--elicited",
            metavar="FILE",
            help="CSV of survey answers: user, processors, request, factor, willingness; "
            "FILE,rate=RATE sets the cost in SU per processor-hour.",
            show_default=False,
        ),
    ] = None,
    checkpoints: Checkpoints = None,
    soft_estimates: SoftEstimates = None,
    seed: Seed = 0,
    classes: Classes = None,
    strict: Strict = None,
    quiet: Quiet = False,
) -> None:
    """Give the jobs of a log utility functions; those that have one keep it.

    Writes extended SWF, also to .swf; other suffixes or --to say another format. What a job is
    worth (SU) falls from its submission to its deadline; start values follow its priority and size.
    The same seed writes the same bytes.
    """
    from swfx.reading.notes import read_notes
    from swfx.reading.saving import exporter_for, refuse_overwriting, save
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, noting_compilation
    from utilitysched.runs.steps import (
        attaching,
        checkpointing,
        counting_worthless,
        curving,
        joining,
        modelling,
        take_steps,
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
        attaching(soft_estimates),
    )
    exporter = exporter_for(out, to)
    refuse_overwriting(out, workload)
    loaded = WorkloadSource(workload, jobs, procs, strict).load()
    for line in read_notes(loaded.report):
        echo(line)
    with noting_compilation(echo):
        augmented = take_steps(loaded.workload, steps, echo)
    save(augmented, exporter, out, echo)

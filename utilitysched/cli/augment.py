"""`utilitysched augment`."""

from typing import Annotated

import typer

from utilitysched.cli.options import (
    SPEC_HELP,
    Apply,
    Classes,
    Jobs,
    OutFile,
    Procs,
    Quiet,
    Seed,
    Strict,
    WorkloadText,
)

EPILOG = """\b
Examples:
  utilitysched augment log.swf.gz -o log.swfx.gz --seed 1
  utilitysched augment log.swf.gz -o steps.swfx.gz --jobs 5000:10000 --utilities step=1,factor=3
  utilitysched augment log.swf.gz -o busy.swfx.gz --apply scale-load:load=0.85
  utilitysched augment log.swf.gz -o ds.swfx.gz -a nodes:per=8,count=260 --checkpoints survey
"""


def augment(
    workload: WorkloadText,
    out: OutFile,
    jobs: Jobs = None,
    procs: Procs = None,
    apply: Apply = None,
    utilities: Annotated[
        str,
        typer.Option(
            "--utilities", metavar="SPEC", help=f"How to draw them: {SPEC_HELP}; or 'none'."
        ),
    ] = "default",
    checkpoints: Annotated[
        str | None,
        typer.Option(
            "--checkpoints",
            metavar="SPEC",
            help="Which jobs take checkpoints: survey, reported:file=CSV, expanded:file=CSV or "
            "all, with options as in survey:jobs=0.2,node_hours=0.6.",
            show_default=False,
        ),
    ] = None,
    soft_estimates: Annotated[
        str | None,
        typer.Option(
            "--soft-estimates",
            metavar="FILE",
            help="CSV of job, soft_estimate (s), confidence (0 to 5).",
            show_default=False,
        ),
    ] = None,
    seed: Seed = 0,
    classes: Classes = None,
    strict: Strict = None,
    quiet: Quiet = False,
) -> None:
    """Give the jobs of a log utility functions.

    Writes extended SWF. What a job is worth (SU) falls from its submission to its deadline; start
    values follow its priority and size. The same seed writes the same bytes.
    """
    from checkpoint.registry import ANNOTATIONS
    from utilitysched.cli.say import speaker, told_of_compilation
    from utilitysched.cli.source import Source
    from utilitysched.cli.steps import annotating, attaching, taken, transforming
    from utilitysched.cli.utilities import valuing
    from utilitysched.cli.writing import check_target, save

    say = speaker(quiet=quiet)
    steps = (  # in order; all are made first, so that a wrong option is told before any work
        transforming(apply, seed),
        valuing(utilities, seed, classes=classes, say=say),
        annotating(None if checkpoints is None else ANNOTATIONS.make(checkpoints), seed),
        attaching(soft_estimates),
    )
    check_target(out)
    loaded = Source(workload, jobs, procs, strict).load()
    with told_of_compilation(say):
        augmented = taken(loaded.workload, steps, say)
    save(augmented, out, say)

"""`utilitysched audit`."""

from pathlib import Path
from typing import Annotated

import typer

from utilitysched.cli.options import (
    SPEC_HELP,
    Classes,
    Jobs,
    Json,
    Procs,
    Quiet,
    Seed,
    Strict,
    UtilitySeed,
    WorkloadText,
    directory_of,
    from_one,
)

EPILOG = """\b
Examples:
  utilitysched audit log.swf.gz --jobs 5000:6000 -o audits/blue
  utilitysched audit sample: --scheduler value-density --mechanism first-price --mechanism vcg
  utilitysched audit log.swf.gz --jobs 5000:6000 --respond --liars 0.5 --liars 1 --plot svg
  utilitysched audit sample: --lie scale:factor=0.1 --lie split:by=time --lie delay:by=6h
"""


def audit(
    context: typer.Context,
    workload: WorkloadText,
    jobs: Jobs = None,
    procs: Procs = None,
    scheduler: Annotated[
        str,
        typer.Option("--scheduler", "-s", metavar="NAME", help="NAME or NAME:key=value,..."),
    ] = "ga",
    mechanism: Annotated[
        list[str] | None,
        typer.Option(
            "--mechanism",
            "-m",
            metavar="NAME",
            help="NAME or NAME:key=value,...; repeatable.",
            show_default="single-price, multi-queue, first-price, second-price, vcg, "
            "vcg:method=replay",
        ),
    ] = None,
    lie: Annotated[
        list[str] | None,
        typer.Option(
            "--lie",
            metavar="NAME",
            help="scale, steeper, flatter, earlier, later, step, request, split or delay, with "
            "options as in scale:factor=0.1; repeatable.",
            show_default="13 of them",
        ),
    ] = None,
    sample: Annotated[
        int,
        typer.Option(
            "--sample",
            metavar="N",
            parser=from_one,
            help="Jobs to lie about, a third each from low, middle and high congestion.",
        ),
    ] = 30,
    draws: Annotated[
        int,
        typer.Option(
            "--draws",
            metavar="N",
            parser=from_one,
            help="Seeds to choose lies on, and as many others to score them on, if the scheduler "
            "draws.",
        ),
    ] = 2,
    horizon: Annotated[
        str,
        typer.Option(
            "--horizon",
            metavar="T",
            help="How long after a job's submission accounts are closed: 24h, 1w or the like, or "
            "recoupled.",
        ),
    ] = "24h",
    queues: Annotated[
        str | None,
        typer.Option(
            "--queues",
            metavar="Q:LEAST,...",
            help="Which queue a job goes to by the value it begins with (SU per processor-hour "
            "requested); log: as the log says.",
            show_default="1:1.7,2:2,3:1,4:0",
        ),
    ] = None,
    respond: Annotated[
        bool,
        typer.Option(
            "--respond", help="Let users answer each other's lies, too, and see what is lost."
        ),
    ] = False,
    liars: Annotated[
        list[float] | None,
        typer.Option(
            "--liars",
            metavar="SHARE",
            help="Share of those users who lie; repeatable.",
            show_default="0.5, 1",
        ),
    ] = None,
    users: Annotated[
        int,
        typer.Option(
            "--users", metavar="N", parser=from_one, help="Users who may: those with most jobs."
        ),
    ] = 6,
    game_jobs: Annotated[
        int,
        typer.Option(
            "--respond-jobs",
            metavar="N",
            parser=from_one,
            help="Jobs in a row that are played, where it is most crowded.",
        ),
    ] = 300,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", parser=from_one, help="Turns of every liar.")
    ] = 2,
    budget: Annotated[
        float,
        typer.Option(
            "--budget",
            metavar="SHARE",
            help="What a liar can spend, as a share of what its jobs are worth at most.",
        ),
    ] = 0.5,
    utilities: Annotated[
        str | None,
        typer.Option(
            "--utilities",
            metavar="SPEC",
            help=f"Draw new utility functions: {SPEC_HELP}; 'none' takes the workload's.",
            show_default="the workload's own, else drawn",
        ),
    ] = None,
    seed: Seed = 0,
    utility_seed: UtilitySeed = None,
    classes: Classes = None,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            parser=directory_of,
            help="Where to write; made if absent.",
        ),
    ] = Path("audit"),
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FORMAT",
            help="Draw the gains, too: pdf, svg or png (needs matplotlib).",
            show_default=False,
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes",
            metavar="N",
            parser=from_one,
            help="How many; the files are the same.",
            show_default="one per processor",
        ),
    ] = None,
    strict: Strict = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find out what users would gain by lying about their jobs.

    Sampled jobs are told otherwise (other values, other deadlines, another requested time, in
    parts, later) and played against the truth with the same random draws. Writes summary.csv,
    lies.csv, gains.csv and audit.json, with --respond replies.csv.
    """
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.cli.options import refuse_without
    from utilitysched.market.audit import MECHANISMS, TOLD, Design, ResponseRules
    from utilitysched.market.audit.plan import AuditPlan, perform
    from utilitysched.market.audit.queues import QUEUES
    from utilitysched.report.audit import check_plot, draw_gains, print_audit
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.plan import RunSeeds
    from utilitysched.workers.places import Workplace

    if not respond:
        refuse_without("--respond", context, ("liars", "users", "game_jobs", "rounds", "budget"))
    plan = AuditPlan(
        WorkloadSource(workload, jobs, procs, strict),
        utilities,
        RunSeeds.of(seed, utility_seed),
        classes,
        scheduler,
        tuple(mechanism or MECHANISMS),
        Design(sample, draws, tuple(lie or TOLD), horizon, QUEUES if queues is None else queues),
        ResponseRules(users, tuple(liars or (0.5, 1.0)), game_jobs, rounds, budget)
        if respond
        else None,
    )
    plan.check()
    if plot is not None:
        check_plot(plot)
    echo, place = notifier(quiet=quiet), Workplace(processes)
    with noting_compilation(echo):
        found = perform(
            plan,
            out,
            place.process_count,
            echo=echo,
            watch=watcher(quiet=quiet),
            on_compile=place.on_compile(echo),
        )
    files = found.files + ([draw_gains(found, out, plot)] if plot else [])
    echo(f"wrote {', '.join(path.name for path in files)} in {out}")
    if json:
        print_json(found.document())
    else:
        print_audit(found.audit, found.rows, found.replies)

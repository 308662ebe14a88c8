"""`utilitysched audit`."""

from pathlib import Path

import typer

from utilitysched.cli import shared
from utilitysched.cli.options import directory_of, from_one, option

EPILOG = """\b
Examples:
  utilitysched audit log.swf.gz --jobs 5000:6000 -o audits/blue
  utilitysched audit sample: --scheduler value-density --mechanism first-price --mechanism vcg
  utilitysched audit log.swf.gz --jobs 5000:6000 --respond --liars 0.5 --liars 1 --plot svg
  utilitysched audit sample: --lie scale:factor=0.1 --lie split:by=time --lie delay:by=6h
"""


def audit(
    context: typer.Context,
    workload: str = shared.WORKLOAD,
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    scheduler: str = option("--scheduler -s NAME", "NAME or NAME:key=value,...", "ga"),
    mechanism: list[str] | None = option(
        "--mechanism -m NAME",
        "NAME or NAME:key=value,...; repeatable.",
        shown="single-price, multi-queue, first-price, second-price, vcg, vcg:method=replay",
    ),
    lie: list[str] | None = option(
        "--lie NAME",
        "scale, steeper, flatter, earlier, later, step, cliff, request, split, delay or "
        "rerunnable, with options as in scale:factor=0.1; repeatable.",
        shown="13 of them",
    ),
    sample: int = option(
        "--sample N",
        "Jobs to lie about, a third each from low, middle and high congestion.",
        30,
        parser=from_one,
    ),
    draws: int = option(
        "--draws N",
        "Seeds to choose lies on, and as many others to score them on, if the scheduler draws.",
        2,
        parser=from_one,
    ),
    horizon: str = option(
        "--horizon T",
        "How long after a job's submission accounts are closed: 24h, 1w or the like, or recoupled.",
        "24h",
    ),
    queues: str | None = option(
        "--queues Q:LEAST,...",
        "Which queue a job goes to by the value it begins with (SU per processor-hour "
        "requested); log: as the log says.",
        shown="1:1.7,2:2,3:1,4:0",
    ),
    respond: bool = option(
        "--respond", "Let users answer each other's lies, too, and see what is lost.", False
    ),
    liars: list[float] | None = option(
        "--liars SHARE", "Share of those users who lie; repeatable.", shown="0.5, 1"
    ),
    users: int = option("--users N", "Users who may: those with most jobs.", 6, parser=from_one),
    game_jobs: int = option(
        "--respond-jobs N",
        "Jobs in a row that are played, where it is most crowded.",
        300,
        parser=from_one,
    ),
    rounds: int = option("--rounds N", "Turns of every liar.", 2, parser=from_one),
    budget: float = option(
        "--budget SHARE",
        "What a liar can spend, as a share of what its jobs are worth at most.",
        0.5,
    ),
    utilities: str | None = option(
        "--utilities SPEC",
        f"Draw new utility functions: {shared.SPEC_HELP}; 'none' takes the workload's.",
        shown="the workload's own, else drawn",
    ),
    seed: int = shared.SEED,
    utility_seed: int | None = shared.UTILITY_SEED,
    classes: dict[int, int] | None = shared.CLASSES,
    preemption: str | None = shared.PREEMPTION,
    failures: str | None = shared.FAILURES,
    out: Path = option(
        "--out -o DIR", "Where to write; made if absent.", Path("audit"), parser=directory_of
    ),
    plot: str | None = option(
        "--plot FORMAT", "Draw the gains, too: pdf, svg or png (needs matplotlib)."
    ),
    processes: int | None = option(
        "--processes N",
        "How many; the files are the same.",
        parser=from_one,
        shown="one per processor",
    ),
    strict: bool | None = shared.STRICT,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Find out what users would gain by lying about their jobs.

    Sampled jobs are told otherwise (other values, other deadlines, another requested time, in
    parts, later) and played against the truth with the same random draws. Writes summary.csv,
    lies.csv, gains.csv and audit.json, with --respond replies.csv.
    """
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.cli.options import refuse_without
    from utilitysched.market.audit import MECHANISMS, TOLD, AuditSubject, Design, ResponseRules
    from utilitysched.market.audit.plan import AuditPlan, perform
    from utilitysched.market.audit.queues import QUEUES
    from utilitysched.report.audit import check_plot, draw_gains, print_audit
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.plan import RunSeeds
    from utilitysched.workers.places import Workplace

    if not respond:
        refuse_without("--respond", context, ("liars", "users", "game_jobs", "rounds", "budget"))
    seeds = RunSeeds.of(seed, utility_seed)
    plan = AuditPlan(
        WorkloadSource(workload, jobs, procs, strict),
        utilities,
        seeds.utilities,
        AuditSubject(
            scheduler,
            tuple(mechanism or MECHANISMS),
            classes=classes,
            seed=seeds.scheduler,
            preemption=preemption,
            failures=failures,
        ),
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

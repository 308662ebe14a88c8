"""`utilitysched audit`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from utilitysched.cli import shared
from utilitysched.cli.options import directory_of, from_one, from_zero, option

if TYPE_CHECKING:
    from utilitysched.cli.notifier import Echo
    from utilitysched.market.audit import AuditPlace
    from utilitysched.market.audit.hunt_plan import HuntPlan
    from utilitysched.market.audit.plan import AuditPlan
    from utilitysched.runs.simulation import Watch

HUNTING, RESPONDING = "To hunt", "To respond"

EPILOG = """\b
Examples:
  utilitysched audit sample: --scheduler value-density --mechanism first-price --mechanism vcg
  utilitysched audit log.swf.gz --jobs 5000:6000 --respond --liars 0.5 --liars 1 --plot svg
  utilitysched audit log.swf.gz --hunt --lie cliff --lie scale:factor=2 --cells 3 -m vcg
"""


def audit(
    context: typer.Context,
    workload: str = shared.WORKLOAD,
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    scheduler: str = option("--scheduler -s NAME", "NAME or NAME:key=value,...", "ga"),
    mechanism: list[str] | None = option(
        "--mechanism -m NAME",
        "Price mechanism; repeatable.",
        shown="the five, and vcg:method=replay",
    ),
    lie: list[str] | None = option(
        "--lie NAME",
        "scale:factor=0.1, steeper, flatter, earlier, later, shift, step, cliff, request, "
        "split, delay, accounts, cartel or rerunnable.",
        shown="13",
    ),
    hunt: bool = option(
        "--hunt",
        "Search for the most profitable lies, beginning with --lie.",
        False,
        group=HUNTING,
    ),
    told_of: list[str] | None = option(
        "--told-of WHAT",
        "Lie about one job (jobs), all jobs of a user (users).",
        shown="both",
        group=HUNTING,
    ),
    cells: int = option(
        "--cells N",
        "Stretches to search, the most crowded ones; 0: all jobs as one.",
        0,
        group=HUNTING,
        parser=from_zero,
    ),
    cell_jobs: int = option(
        "--cell-jobs N", "Jobs of each stretch.", 1500, parser=from_one, group=HUNTING
    ),
    refinements: int = option(
        "--refinements N",
        "Rounds in which options near the best are tried.",
        2,
        parser=from_zero,
        group=HUNTING,
    ),
    apply: list[str] | None = shared.APPLY,
    sample: int = option(
        "--sample N",
        "Jobs to lie about, from low, middle and high congestion.",
        30,
        parser=from_one,
    ),
    draws: int = option(
        "--draws N",
        "Seeds to choose lies on, and as many to score them on.",
        2,
        parser=from_one,
    ),
    horizon: str = option(
        "--horizon T",
        "How long consequences count: 24h, 1w, or recoupled.",
        "24h",
    ),
    queues: str | None = option(
        "--queues Q:LEAST,...",
        "Queue by SU per processor-hour; or log.",
        shown="1:1.7,2:2,3:1,4:0",
    ),
    respond: bool = option(
        "--respond",
        "Also let users respond to each other's lies, and report the loss.",
        False,
        group=RESPONDING,
    ),
    users: int | None = option(
        "--users N",
        "Users who may lie: those with the most jobs.",
        parser=from_one,
        shown="6; hunting: 40",
    ),
    liars: list[float] | None = option(
        "--liars SHARE",
        "Share of them who lie; repeatable.",
        shown="0.5, 1; hunting: 0.1, too",
    ),
    game_jobs: int = option(
        "--respond-jobs N",
        "Consecutive jobs, where the log is most crowded.",
        300,
        parser=from_one,
        group=RESPONDING,
    ),
    rounds: int = option("--rounds N", "Turns of each liar.", 2, parser=from_one, group=RESPONDING),
    budget: float = option(
        "--budget SHARE",
        "Budget of a liar, as a share of its jobs' highest values.",
        0.5,
        group=RESPONDING,
    ),
    utilities: str | None = shared.PLAYED_UTILITIES,
    seed: int = shared.SEED,
    utility_seed: int | None = shared.UTILITY_SEED,
    classes: dict[int, int] | None = shared.CLASSES,
    preemption: str | None = shared.PREEMPTION,
    failures: str | None = shared.FAILURES,
    out: Path = option(
        "--out -o DIR",
        "Directory to write to; created if absent.",
        Path("audit"),
        parser=directory_of,
    ),
    plot: str | None = option(
        "--plot FORMAT", "Also draw the gains: pdf, svg or png (needs matplotlib)."
    ),
    processes: int | None = option(
        "--processes N",
        "Processes; results do not depend on it.",
        parser=from_one,
        shown="one per processor",
    ),
    strict: bool | None = shared.STRICT,
    json: bool = shared.JSON,
    dask: str | None = shared.DASK,
    quiet: bool = shared.QUIET,
) -> None:
    """Find what users would gain by misreporting their jobs.

    Misreports sampled jobs (other values, deadlines or requested times, in parts, later) and
    simulates them beside the truth with the same random draws. The lies found by --hunt are scored
    on jobs of other users. Writes tables (CSV), audit.json or hunt.json, and a page (HTML).
    """
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, watcher
    from utilitysched.cli.options import refuse_with, refuse_without
    from utilitysched.market.audit import (
        MECHANISMS,
        TELLERS,
        TOLD,
        AuditPlace,
        AuditSubject,
        Design,
        HuntRules,
        ResponseRules,
        all_families,
    )
    from utilitysched.market.audit.hunt_plan import HuntPlan
    from utilitysched.market.audit.plan import AuditPlan
    from utilitysched.market.audit.queues import QUEUES
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.plan import RunSeeds
    from utilitysched.workers.places import Workplace

    if hunt:
        refuse_with("--hunt", context, ("respond", "game_jobs", "rounds", "budget", "plot"))
    else:
        refuse_without("--hunt", context, ("told_of", "cells", "cell_jobs", "refinements", "apply"))
        if not respond:
            refuse_without(
                "--respond or --hunt", context, ("liars", "users", "game_jobs", "rounds", "budget")
            )
    seeds = RunSeeds.of(seed, utility_seed)
    source = WorkloadSource(workload, jobs, procs, strict)
    subject = AuditSubject(
        scheduler,
        tuple(mechanism or MECHANISMS),
        classes=classes,
        seed=seeds.scheduler,
        preemption=preemption,
        failures=failures,
    )
    played = source, utilities, seeds.utilities, subject
    lies = tuple(lie or (all_families() if hunt else TOLD))
    design = Design(sample, draws, lies, horizon, QUEUES if queues is None else queues)
    at = Workplace(processes, dask)
    echo, watch = notifier(quiet=quiet), watcher(quiet=quiet)
    remote = at.executor(echo) if dask else None
    place = AuditPlace(at.process_count, None, at.on_compile(echo), remote)
    if hunt:
        rules = HuntRules(
            tuple(told_of or TELLERS), users or 40, refinements, tuple(liars or (0.1, 0.5, 1.0))
        )
        steps = tuple(apply or ())
        asked = HuntPlan(*played, steps, cells, cell_jobs, design, rules)
        files, document, show = _hunted(asked, place, out, echo, watch)
    else:
        game = None
        if respond:
            game = ResponseRules(users or 6, tuple(liars or (0.5, 1.0)), game_jobs, rounds, budget)
        plan = AuditPlan(*played, design, game)
        files, document, show = _audited(plan, plot, place, out, echo, watch)
    echo(f"wrote {', '.join(path.name for path in files)} in {out}")
    if json:
        print_json(document)
    else:
        show()


Shown = tuple[list[Path], dict[str, object], Callable[[], None]]
"""Files that were written, what they say as JSON, and what prints it."""


def _hunted(plan: HuntPlan, place: AuditPlace, out: Path, echo: Echo, watch: Watch) -> Shown:
    from utilitysched.cli.notifier import noting_compilation
    from utilitysched.market.audit.hunt_plan import perform_hunt
    from utilitysched.report.description import print_description
    from utilitysched.report.hunt import hunt_description, write_hunt_files

    with noting_compilation(echo):
        result = perform_hunt(plan, place, out, echo=echo, watch=watch)
    show = partial(print_description, hunt_description(result))
    return write_hunt_files(result, out), result.document(), show


def _audited(
    plan: AuditPlan, plot: str | None, place: AuditPlace, out: Path, echo: Echo, watch: Watch
) -> Shown:
    from utilitysched.cli.notifier import noting_compilation
    from utilitysched.market.audit.files import PAGE
    from utilitysched.market.audit.plan import perform
    from utilitysched.report.audit import (
        audit_description,
        check_plot,
        draw_gains,
        print_audit,
    )
    from utilitysched.report.description import write_page

    plan.check()
    if plot is not None:
        check_plot(plot)
    with noting_compilation(echo):
        found = perform(plan, out, place, echo=echo, watch=watch)
    write_page(audit_description(*found[:3]), out / PAGE)
    files = [*found.files, out / PAGE, *([draw_gains(found, out, plot)] if plot else [])]
    return files, found.document(), partial(print_audit, *found[:3])

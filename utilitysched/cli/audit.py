"""`utilitysched audit`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from utilitysched.cli import shared
from utilitysched.cli.options import directory_of, from_one, option

if TYPE_CHECKING:
    from utilitysched.cli.notifier import Echo
    from utilitysched.market.audit import AuditPlace
    from utilitysched.market.audit.plan import AuditPlan
    from utilitysched.runs.simulation import Watch

EPILOG = """\b
Examples:
  utilitysched audit sample: --scheduler value-density --mechanism first-price --mechanism vcg
  utilitysched audit log.swf.gz --jobs 5000:6000 --lie cliff --plot svg
"""


def audit(
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
        "split, delay, accounts or rerunnable.",
        shown="13",
    ),
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
    simulates them beside the truth with the same random draws. Writes tables (CSV), audit.json and
    a page (HTML).
    """
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, watcher
    from utilitysched.market.audit import (
        MECHANISMS,
        TOLD,
        AuditPlace,
        AuditSubject,
        Design,
    )
    from utilitysched.market.audit.design import QUEUES
    from utilitysched.market.audit.plan import AuditPlan
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.plan import RunSeeds
    from utilitysched.workers.places import Workplace

    seeds = RunSeeds(seed, utility_seed)
    source = WorkloadSource(workload, jobs, procs, strict)
    subject = AuditSubject(
        scheduler,
        tuple(mechanism or MECHANISMS),
        classes=classes,
        seed=seeds.scheduler,
        preemption=preemption,
        failures=failures,
    )
    design = Design(
        sample, draws, tuple(lie or TOLD), horizon, QUEUES if queues is None else queues
    )
    at = Workplace(processes, dask)
    echo, watch = notifier(quiet=quiet), watcher(quiet=quiet)
    remote = at.executor(echo) if dask else None
    place = AuditPlace(at.process_count, None, at.on_compile(echo), remote)
    plan = AuditPlan(source, utilities, seeds.utilities, subject, design)
    files, document, show = _audited(plan, plot, place, out, echo, watch)
    echo(f"wrote {', '.join(path.name for path in files)} in {out}")
    if json:
        print_json(document)
    else:
        show()


Shown = tuple[list[Path], dict[str, object], Callable[[], None]]
"""Files that were written, what they say as JSON, and what prints it."""


def _audited(
    plan: AuditPlan, plot: str | None, place: AuditPlace, out: Path, echo: Echo, watch: Watch
) -> Shown:
    from utilitysched.cli.notifier import noting_compilation
    from utilitysched.market.audit.plan import PAGE, perform
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
    write_page(audit_description(*found[:2]), out / PAGE)
    files = [*found.files, out / PAGE, *([draw_gains(found, out, plot)] if plot else [])]
    return files, found.document(), partial(print_audit, *found[:2])

"""`utilitysched audit`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from swfx.base.document_values import made, whole
from swfx.base.request_fields import (
    Failures,
    MachineFile,
    Preemption,
    PriorityClasses,
    Seed,
    UtilitySeed,
    directory_of,
)
from swfx.base.typed import Typed
from swfx.reading.workload_source import WorkloadSource
from utilitysched.cli.shared import Json, Quiet
from utilitysched.workers.places import Workplace

if TYPE_CHECKING:
    from utilitysched.cli.notifier import Echo
    from utilitysched.market.audit import AuditPlace
    from utilitysched.market.audit.plan import AuditPlan
    from utilitysched.runs.simulation import Watch

EPILOG = """\b
Examples:
  utilitysched audit sample: --scheduler value-density --mechanism first-price --mechanism vcg
  utilitysched audit log.swf.gz --jobs 5000:6000 --lie cliff
"""


def audit(
    source: WorkloadSource,
    scheduler: Annotated[str, Typed("--scheduler -s NAME")] = "ga",
    mechanism: Annotated[
        Sequence[str], Typed("--mechanism -m NAME", shown="the five, and vcg:method=replay")
    ] = (),
    lie: Annotated[Sequence[str], Typed("--lie NAME", shown="13")] = (),
    sample: Annotated[int, whole(1), Typed("--sample N")] = 30,
    draws: Annotated[int, whole(1), Typed("--draws N")] = 2,
    horizon: Annotated[str, Typed("--horizon T")] = "24h",
    queues: Annotated[str | None, Typed("--queues Q:LEAST,...", shown="1:1.7,2:2,3:1,4:0")] = None,
    utilities: Annotated[
        str | None, Typed("--utilities SPEC", shown="the workload's, else drawn")
    ] = None,
    seed: Seed = 0,
    utility_seed: UtilitySeed = None,
    classes: PriorityClasses = None,
    preemption: Preemption = None,
    failures: Failures = None,
    machine: MachineFile = None,
    out: Annotated[Path, made(directory_of), Typed("--out -o DIR")] = Path("audit"),
    *,
    workplace: Workplace,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find what users would gain by misreporting their jobs.

    Misreports sampled jobs (other values, deadlines or requested times, in parts, later) and
    simulates them beside the truth with the same random draws. Writes tables (CSV), audit.json and
    a page (HTML).

    Parameters
    ----------
    scheduler : str
        NAME or NAME:key=value,...
    mechanism : sequence of str
        Price mechanism; repeatable.
    lie : sequence of str
        scale:factor=0.1, steeper, flatter, earlier, later, shift, step, cliff, request, split,
        delay, accounts, rerunnable, worthless-rerunnable or shill.
    sample : int
        Jobs to lie about, from low, middle and high congestion.
    draws : int
        Seeds to choose lies on, and as many to score them on.
    horizon : str
        How long consequences count: 24h, 1w, or recoupled.
    queues : str, optional
        Queue by SU per processor-hour; or log.
    utilities : str, optional
        Draw new ones: factor=3,step=1, diurnal:at=09:00, curves:file=FILE, default, or none.
    out : Path
        Directory to write to; created if absent.
    """
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
    from utilitysched.runs.records import RunSeeds
    from utilitysched.schedulers.billed import ranked_as_billed

    echo, watch = notifier(quiet=quiet), watcher(quiet=quiet)
    seeds = RunSeeds(seed, utility_seed)
    subject = AuditSubject(
        ranked_as_billed(scheduler, mechanism, echo),
        tuple(mechanism or MECHANISMS),
        classes=classes,
        seed=seeds.scheduler,
        preemption=preemption,
        failures=failures,
    )
    design = Design(
        sample, draws, tuple(lie or TOLD), horizon, QUEUES if queues is None else queues
    )
    remote = workplace.executor(echo) if workplace.dask else None
    processes, on_compile = workplace.process_count, workplace.on_compile(echo)
    place = AuditPlace(processes, None, on_compile, remote)
    plan = AuditPlan(source, utilities, seeds.utilities, subject, design, machine)
    files, document, show = _audited(plan, place, out, echo, watch)
    echo(f"wrote {', '.join(path.name for path in files)} in {out}")
    if json:
        print_json(document)
    else:
        show()


Shown = tuple[list[Path], dict[str, object], Callable[[], None]]
"""Files that were written, what they say as JSON, and what prints it."""


def _audited(plan: AuditPlan, place: AuditPlace, out: Path, echo: Echo, watch: Watch) -> Shown:
    from utilitysched.cli.notifier import noting_compilation
    from utilitysched.market.audit.plan import PAGE, perform
    from utilitysched.report.audit import audit_description
    from utilitysched.report.templating import write_page
    from utilitysched.report.terminal import print_answer

    plan.check()
    with noting_compilation(echo):
        audited = perform(plan, out, place, echo=echo, watch=watch)
    description = audit_description(*audited[:2])
    write_page(description, out / PAGE)
    return [*audited.files, out / PAGE], audited.document(), partial(print_answer, description)

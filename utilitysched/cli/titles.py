"""What stands above a comparison: the job set, the machine, and every seed."""

import re

from utilitysched.cli.plan import Plan, Prepared
from utilitysched.report.numbers import plural


def comparison_titles(plan: Plan, prepared: Prepared) -> list[str]:
    """Return the lines that say what the figures below them are about."""
    lines = [_jobs(plan, prepared), _transformed(plan, prepared)]
    return [*filter(None, lines), _conditions(plan, prepared), _utilities(prepared)]


def _jobs(plan: Plan, prepared: Prepared) -> str:
    report = prepared.loaded.report
    read = "all job lines" if plan.source.jobs is None else f"job lines {plan.source.slice_text}"
    cleaned = f"{report.dropped:,} dropped, {report.repaired:,} repaired"
    return (
        f"{report.source}, {read}: {plural(report.kept, 'job')} "
        f"({plan.source.cleaning} cleaning: {cleaned})"
    )


def _transformed(plan: Plan, prepared: Prepared) -> str:
    if not plan.apply:
        return ""
    return f"transformed by {', '.join(plan.apply)}: {plural(len(prepared.workload), 'job')}"


def _conditions(plan: Plan, prepared: Prepared) -> str:
    workload = prepared.workload
    span = float(workload.submit.max() - workload.submit.min()) / 86400
    counted = f"without the first and last {plan.trim:.1%}" if plan.trim else "all jobs counted"
    return (
        f"{plural(workload.machine_size or 0, 'processor')}, {span:,.1f} days of submissions, "
        f"{counted}, tau {plan.tau:g} s, scheduler seed {plan.seeds.scheduler}"
    )


def _utilities(prepared: Prepared) -> str:
    workload = prepared.workload
    without = len(workload) - int(workload.utility.defined.sum())
    if without == len(workload):
        return "utilities: none, no job is worth anything"
    model = "; ".join(workload.header.all("UtilityModel")) or "as in the workload"
    missing = f"; {plural(without, 'job')} without" if without else ""
    spaced = re.sub(",(?=[^ ])", ", ", model)  # so that the line can be broken
    return f"utilities: {spaced}{missing}"

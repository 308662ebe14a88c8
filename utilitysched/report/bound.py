"""The best schedule of a queue, and plans beside it."""

from utilitysched.exact import StaticCharges, StaticProblem
from utilitysched.exact.comparison import Compared
from utilitysched.report.console import console, grid, show
from utilitysched.report.numbers import plural


def print_bound(problem: StaticProblem, compared: Compared) -> None:
    """Print what the best schedule is worth, and what the plans are."""
    snapshot, best = problem.snapshot, compared.best
    to = console()
    to.print(
        f"{plural(len(snapshot.queued), 'queued job')},"
        f" {snapshot.free:,} of {snapshot.machine_size:,} processors free at"
        f" {snapshot.now:.15g} s; values read at start + {problem.rule.duration}"
    )
    to.print()
    table = grid(["schedule", "SU", "of the bound", "short of it by"])
    proof = "best of all schedules" if best.proven else "best schedule found"
    rows = {f"{proof}": best.total}
    if compared.orders is not None:
        rows["best of all orders"] = compared.orders
    for name, worth in (rows | compared.plans).items():
        share = f"{worth / best.bound:.2%}" if best.bound else ""
        short = 0.0 if best.proven and name == proof else max(0.0, best.bound - worth)
        table.add_row(name, f"{worth:,.2f}", share, f"{short:,.2f}")
    if not best.proven:
        table.add_row("no schedule is above", f"{best.bound:,.2f}", "", "")
    show(to, table)


def print_charges(charged: StaticCharges) -> None:
    """Print what each queued job pays by VCG."""
    to = console()
    to.print()
    table = grid(["job", "start (s)", "worth (SU)", "charge (SU)"], title="Exact charges by VCG")
    for job, start, value, charge in zip(*(column.tolist() for column in charged), strict=True):
        table.add_row(str(job), f"{start:.15g}", f"{value:,.2f}", f"{charge:,.2f}")
    show(to, table)


def document(
    problem: StaticProblem, compared: Compared, charged: StaticCharges | None
) -> dict[str, object]:
    """Return the same for machines."""
    best = compared.best
    found: dict[str, object] = {
        "queued": len(problem.snapshot.queued),
        "duration": problem.rule.duration,
        "optimum": best.total,
        "bound": best.bound,
        "gap": best.gap,
        "proven": best.proven,
        "starts": dict(zip(problem.snapshot.ids.tolist(), best.start.tolist(), strict=True)),
        "best_order": compared.orders,
        "plans": {
            label: {"utility": worth, "gap": max(0.0, best.bound - worth)}
            for label, worth in compared.plans.items()
        },
    }
    if charged is not None:
        found["charges"] = [
            dict(zip(("job_id", "start", "utility", "charge"), row, strict=True))
            for row in zip(*(column.tolist() for column in charged), strict=True)
        ]
    return found

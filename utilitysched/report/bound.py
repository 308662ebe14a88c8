"""Best schedules of queues, with plans beside them."""

from dataclasses import replace

from swfx.base.numbers import plural
from utilitysched.analysis.documents import ResultTable, plain_table
from utilitysched.exact import StaticCharges, StaticProblem
from utilitysched.exact.comparison import Compared
from utilitysched.report.terminal import console, print_table


def print_bound(problem: StaticProblem, compared: Compared) -> None:
    """Print what the best schedule is worth, and what the plans are."""
    snapshot, best = problem.snapshot, compared.best
    to = console()
    to.print(
        f"{plural(len(snapshot.queued), 'queued job')},"
        f" {snapshot.free:,} of {snapshot.machine_size:,} processors free at"
        f" {snapshot.now:,.12g} s; values, in service units (SU), are read"
        f" at start + {problem.rule.duration}"
    )
    to.print()
    proof = "best of all schedules" if best.proven else "best schedule found"
    found = {proof: best.total}
    if compared.orders is not None:
        found["best of all orders"] = compared.orders
    rows = []
    for name, worth in (found | compared.plans).items():
        share = f"{worth / best.bound:.2%}" if best.bound else ""
        short = 0.0 if best.proven and name == proof else max(0.0, best.bound - worth)
        rows.append((name, f"{worth:,.2f}", share, f"{short:,.2f}"))
    if not best.proven:
        rows.append(("no schedule is above", f"{best.bound:,.2f}", "", ""))
    print_table(plain_table(["schedule", "SU", "of the bound", "short of it by"], rows))
    if best.timed_out:
        to.print("The time limit ended the search: a longer one may find a better schedule.")


def print_charges(charged: StaticCharges) -> None:
    """Print what each queued job pays by VCG."""
    rows = [
        (str(job), f"{start:,.12g}", f"{value:,.2f}", f"{charge:,.2f}")
        for job, start, value, charge in zip(*(each.tolist() for each in charged), strict=True)
    ]
    columns = [
        replace(column, group="Exact charges by VCG")
        for column in plain_table(["job", "start (s)", "worth (SU)", "charge (SU)"], []).columns
    ]
    print()
    print_table(ResultTable(columns, rows, broken=False))


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
        "timed_out": best.timed_out,
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

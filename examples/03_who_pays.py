"""Who pays more, and who less, when the bill follows value instead of processor-hours.

Covers: charging a schedule, statements, the certificates of a bill.

Scenario: the packaged workload under priority-fifo, billed three times. First price takes what each
job turned out to be worth. The others charge processor-hours, at one rate or at a rate per queue;
but for the rounding of these rates the machine earns the same, only who pays differs. The first
table is per queue (1 is the most urgent), the second has the users with the largest first-price
bills. Certificates: every bill adds up; only under first price does no job pay more than it turned
out to be worth.

Run: python examples/03_who_pays.py
"""

from __future__ import annotations

import pricing
from swfx import Workload, open_workload
from utilitysched import Schedule, simulate

SCHEDULER = "priority-fifo"
QUEUE_RATES = {1: 1.7, 2: 2.0, 3: 1.0}  # SU per processor-hour, before scaling (LEE 3.4.3)
SHOWN = 5  # users


def same_revenue(workload: Workload, schedule: Schedule) -> list[pricing.Charges]:
    """Bill by first price, then by one rate and by a rate per queue that earn as much."""

    def charged(mechanism: str) -> pricing.Charges:
        return pricing.charge(workload, schedule.start, schedule.end, mechanism)

    def per_queue(factor: float) -> str:
        rates = ",".join(f"{queue}:{factor * rate:.6g}" for queue, rate in QUEUE_RATES.items())
        return f"multi-queue:rates={rates}"

    first = charged("first-price:reading=end")
    rate = first.total / charged("single-price").total
    factor = first.total / charged(per_queue(1.0)).total
    return [first, charged(f"single-price:rate={rate:.6g}"), charged(per_queue(factor))]


def print_statement(bills: list[pricing.Charges], kind: str, shown: int) -> None:
    """Print the largest lines of a statement: jobs, hours, and SU by each bill."""
    statements = [pricing.statement(bill.rounded(), kind) for bill in bills]
    names = "".join(f"{bill.mechanism.partition(':')[0]:>14}" for bill in bills)
    print(f"{kind:>6}{'jobs':>8}{'hours':>10}{names}")
    largest = statements[0].sort_values("charge", ascending=False).head(shown)
    for key, line in zip(largest.index.tolist(), largest.itertuples(), strict=True):
        amounts = "".join(f"{table.charge[key]:>14,}" for table in statements)
        print(f"{key:>6}{line.jobs:>8}{line.processor_hours:10,.0f}{amounts}")
    print()


def main() -> None:
    """Bill one schedule by three mechanisms."""
    workload = open_workload("sample:").workload
    bills = same_revenue(workload, simulate(workload, SCHEDULER))
    print_statement(bills, "queue", len(QUEUE_RATES))
    print_statement(bills, "user", SHOWN)
    for bill in bills:
        held = [check.name for check in pricing.check_charges(bill) if check.holds]
        above_worth = len(pricing.individual_rationality(bill).job_ids)
        print(f"{bill.mechanism}: {bill.billed} SU")
        print(f"  holds: {', '.join(held)}; jobs charged above their worth: {above_worth}")


if __name__ == "__main__":
    main()

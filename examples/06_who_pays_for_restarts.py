"""Who gains when jobs may be displaced, who loses, and what the displacement charge moves.

Covers: `restarts=true`, the option `displaced` of price mechanisms, `pricing.Charges.shares`.

Scenario: every job of the packaged workload, or of a log, may be killed and run again from scratch.
The same jobs are scheduled with restarts and without. Jobs fall into those that displaced others,
those that were displaced, those that met with both, and the rest; of each kind, what the jobs
earned without restarts and with them, what they paid for those whom they displaced, what they got
for having been displaced, and what they then have. The centre keeps what is paid beyond the limit
of what an owner gets.

Run: python examples/06_who_pays_for_restarts.py [LOG FIRST:LAST]
"""

from __future__ import annotations

import sys

import numpy as np

import pricing
from swfx import UtilitySpec, Workload, attach_utilities, open_workload
from utilitysched import Schedule, simulate
from utilitysched.counterfactual.charges import Counterfactuals
from utilitysched.engine.segments_log import waste_of

SCHEDULER = "value-and-delay"
SEED = 1


def drawn(source: str, jobs: str) -> Workload:
    """Return jobs with utility functions, all of which may be killed."""
    first, last = (int(text) if text else None for text in jobs.split(":"))
    plain = open_workload(source).workload[first:last]
    waits = simulate(plain, "easy").wait(plain)
    valued = attach_utilities(plain, UtilitySpec(), SEED, waits=waits)
    return valued.replace(rerunnable=np.ones(len(plain), np.bool_))


def charged(jobs: Workload, schedule: Schedule) -> pricing.Charges:
    """Charge every job what it was ranked by, and what those lost whom it displaced."""
    return pricing.charge(
        jobs,
        schedule.start,
        schedule.end,
        "first-price:reading=scheduler",
        counterfactual=Counterfactuals.of(jobs, schedule),
        used=schedule.running_time,
        waste=waste_of(schedule.segments),
    )


def main() -> None:
    """Print the table."""
    source, jobs = sys.argv[1:] or ("sample:", ":")
    workload = drawn(source, jobs)
    before, after = (
        simulate(workload, f"{SCHEDULER}{options}") for options in ("", ":holes=true,restarts=true")
    )
    earned = [workload.utility.evaluate(each.turnaround(workload)) for each in (before, after)]
    shares = charged(workload, after).shares
    assert shares is not None
    pays, gets = shares.displaced.paid_by(len(workload)), shares.received
    moved = [*earned, pays, gets, earned[1] - pays + gets]
    victim = np.zeros(len(workload), np.bool_)
    victim[shares.stopped[shares.displaced.paid > 0]] = True
    kinds = {
        "displaced others": (pays > 0) & ~victim,
        "were displaced": (pays == 0) & victim,
        "both": (pays > 0) & victim,
        "neither": (pays == 0) & ~victim,
        "all": np.ones(len(workload), np.bool_),
    }
    heads = ("jobs", "before", "with", "pay", "get", "in the end")
    print(f"{'SU':16}" + "".join(f"{head:>12}" for head in heads))
    for kind, which in kinds.items():
        sums = (column[which].sum() for column in moved)
        print(f"{kind:16}{which.sum():12,}" + "".join(f"{each:12,.0f}" for each in sums))


if __name__ == "__main__":
    main()

"""``python -m benchmarks.lies [JOBS]``: what lies bring where processors are taken back at a price.

``python -m benchmarks.lies hunt SCHEDULER MECHANISM...``: the best lies found in busy cells
of three logs, and what comes of it if many tell them; rules side by side are several mechanisms.
``python -m benchmarks.lies wide SCHEDULER MECHANISM...``: the same in 36 smaller cells;
``names``: what users gain under several names, or under one name with others; ``shapes``: what
they gain by other requests, in parts, or later.

Twelve cells of 300 jobs at a load of 0.85, half of the jobs re-runnable; of each so many jobs are
lied about. All sampled jobs count together. A lie told of all jobs is chosen by nobody; the best of
them for each job is chosen in hindsight.
"""

import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np

from benchmarks.logs import BLUE, DATASTAR, KTH, SP2, log
from swfx import Workload
from swfx.families.generators.utilities import attach_utilities
from swfx.families.generators.utility_spec import UtilitySpec
from utilitysched.market.audit import Audit, AuditSubject, Design, HuntRules, audit
from utilitysched.market.audit.hunt_plan import hunt_in
from utilitysched.market.audit.summary import ALL, by_lie, summarise
from utilitysched.report.description import print_description
from utilitysched.report.hunt import hunt_description
from utilitysched.runs.steps import transforming

CELLS = {
    BLUE: (5000, 70000, 100000),
    SP2: (5000, 20000, 35000),
    KTH: (5000, 10000, 15000),
    DATASTAR: (10000, 30000, 50000),
}
JOBS = 300
"""Of each cell."""

STEPS = ("rerunnable:share=0.5", "scale-load:load=0.85")

SCHEDULERS = ("value-and-delay", "value-and-delay:holes=true,restarts=true")

MECHANISMS = {
    "single-price:rate=0,displaced=no": "nothing",
    "single-price:rate=0": "what the displaced lose",
    "vcg:method=replay": "what others lose, by replays",
}
"""And what users pay by them."""

LIES = ("scale", "scale:factor=10", "steeper", "rerunnable", "rerunnable:says=yes")


HUNTED_IN = (SP2, BLUE, KTH)

BUSY = ((SP2, 30000, None), (BLUE, 5000, 0.90), (KTH, 10000, 0.95))
"""Cells: a log, the first job, and the load that it is brought to, if any."""

WIDE = tuple(
    (name, first, load)
    for name in HUNTED_IN
    for load, firsts in {0.8: range(2, 26, 6), 0.9: range(4, 26, 6), 1.0: range(6, 26, 6)}.items()
    for first in (1000 * each for each in firsts)
)
"""Twelve of each log, no two of which share a job."""


class Hunted(NamedTuple):
    """What is hunted in.

    Attributes
    ----------
    cells : tuple
        See `BUSY`.
    jobs : int
        Of each.
    design : Design
        Jobs of each that lies are told of, and where the search begins.
    rules : HuntRules
        Whose lies.
    """

    cells: tuple[tuple[str, int, float | None], ...]
    jobs: int
    design: Design
    rules: HuntRules


HUNTS = {
    "hunt": Hunted(
        BUSY,
        1500,
        Design(24, lies=("cliff", "scale", "flatter", "later", "step")),
        HuntRules(users=10, refinements=1),
    ),
    "wide": Hunted(
        WIDE,
        300,
        Design(4, lies=("cliff", "scale", "flatter", "later", "step", "shift")),
        HuntRules(users=2, refinements=1),
    ),
    "names": Hunted(
        BUSY, 300, Design(lies=("accounts", "cartel")), HuntRules(("users",), 8, refinements=0)
    ),
    "shapes": Hunted(
        BUSY,
        300,
        Design(24, lies=("split", "delay", "request")),
        HuntRules(users=10, refinements=0),
    ),
}


def hunt(hunted: Hunted, scheduler: str, *mechanisms: str) -> int:
    """Print what is found in the cells together."""
    cells = [busy(hunted.jobs, *each) for each in hunted.cells]
    subject = AuditSubject(scheduler, mechanisms, seed=1)
    found = hunt_in(cells, subject, hunted.design, hunted.rules)
    print_description(hunt_description(found))
    return 0


def busy(count: int, name: str, first: int, load: float | None) -> Workload:
    """Return a busy cell; users of different logs have different numbers."""
    jobs = log(name)[first : first + count]
    step = transforming([f"scale-load:load={load}"] if load else None, 1)
    scaled = jobs if step is None else step(jobs).workload
    of_log = scaled.user + HUNTED_IN.index(name) * OTHER_LOG * (scaled.user >= 0)
    return attach_utilities(scaled.replace(user=of_log), UtilitySpec(), seed=1)


OTHER_LOG = 100_000
"""More than any log has users."""


def main(jobs: int) -> int:
    """Print a table per scheduler and mechanism."""
    cells = [cell(name, first) for name, starts in CELLS.items() for first in starts]
    for scheduler in SCHEDULERS:
        subject = AuditSubject(scheduler, tuple(MECHANISMS), seed=1)
        found = pooled([audit(each, subject, Design(jobs, lies=LIES)) for each in cells])
        worth = found.value.mean()
        print(f"{scheduler}: {len(found.value)} jobs of {worth:.2f} SU each", flush=True)
        for mechanism, paid in zip(found.mechanisms, MECHANISMS.values(), strict=True):
            print(f"  users pay {paid}", flush=True)
            for line in lines(found, mechanism, worth):
                print(f"    {line}", flush=True)
    return 0


def cell(name: str, first: int) -> Workload:
    """Return so many jobs of a log, with utility functions, half of them re-runnable."""
    step = transforming(STEPS, 1)
    assert step is not None
    return attach_utilities(step(log(name)[first : first + JOBS]).workload, UtilitySpec(), seed=1)


def pooled(audits: list[Audit]) -> Audit:
    """Return several audits as if one log had been audited."""
    columns: dict[str, Any] = {
        field.name: np.concatenate([getattr(each, field.name) for each in audits])
        for field in fields(Audit)
        if isinstance(getattr(audits[0], field.name), np.ndarray)
    }
    return replace(audits[0], **columns)


def lines(found: Audit, mechanism: str, worth: float) -> Iterator[str]:
    """Yield the gain by each lie (SU a job), its interval, and its share of what jobs are worth."""
    for row in by_lie(found):
        if row.mechanism == mechanism:
            yield line(row.lie, row.gain, row.low, row.high, worth)
    for measure in summarise(found):
        if measure.mechanism == mechanism and measure.congestion == ALL:
            yield line(measure.measure, measure.gain, measure.low, measure.high, worth)


def line(name: str, gain: float, low: float | None, high: float | None, worth: float) -> str:
    """Return a gain as text."""
    return f"{name:<22} {gain:9.3f} ({low or 0:8.3f} to {high or 0:8.3f}) {gain / worth:7.1%}"


if __name__ == "__main__":
    if asked := HUNTS.get("".join(sys.argv[1:2])):
        sys.exit(hunt(asked, *sys.argv[2:]))
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 8))

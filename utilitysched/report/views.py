"""Views of workloads, schedules, charges, quotes and experiments, which notebooks show."""

from __future__ import annotations

from functools import singledispatch

import numpy as np

from pricing import Charges
from swfx import UtilityFunction, Workload
from swfx.base.numbers import money, percent, significant, span, whole
from utilitysched.analysis.documents import Description, Fact, Facts, column, panel
from utilitysched.analysis.series import Bill, Totals, charges_by
from utilitysched.experiments.grid import grid
from utilitysched.experiments.specification import Experiment
from utilitysched.market.quote.offer import Quote
from utilitysched.model.schedule import Schedule
from utilitysched.report.quote import quote_description
from utilitysched.report.templating import fragment

MOST_ROWS = 20
"""Users that are listed: those who pay most."""


@singledispatch
def described(thing: object) -> Description:
    """Return what a notebook shows of something."""
    raise TypeError(f"there is no description of {type(thing).__name__}")


def html(thing: object) -> str:
    """Return what a notebook shows of something, as a part of a page."""
    return fragment(described(thing))


def _facts(title: str, **pairs: str) -> Facts:
    named = [(name.replace("_", " "), text) for name, text in pairs.items()]
    return Facts("facts", title, [Fact(name, name, text, text) for name, text in named])


@described.register
def _(thing: Workload) -> Description:
    jobs = len(thing)
    length = span(float(np.ptp(thing.submit))) if jobs else "-"
    hours = float((thing.size * thing.effective_run).sum()) / 3600
    facts = _facts(
        "Workload",
        jobs=whole(jobs),
        processors=whole(thing.machine_size),
        submitted_within=length,
        processor_hours=whole(hours),
        users=whole(len(np.unique(thing.user[thing.user >= 0]))),
        queues=whole(len(np.unique(thing.queue[thing.queue >= 0]))),
        worth_at_submission=f"{whole(float(thing.utility.start_values.sum()))} SU",
    )
    return Description(repr(thing), [facts])


@described.register
def _(thing: UtilityFunction) -> Description:
    points = [
        (span(time), float(value))
        for time, value in zip(thing.times.tolist(), thing.values.tolist(), strict=True)
    ]
    columns = [column("after", "text", "after"), column("worth (SU)", "number", "worth")]
    table = panel("curve", "Utility function", "", columns, points)
    return Description(repr(thing), [table])


@described.register
def _(thing: Schedule) -> Description:
    length = float(np.max(thing.end, initial=0.0) - np.min(thing.start, initial=np.inf))
    facts = _facts(
        "Schedule",
        scheduler=thing.scheduler,
        jobs=whole(len(thing)),
        processors=whole(thing.machine_size),
        first_start_to_last_end=span(length) if len(thing) else "-",
        backfilled=f"{percent(float(thing.backfilled.mean()))}%" if len(thing) else "-",
        simulated_in=f"{significant(thing.elapsed)} s",
    )
    return Description(repr(thing), [facts])


@described.register
def _(thing: Charges) -> Description:
    facts = _facts(
        "Charges",
        mechanism=thing.mechanism,
        jobs=whole(len(thing)),
        charged=f"{money(float(thing.charge.sum()))} SU",
        worth=f"{money(float(thing.outcome.utility.sum()))} SU",
    )
    columns = [
        column("user", "text", "user"),
        column("jobs", "count", "jobs"),
        column("charge (SU)", "number", "charge"),
        column("worth (SU)", "number", "worth"),
    ]
    name, totals = thing.workload.labels.in_field("user").name, totals_of(thing)
    rows = list(
        zip(
            map(name, totals.key.tolist()),
            totals.jobs.tolist(),
            totals.charge.tolist(),
            totals.utility.tolist(),
            strict=True,
        )
    )
    return Description(
        repr(thing), [facts, panel("payers", "Who pays most", "", columns, rows[:MOST_ROWS])]
    )


def totals_of(charges: Charges) -> Totals:
    """Return what each user pays and earns, the largest charge first."""
    users_of = charges.workload.labels.in_field("user").numbers
    return charges_by(Bill(charges.mechanism, charges.charge), users_of, charges.outcome.utility)


@described.register
def _(thing: Quote) -> Description:
    return quote_description(thing)


@described.register
def _(thing: Experiment) -> Description:
    facts = _facts(
        thing.name,
        workloads=", ".join(source.name for each in thing.workloads for source in each.sources),
        schedulers=", ".join(each.label for each in thing.schedulers.candidates),
        baseline=thing.schedulers.baseline,
        simulations=whole(len(grid(thing))),
        metrics=", ".join(thing.report.metrics),
    )
    return Description(repr(thing), [facts])

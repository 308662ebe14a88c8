"""Tables of the evidence of charges, beside the schedule and the workload."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from pricing.charges import Charges
from pricing.evidence import losses_of
from pricing.ledger import amount, plain
from pricing.outcome import Outcome
from pricing.pivots import Losses, Pivots, Starts
from pricing.reader import NOBODY, Readings, Rounds
from pricing.replays import Replays
from pricing.shares import Shares
from pricing.waste import PREEMPTED
from swfx.base.columns import Floats, Ints
from swfx.base.options import as_text
from swfx.job_names import JobIds

EVIDENCE_FILE = "evidence.csv"
STARTS_FILE = "starts.csv"
REPLAYS_FILE = "replays.csv"
BIDS_FILE = "bids.csv"
READINGS_FILE = "readings.csv"
WASTE_FILE = "waste.csv"

EVIDENCE_FILES = (EVIDENCE_FILE, STARTS_FILE, REPLAYS_FILE, BIDS_FILE, READINGS_FILE, WASTE_FILE)

EVIDENCE_COLUMNS = ("row", "job_id", "loser_row", "loser_id", "loss", "delay")
"""Columns of ``evidence.csv``: rows of ``jobs.csv`` from 1, SU for losses, s for delays."""

PLANNED_COLUMNS = ("time", "planned", "had")
"""The last of them, where losses come from plans: s, SU."""

START_COLUMNS = (
    "row",
    "job_id",
    "start",
    "held",
    "others",
    "with_job",
    "without_job",
    "standard_error",
)
"""Columns of ``starts.csv``: rows of ``jobs.csv`` from 1, s for times, SU for utilities."""

REPLAY_COLUMNS = (
    "job_id",
    "seed",
    "begin",
    "end",
    "recoupled",
    "others",
    "with_job",
    "without_job",
    "difference",
)
"""Columns of ``replays.csv``: s for times, SU for utilities of the other jobs."""

BID_COLUMNS = ("row", "job_id", "others", "bid", "setter_row", "setter_id")
"""Columns of ``bids.csv``: rows of ``jobs.csv`` from 1, SU per processor-hour for bids."""

READ_BID_COLUMNS = ("duration", "setter_duration")
"""The last of them, where bids are what the scheduler read: s, samples with spaces between."""

READING_COLUMNS = ("row", "job_id", "start", "duration", "reading")
"""Columns of ``readings.csv``: rows of ``jobs.csv`` from 1, s for times, SU for readings."""

WASTE_COLUMNS = (
    "row",
    "job_id",
    "stop",
    "time",
    "cause_row",
    "cause_id",
    "lost",
    "overhead",
    "processor_hours",
    "rate",
    "price",
    "payer_row",
    "payer_id",
    "paid",
    "borne",
)
"""Columns of ``waste.csv``: rows of ``jobs.csv`` from 1, s for times, exact SU for amounts."""

DISPLACEMENT_COLUMNS = (
    "value_lost",
    "value_left",
    "displacement_charge",
    "compensation",
    "receiver_row",
    "receiver_id",
)
"""The last of them, where jobs displaced others at a price."""

Table = tuple[tuple[str, ...], Iterator[list[object]]]


def evidence_tables(charges: Charges) -> dict[str, Table]:
    """Return columns and rows of each file that the evidence of some charges is written to.

    Where users know any job by another name than its number, `name_columns` are the last ones.
    """
    tables = _of_evidence(charges)
    if charges.shares is not None:
        tables[WASTE_FILE] = _stops(charges, charges.shares)
    jobs = charges.workload.job_names
    return (
        {file: _with_names(table, jobs) for file, table in tables.items()} if jobs.names else tables
    )


def name_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Columns of the names of jobs whose numbers stand in a table.

    >>> name_columns(EVIDENCE_COLUMNS)
    ('job', 'loser')
    """
    return tuple(name.removesuffix("_id") for name in columns if name.endswith("_id"))


def _with_names(table: Table, jobs: JobIds) -> Table:
    columns, rows = table
    places = [place for place, name in enumerate(columns) if name.endswith("_id")]
    named = (
        [*row, *(jobs.name(number) if isinstance(number := row[at], int) else "" for at in places)]
        for row in rows
    )
    return (*columns, *name_columns(columns)), named


def _of_evidence(charges: Charges) -> dict[str, Table]:
    known = charges.evidence
    if known is None:
        return {}
    if isinstance(known, Rounds):
        read = READ_BID_COLUMNS if known.duration.shape[1] else ()
        return {BIDS_FILE: ((*BID_COLUMNS, *read), _bid_rows(charges, known))}
    if isinstance(known, Readings):
        return {READINGS_FILE: (READING_COLUMNS, _reading_rows(charges, known))}
    planned = PLANNED_COLUMNS if isinstance(known, Pivots) else ()
    columns = (*EVIDENCE_COLUMNS, *planned)
    rows = _loss_rows(charges, losses_of(charges), len(columns))
    tables: dict[str, Table] = {EVIDENCE_FILE: (columns, rows)}
    if isinstance(known, Pivots) and known.starts is not None:
        tables[STARTS_FILE] = START_COLUMNS, _start_rows(charges, known.starts)
    if isinstance(known, Replays):
        tables[REPLAYS_FILE] = REPLAY_COLUMNS, _replay_rows(charges, known)
    return tables


def _loss_rows(charges: Charges, losses: Losses, width: int) -> Iterator[list[object]]:
    """Yield the first `width` cells of a row for each job that loses by a job that pays."""
    job_id = charges.outcome.everybody.tolist()
    columns = (column.tolist() for column in losses)
    for cause, victim, loss, *plans in zip(*columns, strict=True):
        numbers = (number for job in (cause, victim) for number in (job + 1, job_id[job]))
        yield [*numbers, as_text(loss), *map(_known, plans)][:width]


def _start_rows(charges: Charges, starts: Starts) -> Iterator[list[object]]:
    """Yield a row for each start of a job that pays."""
    job_id = charges.outcome.everybody.tolist()
    pays = np.isin(starts.job, charges.outcome.position)
    columns = (column.tolist() for column in starts.of(pays))
    for job, at, held, others, *amounts in zip(*columns, strict=True):
        times = as_text(at), _known(held)
        yield [job + 1, job_id[job], *times, others, *map(_known, amounts)]


def _replay_rows(charges: Charges, replays: Replays) -> Iterator[list[object]]:
    """Yield a row for each job and seed."""
    rows = charges.outcome.position.tolist()
    for job_id, row in zip(charges.workload.job_id.tolist(), rows, strict=True):
        for k, seed in enumerate(replays.seeds):
            amounts = (replays.with_job_by_seed, replays.without_job_by_seed, replays.difference)
            yield [
                job_id,
                seed,
                as_text(replays.begin.item(row)),
                as_text(replays.end.item(row, k)),
                str(replays.recoupled.item(row, k)).lower(),
                replays.count.item(row, k),
                *(as_text(amount.item(row, k)) for amount in amounts),
            ]


def _bid_rows(charges: Charges, rounds: Rounds) -> Iterator[list[object]]:
    """Yield a row for each job."""
    rows, job_id = (charges.outcome.position + 1).tolist(), charges.workload.job_id.tolist()
    columns = (column.tolist() for column in rounds[:3])
    read = [rounds.duration, rounds.setter_duration] if rounds.duration.shape[1] else []
    for place, (others, bid, setter) in enumerate(zip(*columns, strict=True)):
        by = ["", ""] if setter == NOBODY else [rows[setter], job_id[setter]]
        samples = (_samples(each[place]) for each in read)
        yield [rows[place], job_id[place], others, as_text(bid), *by, *samples]


def _reading_rows(charges: Charges, read: Readings) -> Iterator[list[object]]:
    """Yield a row for each start of a job that pays."""
    jobs, starts = charges.outcome, read.starts
    columns = (column.tolist() for column in (*starts, read.worth))
    for place, (job, at, worth) in enumerate(zip(*columns, strict=True)):
        times = as_text(at), _samples(read.duration[place])
        yield [*_named(jobs, job), *times, as_text(worth)]


def _samples(times: Floats) -> str:
    return " ".join(as_text(time) for time in times.tolist() if not math.isnan(time))


def _stops(charges: Charges, shares: Shares) -> Table:
    """Return a row for each stop."""
    rows = _waste_rows(charges, shares)
    if shares.waste.value_lost is None:
        return WASTE_COLUMNS, rows
    return (*WASTE_COLUMNS, *DISPLACEMENT_COLUMNS), map(
        list.__add__, rows, _displaced(charges, shares)
    )


def _waste_rows(charges: Charges, shares: Shares) -> Iterator[list[object]]:
    """Yield what lost work costs at each stop, and whom."""
    parts, waste = charges.parts, shares.waste
    assert parts is not None
    jobs, work = charges.outcome, parts.work
    columns = (waste.job, waste.preempted, waste.cause, _positions(jobs, work.payer))
    units = (work.paid.units, work.borne.units)
    rows = zip(*(column.tolist() for column in (*columns, *units)), work.price, strict=True)
    for place, (job, preempted, cause, payer, paid, borne, price) in enumerate(rows):
        yield [
            *_named(jobs, job),
            PREEMPTED if preempted else "failed",
            as_text(waste.time.item(place)),
            *_named(jobs, cause),
            *(as_text(each.item(place)) for each in (waste.lost, waste.overhead)),
            *(as_text(each.item(place)) for each in (shares.hours, shares.rate)),
            plain(price),
            *_named(jobs, payer),
            plain(amount(paid, work.paid.decimals)),
            plain(amount(borne, work.borne.decimals)),
        ]


def _displaced(charges: Charges, shares: Shares) -> Iterator[list[object]]:
    """Yield what its cause pays for the value lost at each stop, and what of it goes to whom."""
    parts, lost = charges.parts, shares.waste.value_lost
    assert parts is not None
    assert lost is not None
    dues = parts.displaced
    receiver = _positions(charges.outcome, dues.receiver)
    values, units = (lost, shares.value_left), (dues.paid.units, dues.received.units)
    columns = (column.tolist() for column in (*values, *units, receiver))
    for value, left, paid, received, job in zip(*columns, strict=True):
        money = (plain(amount(each, dues.paid.decimals)) for each in (paid, received))
        yield [as_text(value), as_text(left), *money, *_named(charges.outcome, job)]


def _positions(jobs: Outcome, places: Ints) -> Ints:
    """Return positions in the schedule's workload of jobs by place among those that pay."""
    positions: Ints = np.append(jobs.position, NOBODY)[places]
    return positions


def _named(jobs: Outcome, position: int) -> list[object]:
    """Return row and number of a job; nothing for nobody."""
    return ["", ""] if position == NOBODY else [position + 1, int(jobs.everybody[position])]


def _known(value: float) -> str:
    return "" if math.isnan(value) else as_text(value)

"""Counterfactuals that a bill has kept, read back from its files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pricing.counterfactual import Duration, ReplayRule
from pricing.evidence_tables import (
    BID_COLUMNS,
    BIDS_FILE,
    EVIDENCE_COLUMNS,
    EVIDENCE_FILE,
    PLANNED_COLUMNS,
    READ_BID_COLUMNS,
    READING_COLUMNS,
    READINGS_FILE,
    REPLAY_COLUMNS,
    REPLAYS_FILE,
    START_COLUMNS,
    STARTS_FILE,
    name_columns,
)
from pricing.pivots import Losses, Pivots, Starts
from pricing.reader import WorkStarts
from pricing.replays import Replays
from swfx import InputError
from swfx.base.columns import Floats, Ints
from swfx.base.csv_columns import CsvColumns, read_columns

Cell = TypeVar("Cell", bound=np.generic)

BILL_AGAIN = "bill again"


@dataclass(frozen=True, eq=False)
class Recorded:
    """Counterfactual read back from the files of a bill; see `Counterfactual`.

    Attributes
    ----------
    directory : Path
        Of the bill.
    lines : CsvColumns
        Its ``charges.csv``.
    position : ndarray of int64, shape (n,)
        Which jobs of the schedule's workload these lines are for.
    job_id : ndarray of int64, shape (m,)
        Numbers of all jobs of that workload.
    """

    directory: Path
    lines: CsvColumns
    position: Ints
    job_id: Ints

    def pivots(
        self,
        duration: Duration,  # noqa: ARG002 - it was asked once
        searches: int,  # noqa: ARG002
        *,
        reservations: bool,  # noqa: ARG002
        players: str,  # noqa: ARG002
    ) -> Pivots:
        """Return the plans' utilities in ``charges.csv`` and the losses in ``evidence.csv``.

        Where jobs started several times, the utilities are those in ``starts.csv``.

        Raises
        ------
        InputError
            One of them is missing or damaged.
        """
        losses, starts = self._planned_losses(), self._starts()
        if starts is None:
            others = self._spread(self.lines.whole("others"), 0)
            with_job, without_job, error = map(
                self._column, ("with_job", "without_job", "standard_error")
            )
        else:
            others, with_job, without_job, error = starts.by_job(len(self.job_id))
        charge = np.maximum(losses.by_cause(len(self.job_id)), 0.0)
        reserved = self._column("reserved")
        return Pivots(others, with_job, without_job, charge, error, losses, reserved, starts)

    def replays(self, rule: ReplayRule, jobs: Ints) -> Replays:  # noqa: ARG002
        """Return the windows in ``replays.csv`` and the losses in ``evidence.csv``.

        Raises
        ------
        InputError
            One of them is missing or damaged.
        """
        rows = _read(self.directory / REPLAYS_FILE, REPLAY_COLUMNS)
        seeds, table = self._by_seed(rows)
        begin, end, with_job_by_seed, without_job_by_seed, difference = (
            self._spread(rows.numbers(name, float)[table], math.nan)
            for name in ("begin", "end", "with_job", "without_job", "difference")
        )
        same = np.array([text == "true" for text in rows.cells["recoupled"]], np.bool_)
        return Replays(
            "",
            self._draws(),
            seeds,
            begin[:, 0],
            end,
            self._spread(same[table], False),
            self._spread(rows.whole("others")[table], -1),
            with_job_by_seed,
            without_job_by_seed,
            difference,
            self._losses(),
        )

    def starts(self, jobs: Ints) -> WorkStarts:  # noqa: ARG002 - the bill has those of its jobs
        """Return the starts in ``readings.csv``.

        Raises
        ------
        InputError
            It is missing or damaged.
        """
        rows = _read(self.directory / READINGS_FILE, READING_COLUMNS)
        return WorkStarts(self._jobs(rows, "row", "job_id"), rows.numbers("start", float))

    def forecasts(self, jobs: Ints, at: Floats) -> Floats:
        """Return the durations in ``readings.csv`` or ``bids.csv``, not numbers where none is.

        Raises
        ------
        InputError
            The file is missing or damaged.
        """
        known = dict(self._durations())
        samples = max(map(len, known.values()), default=1)
        forecasts = np.full((len(jobs), samples), math.nan)
        for place, question in enumerate(zip(jobs.tolist(), at.tolist(), strict=True)):
            forecasts[place] = known.get(question, math.nan)
        return forecasts

    def _durations(self) -> Iterator[tuple[tuple[int, float], Sequence[float]]]:
        """Yield jobs and instants, and the samples of how long the jobs were then taken to run."""
        if (self.directory / READINGS_FILE).exists():
            rows = _read(self.directory / READINGS_FILE, READING_COLUMNS)
            yield from self._sampled(
                rows, rows.numbers("start", float), "row", "job_id", "duration"
            )
            return
        rows = _read(self.directory / BIDS_FILE, (*BID_COLUMNS, *READ_BID_COLUMNS))
        at = self.lines.numbers("start", float)
        yield from self._sampled(rows, at, *BID_COLUMNS[:2], READ_BID_COLUMNS[0])
        yield from self._sampled(rows, at, *BID_COLUMNS[-2:], READ_BID_COLUMNS[1])

    def _sampled(
        self, rows: CsvColumns, at: Floats, row: str, number: str, name: str
    ) -> Iterator[tuple[tuple[int, float], Sequence[float]]]:
        """Yield the cells of one column that are not empty."""
        forecast = np.flatnonzero([text != "" for text in rows.cells[name]])
        cells = {
            key: [texts[place] for place in forecast.tolist()] for key, texts in rows.cells.items()
        }
        known = CsvColumns(rows.source, rows.digest, rows.line[forecast], cells)
        job, when = self._jobs(known, row, number).tolist(), at[forecast].tolist()
        for place, text in enumerate(cells[name]):
            try:
                yield (job[place], when[place]), [float(sample) for sample in text.split()]
            except ValueError:
                raise known.refusal(place, name, f"{text!r} is no times", BILL_AGAIN) from None

    def _starts(self) -> Starts | None:
        if not (self.directory / STARTS_FILE).exists():
            return None
        rows = _read(self.directory / STARTS_FILE, START_COLUMNS)
        job = self._jobs(rows, "row", "job_id")
        held, with_job, without_job, error = (
            rows.optional(name, math.nan, float)
            for name in ("held", "with_job", "without_job", "standard_error")
        )
        at, others = rows.numbers("start", float), rows.whole("others")
        return Starts(job, at, held, others, with_job, without_job, error)

    def _losses(self) -> Losses:
        rows = _read(self.directory / EVIDENCE_FILE, EVIDENCE_COLUMNS)
        return Losses.whole(*self._pairs(rows), rows.numbers("loss", float), _delays(rows))

    def _planned_losses(self) -> Losses:
        """Return the losses by the plans: what of them is charged is computed anew."""
        rows = _read(self.directory / EVIDENCE_FILE, (*EVIDENCE_COLUMNS, *PLANNED_COLUMNS))
        time, planned, had = (rows.numbers(name, float) for name in PLANNED_COLUMNS)
        return Losses(*self._pairs(rows), planned, _delays(rows), time, planned, had)

    def _pairs(self, rows: CsvColumns) -> tuple[Ints, Ints]:
        """Return causes and victims, by position in the workload."""
        return self._jobs(rows, "row", "job_id"), self._jobs(rows, "loser_row", "loser_id")

    def _jobs(self, rows: CsvColumns, row: str, number: str) -> Ints:
        """Return positions in the workload of jobs given by rows of ``jobs.csv`` and numbers."""
        jobs = rows.whole(row) - 1
        beyond = (jobs < 0) | (jobs >= len(self.job_id))
        if beyond.any():
            raise rows.refusal(int(beyond.argmax()), row, "is no row of jobs.csv", BILL_AGAIN)
        other = self.job_id[jobs] != rows.whole(number)
        if other.any():
            problem = "is not the number of the job in that row of jobs.csv"
            raise rows.refusal(int(other.argmax()), number, problem, BILL_AGAIN)
        return jobs

    def _by_seed(self, rows: CsvColumns) -> tuple[tuple[int, ...], Ints]:
        """Return the seeds, and the row of each job that pays and seed."""
        lines = len(self.position)
        per_job = len(rows) // max(lines, 1)
        if per_job * lines != len(rows) or (lines and not per_job):
            raise InputError(
                f"has {len(rows)} rows for {lines} jobs", source=rows.source, remedy=BILL_AGAIN
            )
        seeds = tuple(int(text) for text in rows.cells["seed"][:per_job])
        return seeds, np.arange(len(rows)).reshape(lines, per_job)

    def _draws(self) -> bool:
        """Say whether the scheduler draws: the charges of one that does not have no error."""
        return any(text != "0" for text in self.lines.cells["standard_error"])

    def _column(self, name: str) -> Floats:
        return self._spread(self.lines.optional(name, math.nan, float), math.nan)

    def _spread(self, values: npt.NDArray[Cell], blank: float) -> npt.NDArray[Cell]:
        """Return values of the jobs that pay by position in the workload."""
        spread = np.full((len(self.job_id), *values.shape[1:]), blank, dtype=values.dtype)
        spread[self.position] = values
        return spread


def _delays(rows: CsvColumns) -> Floats:
    return rows.optional("delay", math.nan, float)


def _read(path: Path, columns: tuple[str, ...]) -> CsvColumns:
    if not path.exists():
        raise InputError(
            "is missing: the bill has no evidence", source=str(path), remedy=BILL_AGAIN
        )
    return read_table(path, columns)


def read_table(path: Path, columns: tuple[str, ...]) -> CsvColumns:
    """Read one of the files of a bill, with names of jobs behind the columns or without.

    Raises
    ------
    InputError
        It cannot be read, or has other columns.
    """
    rows = read_columns(str(path))
    if tuple(rows.cells) not in {columns, (*columns, *name_columns(columns))}:
        raise InputError(
            "has other columns than bills of this version",
            source=str(path),
            remedy=BILL_AGAIN,
        )
    return rows

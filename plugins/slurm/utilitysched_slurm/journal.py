"""Files of a watch: a listing of all runs as of sacct, and what was decided when.

Both files only grow, so that one may be stopped at any moment and go on later.
"""

import csv
import fcntl
import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, NamedTuple, Self

from swfx import InputError
from swfx.accounting.annotations import Annotations
from swfx.base.csv_rows import harmless
from swfx.base.errors import failed
from utilitysched_slurm.queue import Run

LISTING = "sacct.txt"
DECISIONS = "decisions.csv"

COLUMNS = (
    "JobID", "JobIDRaw", "User", "Account", "Partition", "State", "Submit", "Eligible", "Start",
    "End", "ElapsedRaw", "TimelimitRaw", "AllocCPUS", "SubmitLine", "JobName", "Comment",
)  # fmt: skip
"""Of the listing. `Submit` is the first submission, of jobs that waited for others their release;
so is `Eligible`, as to Slurm no job is eligible while this market holds it. `Comment` holds what
the job was taken to be worth."""

_START = COLUMNS.index("Start")

RECENT = 10_000
"""Runs recorded last, of which none is recorded again."""

HEADER = ("time", "queued", "free", "would_start", "would_preempt", "slurm_started", "left")
"""Of the decisions: s, jobs, processors, jobs by their numbers, and reasons with their jobs."""

_SEPARATES = re.compile(r"[|\x00-\x1f\x7f\u2028\u2029\x85]")


class LookNote(NamedTuple):
    """What was decided at a look, and what Slurm had done since the last; see `HEADER`."""

    now: float
    queued: int
    free: int
    starts: tuple[str, ...]
    preempts: tuple[str, ...]
    began: tuple[str, ...]
    left: Mapping[str, int]


class WatchJournal:
    """Files of a watch in a folder, locked against other writers.

    Parameters
    ----------
    folder : Path
        Made if need be; what is there is gone on with.

    Attributes
    ----------
    listing : Path
        Of all runs.
    last : float or None
        When was decided last (s), None if never.

    Raises
    ------
    InputError
        The folder cannot be written, holds other files of these names, or another watch is at it.
    """

    def __init__(self, folder: Path) -> None:
        self.listing = folder / LISTING
        with ExitStack() as opened:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                self._runs = opened.enter_context(grown(self.listing, "|".join(COLUMNS)))
                self._decisions = opened.enter_context(grown(folder / DECISIONS, ",".join(HEADER)))
            except BlockingIOError:
                raise InputError(
                    "a watch or a market is at work here", source=str(folder), remedy="end it first"
                ) from None
            except OSError as error:
                raise failed("cannot be written", error, folder, "name another folder") from error
            self._open = opened.pop_all()
        lines = _lines(self.listing)
        rows = (line.split("|") for line in lines[-RECENT:])
        self._recent = dict.fromkeys((row[0], row[_START]) for row in rows)
        self._count = len(lines)
        self.last = max(_times(folder / DECISIONS), default=None)
        self._before: LookNote | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def __len__(self) -> int:
        return self._count

    def add(self, runs: Iterable[Run]) -> None:
        """Add runs to the listing, each once."""
        for run in runs:
            row = _row(run)
            if (key := (row[0], row[_START])) not in self._recent:
                self._recent[key] = None
                self._count += 1
                self._runs.write("|".join(row) + "\n")
        for key in list(self._recent)[:-RECENT]:
            del self._recent[key]
        keep(self._runs)

    def note(self, decided: LookNote) -> None:
        """Note a decision, if anything is otherwise than at the last look."""
        if self._before is None or decided[1:] != self._before[1:]:
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerow(
                harmless(cell)
                for cell in (
                    f"{decided.now:.3f}",
                    decided.queued,
                    decided.free,
                    *(" ".join(keys) for keys in decided[3:6]),
                    " ".join(f"{why}:{count}" for why, count in sorted(decided.left.items())),
                )
            )
            self._decisions.write(text.getvalue())
            keep(self._decisions)
        self._before = decided


@contextmanager
def grown(path: Path, header: str) -> Iterator[IO[str]]:
    """Open a file to go on with, without a last line that was cut off."""
    with path.open("a+", encoding="utf-8", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        file.seek(0)
        text = file.read()
        whole = text[: text.rfind("\n") + 1]
        if whole and whole.partition("\n")[0] != header:
            raise InputError(
                "is no file of a watch of this version",
                source=str(path),
                remedy="name another folder",
            )
        os.truncate(file.fileno(), len(whole.encode("utf-8")))
        if not whole:
            file.write(header + "\n")
            keep(file)
        yield file


def keep(file: IO[str]) -> None:
    """Have on the disk what was written."""
    file.flush()
    os.fsync(file.fileno())


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[1:-1]


def _times(path: Path) -> list[float]:
    return [float(line.partition(",")[0]) for line in _lines(path)]


def _row(run: Run) -> list[str]:
    job, again = run.seen, "--requeue" if run.seen.rerunnable else "--no-requeue"
    lasted = max(0.0, run.end - job.start)
    cells = (
        job.key,
        str(job.number),
        job.user,
        job.account,
        job.partition,
        run.state,
        date_of(run.job.release),
        date_of(run.job.release),
        date_of(job.start),
        date_of(run.end),
        f"{lasted:.0f}",
        f"{job.limit / 60:.0f}",
        str(job.processors),
        f"sbatch {again}",
        job.name,
        said_as_comment(run.job.said),
    )
    return [_SEPARATES.sub(" ", cell) for cell in cells]


def date_of(time: float) -> str:
    """Return a time (s of Unix time) as sacct writes it."""
    return datetime.fromtimestamp(int(time), UTC).strftime("%Y-%m-%dT%H:%M:%S")


def said_as_comment(annotations: Annotations) -> str:
    """Write annotations as a comment that `swfx.accounting.annotations.read_comment` reads."""
    numbers = {
        "checkpoint": annotations.checkpoint_interval,
        "restart_overhead": annotations.restart_overhead,
        "soft_estimate": annotations.soft_estimate,
        "confidence": annotations.confidence,
    }
    document: dict[str, object] = {key: number for key, number in numbers.items() if number >= 0}
    if annotations.utility is not None:
        points = zip(
            annotations.utility.times.tolist(), annotations.utility.values.tolist(), strict=True
        )
        document["utility"] = [list(point) for point in points]
    return json.dumps(document, separators=(",", ":")) if document else ""

"""Random listings of sacct with awkward things in any place, against what was put in."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from swfx.families.formats.registry import IMPORTERS, Imported

BASE = 1_770_000_000
NEEDED = ("JobID", "Submit", "Start", "End", "AllocCPUS")
NAMES = {
    "User": ("ann", "bob", "cyd"),
    "Account": ("phys", "bio"),
    "Partition": ("cpu", "gpu", "cpu,gpu"),
    "QOS": ("normal", "high"),
}
KINDS = {
    "user": "User",
    "account": "Account",
    "partition": "Partition",
    "qos": "QOS",
    "job_name": "JobName",
    "comment": "Comment",
}
TEXTS = ("JobName", "Comment", "AdminComment", "WorkDir")
JUNK = (
    "slurmdb_conn: error: connection to slurmdbd lost, retrying",
    "sacct: error: slurm_persist_conn_open: Something happened",
    "(3 rows)",
    "# written by our nightly script",
    "----------+-------",
    "[ann@login1 ~]$ sacct -a -P",
    "Welcome to login1",
    "Last login: Mon Jan  5 10:00:00 2026 from 10.0.0.1",
    "4711",
    "cpu",
    "2026-01-01T00:00:00",
)


@dataclass(frozen=True)
class Job:
    """A job as it is put in: its number, times (s) and processors, and texts by column."""

    number: int
    submit: int
    wait: int
    run: int
    processors: int
    texts: dict[str, str] = field(default_factory=dict)

    def cells(self) -> dict[str, str]:
        start = self.submit + self.wait
        return {
            "JobID": str(self.number),
            "Submit": instant(self.submit),
            "Start": instant(start),
            "End": instant(start + self.run),
            "AllocCPUS": str(self.processors),
            "State": "COMPLETED",
            **self.texts,
        }


CLEAR = [
    Job(
        *(0, 0, 0, 60, 1),
        dict.fromkeys(TEXTS, "") | {name: names[n % len(names)] for name, names in NAMES.items()},
    )
    for n in range(max(map(len, NAMES.values())))
]
"""Jobs that name everybody: names of other lines decide between those of a record."""


def instant(time: int) -> str:
    return datetime.fromtimestamp(BASE + time, UTC).strftime("%Y-%m-%dT%H:%M:%S")


@st.composite
def jobs(draw: st.DrawFn, text: st.SearchStrategy[str]) -> list[Job]:
    names = {column: st.sampled_from(names) for column, names in NAMES.items()}
    one = st.builds(
        Job,
        number=st.just(0),
        submit=st.integers(0, 9_999),
        wait=st.integers(0, 9_999),
        run=st.integers(1, 9_999),
        processors=st.integers(1, 99),
        texts=st.fixed_dictionaries({**names, **dict.fromkeys(TEXTS[:-1], text)}).map(
            lambda texts: {**texts, "WorkDir": "/home"}
        ),
    )
    drawn = [*CLEAR, *draw(st.lists(one, min_size=1, max_size=8))]
    return [replace(job, number=number) for number, job in enumerate(drawn, 11)]


@st.composite
def columns(draw: st.DrawFn) -> list[str]:
    others = draw(st.lists(st.sampled_from((*NAMES, *TEXTS, "State")), unique=True))
    return draw(st.permutations([*NEEDED, *others]))


def listing(jobs: list[Job], columns: list[str]) -> list[str]:
    return ["|".join(columns), *("|".join(job.cells()[name] for name in columns) for job in jobs)]


def with_junk(lines: list[str], junk: list[tuple[int, str]]) -> list[str]:
    for place, line in junk:
        lines.insert(place % (len(lines) + 1), line)
    return lines


def read(lines: list[str]) -> Imported:
    return IMPORTERS.make("slurm").read("\n".join((*lines, "")).encode(), "log")


def name_of(text: str, *, first: bool) -> str:
    """Return the name of a text: its first line.

    Of a text in the first column it is the last line: those above may be no part of a record.
    """
    return (text.rpartition("\n")[2] if first else text.partition("\n")[0]).strip()


def check(log: Imported, jobs: list[Job], columns: list[str]) -> list[Job]:
    """Compare what was read with what was put in; return the jobs that were not read.

    Names that users write may be left out where they cannot be told from other texts.
    """
    texts = [name for name in TEXTS if name in columns]
    uncertain = {name: [""] for name in texts if len(texts) > 1}
    workload, left = log.workload, {job.number: job for job in jobs}
    zero = workload.header.unix_start_time - BASE
    for place, number in enumerate(workload.job_id.tolist()):
        job = left.pop(number)
        assert zero + workload.submit[place] == job.submit
        assert (workload.wait[place], workload.run[place]) == (job.wait, job.run)
        assert workload.processors[place] == job.processors
        for kind, column in KINDS.items():
            if column in columns:
                label = workload.labels.of(kind)
                name = label.names.get(int(label.numbers[place]), "")
                wanted = name_of(job.texts[column], first=column == columns[0])
                assert name in {wanted, *uncertain.get(column, ())}, column
    assert log.report.lines_accounted()
    return list(left.values())


PLAIN = st.sampled_from(["", "cfd", "a b", "sbatch", "17"])
junk = st.lists(
    st.tuples(st.integers(0, 99), st.sampled_from(JUNK) | st.text("ab 1#:$-", min_size=1)),
    max_size=6,
)


@given(jobs(PLAIN), columns(), junk)
def test_lines_that_are_no_records_anywhere(
    jobs: list[Job], columns: list[str], junk: list[tuple[int, str]]
) -> None:
    log = read(with_junk(listing(jobs, columns), junk))

    assert not check(log, jobs, columns)
    assert log.report.dropped == sum(bool(line.strip()) for _, line in junk)


PIECES = st.sampled_from(["a", "b c", "cpu", "phys", "bob", "17", "COMPLETED", "2026", "", "4"])
PIPED = st.lists(PIECES, max_size=4).map("|".join)


@given(jobs(PIPED), columns())
def test_separators_in_texts(jobs: list[Job], columns: list[str]) -> None:
    log = read(listing(jobs, columns))

    left = check(log, jobs, columns)
    assert len(left) == log.report.counts().get("ambiguous-separator", 0)
    if sum(name in columns for name in TEXTS) < 2:
        assert not left


BROKEN = st.lists(PIPED, max_size=3).map("\n".join)


@given(jobs(BROKEN), columns(), st.sampled_from(TEXTS[:-1]), junk)
def test_separators_line_breaks_and_junk(
    jobs: list[Job], columns: list[str], text: str, junk: list[tuple[int, str]]
) -> None:
    columns = [name for name in columns if name == text or name not in TEXTS]
    log = read(with_junk("\n".join(listing(jobs, columns)).split("\n"), junk))

    assert len(check(log, jobs, columns)) <= log.report.dropped

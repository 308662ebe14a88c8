"""Importer of sacct's output: golden logs, one for each oddity, and what is refused."""

from __future__ import annotations

import tracemalloc

import pytest

from swfx import InputError, UtilityFunction, open_workload
from swfx.families.formats.registry import IMPORTERS
from swfx.families.formats.slurm import Slurm
from swfx.slurm.table import EXPORT
from tests.conftest import ROOT
from tests.swfx.families.formats.test_golden import FOLDER

NAMES = "JobID|User|Submit|Start|End|State|NCPUS"
JOB = "1|ann|2024-03-01T08:00:00|2024-03-01T08:10:00|2024-03-01T09:00:00|COMPLETED|4"


def export(*lines: str) -> bytes:
    return "\n".join((*lines, "")).encode()


def test_a_log_becomes_a_workload() -> None:
    loaded = open_workload(f"slurm,timezone=Europe/Paris:{FOLDER}/slurm/utilities.txt")

    assert loaded.workload.utility[0] == UtilityFunction([0, 3600], [100, 0])
    assert loaded.workload.checkpoint_interval.tolist() == [900, -1, -1, 900, -1]
    assert loaded.workload.confidence.tolist() == [-1, 0.9, -1, -1, -1]
    assert loaded.workload.header.get("TimeZoneString") == "Europe/Paris"
    assert loaded.workload.header.unix_start_time == 1709276400


def test_jobs_without_a_limit_have_that_of_the_option() -> None:
    limits = (f"{JOB}|UNLIMITED", JOB.replace("1|", "2|", 1) + "|02:00:00")
    data = export(f"{NAMES}|Timelimit", *limits)

    assert IMPORTERS.make("slurm:limit=7d").read(data, "log").workload.request.tolist() == [
        7 * 86_400,
        7_200,
    ]


def test_the_order_of_columns_does_not_matter() -> None:
    plain = Slurm().read(export(NAMES, JOB), "log").workload
    order = [3, 6, 0, 2, 5, 1, 4]

    def shuffled(line: str) -> str:
        cells = line.split("|")
        return "|".join(cells[i] for i in order)

    assert Slurm().read(export(shuffled(NAMES), shuffled(JOB)), "log").workload == plain


def test_parsable_output_with_a_last_separator_and_carriage_returns() -> None:
    plain = Slurm().read(export(NAMES, JOB), "log").workload

    data = export(f"{NAMES}|\r", f"{JOB}|\r").replace(b"JobID", b"\xef\xbb\xbfJobID", 1)
    assert Slurm().read(data, "log").workload == plain


def test_a_sum_of_runs_of_different_sizes_conserves_processor_seconds() -> None:
    first = JOB.replace("08:10:00", "08:00:00").replace("COMPLETED", "PREEMPTED")
    again = JOB.replace("08:10:00", "10:00:00").replace("09:00:00|", "11:00:00|")[:-1] + "8"

    log = IMPORTERS.make("slurm:requeue=sum").read(export(NAMES, first, again), "log")

    assert (log.workload.run.tolist(), log.workload.processors.tolist()) == ([5400], [8])
    assert log.workload.wait.tolist() == [5400]
    assert log.report.counts() == {"size-changed": 1, "earlier-run": 1}


def test_a_start_before_the_submission_counts_as_the_submission() -> None:
    early = JOB.replace("1|ann|2024-03-01T08:00:00", "1|ann|2024-03-01T08:20:00")
    workload, report, _ = Slurm().read(export(NAMES, JOB.replace("1|", "2|", 1), early), "log")

    assert workload.submit.tolist() == [0, 600]
    assert (workload.wait.tolist(), workload.run.tolist()) == ([600, 0], [3000, 3000])
    assert report.counts() == {"start-before-submission": 1}


def waiting(*jobs: tuple[str, str, str, str]) -> dict[int, int]:
    """Preceding job of each job, by number; of jobs as number, submission, end and condition."""
    rows = [
        f"{number}|{place}|ann|2024-03-01T0{submit}:00|2024-03-01T07:00:00|2024-03-01T{end}:00"
        f"|COMPLETED|4|sbatch {condition} a.sh"
        for place, (number, submit, end, condition) in enumerate(jobs, 1)
    ]
    head = "JobID|JobIDRaw|User|Submit|Start|End|State|NCPUS|SubmitLine"
    workload = Slurm().read(export(head, *rows), "log").workload
    return dict(zip(workload.job_id.tolist(), workload.preceding_job.tolist(), strict=True))


def test_jobs_submitted_with_requeue_are_rerunnable() -> None:
    times = "2024-03-01T05:00:00|2024-03-01T07:00:00|2024-03-01T08:00:00|COMPLETED|4|sbatch"
    rows = (f"{n}|{times} {option} a.sh" for n, option in enumerate(("--requeue", "", "-N 1"), 1))
    workload = Slurm().read(export("JobID|Submit|Start|End|State|NCPUS|SubmitLine", *rows), "log")

    assert workload.workload.rerunnable.tolist() == [True, False, False]
    assert workload.workload.extra["rerunnable"].tolist() == [1, -1, -1]


def test_tasks_of_arrays_wait_for_one_task_or_all() -> None:
    tasks = [("100_1", "5:00", "08:00", ""), ("100_2", "5:00", "09:00", "")]

    assert waiting(
        *tasks,
        ("200_1", "6:00", "10:00", "-d aftercorr:100"),
        ("200_2", "6:00", "10:00", "-d aftercorr:100"),
        ("200_3", "6:00", "10:00", "-d aftercorr:100"),
        ("300_1", "6:00", "10:00", "-d afterok:100"),
        ("400", "6:00", "10:00", "-d afterok:100_1"),
    ) == {1: -1, 2: -1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 1}


def test_of_jobs_of_one_number_those_submitted_earlier_are_waited_for() -> None:
    assert waiting(
        ("7", "5:00", "08:00", ""),
        ("7", "6:30", "09:00", ""),
        ("8", "6:00", "10:00", "-d afterok:7"),
        ("9_1", "5:00", "10:00", ""),
        ("9_2", "5:30", "11:00", "-d afterok:9"),
    ) == {1: -1, 2: -1, 3: 1, 4: -1, 5: 4}


def test_names_with_any_bytes_survive() -> None:
    log = Slurm().read(export(NAMES, JOB).replace(b"ann", b"J\xf6rg"), "log")

    assert log.workload.header.names("User") == {1: "J\udcf6rg"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "log: is empty"),
        (b"a\0b", "log: is not text: byte 1 is 0"),
        (
            export("JobID|Start|End|State"),
            "log: columns are missing: Submit, AllocCPUS; export with sacct -a -P -S 2026-01-01",
        ),
        (
            export("JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode"),
            "log: columns are missing: Submit, Start, End or Elapsed or ElapsedRaw; export",
        ),
        (
            export("OldJobID|Submit|Start|End|NCPUS"),
            "log: columns are missing: JobID or JobIDRaw; export",
        ),
        (
            export("JobID|Submit|Start|NCPUS"),
            "log: columns are missing: End or Elapsed or ElapsedRaw; export",
        ),
        (export(JOB), "log:1: no line names the columns of sacct; say which"),
        (
            export("JobID        User     Submit", "------------ -------- ------"),
            "log:1: this is sacct's listing for people; export with sacct -a -P",
        ),
        (
            export(NAMES, JOB.replace("COMPLETED", "RUNNING")),
            "log: no job is left of 1 line (still-running 1)",
        ),
    ],
)
def test_refusals(data: bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        Slurm().read(data, "log")

    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("slurm:timezone=Paris", "no time zone is named 'Paris'"),
        (
            "slurm:requeue=first",
            "slurm: field requeue: 'first' is not a choice; known: each, last, sum",
        ),
        ("slurm:cores_per_node=-1", "slurm: field cores_per_node: "),
        ("slurm:zone=UTC", "field zone: is not a known key; did you mean 'timezone'?"),
    ],
)
def test_options_are_checked(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        IMPORTERS.make(text)

    assert message in str(error.value)


@pytest.mark.parametrize(
    ("ending", "local"), [("", True), ("Z", False), ("+0100", False), (None, False)]
)
def test_a_time_zone_is_asked_for_where_a_date_needs_it(ending: str | None, local: bool) -> None:
    dates = ("2024-03-01T08:00:00", "2024-03-01T08:10:00", "2024-03-01T09:00:00")
    epochs = ("1709280000", "1709280600", "1709283600")
    times = epochs if ending is None else [f"{date}{ending}" for date in dates]
    rows = [f"7|ann|{'|'.join(times)}|COMPLETED|4"]

    log = Slurm().read(export(NAMES, *rows), "log")

    assert log.workload.run.tolist() == [3000]
    assert any("without offset" in note for note in log.report.notes) == local


def run_of_a_number(submit: str, start: str, end: str, state: str, restarts: str = "") -> str:
    return f"7|ann|{submit}|{start}|{end}|{state}|4|{restarts}"


@pytest.mark.parametrize(
    ("again", "jobs"),
    [
        (("2024-03-01T09:00:05", "2024-03-01T10:00:00", "2024-03-01T11:00:00", "COMPLETED"), 1),
        (("2024-03-01T08:00:00", "2024-03-05T10:00:00", "2024-03-05T11:00:00", "COMPLETED"), 1),
        (("2028-03-01T08:00:00", "2028-03-01T10:00:00", "2028-03-01T11:00:00", "COMPLETED"), 2),
        (("2024-03-01T09:00:05", "2024-03-01T10:00:00", "2024-03-01T11:00:00", "FAILED", "0"), 2),
        (("2024-03-01T09:00:05", "2024-03-01T10:00:00", "2024-03-01T11:00:00", "FAILED", "1"), 1),
        (("2028-03-01T08:00:00", "2028-03-01T10:00:00", "2028-03-01T11:00:00", "FAILED", "1"), 2),
    ],
)
def test_a_number_that_comes_again_much_later_is_another_job(
    again: tuple[str, ...], jobs: int
) -> None:
    times = ("2024-03-01T08:00:00", "2024-03-01T08:10:00", "2024-03-01T09:00:00")
    rows = (run_of_a_number(*times, "NODE_FAIL", "0"), run_of_a_number(*again))

    workload, report, _ = Slurm().read(export(f"{NAMES}|Restarts", *rows), "log")

    assert len(workload) == jobs
    assert report.counts().get("number-again", 0) == jobs - 1
    assert workload.wait.max() < 5 * 86_400


@pytest.mark.slow
def test_many_records_take_little_memory() -> None:
    rows = (
        f"{n}|u{n % 90}|2024-03-01T08:00:{n % 60:02}|2024-03-01T08:10:00|2024-03-01T09:00:00"
        f"|COMPLETED|{n % 7 + 1}"
        for n in range(8_000)
    )
    data = (f"{row}\n".encode() for row in (NAMES, *rows))
    Slurm().read(export(NAMES, JOB), "log")
    tracemalloc.start()
    log = Slurm().read_pieces(data, "log")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert len(log.workload) == 8_000
    assert peak < 800 * 8_000  # bytes; one by one the records took 3,400 and their text 140


def test_errors_name_the_command_of_the_documentation() -> None:
    columns = EXPORT.partition("--format=")[2]
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")

    assert f"--format={columns} > sacct.txt" in page
    assert "Eligible" in columns.split(",")


@pytest.mark.parametrize(
    ("resources", "rules"),
    [
        ("cpu=4,mem=1G,gres/gpu=3", {}),
        ("cpu=4;gres/gpu=3", {"unreadable-field": 1}),
        ("cpu=4 gres/gpu=3", {"unreadable-field": 1}),
        ("cpu=1O,gres/gpu=3", {"unreadable-field": 1}),
        ("cpu=,gres/gpu=3", {"unreadable-field": 1}),
        ("cpu=4,energy=5,gres/gpu=3", {}),
        ("cpu=4,energy=18446744073709551614", {}),
        ("cpu=4,energy=5;gres/gpu=3", {"unreadable-field": 1}),
    ],
)
def test_resources_that_are_lost_are_listed(resources: str, rules: dict[str, int]) -> None:
    names = f"{NAMES}|AllocTRES|ConsumedEnergyRaw"
    log = Slurm().read(export(names, f"{JOB}|{resources}|7", f"2{JOB[1:]}|cpu=4|7"), "log")

    assert log.report.counts("repaired") == rules
    assert "tres/cpu" not in log.workload.extra

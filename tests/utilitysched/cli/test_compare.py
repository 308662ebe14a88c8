from __future__ import annotations

from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command, refused

GA = "ga:population=4,generations=2"
HEADER = """\
job_id,submission_time,requested_number_of_resources,requested_time,success,starting_time,execution_time
"""


def test_it_prints_tables_and_keeps_nothing(
    command: Command, log: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()

    answer = command("compare", "easy", "fcfs", GA, "-w", log, "--seeds", 3, "--processes", 1)

    assert answer.code == 0
    assert answer.err == ""
    assert f"easy and fcfs and {GA}: aggregate utility" in answer.out
    assert [line.split()[:2] for line in answer.out.splitlines() if line.startswith("fcfs")][2] == [
        "fcfs",
        "3",
    ]
    assert list((tmp_path / "temporary").iterdir()) == []


def test_it_uses_a_store(command: Command, log: Path, tmp_path: Path) -> None:
    words = ("compare", "easy", "fcfs", "-w", log, "--seeds", 2, "--processes", 1)
    first = command(*words, "--store", tmp_path / "store")

    second = command(*words, "--store", tmp_path / "store")

    assert second.err == f"4 of 4 simulations in {tmp_path / 'store'} already\n"
    assert second.out == first.out == command(*words).out


def test_a_log_of_another_format_is_known_by_its_bytes(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("compare", "easy", "fcfs", "-w", "jobs-csv:jobs", "--machine-size", 8, "--seeds", 1)
    for jobs in (4, 5):
        lines = [f"{job},{10 * job},4,200,1,{10 * job},100\n" for job in range(jobs)]
        (tmp_path / "jobs").write_text(HEADER + "".join(lines))
        answer = command(*words, "--processes", 1, "--store", tmp_path / "store")
        assert answer.code == 0, answer.err
        assert "already" not in answer.err


def test_slices_are_pairs_and_metrics_are_chosen(command: Command, log: Path) -> None:
    answer = command(
        *("compare", "easy", "fcfs", "-w", log, "--jobs", "0:30", "--jobs", "30:60"),
        *("--seeds", 1, "--metric", "wait_p9*", "--processes", 1),
    )

    assert "easy and fcfs: wait, 98%" in answer.out
    assert ": means over the pairs" not in answer.out
    assert [line.split()[:2] for line in answer.out.splitlines() if line[:4] == "fcfs"] == [
        ["fcfs", "?"],
        ["fcfs", "2"],
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("easy",), "field A B: needs two schedulers or more; such as: easy ga"),
        (("easy", "easy"), "A B...: is named twice"),
        (("easy", "fcsf"), "unknown scheduler 'fcsf'; did you mean 'fcfs'?"),
        (("easy", "fcfs", "-w", "-"), "standard input can be read only once"),
        (("easy", "fcfs", "-w", "no.swf"), "no.swf: no such file"),
        (("easy", "fcfs", "-m", "wait"), "no metric is named 'wait'; did you"),
        (("easy", "fcfs", "--jobs", "5"), "'5' is not A:B"),
        (("easy", "fcfs", "--utilities", "facter=2"), "field facter: is not a known key"),
        (("easy", "fcfs", "--apply", "acurate"), "unknown transformation 'acurate'"),
        (("easy", "fcfs", "--seeds", "0"), "0 is out of range; give 1 or more"),
    ],
)
def test_what_cannot_be_used_is_refused(
    words: tuple[str, ...], said: str, command: Command
) -> None:
    answer = command("compare", *words)

    refused(answer, said)


def test_failures_can_be_compared(command: Command, market: Path) -> None:
    found = command(
        *("compare", "easy", "saf", "--workload", market, "--seeds", "2", "--processes", "1"),
        *("--preemption", "scratch=true", "--failures", "nodes=8,mtbf=1h,repair=1min"),
        *("--metric", "failures", "--metric", "wait_mean"),
    )

    assert "failures of running jobs" in found.out

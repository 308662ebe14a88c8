"""`utilitysched convert` of several logs into one, as the transformation `merge` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from swfx import Header, open_workload, write
from tests.utilitysched.cli.conftest import Command, refused
from tests.utilitysched.small import plain_workload


@pytest.fixture
def logs(tmp_path: Path) -> list[str]:
    """Three logs of the same jobs, each begun a day after the one before; the last one is wider."""
    paths = []
    for day, name in enumerate("abc"):
        header = Header((f" MaxProcs: {64 * (1 + day)}", f" UnixStartTime: {86_400 * (1 + day)}"))
        paths.append(str(tmp_path / f"{name}.swf"))
        write(plain_workload().replace(header=header), paths[-1])
    return paths


def test_clocks_numbers_users_and_machines_of_three_logs(
    command: Command, logs: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "all.swf"

    answer = command("convert", *logs, "-o", out)

    one, both = open_workload(logs[0]).workload, open_workload(str(out)).workload
    assert answer.code == 0, answer.err
    assert len(both) == 3 * len(one)
    assert both.header.unix_start_time == 86_400
    assert both.machine_size == 192
    assert len(set(both.job_id.tolist())) == len(both)
    assert len(set(both.user.tolist())) == 3 * len(set(one.user.tolist()))
    days = sorted([*one.submit, *(one.submit + 86_400), *(one.submit + 2 * 86_400)])
    assert both.submit.tolist() == days


def test_it_does_what_the_transformation_does(
    command: Command, logs: list[str], tmp_path: Path
) -> None:
    merged, converted = tmp_path / "merged.swf", tmp_path / "converted.swf"
    options = "clocks=first,machine=sum,users=same"

    command("convert", *logs[:2], "-o", merged, *("--clocks", "first", "--machine", "sum"),
            *("--users", "same"))  # fmt: skip
    command("convert", logs[0], "-o", converted, "--apply", f"merge:log={logs[1]},{options}")

    same = [line for line in converted.read_text().splitlines() if "Transformation" not in line]
    assert [
        line for line in merged.read_text().splitlines() if "Transformation" not in line
    ] == same


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["{a}", "--users", "same"], "error: --users needs MORE... (a second log to merge)\n"),
        (["{a}", "{a}", "--jobs", "0:9"], "--jobs and --machine-size are for one log"),
        (["{a}", "{a}", "--users", "apar"], "did you mean 'apart'?"),
        (["{a}", "{undated}"], "one of the logs does not say when it began; give clocks=first\n"),
    ],
    ids=["one log", "a part", "unknown choice", "no date"],
)
def test_refusals(
    command: Command, logs: list[str], tmp_path: Path, words: list[str], told: str
) -> None:
    out, undated = tmp_path / "out.swf", tmp_path / "undated.swf"
    write(plain_workload().replace(header=Header((" MaxProcs: 64",))), undated)

    answer = command("convert", *(w.format(a=logs[0], undated=undated) for w in words), "-o", out)

    refused(answer, told)
    assert not out.exists()


def test_none_of_the_logs_is_overwritten(command: Command, logs: list[str]) -> None:
    answer = command("convert", *logs, "-o", logs[1])

    assert answer.code == 2
    assert answer.err == f"error: {logs[1]}: is the file that is read; give -o another name\n"

"""`utilitysched describe --curves`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command, refused


@pytest.mark.parametrize(
    "choice",
    [
        [],
        ["--job", 1, "--job", 2],
        ["--queue", 1, "--queue", 2],
        ["--user", 1, "--size", "1:1", "--size", "2:6"],
    ],
)
def test_curves_are_drawn(
    choice: list[object], command: Command, market: Path, tmp_path: Path
) -> None:
    out = tmp_path / "curves.svg"

    answer = command("describe", market, "--curves", out, *choice)
    assert (answer.code, answer.out, answer.err) == (0, "", f"wrote {out}\n")
    assert out.read_bytes().startswith(b"<svg")


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (["--job", "99"], "error: no job has the number 99; numbers go from 1 to 60"),
        (["--queue", "9"], "no job has the queue '9'; known: 1, 2, 3"),
        (["--job", "1", "--user", "1"], "--job draws single jobs, the others draw classes"),
        (["--size", "9:1"], "'9:1' is not A:B, numbers of processors such as 1:16"),
        (["--size", "3"], "'3' is not A:B, numbers of processors such as 1:16"),
    ],
)
def test_jobs_that_are_not_there_are_refused(
    choice: list[str], message: str, command: Command, market: Path, tmp_path: Path
) -> None:
    answer = command("describe", market, "--curves", tmp_path / "o.pdf", *choice)

    refused(answer, message)
    assert not (tmp_path / "o.pdf").exists()


def test_a_log_without_utility_functions_has_no_curves(
    command: Command, log: Path, tmp_path: Path
) -> None:
    answer = command("describe", log, "--curves", tmp_path / "o.pdf")

    refused(answer, "no job has a utility function with a start value; draw some with")


def test_an_unknown_format_is_refused_before_the_log_is_read(
    command: Command, tmp_path: Path
) -> None:
    answer = command("describe", tmp_path / "none.swf", "--curves", tmp_path / "o.jpg")

    assert (
        answer.err
        == "error: figures are not saved as 'jpg'; did you mean 'png'? known: pdf, png, svg\n"
    )

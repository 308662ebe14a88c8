"""`utilitysched describe --accuracy`: figures of the log beside LEE's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import swfx
from tests.utilitysched.analysis.surveyed import surveyed
from tests.utilitysched.cli.conftest import Command
from tests.utilitysched.small import JOBS
from utilitysched.analysis.estimates import study


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """A log with soft estimates."""
    jobs = surveyed().replace(processors=[1] * 10, requested_processors=[1] * 10, submit=range(10))
    path = tmp_path / "survey.swfx"
    swfx.write(jobs.replace(header=jobs.header.with_value("MaxProcs", 8)), path)
    return path


def test_json_is_the_study(command: Command, survey: Path) -> None:
    answer = command("describe", survey, "--accuracy", "--json")

    assert answer.code == 0
    assert json.loads(answer.out) == json.loads(json.dumps(study(surveyed()).to_dict()))


def test_the_log_stands_beside_lee(command: Command, survey: Path) -> None:
    lines = command("describe", survey, "--accuracy").out.splitlines()

    cells = {line[:32].strip(): line[32:].split() for line in lines}
    assert cells["in the log"] == ["10", "7"]
    assert cells["request below 1,200 s"] == ["1", "1"]
    assert cells["judged"] == ["7", "4"]
    assert cells["with a soft estimate"] == ["4", "52.3", "61", "54.7", "57"]
    assert cells["below the request"] == ["2", "54.7", "68", "59.3", "60"]
    assert cells["the same as the request"] == ["2", "50.0", "55", "50.0", "55"]


def test_answers_from_a_file(command: Command, log: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.csv"
    answers.write_text("job,soft_estimate,confidence\n1,30,5\n")

    answer = command(
        "describe", log, "--accuracy", "--least-request", 0, "--soft-estimates", answers
    )

    assert answer.err == f"1 of {JOBS} jobs have a soft estimate\n"
    assert "PADDING OF REQUESTS" in answer.out
    assert "CONFIDENCE" in answer.out


def test_without_answers_it_says_how_to_get_them(command: Command, log: Path) -> None:
    answer = command("describe", log, "--accuracy", "--least-request", 0)

    assert answer.code == 0
    assert "no soft estimates: attach answers with --soft-estimates FILE" in answer.out
    assert "PADDING" not in answer.out


def test_the_page_says_first_what_was_found(command: Command, survey: Path, tmp_path: Path) -> None:
    answer = command("describe", survey, "--accuracy", "-o", tmp_path / "page.html")

    page = (tmp_path / "page.html").read_text("utf-8")
    assert answer.err.endswith(f"wrote {tmp_path / 'page.html'}\n")
    assert "<li>Requests of 7 jobs were wrong by " in page
    for title in ("Jobs judged", "Use of requests", "Inaccuracy", "Padding", "Confidence", "Users"):
        assert f">{title}" in page

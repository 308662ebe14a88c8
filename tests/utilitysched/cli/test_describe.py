"""`utilitysched describe`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import swfx
from swfx.reading.streaming import CHUNK
from tests.utilitysched.cli.conftest import Command
from tests.utilitysched.small import JOBS, plain_workload


def test_the_terminal(command: Command, market: Path) -> None:
    answer = command("describe", market)

    assert answer.code == 0
    titles = [line for line in answer.out.splitlines() if line.isupper()]
    assert titles[:3] == ["JOBS IN NUMBERS", "SIZES", "RUN TIMES"]
    assert "UTILITY FUNCTIONS" in titles
    assert max(map(len, answer.out.splitlines())) <= 100
    assert answer.err == ""


def test_json(command: Command, log: Path) -> None:
    document = json.loads(command("describe", log, "--json").out)

    assert document["workload"] == str(log)
    assert document["overview"]["jobs"] == JOBS
    assert sum(row["jobs"] for row in document["sizes"]) == JOBS


def test_a_page(command: Command, log: Path, tmp_path: Path) -> None:
    answer = command("describe", log, "-o", tmp_path / "page.html")
    again = command("describe", log, "-o", "-")

    assert (answer.out, answer.err) == ("", f"wrote {tmp_path / 'page.html'}\n")
    assert (tmp_path / "page.html").read_text("utf-8") == again.out
    assert again.out.startswith("<!DOCTYPE html>")


def test_the_log_may_be_longer_than_a_part(command: Command, tmp_path: Path) -> None:
    jobs = 3 * CHUNK // 2
    long = plain_workload()[np.arange(jobs) % JOBS]
    swfx.write(long, tmp_path / "long.swf")
    document = json.loads(command("describe", tmp_path / "long.swf", "--json").out)

    assert document["overview"]["jobs"] == jobs


def test_a_broken_line_is_refused(command: Command, tmp_path: Path) -> None:
    (tmp_path / "log.swf").write_text("1 0 -1 x\n")
    answer = command("describe", tmp_path / "log.swf", "-o", tmp_path / "page.html")

    assert answer.code == 2
    assert answer.err.startswith(f"error: {tmp_path / 'log.swf'}:1: ")
    assert not (tmp_path / "page.html").exists()

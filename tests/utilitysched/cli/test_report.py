"""`utilitysched report`."""

from __future__ import annotations

from pathlib import Path

from tests.utilitysched.cli.conftest import Command


def simulated(command: Command, market: Path, folder: Path) -> Path:
    runs = folder / "runs"
    command("simulate", market, "-s", "easy", "-s", "saf", "--out", runs)
    return runs


def test_all_runs_of_a_directory_are_shown(command: Command, market: Path, tmp_path: Path) -> None:
    runs = simulated(command, market, tmp_path)
    page = tmp_path / "page.html"

    answer = command("report", runs, "-o", page)

    assert (answer.code, answer.out) == (0, "")
    assert answer.err == f"wrote {page}\n"
    assert "<h1>easy, saf on market.swfx</h1>" in page.read_text("utf-8")


def test_runs_are_shown_in_the_order_given_on_standard_output(
    command: Command, market: Path, tmp_path: Path
) -> None:
    runs = simulated(command, market, tmp_path)

    answer = command("report", runs / "saf", runs / "easy", "-o", "-")

    assert answer.err == ""
    assert answer.out.startswith("<!DOCTYPE html>\n")
    assert "<h1>saf, easy on market.swfx</h1>" in answer.out


def test_what_cannot_be_reported_is_one_line(
    command: Command, market: Path, tmp_path: Path
) -> None:
    runs = simulated(command, market, tmp_path)

    nothing = command("report", tmp_path, "-o", tmp_path / "page.html")
    nowhere = command("report", runs, "-o", tmp_path / "none" / "page.html")

    assert (nothing.code, nowhere.code) == (2, 2)
    assert nothing.err == (
        f"error: {tmp_path}: holds no run; "
        "make one with: utilitysched simulate WORKLOAD --out DIR\n"
    )
    assert nowhere.err.startswith(f"error: {tmp_path / 'none' / 'page.html'}: cannot be written")
    assert not (tmp_path / "page.html").exists()

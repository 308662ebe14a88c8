"""`utilitysched report`: pages and figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.utilitysched.cli.conftest import Command


@pytest.fixture
def results(command: Command, market: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    command("simulate", market, "-s", "easy", "-s", "saf", "--out", folder)
    return folder


def test_all_runs_of_a_directory_are_shown(command: Command, results: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    answer = command("report", results, "-o", page)

    assert (answer.code, answer.out) == (0, "")
    assert answer.err == f"wrote {page}\n"
    assert "<h1>easy, saf on market.swfx</h1>" in page.read_text("utf-8")


def test_runs_are_shown_in_the_order_given_on_standard_output(
    command: Command, results: Path, tmp_path: Path
) -> None:

    answer = command("report", results / "saf", results / "easy", "-o", "-")

    assert answer.err == ""
    assert answer.out.startswith("<!DOCTYPE html>\n")
    assert "<h1>saf, easy on market.swfx</h1>" in answer.out


def test_what_cannot_be_reported_is_one_line(
    command: Command, results: Path, tmp_path: Path
) -> None:

    nothing = command("report", tmp_path, "-o", tmp_path / "page.html")
    nowhere = command("report", results, "-o", tmp_path / "none" / "page.html")

    assert (nothing.code, nowhere.code) == (2, 2)
    assert nothing.err == (
        f"error: {tmp_path}: holds no run; "
        "make one with: utilitysched simulate WORKLOAD --out DIR\n"
    )
    assert nowhere.err.startswith(f"error: {tmp_path / 'none' / 'page.html'}: cannot be written")
    assert not (tmp_path / "page.html").exists()


def test_all_figures_there_are_data_for(command: Command, results: Path, tmp_path: Path) -> None:
    answer = command("report", results, "--figures", tmp_path / "drawn")

    assert answer.code == 0
    assert answer.out == ""
    names = sorted(path.name for path in (tmp_path / "drawn").iterdir())
    assert names == [
        "comparison.pdf",
        "demand.pdf",
        "fairness.pdf",
        "gantt-easy.pdf",
        "gantt-saf.pdf",
        "queue.pdf",
        "shares.pdf",
        "users.pdf",
        "utilisation.pdf",
        "utility.pdf",
        "waits.pdf",
    ]
    *left_out, wrote = answer.err.splitlines()[-5:]
    assert left_out[0].startswith(f"left out charges-easy: {results / 'easy'}: holds no bill")
    assert left_out[2] == "left out weekly: all jobs were submitted in one week"
    assert wrote.startswith("wrote gantt-easy, gantt-saf, utilisation, ")
    assert wrote.endswith(f", comparison as pdf in {tmp_path / 'drawn'}")


def test_some_figures_in_some_formats(command: Command, results: Path, tmp_path: Path) -> None:
    command("bill", results / "easy")
    out = tmp_path / "drawn"
    options = ["--only", "charges,waits", "--format", "svg", "--format", "png", "--wide"]

    answer = command("report", results / "easy", "--figures", out, *options)
    assert answer.err.splitlines()[-1] == f"wrote charges, waits as svg, png in {out}"
    names = {path.name for path in out.iterdir()}
    assert names == {"charges.svg", "charges.png", "waits.svg", "waits.png"}
    assert (out / "waits.svg").read_bytes().startswith(b"<svg")
    assert (out / "waits.png").read_bytes().startswith(b"\x89PNG")


def test_a_figure_that_was_asked_for_by_name_is_not_left_out(
    command: Command, results: Path, tmp_path: Path
) -> None:
    answer = command("report", results / "easy", "--figures", tmp_path / "o", "--only", "charges")

    assert answer.code == 2
    assert answer.err.splitlines()[-1] == (
        f"error: {results / 'easy'}: holds no bill; "
        f"make one with: utilitysched bill {results / 'easy'}"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "wait"], "error: no figure is named 'wait'; did you mean 'waits'?"),
        (["--format", "gif"], "error: figures are not saved as 'gif'; known: pdf, png, svg"),
        (
            ["--only", "queue", "--from", "2000-03-32"],
            "error: --from: '2000-03-32' is neither",
        ),
        (["--only", "queue", "--to", "-9"], "error: nothing happens between 0 and -9 s; the runs"),
        (["--only", "comparison", "--baseline", "sav"], "error: --baseline: no run is of"),
    ],
)
def test_what_is_not_known_is_refused(
    options: list[str], message: str, command: Command, results: Path, tmp_path: Path
) -> None:
    answer = command("report", results, "--figures", tmp_path / "o", *options)

    assert answer.code == 2
    assert answer.err.splitlines()[-1].startswith(message)


def test_a_window_of_time_is_given_by_seconds_and_dates(
    command: Command, results: Path, tmp_path: Path
) -> None:
    out = tmp_path / "drawn"
    for begin, end in ((60, 1200), ("2000-04-01T00:01", "2000-04-01T00:20")):
        command(
            "report",
            results,
            "--figures",
            out / str(begin),
            "--only",
            "queue",
            "--from",
            begin,
            "--to",
            end,
        )

    first, second = (path.read_bytes() for path in out.glob("*/queue.pdf"))
    assert first == second


def test_options_of_figures_need_figures(command: Command, results: Path) -> None:
    answer = command("report", results, "--wide")

    assert (answer.code, answer.err) == (2, "error: --wide needs --figures FOLDER\n")


def test_the_help_names_every_figure(command: Command) -> None:
    from utilitysched.report.charts.catalogue import NAMES

    text = command("report", "--help").out
    assert [name for name in NAMES if name not in text] == []

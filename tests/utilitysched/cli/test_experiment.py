from __future__ import annotations

from pathlib import Path

from tests.utilitysched.cli.conftest import Command
from tests.utilitysched.experiments.small import HALF_FAILS, SIMULATIONS, SMALL, small_file


def run(command: Command, file: Path, *more: object) -> tuple[int, str, str]:
    return command("experiment", "run", file, "--processes", 1, *more)


def test_it_runs_reports_and_says_where(command: Command, tmp_path: Path) -> None:
    file = small_file(tmp_path)

    answer = run(command, file)

    out = tmp_path / "small.store" / "small"
    assert answer.code == 0
    assert "small: all schedulers, beside easy" in answer.out
    assert answer.err.endswith(f"wrote to {out}: results.csv\n")
    assert sorted(path.name for path in out.iterdir()) == ["results.csv"]


def test_a_page_has_verdicts_and_all_runs(command: Command, tmp_path: Path) -> None:
    page = tmp_path / "small.html"

    answer = run(command, small_file(tmp_path), "--page", page)

    text = page.read_text("utf-8")
    assert f"wrote {page}\n" in answer[2]
    assert '<ul class="lead"><li>Aggregate utility: no certain winner; ' in text
    assert "a test needs at least 3 workloads: 2 here." in text
    assert ">Aggregate utility beside easy</h2>" in text
    runs = text[text.index('id="runs"') :]
    assert runs[: runs.index("</table>")].count("<tr>") == 1 + SIMULATIONS
    assert 'class="sortable"' in runs


def test_every_table_is_printed_where_it_is_asked_for(command: Command, tmp_path: Path) -> None:
    file = small_file(tmp_path)
    short = run(command, file)

    whole = command("experiment", "report", file, "--full")

    assert "small: aggregate utility" not in short.out
    assert "small: aggregate utility" in whole.out
    assert "small: means over the pairs" in whole.out
    assert whole.out.startswith("Aggregate utility: no certain winner; ")


def test_a_second_time_it_runs_nothing(command: Command, tmp_path: Path) -> None:
    file = small_file(tmp_path)
    first = run(command, file)

    second = run(command, file)

    store = tmp_path / "small.store"
    assert second.out == first.out
    assert second.err.startswith(f"{SIMULATIONS} of {SIMULATIONS} simulations in {store} already")


def test_the_status_counts(command: Command, tmp_path: Path) -> None:
    file = small_file(tmp_path)

    before = command("experiment", "status", file)
    run(command, file)
    after = command("experiment", "status", file)

    assert before.out.startswith("0 of 16 simulations finished\n  easy: 0 of 4\n")
    assert after.out == (
        "16 of 16 simulations finished\n  easy: 4 of 4\n  fcfs: 4 of 4\n"
        "  ga:population=4,generations=2: 8 of 8\n"
    )
    assert not (tmp_path / "nowhere").exists()


def test_a_report_of_nothing_is_refused(command: Command, tmp_path: Path) -> None:
    answer = command("experiment", "report", small_file(tmp_path), "--store", tmp_path / "s")

    assert answer.code == 2
    assert answer.err == (
        f"error: {tmp_path / 's'}: holds no result of this experiment; "
        "run it: utilitysched experiment run FILE\n"
    )
    assert not (tmp_path / "s").exists()


def test_a_report_of_some_says_so_and_writes_no_results(command: Command, tmp_path: Path) -> None:
    file = small_file(tmp_path)
    run(command, file)
    small_file(tmp_path, SMALL.replace("[1, 2]", "[1, 2, 3]"))

    answer = command("experiment", "report", file)

    assert answer.code == 0
    assert "16 of 24 results: those missing are left out" in answer.err
    assert answer.err.endswith("wrote no results.csv: it holds whole grids only\n")
    assert not list((tmp_path / "small.store" / "small").glob("results.*"))
    assert "small: all schedulers, beside easy" in answer.out


def test_tables_and_plots_are_written(command: Command, tmp_path: Path) -> None:
    wanted = '[report]\ntables = ["csv", "markdown", "latex"]\nplots = ["ratio", "box", '
    wanted += '"pareto", "correlation"]\nplot_formats = ["svg"]'
    text = SMALL.replace("[report]", wanted)

    answer = run(command, small_file(tmp_path, text))

    assert answer.out == ""
    out = tmp_path / "small.store" / "small"
    assert sorted(path.name for path in out.iterdir()) == [
        "box-aggregate_utility.svg",
        "box-wait_mean.svg",
        "comparisons.csv",
        "correlation.svg",
        "pareto-aggregate_utility-wait_mean.svg",
        "ratio-aggregate_utility.svg",
        "ratio-wait_mean.svg",
        "results.csv",
        "tables.md",
        "tables.tex",
    ]


def test_plots_of_several_places_say_where_they_hold(command: Command, tmp_path: Path) -> None:
    wanted = '[report]\nseparate = ["jobs"]\nplots = ["ratio"]\nplot_formats = ["svg"]\n'
    text = SMALL.replace("[report]", wanted).replace('"wait_mean"', '"jobs_starved"')

    answer = run(command, small_file(tmp_path, text))

    out = tmp_path / "small.store" / "small"
    assert sorted(path.name for path in out.glob("*.svg")) == [
        "ratio-aggregate_utility-0-20.svg",
        "ratio-aggregate_utility-20-40.svg",
    ]
    assert (
        "not drawn: ratio-jobs_starved-0-20, since no scheduler has a ratio to easy\n" in answer.err
    )


def test_a_simulation_that_fails_is_named_and_the_others_are_kept(
    command: Command, tmp_path: Path
) -> None:
    file = small_file(tmp_path, HALF_FAILS)

    answer = run(command, file)

    assert answer.code == 2
    lines = answer.err.splitlines()
    where = "model:lublin,jobs=40,machine_size=64,seed=3 0:20 filter:user=9999"
    assert lines[0].startswith(f"easy seed 0 on {where} default")
    assert lines[-2] == "and 3 more"
    assert lines[-1] == (
        "error: 8 of 16 simulations failed; "
        "the others are kept; correct the experiment and run it again"
    )
    assert "8 of 16 simulations finished" in command("experiment", "status", file).out


def test_a_mistake_in_the_file_is_refused_in_one_line(command: Command, tmp_path: Path) -> None:
    file = small_file(tmp_path, SMALL.replace('"fcfs"', '"fcsf"'))

    answer = run(command, file)

    assert answer.code == 2
    assert answer.err.startswith(
        f"error: {file}:8: field schedulers.names[1]: unknown scheduler 'fcsf'; did you mean 'fcfs'"
    )
    assert answer.err.count("\n") == 1


def test_schedules_are_charged_where_prices_are_asked_for(command: Command, tmp_path: Path) -> None:
    file = small_file(tmp_path)
    run(command, file)
    small_file(tmp_path, SMALL + '[prices]\nmechanisms = ["single-price", "vcg"]\n')

    answer = run(command, file)

    out = tmp_path / "small.store" / "small"
    assert answer.code == 0
    assert answer.err.startswith(f"{SIMULATIONS} of {3 * SIMULATIONS} results in ")
    assert "small: bills" in answer.out
    lines = (out / "bills.csv").read_text("utf-8").splitlines()
    assert len(lines) == 1 + 2 * SIMULATIONS
    assert command("experiment", "report", file).out == answer.out


def test_schedules_are_audited_where_that_is_asked_for(command: Command, tmp_path: Path) -> None:
    audit = '[audit]\nmechanisms = ["single-price"]\njobs = 3\nlies = ["scale"]\n'
    text = SMALL.replace('"easy", "fcfs", "ga:population=4,generations=2"', '"easy"') + audit

    answer = run(command, small_file(tmp_path, text))

    lines = (tmp_path / "small.store" / "small" / "audits.csv").read_text("utf-8").splitlines()
    assert answer.code == 0
    assert "small: gains from misreports" in answer.out
    # easy does not look at values: nothing is gained by misreports of them
    assert "0.00 [0.00, 0.00]" in answer.out.splitlines()[-6]
    assert len(lines) == 1 + 4

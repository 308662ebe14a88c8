"""Everything a user can do wrong: one line, exit code 2, no traceback, nothing half-written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.swfx.malformed import MALFORMED, Malformed
from tests.utilitysched.cli.conftest import Answer, Command, refused


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.name)
@pytest.mark.parametrize("words", [["check"], ["simulate", "--out", "runs"]], ids=lambda w: w[0])
def test_malformed_files(
    command: Command,
    case: Malformed,
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = case.write_to(tmp_path)

    answer = command(words[0], path, *words[1:])
    told = case.expected(path).replace("`machine_size`", "--machine-size")
    assert answer == Answer(2, "", f"error: {told}\n")
    assert list(tmp_path.iterdir()) == [path]


WORKLOAD_OPTIONS = [
    (["--jobs", "5"], ["--jobs", "'5' is not A:B"]),
    (["--jobs", "9:9"], ["--jobs", "A must be below B"]),
    (["--jobs", "5000:5001"], ["5000:5001 select none of 60 job lines"]),
    (["--machine-size", "0"], ["--machine-size", "0"]),
    (["--machine-size", "many"], ["--machine-size", "'many' is not a whole number"]),
    (["--no-such-option"], ["no such option: --no-such-option"]),
]


@pytest.mark.parametrize(("options", "parts"), WORKLOAD_OPTIONS, ids=" ".join)
@pytest.mark.parametrize("verb", ["simulate", "check", "augment"])
def test_options_of_every_workload(
    command: Command, market: Path, verb: str, options: list[str], parts: list[str], tmp_path: Path
) -> None:
    out = ["-o", tmp_path / "out.swfx"] if verb == "augment" else []

    refused(command(verb, market, *options, *out), *parts)
    assert not (tmp_path / "out.swfx").exists()


SIMULATE_OPTIONS = [
    (["-s", "eazy"], ["unknown scheduler 'eazy'", "did you mean 'easy'?"]),
    (["-s", ""], ["unknown scheduler ''"]),
    (["-s", "saf:placment=none"], ["field placment", "did you mean 'placement'?"]),
    (["-s", "saf:placement=eazy"], ["field placement", "unknown placement 'eazy'", "'easy'"]),
    (["-s", "saf:placement"], ["'placement' is not of the form key=value"]),
    (["-s", "ga:population=0"], ["population"]),
    (["-s", "easy", "-s", "easy"], ["--scheduler", "'easy' is named twice"]),
    (["--utilities", "facter=2"], ["field facter", "did you mean 'factor'?"]),
    (["--utilities", "factor=0"], ["field factor"]),
    (["--utilities", "factor"], ["'factor' is not of the form key=value"]),
    (["--seed", "-1"], ["--seed", "-1 is out of range; give 0 or more"]),
    (["--seed", "9" * 19], ["--seed", "is out of range; give at most 9223372036854775807"]),
    (["--apply", "scale-lod"], ["unknown transformation 'scale-lod'", "'scale-load'"]),
    (["--apply", "scale-load:load=0"], ["scale-load: field load: 0 is not above 0"]),
    (["--apply", "filter:run=9999.."], ["filter:run=9999..: leaves none of 60 jobs"]),
    (["--classes", "7"], ["--classes", "'7' is not queue=class"]),
    (["--tau", "0"], ["--tau", "0 is out of range; give a number above 0"]),
    (["--tau", "inf"], ["--tau"]),
    (["--trim", "0.5"], ["--trim", "0.5 is out of range; give less than 0.5"]),
    (["--out", ""], ["--out", "the path is empty"]),
    (["--out", "/dev/null/runs"], ["/dev/null/runs: cannot be written: not a directory"]),
]


@pytest.mark.parametrize(("options", "parts"), SIMULATE_OPTIONS, ids=" ".join)
def test_options_of_simulate(
    command: Command, market: Path, options: list[str], parts: list[str]
) -> None:
    refused(command("simulate", market, *options), *parts)


SOURCES = [
    ("no-such-file.swf", ["no-such-file.swf: cannot be read: no such file or directory"]),
    ("model:lublyn", ["no model is named 'lublyn'", "did you mean 'lublin'?"]),
    ("model:lublin,jobs=ten", ["field jobs", "'ten' is not a whole number"]),
    ("model:lublin,jobs=-1", ["jobs"]),
    ("model:lublin,machine_siz=8", ["field machine_siz", "did you mean 'machine_size'?"]),
    ("sample:markt", ["no sample is named 'markt'", "did you mean 'market'?"]),
]


@pytest.mark.parametrize(("source", "parts"), SOURCES, ids=str)
@pytest.mark.parametrize("verb", ["simulate", "check"])
def test_sources(command: Command, verb: str, source: str, parts: list[str]) -> None:
    refused(command(verb, source), *parts)


def test_a_folder_is_no_source(command: Command) -> None:
    refused(command("simulate", "."), ".: cannot be read: is a directory")
    refused(command("check", "."), ".: holds no run", "simulate WORKLOAD --out DIR")


def test_a_machine_of_unknown_size(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_text("1 0 5 10 4 -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1\n")

    refused(command("simulate", path), "how many processors", "give --machine-size N")
    assert command("check", path).code == 0


def test_generate(command: Command, tmp_path: Path) -> None:
    out = ["-o", tmp_path / "out.swf"]
    refused(command("generate", "lublyn", *out), "did you mean 'lublin'?")
    refused(command("generate", "lublin", "jobs=many", *out), "field jobs")
    refused(command("generate", "lublin,seed=1", "--seed", 2, *out), "--seed", "seed= already")
    refused(command("generate", "lublin"), "missing option", "--out")
    refused(command("generate", *out), "missing argument")
    assert list(tmp_path.iterdir()) == []


def test_augment(command: Command, log: Path) -> None:
    refused(command("augment", log), "missing option", "--out")
    refused(command("augment", log, "-o", "/dev/null/x.swfx"), "/dev/null/x.swfx: cannot be")
    refused(command("augment", log, "-o", "/no/such/dir/x.swfx"), "/no/such/dir/x.swfx: cannot be")
    refused(
        command("augment", log, "-o", "x.swfx.bz2"), "x.swfx.bz2: files cannot be packed as .bz2"
    )
    refused(command("augment", log, "-o", "-", "--apply", "acurate"), "did you mean 'accurate'?")
    refused(command("augment", log, "-o", "-", "--apply", "slice:jobs=99:"), "leaves none of 60")


def test_the_target_is_tried_before_the_work(command: Command) -> None:
    answer = command("augment", "no-such-log.swf", "-o", "/no/such/dir/x.swfx")

    refused(answer, "/no/such/dir/x.swfx: cannot be written")


@pytest.fixture
def runs(command: Command, market: Path, tmp_path: Path) -> Path:
    command("simulate", market, "-s", "easy", "-s", "fcfs", "--out", tmp_path / "runs")
    return tmp_path / "runs"


def test_bill_of_what_is_no_run(command: Command, runs: Path, tmp_path: Path) -> None:
    refused(command("bill", tmp_path / "none"), "none: cannot be read", "give the path")
    (tmp_path / "none").mkdir()
    refused(command("bill", tmp_path / "none"), "none: is not the directory of a run", "--out DIR")
    refused(command("bill", runs), f"name one of: {runs}/easy, {runs}/fcfs")
    (runs / "easy" / "run.json").write_text('{"workload": 3}')
    refused(command("bill", runs / "easy"), "run.json: is damaged", "simulate again")


def test_bill_of_files_that_do_not_belong_together(command: Command, runs: Path) -> None:
    (runs / "easy" / "jobs.csv").write_bytes((runs / "fcfs" / "jobs.csv").read_bytes())
    refused(command("bill", runs / "easy"), "jobs.csv and run.json belong to different runs")
    (runs / "easy" / "jobs.csv").unlink()
    refused(command("bill", runs / "easy"), "jobs.csv: is missing")


def test_bill_under_another_workload(
    command: Command, runs: Path, log: Path, tmp_path: Path
) -> None:
    command("augment", log, "-o", runs / "workload.swfx.gz", "--seed", 8, "-q")
    refused(command("bill", runs / "fcfs"), "its utility function is not the one committed to")
    (runs / "commitments.csv").unlink()
    refused(command("bill", runs / "fcfs"), "workload.swfx.gz is another workload")
    (runs / "workload.swfx.gz").unlink()
    refused(command("bill", runs / "fcfs"), "workload.swfx.gz: cannot be read")


def test_bill_options(command: Command, runs: Path) -> None:
    run = runs / "easy"
    refused(
        command("bill", run, "--mechanism", "first-prize"),
        "did you mean 'first-price'?",
    )
    refused(command("bill", run, "--mechanism", "single-price:rat=2"), "did you mean 'rate'?")
    refused(command("bill", run, "--mechanism", "single-price:rate=x"), "rate")
    refused(command("bill", run, "--by", "usr"), "no statement by 'usr'", "did you mean 'user'?")
    refused(command("bill", run, "--decimals", "-1"), "--decimals")
    assert not (run / "charges.csv").exists()


def test_bill_needs_utilities_for_first_price(command: Command, log: Path, tmp_path: Path) -> None:
    command("simulate", log, "--utilities", "none", "--out", tmp_path / "runs")
    refused(
        command("bill", tmp_path / "runs" / "easy"),
        "first-price needs utility functions",
    )
    answer = command("bill", tmp_path / "runs" / "easy", "--mechanism", "single-price")
    assert answer.code == 0


def test_check_says_in_json_why_it_refuses(command: Command) -> None:
    answer = command("check", "no-such-file.swf", "--json")

    assert answer.code == 2
    assert json.loads(answer.out) == {
        "loads": False,
        "error": answer.err.removeprefix("error: ").rstrip("\n"),
    }


def test_a_refusal_as_a_process_of_its_own(process: Command) -> None:
    answer = process("simulate", "-", feed=b"\x1f\x8b garbage")

    refused(answer, "standard input")
    assert "Traceback" not in answer.err

"""`utilitysched convert`: any workload in, any format out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import swfx
from swfx import UtilityTable
from swfx.families.exporters import export
from swfx.families.splitting import split
from swfx.families.transforms import apply_all
from swfx.reading.conversion import part_path
from tests.utilitysched.cli.conftest import Command, refused
from tests.utilitysched.small import JOBS


@pytest.mark.parametrize("target", ["out.swf", "out.json", "out.csv", "out.swfx.gz"])
def test_it_writes_what_the_library_exports(
    command: Command, market: Path, tmp_path: Path, target: str
) -> None:
    texts = ["slice:jobs=:20", "resample-users"]
    words = [word for text in texts for word in ("--apply", text)]

    answer = command("convert", market, "-o", tmp_path / target, *words, "--seed", 4)

    jobs = apply_all(swfx.read(market).workload, texts, 4).workload
    notes = export(jobs, tmp_path / f"expected-{target}")
    assert answer.code == 0
    assert (tmp_path / target).read_bytes() == (tmp_path / f"expected-{target}").read_bytes()
    assert answer.err.splitlines()[-len(notes) - 1 :] == [
        *notes,
        f"wrote 20 jobs to {tmp_path / target}",
    ]


def test_plain_swf_of_a_market_says_what_is_left_out(
    command: Command, market: Path, tmp_path: Path
) -> None:
    answer = command("convert", market, "-o", tmp_path / "out.swf.gz")

    written = swfx.read(tmp_path / "out.swf.gz").workload
    assert f"utility functions ({JOBS} jobs): left out" in answer.err
    expected = swfx.read(market).workload.replace(utility=UtilityTable.empty(JOBS))
    assert written == expected


def test_models_and_standard_input(command: Command, process: Command, log: Path) -> None:
    model = command("convert", "model:lublin,jobs=9,seed=2", "-o", "-", "--to", "batsim")
    piped = process("convert", "-", "-o", "-", "-a", "slice:jobs=:2", feed=log.read_bytes())

    assert len(json.loads(model.out)["jobs"]) == 9
    assert piped.out.splitlines()[-2:] == log.read_text().splitlines()[-JOBS:][:2]


def test_what_reading_dropped_is_told(command: Command, tmp_path: Path) -> None:
    (tmp_path / "log.swf").write_text(
        "; MaxProcs: 8\n1 0 0 -1 4 -1 -1 4 9 -1 1 1 1 -1 1 -1 -1 -1\n"
        "2 0 0 5 4 -1 -1 -1 9 -1 1 1 1 -1 1 -1 -1 -1\n"
    )
    for target in ("out.swf", "out.json"):
        answer = command("convert", tmp_path / "log.swf", "-o", tmp_path / target)

        assert f"{tmp_path / 'log.swf'}: 1 job of 2 lines, 1 dropped, 1 repaired" in answer.err


def test_windows_are_a_file_each(command: Command, log: Path, tmp_path: Path) -> None:
    (tmp_path / "part-0099.swf.gz").write_bytes(b"")
    answer = command("convert", log, "-o", tmp_path / "part.swf.gz", "--split", "10min")

    parts = list(split(swfx.read(log).workload, 600))
    assert len(parts) > 1
    for part in parts:
        assert swfx.read(part_path(tmp_path / "part.swf.gz", part.number)).workload == part.workload
    assert f"{len(parts)} windows of 600 s" in answer.err
    assert f"not of this split: {tmp_path / 'part-0099.swf.gz'}" in answer.err


REFUSALS = [
    (["-o", "out.xyz"], ["no output format has the suffix '.xyz'"]),
    (["-o", "out"], ["out: has no suffix", "name the format"]),
    (["-o", "out.swf.bz2"], ["suffix '.bz2'"]),
    (["-o", "out.bz2", "--to", "swf"], ["out.bz2: files cannot be packed as .bz2", ".gz, .xz"]),
    (["-o", "/no/dir/out.swf"], ["/no/dir/out.swf: cannot be written"]),
    (["-o", "out.swf", "--to", "batsimm"], ["unknown output format", "did you mean 'batsim'?"]),
    (["-o", "out.swf", "--apply", "clena"], ["unknown transformation", "did you mean 'clean'?"]),
    (
        ["-o", "out.swf", "--split", "moons"],
        ["split: field length: unknown unit of time: 'moons'"],
    ),
    (["-o", "-", "--split", "weeks"], ["--split: each window is a file", "-o FILE"]),
    (["-o", "out.swf", "--whole"], ["--whole: there are no windows", "--split"]),
    (["-o", "out.swf", "--report", "/no/dir/r.json"], ["/no/dir/r.json: cannot be written"]),
]


@pytest.mark.parametrize(("words", "parts"), REFUSALS, ids=str)
def test_refusals_come_before_the_work(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: list[str],
    parts: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)

    refused(command("convert", "no-such-log.swf", *words), *parts)
    assert list(tmp_path.iterdir()) == []


def test_no_half_file_when_reading_fails(command: Command, log: Path, tmp_path: Path) -> None:
    log.write_text(log.read_text() + "61 oops\n")

    refused(command("convert", log, "-o", tmp_path / "out.swf"), f"{log}:", "oops")
    assert list(tmp_path.iterdir()) == [log]


def test_the_file_that_is_read_is_not_written(command: Command, log: Path) -> None:
    before = log.read_bytes()

    for words in (("convert", log), ("augment", log)):
        answer = command(*words, "-o", log)
        assert answer.code == 2
        assert "is the file that is read; give -o another name" in answer.err
    assert log.read_bytes() == before


def test_a_mapping_is_not_the_file_that_is_written(
    command: Command, log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.swf"

    answer = command("convert", log, "-o", out, "-a", f"anonymise:mapping={out}")

    refused(answer, "is to hold something else, too; name another file")


def test_many_windows_have_to_be_asked_for(command: Command, log: Path, tmp_path: Path) -> None:
    words = ("convert", log, "-o", tmp_path / "w.swf", "--split", "1")

    answer = command(*words, "--most-files", 2)

    refused(answer, "--split: there are")
    assert list(tmp_path.glob("w-*")) == []
    assert command(*words).code == 0

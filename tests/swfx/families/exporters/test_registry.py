from __future__ import annotations

from pathlib import Path

import pytest

import swfx
from swfx import InputError, Workload
from swfx.families.exporters import EXPORTERS, export


@pytest.fixture
def job() -> Workload:
    return Workload.from_columns(submit=[0], run=[9], processors=[4])


@pytest.mark.parametrize("name", ["a.swf", "a.swfx", "a.swf.gz", "a.b.swfx.xz"])
def test_the_suffix_chooses_the_format(name: str, job: Workload, tmp_path: Path) -> None:
    assert export(job, tmp_path / name) == ()

    assert swfx.read(tmp_path / name).workload.run.tolist() == [9]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_name_overrules_the_suffix(job: Workload, tmp_path: Path) -> None:
    export(job, tmp_path / "a.txt", to="swf")

    assert (tmp_path / "a.txt").read_bytes().startswith(b"1 0 -1 9 4 ")


def test_standard_output_takes_extended_swf(
    job: Workload, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    export(job, "-")

    assert capfdbinary.readouterr().out.startswith(b"1 0 -1 9 4 ")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("a.doc", "a.doc: no output format has the suffix '.doc'; name the format ("),
        ("a.doc.gz", "a.doc.gz: no output format has the suffix '.doc'; name the format ("),
        ("a", "a: has no suffix; name the format ("),
    ],
)
def test_an_unknown_suffix_is_refused(target: str, message: str, job: Workload) -> None:
    with pytest.raises(InputError) as refusal:
        export(job, target)

    assert str(refusal.value).startswith(message)
    assert " or end the name in " in str(refusal.value)


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    nothing = Workload.from_columns(submit=[])

    with pytest.raises(InputError, match="a workload without jobs cannot be written"):
        export(nothing, tmp_path / "a.swf")
    assert not list(tmp_path.iterdir())


def test_every_format_says_what_it_is() -> None:
    assert all(EXPORTERS.summary(name) for name in EXPORTERS.names())

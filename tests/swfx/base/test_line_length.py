from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, open_workload, read
from swfx.base import line_length
from swfx.base.csv_columns import read_columns
from swfx.base.line_length import within_bounds


@given(st.text("ab\n", max_size=30), st.integers(1, 40), st.integers(1, 6))
def test_only_lines_over_the_bound_are_refused(text: str, size: int, longest: int) -> None:
    data = text.encode()
    pieces = [data[first : first + size] for first in range(0, len(data), size)]
    long = [n for n, line in enumerate(text.split("\n"), start=1) if len(line) > longest]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_length, "LONGEST", longest)
        if not long:
            assert b"".join(within_bounds(pieces)) == data
            return
        with pytest.raises(InputError, match=f"longer than {longest} bytes") as refused:
            list(within_bounds(pieces))
        assert refused.value.line == long[0]


@pytest.fixture
def bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(line_length, "LONGEST", 2**16)
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(b"; a,b\n" + b"1 " * 2**16))
    return path


def test_a_file_of_one_long_line_is_refused_in_every_format_of_lines(bomb: Path) -> None:
    said = f"{bomb}:2: the line is longer than 65,536 bytes; give a file of shorter lines"
    for source in (bomb, f"lsf:{bomb}"):
        with pytest.raises(InputError) as refused:
            open_workload(str(source))
        assert str(refused.value) == said
    with pytest.raises(InputError) as refused:
        read_columns(str(bomb))
    assert str(refused.value) == said


def test_of_a_long_line_little_is_unpacked(bomb: Path) -> None:
    class Counted(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            piece = super().read(size)
            taken.append(len(piece))
            return piece

    taken: list[int] = []
    with pytest.raises(InputError, match="the line is longer than"):
        read(Counted(b"1 " * 2**22))
    assert sum(taken) < 2**20


@pytest.mark.parametrize("kind", ["", "slurm:", "pbs:"])
def test_a_file_of_empty_lines_is_refused_before_it_fills_the_memory(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_length, "MOST_BLANK", 2**20)
    path = tmp_path / "log.gz"
    path.write_bytes(gzip.compress(b"\n" * 2**22))

    with pytest.raises(InputError, match="more than 1,048,576 bytes in a row are blank"):
        open_workload(f"{kind}{path}")

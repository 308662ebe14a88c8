import gzip
import io
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given

from swfx import Header, InputError, UtilityFunction, UtilityTable, Workload, read, write
from swfx.writer import to_bytes
from tests.strategies import raw_workloads, workloads

CANONICAL = (
    b"; Version: 2.2\n"
    b";\tMaxProcs: 8 (6, 2)\n"
    b";caf\xe9\n"
    b"1 0 -1 10 4 1.5 -1 4 60 -1 1 3 1 -1 1 -1 -1 -1\n"
    b"7 12.25 3 0 8 1e-07 -1 8 60 -1 0 9007199254740992 1 -1 22 -1 1 0.1\n"
)
CANONICAL_EXTENDED = (
    b"; SWFX: 1.0\n"
    b"; UtilityUnits: SU\n"
    b"; MaxProcs: 8\n"
    b"1 0 -1 10 4 1.5 -1 4 60 -1 1 3 1 -1 1 -1 -1 -1 ; 300 12.5 3 0 100 60.001 0.3333333333333333"
    b" 3600 0\n"
    b"2 0 -1 10 4 1.5 -1 4 60 -1 1 3 1 -1 1 -1 -1 -1 ; -1 -1 0\n"
)

CANONICAL_EXTRA = (
    b"; SWFX: 1.0\n"
    b"; UtilityUnits: SU\n"
    b"; MaxProcs: 8\n"
    b"; ExtraColumns: confidence soft_estimate\n"
    b"1 0 -1 10 4 1.5 -1 4 60 -1 1 3 1 -1 1 -1 -1 -1 ; -1 -1 2 0 100 3600 0 0.5 -1\n"
    b"2 0 -1 10 4 1.5 -1 4 60 -1 1 3 1 -1 1 -1 -1 -1 ; -1 -1 0 -1 12.25\n"
)


def read_back(data: bytes, cleaning="none") -> Workload:
    return read(io.BytesIO(data), cleaning=cleaning).workload


@pytest.mark.parametrize("text", [CANONICAL, CANONICAL_EXTENDED, CANONICAL_EXTRA])
def test_canonical_text_survives(text):
    assert to_bytes(read_back(text)) == text


@given(raw_workloads())
def test_reading_what_was_written_gives_the_workload(w):
    assert read_back(to_bytes(w)) == w


@given(raw_workloads())
def test_writing_what_was_read_gives_the_text(w):
    text = to_bytes(w)
    assert to_bytes(read_back(text)) == text


@given(workloads())
def test_a_sound_workload_survives_standard_cleaning(w):
    assert read_back(to_bytes(w), "standard") == w
    assert read_back(to_bytes(w), "strict") == w


def test_many_jobs_are_the_same_in_pieces():
    jobs = 25_001
    seconds = np.arange(jobs) / 8
    curve = UtilityFunction([0, 1], [1, 0])
    table = UtilityTable.from_functions([curve if i % 3 else None for i in range(jobs)])
    w = Workload.from_columns(submit=seconds, run=seconds, utility=table)
    assert read_back(to_bytes(w)) == w
    assert read_back(to_bytes(w[:20_000])) == w[:20_000]


@pytest.mark.parametrize("suffix", [".swf", ".swf.gz", ".swfx.xz", ".swfx.zst"])
def test_files_by_suffix(tmp_path, suffix):
    w = read_back(CANONICAL_EXTENDED)
    target = tmp_path / f"a{suffix}"
    write(w, target)
    assert read(target).workload == w
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_same_workload_same_bytes(tmp_path):
    for name in ("a.gz", "b.gz"):
        write(read_back(CANONICAL), tmp_path / name)
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == CANONICAL


def test_dash_is_standard_output(monkeypatch):
    stream = io.BytesIO()
    monkeypatch.setattr("sys.stdout", SimpleNamespace(buffer=stream))
    write(read_back(CANONICAL), "-")
    assert stream.getvalue() == CANONICAL


def test_workload_without_jobs_is_refused(tmp_path):
    with pytest.raises(InputError, match="without jobs cannot be written"):
        write(read_back(CANONICAL)[:0], tmp_path / "a.swf")
    assert not list(tmp_path.iterdir())


def test_plain_workload_gets_no_extension():
    w = read_back(CANONICAL_EXTENDED)
    plain = w.replace(
        utility=UtilityTable.empty(2), checkpoint_interval=[-1, -1], restart_overhead=[-1, -1]
    )
    assert b"SWFX" not in to_bytes(plain)
    assert to_bytes(plain).splitlines()[-1].split()[-1] == b"-1"
    assert len(to_bytes(plain).splitlines()[-1].split()) == 18


def test_header_is_kept_verbatim():
    header = Header(("no blank", "  \t two  ", " Key: a;b"))
    w = Workload.from_columns(submit=[0], header=header)
    assert to_bytes(w).splitlines()[:3] == [b";no blank", b";  \t two  ", b"; Key: a;b"]

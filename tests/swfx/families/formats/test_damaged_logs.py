"""Damaged logs are read or refused, and no record of theirs is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError
from swfx.families.exporters import EXPORTERS
from swfx.families.formats.registry import IMPORTERS
from tests.swfx.families.exporters.jobs import awkward_jobs

HERE = Path(__file__).parent
LOGS = {
    "batsim:speed=1e9": (HERE / "batsim.json").read_bytes(),
    "jobs-csv": (HERE / "jobs.csv").read_bytes(),
    "parquet": EXPORTERS.make("parquet").format(awkward_jobs()).data,
    "pbs:timezone=Europe/Paris": (HERE / "pbs.log").read_bytes(),
}

pieces = st.binary(max_size=3) | st.sampled_from(
    [b"9" * 30, b"-1", b"1e999", b"nan", b"null", b"[]", b"{}", b"\xff", "²".encode(), b"\n", b"="]
)


@st.composite
def damaged(draw: st.DrawFn, log: bytes) -> bytes:
    """The log with a few places cut out, overwritten or repeated."""
    text = bytearray(log)
    for _ in range(draw(st.integers(1, 5))):
        place, length = draw(st.integers(0, len(text))), draw(st.integers(0, 40))
        put = draw(pieces | st.integers(0, len(text)).map(lambda i: bytes(log[i : i + 60])))
        text[place : place + length] = put
    return bytes(text)


@pytest.mark.parametrize("importer", LOGS)
@given(data=st.data())
@pytest.mark.slow
def test_damaged_logs_are_read_or_refused(importer: str, data: st.DataObject) -> None:
    log = data.draw(damaged(LOGS[importer]))
    try:
        result = IMPORTERS.make(importer).read(log, "log")
    except InputError:
        return
    assert result.report.lines_accounted()
    assert len(result.workload) == result.report.kept == len(result.line)

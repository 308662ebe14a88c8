"""CSV files of any content: an error that names the file, or every row accounted for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError, Workload
from swfx.families.utilities import attach_answers, attach_curves, read_answers, read_curves

Made = TypeVar("Made")
LOG = Workload.from_columns(
    submit=[0, 1, 2],
    wait=[1, 0, -1],
    run=[5, 0, 9],
    processors=[1, 2, 2],
    requested_time=[10, 0, 10],
    user=[1, 2, 2],
    queue=[1, 2, 1],
)
CELLS = st.sampled_from(["0", "1", "2"]) | st.sampled_from(
    ["", "10", "-1", "0.5", "1/2", "x", "nan", "1-2", "2-", '"', " "]
)
HEADS = {
    "curves": ["job,t,v", "user,t,v", "queue,t,v", "size,t,v", "t,v", "job,user,t,v", "job,t"],
    "answers": ["user,processors,request,factor,willingness", "user,weight,factor"],
}
TAILS = ["", ",weight", ",turnaround,cost"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@st.composite
def contents(draw: st.DrawFn, kind: str) -> bytes:
    """Rows of cells under a head, or any bytes."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.binary(max_size=60))
    head = draw(st.sampled_from(HEADS[kind])) + (draw(st.sampled_from(TAILS)) * (kind == "answers"))
    width = head.count(",") + 1 + draw(st.sampled_from([0] * 9 + [1]))
    rows = draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=6))
    ends = draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
    return ends.join([head, *(",".join(row) for row in rows)]).encode()


def attempt(work: Callable[[str], Made], name: str) -> Made | None:
    """Result of reading a file, or None if it is refused by its name."""
    try:
        return work(name)
    except InputError as error:
        if not str(error).startswith(name):
            raise
        return None


@given(contents("curves"))
def test_curves(content: bytes) -> None:
    Path("c.csv").write_bytes(content)

    file = attempt(read_curves, "c.csv")

    if file is not None:
        assert file.curves.points.sum() == len(file.columns)
        assert len(attach_curves(LOG, [file]).workload) == len(LOG)


@given(contents("answers"))
def test_answers(content: bytes) -> None:
    Path("a.csv").write_bytes(content)

    done = attempt(lambda name: attach_answers(LOG, read_answers(name)), "a.csv")

    if done is not None:
        used, _, answers = done.notes[1].removeprefix("a.csv: ").split()[:3]
        left = [int(note.split()[3]) for note in done.notes if note.startswith("a.csv: left out: ")]
        assert int(used) + sum(left) == int(answers)

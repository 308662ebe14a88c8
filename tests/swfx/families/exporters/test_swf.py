from __future__ import annotations

from pathlib import Path

import swfx
from swfx import UtilityFunction, UtilityTable, Workload
from swfx.families.exporters import EXPORTERS, export

HEADER = swfx.Header((" MaxProcs: 8", " Note: kept"))


def plain() -> Workload:
    return Workload.from_columns(submit=[0, 5], run=[10, 1.5], processors=[4, 8], header=HEADER)


def extended() -> Workload:
    curves = UtilityTable.from_functions([UtilityFunction([0, 60], [9, 0]), None])
    return plain().replace(utility=curves, checkpoint_interval=[-1, 900])


def test_the_text_is_this() -> None:
    data, notes = EXPORTERS.make("swf").format(plain())

    assert notes == ()
    assert data.decode() == (
        "; MaxProcs: 8\n; Note: kept\n"
        "1 0 -1 10 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
        "2 5 -1 1.5 8 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
    )


def test_what_swf_has_no_place_for_is_left_out_and_counted(tmp_path: Path) -> None:
    (note,) = export(extended(), tmp_path / "out.swf")
    written = swfx.read(tmp_path / "out.swf").workload

    assert note == (
        "SWF has no place for utility functions (1 job), checkpoints (1 job): left out;"
        " swfx keeps them"
    )
    assert written.header.get("SWFX") is None
    assert written.replace(header=HEADER) == plain()


def test_columns_that_are_left_out_are_named() -> None:
    jobs = Workload.from_columns(submit=[0, 1], original_job=[7, -1])

    _, notes = EXPORTERS.make("swf").format(jobs)

    assert notes == ("SWF has no place for original_job (1 job): left out; swfx keeps them",)

"""Importer of Grid Engine: what becomes of each kind of record."""

from __future__ import annotations

import pytest

from swfx import InputError
from swfx.families.formats.registry import IMPORTERS
from tests.swfx.families.formats.test_golden import FOLDER


def test_sums_are_those_of_qacct() -> None:
    """What Son of Grid Engine 8.1.9 wrote of 12 jobs, and its qacct says of them by slots."""
    log = IMPORTERS.make("sge").read((FOLDER / "sge" / "qacct.txt").read_bytes(), "log")
    jobs = log.workload

    seconds = {size: jobs.run[jobs.processors == size].sum() for size in (1, 2, 3)}
    assert seconds == {1: 117, 2: 1, 3: 3}
    assert round((jobs.cpu_time * jobs.processors).sum(), 3) == 0.168
    assert log.report.counts("dropped") == {"never-started": 1}


def test_another_group_is_refused() -> None:
    with pytest.raises(InputError, match="group"):
        IMPORTERS.make("sge:group=team")


@pytest.mark.parametrize(
    ("options", "gpus"),
    [("", [2, 0, 0]), (":gpu_per=slot", [8, 0, 0]), (":gpu=cuda", [0, 0, 1]), (":gpu=x", None)],
)
def test_gpus_are_those_that_are_asked_for_by_the_name_that_a_site_has(
    options: str, gpus: list[int] | None
) -> None:
    data = (FOLDER / "sge" / "gpus.txt").read_bytes()

    column = IMPORTERS.make(f"sge{options}").read(data, "log").workload.extra.get("tres/gres/gpu")

    assert (None if column is None else column.tolist()) == gpus

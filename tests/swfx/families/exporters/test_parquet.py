from __future__ import annotations

import io
import json

from pyarrow import parquet

from swfx.families.exporters import EXPORTERS
from tests.swfx.families.exporters.jobs import awkward_jobs

PARQUET = EXPORTERS.make("parquet")


def test_every_column_is_there_under_its_name() -> None:
    jobs = awkward_jobs()

    data, notes = PARQUET.format(jobs)
    table = parquet.read_table(io.BytesIO(data))

    assert notes == ()
    assert table["submit"].to_pylist() == [0, 5, 6.25]
    assert table["job_id"].to_pylist() == [1, 1, 3]
    assert table["utility_times"].to_pylist() == [[0, 60.5], [], []]
    assert table["utility_values"].to_pylist() == [[9, 0], [], []]
    assert json.loads(table.schema.metadata[b"swfx.header"]) == list(jobs.header.lines)


def test_equal_workloads_give_equal_bytes() -> None:
    assert PARQUET.format(awkward_jobs()) == PARQUET.format(awkward_jobs())

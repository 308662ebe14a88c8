from __future__ import annotations

import io

import pyarrow as pa
import pytest
from pyarrow import parquet

from swfx import InputError
from swfx.base.parquet import HEADER_KEY
from swfx.families.exporters import EXPORTERS
from swfx.families.formats.registry import IMPORTERS, Imported
from tests.swfx.families.exporters.jobs import awkward_jobs


def read(table: pa.Table) -> Imported:
    target = io.BytesIO()
    parquet.write_table(table, target)
    return IMPORTERS.make("parquet").read(target.getvalue(), "jobs.parquet")


def table(**columns: list[object]) -> pa.Table:
    return pa.table({"submit": [0, 5], "run": [10.5, 2], "processors": [1, 2]} | columns)


def test_what_is_written_reads_back() -> None:
    jobs = awkward_jobs()

    result = IMPORTERS.make("parquet").read(EXPORTERS.make("parquet").format(jobs).data, "jobs")

    assert result.workload == jobs
    assert result.report.lines_accounted()
    assert result.report.kept == 3


def test_a_file_of_others_is_read_by_the_names_of_its_columns() -> None:
    result = read(table(user=[7, None], colour=["red", "blue"]))

    assert result.workload.run.tolist() == [10.5, 2]
    assert result.workload.user.tolist() == [7, -1]
    assert result.workload.header.lines == ()
    assert result.report.notes == ("columns that a workload has no place for: colour",)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"user": ["alice", "bob"]}, "field user: holds object values"),
        ({"run": [float("nan"), 1]}, "field run: nan at position 0 is not a finite number"),
        ({"user": [1.5, 1]}, "is not a whole number"),
        (
            {"utility_times": [[0], [0]], "utility_values": [[1, 2], [1]]},
            "curves differ in the number of times and values",
        ),
        ({"utility_times": [["a"], []], "utility_values": [[1], []]}, "field utility times"),
    ],
)
def test_columns_that_a_workload_cannot_hold_are_refused(
    columns: dict[str, list[object]], message: str
) -> None:
    with pytest.raises(InputError) as refusal:
        read(table(**columns))

    assert message in str(refusal.value)


def test_a_broken_header_is_refused() -> None:
    broken = table().replace_schema_metadata({HEADER_KEY: b"7"})

    with pytest.raises(InputError, match=r"field swfx\.header: holds no list of header lines"):
        read(broken)


def test_files_that_lack_what_a_job_needs_are_refused() -> None:
    with pytest.raises(InputError, match=r"jobs\.parquet: has no column run; rename columns"):
        read(table().drop_columns(["run"]))
    with pytest.raises(InputError, match="holds no jobs"):
        read(table().slice(0, 0))
    with pytest.raises(InputError, match="is no Parquet file: "):
        IMPORTERS.make("parquet").read(b"PAR1 and more PAR1", "jobs.parquet")


def test_names_of_columns_that_are_no_text_are_refused() -> None:
    target = io.BytesIO()
    parquet.write_table(table(user=[1, 2]), target, store_schema=False)
    data = target.getvalue().replace(b"user", b"u\xffer")

    with pytest.raises(InputError, match="is no Parquet file: 'utf-8' codec"):
        IMPORTERS.make("parquet").read(data, "jobs.parquet")

"""A log in parts is held to the log as a whole."""

import io
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swfx import Header, InputError, LoadReport, UtilityTable, Workload, read, stream, write
from swfx.base.compression import compress
from swfx.writer import to_bytes, write_stream
from tests.scale import many
from tests.strategies import raw_workloads
from tests.swfx.malformed import GOOD, HEADER, MALFORMED

CLEANINGS = ["standard", "strict", "lenient", "none"]
BEYOND = Workload.from_columns(submit=[0], soft_estimate=[9], checkpoint_interval=[60])


def job(number: int, **fields: int) -> bytes:
    values = dict(zip(("submit", "run", "processors"), (0, 10, 4), strict=True)) | fields
    return b"%d %d -1 %d %d -1 -1 4 60 -1 1 1 1 -1 1 -1 -1 -1\n" % (number, *values.values())


def joined(parts: list[Workload], header: Header) -> Workload:
    """Whole of which these are the parts."""
    names = dict.fromkeys(name for part in parts for name in part.columns)
    columns = {name: np.concatenate([part.column(name) for part in parts]) for name in names}
    curves = [part.utility[i] for part in parts for i in range(len(part))]
    return Workload.from_columns(
        header=header, utility=UtilityTable.from_functions(curves), **columns
    )


def whole(data: bytes, **options) -> tuple[Workload, LoadReport] | str:
    try:
        return tuple(read(io.BytesIO(data), **options))
    except InputError as error:
        return str(error)


def in_parts(data: bytes, chunk: int, **options) -> tuple[Workload, LoadReport] | str:
    try:
        parts = stream(io.BytesIO(data), chunk=chunk, **options)
        found = list(parts)
    except InputError as error:
        return str(error)
    assert all(0 < len(part) <= chunk for part in found)
    assert parts.report.lines_accounted()
    return joined(found, parts.header), parts.report


def assert_same(data: bytes, chunk: int, **options) -> None:
    expected, found = whole(data, **options), in_parts(data, chunk, **options)
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        assert expected.startswith("stream")
        assert "\n" not in expected
    else:
        assert found[0] == expected[0]
        assert found[1].to_dict() == expected[1].to_dict()


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    """Written workloads with some lines lost, repeated, mixed with others, or bytes replaced."""
    text = to_bytes(draw(raw_workloads(max_jobs=6)))
    others = [b"1 2 x", b"; late: 1", b"", GOOD, b"\xff\xfe", b"9" * 300, GOOD + b" 7"]
    lines = text.splitlines() + draw(st.lists(st.sampled_from(others), max_size=4))
    data = bytearray(b"\n".join(draw(st.permutations(lines))))
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(data)))
        data[place : place + draw(st.integers(0, 4))] = draw(st.binary(max_size=3))
    suffix = draw(st.sampled_from(["", "", ".gz", ".xz", ".zst"]))
    return compress(bytes(data), suffix)[: draw(st.none() | st.integers(0, 400))]


@given(
    damaged_files(),
    st.integers(1, 9),
    st.sampled_from(CLEANINGS),
    st.booleans(),
    st.none() | st.integers(1, 8),
    st.none() | st.builds(slice, st.none() | st.integers(0, 4), st.none() | st.integers(0, 9)),
)
@settings(max_examples=many(200))
@pytest.mark.slow
def test_parts_are_the_whole(data, chunk, cleaning, tuples, machine, jobs):
    assert_same(data, chunk, cleaning=cleaning, tuples=tuples, machine_size=machine, jobs=jobs)


@pytest.mark.parametrize("cleaning", CLEANINGS)
@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.name)
def test_malformed_files_are_refused_alike(case, cleaning):
    assert_same(case.content, 1, cleaning=cleaning)
    # after so many lines most of the contents lie on both sides of the end of a block
    assert_same(HEADER + 38 * (GOOD + b"\n") + case.content, 7, cleaning=cleaning)


MANY = HEADER + b"".join(job(i, submit=i) for i in range(1, 1001))


def test_every_part_is_small_and_has_the_header():
    parts = list(stream(io.BytesIO(MANY), chunk=100))
    assert len(parts) >= 10
    assert max(len(part) for part in parts) <= 100
    assert {part.header.lines for part in parts} == {(" MaxProcs: 8",)}
    assert np.concatenate([part.job_id for part in parts]).tolist() == list(range(1, 1001))


def test_errors_name_the_line_of_the_file():
    broken = MANY + job(1001).replace(b" 60 ", b" sixty ")
    assert in_parts(broken, 10) == (
        "stream:1002: field requested_time (9): is not a decimal number: 'sixty';"
        " correct the line, or read leniently to drop it"
    )
    assert in_parts(MANY + job(1001, run=-1), 10, cleaning="strict") == (
        "stream:1002: field run (4): the run time is negative: -1;"
        " correct the line, or use standard cleaning"
    )


def test_strict_reading_names_the_first_line_of_either_kind():
    text = HEADER + job(1) + job(2, run=-1) + b"3 x\n"
    assert "stream:3: field run (4)" in in_parts(text, 1, cleaning="strict")
    assert "stream:3: field run (4)" in whole(text, cleaning="strict")


def test_the_report_is_of_the_whole():
    text = MANY + job(7, submit=3) + b"7 8\n" + job(1003, run=-1) + b"; the end"
    parts = stream(io.BytesIO(text), chunk=50, cleaning="lenient")
    assert sum(len(part) for part in parts) == 1001
    report = parts.report
    assert (report.lines, report.comment_lines, report.job_lines) == (1005, 2, 1003)
    assert report.lines_of("too-few-fields").tolist() == [1003]
    assert report.lines_of("negative-run").tolist() == [1004]
    assert report.line.tolist() == [1003, 1004]
    assert report.notes == (
        "1 comment line below the first job line, from line 1005 on, is left out of the header",
        "1 job was submitted before the job of the line above",
        "1 job repeats the number of another job",
    )


def test_lines_behind_the_selection_are_counted_but_not_looked_at():
    parts = stream(io.BytesIO(MANY + b"what\n"), chunk=10, jobs=slice(15, 40))
    assert np.concatenate([part.job_id for part in parts]).tolist() == list(range(16, 41))
    assert (parts.report.file_job_lines, parts.report.job_lines) == (1001, 25)


def test_jobs_before_the_break_of_a_packed_file_are_given():
    packed = compress(b"".join(job(i, submit=i * i) for i in range(1, 40_001)), ".xz")
    parts = iter(stream(io.BytesIO(packed[:-40]), chunk=1000))
    assert next(parts).job_id[0] == 1
    with pytest.raises(InputError, match="stream: is truncated or broken compressed data"):
        list(parts)


def test_nothing_but_the_header_is_read_at_first():
    source = io.BytesIO(MANY * 100)
    parts = stream(source, chunk=100)
    assert parts.header.max_procs == 8
    assert source.tell() <= 2**18


def test_fraction_of_a_file(tmp_path):
    (tmp_path / "a.swf").write_bytes(MANY * 100)
    parts = stream(tmp_path / "a.swf", chunk=1000)
    assert 0 < parts.fraction < 0.1
    assert sum(1 for _ in parts) > 10
    assert parts.fraction == 1
    assert stream(io.BytesIO(MANY)).fraction == 0


@pytest.mark.parametrize("jobs", [slice(-5, None), slice(0, -1)])
def test_positions_from_the_end_need_the_whole(jobs):
    with pytest.raises(InputError, match=r"count from the end of the log; count from 0, or read"):
        stream(io.BytesIO(MANY), jobs=jobs)
    assert len(read(io.BytesIO(MANY), jobs=jobs).workload) == {-5: 5, 0: 999}[jobs.start]


def test_parts_of_nothing_are_refused():
    with pytest.raises(InputError, match="field chunk: 0 jobs are no part; give 1 or more"):
        stream(io.BytesIO(MANY), chunk=0)


@pytest.mark.parametrize("cleaning", CLEANINGS)
def test_a_byte_order_mark_is_skipped_and_noted(cleaning):
    loaded = read(io.BytesIO(b"\xef\xbb\xbf" + HEADER + job(1)), cleaning=cleaning)
    assert loaded.workload.job_id.tolist() == [1]
    assert loaded.report.notes == ("the file begins with a byte order mark: it is skipped",)
    assert_same(b"\xef\xbb\xbf" + job(1) + b"2 x", 1, cleaning=cleaning)


@given(raw_workloads(max_jobs=9), st.integers(1, 4), st.sampled_from(["a.swf", "a.xz"]))
@pytest.mark.slow
def test_writing_parts_gives_the_bytes_of_the_whole(tmp_path_factory, w, size, name):
    folder = tmp_path_factory.mktemp("parts")
    write(w, folder / name)
    parts = (w[first : first + size] for first in range(0, len(w), size))
    write_stream(w.header, parts, folder / f"b{name}")
    assert (folder / name).read_bytes() == (folder / f"b{name}").read_bytes()


def test_parts_that_do_not_need_the_extension_are_written_with_it():
    plain = Workload.from_columns(submit=[0])
    lines = written(BEYOND.header, [plain, BEYOND]).splitlines()
    assert lines[-2].split()[18:] == [b";", b"-1", b"-1", b"0", b"-1"]
    assert lines[-1].split()[18:] == [b";", b"60", b"-1", b"0", b"9"]
    assert written(Header(), [plain], extended=True).splitlines()[-1].split()[18:] == [
        b";", b"-1", b"-1", b"0",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("header", "missing"),
    [
        (Header(), "extended SWF"),
        (Header().announcing(True), "the extra column soft_estimate"),
    ],
)
def test_what_is_not_announced_is_refused_and_leaves_no_file(header, missing, tmp_path):
    with pytest.raises(InputError) as caught:
        write_stream(header, [Workload.from_columns(submit=[0]), BEYOND], tmp_path / "a.swf")
    assert str(caught.value) == (
        f"jobs need {missing}, which the header does not announce;"
        " pass header.announcing(True, ...) with what all of them need"
    )
    assert not list(tmp_path.iterdir())


def test_no_parts_leave_no_file(tmp_path):
    with pytest.raises(InputError, match="a workload without jobs cannot be written"):
        write_stream(Header(), [], tmp_path / "a.swf")
    assert not list(tmp_path.iterdir())


def written(header: Header, parts: list[Workload], **options) -> bytes:
    target = io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", SimpleNamespace(buffer=target))
        write_stream(header, parts, "-", **options)
    return target.getvalue()

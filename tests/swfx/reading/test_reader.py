import io
import subprocess
import sys
from types import SimpleNamespace

import pytest

from swfx import InputError, read
from swfx.base.compression import compress

HEADER = b"; MaxProcs: 8\n; MaxNodes: 4\n"


def job(number=1, submit=0, run=10, processors=4, requested=4, request=60) -> bytes:
    return (
        f"{number} {submit} -1 {run} {processors} -1 -1 {requested} {request}"
        " -1 1 1 1 -1 1 -1 -1 -1\n"
    ).encode()


def load(*lines: bytes, header=HEADER, **options):
    return read(io.BytesIO(header + b"".join(lines)), **options)


MIXED = (
    job(1),
    job(2, run=-1),
    job(3, processors=-1),
    job(4, processors=9),
    job(5, request=-1),
    job(6, run=70),
    job(7, submit=-1),
    job(8, processors=0, requested=0),
)


def test_standard_cleaning_lists_every_line_it_touches():
    w, report = load(*MIXED)
    assert w.job_id.tolist() == [1, 3, 5, 6]
    assert w.size.tolist() == [4, 4, 4, 4]
    assert w.processors.tolist() == [4, -1, 4, 4]
    assert w.request.tolist() == [60, 60, 10, 60]
    assert w.effective_run.tolist() == [10, 10, 10, 60]
    assert {rule: report.lines_of(rule).tolist() for rule in report.counts()} == {
        "negative-submit": [9],
        "negative-run": [4],
        "no-processors": [10],
        "too-wide": [6],
        "processors-missing": [5],
        "requested-time-missing": [7],
        "run-over-request": [8],
    }
    assert (report.job_lines, report.kept, report.dropped, report.repaired) == (8, 4, 4, 1)
    assert report.lines_accounted()
    untouched, report = load(*MIXED, cleaning="none")
    assert untouched.job_id.tolist() == list(range(1, 9))
    assert report.counts() == {}


def test_lenient_reading_lists_malformed_lines_too():
    w, report = load(job(1), b"2 x\n", job(3, run=-1), b"4\n", job(5), cleaning="lenient")
    assert w.job_id.tolist() == [1, 5]
    assert report.lines_of("not-a-number").tolist() == [4]
    assert report.lines_of("negative-run").tolist() == [5]
    assert report.lines_of("too-few-fields").tolist() == [6]
    assert report.line.tolist() == [4, 5, 6]
    assert report.lines_accounted()


def test_strict_reading_names_the_first_case():
    with pytest.raises(InputError) as caught:
        load(job(1), job(2, run=-1), job(3, processors=-1), cleaning="strict")
    assert str(caught.value) == (
        "stream:4: field run (4): the run time is negative: -1;"
        " correct the line, or use standard cleaning"
    )


def test_strict_reading_accepts_what_standard_cleaning_only_notes():
    assert len(load(job(1, request=-1), job(2, run=70), cleaning="strict").workload) == 2


def test_jobs_are_positions_of_job_lines_before_cleaning():
    w, report = load(*MIXED, jobs=slice(1, 4))
    assert w.job_id.tolist() == [3]
    assert (report.file_job_lines, report.job_lines, report.lines) == (8, 3, 10)
    assert report.lines_accounted()


def test_lines_outside_the_selection_are_not_looked_at():
    assert len(load(job(1), b"what\n", job(3), jobs=slice(2, 9)).workload) == 1


def test_machine_size_given_by_hand_is_in_the_header():
    w, _ = load(*MIXED, machine_size=16)
    assert w.machine_size == 16
    assert w.job_id.tolist() == [1, 3, 4, 5, 6]
    assert w.header.lines == (" MaxProcs: 16", " MaxNodes: 4")


def test_notes_tell_where_the_machine_size_is_from():
    assert load(job()).report.notes == ()
    assert load(job(), header=b";MaxNodes: 4\n").report.notes == (
        "the machine size 4 is MaxNodes: the header has no MaxProcs",
    )
    assert load(job(), header=b"").report.notes == (
        "the machine size is unknown: no job could be checked against it",
    )


def test_notes_tell_of_disorder():
    assert load(job(1, 5), job(2, 4), job(2, 4)).report.notes == (
        "1 job was submitted before the job of the line above",
        "1 job repeats the number of another job",
    )


def test_notes_tell_of_extra_fields():
    longer = job(1).replace(b"\n", b" {1,2} q_1d 1:ppn=1\n")
    (note,) = load(longer, job(2)).report.notes
    assert note == (
        "1 line has fields after the 18th, up to field 21: ignored,"
        " as no line '; SWFX: 1.0' says what they are"
    )


def test_extended_swf_under_its_header_line():
    header = HEADER + b";SWFX: 1.0\n"
    line = job(1).replace(b"\n", b" 300 5 2 0 100 3600 0\n")
    w, report = load(line, job(2).replace(b"\n", b" -1 -1 0\n"), header=header)
    assert w.checkpoint_interval.tolist() == [300, -1]
    assert w.restart_overhead.tolist() == [5, -1]
    assert w.utility.evaluate([1800, 0]).tolist() == [50, 0]
    assert report.notes == ()


def test_extra_columns_in_the_order_of_their_header_line():
    header = HEADER + b"; SWFX: 1.0\n; ExtraColumns: confidence soft_estimate\n"
    line = job(1).replace(b"\n", b" -1 -1 2 0 100 3600 0 0.75 1e3\n")
    w, _ = load(line, job(2).replace(b"\n", b" -1 -1 0 -1 -1\n"), header=header)
    assert w.confidence.tolist() == [0.75, -1]
    assert w.soft_estimate.tolist() == [1000, -1]
    assert w.utility[0].values.tolist() == [100, 0]
    assert w.header.get("ExtraColumns") == "confidence soft_estimate"


def test_extra_columns_that_no_job_uses_are_not_announced():
    header = HEADER + b"; SWFX: 1.0\n; ExtraColumns: confidence soft_estimate\n"
    w, _ = load(job(1).replace(b"\n", b" -1 -1 0 -1 900\n"), header=header)
    assert w.extra_columns == ("soft_estimate",)
    assert w.header.get("ExtraColumns") == "soft_estimate"


def test_extra_columns_mean_nothing_in_a_plain_log():
    header = HEADER + b"; ExtraColumns: colour\n"
    w, report = load(job(1).replace(b"\n", b" 7\n"), header=header)
    assert w.extra_columns == ()
    assert w.header.get("ExtraColumns") == "colour"
    assert report.notes[0].startswith("1 line has fields after the 18th, up to field 19: ignored")


def test_tuples_of_the_dissertation():
    line = job(1).replace(b"\n", b" (0,100) (3600,0)\n")
    assert load(line, tuples=True).workload.utility.evaluate([1800]).tolist() == [50]
    assert not load(line).workload.has_utilities


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_packed_streams_are_told_by_their_bytes(suffix):
    assert len(read(io.BytesIO(compress(HEADER + job(), suffix))).workload) == 1


def test_dash_is_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(HEADER + job())))
    assert read("-").report.source == "standard input"


def test_path_without_suffix_is_read(tmp_path):
    (tmp_path / "log").write_bytes(compress(HEADER + job(), ".gz"))
    assert read(str(tmp_path / "log")).report.source == f"{tmp_path}/log"


def test_columns_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        load(job()).workload.run[0] = 1


def test_importing_swfx_imports_neither_numba_nor_pandas():
    code = "import sys, swfx; print(sorted({'numba', 'pandas'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [(None, "NoneType is no source of a workload"), ("", "no workload is named")],
)
def test_what_is_no_source(source, message):
    with pytest.raises(InputError, match=message):
        read(source)

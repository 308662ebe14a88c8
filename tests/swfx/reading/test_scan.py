"""The compiled scan is held to its readable twin, then to literals."""

import inspect
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from swfx import FIELDS
from swfx.kernels import scan as kernels
from swfx.reading.lines import LineError, parse_line
from swfx.reading.scan import scan
from swfx.reading.survey import survey
from swfx.writer import to_bytes
from tests.reference import scan as twin
from tests.strategies import raw_workloads

WHOLE = np.array([field.dtype == "int64" for field in FIELDS])
LINE = b"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18"
SHARED = ("locate", "count_fields", "parse")

digits = st.text("0123456789", max_size=21)
decimals = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "", "-", "+"]),
    digits,
    st.sampled_from(["", "."]),
    digits,
    st.sampled_from(["", "", "e3", "E-7", "e+20", "e-30", "e", "e99999999999999999999"]),
)
oddities = st.sampled_from(
    ["nan", "inf", "-", ".", "1_0", "0x1", "1.5", "18446744073709551616", "é"]
)
tokens = st.integers(-1, 10**6).map(str) | decimals | oddities
gaps = st.sampled_from([" ", "\t", "  "])
marks = st.sampled_from([[], [], [";"], [";", ";"]])
lines = st.builds(
    lambda row, mark, gap: gap.join([*row[:18], *mark, *row[18:]]),
    st.lists(tokens, min_size=15, max_size=27),
    marks,
    gaps,
)
texts = st.lists(
    st.tuples(
        st.sampled_from(["", " ", "\t", "\r"]),
        lines | st.just("") | st.text(max_size=5).map(";".__add__) | st.just(LINE.decode()),
        st.sampled_from(["\n", "\r\n", " \n"]),
    ).map("".join),
    max_size=6,
).map("".join)
workload_texts = raw_workloads(max_jobs=3).map(to_bytes)


@st.composite
def mutated_texts(draw: st.DrawFn) -> bytes:
    text = bytearray(draw(texts.map(str.encode) | workload_texts))
    for _ in range(draw(st.integers(0, 3))):
        if text:
            place = draw(st.integers(0, len(text) - 1))
            text[place : place + draw(st.integers(0, 2))] = draw(st.binary(max_size=2))
    return bytes(text)


def scanned(module, text: bytes, extended: bool, extra: int):
    """Everything the functions of `module` find in `text`."""
    buffer = np.frombuffer(text, np.uint8)
    lines = text.count(b"\n") + 1
    room = [np.zeros(lines, np.int64) for _ in range(5)]
    jobs, comments = module.locate(buffer, *room)
    places = [column[:jobs] for column in room[:3]]
    comment_places = [column[:comments] for column in room[3:]]
    fields = np.zeros(jobs, np.int32)
    module.count_fields(buffer, *places[1:], fields)
    ints = np.zeros((WHOLE.sum(), jobs), np.int64)
    floats = np.zeros(((~WHOLE).sum() + (2 + extra) * extended, jobs))
    points, longer, asked = np.zeros(jobs, np.int64), np.zeros(jobs, bool), np.zeros(jobs, bool)
    times, values = np.zeros(fields.sum() // 2), np.zeros(fields.sum() // 2)
    used = module.parse(
        buffer, *places[1:], WHOLE, ints, floats, extended, extra, points, times, values, longer,
        asked,
    )  # fmt: skip
    ints[:, asked] = 0
    floats[:, asked] = 0
    columns = [*places, *comment_places, fields, ints, floats, points, longer, asked]
    return [lines, jobs, comments, used, *(c.tolist() for c in columns),
            times[:used].tolist(), values[:used].tolist()]  # fmt: skip


@pytest.mark.parametrize("name", SHARED)
def test_twin_has_the_same_parameters(name):
    kernel = getattr(kernels, name)
    compiled = inspect.signature(getattr(kernel, "py_func", kernel)).parameters
    assert list(compiled) == list(inspect.signature(getattr(twin, name)).parameters)


@given(mutated_texts(), st.booleans(), st.integers(0, 2))
@example(LINE + b" 19 20 1 21 22", True, 0)
@example(LINE + b" 19 20 1 21 22 23 24", True, 2)
@example(LINE + b" 19 20 0 21", True, 1)
@example(LINE + b" 19 20 3 21 22 23 24", True, 0)
@example(LINE + b" ; 19 20 1 21 22", True, 0)
@example(LINE + b" ; ; 19 20 0", True, 0)
@example(LINE + b" ;19 20 0", True, 0)
@example(LINE + b" ; ", True, 0)
@example(LINE + b" ; 19", False, 0)
@example(LINE + b"\r\n\r\r\n \r", False, 0)
def test_scan_equals_its_twin(text, extended, extra):
    assert scanned(kernels, text, extended, extra) == scanned(twin, text, extended, extra)


@given(decimals | oddities | st.floats(0, 2**53).map(repr))
@example("18446744073709551616")
@example("9007199254740993")
@example("0.30000000000000004")
@example("4503599627370497.5")
@example("4503599627370496.5")
@example("0.0013404594957241675")
@example("9999999999999999999e-27")
@example("1e-28")
@example("0e-23")
def test_number_equals_its_twin_and_is_correctly_rounded(token):
    text = token.encode()
    _, value, read = kernels.number(np.frombuffer(text + b" ", np.uint8), 0, len(text))
    assert (value if read else None) == twin.number(text)
    if read:
        assert value == float(Fraction(token))


@given(mutated_texts(), st.booleans(), st.integers(0, 2))
def test_compiled_scan_and_python_read_the_same_lines(text, extended, extra):
    """A line the kernel reads is sound in Python too, with the same numbers."""
    found = scanned(kernels, text, extended, extra)
    jobs = found[1]
    begin, end, ints, floats, asked = found[5], found[6], found[10], found[11], found[14]
    for row in range(jobs):
        line = text[begin[row] : end[row]].decode("utf-8", "surrogateescape")
        if not asked[row]:
            job = parse_line(line, extended, ("soft_estimate", "confidence")[:extra])
            assert [c[row] for c in ints] == np.array(job.fields)[WHOLE].tolist()
            expected = [*np.array(job.fields)[~WHOLE], *job.further]
            assert [c[row] for c in floats] == expected


def all_rows(text: bytes, **options):
    return scan(survey(text), tuples=options.pop("tuples", False), keep_going=True, **options)


def test_all_layouts_of_a_line_read_the_same():
    plain = LINE + b"\n"
    expected = all_rows(plain).workload()
    for text in (
        LINE,
        LINE.replace(b" ", b"\t") + b"\r\n",
        b"\n  \n\t" + LINE.replace(b" ", b"   ") + b"  \n\n",
        LINE.replace(b" 6 ", b" 6.00 ").replace(b" 7 ", b" +7 ") + b"\n",
        LINE.replace(b" 10 ", b" 1e1 ").replace(b" 9 ", b" 90E-1 ") + b"\n",
        LINE.replace(b" 5 ", b" 5.0 ").replace(b" 18", b" 018.") + b"\n",
    ):
        assert all_rows(text).workload() == expected


def test_hard_numbers_reach_their_place_through_python():
    hard = LINE.replace(b" 6 ", b" 0.000000000000000000001234567890123456789 ")
    result = all_rows(LINE + b"\n" + hard + b"\n" + LINE)
    assert not result.faults
    assert result.workload().cpu_time.tolist() == [6, 1.234567890123456789e-21, 6]


def test_hard_numbers_in_curves_reach_their_place_through_python():
    head = b"; SWFX: 1.0\n"
    easy, hard = b" -1 -1 2 0 9 5 0\n", b" -1 -1 3 0 9 1e-40 8 3 7\n"
    table = all_rows(head + LINE + easy + LINE + hard + LINE + easy).workload().utility
    assert [curve.times.tolist() for curve in map(table.__getitem__, range(3))] == [
        [0, 5], [0, 1e-40, 3], [0, 5],
    ]  # fmt: skip


def test_tuples_are_read_when_asked_for():
    text = LINE + b" (0,100) ( 3600 , 0 )\n" + LINE + b"\n"
    table = all_rows(text, tuples=True).workload().utility
    assert table[0].times.tolist() == [0, 3600]
    assert table[0].values.tolist() == [100, 0]
    assert table[1] is None
    assert not all_rows(text).workload().has_utilities


def test_faulty_rows_are_left_out_and_all_are_known():
    text = LINE + b"\n1 2\n" + LINE + b"\n" + LINE.replace(b"4", b"x", 1) + b"\n"
    result = all_rows(text)
    assert {row: fault.rule for row, fault in result.faults.items()} == {
        1: "too-few-fields",
        3: "not-a-number",
    }
    assert len(result.workload()) == 2


def test_python_alone_reads_a_line_of_text():
    with pytest.raises(LineError, match=r"run \(4\): is not a decimal number: 'x'"):
        parse_line("1 2 3 x", extended=False)

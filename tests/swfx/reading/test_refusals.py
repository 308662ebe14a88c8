"""Every refusal of the reader, word for word: file, line, field, remedy."""

import io
from pathlib import Path
from typing import BinaryIO

import pytest

from swfx import InputError, read
from tests.swfx.malformed import GOOD, HEADER, MALFORMED, Malformed

MEND = "correct the line, or use standard cleaning"


def refusal(source, **options) -> str:
    with pytest.raises(InputError) as caught:
        read(source, **options)
    return str(caught.value)


def test_there_are_at_least_forty_cases():
    assert len({case.content for case in MALFORMED}) >= 40


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: case.name)
def test_malformed_file(case: Malformed, tmp_path: Path):
    path = case.write_to(tmp_path)
    assert refusal(path) == case.expected(path)
    assert "\n" not in refusal(path)


@pytest.mark.parametrize(
    ("field", "token", "message"),
    [
        (2, b"-1", "field submit (2): the submit time is negative: -1"),
        (4, b"-2.5", "field run (4): the run time is negative: -2.5"),
        (5, b"0", "field processors (5): allocated processors are unknown: 0"),
        (5, b"9", "field processors (5): the job is wider than the machine: 9 of 8 processors"),
        (8, b"-1", "field requested_processors (8): requested processors are unknown: -1"),
    ],
)
def test_strict_reading(field, token, message):
    tokens = GOOD.split()
    tokens[field - 1] = token
    text = HEADER + GOOD + b"\n" + b" ".join(tokens)
    assert refusal(io.BytesIO(text), cleaning="strict") == f"stream:3: {message}; {MEND}"


def test_strict_reading_without_any_processors():
    text = HEADER + GOOD.replace(b" 4 ", b" -1 ")
    assert refusal(io.BytesIO(text), cleaning="strict") == (
        "stream:2: field processors (5): neither allocated nor requested processors are known: -1;"
        f" {MEND}"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"jobs": slice(5, 9)},
            ("field jobs: positions 5:9 select none of 1 job lines;"
            " give A:B, counted from 0, B excluded"),
        ),
        (
            {"jobs": slice(0, 9, 2)},
            ("field jobs: job lines cannot be selected with step 2;"
            " give A:B, counted from 0, B excluded"),
        ),
        (
            {"machine_size": 0},
            ("field machine_size: machine size 0 is impossible;"
            " give the processors of the machine, 1 or more"),
        ),
        (
            {"cleaning": "spotless"},
            "unknown cleaning 'spotless'; choose from standard, strict, lenient, none",
        ),
    ],
)  # fmt: skip
def test_options(options, message):
    assert refusal(io.BytesIO(GOOD), **options).removeprefix("stream: ") == message


def test_tuples_that_are_none():
    text = GOOD + b" {1,2} q_1d\n"
    assert refusal(io.BytesIO(text), tuples=True) == (
        "stream:1: field utility: is not a (time,value) tuple: '{1,2} q_1d';"
        " correct the line, or read leniently to drop it"
    )


@pytest.mark.parametrize(
    ("tuples", "message"),
    [
        (b"(0,9) (x,0)", "field utility time 2: is not a decimal number: 'x'"),
        (b"(0,9) (60,inf)", "field utility value 2: is not finite: 'inf'"),
        (b"(0,9) (60,10)", "field utility value 2: values must not increase: 10"),
        (b"(5,9) (60,8)", "field utility time 1: the first time must be 0: 5"),
    ],
)
def test_tuples_that_are_no_utility_function(tuples, message):
    expected = f"stream:2: {message}; correct the line, or read leniently to drop it"
    assert refusal(io.BytesIO(HEADER + GOOD + b" " + tuples), tuples=True) == expected


REMEDY = "give the path of a readable file, or - for standard input"


def test_missing_file(tmp_path):
    path = tmp_path / "a.swf"
    assert refusal(path) == f"{path}: cannot be read: no such file or directory; {REMEDY}"


def test_path_that_is_none():
    assert refusal("a\0b") == f"a\0b: cannot be read: embedded null byte; {REMEDY}"


def test_directory(tmp_path):
    assert refusal(tmp_path) == f"{tmp_path}: cannot be read: is a directory; {REMEDY}"


def test_file_without_permission(tmp_path, monkeypatch):
    def deny(path: Path, mode: str) -> BinaryIO:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", deny)
    path = tmp_path / "a.swf"
    assert refusal(path) == f"{path}: cannot be read: permission denied; {REMEDY}"


def test_text_stream():
    assert refusal(io.StringIO("1 2")) == "stream: is a text stream; open it in binary mode"


def test_strict_reading_refuses_a_number_that_comes_again():
    other = GOOD.replace(b"1 ", b"2 ", 1)
    unknown = GOOD.replace(b"1 ", b"-1 ", 1)
    text = HEADER + b"\n".join((GOOD, other, unknown, unknown, GOOD, GOOD))
    message = "stream:6: field job_id (1): is the number of a job above, too: 1"
    remedy = "give each job its own, or use standard cleaning"
    assert refusal(io.BytesIO(text), cleaning="strict") == f"{message}; {remedy}"
    assert len(read(io.BytesIO(text)).workload) == 6


def test_strict_reading_names_a_case_above_a_number_that_comes_again():
    case = GOOD.replace(b" 4 ", b" -1 ")
    text = HEADER + b"\n".join((GOOD, case, GOOD))
    assert "stream:3: field processors" in refusal(io.BytesIO(text), cleaning="strict")
    text = HEADER + b"\n".join((GOOD, GOOD, case))
    assert "stream:3: field job_id" in refusal(io.BytesIO(text), cleaning="strict")

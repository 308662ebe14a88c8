from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from swfx import InputError
from swfx.base.csv_columns import CsvColumns, read_columns


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def columns(folder: Path, text: str) -> CsvColumns:
    (folder / "x.csv").write_text(text, "utf-8")
    return read_columns("x.csv")


def test_rows_by_column_with_their_lines(folder: Path) -> None:
    made = columns(folder, '\ufeff job , t\n1,2.5\n\n"3\n", 1e3\r\n-4,0\n')

    assert made.whole("job").tolist() == [1, 3, -4]
    assert made.numbers("t").tolist() == [2.5, 1000, 0]
    assert made.line.tolist() == [2, 5, 6]
    assert len(made) == 3


def test_packed_files_are_unpacked(folder: Path) -> None:
    (folder / "x.csv.gz").write_bytes(gzip.compress(b"job\n7\n"))

    assert read_columns("x.csv.gz").whole("job").tolist() == [7]


def test_optional_columns(folder: Path) -> None:
    made = columns(folder, "a,b\n1, \n2,5\n")

    assert made.optional("b", 9).tolist() == [9, 5]
    assert made.optional("c", 9).tolist() == [9, 9]


def test_a_header_alone_has_no_rows(folder: Path) -> None:
    made = columns(folder, "a,b\n")

    assert len(made) == 0
    assert made.numbers("a").tolist() == []


def test_the_label_knows_the_file_again(folder: Path) -> None:
    made = columns(folder, "a\n")

    # printf 'a\n' | sha256sum
    assert made.label == "x.csv (sha256 87428fc522803d31)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n\n1,x\n", "x.csv:4: field b: 'x' is not a finite number of at most 2^53"),
        ("a,b\n1,nan\n", "x.csv:2: field b: 'nan' is not a finite number"),
        ("a,b\n1,-inf\n", "x.csv:2: field b: '-inf' is not a finite number"),
        ("a,b\n1,1e16\n", "x.csv:2: field b: '1e16' is not a finite number of at most 2^53"),
        ("a,b\n1,\n", "x.csv:2: field b: '' is not a finite number of at most 2^53 in magnitude;"),
        ("a,b\n1.5,1\n", "x.csv:2: field a: '1.5' is not a whole number of at most 2^53"),
        ("a,b\n123_4,1\n", "x.csv:2: field a: '123_4' is not a whole number of at most 2^53"),
        ("a,b\n1,1_0\n", "x.csv:2: field b: '1_0' is not a finite number"),
        (
            "a,b\n99999999999999999999,1\n",
            "x.csv:2: field a: '99999999999999999999' is not a",
        ),
        ("a,b\n1,2\n3\n", "x.csv:3: 1 cells for 2 columns; separate cells by commas, and leave"),
        ("a,b\n1,2,3\n", "x.csv:2: 3 cells for 2 columns"),
        ("a, a\n1,2\n", "x.csv:1: two columns are named 'a'; name one anew"),
        ("a\n1\n", "x.csv: field b: is missing; head the columns a,b; there may be c, too"),
        ("a,b,d\n", "x.csv: field d: is no column of such a file; head the columns a,b"),
        ("", "x.csv: field a: is missing; head the columns a,b"),
        ("a,b\n" + "1," + "2" * 200_000 + "\n", "x.csv:2: field larger than field limit"),
    ],
)
def test_refusals_by_line_and_field(folder: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        used(columns(folder, text))

    assert message in str(error.value)


def used(made: CsvColumns) -> None:
    made.require(("a", "b"), ("c",))
    made.whole("a")
    made.numbers("b")


def test_files_that_are_no_csv(folder: Path) -> None:
    (folder / "latin.csv").write_bytes(b"a\n\xe9\n")
    (folder / "cut.csv.gz").write_bytes(gzip.compress(b"a\n" * 999)[:-9])
    for name, message in (
        ("latin.csv", "latin.csv: is not UTF-8 text; give a CSV file"),
        ("none.csv", "none.csv: cannot be read: no such file or directory; give a CSV file"),
        (".", ".: cannot be read: is a directory; give a CSV file"),
        ("a\0b", "cannot be read: embedded null byte; give a CSV file"),
        ("cut.csv.gz", "cut.csv.gz: is truncated or broken compressed data"),
    ):
        with pytest.raises(InputError) as error:
            read_columns(name)
        assert message in str(error.value)

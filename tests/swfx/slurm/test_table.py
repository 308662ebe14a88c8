from __future__ import annotations

from collections.abc import Iterator
from time import process_time

import pytest

from swfx.accounting.table import Row
from swfx.accounting.text import LogText
from swfx.slurm.table import SacctTable, read_table

NAMES = "JobID|JobName|Submit|Comment"
JOB = "1|cfd|2024-03-01T08:00:00|"
TIME = "2024-03-01T08:00:00"
LONG = "JobID|User|Account|JobName|Submit|State|AllocCPUS|Comment|SubmitLine"


def job(number: int, *, name: str = "cfd", comment: str = "", command: str = "sbatch x") -> str:
    return f"{number}|ann|bio|{name}|2024-03-01T08:00:00|COMPLETED|4|{comment}|{command}"


def read_lines(*lines: str) -> SacctTable:
    return read_table(LogText(["\n".join(lines).encode()], "log"))


def numbers_of(table: SacctTable) -> list[str]:
    return [row.cells[table.columns.position("JobID")] for row in rows_of(table)]


def rows_of(table: SacctTable) -> list[Row]:
    return [
        Row(int(line), [column[place] for column in part.cells])
        for part in table.tables
        for place, line in enumerate(part.line)
    ]


@pytest.mark.parametrize("separator", ["|", ";", ",", "\t", "~~", "^"])
def test_any_separator(separator: str) -> None:
    data = f"{NAMES}\n{JOB}\n".replace("|", separator).encode()

    table = read_table(LogText([data], "log"))

    assert table.columns.names == ("JobID", "JobName", "Submit", "Comment")
    assert [row.cells for row in rows_of(table)] == [["1", "cfd", "2024-03-01T08:00:00", ""]]


def test_names_of_columns_may_come_again() -> None:
    table = read_table(LogText([f"{NAMES}\n{JOB}\n\n{NAMES}\n{JOB}\n".encode()], "log"))

    assert [row.line for row in rows_of(table)] == [2, 5]
    assert (table.listing.lines, table.listing.records, table.listing.comment_lines) == (5, 2, 3)


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("1|a|b|2024-03-01T08:00:00|", ["1", "a|b", "2024-03-01T08:00:00", ""]),
        (r"1|a\|b|2024-03-01T08:00:00|", ["1", "a|b", "2024-03-01T08:00:00", ""]),
        ("1|a|2024-03-01T08:00:00|x|y|", ["1", "a", "2024-03-01T08:00:00", "x|y|"]),
    ],
)
def test_a_text_with_the_separator(line: str, cells: list[str]) -> None:
    table = read_table(LogText([f"{NAMES}\n{line}\n".encode()], "log"))

    assert [row.cells for row in rows_of(table)] == [cells]
    assert table.listing.report(kept=1).lines_of("separator-in-text").tolist() == [2]


def test_a_text_with_line_breaks() -> None:
    lines = ("1|cfd|2024-03-01T08:00:00|srun a", "srun b", "", "2|x|2024-03-01T08:00:00|")
    wrapped = ("3|a", "b|2024-03-01T08:00:00|")

    table = read_table(LogText(["\n".join((NAMES, *lines, *wrapped)).encode()], "log"))

    rows = rows_of(table)
    assert [row.line for row in rows] == [2, 5, 6]
    assert (rows[0].cells[3], rows[2].cells[1]) == ("srun a", "a")
    report = table.listing.report(kept=3)
    assert report.counts() == {"line-break-in-text": 1, "not-a-record": 1}
    assert report.lines_of("not-a-record").tolist() == [3]
    assert report.lines_of("line-break-in-text").tolist() == [7]


def test_a_command_may_go_on_to_the_next_record() -> None:
    lines = ("JobID|Submit|SubmitLine", "1|2024-03-01T08:00:00|sbatch --wrap a", "b | wc", "c")

    table = read_table(LogText(["\n".join(lines).encode()], "log"))

    assert [row.cells[2] for row in rows_of(table)] == ["sbatch --wrap a\nb | wc\nc"]
    assert table.listing.report(kept=1).lines_of("line-break-in-text").tolist() == [3, 4]


@pytest.mark.parametrize("garbage", ["\\\\|", "x|y", "no record"])
def test_lines_that_belong_to_no_record_do_not_take_the_one_above_with_them(garbage: str) -> None:
    data = f"JobID|JobName|Submit|NCPUS\n1|a|b|2024-03-01T08:00:00|4\n{garbage}\n".encode()

    table = read_table(LogText([data], "log"))

    assert [row.cells for row in rows_of(table)] == [["1", "a|b", "2024-03-01T08:00:00", "4"]]
    assert table.listing.report(kept=1).lines_of("not-a-record").tolist() == [3]


def test_a_record_that_stays_too_short_is_refused_with_all_its_lines() -> None:
    table = read_table(LogText([f"{NAMES}\n{JOB}\n1|a\nb\n".encode()], "log"))

    assert [row.line for row in rows_of(table)] == [2]
    report = table.listing.report(kept=1)
    assert report.lines_of("too-few-fields").tolist() == [3]
    assert report.lines_of("not-a-record").tolist() == [4]


def test_a_record_may_be_the_rest_of_the_name_of_one_that_breaks_off() -> None:
    table = read_table(LogText([f"{NAMES}\n{JOB}\n1|a\nb\n{JOB}\n{JOB}\n".encode()], "log"))

    assert [row.line for row in rows_of(table)] == [2, 6]
    report = table.listing.report(kept=2)
    assert report.lines_of("ambiguous-separator").tolist() == [3, 4, 5]


@pytest.mark.parametrize("rest", ["error: y", "#y", "info: y", "slurm: error: y", "---"])
@pytest.mark.parametrize("column", ["name", "comment"])
def test_a_text_that_goes_on_like_a_message(rest: str, column: str) -> None:
    text = f"x\n{rest}"
    broken = job(2, name=text) if column == "name" else job(2, comment=text)
    table = read_lines(LONG, job(1), broken, job(3))

    assert numbers_of(table) == ["1", "2", "3"]
    assert table.listing.report(kept=3).counts() == {"line-break-in-text": 1}


def test_a_name_in_the_first_column_that_reads_like_a_message() -> None:
    table = read_lines("JobName|JobID|Submit", "error: x|1|2024-03-01T08:00:00")

    assert numbers_of(table) == ["1"]


@pytest.mark.parametrize(
    "script",
    ["JobID|User|Elapsed", f"{LONG}\necho", "JobID|Submit|Start|End\n1", "JobID|Submit\n3|x"],
)
def test_a_command_that_holds_names_of_columns(script: str) -> None:
    table = read_lines(LONG, job(1), job(2, command=f'sbatch --wrap "\n{script}\n"'), job(3))

    rows = [row.cells for row in rows_of(table) if row.cells[0] != "JobID"]
    assert [cells[0] for cells in rows] == ["1", "2", "3"]
    assert rows[-1] == job(3).split("|")


def test_the_columns_of_a_further_export() -> None:
    other = "JobID|Submit|Start|End|NCPUS"
    times = "|".join(["2024-03-01T08:00:00"] * 3)

    table = read_lines(LONG, job(1), other, other, "(0 rows)", f"2|{times}|4", f"3|{times}|4")

    assert [row.cells[0] for row in rows_of(table)] == ["1", "2", "3"]


def test_a_record_does_not_go_on_in_another_file() -> None:
    files = [f"{LONG}\n{job(1)}\n2|ann|bio|cut\n", "17 | x\n", f"{LONG}\n{job(3)}\n"]
    joined = _Files(files)

    table = read_table(LogText(joined, "log"))

    assert numbers_of(table) == ["1", "3"]
    report = table.listing.report(kept=2)
    assert report.counts() == {"too-few-fields": 1, "not-a-record": 1}


def test_a_file_without_records_has_columns_of_its_own() -> None:
    files = _Files([f"{LONG}\n{job(1)}\n", "JobID|Submit\n", f"JobID|Submit|User\n2|{TIME}|a\n"])

    assert [row.cells[0] for row in rows_of(read_table(LogText(files, "log")))] == ["1", "2"]


@pytest.mark.parametrize("number", ["job_17", "9" * 18, "1x"])
@pytest.mark.parametrize("above", [job(1), job(1, name="a|b"), f"{job(1)}\nx"])
@pytest.mark.parametrize("columns", [9, 8, 7])
def test_a_record_without_a_number_is_no_part_of_the_one_above(
    number: str, above: str, columns: int
) -> None:
    def cut(line: str) -> str:
        return line if line == "x" else line.rsplit("|", 9 - columns)[0]

    unreadable = job(0, name="c|d", comment="see").replace("0", number, 1)
    lines = (LONG, *above.split("\n"), unreadable, job(3, name="a|b"))
    table = read_lines(*map(cut, lines))

    rows = rows_of(table)
    assert [row.cells[0] for row in rows if row.cells[0] != number] == ["1", "3"]
    assert rows[0].cells[:5] == ["1", "ann", "bio", rows[0].cells[3], TIME]


@pytest.mark.parametrize("lines", [300, 20_000])
def test_very_many_lines_with_separators_behind_a_command(lines: int) -> None:
    begin = process_time()
    table = read_lines(LONG, job(1), *["jun|k li|ne"] * lines, job(3))

    assert numbers_of(table) == ["1", "3"]
    assert process_time() - begin < 5


def test_lines_that_may_be_parted_in_too_many_ways_are_refused() -> None:
    lines = ["1|" * (place % 15) for place in range(2, 300)]
    table = read_lines(LONG, job(1), *lines, job(3))

    assert len(rows_of(table)) < 10
    assert table.listing.report(kept=1).counts()["ambiguous-separator"] > 100


@pytest.mark.parametrize("message", ["sacct: error: lost connection", "slurmdb_conn: a|b"])
@pytest.mark.parametrize("columns", [9, 8, 7, 2])
def test_a_message_behind_a_record_that_is_cut(message: str, columns: int) -> None:
    heading, *jobs = ["|".join(line.split("|")[:columns]) for line in (LONG, job(1), job(3))]
    whole = job(2).split("|")
    for place in range(1, min(columns, 7)):
        cut = "|".join(whole[:place])
        table = read_lines(heading, jobs[0], f"{cut}|20{message}", jobs[1])

        # from the name on, a name may hold the message and go on with the next record
        pieces = place + 1 + message.count("|")
        is_name = place >= 3 and pieces < columns
        assert numbers_of(table) == (["1"] if is_name else ["1", "3"]), cut
        rules = {"ambiguous-separator": 2} if is_name else {"not-a-record": 1}
        assert table.listing.report(kept=2).counts() == rules


@pytest.mark.parametrize("message", ["sacct: error: lost connection", "slurmdb_conn: a|b"])
def test_a_message_of_slurm_within_a_text(message: str) -> None:
    names = (job(2, name=message), job(3, name=f"x\ny {message}\nz"))
    texts = (*names, job(4, comment=f"{message}\nx"))
    table = read_lines(LONG, job(1), *texts, job(5, command=f"sbatch {message}"), job(6))

    assert numbers_of(table) == ["1", "2", "3", "4", "5", "6"]


class _Files:
    """Texts of files, one after the other."""

    def __init__(self, texts: list[str]) -> None:
        self.files: list[tuple[str, int]] = []
        self._texts = texts

    def __iter__(self) -> Iterator[bytes]:
        lines = 0
        for text in self._texts:
            self.files.append(("file", lines))
            yield text.encode()
            lines += text.count("\n")

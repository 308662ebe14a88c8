from __future__ import annotations

import csv
import io

from tests.utilitysched.report.tables.small import TABLE
from utilitysched.report.tables import Column, ResultTable, csv_text


def test_numbers_are_whole_and_intervals_have_columns() -> None:
    assert csv_text(TABLE) == (
        "candidate,mean_wait_s,share,ratio,low,high\n"
        "easy,5372.25,0.3333333333333333,1.0,,\n"
        "ga:a_b=-1|x,-822.0,,1.163821,1.10213,1.23021\n"
        "none,,0.5,,,\n"
    )


def test_a_missing_cell_leaves_all_its_fields_empty() -> None:
    table = ResultTable((Column("x"), Column("p", fields=("p", "n")), Column("y")), [(1, None, 2)])

    assert csv_text(table) == "x,p,n,y\n1,,,2\n"


def test_names_with_commas_and_quotes_come_back() -> None:
    name = 'ga:a=1,b="2"\nand more'

    rows = list(csv.reader(io.StringIO(csv_text(ResultTable((Column("x"),), [(name,)])))))

    assert rows == [["x"], [name]]

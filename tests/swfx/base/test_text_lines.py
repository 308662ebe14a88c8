import numpy as np

from swfx.base.text_lines import constant_column, joined, number_column, text_column


def test_lines_of_columns():
    columns = [
        number_column(np.array([1, 20, 300])),
        constant_column(";", 3),
        number_column(np.array([1.0, 0.25, np.nan]), pointed=True),
        text_column(["0-7 9", "", "3"]),
        number_column(np.array([2.0, 5.0, 6.5]), np.array([2, 2, 3])),
    ]
    assert joined(columns, ",") == b"1,;,1.0,0-7 9,2 5\n20,;,0.25,,\n300,;,,3,6.5\n"

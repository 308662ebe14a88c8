"""Tables of results: made once, written for terminals, programs, pages and papers."""

from collections.abc import Callable
from typing import NamedTuple

from utilitysched.analysis.documents import Column, ResultTable
from utilitysched.report.tables.formats import csv_text, latex, markdown
from utilitysched.report.terminal import print_table


class Format(NamedTuple):
    """A file format of tables.

    Attributes
    ----------
    suffix : str
        Of the file.
    render : callable
        From the table to the file's text.
    """

    suffix: str
    render: Callable[[ResultTable], str]


FORMATS = {
    "csv": Format(".csv", csv_text),
    "markdown": Format(".md", markdown),
    "latex": Format(".tex", latex),
}

__all__ = [
    "FORMATS",
    "Column",
    "Format",
    "ResultTable",
    "csv_text",
    "latex",
    "markdown",
    "print_table",
]

"""Descriptions as pages in HTML that need nothing but themselves."""

from pathlib import Path

from utilitysched.analysis.documents import Description
from utilitysched.report.templating import render, write_html

WIDE = 6
"""Columns from which a table takes the whole width."""


def write_page(description: Description, path: Path) -> None:
    """Write a description as a page, whole or not at all; ``-`` is standard output.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    write_html(page(description), path)


def page(description: Description) -> str:
    """Return a description as HTML without scripts, and without references to anything else."""
    return render(
        "description.html", title=description.title, panels=description.panels, widest=WIDE
    )

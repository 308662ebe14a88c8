"""Pages in HTML: descriptions, and what else has a template; each needs nothing but itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from swfx.base.atomic import atomic_write
from utilitysched.analysis.documents import Description, Panel, ResultTable, ValueChart
from utilitysched.report.visible import plain

if TYPE_CHECKING:
    from utilitysched.report.charts.picture import Picture

LONG = 8
"""Rows from which a table can be sorted and filtered."""

WIDE = 6
"""Columns from which a table takes the whole width."""


def render(template: str, **values: object) -> str:
    """Return a template filled in; texts are escaped, `markupsafe.Markup` is not."""
    return environment().get_template(template).render(**values)


def write_html(text: str, path: Path, *, parents: bool = False) -> Path:
    """Write a page, whole or not at all; ``-`` is standard output.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    if path == Path("-"):
        print(text, end="", file=plain(sys.stdout))
        return path
    with atomic_write(path, parents=parents) as stream:
        stream.write(text.encode(errors="replace"))  # headers hold any bytes
    return path


@cache
def environment(*packages: str) -> Environment:
    """Return the environment of templates: of the named packages first, then of this one."""
    jinja = Environment(
        loader=ChoiceLoader([PackageLoader(each) for each in (*packages, "utilitysched.report")]),
        autoescape=True,
        keep_trailing_newline=True,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    jinja.filters |= {"picture": picture_of, "specification": specification, "image": image}
    jinja.globals |= {"chart_library": chart_library, "script_of": script_of}
    return jinja


# The library of charts takes 0.4 s to load, which pages without any do not need.


def picture_of(chart: ValueChart | Picture) -> Picture:
    """Return the picture of a chart of a document; a picture as it is."""
    if not isinstance(chart, ValueChart):
        return chart
    from utilitysched.report.charts.panels import picture  # noqa: PLC0415

    return picture(chart)


def specification(picture: Picture) -> Markup:
    """Return what `charts.js` draws a picture from, to stand within a page."""
    return data_of(picture.on_page())


def data_of(value: object) -> Markup:
    """Return a value as JSON of which no text ends the element of a script."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c"))


def image(picture: Picture) -> Markup:
    """Return a picture as an element that needs no script: an image within the text."""
    return Markup(picture.element())


def chart_library() -> Markup:
    """Return the script that `charts.js` draws with."""
    from utilitysched.report.charts.picture import library  # noqa: PLC0415

    return Markup(library())


def script_of(name: str) -> Markup:
    """Return a file beside the templates that is none: braces mean something else in scripts."""
    return Markup(files("utilitysched.report").joinpath("templates", name).read_text("utf-8"))


def write_page(description: Description, path: Path) -> None:
    """Write a description as a page, whole or not at all; ``-`` is standard output."""
    write_html(page(description), path)


def page(description: Description) -> str:
    """Return a description as HTML that refers to nothing else; long tables have a script."""
    details = [replace(each, folded=True) for each in description.folded]
    panels, notes = _noted_once([*description.panels, *details])
    return render(
        "description.html",
        title=description.title,
        sentences=description.lead,
        panels=panels,
        notes=notes,
        widest=WIDE,
        sortable=any(isinstance(each, ResultTable) and len(each.rows) >= LONG for each in panels),
        drawn=any(isinstance(each, ValueChart) for each in panels),
    )


def fragment(description: Description) -> str:
    """Return a description as HTML for a page with a style of its own, a notebook's."""
    return render(
        "fragment.html", sentences=description.lead, panels=description.panels, widest=WIDE
    )


def _noted_once(panels: Sequence[Panel]) -> tuple[list[Panel], list[str]]:
    """Return panels without the notes that several have, and those notes."""
    every = [note for each in panels for note in getattr(each, "notes", ())]
    shared = [note for note in dict.fromkeys(every) if every.count(note) > 1]
    kept = [
        replace(each, notes=[note for note in each.notes if note not in shared])
        if isinstance(each, ResultTable)
        else each
        for each in panels
    ]
    return kept, shared

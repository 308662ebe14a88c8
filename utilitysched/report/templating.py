"""Pages in HTML from the templates of this package; each needs nothing but itself."""

from __future__ import annotations

import sys
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from swfx.base.atomic import atomic_write
from utilitysched.report.svg import drawing, intervals, lines, maps
from utilitysched.report.visible import plain


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
    """Return what fills in the templates of this package, and those of other packages first."""
    found = Environment(
        loader=ChoiceLoader([PackageLoader(each) for each in (*packages, "utilitysched.report")]),
        autoescape=True,
        keep_trailing_newline=True,
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    found.filters |= {"drawing": drawing, "intervals": intervals, "lines": lines, "maps": maps}
    found.globals["script_of"] = script_of
    return found


def script_of(name: str) -> Markup:
    """Return a file beside the templates that is none: braces mean something else in scripts."""
    return Markup(files("utilitysched.report").joinpath("templates", name).read_text("utf-8"))

"""Objects that show themselves in notebooks, and plot themselves."""

from __future__ import annotations

from importlib import import_module
from typing import Any

VIEWS, CHARTS = "utilitysched.report.views", "utilitysched.report.notebook"
"""Modules that show and draw. They may import all that is drawn, so nothing here imports them: they
are asked for by name once something is to be seen."""


class Displayed:
    """An object with a short text, a view in HTML for notebooks, and a plot."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = import_module(VIEWS).html(self)
        return html

    def plot(self, *about: Any, **options: Any) -> Any:
        """Return a plot, which a notebook shows; see `utilitysched.report.notebook.plot`."""
        return import_module(CHARTS).plot(self, *about, **options)

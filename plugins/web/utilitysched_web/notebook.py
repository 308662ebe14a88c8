"""The curve editor in a notebook."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from swfx import InputError, UtilityFunction
from swfx.base.missing import importing
from swfx.base.zones import find_zone
from swfx.families.utilities.points import points_text, read_points

with importing("the curve editor", "anywidget"):
    import anywidget
    from traitlets import Unicode, validate

_STATIC = files("utilitysched_web").joinpath("static")


class CurveEditor(anywidget.AnyWidget):
    """Editor of a utility function below a notebook's cell.

    Parameters
    ----------
    curve : UtilityFunction or str, optional
        What is drawn first, or its points as ``TIME:SU,...``; nothing by default.
    zone : str, default ''
        IANA name of the clock beside the curve; that of the browser by default.

    Attributes
    ----------
    value : str
        Its points, observed and set as any trait; empty before any is drawn.

    Raises
    ------
    InputError
        It is no curve or zone, or anywidget is not installed.

    Examples
    --------
    >>> editor = CurveEditor("0:200,12h:0")
    >>> editor.curve(6 * 3600)
    100.0
    """

    _esm = _STATIC.joinpath("curve-editor.js").read_text("utf-8")
    _css = _STATIC.joinpath("curve-editor.css").read_text("utf-8")
    value = Unicode("").tag(sync=True)
    zone = Unicode("").tag(sync=True)

    def __init__(self, curve: UtilityFunction | str = "", *, zone: str = "", **options: Any):
        text = points_text(curve) if isinstance(curve, UtilityFunction) else curve
        super().__init__(value=text, zone=zone, **options)

    @property
    def curve(self) -> UtilityFunction:
        """The drawn curve.

        Raises
        ------
        InputError
            Nothing is drawn yet.
        """
        if not self.value:
            raise InputError("nothing is drawn yet", remedy="draw a curve, or set one")
        return read_points(self.value)

    @curve.setter
    def curve(self, curve: UtilityFunction) -> None:
        self.value = points_text(curve)

    @validate("zone")
    def _known(self, proposal: dict[str, str]) -> str:
        if proposal["value"]:
            find_zone(proposal["value"], "zone")
        return proposal["value"]

    @validate("value")
    def _checked(self, proposal: dict[str, str]) -> str:
        if proposal["value"]:
            read_points(proposal["value"])
        return proposal["value"]

"""Altair's charts in notebooks: shown without network, and in the look of all other charts."""

from __future__ import annotations

import base64
import json
from typing import Any

import altair as alt
import vl_convert

from utilitysched.report.charts.look import configuration, with_colours

NAME = "utilitysched"
"""Of the renderer and of the theme."""

VEGA_LITE = "application/vnd.vegalite.v5+json"
"""What JupyterLab and VS Code draw with scripts of their own; none draws version 6 yet."""

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
PNG = "image/png"

WIDTH, HEIGHT = 640, 260
"""Of what lies between the scales (pixels)."""

SCALE = 2
"""Pixels of the PNG for each of the chart."""


def show_offline() -> None:
    """Show Altair's charts by this module, unless another renderer or theme was chosen."""
    if alt.renderers.active == "default":
        alt.renderers.enable(NAME)
    if alt.theme.active == "default":
        alt.theme.enable(NAME)


def mime_bundle(
    specification: dict[str, Any], **_: object
) -> tuple[dict[str, object], dict[str, object]]:
    """Return a chart as Vega-Lite, and as PNG where nothing draws that; and its width (pixels)."""
    png = vl_convert.vegalite_to_png(specification, scale=SCALE)
    width = int.from_bytes(png[16:20]) // SCALE
    shown: dict[str, object] = {
        VEGA_LITE: specification | {"$schema": SCHEMA},
        PNG: base64.b64encode(png).decode(),
        "text/plain": f"<Chart: {specification.get('description', 'by Altair')}>",
    }
    return shown, {PNG: {"width": width}}


@alt.theme.register(NAME, enable=False)
def _look() -> alt.theme.ThemeConfig:
    config = json.loads(with_colours(json.dumps(configuration())))
    config["view"] |= {"continuousWidth": WIDTH, "continuousHeight": HEIGHT}
    return alt.theme.ThemeConfig(config=config)


alt.renderers.register(NAME, mime_bundle)

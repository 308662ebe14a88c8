"""Pictures: charts with their titles, as specifications for pages, and as files."""

from __future__ import annotations

import json
import re
import struct
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import vl_convert
from numpy.typing import ArrayLike

from swfx import InputError
from swfx.base.atomic import write_whole
from swfx.base.options import nearest
from utilitysched.report.charts.look import configuration, with_colours

COLUMN = 3.5 * 72
"""Width of one column of a paper (points)."""

PAGE = 7.16 * 72
"""Width of both columns (points)."""

FORMATS = ("pdf", "svg", "png")

SCREEN, LETTERS_ON_SCREEN = 720.0, 12.0
"""Width of what runs no script, and size of its letters (pixels)."""

LETTERS, LINES = 7.0, 0.6
"""Size of letters on paper (points), and widths of lines beside those on pages."""

DOTS = 300
"""Pixels of an inch of a PNG file."""

PASSES = 3
"""After which a chart of several panels has the width that is wanted, to a point."""

_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')
_CLIP = re.compile(r"\bclip\d+\b")
_NAME = re.compile(rb"\n *+/[a-z]+\d+ \d+ 0 R")
_RESOURCES = re.compile(rb"(?:\n *+/[a-z]+\d+ \d+ 0 R){2,}")
_WIDTH = re.compile(r'<svg [^>]*?width="([\d.]+)"')

Specification = dict[str, Any]


Columns = Mapping[str, ArrayLike | Sequence[Any]]
"""Of the rows of a chart, by name; empty for a page whose script gives the rows."""


def data(name: str, columns: Columns) -> alt.InlineData:
    """Return columns as the data of a chart, under a name by which a page can replace them.

    What is no number (NaN, infinity) is left out of a row.
    """
    texts = [np.asarray(column).tolist() for column in columns.values()]
    rows = [
        {
            key: value
            for key, value in zip(columns, row, strict=True)
            if not isinstance(value, float) or np.isfinite(value)
        }
        for row in zip(*texts, strict=True)
    ]
    inline = alt.InlineData(values=[], name=name)
    inline["values"] = rows  # without a check of each against the schema, which takes longest
    return inline


def columns_of(names: str, rows: Sequence[Sequence[Any]]) -> Columns:
    """Return the columns of rows, by names with spaces between them."""
    return {name: [row[place] for row in rows] for place, name in enumerate(names.split())}


@dataclass(frozen=True)
class Picture:
    """A chart with what is written beside it.

    Attributes
    ----------
    key, title : str
        Name of its file or section, and for people.
    chart : altair.Chart
        Or layers or a concatenation of some; its colours are names of `look`.
    caption : str
        What it shows, in a sentence or two.
    """

    key: str
    title: str
    chart: alt.TopLevelMixin
    caption: str = ""

    def on_page(self) -> Specification:
        """Return the specification for a page: as wide as its place, coloured by style sheets."""
        specification = self._specification()
        del specification["$schema"]  # an address that no page asks for anything
        if "vconcat" not in specification:
            specification["width"] = "container"
            specification["autosize"] = {"type": "fit-x", "contains": "padding"}
        return specification | {"config": configuration()}

    def in_notebook(self) -> alt.TopLevelMixin:
        """Return the chart of Altair, with colours; a theme of `report.notebook` adds the look.

        Without schema, configuration and names of data and signals it can be put beside others.
        """
        with alt.data_transformers.enable(consolidate_datasets=False):
            specification = self._specification()
        del specification["$schema"], specification["config"]
        signals = {each["name"]: str(each["value"]) for each in specification.pop("params", ())}
        unnamed = json.dumps(_unnamed(specification, signals))
        chart: alt.TopLevelMixin = alt.Chart.from_json(with_colours(unnamed))
        return chart

    def element(self, width: float = SCREEN) -> str:
        """Return the picture as an element of HTML, at most so wide (pixels), without a script.

        An image within the text is what sanitised notebooks keep: JupyterLab's of others, GitHub's.
        """
        specification = self._sized(width, LETTERS_ON_SCREEN, 1.0)
        image = b64encode(_svg(specification).encode()).decode()
        words = escape(specification["description"])
        return f'<img alt="{words}" width="{width:g}" src="data:image/svg+xml;base64,{image}">'

    def save(self, path: Path, width: float = COLUMN) -> None:
        """Write the picture, whole or not at all, in the format that the suffix names.

        Parameters
        ----------
        path : Path
            Ends in one of `FORMATS`.
        width : float
            Of the file (points): `COLUMN` or `PAGE`.

        Raises
        ------
        InputError
            The format is unknown or the file cannot be written.
        """
        kind = check_format(path.suffix.removeprefix("."))
        specification = self._sized(width, LETTERS, LINES)
        if kind == "pdf":
            content = _in_order(vl_convert.vegalite_to_pdf(specification))
        elif kind == "png":
            content = squeezed(vl_convert.vegalite_to_png(specification, ppi=DOTS))
        else:
            content = _SIZE.sub(r'width="\1pt" height="\2pt"', _svg(specification), 1).encode()
        write_whole(path, content)

    def _specification(self) -> Specification:
        """Return the chart with what is read to those who cannot see it."""
        specification: Specification = self.chart.to_dict(validate=False)
        sentences = (self.title.rstrip("."), self.caption)
        return specification | {"description": ". ".join(filter(None, sentences))}

    def _sized(self, width: float, letters: float, lines: float) -> Specification:
        """Return the specification for a width (points, or pixels), with colours in place."""
        paper: Specification = self._specification() | {
            "config": configuration(letters=letters, lines=lines),
            "padding": 2,
        }
        paper = dict(json.loads(with_colours(json.dumps(paper))))
        if "vconcat" not in paper:
            return paper | {"width": width, "autosize": {"type": "fit-x", "contains": "padding"}}
        # panels above each other have no common fit: what their scales take is measured
        plot = width
        for _ in range(PASSES):
            for panel in paper["vconcat"]:
                panel["width"] = plot
            drawn = _WIDTH.search(_svg(paper))
            assert drawn is not None
            plot -= float(drawn[1]) - width
        return paper


def _unnamed(part: Any, signals: Mapping[str, str]) -> Any:
    """Return a part of a specification with data without names, and values instead of signals."""
    if isinstance(part, list):
        return [_unnamed(each, signals) for each in part]
    if not isinstance(part, dict):
        return part
    if part.keys() == {"name", "values"}:
        return {"values": part["values"]}
    return {
        key: re.sub(r"\w+", lambda word: signals.get(word[0], word[0]), each)
        if key in ("expr", "labelExpr")
        else _unnamed(each, signals)
        for key, each in part.items()
    }


def above(key: str, title: str, pictures: Sequence[Picture], *, one_scale: bool = False) -> Picture:
    """Return one picture of several above each other, with one legend, for papers.

    Parameters
    ----------
    key, title : str
        Of all together.
    pictures : sequence of Picture
        The name of the data of each is its own.
    one_scale : bool
        Whether all have the same horizontal scale, which is then written below the last one.
    """
    charts: list[Any] = [picture.chart for picture in pictures]
    panels = [chart.copy() for chart in charts]
    for place, panel in enumerate(panels):
        for layer in getattr(panel, "layer", [panel]):
            channels = layer.encoding
            if one_scale and place < len(panels) - 1 and isinstance(channels.x, alt.X):
                channels.x["title"] = None
                channels.x["axis"]["labels"] = False
    captions = dict.fromkeys(picture.caption for picture in pictures)
    return Picture(key, title, alt.vconcat(*panels, spacing=4), " ".join(captions))


def _svg(specification: Specification) -> str:
    """Return SVG whose names of clipped areas do not depend on what was drawn before."""
    svg: str = vl_convert.vegalite_to_svg(specification)
    numbers = {name: f"clip{place}" for place, name in enumerate(dict.fromkeys(_CLIP.findall(svg)))}
    return _CLIP.sub(lambda name: numbers[name[0]], svg)


def _in_order(pdf: bytes) -> bytes:
    """Return a PDF with the names of each dictionary of resources sorted: all are as long."""
    return _RESOURCES.sub(lambda names: b"".join(sorted(_NAME.findall(names[0]))), pdf)


def squeezed(png: bytes) -> bytes:
    """Return a PNG of a third of the size: vl-convert hardly compresses its pixels."""
    at, chunks = 8, []
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        chunks.append((kind, png[at + 8 : at + 8 + length]))
        at += length + 12
    pixels = zlib.decompress(b"".join(content for kind, content in chunks if kind == b"IDAT"))
    return png_of([chunks[0], (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b"")])


def png_of(chunks: Sequence[tuple[bytes, bytes]]) -> bytes:
    """Return a PNG of chunks: their kinds and contents."""
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )


def check_format(name: str) -> str:
    """Return the name of a format in which pictures can be saved.

    Raises
    ------
    InputError
        There is no such.
    """
    if name not in FORMATS:
        raise InputError(f"figures are not saved as {name!r}", remedy=nearest(name, FORMATS))
    return name


GLOBALS = "Object.assign(window, {vegaEmbed});"


@cache
def library() -> str:
    """Return the script that draws specifications in a browser, without network."""
    script: str = vl_convert.javascript_bundle(GLOBALS)
    return script.replace("</script", "<\\/script")

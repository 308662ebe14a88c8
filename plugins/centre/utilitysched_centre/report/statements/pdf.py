"""Invoices on A4 without a browser.

ReportLab sets them: it is Python alone, where WeasyPrint needs Pango and its libraries on the
machine and takes most of a second a page; it reads a font once for all invoices, where fpdf2 reads
and cuts it anew for each. The font is DejaVu, which comes with matplotlib: ReportLab's own ones
have the letters of western Europe only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swfx import InputError
from swfx.base.atomic import write_whole
from utilitysched.analysis.documents import ResultTable
from utilitysched_centre.report.statements.page import InvoicePage

if TYPE_CHECKING:
    from reportlab.platypus import Flowable, Table

REGULAR, BOLD = "DejaVuSans", "DejaVuSans-Bold"

INK, QUIET, RULE, TINT, MARK = "#16202b", "#55606d", "#c9d0d8", "#f2f5f8", "#1d4f80"
WARN, WARN_PAPER = "#8a4b00", "#fff4e0"

MILLIMETRE = 72 / 25.4

WIDTH = 180 * MILLIMETRE
"""Of the text: A4 less margins of 15 mm."""


def require_reportlab() -> None:
    """Refuse to go on without what writes PDF.

    Raises
    ------
    InputError
        It is not installed.
    """
    for name in ("reportlab", "matplotlib"):
        if find_spec(name) is None:
            raise InputError(
                f"invoices as PDF need {name}, which is not installed",
                field="--pdf",
                remedy="pip install 'utilitysched[pdf]', or print the pages of --html",
            )


def write_pdf(page: InvoicePage, path: Path) -> Path:
    """Write an invoice or a credit note as PDF: the same bytes whenever it is written.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    from reportlab.platypus import SimpleDocTemplate  # noqa: PLC0415 - an extra

    _fonts()
    stream = BytesIO()
    margin = 15 * MILLIMETRE
    made = SimpleDocTemplate(
        stream,
        pagesize=(210 * MILLIMETRE, 297 * MILLIMETRE),
        leftMargin=margin,
        rightMargin=margin,
        topMargin=0.8 * margin,
        bottomMargin=0.8 * margin,
        title=page.title,
        author=page.issuer[0],
        invariant=1,
    )
    made.build(list(_story(page)))
    return write_whole(path, stream.getvalue())


@cache
def _fonts() -> None:
    """Make the font known, once."""
    from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415
    from reportlab.pdfbase.ttfonts import TTFont  # noqa: PLC0415

    found = find_spec("matplotlib")
    assert found is not None
    assert found.submodule_search_locations is not None
    folder = Path(found.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"
    for name in (REGULAR, BOLD):
        pdfmetrics.registerFont(TTFont(name, folder / f"{name}.ttf"))
    pdfmetrics.registerFontFamily(REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR)


def _story(page: InvoicePage) -> Iterator[Flowable]:
    issuer, *address = page.issuer
    head = [_text(issuer, 12, colour=MARK, bold=True), _text(" · ".join(address), 7, colour=QUIET)]
    yield _columns([head, [_text(page.kind, 14, right=True)]], (0.6, 0.4), line=MARK)
    if page.warnings:
        yield _space(2)
        yield _warning(" ".join(page.warnings))
    yield _space(3)
    name, *where = page.recipient
    recipient = [_text("To", 7, colour=QUIET), _text(name, 10, bold=True), *map(_text, where)]
    facts = _grid([[_text(a, colour=QUIET), _text(b)] for a, b in page.facts], (0.36, 0.64), 0.56)
    yield _columns([recipient, [facts]], (0.44, 0.56))
    yield from _title(page.heading)
    yield _text(page.about)
    yield _space(1)
    yield _sums(page)
    for each in page.remarks:
        yield _text(f"• {each}")
    if page.account:
        yield from _title(page.account.title)
        if page.account.table:
            yield _table(page.account.table)
        yield _text(page.account.text, 7, colour=QUIET)
    if page.jobs:
        yield from _title("Jobs, the most expensive first")
        yield _table(page.jobs)
        yield _space(1)
        yield _text(f"{page.reasons}. Rules applied: {page.applied}.", 7, colour=QUIET)
    yield _space(3)
    if page.foot:
        blocks = [
            [_text(title, 7, colour=QUIET), *map(_text, lines)] if title else [*map(_text, lines)]
            for title, lines in page.foot
        ]
        yield _columns(blocks, [1 / len(blocks)] * len(blocks))


def _text(
    text: str, size: float = 8.2, *, colour: str = INK, bold: bool = False, right: bool = False
) -> Flowable:
    from reportlab.platypus import Paragraph  # noqa: PLC0415

    return Paragraph(escape(text), _style(size, colour, bold=bold, right=right))


@cache
def _style(size: float, colour: str, *, bold: bool, right: bool) -> Any:
    from reportlab.lib.styles import ParagraphStyle  # noqa: PLC0415

    return ParagraphStyle(
        f"{size}{colour}{bold}{right}",
        fontName=BOLD if bold else REGULAR,
        fontSize=size,
        leading=1.32 * size,
        textColor=colour,
        alignment=2 if right else 0,
        splitLongWords=1,
    )


def _space(millimetres: float) -> Flowable:
    from reportlab.platypus import Spacer  # noqa: PLC0415

    return Spacer(1, millimetres * MILLIMETRE)


def _title(text: str) -> Iterator[Flowable]:
    yield _space(3)
    yield _text(text, 9, colour=MARK, bold=True)
    yield _space(0.6)


def _warning(text: str) -> Flowable:
    found = _grid([[_text(text, colour=WARN, bold=True)]], (1.0,))
    found.setStyle(
        [("BACKGROUND", (0, 0), (-1, -1), WARN_PAPER), ("LEFTPADDING", (0, 0), (-1, -1), 6)]
    )
    return found


def _columns(
    blocks: Sequence[Sequence[Flowable]], shares: Sequence[float], line: str = ""
) -> Flowable:
    found = _grid([blocks], shares)
    if line:
        found.setStyle(
            [("LINEBELOW", (0, -1), (-1, -1), 1.6, line), ("BOTTOMPADDING", (0, 0), (-1, -1), 6)]
        )
    return found


def _grid(rows: Sequence[Sequence[Any]], shares: Sequence[float], of: float = 1.0) -> Table:
    from reportlab.platypus import Table  # noqa: PLC0415

    plain = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 0),
        ("TOPPADDING", (0, 0), (-1, -1), 0.6),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 0.6),
    ]
    widths = [share * of * WIDTH for share in shares]
    return Table([list(row) for row in rows], widths, style=plain, hAlign="LEFT")


def _sums(page: InvoicePage) -> Flowable:
    *steps, (label, total) = page.sums
    rows = [[_text(name), _text(text, right=True)] for name, text in steps]
    rows.append([_text(label, 12, bold=True), _text(total, 12, bold=True, right=True)])
    found = _grid(rows, (0.7, 0.3))
    found.setStyle(
        [
            ("LINEBELOW", (0, 0), (-1, -2), 0.4, RULE),
            ("BACKGROUND", (0, -1), (-1, -1), TINT),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ("LEFTPADDING", (0, -1), (0, -1), 6),
            ("RIGHTPADDING", (-1, -1), (-1, -1), 6),
        ]
    )
    return found


def _table(shown: ResultTable) -> Flowable:
    """Return a table, each column as wide as it needs, texts broken where all do not fit."""
    from reportlab.pdfbase.pdfmetrics import stringWidth  # noqa: PLC0415

    size, gap = 6.8, 6
    heads = [column.name for column in shown.columns]
    rows = [[cell if isinstance(cell, str) else cell.text for cell in row] for row in shown.rows]
    needed = [
        gap
        + max(
            stringWidth(text, BOLD if not row else REGULAR, size) for row, text in enumerate(column)
        )
        for column in zip(heads, *rows, strict=True)
    ]
    spare = WIDTH - sum(needed)
    if spare > 0:
        needed = [width + spare / len(needed) for width in needed]
    else:  # names take what the numbers leave them
        names = [place for place, column in enumerate(shown.columns) if column.left][:-1]
        widest = max(names or [0], key=lambda place: needed[place])
        needed[widest] = max(needed[widest] + spare, 15 * MILLIMETRE)
    fits = spare > 0  # plain texts are set in a tenth of the time that paragraphs take
    lines = [
        [
            text if fits or not column.left else _text(text, size)
            for text, column in zip(row, shown.columns, strict=True)
        ]
        for row in rows
    ]
    found = _grid([heads, *lines], [width / WIDTH for width in needed])
    texts = sum(column.left for column in shown.columns)
    found.setStyle(
        [
            ("FONT", (0, 0), (-1, 0), BOLD, size, 1.3 * size),
            ("FONT", (0, 1), (-1, -1), REGULAR, size, 1.3 * size),
            ("TEXTCOLOR", (0, 0), (-1, 0), QUIET),
            ("TEXTCOLOR", (0, 1), (-1, -1), INK),
            ("ALIGN", (texts, 0), (-1, -1), "RIGHT"),
            ("LINEBELOW", (0, 0), (-1, 0), 0.8, RULE),
            ("RIGHTPADDING", (0, 0), (-2, -1), gap),
        ]
    )
    found.repeatRows = 1
    return found

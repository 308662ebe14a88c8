"""Tables of HTML pages as rows of texts, for tests that compare what pages print."""

from __future__ import annotations

import html
import re
from decimal import Decimal

ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")


def tables(page: str) -> list[list[dict[str, str]]]:
    """Return the tables of a page that have a head, each row by column, totals among them."""
    parts = re.findall(r"<table[^>]*>(.*?)</table>", page, re.DOTALL)
    read = [[_cells(row) for row in ROW.findall(part)] for part in parts if "<thead" in part]
    return [[dict(zip(head, row, strict=True)) for row in rows] for head, *rows in read]


def _cells(row: str) -> list[str]:
    return [html.unescape(TAG.sub("", cell)).strip() for cell in CELL.findall(row)]


def number(text: str) -> Decimal:
    """Return a printed amount, with or without its unit."""
    return Decimal(text.split(maxsplit=1)[0].replace(",", ""))

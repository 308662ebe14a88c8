"""Pieces of a page in HTML that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files


def page(title: str, body: str) -> str:
    """Return a whole page; `body` is HTML, the title is not."""
    style = files(__package__).joinpath("style.css").read_text("utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    total: Sequence[str] = (),
    *,
    left: Iterable[int] = (0,),
    kind: str = "",
) -> str:
    """Return a table of cells in HTML; columns `left` are texts."""
    texts = set(left)

    def line(tag: str, cells: Sequence[str]) -> str:
        marked = (
            f"<{tag}{' class=text' if i in texts else ''}>{cell}</{tag}>"
            for i, cell in enumerate(cells)
        )
        return f"<tr>{''.join(marked)}</tr>"

    body = "\n".join(line("td", row) for row in rows)
    foot = f"<tfoot>{line('td', total)}</tfoot>" if total else ""
    mark = f" class={kind}" if kind else ""
    head = line("th", [escape(name) for name in heads])
    return f"<table{mark}>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n{foot}</table>"


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Return names with texts in HTML; empty ones are left out."""
    lines = (f"<dt>{escape(name)}</dt><dd>{text}</dd>" for name, text in pairs if text)
    return f"<dl>{''.join(lines)}</dl>"


def link(target: str, text: str) -> str:
    """Return a link; both are plain text."""
    return f'<a href="{escape(target, quote=True)}">{escape(text)}</a>'

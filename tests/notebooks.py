"""Notebooks of examples, run as they stand: `python -m tests.notebooks` stores what they show.

No kernel is needed: a cell is run by this Python, and shows what it prints and its last value.
"""

from __future__ import annotations

import ast
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted(ROOT.glob("examples/*.ipynb"))


def executed(path: Path) -> dict[str, Any]:
    """Return a notebook with what its cells show."""
    book: dict[str, Any] = json.loads(path.read_text("utf-8"))
    names: dict[str, Any] = {}
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(code, 1):
        cell["execution_count"] = number
        cell["outputs"] = _outputs("".join(cell["source"]), names, number)
    return book


def text(book: dict[str, Any]) -> str:
    """Return a notebook as its file has it."""
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        lines = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines})
    if value is not None:
        shown, metadata = _bundle(value)
        outputs.append(
            {
                "output_type": "execute_result",
                "execution_count": number,
                "metadata": metadata,
                "data": shown,
            }
        )
    return outputs


def _bundle(value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a value is shown as, by kind, and how."""
    if hasattr(value, "_repr_mimebundle_"):
        data, metadata = value._repr_mimebundle_()
        return data, metadata
    shown = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        shown["text/html"] = value._repr_html_().splitlines(keepends=True)
    return shown, {}


if __name__ == "__main__":
    for each in NOTEBOOKS:
        each.write_text(text(executed(each)), "utf-8")

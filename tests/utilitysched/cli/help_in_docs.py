"""Puts what commands print into docs/cli.md: `python -m tests.utilitysched.cli.help_in_docs`."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from pathlib import Path

from utilitysched.cli.entry import run

PAGE = Path(__file__).parents[3] / "docs" / "cli.md"

_BLOCK = re.compile(r"```text\n(?:\$ )?(utilitysched[^\n]*)\n.*?```", re.DOTALL)


def printed(command: str) -> str:
    """What a command prints on a terminal of 80 columns."""
    os.environ["COLUMNS"] = "80"
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        run(shlex.split(command)[1:])
    return output.getvalue()


def with_help(page: str) -> str:
    """Return a page in which each block that begins with a command has what it prints."""
    return _BLOCK.sub(lambda block: f"```text\n$ {block[1]}\n{printed(block[1])}```", page)


if __name__ == "__main__":
    PAGE.write_text(with_help(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

"""Puts what commands print into docs/cli.md: `python -m tests.utilitysched.cli.help_in_docs`."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from pathlib import Path
from textwrap import dedent

from utilitysched.cli.entry import run

PAGE = Path(__file__).parents[3] / "docs" / "cli.md"

_BLOCK = re.compile(r"```text\n(?:\$ )?(utilitysched[^\n]*)\n.*?```", re.DOTALL)


_HELP = re.compile(
    r"^```text\n\$ utilitysched (?P<name>[a-z][a-z -]*) --help\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_EXAMPLES = re.compile(r"^  Examples:\n(.*)", re.DOTALL | re.MULTILINE)
_FOLDED = re.compile(
    r"[^\n]+\n\n(?:```console\n[^`]*```\n\n)?<details markdown=\"1\"><summary>[^\n]*</summary>\n\n"
    r"(?P<help>```text\n.*?^```)\n\n</details>",
    re.DOTALL | re.MULTILINE,
)


def printed(command: str) -> str:
    """What a command prints on a terminal of 80 columns."""
    os.environ["COLUMNS"] = "80"
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        run(shlex.split(command)[1:])
    return output.getvalue()


def with_help(page: str) -> str:
    """Return a page in which each block that begins with a command has what it prints.

    Help is folded, below the sentence that it begins with and its examples.
    """
    plain = _FOLDED.sub(lambda block: block["help"], page)
    shown = _BLOCK.sub(lambda block: f"```text\n$ {block[1]}\n{printed(block[1])}```", plain)
    return _HELP.sub(lambda block: folded(block["name"], block["text"], block[0]), shown)


def folded(name: str, text: str, block: str) -> str:
    """Return a block of help, folded below what it begins with and its examples."""
    about, _, rest = text.strip().partition("\n\n")[2].strip().partition("\n\n")
    examples = _EXAMPLES.search(rest)
    told = "" if examples is None else f"```console\n{dedent(examples[1]).rstrip()}\n```\n\n"
    sentence = " ".join(about.split())
    title = f"<summary>All options of <code>{name}</code></summary>"
    return f'{sentence}\n\n{told}<details markdown="1">{title}\n\n{block}\n\n</details>'


if __name__ == "__main__":
    PAGE.write_text(with_help(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

"""Brings files of the repository that lie outside docs/ to the site, and links to them.

CONTRIBUTING.md and CHANGELOG.md are pages as they are; an example is a page with its source and
what it prints. The page of the command line has the help of every command. A link to a file that is
no page of the site becomes its text. Code that leaves pictures in `pictures` is run.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from utilitysched.cli.app import COMMANDS
from utilitysched.cli.entry import run

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted([*ROOT.glob("examples/[0-9]*.py"), *ROOT.glob("examples/*.toml")])
PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    **{f"examples/{path.name}": f"examples/{path.stem}.md" for path in EXAMPLES},
}
"""Page of the site by path in the repository."""

_RUN = """
import json, shlex, sys
from utilitysched.cli.entry import run
for language, code in json.load(sys.stdin):
    if language == "python":
        exec(code)
        continue
    for line in code.splitlines():
        program, *words = shlex.split(line)
        if program != "utilitysched" or run(words):
            sys.exit(f"failed: {line}")
"""
"""Runs blocks of code: Python, and lines as the program `utilitysched` would."""

_BLOCKS = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SOURCES = {page: source for source, page in PAGES.items()}
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s:]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    for source, page in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        content = _example(ROOT / source, text) if ROOT / source in EXAMPLES else text
        files.append(File.generated(config, page, content=content))
    files.append(File.generated(config, "cli.md", content=commands_page()))
    for page in sorted((ROOT / "docs").glob("*.md")):
        for name, picture in pictures(page):
            files.append(File.generated(config, name, content=picture))
    return files


def commands_page() -> str:
    """Return the page of the command line: the help of every command, as a terminal shows it."""
    sections = [f"# The command line\n\n{_shown()}"]
    for name in COMMANDS:
        sections.append(f"## {name}\n\n{_shown(name)}")
        sections += [f"### {name} {own}\n\n{_shown(name, own)}" for own in _own_commands(name)]
    return "\n".join(sections)


def _shown(*words: str) -> str:
    return f"```text\n$ {' '.join(('utilitysched', *words, '--help'))}\n{_help(*words)}```\n"


def _own_commands(name: str) -> list[str]:
    """Return the commands of a family of commands, none for any other command."""
    _, _, listed = _help(name).partition("\nCommands:\n")
    return re.findall(r"^  ([\w-]+) ", listed.partition("\n\n")[0], re.MULTILINE)


@cache
def _help(*words: str) -> str:
    os.environ["COLUMNS"] = "80"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        run([*words, "--help"])
    return printed.getvalue()


def pictures(page: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures that a page shows from `pictures`, with their paths.

    Its blocks of code that name this folder leave them there. One process runs them all: most of
    what each would take by itself is to import the program.
    """
    text = page.read_text(encoding="utf-8")
    shown = re.findall(r"\]\((pictures/[^)]+)\)", text)
    if not shown:
        return
    blocks = [block for block in _BLOCKS.findall(text) if "pictures" in block[1]]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pictures").mkdir()
        Path(folder, "examples").symlink_to(ROOT / "examples")
        done = subprocess.run(
            [sys.executable, "-c", _RUN],
            cwd=folder,
            input=json.dumps(blocks),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise PluginError(f"{page.name}: its commands failed\n{done.stderr}")
        for name in shown:
            yield name, Path(folder, name).read_bytes()


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - mkdocs passes these by name
    """Turn links between places in the repository into links between pages."""
    here = page.file.src_uri
    place = PurePosixPath(_SOURCES.get(here, f"docs/{here}")).parent

    def moved(link: re.Match[str]) -> str:
        text, path, anchor = link.groups()
        target = os.path.normpath(place / path)
        site = PAGES.get(target)
        if site is None and not target.startswith("docs/"):
            return f"`{text}`" if text == target else text
        site = site or target.removeprefix("docs/")
        return f"[{text}]({os.path.relpath(site, PurePosixPath(here).parent)}{anchor or ''})"

    parts = _FENCED.split(markdown)
    parts[::2] = [_LINK.sub(moved, prose) for prose in parts[::2]]
    return "".join(parts)


def _example(path: Path, code: str) -> str:
    output = path.with_suffix(".out")
    language = path.suffix.removeprefix(".").replace("py", "python")
    page = f"# {_title(path, code)}\n\n`examples/{path.name}`:\n\n```{language}\n{code}```\n"
    if output.exists():
        page += f"\nIt prints\n\n```text\n{output.read_text(encoding='utf-8')}```\n"
    return page


def _title(path: Path, code: str) -> str:
    if path.suffix == ".toml":
        return str(tomllib.loads(code)["name"])
    return (ast.get_docstring(ast.parse(code)) or path.stem).partition("\n")[0].rstrip(".")

"""Runs what pages of documentation show: `python -m tests.pages [PAGE...]` puts real output in.

In a page, fenced blocks are

- a file, if the first line is a comment with nothing but its path (Python, TOML, SWF);
- a script, if marked `python`: all of a page run in one process, one after the other;
- what the block above printed, if marked `text` and right behind a script;
- commands and what they print, if marked `text` and beginning with `$ `;
- commands that must succeed, whatever they print, if marked `sh`.

Files are written first, as an installed package with the entry points of its pyproject.toml.
Times that commands print in a table's last column, `time (s)`, stay as the page has them if nothing
else in the table changed. `archive:` finds the logs that lie beside the repository.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from rich.cells import cell_len

from tests.conftest import TRACES
from tests.warm import programs
from utilitysched.workers.places import COMPILING

ROOT = Path(__file__).parents[1]
PAGES = (
    ROOT / "README.md",
    *(
        ROOT / f"docs/{name}.md"
        for name in (
            "ceiling",
            "checkpoints",
            "experiments",
            "extending",
            "formats",
            "machine",
            "metrics",
            "pricing",
            "quote",
            "report",
            "restarts",
            "schedulers",
            "workloads",
        )
    ),
    *sorted((ROOT / "docs/tutorials").glob("*.md")),
)
NEED_LOGS = (ROOT / "docs/tutorials/archive.md",)
"""Pages whose commands read logs that are not in the repository."""

_FILE = re.compile(r"```\w+\n((?:#|;) ([\w/.-]+\.\w+)\n.*?)```", re.DOTALL)
_SCRIPT = re.compile(
    r"```python\n(?!# [\w/.-]+\n)(?P<code>.*?)```(?P<output>\n+```text\n(?!\$ )(.*?)```)?",
    re.DOTALL,
)
_COMMANDS = re.compile(r"```text\n(\$ utilitysched .*?)```", re.DOTALL)
_SHELL = re.compile(r"```sh\n(.*?)```", re.DOTALL)
_TIMED = re.compile(r"^.* time\n.* \(s\)\n(?:(?!\$ ).+\n)+", re.MULTILINE)
_OF_FILES = re.compile(r"^\$ (?!utilitysched)|-o -|--json|--csv -|2>&1|utilitysched check")
_END = "\x1e"
_ENVIRONMENT = os.environ | {"COLUMNS": "100"}


def with_output(page: str, folder: Path) -> str:
    """Return the page with the output that its scripts and commands really have.

    Parameters
    ----------
    page : str
        Markdown.
    folder : Path
        Empty; where its files are written and its commands run.
    """
    _install(page, folder)
    _link_logs(folder)
    for block in _SHELL.finditer(page):
        _run(["bash", "-e", "-c", block[1]], folder)
    printed = _script_outputs(page, folder)
    page = _SCRIPT.sub(lambda block: _with_script_output(block, next(printed)), page)
    return _COMMANDS.sub(lambda block: f"```text\n{_transcript(block[1], folder)}```", page)


def too_long(page: str, folder: Path, columns: int = 80) -> list[str]:
    """Return the lines that do not fit on a narrow terminal, of all that commands of a page print.

    Files are as they are, and so is what is written on standard error where that is no terminal.
    """
    found: list[str] = []
    _install(page, folder)
    _link_logs(folder)
    for block in _SHELL.finditer(page):
        _run(["bash", "-e", "-c", block[1]], folder)
    list(_script_outputs(page, folder))
    for block in _COMMANDS.finditer(page):
        for line in block[1].splitlines():
            if line.startswith("$ "):
                narrow = f"export COLUMNS={columns}; exec 2> /dev/null; {line[2:]}"
                printed = _run(["bash", "-c", narrow], folder, check=False)
                if not _OF_FILES.search(line):
                    found += [each for each in printed.splitlines() if cell_len(each) > columns]
    return found


def _install(page: str, folder: Path) -> None:
    for block in _FILE.finditer(page):
        path = folder / block[2]
        path.parent.mkdir(exist_ok=True)
        path.write_text(block[1], encoding="utf-8")
    project = folder / "pyproject.toml"
    if project.exists():
        groups = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["entry-points"]
        lines = [
            line
            for group, points in groups.items()
            for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
        ]
        metadata = folder / "yourpackage-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: yourpackage\n")
        (metadata / "entry_points.txt").write_text("\n".join(lines))


def _link_logs(folder: Path) -> None:
    archive = folder / ".cache/utilitysched/archive"
    archive.mkdir(parents=True)
    for log in TRACES.glob("*.swf.gz"):
        (archive / log.name).symlink_to(log)


def _script_outputs(page: str, folder: Path) -> Iterator[str]:
    code = "".join(f"{block['code']}\nprint({_END!r})\n" for block in _SCRIPT.finditer(page))
    (folder / "script.py").write_text(code, encoding="utf-8")
    return iter(_run(["script", "script.py"], folder).split(f"{_END}\n"))


def _with_script_output(block: re.Match[str], printed: str) -> str:
    shown = f"\n\n```text\n{printed}```" if printed else ""
    return f"```python\n{block['code']}```{shown}"


def _transcript(block: str, folder: Path) -> str:
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    printed = "".join(
        f"{command}\n{_run(['bash', '-c', command[2:]], folder, check=False)}"
        for command in commands
    )
    shown = {_timeless(table): table for table in _TIMED.findall(block)}
    return _TIMED.sub(lambda table: shown.get(_timeless(table[0]), table[0]), printed)


def _timeless(table: str) -> str:
    """Table without its last column, whose width also sets how far apart the others are."""
    return re.sub(r"[ ─]+", " ", re.sub(r" <?[\d.,]+$", "", table, flags=re.MULTILINE))


def _run(command: list[str], folder: Path, *, check: bool = True) -> str:
    path = (programs(), Path(sys.executable).parent, os.environ["PATH"])
    done = subprocess.run(
        command,
        cwd=folder,
        env=_ENVIRONMENT
        | {
            "PYTHONPATH": f"{folder}:{ROOT}",
            "PATH": os.pathsep.join(map(str, path)),
            "XDG_CACHE_HOME": ".cache",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if check and done.returncode:
        raise RuntimeError(f"{command[-1]}\n{done.stdout}")
    return done.stdout.replace(f"{COMPILING}\n", "")


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:] or PAGES):
        with tempfile.TemporaryDirectory() as folder:
            text = with_output(path.read_text(encoding="utf-8"), Path(folder))
        path.write_text(text, encoding="utf-8")

"""Errors raised by the library name parameters; the command line alone knows its options."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from swfx import InputError, Workload
from tests.syntax import tree
from utilitysched import simulate

ROOT = Path(__file__).parents[1]
LIBRARY = sorted(
    path
    for package in ("swfx", "checkpoint", "pricing", "utilitysched")
    for path in (ROOT / package).rglob("*.py")
    if "cli" not in path.parts
)
RAISED = re.compile(r"\w*Error|failed|refusal|instant|MissingWaits|ClusterLost|UnfitWorker")
"""What makes an error, or a name that an error has."""

OPTION = re.compile(r"(?<![\w-])(--[a-z]|-[a-z]\b)")
PROGRAM = re.compile(
    r"\b(utilitysched|sacct|squeue|qstat|qacct|bacct|bjobs|condor_history|head|ulimit) [^;]*"
    r"|--force-reinstall"
)
"""A command line, which has options, and that of pip."""


def texts(module: ast.Module) -> Iterator[ast.Constant]:
    """Texts that stand in calls which make errors, there or by the name of a constant."""
    constants = dict(assignments(module))
    calls = (node for node in ast.walk(module) if isinstance(node, ast.Call))
    made = [call for call in calls if RAISED.fullmatch(ast.unparse(call.func).split(".")[-1])]
    given = [each for call in made for each in (*call.args, *(k.value for k in call.keywords))]
    for node in (node for argument in given for node in ast.walk(argument)):
        named = constants.get(node.id) if isinstance(node, ast.Name) else None
        for each in ast.walk(named or node):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each


def assignments(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names that are assigned to, and what."""
    for node in ast.walk(module):
        if isinstance(node, ast.Assign):
            targets = (each for target in node.targets for each in ast.walk(target))
            yield from ((each.id, node.value) for each in targets if isinstance(each, ast.Name))


def options(module: ast.Module) -> set[tuple[int, str]]:
    """Lines and texts of errors that name an option."""
    return {
        (text.lineno, text.value)
        for text in texts(module)
        if OPTION.search(PROGRAM.sub("", text.value))
    }


def test_no_error_of_the_library_names_an_option() -> None:
    named = {path.relative_to(ROOT).as_posix(): options(tree(path)) for path in LIBRARY}
    assert {path: found for path, found in named.items() if found} == {}


@pytest.mark.parametrize(
    "code",
    [
        'raise InputError("x", remedy="give --machine-size N")',
        'raise InputError("x", remedy=f"give -o {name}")',
        'AGAIN = "simulate with --out"\nraise failed("x", error, path, AGAIN)',
        'field, other = ("--salt", "--mapping")\nraise InputError("x", field=field)',
    ],
)
def test_such_errors_are_seen(code: str) -> None:
    assert options(ast.parse(code))


def test_command_lines_are_no_options_of_the_library() -> None:
    code = 'raise InputError("x", remedy="make one with: utilitysched simulate LOG --out DIR")'
    assert not options(ast.parse(code))


def test_python_is_told_the_parameter() -> None:
    jobs = Workload.from_columns(submit=[0], run=[10], processors=[4])
    with pytest.raises(InputError, match=r"processors the machine has; give `machine_size=N`$"):
        simulate(jobs)

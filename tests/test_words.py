"""Words: the field's own, a class name for one thing, and a module that says what it is."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

from tests.syntax import nodes, tree

ROOT = Path(__file__).parents[1]
SOURCES = {
    path.relative_to(ROOT).as_posix(): path
    for package in ("swfx", "checkpoint", "pricing", "utilitysched")
    for path in sorted((ROOT / package).rglob("*.py"))
}

USED_TWICE: set[str] = set()
"""Names still to be settled; take out those that are, and add none."""

QUESTIONS = 0
"""So many modules still say what they answer rather than what they are; fewer, never more."""

OUTSIDE_THE_GLOSSARY = {
    "agenda": "completions",
    "bump": "preemption",
    "dearest": "most expensive",
    "evenness": "fairness",
    "recollection": "history",
    "witness": "record",
}
"""Words that were once used here, and those of the field for the same."""


def test_things_are_called_what_the_field_calls_them() -> None:
    private = re.compile("|".join(OUTSIDE_THE_GLOSSARY), re.IGNORECASE)
    pages = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "docs").rglob("*.md")}
    found = [
        f"{path}:{number}: {word}, say {OUTSIDE_THE_GLOSSARY[word.lower()]}"
        for path, file in (SOURCES | pages).items()
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        for word in private.findall(line)
    ]

    assert found == []


def test_a_class_name_is_used_once() -> None:
    files = defaultdict(set)
    for path, source in SOURCES.items():
        for node in nodes(source):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                files[node.name].add(path)
    twice = {name: sorted(paths) for name, paths in files.items() if len(paths) > 1}

    added = {name: paths for name, paths in twice.items() if name not in USED_TWICE}
    assert added == {}, (
        "find another name for one of the two; where in doubt the lower room keeps it"
    )
    assert USED_TWICE - set(twice) == set(), "settled: take these out of USED_TWICE"


def test_a_module_says_what_it_is() -> None:
    words = {"How", "What", "When", "Where", "Whether", "Which", "Who", "Why"}
    summaries = {path: ast.get_docstring(tree(file)) or "" for path, file in SOURCES.items()}
    questions = [path for path, text in summaries.items() if text.split(" ")[0] in words]

    assert len(questions) <= QUESTIONS, (
        "begin these docstrings with a noun, 'Charges of ...' for 'What ... is charged', and "
        f"lower QUESTIONS: {questions}"
    )

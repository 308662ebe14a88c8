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

PLUGINS = {
    path.relative_to(ROOT).as_posix(): path
    for path in sorted(ROOT.glob("plugins/*/utilitysched_*/**/*.py"))
}

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

PRONOUN = re.compile(
    "it|they|them|so|such|those|these|that|what|who|whom|whose|there|ones?|some|same|others?|which"
    "|its|their|here|this|where|when|how|as"
)
RIDDLE = 0.3
"""Share of pronouns among the words of a first paragraph from which nobody understands it alone."""

RIDDLES = 0.005
"""Share of docstrings that may be riddles: "as" and "that" are also conjunctions."""


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


def test_docstrings_name_things() -> None:
    documented = {
        f"{path}:{node.lineno} {node.name}": text
        for path, file in (SOURCES | PLUGINS).items()
        for node in nodes(file)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and (text := ast.get_docstring(node))
    }
    riddles = {place: text for place, text in documented.items() if is_riddle(text)}

    assert len(riddles) <= RIDDLES * len(documented), (
        "say these first paragraphs with nouns of the field in place of pronouns:\n"
        + "\n".join(f"{place}: {text.partition(chr(10))[0]}" for place, text in riddles.items())
    )


def is_riddle(docstring: str) -> bool:
    words = re.findall("[a-z']+", docstring.partition("\n\n")[0].lower())
    return len([*filter(PRONOUN.fullmatch, words)]) >= RIDDLE * max(1, len(words))


def test_a_riddle_is_one() -> None:
    assert is_riddle("Return which of the jobs beside some of one player are those of others.")
    assert not is_riddle("Mask of the jobs in `beside` that belong to another player than `jobs`.")

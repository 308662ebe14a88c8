from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest

from swfx.base.toml_lines import lines_of, opened_at

TEXT = '''\
# a comment with [brackets] and = signs
name = "a ] b # no comment"   # one
"quoted key" = 1
dotted.inner . "deep" = 2
many = [
  1, # one
  { a = 1, b = [ 2,
     3 ] },
  """text
over ] lines""", 'literal \\',
]

[table]
x = 1979-05-27 07:32:00
y = \'\'\'
[not a table]
\'\'\'
z = [[], ["a"], [
"b"]]

[[list]]
a = 1
  [list.sub]
  b = 2
[[list]]
[[list.inner]]
c = -1.5e3
[list.inner.'d e']
f = true
'''
LINES = {
    ("name",): 2,
    ("quoted key",): 3,
    ("dotted",): 4,
    ("dotted", "inner", "deep"): 4,
    ("many", 0): 6,
    ("many", 1): 7,
    ("many", 1, "b"): 7,
    ("many", 1, "b", 1): 8,
    ("many", 2): 9,
    ("many", 3): 10,
    ("table",): 13,
    ("table", "x"): 14,
    ("table", "y"): 15,
    ("table", "z"): 18,
    ("table", "z", 2, 0): 19,
    ("list",): 21,
    ("list", 0): 21,
    ("list", 0, "a"): 22,
    ("list", 0, "sub", "b"): 24,
    ("list", 1): 25,
    ("list", 1, "inner", 0, "c"): 27,
    ("list", 1, "inner", 0, "d e", "f"): 29,
}


def paths(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    steps = value.items() if isinstance(value, dict) else ()
    steps = enumerate(value) if isinstance(value, list) else steps
    for step, inner in steps:
        yield from paths(inner, (*path, step))


def test_every_value_is_found_where_it_stands() -> None:
    found = lines_of(TEXT)

    assert {path: found[path] for path in LINES} == LINES


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("\n", "\r\n"), ""])
def test_it_finds_exactly_what_tomllib_finds(text: str) -> None:
    assert set(lines_of(text)) == set(paths(tomllib.loads(text)))


@pytest.mark.parametrize(
    ("text", "noticed", "line"),
    [
        ("a = [1, 2\nb = 3\n", 2, 1),
        ("[t]\na = [\n  [1, 2],\n  3\nb = 3\n", 5, 2),
        ('a = ["]", # ]\n1\nb = 3\n', 3, 1),
        ("a = {b = 1\r\nc = 2\r\n", 2, 1),
        ("a = 1\n", 1, 1),
    ],
)
def test_an_open_bracket_is_found(text: str, noticed: int, line: int) -> None:
    assert opened_at(text, noticed) == line


class Looked(str):
    """A text that knows in how many of its characters newlines were counted."""

    looked = 0

    def replace(self, *_: object) -> str:
        return self

    def count(self, sought: str, first: int = 0, last: int | None = None) -> int:  # type: ignore[override]
        self.looked += len(range(len(self))[first:last])
        return super().count(sought, first, last)


def test_many_tables_are_looked_through_once() -> None:
    text = Looked("".join(f"[[parts]]\nname = {number}\n" for number in range(2_000)))
    brackets = Looked("x = [{}, " * 2_000)

    assert lines_of(text)["parts", 1_999, "name"] == 4_000
    assert opened_at(brackets, 1) == 1

    assert len(text) / 2 < text.looked <= len(text)  # from the top for each, it was minutes
    assert brackets.looked <= len(brackets)

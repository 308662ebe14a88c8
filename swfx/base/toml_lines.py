"""Lines of the values of a TOML file, which `tomllib` does not tell."""

from __future__ import annotations

import re
import tomllib
from collections import Counter

Path = tuple[str | int, ...]

_BLANK = re.compile(r"[ \t]*")
_BLANKS = re.compile(r"(?:\s|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'""")
_TEXT = re.compile(
    r'"{3}(?:[^\\]|\\.)*?"{3,5}'
    r"|'{3}.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_BRACKETS = re.compile(rf"{_TEXT.pattern}|#[^\n]*|[][{{}}]", re.DOTALL)
_OTHER = re.compile(r"[^,\]}#\n]+")


def lines_of(text: str) -> dict[Path, int]:
    r"""Return the line, from 1, of every table, key and member of a list.

    Parameters
    ----------
    text : str
        TOML that `tomllib` reads without complaint.

    Examples
    --------
    >>> lines_of('a = 1\n[[b]]\nc = [2,\n 3]')[("b", 0, "c", 1)]
    4
    """
    return _Scan(text).lines()


def opened_at(text: str, noticed: int) -> int:
    r"""Return the line of the bracket that was still open before line `noticed`, from 1.

    Examples
    --------
    >>> opened_at("a = 1\nb = [1, 2\nc = 3\n", 3)
    2
    """
    text = text.replace("\r\n", "\n")
    stack: list[int] = []
    for bracket in _BRACKETS.finditer("\n".join(text.split("\n")[:noticed])):
        if bracket[0] in ("[", "{"):
            stack.append(bracket.start())
        elif bracket[0] in ("]", "}") and stack:
            stack.pop()
    return text.count("\n", 0, stack[-1]) + 1 if stack else noticed


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.at = 0
        self.counted = 0, 1  # characters before a place, and its line: places only move on
        self.found: dict[Path, int] = {(): 1}
        self.members: Counter[Path] = Counter()

    def lines(self) -> dict[Path, int]:
        table: Path = ()
        self._skip(_BLANKS)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANKS)
        return self.found

    def _header(self) -> Path:
        line = self._line()
        many = self.text.startswith("[[", self.at)
        self.at += 1 + many
        path = self._placed(self._key())
        self.at += 1 + many
        if many:
            self.members[path] += 1
            self._note(path, line)
            path = (*path, self.members[path] - 1)
        self._note(path, line)
        return path

    def _placed(self, key: Path) -> Path:
        """Path of a header: tables of a list that were begun before are meant by the last one."""
        path: Path = ()
        for i, name in enumerate(key):
            path = (*path, name)
            if self.members[path] and i < len(key) - 1:
                path = (*path, self.members[path] - 1)
        return path

    def _pair(self, table: Path) -> None:
        line = self._line()
        key = self._key()
        for i in range(1, len(key)):
            self._note((*table, *key[:i]), line)
        self.at += 1  # the equals sign
        self._skip(_BLANK)
        self._value((*table, *key), line)

    def _key(self) -> Path:
        names: list[str] = []
        while True:
            self._skip(_BLANK)
            name = self._take(_KEY)
            names.append(_unquoted(name))
            self._skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return tuple(names)
            self.at += 1

    def _value(self, path: Path, line: int) -> None:
        self._note(path, line)
        start = self.text[self.at]
        if start == "[":
            self._list(path)
        elif start == "{":
            self._inline(path)
        else:
            self._take(_TEXT if start in "\"'" else _OTHER)

    def _list(self, path: Path) -> None:
        member = 0
        self.at += 1
        while not self._ends("]"):
            self._value((*path, member), self._line())
            member += 1

    def _inline(self, path: Path) -> None:
        self.at += 1
        while not self._ends("}"):
            self._pair(path)

    def _ends(self, bracket: str) -> bool:
        """Skip what stands between members; whether the bracket closes, which is skipped, too."""
        self._skip(_BLANKS)
        if self.text[self.at] == ",":
            self.at += 1
            self._skip(_BLANKS)
        if self.text[self.at] != bracket:
            return False
        self.at += 1
        return True

    def _note(self, path: Path, line: int) -> None:
        self.found.setdefault(path, line)

    def _line(self) -> int:
        before, line = self.counted
        self.counted = self.at, line + self.text.count("\n", before, self.at)
        return self.counted[1]

    def _skip(self, what: re.Pattern[str]) -> None:
        match = what.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _take(self, what: re.Pattern[str]) -> str:
        match = what.match(self.text, self.at)
        if not match:
            raise ValueError(f"no TOML at character {self.at}")
        self.at = match.end()
        return match[0]


def _unquoted(name: str) -> str:
    if name[0] == "'":
        return name[1:-1]
    if name[0] == '"':
        return str(tomllib.loads(f"key = {name}")["key"])
    return name

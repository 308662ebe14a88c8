"""Sign-ins that live, and tokens that are void before their end."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from swfx import InputError
from swfx.base.atomic import atomic_write
from utilitysched_web.tokens import Role, Token

VOID_FILE = "void-tokens.json"

IDLE = 12 * 3600.0
"""A session that nobody uses ends after so long (s)."""


class SignIn(NamedTuple):
    """A session of a browser, or a token that a program brings.

    Attributes
    ----------
    number : str
        Its number, which opens nothing.
    token : Token
        The token that was given or is brought.
    address : str
        From where it was used last.
    since, used : float
        First and last use (s, Unix time).
    browser : bool
        Whether it is a session.
    """

    number: str
    token: Token
    address: str
    since: float
    used: float
    browser: bool

    @property
    def user(self) -> str:
        """Name of the user."""
        return self.token.user

    @property
    def role(self) -> Role:
        """What the user may see."""
        return self.token.role

    def of(self, numbers: set[str]) -> bool:
        """Whether the sign-in or its token has one of some numbers."""
        return bool(numbers & {self.number, self.token.number})

    def lives(self, now: float) -> bool:
        """Whether it has not ended by itself."""
        return now < self.token.until and (now < self.used + IDLE or not self.browser)


@dataclass(eq=False)
class VoidTokens:
    """Numbers of tokens that are void before their end: taken back, or used up.

    Parameters
    ----------
    path : Path, optional
        File that keeps them until then, for its owner's eyes only.

    Raises
    ------
    InputError
        The file cannot be read.
    """

    path: Path | None = None
    _ends: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.path is None or not self.path.exists():
            return
        try:
            ends = json.loads(self.path.read_text("utf-8"))
            self._ends = {str(number): float(end) for number, end in ends.items()}
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise InputError(
                "is no list of void tokens",
                source=str(self.path),
                remedy="restore it; without it tokens that were taken back are good again",
            ) from error

    def __contains__(self, number: str) -> bool:
        return number in self._ends

    def add(self, token: Token, now: float) -> None:
        """Make a token void.

        Raises
        ------
        InputError
            The file cannot be written.
        """
        kept = {number: end for number, end in self._ends.items() if end > now}
        kept[token.number] = token.until
        self._ends = kept
        if self.path is not None:
            with atomic_write(self.path, private=True) as stream:
                stream.write(json.dumps(kept).encode())

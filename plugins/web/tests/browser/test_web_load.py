"""A moment of many users at once, as `python -m benchmarks serve` has for a minute."""

from __future__ import annotations

import asyncio
import os

import pytest

from plugins.web.benchmarks import serve
from plugins.web.tests.conftest import KEY

USERS = 8


def test_many_users_are_answered_at_once(served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "THINK", (0.0, 0.01))
    monkeypatch.setattr(serve, "PAGES", tuple(page for page in serve.PAGES if page != "/quote"))
    memory: list[tuple[float, int]] = []

    visits = asyncio.run(serve.visit(served, KEY, USERS, 0.3, os.getpid(), memory))

    assert len(visits) >= USERS
    assert {each.status for each in visits} == {200}
    assert all(size > 0 for _, size in memory)

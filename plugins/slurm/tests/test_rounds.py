"""Rounds of a watch or a market."""

from __future__ import annotations

import threading

from utilitysched_slurm.commands import SlurmError
from utilitysched_slurm.journal import LookNote
from utilitysched_slurm.market import go_round

NOTHING = LookNote(0.0, 0, 0, (), (), (), {})


def test_what_is_as_it_was_is_said_once() -> None:
    script = ["starts 7", "starts 7", SlurmError("silent"), SlurmError("silent"), "", "starts 7"]
    stop, said = threading.Event(), list[str]()

    def look() -> LookNote:
        if len(script) == 1:
            stop.set()
        if isinstance(script[0], SlurmError):
            raise SlurmError(str(script.pop(0)))
        return NOTHING

    go_round(look, 1e-9, None, stop, lambda *_: str(script.pop(0)), said.append)

    assert said == ["starts 7", "silent; Slurm is asked again", "starts 7"]

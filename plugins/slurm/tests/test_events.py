"""What a driver does, event by event."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from plugins.slurm.tests.clusters import Cells
from plugins.slurm.tests.test_metrics import FIRST
from utilitysched_slurm.commands import Action
from utilitysched_slurm.events import EventLog, LoggedCluster


class Refusing:
    """A cluster that refuses whatever is to be done with job 4."""

    def queue(self) -> list[Cells]:
        return []

    def nodes(self) -> list[Cells]:
        return []

    def waits(self, keys: Sequence[str]) -> Sequence[str]:
        return keys

    def apply(self, actions: Sequence[Action]) -> Mapping[str, str]:
        return {each.key: "Job is in held state" for each in actions if each.key == "4"}


def test_every_line_is_an_object_with_its_cycle() -> None:
    lines: list[str] = []
    log = EventLog(lines.append, clock=lambda: 1_795_464_000.25)
    cluster = LoggedCluster(Refusing(), log)

    log.note("comment of job 3: deadline and value stand together\nand\x1b[31m more")
    refused = cluster.apply([Action("hold", "3"), Action("release", "4", "1000000")])
    log.cycle(FIRST)
    cluster.apply([Action("requeue", "15_3")])

    assert refused == {"4": "Job is in held state"}
    assert not any("\n" in line or "\x1b" in line for line in lines)
    told = [json.loads(line) for line in lines]
    assert {each.pop("time") for each in told} == {"2026-11-23T20:00:00.250+00:00"}
    message = "comment of job 3: deadline and value stand together\nand\x1b[31m more"
    counts = FIRST._asdict()
    del counts["now"]
    assert told == [
        {"cycle": 1, "event": "note", "message": message},
        {"cycle": 1, "event": "hold", "job": "3"},
        {"cycle": 1, "event": "release", "job": "4", "value": "1000000", "refused": refused["4"]},
        {"cycle": 1, "event": "cycle", **counts},
        {"cycle": 2, "event": "requeue", "job": "15_3"},
    ]
    assert cluster.queue() == []
    assert cluster.nodes() == []

"""Resources of random listings: what was put in is read and charged, entry by entry."""

from __future__ import annotations

from random import Random

import pytest

from pricing import charge
from pricing.resources import known_resources
from swfx import InputError, Workload
from swfx.families.formats.registry import IMPORTERS, Imported
from tests.scale import enough, many

NAMES = ("node", "billing", "gres/gpu", "gres/gpu:a100", "gres/gpu:h100", "license/x", "mem")
UNREADABLE = ("x", "", "-3", "1.2.3", "4 4", "99999999999999999999", "2=3")
HEAD = "JobID|User|Submit|Start|End|State|AllocCPUS|AllocTRES"
TIMES = "2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T01:00:00|COMPLETED"

Entries = dict[str, float | None]
"""Amounts of a job; None for one that is unreadable."""


def entries(random: Random) -> Entries:
    names = random.sample(NAMES, random.randrange(len(NAMES) + 1))
    return {name: None if random.random() < 0.2 else random.randrange(4) for name in names}


def written(random: Random, job: Entries) -> str:
    cells = [
        f"{name}={random.choice(UNREADABLE) if amount is None else f'{amount:g}'}"
        for name, amount in {"cpu": 8, **job}.items()
    ]
    random.shuffle(cells)
    return ",".join(cells)


def read(random: Random, jobs: list[Entries]) -> Imported:
    lines = [f"{n}|ann|{TIMES}|8|{written(random, job)}" for n, job in enumerate(jobs, 1)]
    data = "\n".join([HEAD, *lines]).encode()
    imported: Imported = IMPORTERS.make("slurm:timezone=UTC").read(data, "log")
    return imported


def counted(job: Entries, name: str) -> float:
    """Return what a job is charged for; of GPUs those of all types, where no sum is given."""
    if name == "gres/gpu" and not job.get(name):
        return sum(job.get(f"{name}:{model}") or 0.0 for model in ("a100", "h100"))
    return job.get(name) or 0.0


def column(jobs: list[Entries], name: str) -> list[float]:
    """Return a column as it is to be read: 0 for what a job does not have, -1 if nobody knows."""
    stated = any(job.get(name) is not None for job in jobs)
    settled = stated and name != "node"

    def cell(job: Entries) -> float:
        amount = job.get(name, 0.0 if settled and any(a is not None for a in job.values()) else -1)
        return -1 if amount is None else amount

    return [cell(job) for job in jobs]


def charges(log: Workload, mechanism: str) -> list[float]:
    held = log.submit + log.run
    charged: list[float] = charge(log, log.submit, held, mechanism).charge.tolist()
    return charged


def test_every_entry_that_can_be_read_counts() -> None:
    charged = refused = 0
    for seed in range(many(60)):
        random = Random(seed)
        jobs = [entries(random) for _ in range(random.randrange(1, 8))]
        imported = read(random, jobs)
        log = imported.workload

        assert log.size.tolist() == [8] * len(jobs), seed
        unreadable = sum(None in job.values() for job in jobs)
        assert imported.report.counts("repaired").get("unreadable-field", 0) == unreadable, seed
        known = {*known_resources(log), *(n.partition(":")[0] for n in known_resources(log))}
        for name in NAMES:
            stated = any(amount != -1 for amount in column(jobs, name))
            if stated:
                assert log.extra[f"tres/{name}"].tolist() == column(jobs, name), (seed, name)
            if name in known:
                expected = [counted(job, name) for job in jobs]
                assert charges(log, f"single-price:of={name}") == expected, (seed, name)
                charged += 1
            elif name != "mem":
                with pytest.raises(InputError, match=f"does not state {name}"):
                    charges(log, f"single-price:of={name}")
                refused += 1
    assert charged > enough(200)
    assert refused > enough(5)


def test_entries_without_a_name_or_an_amount_lose_nothing_else() -> None:
    imported = read(Random(0), [{"gres/gpu": 2}, {"mem": 1, "garbage": None, "two words": 3}])

    log = imported.workload
    assert set(known_resources(log)) == {"cpu", "gres/gpu", "mem"}
    assert log.extra["tres/mem"].tolist() == [0, 1]
    assert imported.report.counts("repaired")["unreadable-field"] == 1

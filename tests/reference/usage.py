"""Fair share as a sum over all stretches in which jobs ran, and priorities of Slurm's formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, log
from typing import NamedTuple

from tests.reference.jobs import Job
from tests.reference.values import utility

ROOT = 0


class Stretch(NamedTuple):
    """Time in which a job of an entity without children held an amount; it may still run."""

    entity: int
    amount: float
    start: float
    end: float = inf


class Tree(NamedTuple):
    """Parent of each entity, and its shares among its siblings; the root is entity 0."""

    parent: Sequence[int]
    shares: Sequence[float]

    def below(self, entity: int, other: int) -> bool:
        """Whether an entity is another or below it."""
        return entity == other or (entity != ROOT and self.below(self.parent[entity], other))

    def part(self, entity: int) -> float:
        """Its shares in those of all siblings, itself among them."""
        if entity == ROOT:
            return 1.0
        siblings = [
            each for each, parent in enumerate(self.parent) if parent == self.parent[entity]
        ]
        return self.shares[entity] / sum(self.shares[each] for each in siblings)

    def of_all(self, entity: int) -> float:
        """Its share in the machine."""
        if entity == ROOT:
            return 1.0
        return self.part(entity) * self.of_all(self.parent[entity])


def decayed(stretch: Stretch, now: float, half_life: float) -> float:
    """Integral of amount x 2^(-age / half-life) over the stretch up to now; 0 is no decay."""
    start, end = (min(time, now) for time in (stretch.start, stretch.end))
    if half_life == 0:
        return stretch.amount * (end - start)
    kept = 2.0 ** (-(now - end) / half_life) - 2.0 ** (-(now - start) / half_life)
    return stretch.amount * kept * half_life / log(2.0)


def usage(
    tree: Tree, stretches: Sequence[Stretch], entity: int, now: float, half_life: float
) -> float:
    """Decayed usage of an entity and of all below it."""
    return sum(
        decayed(each, now, half_life) for each in stretches if tree.below(each.entity, entity)
    )


def factor(
    tree: Tree, stretches: Sequence[Stretch], entity: int, now: float, half_life: float
) -> float:
    """Fair-share factor: 2^(-effective usage / share)."""
    total = usage(tree, stretches, ROOT, now, half_life)

    def effective(of: int) -> float:
        own = usage(tree, stretches, of, now, half_life) / total if total else 0.0
        if tree.parent[of] == ROOT or of == ROOT:
            return own
        return own + (effective(tree.parent[of]) - own) * tree.part(of)

    share = tree.of_all(entity)
    return float(2.0 ** (-effective(entity) / share)) if share else 0.0


class Weighted(NamedTuple):
    """Factors of a job that the machine knows, each in [0, 1]."""

    fairshare: float
    partition: float
    qos: float


def density(job: Job, now: float) -> float:
    """Utility per processor-second of a job that starts now and ends at once; by request."""
    return utility(job.points, max(0.0, now - job.submit)) / (job.size * max(job.request, 1.0))


def priorities(
    queue: Sequence[Job],
    known: Sequence[Weighted],
    numbers: Mapping[str, float],
    now: float,
    processors: int,
) -> list[float]:
    """Weighted sum of each queued job; `numbers` has weights and constants by name."""
    most = max(density(job, now) for job in queue)
    sums = []
    for job, of_job in zip(queue, known, strict=True):
        size = job.size / processors
        factors = {
            "age": min(1.0, max(0.0, now - job.submit) / numbers["max_age"]),
            "fairshare": of_job.fairshare,
            "size": 1.0 - size if numbers["favor_small"] else size,
            "partition": of_job.partition,
            "qos": of_job.qos,
            "value": density(job, now) / most if most else 0.0,
        }
        sums.append(sum(numbers[name] * factors[name] for name in factors))
    return sums

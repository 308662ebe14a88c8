"""The genetic operators of section 6, each with the exact order in which it draws.

A stream has `uniform()` in [0, 1) and `below(n)` in 0..n-1 (one uniform each). An individual is a
list of positions in the queue.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import inf

from tests.reference.stream import Stream


def roulette(weights: Sequence[float], stream: Stream) -> int:
    """Draw a position in proportion to weights >= 0, not all 0.

    One uniform: the first position whose running sum exceeds uniform * total; should rounding
    leave none, the last one with a positive weight.
    """
    sums = list(accumulate(weights))
    target = stream.uniform() * sums[-1]
    for position, reached in enumerate(sums):
        if target < reached:
            return position
    return max(position for position, weight in enumerate(weights) if weight > 0)


def draw_other(weights: Sequence[float], excluded: int, stream: Stream) -> int:
    """Draw any position but `excluded`: by roulette, uniformly if no weight is positive."""
    remaining = [0.0 if i == excluded else weight for i, weight in enumerate(weights)]
    if any(weight > 0 for weight in remaining):
        return roulette(remaining, stream)
    position = stream.below(len(weights) - 1)
    return position + 1 if position >= excluded else position


def select_parents(
    fitnesses: Sequence[float], stream: Stream, shifted: bool = False
) -> tuple[int, int]:
    """Draw two distinct parents in proportion to their fitness.

    Draws: one for the first parent, one for the second among the others; each by roulette, or
    uniformly where no candidate has a positive weight. `shifted` takes the generation's minimum
    off every fitness, for fitness terms that can be negative.
    """
    lowest = min(fitnesses) if shifted else 0.0
    weights = [fitness - lowest for fitness in fitnesses]
    if any(weight > 0 for weight in weights):
        first = roulette(weights, stream)
    else:
        first = stream.below(len(weights))
    return first, draw_other(weights, first, stream)


def zipper(first: Sequence[int], second: Sequence[int], stream: Stream) -> list[int]:
    """Pick a parent at random and take its first unused job, until all are used.

    Draws: one uniform for each position of the child, the last one too; below 0.5 is `first`.
    """
    child: list[int] = []
    for _ in first:
        parent = first if stream.uniform() < 0.5 else second
        child.append(next(job for job in parent if job not in child))
    return child


def mutate(individual: Sequence[int], probability: float, stream: Stream) -> list[int]:
    """Swap two distinct positions with the given probability.

    Draws: one uniform; if it is below the probability and there are two positions or more,
    i = below(n) and j = below(n - 1), where j counts the positions other than i.
    """
    mutant = list(individual)
    if stream.uniform() < probability and len(mutant) > 1:
        i = stream.below(len(mutant))
        j = stream.below(len(mutant) - 1)
        j += j >= i
        mutant[i], mutant[j] = mutant[j], mutant[i]
    return mutant


def next_generation(
    population: Sequence[Sequence[int]],
    fitnesses: Sequence[float],
    probability: float,
    stream: Stream,
    shifted: bool = False,
) -> list[list[int]]:
    """Replace the whole population; each child draws parents, then crossover, then mutation."""
    children = []
    for _ in population:
        first, second = select_parents(fitnesses, stream, shifted)
        child = zipper(population[first], population[second], stream)
        children.append(mutate(child, probability, stream))
    return children


def climb(order: Sequence[int], reach: int, worth: Callable[[list[int]], float]) -> list[int]:
    """Move single jobs to the first places or the last, each time to where it is worth most.

    Of moves that are worth as much the first counts: by place, then by the job's position.
    """
    best = list(order)
    last = len(best) - 1
    while True:
        trials = []
        for target in [*range(min(reach, last)), last]:
            for position, job in enumerate(best):
                trial = best[:position] + best[position + 1 :]
                trial.insert(target, job)
                trials.append(trial)
        found = max(trials, key=worth)
        if worth(found) <= worth(best):
            return best
        best = found


def dead_last(scores: Sequence[float], values: Sequence[float]) -> list[int]:
    """Order jobs by score, those that are worth nothing now behind all others, in that order."""
    ranks = [score if value > 0 else inf for score, value in zip(scores, values, strict=True)]
    return sorted(range(len(ranks)), key=ranks.__getitem__)

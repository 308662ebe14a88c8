"""Orders to Slurm: the same for many jobs, or tasks of an array, is one."""

from __future__ import annotations

from collections import Counter
from random import Random

from swfx.base.ranges import numbers_in
from tests.scale import many
from utilitysched_slurm.commands import LONGEST_LIST, Action, by_array, in_one_go


def expanded(action: Action) -> list[Action]:
    """The action for each task that it names."""
    array, _, tasks = action.key.partition("_")
    numbers = numbers_in(tasks.strip("[]").replace(",", " ")).tolist()
    return [action._replace(key=f"{array}_{task}") for task in numbers] or [action]


def test_tasks_are_told_together_what_each_was_to_be_told() -> None:
    draw, fewer = Random(5), 0
    for _ in range(many(100)):
        tasks = [f"{array}_{task}" for array in (7, 9) for task in range(9)]
        actions = [
            Action(verb, key, draw.choice(["", "5"]))
            for key in draw.sample(["7", "8", *tasks], 9)
            for verb in draw.sample(["hold", "describe", "requeue"], 2)
        ]
        orders = by_array(actions)

        assert Counter(each for order in orders for each in expanded(order)) == Counter(actions)
        places = [min(actions.index(each) for each in expanded(order)) for order in orders]
        assert places == sorted(places)
        arrays = [
            each._replace(key=each.key.partition("_")[0]) for each in orders if "_" in each.key
        ]
        assert len(set(arrays)) == len(arrays)
        fewer += len(actions) - len(orders)
    assert fewer > 0


def test_many_jobs_are_told_in_few_lines() -> None:
    keys = [str(number) for number in range(100_000, 105_000)]
    orders = in_one_go(Action(verb, key) for verb in ("hold", "requeue") for key in keys)

    for verb in ("hold", "requeue"):
        told = [each.key for each in orders if each.verb == verb]
        assert ",".join(told).split(",") == keys
        assert max(map(len, told)) <= LONGEST_LIST + 7
    assert len(orders) < 30

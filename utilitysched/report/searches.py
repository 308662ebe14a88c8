"""Words and rows about searches for queue orders: what they took, and which generations show."""

from collections.abc import Iterator, Sequence
from typing import Any

from swfx.base.numbers import plural
from utilitysched.model.schedule import Schedule
from utilitysched.report.terminal import filled
from utilitysched.schedulers.genetic.options import SEARCH


def print_effort(schedules: Sequence[Schedule]) -> None:
    """Print what schedulers bred, a line each; nothing where none bred anything."""
    said = [line for schedule in schedules for line in effort(schedule)]
    if said:
        print()
    for line in said:
        print(filled(line))


def effort(schedule: Schedule) -> Iterator[str]:
    """Yield how many generations and plans a schedule took; nothing if none was bred."""
    search: dict[str, Any] = schedule.provenance.get(SEARCH, {})  # type: ignore[assignment]
    if search.get("generations"):
        bred, decisions = search["generations"], search["decisions"]
        yield (
            f"{schedule.scheduler} bred {plural(bred, 'generation')}"
            f" in {plural(decisions, 'decision')}: {plural(search['plans'], 'plan')}."
        )


def some_generations(last: int) -> list[int]:
    """Return generations from 0 to the last one, ever further apart.

    Examples
    --------
    >>> some_generations(30), some_generations(2)
    ([0, 1, 2, 5, 10, 20, 30], [0, 1, 2])
    """
    found, power = [0], 1
    while power < last:
        found += [step * power for step in (1, 2, 5) if step * power < last]
        power *= 10
    return found + [last] * (last > 0)

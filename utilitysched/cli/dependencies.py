"""What is said about the dependencies of a workload before it is simulated with them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from utilitysched.report.numbers import plural

if TYPE_CHECKING:
    from swfx import Workload

FIRST_JOBS = 5


def told_dependencies(workload: "Workload") -> Iterator[str]:
    """Yield how many jobs wait for another, and which dependencies are odd."""
    from swfx.dependencies import RULES, dependencies

    found = dependencies(workload)
    waiting = "waits" if found.count == 1 else "wait"
    yield f"dependencies: {plural(found.count, 'job')} {waiting} for another to end"
    for rule in RULES:
        if rule.name in found.listed:
            done = "ignored" if rule.ignored else "noted"
            numbers = _numbers(found.listed[rule.name].tolist())
            yield f"dependencies {done}: {rule.name}: {rule.meaning}: {numbers}"


def _numbers(jobs: list[int]) -> str:
    first = ", ".join(map(str, jobs[:FIRST_JOBS]))
    more = len(jobs) - FIRST_JOBS
    return f"job{'s' if len(jobs) > 1 else ''} {first}{f' and {more:,} more' if more > 0 else ''}"

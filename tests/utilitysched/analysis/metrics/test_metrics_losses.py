"""Losses of utility by waiting, and how concentrated they are."""

from __future__ import annotations

from swfx import UtilityFunction, UtilityTable, Workload
from utilitysched import simulate
from utilitysched.analysis.metrics import effective_losers, lost_utility


def test_losses_are_as_concentrated_as_those_of_so_many_equal_losers() -> None:
    curve = UtilityFunction([0, 10, 20], [8, 8, 0])
    jobs = Workload.from_columns(
        submit=[0, 0, 0],
        run=[10, 10, 5],
        processors=[1, 1, 1],
        utility=UtilityTable.from_functions([curve] * 3),
    )
    one_by_one = simulate(jobs, "fcfs", machine_size=1)

    # the second ends at 20 and the third at 25
    assert lost_utility(jobs, one_by_one).tolist() == [0, 8, 8]
    assert effective_losers(jobs, one_by_one) == 2
    assert effective_losers(jobs, simulate(jobs, "fcfs", machine_size=3)) is None

"""What users lose by saying that their jobs can be preempted."""

from __future__ import annotations

import pytest

from swfx import InputError, UtilityFunction, UtilityTable, Workload
from utilitysched.counterfactual.disclosure import Disclosed, disclosures, price_of_reporting

EXPRESS, NORMAL = 1, 3


def one_is_preempted() -> Workload:
    """On 4 processors user 1 has a job with checkpoints, for which express jobs of user 2 come."""
    loses_one_a_second = UtilityFunction([0, 500], [500, 0])
    return Workload.from_columns(
        submit=[0, 50, 60],
        run=[100, 20, 36],
        requested_time=[100, 20, 36],
        processors=[4, 4, 2],
        queue=[NORMAL, EXPRESS, NORMAL],
        user=[1, 2, 3],
        checkpoint_interval=[30, -1, 10],
        restart_overhead=[5, -1, 0],
        utility=UtilityTable.from_functions([loses_one_a_second] * 3),
    )


def test_who_reports_checkpoints_is_preempted_and_loses_what_that_takes() -> None:
    """Job 1 ends at 145 in place of 100; without its report, nobody else is preempted."""
    found = disclosures(one_is_preempted(), "priority-preempt", [1], machine_size=4)

    assert found == [Disclosed(1, 1, 4 * 100 / 3600, 1, reported=355.0, silent=400.0)]
    assert found[0].loss == 45.0
    assert price_of_reporting(found) == pytest.approx(45 * 3600 / 400)


def test_a_job_that_a_restart_cuts_short_is_worth_nothing() -> None:
    """A restart takes twice the 5 s by which the request was extended: work is left at the end."""
    (found,) = disclosures(
        one_is_preempted(), "priority-preempt", [1], machine_size=4, preemption="actual=2"
    )

    assert (found.reported, found.silent) == (0.0, 400.0)


def test_all_users_with_checkpoints_are_asked() -> None:
    found = disclosures(one_is_preempted(), "priority-preempt", machine_size=4)

    assert [each.user for each in found] == [1, 3]
    assert (found[1].preemptions, found[1].loss) == (0, 0.0)
    assert price_of_reporting([]) == 0.0


def test_losses_add_up_exactly() -> None:
    assert price_of_reporting([Disclosed(1, 1, 1.0, 0, reported=0.0, silent=0.1)] * 10) == 0.1


@pytest.mark.parametrize(
    ("users", "rules", "message"),
    [
        ([2], "default", "field users: user 2 has no job that takes checkpoints"),
        (
            [1],
            "scratch=true",
            "'scratch=true' jobs that report no checkpoints can be preempted, too",
        ),
        ([1], "on_demand=5", "field preemption: by 'on_demand=5' jobs that report no checkpoints"),
    ],
)
def test_what_cannot_be_compared_is_refused(users: list[int], rules: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        disclosures(one_is_preempted(), "priority-preempt", users, machine_size=4, preemption=rules)

"""Programs that the solver would get wrong by its defaults."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.utilitysched.exact.cases import best_lost, best_of_all, called_infeasible
from utilitysched.exact import StaticProblem
from utilitysched.exact.model import solve


@pytest.mark.parametrize("case", [best_lost, called_infeasible])
def test_known_mistakes_of_the_solver_are_kept_out(case: Callable[[], StaticProblem]) -> None:
    problem = case()
    jobs = len(problem.snapshot.queued)

    found = solve(problem, 10.0, 60.0, problem.left_shifted(range(jobs)))

    assert 0 <= found.bound - best_of_all(problem) <= found.slack

"""What is declared of tuples with compiled functions in them is what numba would find out."""

from __future__ import annotations

import pytest
from numba import typeof
from numba.core.typing.typeof import Purpose, _typeof_tuple, _TypeofContext

from tests.utilitysched.market.audit.markets import PROCESSORS, crowd
from utilitysched.model.arrivals import Arrivals
from utilitysched.schedulers.registry import make_scheduler


@pytest.mark.parametrize(
    "text",
    [
        *("fcfs", "easy", "conservative:depth=5,threshold=3x", "first-reward"),
        *("value-density:duration=predicted,reserve=0.5", "fcfs:placement=none"),
    ],
)
@pytest.mark.parametrize("once", [False, True])
def test_policies_are_of_the_type_declared(text: str, once: bool) -> None:
    known = Arrivals.of(crowd(1), PROCESSORS, None).known
    scheduler = make_scheduler(text)
    assert scheduler.compiled is not None
    policy = scheduler.compiled.policy(known, once=once)

    for declared in (policy, policy.primary, policy.secondary):
        found = _typeof_tuple(declared, _TypeofContext(Purpose.argument))
        assert typeof(declared) == found

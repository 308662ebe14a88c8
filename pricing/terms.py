"""Terms of a bill beside its mechanism: who is let off, and whether charges are cut."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from pricing.states import in_states
from swfx import Workload
from swfx.base.columns import Bools


class BillTerms(NamedTuple):
    """What is agreed beside the mechanism.

    Attributes
    ----------
    exclude_statuses : tuple of int
        Jobs with these values in the status field do not pay; ascending.
    cap : bool
        Nobody with a utility function pays more than its realised value.
    exclude_states : tuple of str
        Jobs that ended in these states do not pay; those of which the log has any, in order.
    """

    exclude_statuses: tuple[int, ...] = ()
    cap: bool = False
    exclude_states: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, workload: Workload, statuses: Collection[int], states: Collection[str], *, cap: bool
    ) -> BillTerms:
        """Return the terms of the bill of a workload, of which those without states need none."""
        told = states if (workload.labels.of("state").numbers >= 0).any() else ()
        return cls(tuple(sorted(set(statuses))), cap, tuple(sorted(set(told))))

    def free(self, workload: Workload) -> Bools:
        """Return which jobs do not pay, (n,)."""
        statuses = np.array(self.exclude_statuses, dtype=np.int64)
        return np.isin(workload.status, statuses) | in_states(workload, self.exclude_states)

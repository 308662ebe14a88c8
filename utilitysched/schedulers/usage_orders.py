"""Orderings that read decayed usage of a machine."""

import math

import numpy as np

from swfx import InputError
from utilitysched.kernels.machine.priority import COLUMNS, COMPUTED, room, settle
from utilitysched.kernels.policy import Ranking
from utilitysched.kernels.signatures import compiled_score
from utilitysched.model.machine import CONSTANTS, FACTORS, PoolView, ShareTable
from utilitysched.model.state import Floats, JobTable
from utilitysched.schedulers.orders import Order


class UsageOrder(Order):
    """An ordering that reads usage; a parameter that is no number is as the machine says."""

    @property
    def value_aware(self) -> bool:
        """Whether scores may read utility functions: by a code, or a weight of value."""
        named = dict(zip(self.ordering.parameters, self.parameters, strict=True))
        return named.get("by", 0.0) != 0.0 or named.get("value", 0.0) != 0.0

    def shares(self, table: ShareTable) -> ShareTable:
        """Return shares with the weights and constants of the ordering in place of the machine's.

        Raises
        ------
        InputError
            All weights of a weighted sum are 0.
        """
        named = dict(zip(self.ordering.parameters, self.parameters, strict=True))
        weights, constants = (
            np.array([_given(named.get(name), own) for name, own in zip(names, owned, strict=True)])
            for names, owned in ((FACTORS, table.weights), (CONSTANTS, table.constants))
        )
        if "age" in named and not weights.any():
            raise InputError(
                "all weights are 0",
                source=self.ordering.name,
                remedy="give some, as in multifactor:age=1000,fairshare=2000, or in the machine's "
                "file below [priority]",
            )
        return table._replace(weights=weights, constants=constants)

    def ranking(self, known: JobTable, *, once: bool) -> Ranking:  # noqa: ARG002 - scores change
        """Return the ordering in the form of the kernels, before anything is known of usage."""
        return Ranking(np.empty(0), compiled_score(self.ordering.score), room(len(known.submit)))

    def settle(self, numbers: Floats, shares: ShareTable) -> None:
        """Write what never changes into the numbers of a ranking."""
        by = self.parameters[0] if "by" in self.ordering.parameters else 0.0
        settle(numbers, by, shares)

    def look(self, numbers: Floats, pool: PoolView | None) -> None:
        """Write what is to be seen of a pool into the numbers of a ranking.

        Raises
        ------
        InputError
            Nothing is: the scheduler is asked where nobody keeps account of usage.
        """
        if pool is None or pool.shares is None or pool.fairshare is None:
            raise InputError(
                "usage is not known here",
                source=self.ordering.name,
                remedy="simulate it, or choose an ordering that reads no usage",
            )
        self.settle(numbers, pool.shares)
        numbers[COMPUTED] = pool.computed
        numbers[COLUMNS : COLUMNS + len(pool.fairshare)] = pool.fairshare


def _given(own: float | None, machine: float) -> float:
    """Return a number of the ordering, or else the machine's."""
    return machine if own is None or math.isnan(own) else own

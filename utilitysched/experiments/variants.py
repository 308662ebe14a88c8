"""Variants of schedulers: on jobs with other checkpoints, under other rules of preemption."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from utilitysched.experiments.specification import Candidate


class Variants(NamedTuple):
    """Checkpoints and rules of preemption that are varied for schedulers that use them.

    Attributes
    ----------
    checkpoints : tuple of str
        Annotations that say who takes checkpoints; an empty one for what the workload says.
    preemption : tuple of str
        Rules; empty ones for the default.
    failures : bool
        Whether jobs are stopped by failures, too. Otherwise only schedulers that preempt jobs can
        tell the difference.
    """

    checkpoints: tuple[str, ...] = ("",)
    preemption: tuple[str, ...] = ("",)
    failures: bool = False

    def of(self, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
        """Return all variants of the candidates that checkpoints and preemption concern.

        Other candidates have the first variant only.

        Examples
        --------
        >>> rules = Variants(preemption=("default", "on_demand=60"))
        >>> [each.label for each in rules.of([Candidate("mine", stochastic=False, preempts=True)])]
        ['mine under default', 'mine under on_demand=60']
        """
        return tuple(made for each in candidates for made in self._made(each))

    def _made(self, candidate: Candidate) -> list[Candidate]:
        pairs = list(product(self.checkpoints, self.preemption))
        if not (candidate.preempts or self.failures):
            return [candidate._replace(checkpoints=pairs[0][0], preemption=pairs[0][1])]
        return [self._named(candidate, *pair) for pair in pairs]

    def _named(self, candidate: Candidate, checkpoints: str, preemption: str) -> Candidate:
        made = candidate._replace(checkpoints=checkpoints, preemption=preemption)
        label = candidate.label
        label += f" with {checkpoints}" if len(self.checkpoints) > 1 else ""
        label += f" under {preemption}" if len(self.preemption) > 1 else ""
        return made if label == candidate.label else made._replace(label=label, text=made.scheduler)

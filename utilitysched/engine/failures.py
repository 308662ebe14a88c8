"""Failures of a simulation, and which processors jobs then get first."""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from checkpoint.failures import Outages
from swfx import InputError
from swfx.base.options import as_choice, split_options
from utilitysched.model.state import Floats, Integers

if TYPE_CHECKING:
    from checkpoint.domains import FailureDomains

SOURCE = "failures"
PREFERENCES = ("lowest", "safe")


@dataclass(frozen=True, eq=False)
class Failures:
    """Failures of a machine's processors.

    Attributes
    ----------
    domains : FailureDomains or Outages
        What fails at random; or when which processors are down, and never else.
    prefer : str
        Which free processors a job gets: the ``lowest``, or the ``safe`` ones, that fail least
        often, their domains included.
    seed : int
        Of the draws, unless the domains have their own.
    text : str
        What they were read from.
    since : float or None
        When everything works (s); None for the submission of the first job.
    """

    domains: "FailureDomains | Outages"
    prefer: str = "lowest"
    seed: int = 0
    text: str = ""
    since: float | None = None

    @classmethod
    def from_text(cls, text: str, seed: int = 0) -> "Failures":
        """Read failure domains with an option ``prefer``; see `failure_domains`.

        Raises
        ------
        InputError
            An unknown preference, or what `failure_domains` refuses.
        """
        # networkx takes a fifth of a second to import, which runs without failures do not need
        from checkpoint.failure_text import failure_domains  # noqa: PLC0415

        options = split_options(text, SOURCE)
        prefer = as_choice(options.pop("prefer", "lowest"), PREFERENCES, SOURCE, "prefer")
        rest = ",".join(f"{key}={value}" for key, value in options.items())
        return cls(failure_domains(rest), prefer, seed, text)

    def __str__(self) -> str:
        if self.text:
            return self.text
        return f"{len(self.domains)} outages" if isinstance(self.domains, Outages) else "domains"

    @property
    def digest(self) -> str:
        """sha256 (hex) of everything that decides which processors fail, and when."""
        told = self.domains.digest, self.prefer, self.seed
        return hashlib.sha256(repr(told).encode()).hexdigest()

    def check(self, machine_size: int) -> None:
        """Refuse a machine to which these failures do not belong.

        Raises
        ------
        InputError
            It has other processors.
        """
        if not isinstance(self.domains, Outages):
            self.domains.check(machine_size)
        elif self.domains.processors > machine_size:
            raise InputError(
                f"processor {self.domains.processors - 1} fails, the machine has {machine_size}",
                source=SOURCE,
                remedy="give outages of this machine",
            )

    @property
    def rate(self) -> Floats | None:
        """Failure rate of each processor (1/s), None where processors are handed out by number."""
        if self.prefer == "lowest" or isinstance(self.domains, Outages):
            return None
        return self.domains.rate

    def between(self, begin: float, end: float) -> Outages:
        """Return the outages that start from `begin` on, before `end`.

        A later `end` adds outages and changes none.
        """
        if isinstance(self.domains, Outages):
            return self.domains
        return self.domains.outages(begin, end, self.seed)

    def bounds(self, now: float) -> Integers:
        """Return where stretches of processors begin that fail together, if at all, after `now`."""
        if not isinstance(self.domains, Outages):
            return self.domains.starts
        coming = self.domains.start > now
        return np.union1d(self.domains.low[coming], self.domains.high[coming])

    def least_rate(self, sizes: Integers) -> Floats:
        """Return how often a job of each size fails at least, wherever it runs (1/s).

        By the nodes that fail least often; what is larger than a node counts as if it never failed.
        """
        if isinstance(self.domains, Outages):
            return np.zeros(len(sizes))
        tree, lifetimes = self.domains.tree, self.domains.lifetimes
        nodes = [lifetimes.get(name) for name, parts in tree.out_degree() if parts == 0]
        rates = sorted(0.0 if life is None else life.rate for life in nodes)
        least = np.concatenate([[0.0], np.cumsum(rates)])
        found: Floats = least[-(-sizes // self.domains.node_size)]
        return found

    @property
    def all_known(self) -> bool:
        """Whether no outages are drawn."""
        return isinstance(self.domains, Outages)

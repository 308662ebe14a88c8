"""What an audit of a cell is made with: light, so that a cell can hold it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Audited:
    """An audit; as `utilitysched.market.audit.Design` has it, and the mechanisms.

    Attributes
    ----------
    mechanisms : tuple of str
        Labels.
    jobs : int
        Jobs to sample.
    draws : int
        Seeds on which lies are chosen, and as many others on which they are scored.
    lies : tuple of str
        Labels.
    horizon : str
        How long after a job's submission accounts are closed.
    queues : str
        Queues and the least value from which on a job goes to them.
    """

    mechanisms: tuple[str, ...]
    jobs: int
    draws: int
    lies: tuple[str, ...]
    horizon: str
    queues: str

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> Audited:
        """Make it again from what `dataclasses.asdict` and JSON made of it."""
        texts = {name: tuple(found[name]) for name in ("mechanisms", "lies")}
        return cls(**{**found, **texts})

"""Refusals: jobs that Slurm does not let an operator change, and what helps."""

import math
from collections.abc import Callable, Collection, Mapping

REFUSING = 30.0
"""s for which a job cannot be changed before people are told: Slurm refuses much for a moment."""

REMEDIES = {
    "the DB index is being set": (
        "a slurmctld that was killed has lost slurmdbd's answer, and a restart does not help: stop"
        " slurmdbd, submit a job, and start slurmdbd 15 s later"
    ),
}
"""What ends a lasting refusal, by words of its reason. While slurmdbd is down, slurmctld fails to
register the new job, and then registers all jobs anew of which it has no answer."""


class Refusals:
    """Jobs that Slurm does not let change, of which people are told once.

    Parameters
    ----------
    echo : callable
        Takes lines for people.
    """

    def __init__(self, echo: Callable[[str], None]) -> None:
        self._echo = echo
        self._since: dict[str, float] = {}

    def note(
        self,
        now: float,
        ordered: Collection[str],
        refused: Mapping[str, str],
        there: Collection[str],
    ) -> None:
        """Note an answer of Slurm, and tell of jobs that it refuses to change for long.

        Parameters
        ----------
        now : float
            When it came (s).
        ordered : collection of str
            Jobs that were to change.
        refused : mapping of str to str
            Those that did not, and why.
        there : collection of str
            Jobs that are not over.
        """
        self._since = {
            key: since
            for key, since in self._since.items()
            if key in there and (key in refused or key not in ordered)
        }
        lasting: dict[str, list[str]] = {}
        for key, why in refused.items():
            if now - self._since.setdefault(key, now) >= REFUSING:
                self._since[key] = math.inf  # said once
                lasting.setdefault(why.removesuffix(f" for job {key}"), []).append(key)
        for why, keys in lasting.items():
            helps = "".join(f"; {text}" for words, text in REMEDIES.items() if words in why)
            self._echo(
                f"job {', '.join(keys)}: Slurm has refused all changes for {REFUSING:.0f} s:"
                f" {why}{helps}"
            )

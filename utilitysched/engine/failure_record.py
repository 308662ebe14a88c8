"""Record of failures in a schedule's provenance, from which they are made again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from swfx import InputError

if TYPE_CHECKING:
    from checkpoint.failures import Outages
    from utilitysched.engine.failures import Failures


@dataclass(frozen=True, eq=False)
class FailureRecord:
    """Failures of a schedule.

    Attributes
    ----------
    text : str
        What they were read from, or how many outages were given.
    seed : int or None
        Of their draws; None where no text says what failed.
    digest : str
        Of the outages until the last job ended; empty if the schedule does not say.
    given : Failures or Outages, optional
        What failed, where no text says it.
    """

    text: str
    seed: int | None
    digest: str
    given: "Failures | Outages | None" = None

    @classmethod
    def of(
        cls, simulation: Mapping[str, object], given: "Failures | Outages | None" = None
    ) -> "FailureRecord | None":
        """Return what a schedule's provenance says; None if nothing failed."""
        if "failures" not in simulation:
            return None
        text, told = str(simulation["failures"]), simulation.get("outages")
        if not isinstance(told, Mapping):  # stored by a version that did not note them
            return cls(text, None, "", given)
        return cls(text, told["seed"], str(told["sha256"]), given)

    def again(self, machine_size: int) -> "Failures":
        """Return what fails if the schedule is made again.

        Raises
        ------
        InputError
            Nothing says what failed, or the text can no longer be read.
        """
        from utilitysched.engine.conditions import failures_of  # noqa: PLC0415  loads numba
        from utilitysched.engine.failures import Failures  # noqa: PLC0415

        if self.given is None and self.seed is None:
            raise InputError(
                f"nothing says what failed ({self.text})",
                field="failures",
                remedy="give it: Counterfactuals.of(workload, schedule, failures=...), or simulate"
                " again, then bill",
            )
        found = self.given  # no outages at all are outages, too
        if found is None:
            found = Failures.from_text(self.text, self.seed or 0)
        made = failures_of(found, machine_size, self.seed or 0)
        assert made is not None
        return made

    def check(self, again: "Outages | None") -> None:
        """Refuse outages of a schedule made again, up to its end, that are others.

        Raises
        ------
        InputError
            The outages are others.
        """
        if again is None or again.digest != self.digest:
            raise InputError(
                f"{self.text} no longer fails as it did: the outages are others",
                field="failures",
                remedy="give the failures of this schedule, or simulate again, then bill",
            )

"""One utility model for a workload, and others for some queues and users."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Bools, Ints
from swfx.base.errors import InputError
from swfx.base.numbers import jobs_of, plural
from swfx.families.annotation import Annotated
from swfx.families.utilities.registry import DEFAULT, Given, UtilityModel, make_model
from swfx.families.utilities.unchanged import Unchanged
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["Override", "Valuation"]

SOURCE = "utilities for"
_OVERRIDE = re.compile(r"\s*(queue|user)\s*=\s*([^:]*[^:\s])\s*:(.*)", re.DOTALL)


class Override(NamedTuple):
    """A model for the jobs of one queue or user.

    Attributes
    ----------
    column : {"queue", "user"}
        Which.
    whose : str
        Its number in the log, or its name.
    model : UtilityModel
        What gives these jobs their curves.
    """

    column: str
    whose: str
    model: UtilityModel

    @property
    def whom(self) -> str:
        """Queue or user of the model, in the form of the option: ``queue=1``."""
        return f"{self.column}={self.whose}"

    def concerns(self, workload: Workload) -> Bools:
        """Whether each job is of the queue or user, shape (n,)."""
        known = workload.labels.in_field(self.column)
        concerned: Bools = known.numbers == known.number(self.whose)
        return concerned


@dataclass(frozen=True)
class Valuation:
    """What gives the jobs of a workload their utility functions.

    Parameters
    ----------
    base : UtilityModel
        For all jobs that no override is for.
    overrides : tuple of Override
        Where two concern a job, the one for its user counts.

    Examples
    --------
    >>> made = Valuation.parse("factor=3", ["queue=1:step=1", "user=17:diurnal:at=13:00"])
    >>> made.overrides[0].model == make_model("factor=3,step=1")
    True
    """

    base: UtilityModel
    overrides: tuple[Override, ...] = ()

    @classmethod
    def parse(cls, text: str = DEFAULT, overrides: Sequence[str] = ()) -> Valuation:
        """Read the text of a model, and overrides ``queue=Q:SPEC`` or ``user=U:SPEC``.

        A SPEC without a model's name changes single options of the model for all the others, or
        of LEE's where that is ``none``.

        Raises
        ------
        InputError
            A text cannot be used, or a queue or user is named twice.
        """
        base = make_model(text)
        changes = None if isinstance(base, Unchanged) else base
        made = tuple(_override(each, changes) for each in overrides)
        whom = [override.whom for override in made]
        for name in whom:
            if whom.count(name) > 1:
                raise InputError(f"{name} is named twice", source=SOURCE, remedy="keep one of them")
        return cls(base, made)

    @property
    def reads_waits(self) -> bool:
        """Whether any of its models needs waits."""
        return any(model.reads_waits for model in self._models())

    def attach(
        self,
        workload: Workload,
        seed: int = 0,
        given: Given | None = None,
        *,
        keep: bool = False,
    ) -> Annotated:
        """Give the jobs their utility functions.

        Every model draws for all jobs, and each job takes its curve from its own model: an override
        leaves the curves of all other jobs as they were, to the last bit.

        Parameters
        ----------
        workload : Workload
            n jobs.
        seed : int
            Fixes every draw, at least 0.
        given : Given, optional
            Waits and priority classes.
        keep : bool
            Jobs that have a utility function keep it, where no override concerns them.

        Returns
        -------
        Annotated
            The jobs with utility functions and one header line `UtilityModel` per model; the notes
            say how many jobs have theirs from which, and how many had another before. Where all
            keep theirs, the workload as it is.

        Raises
        ------
        InputError
            The workload lacks what a model needs.
        """
        drawn = [model.draw(workload, seed, given or Given()) for model in self._models()]
        owner = self._owners(workload)
        own = workload.utility.defined
        kept = own & (owner == 0) & (keep and not self.base.keeps)
        chosen = np.where(kept, -1, owner)
        rows = (1 + chosen) * len(workload) + np.arange(len(workload))
        counts = np.bincount(1 + chosen, minlength=1 + len(drawn)).tolist()[1:]
        replaced = np.bincount(1 + chosen, own, 1 + len(drawn)).astype(np.int64).tolist()[1:]
        tables = [workload.utility, *(table for table, _ in drawn)]
        notes = (*_notes_of_kept(kept), *self._notes(counts, replaced, len(workload)))
        if len(kept) and kept.all():
            return Annotated(workload, notes)
        lines = (
            *_lines_of_kept(workload, kept),
            drawn[0].text,
            *self._lines(counts, [text for _, text in drawn]),
        )
        header = workload.header.with_values("UtilityModel", lines)
        utility = UtilityTable.stacked(tables).take(rows)
        return Annotated(workload.replace(utility=utility, header=header), notes)

    def _lines(self, counts: Sequence[int], texts: Sequence[str]) -> Iterator[str]:
        for override, count, text in zip(self.overrides, counts[1:], texts[1:], strict=True):
            yield f"{override.whom} ({plural(count, 'job')}): {text}"

    def _models(self) -> list[UtilityModel]:
        return [self.base, *(override.model for override in self.overrides)]

    def _owners(self, workload: Workload) -> Ints:
        """Position in `_models` of the model of each job, shape (n,)."""
        owner = np.zeros(len(workload), np.int64)
        for column in ("queue", "user"):  # the later counts
            for place, override in enumerate(self.overrides, start=1):
                if override.column == column:
                    owner[override.concerns(workload)] = place
        return owner

    def _notes(self, counts: Sequence[int], replaced: Sequence[int], jobs: int) -> Iterator[str]:
        whom = ["utilities", *(override.whom for override in self.overrides)]
        for name, count, had, model in zip(whom, counts, replaced, self._models(), strict=True):
            lost = had and not model.keeps
            instead = f"; {had:,} of them replace another" if lost else ""
            yield f"{name}: {jobs_of(count, jobs)} by {model.label}{instead}"


def _lines_of_kept(workload: Workload, kept: Bools) -> Iterator[str]:
    if kept.any():
        before = "; ".join(workload.header.all("UtilityModel")) or "as in the log"
        yield f"kept ({plural(int(kept.sum()), 'job')}): {before}"


def _notes_of_kept(kept: Bools) -> Iterator[str]:
    if kept.any():
        yield f"utilities: {jobs_of(int(kept.sum()), len(kept))} keep the one that they have"


def _override(text: str, base: UtilityModel | None) -> Override:
    parts = _OVERRIDE.fullmatch(text)
    if not parts:
        raise InputError(
            f"{text!r} is for no queue or user",
            source=SOURCE,
            remedy="write queue=Q:SPEC or user=U:SPEC, such as queue=1:factor=3",
        )
    column, label, options = parts.groups()
    return Override(column, label, make_model(options, base))

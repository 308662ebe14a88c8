"""Curves that a centre states in a TOML file, by what labels say of the jobs."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import numpy as np

from swfx.base.columns import Bools, Floats, Ints
from swfx.base.configured import option
from swfx.base.document import DocumentError, DocumentTable, read_document
from swfx.base.document_values import Flag, NameOrNumber, Text, made, one_of, one_or_more
from swfx.base.numbers import plural
from swfx.base.options import nearest
from swfx.families.generators.utilities import start_values
from swfx.families.utilities.points import read_points
from swfx.families.utilities.registry import UTILITY_MODELS, Drawn, Given, UtilityModel, make_model
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import JobLabels
from swfx.utility import UtilityFunction
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["CurveRules"]

JOB, PROCESSOR_HOUR = "job", "processor-hour"

KEPT, NONE = -2, -1
"""In place of a curve: the job keeps its own, or has none."""

_NAMED = re.compile(r"(?:^|[\s,;])curve=([^\s,;]+)")
"""Name of a curve within a longer label."""

MOST_NAMED = 3
"""Labels that a note names."""


@dataclass(frozen=True)
class StatedCurve(DocumentTable):
    """A curve of a file.

    Attributes
    ----------
    points : UtilityFunction or None
        The curve (SU); None for a model.
    per : str or None
        Whether its values are of the job or of a processor-hour; None for a model.
    model : UtilityModel or None
        Model that gives each job a curve of its own.
    """

    points: Annotated[UtilityFunction | None, made(read_points)] = None
    per: Literal["job", "processor-hour"] | None = None
    model: Annotated[UtilityModel | None, made(make_model)] = None

    def __post_init__(self) -> None:
        if (self.points is None) == (self.model is None):
            raise DocumentError(
                "is no curve", 'give points = "0:1,12h:1,3d:0", or model = "diurnal:at=09:00"'
            )
        if self.model is not None and self.per is not None:
            raise DocumentError("says nothing beside a model", "leave it out", at=("per",))
        if isinstance(self.model, CurveRules):
            raise DocumentError("is another file of curves", "name its curves here", at=("model",))
        if self.model is None and self.per is None:
            raise DocumentError(
                "does not say of what its values are",
                f'add per = "{JOB}", or "{PROCESSOR_HOUR}"',
            )

    @property
    def table(self) -> UtilityTable:
        """The curve as a table; an empty one for a model."""
        if self.points is None:
            return UtilityTable.empty(0)
        return UtilityTable.from_functions([self.points])


@dataclass(frozen=True)
class CurveRule(DocumentTable):
    """Jobs that have a curve.

    Attributes
    ----------
    whose : mapping of str to tuple of int or str
        Numbers, names and patterns by kind of label; a job must have one of each kind.
    curve : str
        Name of the curve; empty where a label of the job names it.
    named_by : str
        Kind of that label.
    """

    REST: ClassVar[str] = "whose"

    whose: dict[
        Annotated[str, one_of(LABEL_KINDS)], Annotated[tuple[NameOrNumber, ...], one_or_more]
    ] = field(default_factory=dict)
    curve: Text = ""
    named_by: Annotated[str, one_of(LABEL_KINDS)] = ""

    def __post_init__(self) -> None:
        if bool(self.curve) == bool(self.named_by):
            raise DocumentError(
                "does not say which curve", 'give curve = "NAME", or named_by = "comment"'
            )
        if self.curve and not self.whose:
            raise DocumentError(
                "says of no job that it fits", f"name {', '.join(LABEL_KINDS)}; or default"
            )


@dataclass(frozen=True)
class StatedCurves(DocumentTable):
    """Contents of a file of curves.

    Attributes
    ----------
    curves : dict of str to StatedCurve
        Curves by name.
    rules : tuple of CurveRule
        Rules in order; the first that a job fits counts.
    default : str
        Name of the curve of all other jobs; empty for none.
    keep : bool
        Jobs keep the utility function that the log gives them.
    """

    EXAMPLES: ClassVar[dict[str, str]] = {
        "curves": 'add [curves.NAME] with points = "0:1,12h:1,3d:0"'
    }

    curves: dict[str, StatedCurve]
    rules: tuple[CurveRule, ...] = ()
    default: Text = ""
    keep: Flag = False

    def __post_init__(self) -> None:
        if not self.curves:
            raise DocumentError("has no curves", "add [curves.NAME]", at=("curves",))
        self._require(self.default, "default")
        for place, rule in enumerate(self.rules):
            self._require(rule.curve, "rules", place, "curve")

    def _require(self, name: str, *at: str | int) -> None:
        if name and name not in self.curves:
            raise DocumentError(f"{name!r} is not known", nearest(name, self.curves), at=at)


@UTILITY_MODELS.register("curves")
@dataclass(frozen=True)
class CurveRules(UtilityModel):
    """Stated in a TOML file by user, account, queue, job name, comment or any other label.

    The first rule that a job fits says its curve. Values are SU for the job, or for each
    processor-hour that it requests; times count from its submission.

    Parameters
    ----------
    file : str
        The file.
    """

    file: str = option(str)

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.stated, self.source  # a file that cannot be used is refused before any work

    @cached_property
    def stated(self) -> StatedCurves:
        """Contents of the file."""
        return read_document(StatedCurves, Path(self.file), "a file of curves")

    @cached_property
    def source(self) -> str:
        """Name of the file, and enough of its digest to know it again."""
        file = Path(self.file)
        return f"{file.name} (sha256 {hashlib.sha256(file.read_bytes()).hexdigest()[:16]})"

    @property
    def keeps(self) -> bool:  # type: ignore[override]  # as the file says
        """Whether jobs keep the utility function that they have."""
        return self.stated.keep

    @property
    def reads_waits(self) -> bool:  # type: ignore[override]  # as its models do
        """Whether a model of the file needs waits."""
        models = (curve.model for curve in self.stated.curves.values())
        return any(model.reads_waits for model in models if model)

    def draw(self, workload: Workload, seed: int, given: Given) -> Drawn:
        """Give every job the curve of the first rule that it fits.

        Raises
        ------
        InputError
            A value is beyond 2^53, or a model of the file lacks something.
        """
        stated, owner = self.stated, self._owners(workload, given)
        drawn = {
            name: curve.model.draw(workload, seed, given)
            for name, curve in stated.curves.items()
            if curve.model
        }
        tables = [UtilityTable.empty(1), workload.utility]
        rows = np.where(owner == KEPT, 1 + np.arange(len(workload)), 0)
        for place, (name, curve) in enumerate(stated.curves.items()):
            mine, first = np.flatnonzero(owner == place), sum(map(len, tables))
            tables.append(drawn[name].table if curve.model else curve.table)
            rows[mine] = first + (mine if curve.model else 0)
        table = UtilityTable.stacked(tables).take(rows)
        scale = np.repeat(self._scale(workload, owner, given), table.points)
        scaled = UtilityTable(table.offsets, table.times, table.values * scale)
        return Drawn(scaled, f"{self.source}: {_text(stated, owner, drawn, workload)}")

    def _scale(self, workload: Workload, owner: Ints, given: Given) -> Floats:
        """Factor on the values of each job's curve, (n,)."""
        per = [curve.per for curve in self.stated.curves.values()]
        hourly = np.isin(owner, [i for i, what in enumerate(per) if what == PROCESSOR_HOUR])
        if not hourly.any():
            return np.ones(len(workload))
        if unasked := int((hourly & (workload.requested_time <= 0)).sum()):
            given.say(
                f"{self.source}: {plural(unasked, 'job')} asked for no time: the default"
                " limit, else the run time, counts as requested"
            )
        return np.where(hourly, start_values(workload, 1 / 60), 1.0)

    def _owners(self, workload: Workload, given: Given) -> Ints:
        """Position of each job's curve among those of the file, or `KEPT` or `NONE`, (n,)."""
        stated = self.stated
        position = {name: place for place, name in enumerate(stated.curves)}
        owner = np.full(len(workload), position.get(stated.default, NONE))
        open_jobs = np.ones(len(workload), np.bool_)
        if stated.keep:
            open_jobs &= ~workload.utility.defined
            owner[~open_jobs] = KEPT
        known = {kind: workload.labels.of(kind) for kind in _kinds(stated.rules)}
        for number, rule in enumerate(stated.rules, 1):
            fits = _fitting(rule, known, open_jobs)
            place = np.full(len(workload), position.get(rule.curve, NONE))
            if rule.named_by:
                place = _named(known[rule.named_by], position)
                for note in _unknown_names(known[rule.named_by], fits, position):
                    given.say(f"{self.source}: rule {number}: {note}")
                fits &= place >= 0
            owner[fits] = place[fits]
            open_jobs &= ~fits
        for note in _strangers(stated.rules, known):
            given.say(f"{self.source}: {note}")
        return owner


def _fitting(rule: CurveRule, known: Mapping[str, JobLabels], among: Bools) -> Bools:
    """Which of some jobs fit a rule, (n,)."""
    fits = among.copy()
    for kind, wanted in rule.whose.items():
        fits &= np.logical_or.reduce([known[kind].matching(each) for each in wanted])
    return fits


def _kinds(rules: Collection[CurveRule]) -> set[str]:
    return {kind for rule in rules for kind in (*rule.whose, rule.named_by) if kind}


def _named(known: JobLabels, position: Mapping[str, int]) -> Ints:
    """Position of the curve that each job's label names, or `NONE`, (n,)."""
    numbers, where = np.unique(known.numbers, return_inverse=True)
    places = [position.get(_name_in(known.names.get(number, ""))) for number in numbers.tolist()]
    of_labels = [NONE if place is None else place for place in places]
    return np.array(of_labels, np.int64)[where]


def _name_in(label: str) -> str:
    """Name of a curve in a label: all of it, or what is behind ``curve=``."""
    match = _NAMED.search(label)
    return match[1] if match else label.strip()


def _unknown_names(known: JobLabels, fits: Bools, position: Mapping[str, int]) -> Iterator[str]:
    """Say which curves jobs ask for by ``curve=`` that there are not."""
    counts: Counter[str] = Counter()
    for number, jobs in zip(*np.unique(known.numbers[fits], return_counts=True), strict=True):
        match = _NAMED.search(known.names.get(int(number), ""))
        if match and match[1] not in position:
            counts[match[1]] += int(jobs)
    for name, jobs in counts.most_common(MOST_NAMED):
        close = difflib.get_close_matches(name, position, n=1)
        near = f"; did they mean {close[0]!r}?" if close else ""
        yield f"{plural(jobs, 'job')} ask{'s' * (jobs == 1)} for {name!r}, which is no curve{near}"


def _strangers(rules: Collection[CurveRule], known: Mapping[str, JobLabels]) -> Iterator[str]:
    """Say which labels of rules no job has: they may be misspelt, or have had no job."""
    for number, rule in enumerate(rules, 1):
        for kind in dict.fromkeys((*rule.whose, *filter(None, [rule.named_by]))):
            if not (known[kind].numbers >= 0).any():
                yield f"rule {number}: no job has a label of the kind {kind!r}"
                continue
            for name in rule.whose.get(kind, ()):
                if not known[kind].matching(name).any():
                    yield f"rule {number}: no job has the {known[kind].words} {name!r}"


def _text(stated: StatedCurves, owner: Ints, drawn: Mapping[str, Drawn], workload: Workload) -> str:
    """Return the number of jobs of each curve, and the text of each utility model in use."""
    counts = [
        f"{name} {plural(int((owner == place).sum()), 'job')}"
        for place, name in enumerate(stated.curves)
    ]
    left = int((owner == NONE).sum())
    parts = [", ".join(counts)]
    parts += [f"without {plural(left, 'job')}"] if left else []
    if kept := int((owner == KEPT).sum()):
        before = "; ".join(workload.header.all("UtilityModel")) or "as in the log"
        parts.append(f"kept {plural(kept, 'job')}: {before}")
    names = list(stated.curves)
    parts += [
        f"{name} is {one.text}" for name, one in drawn.items() if (owner == names.index(name)).any()
    ]
    return "; ".join(parts)

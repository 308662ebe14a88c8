"""Curves that a centre states in a TOML file, by what labels say of the jobs."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swfx.base.columns import Bools, Floats, Ints
from swfx.base.configured import option
from swfx.base.numbers import plural
from swfx.base.toml_values import Node, read_toml
from swfx.families.generators.utilities import start_values
from swfx.families.utilities.points import read_points
from swfx.families.utilities.registry import UTILITY_MODELS, Drawn, Given, UtilityModel, make_model
from swfx.label_kinds import LABEL_KINDS
from swfx.labels import Labels, labels_if_any
from swfx.utility_table import UtilityTable
from swfx.workload import Workload

__all__ = ["CurveRules"]

JOB, PROCESSOR_HOUR = "job", "processor-hour"

PER = (JOB, PROCESSOR_HOUR)
"""Of what values are: of the whole job, or of every processor-hour that it requests."""

KEPT, NONE = -2, -1
"""In place of a curve: the job keeps its own, or has none."""

_NAMED = re.compile(r"(?:^|[\s,;])curve=([^\s,;]+)")
"""Name of a curve within a longer label."""

MOST_NAMED = 3
"""Labels that a note names."""


class StatedCurve(NamedTuple):
    """A curve of a file.

    Attributes
    ----------
    table : UtilityTable
        Of one curve, in SU; empty for a model.
    per : str
        Of what its values are, one of `PER`.
    model : UtilityModel or None
        What gives each job its own.
    """

    table: UtilityTable
    per: str
    model: UtilityModel | None


class CurveRule(NamedTuple):
    """Jobs that have a curve.

    Attributes
    ----------
    number : int
        Place in the file, from 1.
    whose : mapping of str to tuple of int or str
        Numbers, names and patterns by kind of label; a job must have one of each kind.
    curve : str
        Name of the curve; empty where a label of the job names it.
    named_by : str
        Kind of that label.
    """

    number: int
    whose: Mapping[str, tuple[int | str, ...]]
    curve: str
    named_by: str


class StatedCurves(NamedTuple):
    """What a file says.

    Attributes
    ----------
    label : str
        Name of the file, and enough of its digest to know it again.
    curves : mapping of str to StatedCurve
        By name.
    rules : tuple of CurveRule
        In order; the first that a job fits counts.
    default : str
        Name of the curve of all other jobs; empty for none.
    keep : bool
        Jobs keep the utility function that the log gives them.
    """

    label: str
    curves: Mapping[str, StatedCurve]
    rules: tuple[CurveRule, ...]
    default: str
    keep: bool


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
        _ = self.stated  # a file that cannot be used is refused before any work

    @cached_property
    def stated(self) -> StatedCurves:
        """Contents of the file."""
        return _stated(Path(self.file))

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
        return Drawn(scaled, _text(stated, owner, drawn, workload))

    def _scale(self, workload: Workload, owner: Ints, given: Given) -> Floats:
        """Factor on the values of each job's curve, (n,)."""
        per = [curve.per for curve in self.stated.curves.values()]
        hourly = np.isin(owner, [i for i, what in enumerate(per) if what == PROCESSOR_HOUR])
        if not hourly.any():
            return np.ones(len(workload))
        if unasked := int((hourly & (workload.requested_time <= 0)).sum()):
            given.say(
                f"{self.stated.label}: {plural(unasked, 'job')} asked for no time: the default"
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
        known = {kind: labels_if_any(workload, kind) for kind in _kinds(stated.rules)}
        for rule in stated.rules:
            fits = _fitting(rule, known, open_jobs)
            place = np.full(len(workload), position.get(rule.curve, NONE))
            if rule.named_by:
                place = _named(known[rule.named_by], position)
                for note in _unknown_names(known[rule.named_by], fits, position):
                    given.say(f"{stated.label}: rule {rule.number}: {note}")
                fits &= place >= 0
            owner[fits] = place[fits]
            open_jobs &= ~fits
        for note in _strangers(stated.rules, known):
            given.say(f"{stated.label}: {note}")
        return owner


def _fitting(rule: CurveRule, known: Mapping[str, Labels], among: Bools) -> Bools:
    """Which of some jobs fit a rule, (n,)."""
    fits = among.copy()
    for kind, asked in rule.whose.items():
        fits &= np.logical_or.reduce([known[kind].matching(each) for each in asked])
    return fits


def _kinds(rules: Collection[CurveRule]) -> set[str]:
    return {kind for rule in rules for kind in (*rule.whose, rule.named_by) if kind}


def _named(known: Labels, position: Mapping[str, int]) -> Ints:
    """Position of the curve that each job's label names, or `NONE`, (n,)."""
    numbers, where = np.unique(known.numbers, return_inverse=True)
    places = [position.get(_name_in(known.names.get(number, ""))) for number in numbers.tolist()]
    of_labels = [NONE if place is None else place for place in places]
    return np.array(of_labels, np.int64)[where]


def _name_in(label: str) -> str:
    """Name of a curve in a label: all of it, or what is behind ``curve=``."""
    found = _NAMED.search(label)
    return found[1] if found else label.strip()


def _unknown_names(known: Labels, fits: Bools, position: Mapping[str, int]) -> Iterator[str]:
    """Say which curves jobs ask for by ``curve=`` that there are not."""
    counts: Counter[str] = Counter()
    for number, jobs in zip(*np.unique(known.numbers[fits], return_counts=True), strict=True):
        found = _NAMED.search(known.names.get(int(number), ""))
        if found and found[1] not in position:
            counts[found[1]] += int(jobs)
    for name, jobs in counts.most_common(MOST_NAMED):
        close = difflib.get_close_matches(name, position, n=1)
        near = f"; did they mean {close[0]!r}?" if close else ""
        yield f"{plural(jobs, 'job')} ask{'s' * (jobs == 1)} for {name!r}, which is no curve{near}"


def _strangers(rules: Collection[CurveRule], known: Mapping[str, Labels]) -> Iterator[str]:
    """Say which labels of rules no job has: they may be misspelt, or have had no job."""
    for rule in rules:
        for kind in dict.fromkeys((*rule.whose, *filter(None, [rule.named_by]))):
            if not (known[kind].numbers >= 0).any():
                yield f"rule {rule.number}: no job has a label of the kind {kind!r}"
                continue
            for asked in rule.whose.get(kind, ()):
                if not known[kind].matching(asked).any():
                    yield f"rule {rule.number}: no job has the {known[kind].words} {asked!r}"


def _text(stated: StatedCurves, owner: Ints, drawn: Mapping[str, Drawn], workload: Workload) -> str:
    """Say which file gave how many jobs which curve; a model that draws says how, with its seed."""
    counts = [
        f"{name} {plural(int((owner == place).sum()), 'job')}"
        for place, name in enumerate(stated.curves)
    ]
    left = int((owner == NONE).sum())
    parts = [f"{stated.label}: {', '.join(counts)}"]
    parts += [f"without {plural(left, 'job')}"] if left else []
    if kept := int((owner == KEPT).sum()):
        before = "; ".join(workload.header.all("UtilityModel")) or "as in the log"
        parts.append(f"kept {plural(kept, 'job')}: {before}")
    names = list(stated.curves)
    parts += [
        f"{name} is {one.text}" for name, one in drawn.items() if (owner == names.index(name)).any()
    ]
    return "; ".join(parts)


def _stated(file: Path) -> StatedCurves:
    """Read a file.

    Raises
    ------
    InputError
        It cannot be read, a key or kind of label is unknown, or a rule names no curve of it.
    """
    top = read_toml(file, "a file of curves")
    table = top.table(("default", "keep", "curves", "rules"))
    if "curves" not in table:
        top.refuse("has no curves", 'add [curves.NAME] with points = "0:1,12h:1,3d:0"')
    named = table["curves"].table(table["curves"].value)
    curves = {name: _curve(node) for name, node in named.items()}
    if not curves:
        table["curves"].refuse("has no curves", "add [curves.NAME]")
    rules = table["rules"].items() if "rules" in table else []
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
    return StatedCurves(
        f"{file.name} (sha256 {digest})",
        curves,
        tuple(_rule(node, number, curves) for number, node in enumerate(rules, 1)),
        table["default"].choice(curves) if "default" in table else "",
        table["keep"].truth() if "keep" in table else False,
    )


def _curve(node: Node) -> StatedCurve:
    table = node.table(("points", "per", "model"))
    if ("points" in table) == ("model" in table):
        node.refuse("is no curve", 'give points = "0:1,12h:1,3d:0", or model = "diurnal:at=09:00"')
    if "model" in table:
        if "per" in table:
            table["per"].refuse("says nothing beside a model", "leave it out")
        model = table["model"].made(make_model)[1]
        if isinstance(model, CurveRules):
            table["model"].refuse("is another file of curves", "name its curves here")
        return StatedCurve(UtilityTable.empty(0), JOB, model)
    if "per" not in table:
        node.refuse(
            "does not say of what its values are", f'add per = "{JOB}", or "{PROCESSOR_HOUR}"'
        )
    points = table["points"].made(read_points)[1]
    return StatedCurve(UtilityTable.from_functions([points]), table["per"].choice(PER), None)


def _rule(node: Node, number: int, curves: Collection[str]) -> CurveRule:
    table = node.table((*LABEL_KINDS, "curve", "named_by"))
    if ("curve" in table) == ("named_by" in table):
        node.refuse("does not say which curve", 'give curve = "NAME", or named_by = "comment"')
    whose = {
        kind: tuple(map(_asked, table[kind].one_or_more())) for kind in LABEL_KINDS if kind in table
    }
    if "curve" in table:
        if not whose:
            node.refuse("says of no job that it fits", f"name {', '.join(LABEL_KINDS)}; or default")
        return CurveRule(number, whose, table["curve"].choice(curves), "")
    return CurveRule(number, whose, "", table["named_by"].choice(LABEL_KINDS))


def _asked(node: Node) -> int | str:
    return node.text() if isinstance(node.value, str) else node.whole(0)

"""Studies of markets: a workload played by several mechanisms, and the files that come of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from swfx import Workload
from swfx.base.csv_rows import write_csv
from swfx.reading.notes import Echo
from utilitysched.market.agents.play import MarketCourse, MarketRules, play, totals
from utilitysched.market.agents.summary import MonthRow, StrategyRow, by_month, by_strategy
from utilitysched.market.audit.plan import SubjectPlan
from utilitysched.runs.files import write_json
from utilitysched.runs.simulation import Watch, unwatched

MONTHS, STRATEGIES_FILE, USERS, DOCUMENT = (
    "months.csv",
    "strategies.csv",
    "users.csv",
    "market.json",
)

USER_FIELDS = ("mechanism", "user", "strategy", "grant", "worth", "told", "value", "charge")


HONEST = ("truth",)
"""Strategies of a market beside which others are set."""


@dataclass(frozen=True)
class MarketPlan(SubjectPlan):
    """What is to be played: by each mechanism of the subject by itself.

    Attributes
    ----------
    rules : MarketRules
        Who plays, and with what money.
    """

    rules: MarketRules

    def to_dict(self) -> dict[str, object]:
        """Return what provenance keeps."""
        return {
            **super().to_dict(),
            "scheduler": self.subject.scheduler,
            "rules": asdict(self.rules),
        }


class MarketStudy(NamedTuple):
    """What became of a market by each mechanism.

    Attributes
    ----------
    workload : Workload
        The jobs.
    courses : tuple of MarketCourse
        By mechanism.
    months : tuple of MonthRow
        By mechanism, then month.
    strategies : tuple of StrategyRow
        By mechanism, then strategy.
    asked : dict
        What repeats it.
    """

    workload: Workload
    courses: tuple[MarketCourse, ...]
    months: tuple[MonthRow, ...]
    strategies: tuple[StrategyRow, ...]
    asked: dict[str, object]

    def document(self) -> dict[str, object]:
        """Return all but single users, for JSON."""
        return {
            "asked": self.asked,
            "months": [row._asdict() for row in self.months],
            "strategies": [row._asdict() for row in self.strategies],
        }

    def write(self, directory: Path) -> list[Path]:
        """Write the tables, each complete or not at all; market.json comes last.

        Raises
        ------
        InputError
            A file cannot be written.
        """
        (directory / DOCUMENT).unlink(missing_ok=True)
        tables: dict[str, tuple[Sequence[str], Sequence[tuple[object, ...]]]] = {
            MONTHS: (MonthRow._fields, self.months),
            STRATEGIES_FILE: (StrategyRow._fields, self.strategies),
            USERS: (USER_FIELDS, list(self._users())),
        }
        for name, (header, rows) in tables.items():
            write_csv(directory / name, header, rows)
        write_json(directory / DOCUMENT, self.document())
        return [directory / name for name in (*tables, DOCUMENT)]

    def _users(self) -> Iterator[tuple[object, ...]]:
        order = np.argsort(self.workload.submit, kind="stable")
        user = self.workload.user[order]
        for course in self.courses:
            first = np.unique(course.user, return_index=True)[1]
            columns = (course.worth, course.told, course.value, course.charge)
            sums = [totals(course.user, each, len(first)).tolist() for each in columns]
            for place, job in enumerate(first.tolist()):
                strategy = course.strategies[course.strategy[place]]
                about = (course.mechanism, user[job], strategy, course.grant[place])
                yield (*about, *(each[place] for each in sums))


def study(
    plan: MarketPlan,
    out: Path | None = None,
    *,
    echo: Echo = lambda _: None,
    watch: Watch = unwatched,
) -> MarketStudy:
    """Play a workload by each mechanism, and once more by each with all users honest.

    Parameters
    ----------
    plan : MarketPlan
        What is played.
    out : Path, optional
        Directory that files are to be written to: refused before anything is played if it cannot.
    echo : callable
        Takes lines for people.
    watch : callable
        Shows how far it is; see `utilitysched.runs.simulation.Watch`.

    Raises
    ------
    InputError
        The plan cannot be carried out.
    """
    with watch("reading the log"):
        valued = plan.valued(out, echo)
    truthful = replace(plan.rules, strategies=HONEST)
    courses: list[MarketCourse] = []
    months: list[MonthRow] = []
    strategies: list[StrategyRow] = []
    for mechanism in plan.subject.mechanisms:
        subject = replace(plan.subject, mechanisms=(mechanism,))
        with watch(f"{mechanism}, all honest") as progress:
            honest = course = play(valued.workload, subject, truthful, progress)
        if plan.rules != truthful:
            with watch(mechanism) as progress:
                course = play(valued.workload, subject, plan.rules, progress)
        courses.append(course)
        months += by_month(course, honest)
        strategies += by_strategy(course, honest, subject.seed)
    asked = plan.to_dict() | {"utilities": valued.utilities}
    return MarketStudy(valued.workload, tuple(courses), tuple(months), tuple(strategies), asked)

"""Hunts: searches for the lies that bring most, scored on users who had no part in the search.

Half of the users are trained on: every kind of lie (a family) is tried with options far apart, the
better half of them on ever more jobs, then others near the best. What is found is told once of the
jobs of the other users. A lie is a point of the search by its text; each is played as in an audit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from swfx import InputError, Workload
from utilitysched.market.audit.design import JOBS, TELLERS, USERS, Design
from utilitysched.market.audit.misreport import MISREPORTS
from utilitysched.market.audit.reported import Bools
from utilitysched.market.audit.run import AuditPlace, trials
from utilitysched.market.audit.sample import crowding, sample
from utilitysched.market.audit.scenario import AuditScenario, AuditSubject, make_scenario
from utilitysched.model.state import Floats, Integers

PLACEBO = "delay:by=1"
"""A lie that says nothing: what comes of a submission one second later is chance."""

FIRST_SHARES = (0.25, 0.5)
"""Of the training jobs on which options are tried before the better half goes on."""

RATIO = 2.0
"""By which numbers are changed around the best at first; its root each time after that."""


@dataclass(frozen=True)
class HuntRules:
    """Whose lies are hunted for, and how closely.

    Attributes
    ----------
    told_of : tuple of {"jobs", "users"}
        Lies about single jobs, and about all jobs of a user, each hunted for by themselves.
    users : int
        Users of a cell who may lie about all their jobs: those with most of them.
    refinements : int
        How often options near the best are tried.
    shares : tuple of float
        Shares of all users that tell the best lie in the end, above 0, at most 1.
    """

    told_of: tuple[str, ...] = TELLERS
    users: int = 40
    refinements: int = 2
    shares: tuple[float, ...] = (0.1, 0.5, 1.0)

    def __post_init__(self) -> None:
        if self.users < 2:
            raise InputError(f"{self.users} users", field="users", remedy="give 2")
        if self.refinements < 0:
            raise InputError("is negative", field="refinements", remedy="give 0")
        if not self.told_of or not set(self.told_of) <= set(TELLERS):
            raise InputError(
                f"{', '.join(self.told_of)!r} is not known",
                field="told_of",
                remedy=f"write {' or '.join(TELLERS)}",
            )
        if not all(0 < share <= 1 for share in self.shares):
            raise InputError("is not above 0 and at most 1", field="shares", remedy="give 0.5")


class Liars(NamedTuple):
    """Sampled jobs of a cell: lies are told of each, or of all that its user has from it on.

    Attributes
    ----------
    cell : int
        Which cell.
    scenario : AuditScenario
        Its jobs, and who serves and charges them.
    job : (m,) int64
        By their places in the order of arrival, ascending.
    position : (m,) int64
        In the cell's workload.
    person : (m,) int64
        Users, the same in all cells; one whose number is not known is one by itself, below 0.
    """

    cell: int
    scenario: AuditScenario
    job: Integers
    position: Integers
    person: Integers

    def of(self, kept: Bools) -> Liars:
        """Return some of them."""
        columns = (self.job[kept], self.position[kept], self.person[kept])
        return Liars(self.cell, self.scenario, *columns)


class Measured(NamedTuple):
    """What lies bring sampled jobs, one cell after the other.

    Attributes
    ----------
    cell, position, person : (m,) int64
        See `Liars`.
    value : (m,) float64
        What the jobs that lies are told of turned out to be worth under the truth (SU).
    gain : (m, k, l) float64
        What each lie brings by each mechanism (SU), on the seeds of choosing for training, of
        scoring for the others.
    """

    cell: Integers
    position: Integers
    person: Integers
    value: Floats
    gain: Floats


@dataclass(frozen=True, eq=False)
class Hunt:
    """What a hunt found for one kind of tellers.

    Attributes
    ----------
    told_of : {"jobs", "users"}
        What lies are told of.
    scheduler : str
        Text of the scheduler.
    mechanisms : tuple of str
        The k price mechanisms.
    tried : int
        Lies that were tried in training.
    trained_on : (t,) int64
        Who was trained on; see `Liars.person`.
    training : mapping of str to (k,) float64
        Gain by each lie that was tried on all training jobs, as a share of what they are worth.
    best : tuple of mapping of str to str
        By mechanism: the best lie of each family, the best of all first.
    lies : tuple of str
        The l lies that are told of the others: those, and `PLACEBO`.
    holdout : Measured
        What they bring.
    seed : int
        Of samples, draws and intervals.
    """

    told_of: str
    scheduler: str
    mechanisms: tuple[str, ...]
    tried: int
    trained_on: Integers
    training: Mapping[str, Floats]
    best: tuple[Mapping[str, str], ...]
    lies: tuple[str, ...]
    holdout: Measured
    seed: int

    def gains(self, place: int, lie: str) -> Floats:
        """Return what a lie brings each holdout job by a mechanism (SU)."""
        found: Floats = self.holdout.gain[:, place, self.lies.index(lie)]
        return found


def hunt(
    cells: Sequence[Workload],
    subject: AuditSubject | None = None,
    design: Design | None = None,
    rules: HuntRules | None = None,
    place: AuditPlace | None = None,
) -> tuple[Hunt, ...]:
    """Search for the lies that bring most, and tell them of jobs of users not searched on.

    Parameters
    ----------
    cells : sequence of Workload
        What is played, each by itself; a user's number means the same user in all of them.
    subject : AuditSubject, optional
        Who serves and charges.
    design : Design, optional
        Jobs to sample of each cell, draws, horizon and queues; its lies are where the search
        begins: a name alone stands for that lie's `grid`.
    rules : HuntRules, optional
        Whose lies.
    place : AuditPlace, optional
        Where it is done; the result is the same everywhere.

    Returns
    -------
    tuple of Hunt
        By `HuntRules.told_of`.

    Raises
    ------
    InputError
        As `audit`; or there are fewer than two users, or no lie that one alone can tell.
    """
    subject, asked = subject or AuditSubject(), design or Design(lies=all_families())
    rules, place = rules or HuntRules(), place or AuditPlace()
    made = [make_scenario(cell, subject, asked.thresholds) for cell in cells]
    samples = {
        told_of: [_liars(number, *each, asked, rules, told_of) for number, each in enumerate(made)]
        for told_of in rules.told_of
    }
    persons = [liars.person for each in samples.values() for liars in each]
    trained_on = _trained_on(np.concatenate(persons), subject.seed)
    return tuple(
        _hunted(samples[told_of], trained_on, _design(asked, told_of), rules, _part(place, *at))
        for told_of, at in zip(rules.told_of, _parts(len(rules.told_of)), strict=True)
    )


def _design(design: Design, told_of: str) -> Design:
    """Return how lies are played: about all jobs of a user, until all have started."""
    if told_of == JOBS:
        return design
    return replace(design, told_of=USERS, horizon="recoupled")


def _parts(count: int) -> list[tuple[float, float]]:
    return [(number / count, (number + 1) / count) for number in range(count)]


def _part(place: AuditPlace, begin: float, end: float) -> AuditPlace:
    """Return a place whose progress is a part of the whole."""
    told = place.on_progress
    if told is None:
        return place
    return replace(place, on_progress=lambda share: told(begin + share * (end - begin)))


# Who lies


def _liars(
    cell: int, scenario: AuditScenario, order: Integers, design: Design, rules: HuntRules, of: str
) -> Liars:
    workload = scenario.workload
    if of == JOBS:
        eligible = workload.utility.defined
        job = sample(crowding(scenario), eligible, design.jobs, scenario.seed + cell).job
    else:
        users, first, jobs = np.unique(workload.user, return_index=True, return_counts=True)
        most = np.argsort(-jobs[users >= 0], kind="stable")[: rules.users]
        job = np.sort(first[users >= 0][most])
    user = workload.user[job]
    person = np.where(user >= 0, user, -1 - job - cell * np.iinfo(np.int32).max)
    return Liars(cell, scenario, job, order[job], person)


def _trained_on(person: Integers, seed: int) -> Integers:
    """Draw the users who are trained on: with about half of all that is sampled."""
    persons, counts = np.unique(person, return_counts=True)
    if len(persons) < 2:
        raise InputError(
            f"{len(persons)} users: a lie found with some is scored on others",
            remedy="take more jobs, or a log that says whose they are",
        )
    rng = np.random.default_rng([seed % 2**63, 2])
    drawn = rng.permutation(len(persons))
    halves: tuple[list[int], list[int]] = ([], [])
    jobs = [0, 0]
    for number in drawn[np.argsort(-counts[drawn], kind="stable")].tolist():
        smaller = int(jobs[1] < jobs[0])
        halves[smaller].append(persons[number])
        jobs[smaller] += counts[number]
    return np.sort(np.array(halves[rng.integers(2)]))


# The search

Measure = Callable[[Sequence[str], float], Mapping[str, Floats]]
"""From lies and a share of the training jobs to what each brings by each of k mechanisms."""


def _hunted(
    samples: Sequence[Liars],
    trained_on: Integers,
    design: Design,
    rules: HuntRules,
    place: AuditPlace,
) -> Hunt:
    trained = [np.isin(liars.person, trained_on) for liars in samples]
    training = [liars.of(here) for liars, here in zip(samples, trained, strict=True)]
    others = [liars.of(~here) for liars, here in zip(samples, trained, strict=True)]
    stages = _parts(len(FIRST_SHARES) + rules.refinements + 2)
    done = iter(stages)
    tried: set[str] = set()

    def measure(lies: Sequence[str], share: float) -> Mapping[str, Floats]:
        tried.update(lies)
        here = [_first(liars, share) for liars in training]
        found = measured(here, design, lies, _part(place, *next(done)), on_choosing=True)
        worth = max(math.fsum(found.value), np.finfo(float).tiny)
        return dict(zip(lies, (found.gain.sum(axis=0) / worth).T, strict=True))

    known = search(measure, families(told_alone(design)), rules.refinements)
    scenario = samples[0].scenario
    best = tuple(_best(known, number) for number in range(len(scenario.mechanisms)))
    lies = tuple(dict.fromkeys(lie for found in best for lie in found.values() if lie != PLACEBO))
    told = (*lies, PLACEBO)
    return Hunt(
        design.told_of,
        scenario.scheduler,
        scenario.mechanisms,
        len(tried),
        trained_on,
        known,
        best,
        told,
        measured(others, design, told, _part(place, *stages[-1])),
        scenario.seed,
    )


def all_families() -> tuple[str, ...]:
    """Return what is hunted for: lies that matter wherever jobs are served."""
    return tuple(name for name in MISREPORTS.members() if name != "rerunnable")


def told_alone(design: Design) -> tuple[str, ...]:
    """Return the lies of a design that say something if a single user tells them."""
    alone = [
        lie for lie, made in zip(design.lies, design.told, strict=True) if not made.takes_several
    ]
    if not alone:
        raise InputError(
            "says nothing if one user alone tells it",
            source=design.lies[0],
            remedy="name another lie beside it, as in --lie scale",
        )
    return tuple(alone)


def families(lies: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return where the search begins, by family: a name alone stands for its lie's grid."""
    found: dict[str, tuple[str, ...]] = {}
    known = MISREPORTS.members()
    for text in lies:
        lie = MISREPORTS.make(text)
        texts = known[text].grid if text in known else (text.partition(":")[2],)
        points = [type(lie).from_text(options).label for options in texts]
        found[lie.name] = tuple(dict.fromkeys((*found.get(lie.name, ()), *points)))
    return found


def search(
    measure: Measure, begin: Mapping[str, Sequence[str]], refinements: int
) -> dict[str, Floats]:
    """Return what the lies bring that were tried on all training jobs.

    Of each family the better half goes on by each mechanism, on twice the jobs; then options near
    the best of those are tried.

    Parameters
    ----------
    measure : callable
        See `Measure`.
    begin : mapping of str to sequence of str
        Lies to begin with, by family.
    refinements : int
        How often those near the best are tried, each time nearer.
    """
    alive = dict(begin)
    for share in FIRST_SHARES:
        several = [lie for lies in alive.values() if len(lies) > 1 for lie in lies]
        found = measure(several, share) if several else {}
        alive = {
            family: _better(lies, found) if len(lies) > 1 else lies
            for family, lies in alive.items()
        }
    known = dict(measure([lie for lies in alive.values() for lie in lies], 1.0))
    for number in range(refinements):
        ratio = RATIO ** (0.5**number)
        mechanisms = range(len(next(iter(known.values()))))
        best = {lie for place in mechanisms for lie in _best(known, place).values()}
        near = {text for lie in sorted(best) for text in neighbours(lie, ratio)}
        if new := sorted(near - set(known)):
            known |= measure(new, 1.0)
    return known


def neighbours(text: str, ratio: float) -> list[str]:
    """Return a lie with each of its numbers multiplied and divided by a ratio, where it can be."""
    lie, found = MISREPORTS.make(text), []
    for name in lie.defaults():
        value = getattr(lie, name)
        if isinstance(value, int | float):
            digits = ".0f" if isinstance(value, int) else ".3g"
            for changed in (value * ratio, value / ratio):
                with suppress(InputError):
                    found.append(lie.changed(f"{name}={changed:{digits}}").label)
    return [label for label in dict.fromkeys(found) if label != lie.label]


def _better(lies: Sequence[str], found: Mapping[str, Floats]) -> tuple[str, ...]:
    """Return the better half of the lies by each mechanism."""
    gains = np.array([found[lie] for lie in lies])
    kept = np.argsort(-gains, axis=0, kind="stable")[: (len(lies) + 1) // 2]
    return tuple(lies[number] for number in np.unique(kept).tolist())


def _best(known: Mapping[str, Floats], place: int) -> dict[str, str]:
    """Return the best lie of each family by a mechanism, the best of all first."""
    found: dict[str, str] = {}
    for lie in sorted(known, key=lambda lie: -known[lie][place]):
        found.setdefault(lie.partition(":")[0], lie)
    return found


def _first(liars: Liars, share: float) -> Liars:
    """Return a share of sampled jobs, drawn; a larger one holds the smaller."""
    count = math.ceil(share * len(liars.job))
    seed = [liars.scenario.seed % 2**63, 3, liars.cell]
    kept = np.zeros(len(liars.job), np.bool_)
    kept[np.random.default_rng(seed).permutation(len(kept))[:count]] = True
    return liars.of(kept)


def measured(
    samples: Sequence[Liars],
    design: Design,
    lies: Sequence[str],
    place: AuditPlace,
    *,
    on_choosing: bool = False,
) -> Measured:
    """Tell lies of sampled jobs.

    Parameters
    ----------
    samples : sequence of Liars
        By cell.
    design : Design
        How they are played.
    lies : sequence of str
        Which.
    place : AuditPlace
        Where.
    on_choosing : bool
        Gains are those on the seeds of choosing, not on those of scoring.
    """
    told = replace(design, lies=tuple(lies))
    scenarios, jobs = zip(*((liars.scenario, liars.job.tolist()) for liars in samples), strict=True)
    found = trials(scenarios, told, jobs, place)
    gain = [trial.chosen if on_choosing else trial.scored for trial in found]
    shape = (0, len(samples[0].scenario.mechanisms), len(lies))
    return Measured(
        np.concatenate([np.full(len(liars.job), liars.cell) for liars in samples]),
        np.concatenate([liars.position for liars in samples]),
        np.concatenate([liars.person for liars in samples]),
        np.array([trial.value for trial in found]),
        np.array(gain) if gain else np.empty(shape),
    )

"""Coverage of the quotes of a server, measured on jobs of the log that it shows."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from swfx.base.atomic import atomic_write
from utilitysched.model.versions import versions
from utilitysched.runs.snapshot.document import to_text
from utilitysched_web.coverage import PLAIN, SHARE, BandLevels, OutcomePlace, calibrated
from utilitysched_web.moments import SiteMoment
from utilitysched_web.quoting import (
    QuoteDesk,
    QuoteQuestion,
    QuoteRules,
    QuoteStep,
    Submit,
    quote_desk,
    sent,
    task_of,
)
from utilitysched_web.site import Site

JOBS = 400
"""That are asked about: the earlier half teaches the levels, the later half says what they hold."""

SAMPLES = 50
COVERAGE_FILE = "coverage.json"
LEAST = 40
"""Jobs with which it makes sense to begin."""


class QuoteCoverage(NamedTuple):
    """Measured coverage of bands of quotes.

    Attributes
    ----------
    levels : BandLevels
        Learned from `learned` jobs.
    learned, jobs : int
        Jobs by which the levels were chosen, and later ones by which they were judged.
    held, plain : float
        Share of the `jobs` that were done within the band; within the plain quantiles.
    """

    levels: BandLevels
    learned: int
    jobs: int
    held: float
    plain: float

    @property
    def sentence(self) -> str:
        """Coverage in a sentence."""
        return (
            f"In {self.jobs} later jobs of this log the {SHARE:.0%} band held {self.held:.0%}"
            f" (its levels were learned from {self.learned} earlier ones; without that,"
            f" {self.plain:.0%})."
        )


def coverage_of(places: list[OutcomePlace]) -> QuoteCoverage:
    """Return what levels of the earlier half of some jobs hold of the later half."""
    half = len(places) // 2
    earlier, later = places[:half], places[half:]
    levels = calibrated(earlier)
    return QuoteCoverage(levels, half, len(later), levels.held(later), PLAIN.held(later))


def asked_again(
    moment: SiteMoment, rules: QuoteRules, submit: Submit, jobs: int
) -> Iterator[OutcomePlace]:
    """Yield where the completion of past jobs is among the samples of their quotes, in order.

    Jobs are drawn at random from those that were done by the moment.
    """
    ended = moment.ended()
    if len(ended) < LEAST:
        return
    drawn = np.random.default_rng(rules.seed).choice(
        len(ended), min(jobs, len(ended)), replace=False
    )
    for row in ended[np.sort(drawn)].tolist():
        past = moment.past(row)
        question = QuoteQuestion(to_text(past.snapshot), past.job, {})
        task = task_of(question, rules, QuoteStep(SAMPLES, whole=False))
        task["quantiles"] = [(sample + 1) / SAMPLES for sample in range(SAMPLES)]
        answer = json.loads(submit(sent(task)).result())
        yield OutcomePlace.of(answer["now"]["completion"]["quantiles"], past.end)


def measuring_desk(site: Site, processes: tuple[Submit, Submit]) -> QuoteDesk:
    """Return a desk of processes that measures the coverage of its quotes meanwhile."""
    moment = site.moment
    desk = quote_desk(processes, site.rules, moment.question(moment.typical(-1), -1))
    threading.Thread(target=_measure, args=(site, desk), daemon=True).start()
    return desk


def _measure(site: Site, desk: QuoteDesk, jobs: int = JOBS) -> None:
    """Measure the coverage of a desk's quotes, or read a kept measurement, and tell the desk."""
    kept, rests = site.state / COVERAGE_FILE, _rests_on(site)
    with suppress(CancelledError, RuntimeError):  # the server ends
        places = _read(kept, rests)
        if not places:
            for place in asked_again(site.past, desk.rules, desk.better, jobs):
                places.append(place)
                desk.coverage = f"How often quotes hold is measured now: {len(places)} jobs so far."
        if places:
            with atomic_write(kept) as stream:
                stream.write(json.dumps({"rests_on": rests, "places": places}).encode())
            found = coverage_of(places)
            desk.rules = replace(desk.rules, levels=found.levels)
            desk.coverage = found.sentence


def _rests_on(site: Site) -> dict[str, Any]:
    """Return all settings on which the measurement depends."""
    rules = site.rules
    return {
        "record": site.results.record.get("simulation", {}),
        "at": site.past.at,
        "scheduler": rules.scheduler,
        "seed": rules.seed,
        "versions": versions(),
    }


def _read(path: Path, rests: dict[str, Any]) -> list[OutcomePlace]:
    """Return an earlier measurement, empty if its settings were others."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except OSError:
        return []
    return [OutcomePlace(*place) for place in found["places"] if found["rests_on"] == rests]

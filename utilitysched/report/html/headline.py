"""Headline of a report: each scheduler beside the baseline, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from swfx.base.numbers import percent, plural, span
from utilitysched.report.html.shown import Shown
from utilitysched.report.ratios import beside


def headline(shown: Shown) -> list[str]:
    """Return a sentence for each run beside the first, who earns most first; one for a single run.

    Without utility functions the shortest mean wait is first.
    """
    (baseline, first), *others = [(label, run.summary) for label, run in shown]
    if not others:
        return [f"{baseline}: {'; '.join(_alone(first))}."]
    others.sort(key=lambda one: (-(one[1].get("aggregate_utility") or 0), one[1]["wait_mean"]))
    return [f"{label} {'; '.join(_beside(each, first, baseline))}." for label, each in others]


def _beside(summary: dict[str, Any], first: dict[str, Any], baseline: str) -> Iterator[str]:
    earned, before = summary.get("aggregate_utility"), first.get("aggregate_utility")
    if earned is not None and before:
        yield f"earns {beside(earned / before)} {baseline}"
        yield _instead("mean wait", summary, first, "wait_mean")
    else:
        yield f"beside {baseline}: {_instead('mean wait', summary, first, 'wait_mean')}"
    yield _instead("longest wait", summary, first, "wait_p100")
    starved = summary["jobs_starved"], first["jobs_starved"]
    if any(starved):
        yield f"{_starved(starved[0])}{f' instead of {starved[1]:,}' * bool(starved[1])}"


def _instead(name: str, summary: dict[str, Any], first: dict[str, Any], metric: str) -> str:
    now, before = span(summary[metric]), span(first[metric])
    return f"{name} {now}" + (f" instead of {before}" if now != before else " as well")


def _alone(summary: dict[str, Any]) -> Iterator[str]:
    if summary.get("aggregate_share") is not None:
        share = percent(summary["aggregate_share"])
        yield f"earned {share}% of what its jobs were worth when they were submitted"
    yield f"half of the jobs waited at most {span(summary['wait_p50'])}"
    yield f"the longest wait was {span(summary['wait_p100'])}"
    yield _starved(summary["jobs_starved"])


def _starved(jobs: int) -> str:
    return f"{plural(jobs, 'job') if jobs else 'no job'} starved"

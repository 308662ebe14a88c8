"""How often quotes hold, by jobs of the log."""

from __future__ import annotations

from concurrent.futures import Future

from utilitysched_web.coverage import OutcomePlace
from utilitysched_web.measuring import _measure, asked_again, coverage_of
from utilitysched_web.quoting import QuoteDesk, answered
from utilitysched_web.site import Site


def test_levels_are_judged_by_jobs_that_came_later() -> None:
    late = [OutcomePlace(k / 100, (k + 1) / 100) for k in range(100)]
    found = coverage_of([*late, *[OutcomePlace(0.5, 0.51)] * 100])

    assert (found.learned, found.jobs, found.held) == (100, 100, 1.0)
    assert found.levels.held(late) == 0.82  # conformal: (n + 1) of the outcomes
    assert "In 100 later jobs of this log the 80% band held 100%" in found.sentence


def test_past_jobs_are_asked_about_once(site: Site) -> None:
    asked: list[bytes] = []

    def submit(task: bytes) -> Future[bytes]:
        asked.append(task)
        done: Future[bytes] = Future()
        done.set_result(answered(task))
        return done

    places = list(asked_again(site.moment, site.rules, submit, 8))
    assert len(places) == len(asked) == 8
    assert all(0 <= place.below <= place.upto <= 1 for place in places)


def test_what_was_measured_is_kept(site: Site) -> None:
    def refuse(_: bytes) -> Future[bytes]:
        raise AssertionError

    def quick(_: bytes) -> Future[bytes]:
        done: Future[bytes] = Future()
        done.set_result(b'{"now": {"completion": {"quantiles": [0, 1e9]}}}')
        return done

    first, again = (QuoteDesk(each, each, site.rules) for each in (quick, refuse))
    _measure(site, first, 20)
    _measure(site, again, 20)
    assert again.coverage == first.coverage != ""
    assert again.rules == first.rules

"""Hunts find the lies that pay, and nothing where none does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.market.audit.markets import PROCESSORS, crowd
from utilitysched.market.audit import AuditSubject, Design, HuntRules
from utilitysched.market.audit.hunt import families, hunt, neighbours, search
from utilitysched.market.audit.hunt_plan import HuntResult, hunt_in, write_hunt
from utilitysched.market.audit.hunt_summary import HuntRow
from utilitysched.market.audit.kept import KEPT, TrialKeeper
from utilitysched.market.audit.run import AuditPlace

RULES = HuntRules(refinements=1, shares=(0.5, 1.0))
CELLS = (crowd(1, 30, 8), crowd(2, 30, 8))


def hunted(scheduler: str, mechanism: str, *lies: str, rules: HuntRules = RULES) -> HuntResult:
    design = Design(8, lies=lies, queues="log")
    return hunt_in(CELLS, AuditSubject(scheduler, (mechanism,), PROCESSORS), design, rules)


def best(result: HuntResult) -> list[HuntRow]:
    return [row for row in result.rows if row.best]


def test_a_planted_lie_is_found_and_empties_the_till() -> None:
    result = hunted("value-density", "first-price:reading=end", "scale", "cliff", "flatter")

    for row in best(result):
        assert row.family == "cliff"
        assert row.share is not None
        assert row.share > 0.5
        assert row.share_low is not None
        assert row.share_low > 0
        assert row.placebo == pytest.approx(0, abs=0.1)
    assert [row.lie for row in result.market] == 2 * [best(result)[1].lie]
    some, everybody = result.market
    assert some.liars < everybody.liars == everybody.users
    assert everybody.revenue == 0 < everybody.honest_revenue == pytest.approx(everybody.truth)
    assert everybody.revenue_change == -1
    assert everybody.welfare_change is not None


def test_by_the_reading_that_ranked_it_a_cliff_is_dear() -> None:
    rules = HuntRules(refinements=0, shares=())
    result = hunted("value-density", "first-price", "cliff:factor=100", rules=rules)

    for row in result.rows:
        assert row.share is not None
        assert row.share < -1


def test_a_cartel_pays_outsiders_alone_and_nobody_else_once_all_are_in_it() -> None:
    """Under one name users are one player; jobs that are players by themselves have no names."""
    for players, share in (("users", -1.0), ("jobs", 0.0)):
        rules = HuntRules(("users",), 3, 0, (0.5, 1.0))
        lies = "scale:factor=1", "cartel"
        result = hunted("easy", f"vcg:players={players}", *lies, rules=rules)

        assert [row.lie for row in result.market] == ["", "", "cartel", "cartel"]
        assert {row.lie for row in result.rows} == {"scale:factor=1"}
        told = result.market[2:]
        assert all(row.welfare_change == 0 for row in told)  # easy looks at no names
        some, everybody = told
        assert everybody.honest_revenue > 0
        assert everybody.revenue_change == pytest.approx(share)
        assert some.gain == pytest.approx(some.honest_revenue - some.revenue)
        assert share <= some.revenue / some.honest_revenue - 1 <= 0


def test_a_cartel_of_one_is_none() -> None:
    with pytest.raises(InputError, match="nothing if one user alone tells it"):
        hunted("easy", "vcg", "cartel")


def test_hunts_under_a_scheduler_that_draws() -> None:
    """By the end's reading who says a tenth pays a tenth, whatever becomes of the order."""
    design = Design(4, 1, ("scale:factor=0.1",), queues="log")
    rules = HuntRules(("users",), 3, 0, (1.0,))
    subject = AuditSubject(
        "ga:generations=2,population=4", ("first-price:reading=end",), PROCESSORS, seed=1
    )
    result = hunt_in(CELLS, subject, design, rules)

    assert {row.lie for row in result.rows} == {"scale:factor=0.1"}
    assert all(row.share is not None and row.share > 0.3 for row in result.rows)
    (everybody,) = result.market
    assert everybody.revenue == pytest.approx(everybody.welfare / 10)


def test_a_hunt_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    """What is kept is not played again, whatever else stands in the file, and nothing changes."""
    rules, design = HuntRules(("jobs",), 3, 1, ()), Design(4, lies=("scale",), queues="log")
    subject = AuditSubject("easy", ("first-price:reading=end",), PROCESSORS)
    whole = hunt_in(CELLS, subject, design, rules)
    kept = TrialKeeper(tmp_path / KEPT)

    def break_off(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    place = AuditPlace(on_progress=break_off, keeper=kept)
    with pytest.raises(KeyboardInterrupt):
        hunt(CELLS, subject, design, rules, place)
    lines = kept.path.read_text().splitlines()
    kept.path.write_text("\n".join(lines)[:-5])
    played: list[float] = []
    counting = AuditPlace(on_progress=played.append, keeper=kept)
    (found,) = hunt(CELLS, subject, design, rules, counting)

    (same,) = whole.found
    assert found.best == same.best
    assert np.array_equal(found.holdout.gain, same.holdout.gain)
    assert found.training.keys() == same.training.keys()
    again: list[float] = []
    hunt(CELLS, subject, design, rules, AuditPlace(on_progress=again.append, keeper=kept))
    assert len(again) == 0 < len(played)


def test_nothing_is_found_where_nothing_can_be_gained() -> None:
    result = hunted("easy", "single-price", "scale", "cliff", "step", "steeper")

    assert {row.share for row in result.rows} == {0.0}
    assert {row.p for row in result.rows} == {1.0}
    for row in result.market:
        assert (row.lie, row.welfare_change, row.revenue_change) == ("", 0, 0)


def test_nobody_is_both_trained_on_and_told_of() -> None:
    result = hunted("easy", "first-price:reading=end", "scale")

    jobs, users = result.found
    assert (jobs.trained_on == users.trained_on).all()
    for found in result.found:
        held = set(found.holdout.person.tolist())
        assert held
        assert not held & set(found.trained_on.tolist())
    assert set(users.holdout.person) | set(users.trained_on) == set(range(8))  # in both cells
    assert 0 < len(jobs.holdout.value) < 16


def test_all_later_jobs_of_a_user_are_lied_about() -> None:
    """Under first price, an EASY scheduler cannot be deceived, and a tenth saves nine tenths."""
    result = hunted(
        "easy", "first-price:reading=end", "scale:factor=0.1", rules=HuntRules(refinements=0)
    )

    for row in result.rows:
        assert row.share == pytest.approx(0.9)
    users = result.found[1].holdout
    for cell, person, value in zip(users.cell, users.person, users.value, strict=True):
        (scenario,) = [CELLS[cell]]
        assert value > 0 or not (scenario.user == person).any()


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    written = []
    rules = HuntRules(refinements=1, shares=(1.0,))
    for name in ("one", "two"):
        out = tmp_path / name
        out.mkdir()
        paths = write_hunt(out, hunted("easy", "first-price:reading=end", "request", rules=rules))
        written.append({path.name: path.read_bytes() for path in paths})

    assert written[0] == written[1]
    assert set(written[0]) == {"hunt.csv", "tried.csv", "holdout.csv", "market.csv", "hunt.json"}


def test_the_better_half_goes_on_and_then_what_is_near_the_best() -> None:
    asked: list[tuple[float, list[str]]] = []

    def measure(lies: object, share: float) -> dict[str, np.ndarray]:
        assert isinstance(lies, list)
        asked.append((share, sorted(lies)))
        factor = [float(lie.partition("=")[2] or 2) for lie in lies]
        return {
            lie: np.array([-abs(np.log(each / 5)), each])
            for lie, each in zip(lies, factor, strict=True)
        }

    known = search(
        measure, {"scale": tuple(f"scale:factor={each}" for each in (0.1, 0.5, 3, 10))}, 2
    )

    assert asked[0] == (0.25, [f"scale:factor={each}" for each in (0.1, 0.5, 10, 3)])
    assert asked[1] == (0.5, ["scale:factor=10", "scale:factor=3"])
    assert asked[2] == (1.0, ["scale:factor=10", "scale:factor=3"])
    assert asked[3] == (
        1.0,
        ["scale:factor=1.5", "scale:factor=20", "scale:factor=5", "scale:factor=6"],
    )
    assert max(known, key=lambda lie: known[lie][0]) == "scale:factor=5"
    assert max(known, key=lambda lie: known[lie][1]) == "scale:factor=28.3"


def test_names_stand_for_their_grid_and_texts_for_themselves() -> None:
    assert families(["flatter", "delay:by=2h", "request"]) == {
        "flatter": ("flatter",),
        "delay": ("delay:by=7200",),
        "request": ("request:factor=0.5", "request", "request:factor=10"),
    }


def test_neighbours_differ_in_one_number_and_stay_within_what_is_allowed() -> None:
    assert neighbours("cliff", 2) == [
        *("cliff:factor=200", "cliff:factor=50"),
        *("cliff:at=1.98", "cliff:at=0.495"),
    ]
    assert neighbours("split", 2) == ["split:parts=4"]
    assert neighbours("flatter", 2) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"told_of": ("cells",)}, "'cells' is not known"),
        ({"told_of": ()}, "is not known"),
        ({"users": 1}, "1 users"),
        ({"refinements": -1}, "negative"),
        ({"shares": (1.5,)}, "not above 0 and at most 1"),
    ],
)
def test_rules_that_cannot_be_followed(options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        HuntRules(**options)  # type: ignore[arg-type]


def test_one_user_alone_leaves_nobody_to_score_on() -> None:
    with pytest.raises(InputError, match="a lie found with some is scored on others"):
        hunt_in(
            [crowd(1, 20, 1)],
            AuditSubject("easy", ("first-price:reading=end",), PROCESSORS),
            Design(),
            RULES,
        )

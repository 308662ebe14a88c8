"""Values that nobody gave are charged for what really happened only if that is asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pricing.basis import Basis
from swfx import InputError
from tests.pricing.jobs import three_charges
from utilitysched.runs.basis import basis_of, require_given
from utilitysched.runs.snapshot.document import from_text, to_text
from utilitysched.runs.snapshot.snapshot import Snapshot

DRAWN = ("LEE 2.6: factor=2; seed 7",)
RECORD = {
    "simulation": {"scheduler": "recorded"},
    "command": "utilitysched simulate log --scheduler recorded --utilities none",
    "utilities": {"seed": None},
}
ASKED = {
    "simulation": {"scheduler": "recorded"},
    "command": "utilitysched simulate log --scheduler recorded --utilities default",
    "utilities": {"seed": 7},
}


def test_the_basis_of_a_run() -> None:
    jobs = three_charges("first-price:reading=end").workload
    drawn = jobs.replace(header=jobs.header.with_values("UtilityModel", DRAWN))

    assert basis_of(jobs, RECORD) == Basis("", (), "given")
    assert basis_of(drawn, {"simulation": {"scheduler": "easy"}}) == Basis("easy", DRAWN, "drawn")


def test_drawn_values_of_what_happened_are_refused() -> None:
    charges = three_charges("first-price:reading=end")

    with pytest.raises(InputError, match=r"drawn, not given: .*seed 7; give `drawn_values=True`"):
        require_given(replace(charges, basis=Basis("", DRAWN, "drawn")), RECORD)


@pytest.mark.parametrize(
    ("mechanism", "basis", "record"),
    [
        ("first-price:reading=end", Basis("", (), "given"), RECORD),
        ("first-price:reading=end", Basis("easy", DRAWN, "drawn"), RECORD),
        ("first-price:reading=end", Basis("", DRAWN, "drawn"), ASKED),
        ("single-price", Basis("", DRAWN, "drawn"), RECORD),
    ],
)
def test_what_may_be_charged(mechanism: str, basis: Basis, record: dict[str, object]) -> None:
    require_given(replace(three_charges(mechanism), basis=basis), record)


def test_snapshots_keep_it() -> None:
    moment = Snapshot(100.0, 4, basis=Basis("easy", DRAWN, "drawn"))

    assert from_text(to_text(moment), "queue.json") == moment
    with pytest.raises(InputError, match="field basis: is none that we write; leave it out"):
        from_text(to_text(moment).replace('"drawn"', '"dreamt"'), "queue.json")

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx import InputError
from swfx.families.generators import UtilitySpec

SPECS = st.builds(
    UtilitySpec,
    factor=st.floats(1e-3, 1e3),
    base=st.sampled_from(["wait", "turnaround", "request", "belief"]),
    linear=st.floats(0, 10),
    exponential=st.floats(0, 10),
    step=st.floats(0.1, 10),
    points=st.integers(0, 12),
    globmax=st.floats(1e-6, 1e3),
    deviation=st.none() | st.floats(0, 1e3),
    epsilon=st.floats(1e-9, 1),
    classes=st.none() | st.integers(1, 9),
)


def test_defaults_are_those_of_the_text_form() -> None:
    assert UtilitySpec.from_text("") == UtilitySpec()
    assert UtilitySpec().to_text() == (
        "factor=2,base=turnaround,linear=1,exponential=1,step=1,points=4,"
        "globmax=0.03333333333333333,epsilon=0.001"
    )


def test_parses_every_key() -> None:
    text = (
        "factor=3,base=wait,linear=2,exponential=0,step=1,points=6,"
        "globmax=0.5,deviation=0.1,epsilon=0.01,classes=6"
    )

    assert UtilitySpec.from_text(text) == UtilitySpec(
        3.0, "wait", 2.0, 0.0, 1.0, 6, 0.5, 0.1, 0.01, 6
    )


def test_naming_a_share_leaves_the_others_at_zero() -> None:
    assert UtilitySpec.from_text("step=1").shares().tolist() == [0, 0, 1]
    assert UtilitySpec.from_text("linear=1,step=3").shares().tolist() == [0.25, 0, 0.75]


@given(SPECS)
def test_text_form_is_inverse(spec: UtilitySpec) -> None:
    assert UtilitySpec.from_text(spec.to_text()) == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "facter=2",
            "utilities: field facter: is not a known key; did you mean 'factor'? known: base, cl",
        ),
        ("factor=0", "utilities: field factor: 0 is out of bounds; give 1e-06 to 1e+06"),
        ("factor=two", "utilities: field factor: 'two' is not a finite number; give a number"),
        ("factor", "utilities: 'factor' is not of the form key=value"),
        ("base=turnarond", "field base: 'turnarond' is not a choice; did you mean 'turnaround'?"),
        ("sigma=1", "utilities: field sigma: means nothing with base=turnaround; give base=belief"),
        ("base=belief,sigma=-1", "utilities: field sigma: -1 is out of bounds; give 0 to 10"),
        ("linear=-1", "utilities: field linear: -1 is out of bounds; give 0 to 1e+12"),
        ("step=0", "the shares of linear, exponential and step are all 0; give at least one"),
        ("points=2.5", "utilities: field points: '2.5' is not a whole number"),
        ("points=1001", "utilities: field points: 1001 is out of bounds; give 0 to 1000"),
        ("globmax=0", "utilities: field globmax: 0 is out of bounds; give 1e-12 to 1e+12"),
        ("deviation=-1", "utilities: field deviation: -1 is out of bounds"),
        ("epsilon=0", "utilities: field epsilon: 0 is out of bounds; give 1e-09 to 1"),
        ("epsilon=2", "utilities: field epsilon: 2 is out of bounds; give 1e-09 to 1"),
        ("classes=0", "utilities: field classes: 0 is out of bounds; give 1 to 1e+06"),
        ("factor=2,factor=3", "utilities: field factor: is given twice"),
    ],
)
def test_refusals_name_key_and_bound(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        UtilitySpec.from_text(text)

    assert message in str(error.value)


def test_options_change_another_specification() -> None:
    base = UtilitySpec.from_text("factor=3,globmax=0.5,linear=1")

    assert base.changed("points=2") == UtilitySpec.from_text(
        "factor=3,globmax=0.5,linear=1,points=2"
    )
    assert base.changed("step=1").shares().tolist() == [0, 0, 1]


def test_beliefs_say_how_far_off_they_are() -> None:
    spec = UtilitySpec.from_text("base=belief")

    assert spec.to_text().endswith("epsilon=0.001,sigma=1")
    assert spec.changed("sigma=2").sigma == 2
    assert spec.changed("base=request").sigma is None

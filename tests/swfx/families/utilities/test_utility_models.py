from __future__ import annotations

import pytest

from swfx import InputError, Workload
from swfx.families.generators import UtilitySpec, attach_utilities
from swfx.families.utilities.lee import Lee
from swfx.families.utilities.registry import UTILITY_MODELS, Given, make_model

LOG = Workload.from_columns(
    submit=[0, 5], wait=[50, 0], run=[100, 100], processors=[4, 1], requested_time=[200, 300]
)


def test_every_model_says_what_it_does() -> None:
    assert UTILITY_MODELS.names() == ("curves", "diurnal", "lee", "none")
    for name in UTILITY_MODELS.names():
        assert UTILITY_MODELS.summary(name).endswith(".")


@pytest.mark.parametrize("text", ["", "default", "lee", " default "])
def test_lees_model_is_the_default(text: str) -> None:
    assert make_model(text) == Lee(UtilitySpec())


@pytest.mark.parametrize("text", ["factor=3,base=wait,step=1", "lee:factor=3,base=wait,step=1"])
def test_options_alone_are_lees(text: str) -> None:
    model = make_model(text)

    assert model == Lee(UtilitySpec.from_text("factor=3,base=wait,step=1"))
    assert make_model(model.label) == model
    drawn = model.draw(LOG, 3, Given(waits=[9, 9], classes={-1: 0}))
    attached = attach_utilities(
        LOG, UtilitySpec.from_text(text.removeprefix("lee:")), 3, waits=[9, 9], classes={-1: 0}
    )
    assert drawn.table == attached.utility
    assert drawn.text == attached.header.get("UtilityModel")


def test_options_alone_change_a_base() -> None:
    base = make_model("factor=3,globmax=0.5,linear=1")

    assert make_model("step=1", base) == make_model("factor=3,globmax=0.5,step=1")
    assert make_model("lee:step=1", base) == make_model("step=1")
    assert make_model("left=0.1", make_model("diurnal:at=13:00")).label == (
        "diurnal:at=13:00,left=0.1"
    )


def test_none_leaves_things_as_they_are() -> None:
    model = make_model("none")
    attached = attach_utilities(LOG, seed=1)

    assert model.draw(attached, 2, Given()).table == attached.utility
    assert not model.draw(LOG, 2, Given()).table.defined.any()
    assert not model.reads_waits


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("diurnl:at=9:00", "unknown utility model 'diurnl'; did you mean 'diurnal'? known: curv"),
        (
            "factor",
            (
                "utilities: 'factor' is not of the form key=value,"
                " and no utility model has that name; known: curves, diurnal, lee, none"
            ),
        ),
        ("diurnel", "did you mean 'diurnal'? known: curves, diurnal, lee, none"),
        ("facter=3", "utilities: field facter: is not a known key; did you mean 'factor'?"),
        ("none:factor=3", "none takes no options; write none alone"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        make_model(text)

    assert message in str(error.value)

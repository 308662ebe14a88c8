"""What every registered model must do."""

from __future__ import annotations

import numpy as np
import pytest

from swfx import InputError
from swfx.generators import MODELS, LublinModel, find_model
from swfx.writer import to_bytes

every_model = pytest.mark.parametrize("name", sorted(MODELS))


@every_model
def test_same_seed_same_bytes(name: str) -> None:
    first = find_model(name).from_options({}).generate(300, seed=4)
    other = find_model(name).from_options({}).generate(300, seed=5)
    again = find_model(name).from_options({}).generate(300, seed=4)

    assert to_bytes(first.workload) == to_bytes(again.workload)
    assert first.notes == again.notes
    assert to_bytes(first.workload) != to_bytes(other.workload)


@every_model
def test_jobs_can_be_simulated(name: str) -> None:
    workload, notes = find_model(name).from_options({}).generate(300, seed=4)

    assert len(workload) == 300
    assert (np.diff(workload.submit) >= 0).all()
    assert (workload.run >= 0).all()
    assert 1 <= workload.size.min() <= workload.size.max() <= workload.machine_size
    assert all(isinstance(note, str) for note in notes)


@every_model
def test_the_header_says_how_to_make_it_again(name: str) -> None:
    workload = find_model(name).from_options({}).generate(20, seed=4).workload

    assert f"model:{name},jobs=20,seed=4," in str(workload.header.get("Note"))


@every_model
def test_unknown_options_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="field no_such_option: is not a known key"):
        find_model(name).from_options({"no_such_option": "1"})


def test_a_model_is_found_by_name() -> None:
    assert find_model("lublin") is LublinModel
    with pytest.raises(InputError) as error:
        find_model("lubin")
    assert str(error.value) == (
        "model: no model is named 'lubin'; did you mean 'lublin'? known: lublin"
    )

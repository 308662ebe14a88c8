from __future__ import annotations

import pytest

from utilitysched.runs import directory_name


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("easy", "easy"),
        ("ga:population=20,generations=100", "ga-population_20-generations_100"),
        ("saf:threshold=2x,backfill=spf", "saf-threshold_2x-backfill_spf"),
        ("mixed:wait=0.5", "mixed-wait_0.5"),
        ("other:path=/a b", "other-path__a_b"),
        ("../up", "_up"),
        ("..", "_"),
    ],
)
def test_labels_become_file_names_that_need_no_quotes(label: str, name: str) -> None:
    assert directory_name(label) == name

from __future__ import annotations

from pathlib import Path

import pytest

from swfx import InputError
from swfx.families.estimates.modal.bins import bins_text, read_bins


def test_text_and_file_say_the_same(tmp_path: Path) -> None:
    file = tmp_path / "bins"
    file.write_text("# measured in May\n18h 3000\n\n  900\t40\n")

    assert read_bins(str(file)) == read_bins("18h:3000,900:40") == ((900, 40), (64_800, 3000))
    assert bins_text(read_bins(str(file))) == "900:40,64800:3000"


def test_a_byte_order_mark_does_not_count(tmp_path: Path) -> None:
    file = tmp_path / "bins"
    file.write_bytes(b"\xef\xbb\xbf18h 3000\n")

    assert read_bins(str(file)) == ((64_800, 3000),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1y:5", "tsafrir: field bins: unknown unit of time: 'y'; known: d, h, min, s, w"),
        ("0.5:5", "tsafrir: field bins: 0.5 s are not whole seconds; give whole seconds"),
    ],
)
def test_texts_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_bins(text)

    assert str(error.value) == message


def test_what_is_neither_text_nor_file() -> None:
    with pytest.raises(InputError, match=r"'no-such-file' is neither TIME:JOBS,... nor a file"):
        read_bins("no-such-file")


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "bins"
    file.write_text("18h 3000\n18h 3000 1\n")

    with pytest.raises(InputError, match="field bins, line 2: '18h 3000 1' is not a time and a"):
        read_bins(str(file))

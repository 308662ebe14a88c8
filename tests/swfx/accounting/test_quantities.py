from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swfx.accounting.quantities import MemoryAmount, duration, memory, number, whole
from swfx.accounting.record_error import RecordError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1-02:03:04", 93_784),
        ("02:03:04", 7_384),
        ("02:03", 123),
        ("45", 45),
        ("99825.0", 99_825),
        ("00:00.004", 0.004),
        ("1-02", 93_600),
        ("1-02:30", 95_400),
        ("365-00:00:00", 31_536_000),
        (" 10:00 ", 600),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize(
    "text", ["UNLIMITED", "Partition_Limit", "INVALID", "", "None", "nan", "-1"]
)
def test_no_duration(text: str) -> None:
    assert duration(text) is None


def test_a_number_alone_has_the_unit_of_its_column() -> None:
    assert duration("45", alone=60.0) == 2_700
    assert duration("00:45", alone=60.0) == 45


@given(st.integers(0, 10**7))
def test_what_slurm_writes_is_read(seconds: int) -> None:
    days, rest = divmod(seconds, 86_400)
    written = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"

    assert duration(f"{days}-{written}" if days else written) == seconds


@pytest.mark.parametrize("text", ["soon", "1:2:3:4", "1-2-3", "-5", "1e5", "9" * 17, "1d"])
def test_unreadable_durations(text: str) -> None:
    with pytest.raises(RecordError) as error:
        duration(text, "Elapsed")

    assert error.value.rule.name == "not-a-duration"
    assert error.value.field == "Elapsed"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4000Mc", MemoryAmount(4_096_000, "processor")),
        ("2Gn", MemoryAmount(2_097_152, "node")),
        ("1.5T", MemoryAmount(1_610_612_736, "job")),
        ("187000M", MemoryAmount(191_488_000, "job")),
        ("2gb", MemoryAmount(2_097_152, "job")),
        ("512kb", MemoryAmount(512, "job")),
        ("4GiB", MemoryAmount(4_194_304, "job")),
        ("2048", MemoryAmount(2, "job")),
        ("0", MemoryAmount(0, "job")),
    ],
)
def test_sizes_of_memory(text: str, size: MemoryAmount) -> None:
    assert memory(text) == size


def test_the_unit_of_a_size_without_one() -> None:
    assert memory("2", unit="M") == MemoryAmount(2_048, "job")
    assert memory("2c", unit="G") == MemoryAmount(2_097_152, "processor")
    assert memory(" ") is None


@pytest.mark.parametrize("text", ["much", "4X", "-1M", "1e3M", "16?", "9999999999E"])
def test_unreadable_sizes(text: str) -> None:
    with pytest.raises(RecordError, match="a size of memory cannot be read"):
        memory(text)


@pytest.mark.parametrize("text", ["", "four", "nan", "inf", "1_000", "1e30", "0x10"])
def test_unreadable_numbers(text: str) -> None:
    with pytest.raises(RecordError, match="a field is not a decimal number"):
        number(text)


def test_whole_numbers() -> None:
    assert (whole("12"), whole("12.0"), whole("1e3")) == (12, 12, 1000)
    with pytest.raises(RecordError):
        whole("1.5")

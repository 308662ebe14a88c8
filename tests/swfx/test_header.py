import pytest

from swfx import Header, InputError

QUIRKS = Header((
    " MaxProcs: 1664 (72, 1368, 224)",
    " MaxNodes: 184  ( 6,  171,   7)",
    "        TimeZone: 3600\t # DEPRECATED; use TimeZoneString",
    "Version: SWF v2",
    "MaxQueues: 4",
    " MaxQueues: 3",
    "MaxRuntime: N/A",
    " Queue:  0  interactive",
    " Queue:  1  express",
    " Partition: 4 z+i5U=:",
    " UnixStartTime: 956217600",
    " a legend without a value",
))  # fmt: skip


def test_leading_integers():
    assert QUIRKS.max_procs == 1664
    assert QUIRKS.max_nodes == 184
    assert QUIRKS.unix_start_time == 956217600


def test_first_value_wins_and_all_are_there():
    assert QUIRKS.get("MaxQueues") == "4"
    assert QUIRKS.all("Queue") == ("0  interactive", "1  express")
    assert QUIRKS.get("Partition") == "4 z+i5U=:"
    assert QUIRKS.get("version") == "SWF v2"


def test_absent_and_unusable_values_are_none():
    assert QUIRKS.get("Computer") is None
    assert Header().max_procs is None
    assert Header((" MaxProcs: N/A",)).max_procs is None
    assert Header((" MaxProcs: -1",)).max_procs is None
    assert Header((" MaxProcs: 0",)).max_procs is None
    assert Header((f" MaxProcs: {'9' * 16}",)).max_procs is None
    assert Header((f" UnixStartTime: {'9' * 5000}",)).unix_start_time is None


def test_with_value_replaces_in_place_and_leaves_one():
    changed = Header((" A: 1", " MaxProcs: 4", " B: 2", "MaxProcs: 5")).with_value("MaxProcs", 8)
    assert changed.lines == (" A: 1", " MaxProcs: 8", " B: 2")


def test_with_value_appends():
    assert Header((" A: 1",)).with_value("MaxProcs", 8).lines == (" A: 1", " MaxProcs: 8")


def test_announcing_extended_swf():
    plain = Header((" MaxProcs: 4",))
    extended = plain.announcing(extended=True)
    assert extended.lines == (" SWFX: 1.0", " UtilityUnits: SU", " MaxProcs: 4")
    assert extended.extended
    assert not plain.extended
    assert extended.announcing(extended=True) is extended
    assert extended.announcing(extended=False).lines == (" UtilityUnits: SU", " MaxProcs: 4")


def test_announcing_extra_columns():
    both = Header((" A: 1",)).announcing(True, ("soft_estimate", "confidence"))
    assert both.lines == (
        " SWFX: 1.0", " UtilityUnits: SU", " ExtraColumns: soft_estimate confidence", " A: 1",
    )  # fmt: skip
    assert both.extra_columns == ("soft_estimate", "confidence")
    assert both.announcing(True, ("confidence", "soft_estimate")) is both
    assert both.announcing(True, ("confidence",)).extra_columns == ("confidence",)
    assert both.announcing(True).lines == (" SWFX: 1.0", " UtilityUnits: SU", " A: 1")
    assert both.announcing(False).lines == (" UtilityUnits: SU", " A: 1")


def test_a_line_of_extra_columns_that_means_something_else_goes_when_it_would_count():
    foreign = Header((" ExtraColumns: colour",))
    assert foreign.extra_columns == ()
    assert foreign.announcing(False) is foreign
    assert foreign.announcing(True).lines == (" SWFX: 1.0", " UtilityUnits: SU")


def test_units_that_are_there_are_kept():
    header = Header((" UtilityUnits: EUR",)).announcing(extended=True)
    assert header.lines == (" SWFX: 1.0", " UtilityUnits: EUR")


@pytest.mark.parametrize("line", ["a\nb", "a\r", "a\0b", "\ud800", "\udcc3\udca9"])
def test_lines_that_would_not_survive_are_refused(line):
    with pytest.raises(InputError, match=r"header line .* cannot be written"):
        Header((line,))


def test_a_key_gets_several_values_in_place_of_its_first_line():
    header = Header((" A: 1", " Note: x", " B: 2", " Note: y"))

    assert header.with_values("Note", ("p", "q", 3)).lines == (
        " A: 1",
        " Note: p",
        " Note: q",
        " Note: 3",
        " B: 2",
    )

from __future__ import annotations

from swfx import Header
from swfx.accounting.names import Names


def test_numbers_come_in_the_order_of_appearance() -> None:
    names = Names("Queue")

    assert [names.number(name) for name in ("night", "day", " night", "", "0")] == [1, 2, 1, -1, 3]
    assert names.header_lines() == (" Queue: 1 night", " Queue: 2 day", " Queue: 3 0")


def test_a_header_can_hold_any_name_up_to_a_line_break() -> None:
    names = Names("User")
    for name in ("a\nb", "tab\there", "\udcff", "é"):
        names.number(name)

    header = Header(names.header_lines())
    assert header.names("User") == {1: "a", 2: "tab\there", 3: "\udcff", 4: "é"}
    assert header.all("User") == ("1 a", '2 "tab\\there"', '3 "\udcff"', "4 é")

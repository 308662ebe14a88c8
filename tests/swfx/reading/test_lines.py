import pytest

from swfx.reading.lines import LineError, parse_line, parse_tuples

LINE = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18"


def test_extended_line_has_checkpoint_and_points():
    job = parse_line(f"{LINE} 60 2.5 2 0 100 3600 0", extended=True)
    assert job.further == (60, 2.5)
    assert job.times == (0, 3600)
    assert job.values == (100, 0)


def test_a_semicolon_may_hide_what_follows_the_18th_field():
    assert parse_line(f"{LINE} ; 60 2.5 1 0 100", extended=True) == parse_line(
        f"{LINE} 60 2.5 1 0 100", extended=True
    )


@pytest.mark.parametrize("rest", [" ;", " ; ; 60 2.5 0", " ;60 2.5 0", "; 60 2.5 0", " 60 ; 2.5 0"])
def test_a_semicolon_elsewhere_is_refused(rest):
    with pytest.raises(LineError):
        parse_line(f"{LINE}{rest}", extended=True)


def test_exactly_the_limit_is_allowed():
    assert parse_line(f"{LINE[:-2]}9007199254740992", extended=False).fields[17] == 2**53
    with pytest.raises(LineError, match="beyond the limit"):
        parse_line(f"{LINE[:-2]}9007199254740993", extended=False)


def test_endless_digits_are_read():
    assert parse_line("0" * 5000 + LINE, extended=False).fields[0] == 1
    with pytest.raises(LineError, match="beyond the limit"):
        parse_line("9" * 5000 + LINE, extended=False)


@pytest.mark.parametrize("text", ["(0,1) x", "(0)", "0,1", "(0,1", "((0,1))", "(0;1)"])
def test_what_is_no_tuple_is_refused(text):
    with pytest.raises(LineError, match=r"not a .time,value. tuple"):
        parse_tuples(text)

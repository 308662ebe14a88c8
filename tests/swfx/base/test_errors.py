import pickle

from swfx import InputError


def test_text_is_one_line_with_all_parts():
    error = InputError("is\nwrong", source="a.swf", line=3, field="run (4)", remedy="mend it")
    assert str(error) == "a.swf:3: field run (4): is wrong; mend it"


def test_absent_parts_are_left_out():
    assert str(InputError("is wrong")) == "is wrong"
    assert str(InputError("is wrong", line=3)) == "line 3: is wrong"
    assert (
        str(InputError("is wrong", source="a.swf", remedy="mend it")) == "a.swf: is wrong; mend it"
    )


def test_blanks_in_file_names_are_kept():
    assert str(InputError("is wrong", source="my  log.swf")) == "my  log.swf: is wrong"


def test_is_a_value_error():
    assert issubclass(InputError, ValueError)


def test_survives_pickling():
    error = InputError("is wrong", source="a.swf", line=3, field="run (4)", remedy="mend it")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)

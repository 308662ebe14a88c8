import dataclasses

from swfx import FIELD_NAMES, FIELDS, Workload
from swfx.fields import field_label


def test_there_are_18_fields_of_which_10_are_whole():
    assert len(FIELDS) == 18
    assert sum(field.dtype == "int64" for field in FIELDS) == 10


def test_workload_has_the_fields_in_file_order():
    assert tuple(f.name for f in dataclasses.fields(Workload))[:18] == FIELD_NAMES


def test_labels_name_fields_as_a_reader_counts_them():
    assert field_label(0) == "job_id (1)"
    assert field_label(17) == "think_time (18)"
    assert field_label(18) == "checkpoint_interval (19)"
    assert field_label(20) == "utility points (21)"
    assert field_label(21) == "utility time 1 (22)"
    assert field_label(24) == "utility value 2 (25)"

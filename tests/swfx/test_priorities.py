import pytest

from swfx import InputError, Workload, priority_classes


def test_first_six_queues_are_their_own_class_and_others_are_normal():
    w = Workload.from_columns(queue=[0, 1, 2, 3, 4, 5, 6, 22, -1])
    assert priority_classes(w).tolist() == [0, 1, 2, 3, 4, 5, 3, 3, 3]


def test_single_queues_can_be_given_another_class():
    w = Workload.from_columns(queue=[0, 1, 22])
    assert priority_classes(w, {22: 0, 1: 7}).tolist() == [0, 7, 0]


def test_negative_class_is_refused():
    w = Workload.from_columns(queue=[0])
    with pytest.raises(InputError, match="classes: queue 4 has class -1; classes count from 0"):
        priority_classes(w, {4: -1})

from __future__ import annotations

from swfx.families.formats.loadleveler_listing import LoadLevelerStep, steps_of


def test_steps_have_what_is_said_of_their_job() -> None:
    lines = [
        "===== Job h.1 =====", "Owner: a", "Class: of the job",
        "----- Step h.1.0 -----", "Class: first", "Class: second",
        "----- Step h.1.1 -----", "Dependency:",
        "===== Job h.2 =====", "----- Step h.2.0 -----", "no entry",
    ]  # fmt: skip

    assert list(steps_of(lines)) == [
        LoadLevelerStep(4, {"Owner": "a", "Class": "of the job"}),
        LoadLevelerStep(7, {"Owner": "a", "Class": "of the job", "Dependency": ""}),
        LoadLevelerStep(10, {}),
    ]


def test_the_listing_of_llq_has_steps_only() -> None:
    lines = ["=============== Job Step h.1.0 ===============", "   Owner: a"]

    assert list(steps_of(lines)) == [LoadLevelerStep(1, {"Owner": "a"})]


def test_hosts_and_tasks_of_all_nodes_are_counted() -> None:
    lines = [
        "----- Step h.1.0 -----",
        "Node", "Allocated Hosts : n1::(A,B,C),n2::(A)", "   + n3::(A,B)",
        "Master Task", "Num Task Inst: 1", "Task", "Num Task Inst: 3", "Num Task Inst: x",
        "Node", "Allocated Hosts :", "Task", "Num Task Inst: 4",
    ]  # fmt: skip

    (step,) = steps_of(lines)

    assert (step.hosts, step.tasks) == (3, 7)

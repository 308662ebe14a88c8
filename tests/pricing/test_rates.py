"""Rates as text, and by labels of any kind."""

from __future__ import annotations

from random import Random

import pytest

from pricing import charge, make_mechanism
from pricing.rates import rates_text, read_rates_of
from swfx import Header, InputError, Workload
from swfx.label_kinds import LABEL_KINDS
from tests.scale import many

KINDS = {"partition": "Partition", "qos": "QOS", "account": "Account", "user": "User"}
NAMES = ("cpu", "gpu", "cpu,gpu", "a:b", "7", "007", "2", "Night")


def workload(labels: dict[str, list[str]]) -> Workload:
    """Jobs of an hour on one processor with these labels; an empty one is unknown."""
    header, columns = [], {}
    for kind, texts in labels.items():
        numbers = {text: number for number, text in enumerate(dict.fromkeys(texts), 1) if text}
        header += [f" {KINDS[kind]}: {number} {text}" for text, number in numbers.items()]
        columns[kind] = [numbers.get(text, -1) for text in texts]
    count = len(next(iter(labels.values())))
    return Workload.from_columns(
        submit=[0] * count,
        run=[3600] * count,
        processors=[1] * count,
        header=Header(tuple(header)),
        **columns,  # type: ignore[arg-type]
    )


def charges(log: Workload, mechanism: str) -> list[float]:
    charged: list[float] = charge(log, [0] * len(log), [3600] * len(log), mechanism).charge.tolist()
    return charged


def notes(log: Workload, mechanism: str) -> list[str]:
    return list(make_mechanism(mechanism).notes(log))


def test_random_rates_by_any_label_are_those_of_each_job() -> None:
    for seed in range(many(60)):
        random = Random(seed)
        count = random.randrange(1, 9)
        labels = {kind: random.choices(("", *NAMES), k=count) for kind in KINDS}
        kind = random.choice([each for each in KINDS if any(labels[each])] or [""])
        rates = {name: float(random.randrange(9)) for name in random.sample(NAMES, 4)}
        if not kind:
            continue
        text = f"multi-queue:rates={rates_text(tuple(rates.items()))},other=0.5,by={kind}"

        expected = [rates.get(label, 0.5) for label in labels[kind]]
        assert charges(workload(labels), text) == expected, seed
        assert make_mechanism(make_mechanism(text).label) == make_mechanism(text)
        strays = sorted(rates.keys() - {*labels[kind]})
        quoted = ", ".join(f"'{name}'" if "," in name else name for name in strays)
        missing = f"no job has the {LABEL_KINDS[kind].words} {quoted}; "
        said = any(note.startswith(missing) for note in notes(workload(labels), text))
        assert said == bool(strays), seed


def test_commas_and_colons_in_names() -> None:
    text = "7:4,a:b:3,cpu:1,cpu,gpu:2"

    assert read_rates_of(text) == ((7, 4.0), ("a:b", 3.0), ("cpu", 1.0), ("cpu,gpu", 2.0))
    assert rates_text(read_rates_of(text)) == text


def test_names_may_stand_in_the_quotes_in_which_messages_show_them() -> None:
    log = workload({"partition": ["cpu", "cpu,gpu", "o'hara"]})

    quoted = """multi-queue:by=partition,rates='cpu,gpu':2,"o'hara":3,'cpu':4"""
    assert charges(log, quoted) == [4, 2, 3]
    assert charges(log, "multi-queue:by=partition,rates=cpu,gpu:2,o'hara:3,cpu:4") == [4, 2, 3]


def test_a_rate_for_no_job_and_the_rate_of_all_others_are_said() -> None:
    log = workload({"partition": ["cpu", "cpu,gpu", "gpu", "gpu"], "qos": ["normal"] * 4})

    mechanism = "multi-queue:rates=cpu:1,gpus:3,by=partition,other=2"
    assert notes(log, mechanism) == [
        "no job has the partition gpus; the log has partition cpu, 'cpu,gpu', gpu",
        "3 jobs at the rate other=2: partition 'cpu,gpu', gpu",
    ]
    assert charges(log, mechanism) == [1, 2, 2, 2]
    assert notes(log, "multi-queue:rates=normal:3,by=qos") == []
    assert notes(log, "multi-queue") == []  # rates that nobody gave


def test_numbers_that_stand_for_qos_have_no_rates_of_their_own() -> None:
    header = Header((" QueueMeans: qos", " QOS: 1 normal"))
    log = Workload.from_columns(run=[3600], processors=[1], queue=[1], header=header)

    assert charges(log, "multi-queue") == [1.0]
    assert notes(log, "multi-queue") == [
        "no job has the QOS 0, 1, 2, 3, 4, ...; the log has QOS normal",
        "1 job at the rate other=1: QOS normal",
    ]


def test_names_of_another_kind_are_refused() -> None:
    log = workload({"partition": ["cpu", "gpu"], "qos": ["normal"] * 2})

    with pytest.raises(InputError, match=r"no job has the queue gpu; .*; write by=partition") as it:
        notes(log, "multi-queue:rates=gpu:3")
    assert "partition cpu, gpu" in str(it.value)


def test_kinds_that_the_log_does_not_have_are_refused() -> None:
    log = workload({"partition": ["cpu", "gpu"]})

    with pytest.raises(InputError, match="does not say 'account'; known: partition"):
        charges(log, "multi-queue:rates=physics:3,by=account")
    with pytest.raises(InputError, match="'color' is not"):
        make_mechanism("multi-queue:by=color")
    with pytest.raises(InputError, match="partition has no rates"):
        make_mechanism("multi-queue:by=partition")


def test_names_are_refused_where_labels_are_numbers() -> None:
    log = Workload.from_columns(run=[1, 1], processors=[1, 1], queue=[1, -1])

    with pytest.raises(InputError, match="each queue is a number without a name"):
        charges(log, "multi-queue:rates=high:3")
    assert charges(log[1:], "multi-queue:rates=high:3") == [1.0]  # no queue: the other rate

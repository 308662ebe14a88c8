"""Each rule alone, on three jobs of an hour: 2, 4 and 1 SU by single price."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from pricing import charge
from pricing.reasons import COMPENSATED
from pricing.waste import NOBODY
from swfx import Header, InputError, Workload
from tests.pricing.jobs import END, START, three_charges, three_jobs
from tests.pricing.stopped import charged
from tests.pricing.test_shares import with_stop
from tests.pricing.test_states import RUN
from tests.pricing.test_states import log as ended_jobs
from tests.scale import many
from tests.utilitysched.preempted import preempted_schedule, preempted_workload
from utilitysched_centre.rules.invoice import invoice
from utilitysched_centre.rules.rules import (
    Accounts,
    Allowance,
    Discount,
    IdleWake,
    JobSelection,
    Quantity,
    Rules,
    read_rules,
)
from utilitysched_centre.rules.statements import lines
from utilitysched_centre.rules.steps import InvoiceSteps
from utilitysched_centre.rules.tres import read_weights

CHARGED = ("charged",) * 3


def paid(done: InvoiceSteps) -> tuple[object, ...]:
    return done.due


def due(rules: Rules) -> tuple[object, tuple[str, ...]]:
    """Users 7, 8, 7; queues 1, 2, 4; the second failed, the third was cancelled."""
    done = invoice(three_charges("single-price"), rules).steps
    return list(done.due), done.reason


def test_no_rules_change_nothing() -> None:
    assert due(Rules()) == ([2, 4, 1], CHARGED)


@pytest.mark.parametrize(
    ("rules", "expected", "why"),
    [
        (Rules(), (47 - 40, 40, 0), COMPENSATED),
        (Rules(minimum_charge=Fraction(100)), (60, 140, 100), f"minimum charge, {COMPENSATED}"),
        (
            Rules(discount=(Discount(name="half", percent=Fraction(50)),)),
            (Fraction(47, 2) - 40, 40, 0),
            f"discount half, {COMPENSATED}",
        ),
        (Rules(exempt=JobSelection(users=frozenset({1}))), (-40, 40, 0), COMPENSATED),
        (
            Rules(allowance=Allowance(Fraction(47))),
            (-40, 40, 0),
            f"less the allowance, {COMPENSATED}",
        ),
    ],
)
def test_what_jobs_owe_each_other_is_touched_by_no_rule(
    rules: Rules, expected: tuple[Fraction, ...], why: str
) -> None:
    """Job 11 earned 47 SU, and gets 40 of job 12."""
    charges = charged(preempted_workload(), preempted_schedule(40.0), "first-price:reading=end")

    bill = invoice(charges, rules)

    assert bill.steps.due == expected
    assert bill.steps.displaced == (-40, 40, 0)
    head = "charged" if expected[0] > 0 else "credited"
    assert bill.steps.reason[0] == f"{head}: {why}"
    assert bill.total == sum(expected)


def test_a_minimum_time() -> None:
    jobs = three_jobs()
    charges = charge(jobs, START, [60.0, 5400.0, START[2] + 900], "single-price")

    done = invoice(charges, Rules(quantity=Quantity(minimum_minutes=Fraction(15)))).steps

    assert paid(done) == (Fraction(1, 2), 4, Fraction(1, 4))
    assert done.reason == ("charged: minimum time", "charged", "charged")


RESOURCES = ("node", "gres/gpu", "license/x")


def test_random_quantities_are_of_the_resource_that_is_charged_for() -> None:
    for seed in range(many(40)):
        random = Random(seed)
        count, of = random.randrange(1, 6), random.choice(RESOURCES)
        amounts = {f"tres/{n}": [1, *random.choices((-1, 0, 2, 5), k=count - 1)] for n in RESOURCES}
        run = [random.randrange(1, 7200) for _ in range(count)]
        suspended = [random.choice((0, time // 2)) for time in run]
        jobs = Workload.from_columns(
            run=run,
            suspended=suspended,
            requested_time=[9000] * count,
            processors=[7] * count,
            **amounts,  # type: ignore[arg-type]
        )
        used = [time - less for time, less in zip(run, suspended, strict=True)]
        charges = charge(jobs, [0] * count, run, f"single-price:rate=3,of={of}", used=used)
        basis, least = random.choice(("use", "request")), random.randrange(60)
        quantity = Quantity(basis, Fraction(least))

        done = invoice(charges, Rules(quantity=quantity)).steps

        held = run if basis == "use" else [9000] * count  # nodes are kept while suspended
        units = [max(amount, 0) for amount in amounts[f"tres/{of}"]]
        assert list(done.base) == [
            3 * Fraction(unit * max(time, 60 * least), 3600)
            for unit, time in zip(units, held, strict=True)
        ], seed


def test_weights_replace_the_resource_that_they_weigh() -> None:
    jobs = three_jobs().replace(**{"tres/node": [1, 2, 1]})
    charges = charge(jobs, START, END, "single-price:of=node")

    weighed = Rules(quantity=Quantity(weights=read_weights("node=2")))
    assert paid(invoice(charges, weighed).steps) == (2, 4, 2)
    other = Rules(quantity=Quantity(weights=read_weights("CPU=1")))
    with pytest.raises(InputError, match="weights leave out node, which single-price:of=node"):
        invoice(charges, other)


def test_by_reservation() -> None:
    jobs = three_jobs().replace(requested_time=[7200, 3600, 5400])

    done = invoice(
        charge(jobs, START, END, "single-price:rate=0.1"), Rules(quantity=Quantity("request"))
    ).steps

    assert paid(done) == (Fraction(4, 10), Fraction(4, 10), Fraction(15, 100))


def test_by_the_dominant_resource() -> None:
    jobs = three_jobs().replace(requested_memory=[8 * 1024**2, 1024, 1024])

    done = invoice(
        charge(jobs, START, END, "single-price"),
        Rules(quantity=Quantity(weights=read_weights("CPU=1.0,Mem=0.25G"))),
    ).steps

    assert paid(done) == (4, 4, 1)  # 2 x 8 GB x 0.25 = 4


def test_hours_need_a_rate() -> None:
    with pytest.raises(
        InputError, match="field quantity: first-price:reading=end charges job 1 by no rate"
    ):
        invoice(three_charges("first-price:reading=end"), Rules(quantity=Quantity()))


def test_whom_neighbours_slowed_until_it_was_killed_pays_no_minimum() -> None:
    charges = charge(
        three_jobs(), START, END, "single-price", cut_short=[True, False, True], shared=True
    )

    done = invoice(charges, Rules(minimum_charge=Fraction(3))).steps

    killed = "not charged: killed before its work was done"
    assert (done.due, done.reason) == ((0, 4, 0), (killed, "charged", killed))


def test_a_minimum_charge() -> None:
    assert due(Rules(minimum_charge=Fraction(3))) == (
        [3, 4, 3],
        ("charged: minimum charge", "charged", "charged: minimum charge"),
    )


def test_idle_time_before_a_wide_job() -> None:
    jobs = three_jobs().replace(header=Header((" MaxProcs: 6", " UnixStartTime: 0")))

    done = invoice(
        charge(jobs, START, END, "single-price"), Rules(idle_wake=IdleWake(4, Fraction(1, 2)))
    )

    # 4 processors are idle for the half hour that the second job waits
    assert paid(done.steps) == (2, 5, 1)
    assert done.steps.reason[1] == "charged: idle wake"


def test_failed_and_cancelled_jobs() -> None:
    assert due(Rules(status={"failed": Fraction(0), "cancelled": Fraction(50)})) == (
        [2, 0, Fraction(1, 2)],
        ("charged", "not charged: failed", "charged: 50% as cancelled"),
    )


def test_requeued_parts() -> None:
    jobs = three_jobs().replace(status=[2, 3, 4])

    done = invoice(
        charge(jobs, START, END, "single-price"),
        Rules(status={"requeued": Fraction(0), "failed": Fraction(10)}),
    ).steps

    assert paid(done) == (0, 4, Fraction(1, 10))
    assert done.reason[0] == "not charged: requeued"


@pytest.mark.parametrize(
    ("whom", "money", "by"),
    [
        (JobSelection(users=frozenset({8})), [2, 0, 1], "user"),
        (JobSelection(groups=frozenset({2, 9})), [2, 4, 0], "group"),
        (JobSelection(queues=frozenset({1})), [0, 4, 1], "queue"),
        (JobSelection(accounts=frozenset({"user 8"})), [2, 0, 1], "account"),
    ],
)
def test_who_is_exempt(whom: JobSelection, money: list[int], by: str) -> None:
    paid_by_job, reasons = due(Rules(exempt=whom))

    assert paid_by_job == money
    assert reasons[money.index(0)] == f"not charged: exempt {by}"


def test_discounts_one_after_the_other() -> None:
    night = Discount(name="night", percent=Fraction(20), queues=frozenset({4}))

    assert due(Rules(discount=(Discount(name="all", percent=Fraction(10)), night))) == (
        [Fraction(18, 10), Fraction(36, 10), Fraction(72, 100)],
        ("charged: discount all", "charged: discount all", "charged: discount all, discount night"),
    )


def test_an_allowance_by_payer_and_month() -> None:
    # user 7 has one job in April and one in May
    assert due(Rules(allowance=Allowance(Fraction(3, 2)))) == (
        [Fraction(1, 2), Fraction(5, 2), 0],
        (
            "charged: less the allowance",
            "charged: less the allowance",
            "not charged: within the allowance",
        ),
    )


def test_users_of_an_account_share_its_allowance_the_first_to_complete_first() -> None:
    assert due(
        Rules(allowance=Allowance(Fraction(3)), accounts=Accounts({7: "physics", 8: "physics"}))
    )[0] == [0, 3, 0]


def test_an_allowance_needs_months() -> None:
    charges = charge(three_jobs().replace(header=Header(())), START, END, "single-price")

    with pytest.raises(InputError, match=r"in which month its jobs ran; write UnixStartTime"):
        invoice(charges, Rules(allowance=Allowance(Fraction(1))))


def test_the_mechanism_asks_nothing() -> None:
    done = invoice(three_charges("first-price:reading=end")).steps

    assert done.reason == ("charged", "charged", "not charged: no utility function")


@pytest.mark.parametrize(
    ("payer", "seconds", "others"),
    [
        ("preempted", 128, 0),  # all that it held its processors for, as ever
        ("stopped", 128, 0),
        ("centre", 100, 0),
        ("preemptor", 100, 4 * 28),
    ],
)
def test_hours_are_those_that_a_job_is_charged_for(payer: str, seconds: int, others: float) -> None:
    """Job 11 loses 28 s of 128 on 4 processors for job 12, at 3600 SU an hour."""
    charges = charged(
        preempted_workload(), preempted_schedule(), f"single-price:rate=3600,lost={payer}"
    )
    weighed = Rules(quantity=Quantity(weights=read_weights("CPU=2")))

    def base(rules: Rules) -> list[float]:
        return [float(each) for each in invoice(charges, rules).steps.base]

    assert base(Rules()) == [4 * seconds, 30 + others, 20]
    assert base(weighed) == [8 * seconds, 60 + others, 40]
    assert base(Rules(quantity=Quantity("request"))) == [800, 60 + others, 20]


def test_a_minimum_time_is_in_minutes() -> None:
    charges = charge(three_jobs(), START, [840.0, 5400.0, START[2] + 961], "single-price")

    done = invoice(charges, Rules(quantity=Quantity(minimum_minutes=Fraction(16)))).steps

    assert done.reason == ("charged: minimum time", "charged", "charged")


@pytest.mark.parametrize(
    ("rules", "due"),
    [
        ("", [0, 2, 1, 1, 1, 2]),
        ("[state]\nNODE_FAIL = 50", [1, 2, 1, 1, 1, 2]),
        ("[status]\nfailed = 100", [0, 2, 1, 1, 1, 2]),  # a state says more than a status
        ("[status]\nfailed = 0\ncancelled = 50\n[state]\nTIMEOUT = 25", [0, 0.5, 0.5, 0.5, 1, 2]),
        ("[state]\nCANCELLED = 0\n'CANCELLED by another' = 10", [0, 2, 0, 0.1, 1, 2]),
    ],
)
def test_rules_of_states(tmp_path: Path, rules: str, due: list[float]) -> None:
    (tmp_path / "rules.toml").write_text(rules, "utf-8")
    charges = charge(ended_jobs(), [0.0] * 6, RUN, "single-price", exclude_states=())
    bill = invoice(charges, read_rules(tmp_path / "rules.toml"))

    assert [float(each) for each in bill.steps.due] == due


def test_reasons_name_the_state() -> None:
    charges = charge(ended_jobs(), [0.0] * 6, RUN, "single-price", exclude_states=())
    bill = invoice(charges, Rules(state={"TIMEOUT": Fraction(50)}))

    assert bill.steps.reason[:2] == ("not charged: NODE_FAIL", "charged: 50% as TIMEOUT")


def test_failures_of_the_machine_are_weighed_like_other_work() -> None:
    bill = with_stop("single-price:lost=stopped", cause=NOBODY, preempted=False)

    done = invoice(bill, Rules(quantity=Quantity(weights=read_weights("CPU=2")))).steps

    assert float(done.base[0]) == pytest.approx(8 * 128 / 3600)


def test_a_job_of_several_parts_is_one_job_in_statements() -> None:
    log = Workload.from_columns(
        run=[3600] * 4, processors=[1, 2, 3, 4], user=[1, 1, 1, 2], part_of=[1, 1, -1, -1]
    )
    bill = invoice(charge(log, [0] * 4, [3600] * 4, "single-price"))

    assert [line.jobs for line in lines(bill, "user")] == [2, 1]

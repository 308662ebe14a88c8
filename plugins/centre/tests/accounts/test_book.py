"""A ledger: what goes in, what is held, charged and given back, in a file and on a server."""

from __future__ import annotations

from decimal import Decimal

import pytest

from plugins.centre.tests.accounts.conftest import Opened, cents
from plugins.centre.tests.accounts.runs import EIGHT, SEVEN, claims
from swfx import InputError
from utilitysched_centre.accounts import Account, Balance, Book, Income, OverdraftError, create

GROUP, CLIMATE = Account("group", "1"), Account("project", "climate")


def available(book: Book, *accounts: Account) -> list[int]:
    return [balance.available for balance in book.balances(accounts)]


def sound(book: Book) -> bool:
    return all(check.holds for check in book.verify())


def test_an_endowment_can_be_spent(book: Book) -> None:
    posted = book.endow(SEVEN, "12.50", memo="for a start")

    assert posted == (1, True, 1)
    assert book.balances() == [Balance(SEVEN, 1250, 0, 0)]
    assert book.endowed() == 1250
    assert sound(book)


def test_a_key_stands_for_one_endowment(book: Book) -> None:
    book.endow(SEVEN, 10, key="2000")

    with pytest.raises(InputError, match=r"posting 1 has this key: endow 10\.00 SU of user:7"):
        book.endow(SEVEN, 11, key="2000")
    with pytest.raises(InputError, match=r"has this key: endow .* of user:7; name another key"):
        book.endow(Account("user", "8"), 10, key="2000")

    assert book.verify()[0].detail == "1 checked"


def test_an_endowment_with_a_key_is_given_once(book: Book) -> None:
    first = book.endow(SEVEN, 10, key="2000")
    again = book.endow(SEVEN, 10, key="2000")
    other = book.endow(SEVEN, 10, key="2001")

    assert (first.new, again.new, other.new) == (True, False, True)
    assert again.number == first.number
    assert available(book, SEVEN) == [2000]


def test_all_are_endowed_or_nobody(book: Book) -> None:
    given = book.endow_all({SEVEN: 10, EIGHT: "2.50"}, month="2000-01")
    with pytest.raises(InputError, match="amount"):
        book.endow_all({SEVEN: 10, EIGHT: 0})

    assert given == (1, True, 2)
    assert available(book, SEVEN, EIGHT) == [1000, 250]
    assert sound(book)


def test_a_hold_is_captured_and_its_rest_given_back(book: Book) -> None:
    book.endow(SEVEN, 100)

    book.hold(SEVEN, 60, "job-1")
    held = book.balances([SEVEN])
    book.capture("job-1", Decimal("45.25"))

    assert held == [Balance(SEVEN, 4000, 6000, 0)]
    assert book.balances([SEVEN]) == [Balance(SEVEN, 5475, 0, 0)]
    assert book.income() == [Income(SEVEN, "2000-06", 4525, 0)]
    assert sound(book)


def test_hold_and_capture_twice_change_nothing(book: Book) -> None:
    book.endow(SEVEN, 100)

    assert [book.hold(SEVEN, 60, "a").new for _ in range(2)] == [True, False]
    assert [book.capture("a", 45).new for _ in range(2)] == [True, False]
    assert available(book, SEVEN) == [5500]


def test_a_free_job_gets_its_hold_back(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.hold(SEVEN, 60, "a")

    assert [book.capture("a", 0).new for _ in range(2)] == [True, False]
    assert book.balances() == [Balance(SEVEN, 10000, 0, 0)]


def test_what_costs_more_than_was_held_takes_from_the_balance(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.hold(SEVEN, 60, "a")
    with pytest.raises(OverdraftError, match=r"has 40.00 SU \(60.00 SU held besides"):
        book.capture("a", "100.01")

    book.capture("a", 100)

    assert book.balances() == [Balance(SEVEN, 0, 0, 0)]


def test_another_hold_for_the_same_job_is_refused(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.hold(SEVEN, 60, "a")

    with pytest.raises(InputError, match=r"a has 60.00 SU held and 0.00 SU charged already"):
        book.hold(SEVEN, 50, "a")
    book.capture("a", 10)
    with pytest.raises(InputError, match=r"a has 0.00 SU held and 10.00 SU charged already"):
        book.hold(SEVEN, 60, "a")
    with pytest.raises(InputError, match=r"nothing is held for 'a'"):
        book.capture("a", 20)
    with pytest.raises(InputError, match=r"nothing is held for 'b'"):
        book.capture("b", 20)


def test_a_run_is_charged_once(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.endow(EIGHT, 100)

    first = book.post(claims(1000, 2000, 0, 4000))
    again = book.post(claims(1000, 2000, 0, 4000))

    assert first == (3, True, 3)
    assert (again.number, again.new) == (3, False)
    assert available(book, SEVEN, EIGHT) == [9000, 4000]
    assert book.income("2000-04") == [
        Income(SEVEN, "2000-04", 1000, 0),
        Income(EIGHT, "2000-04", 6000, 0),
    ]
    assert book.income("2000-05") == []
    assert sound(book)


def test_a_run_takes_what_was_held_for_its_jobs(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.endow(EIGHT, 100)
    held = [book.hold_run(claims(5000, 2000, 3000)) for _ in range(2)]
    before = book.balances()

    book.post(claims(1000, 2500, 0))

    assert [posted.new for posted in held] == [True, False]
    assert before == [Balance(SEVEN, 2000, 8000, 0), Balance(EIGHT, 8000, 2000, 0)]
    assert book.balances() == [Balance(SEVEN, 9000, 0, 0), Balance(EIGHT, 7500, 0, 0)]
    assert sound(book)


def test_other_holds_for_the_jobs_of_a_run_are_refused(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.hold_run(claims(5000))

    with pytest.raises(InputError, match=r"50.00 SU of user:7 are held for job 1 already"):
        book.hold_run(claims(6000))
    book.post(claims(5000))
    with pytest.raises(InputError, match=r"job 1 was charged already, by posting 3"):
        book.hold_run(claims(5000))


def test_a_job_is_not_charged_twice(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.post(claims(1000))

    with pytest.raises(InputError) as refusal:
        book.post(claims(1000, mechanism="vcg"))

    assert str(refusal.value) == (
        "job 1 was charged already, by posting 2; "
        "undo that first: utilitysched ledger refund LEDGER --posting 2"
    )
    assert available(book, SEVEN) == [9000]


def test_what_is_undone_can_be_posted_again(book: Book) -> None:
    book.endow(SEVEN, 100)
    run = claims(1000, 0, 500)

    numbers = []
    for _ in range(3):
        numbers.append(book.post(run).number)
        assert available(book, SEVEN) == [8500]
        undone = [book.undo(numbers[-1]) for _ in range(2)]
        assert [posted.new for posted in undone] == [True, False]
        assert available(book, SEVEN) == [10000]

    assert numbers == [2, 4, 6]
    assert book.income() == [
        Income(SEVEN, "2000-04", 4500, 0),
        Income(SEVEN, "2000-06", 0, 4500),
    ]
    assert sound(book)


def test_undoing_concerns_what_the_posting_did(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.hold_run(claims(1000, month="2000-05"))
    book.post(claims(800))

    assert book.undo(2).entries == 0
    assert available(book, SEVEN) == [9200]
    book.undo(3)
    book.hold_run(claims(1000))
    book.undo(3)
    assert book.balances() == [Balance(SEVEN, 9000, 1000, 0)]


def test_an_endowment_is_undone_unless_it_is_spent(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.post(claims(1000))

    with pytest.raises(OverdraftError, match=r"needs 100.00 SU: 10.00 SU missing"):
        book.undo(1)
    book.undo(2)
    book.undo(1)

    assert book.balances() == [Balance(SEVEN, 0, 0, 0)]
    assert book.endowed() == 0
    assert sound(book)


def test_what_gives_back_cannot_be_undone(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.undo(1)

    for number in (2, 9):
        with pytest.raises(InputError, match=f"posting {number} gives nothing"):
            book.undo(number)


def test_refunds_of_a_charge(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.post(claims(3000))

    book.refund("job-1", 10, memo="node failure")
    with pytest.raises(InputError, match=r"job-1 was charged 20.00 SU, and 0.00 SU are held"):
        book.refund("job-1", "20.01")
    book.refund("job-1")

    assert available(book, SEVEN) == [10000]
    assert book.income() == [Income(SEVEN, "2000-04", 3000, 0), Income(SEVEN, "2000-06", 0, 3000)]
    with pytest.raises(InputError, match=r"there is nothing to give back for 'job-1'"):
        book.refund("job-1")


def test_a_hold_is_given_back(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.hold(SEVEN, 60, "a")

    with pytest.raises(InputError, match=r"and 60.00 SU are held"):
        book.refund("a", 10)
    book.refund("a")
    book.hold(SEVEN, 70, "a")

    assert book.balances() == [Balance(SEVEN, 3000, 7000, 0)]


def test_an_overdrawn_account_is_refused_with_the_figures(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.hold(SEVEN, 60, "a")
    book.endow(EIGHT, 5)

    with pytest.raises(OverdraftError) as refusal:
        book.post(claims(4500, 600))

    seven, eight = refusal.value.shortages
    assert (seven.account, seven.balance, seven.held, seven.limit) == (SEVEN, 4000, 6000, 0)
    assert (seven.needed, seven.missing, eight.missing) == (4500, 500, 100)
    assert str(refusal.value) == (
        "user:7 has 40.00 SU (60.00 SU held besides, credit limit 0.00 SU) and needs 45.00 SU: "
        "5.00 SU missing; 2 accounts are short, of 6.00 SU in all; "
        "endow the account, or raise its limit: utilitysched ledger endow, limit"
    )
    assert available(book, SEVEN, EIGHT) == [4000, 500]


def test_a_credit_limit_is_spent_to_the_last_unit(book: Book) -> None:
    book.set_limit(SEVEN, 50)

    book.post(claims(5000))

    assert book.balances() == [Balance(SEVEN, -5000, 0, 5000)]
    with pytest.raises(OverdraftError, match=r"credit limit 50.00 SU"):
        book.hold(SEVEN, "0.01", "a")
    with pytest.raises(InputError, match=r"user:7 has -50.00 SU already; endow it, or give at l"):
        book.set_limit(SEVEN, "49.99")
    book.set_limit(SEVEN, None)
    book.hold(SEVEN, 1000, "a")
    assert sound(book)


def test_credit_of_new_accounts(opened: Opened) -> None:
    book = opened(cents(credit_limit=None))

    book.post(claims(5000, 1))

    assert book.balances() == [Balance(SEVEN, -5000, 0, None), Balance(EIGHT, -1, 0, None)]


def test_groups_pay(opened: Opened) -> None:
    book = opened(cents(payer="group"))
    book.endow(GROUP, 100)
    book.endow(SEVEN, 100)

    book.post(claims(1000, 500))

    assert available(book, GROUP, SEVEN) == [8500, 10000]


def test_projects_pay_for_those_who_are_assigned(opened: Opened) -> None:
    book = opened(cents(payer="project"))
    book.endow(CLIMATE, 100)
    with pytest.raises(InputError) as refusal:
        book.post(claims(1000, 500))

    book.assign(Account("group", "1"), CLIMATE)
    book.assign(EIGHT, Account("project", "other"))
    book.endow(Account("project", "other"), 5)
    book.post(claims(1000, 500))

    assert str(refusal.value).startswith("user 7 of group 1 has no project that pays; ")
    assert available(book, CLIMATE, Account("project", "other")) == [9000, 0]
    with pytest.raises(InputError, match=r"no accounts of kind 'project'"):
        book.assign(CLIMATE, SEVEN)


def test_the_latest_assignment_counts(book: Book) -> None:
    book.endow(CLIMATE, 100)
    book.endow(SEVEN, 100)
    book.assign(SEVEN, CLIMATE)
    book.assign(SEVEN, SEVEN)

    book.post(claims(1000))

    assert available(book, CLIMATE, SEVEN) == [10000, 9000]


def test_who_held_pays(book: Book) -> None:
    book.endow(SEVEN, 100)
    book.hold_run(claims(5000))
    book.assign(SEVEN, CLIMATE)

    book.post(claims(1000))

    assert available(book, SEVEN, CLIMATE) == [9000, 0]


def test_an_unknown_month_is_refused(book: Book) -> None:
    book.endow(SEVEN, 100)

    with pytest.raises(InputError, match=r"no UnixStartTime, or one outside .*; name the month"):
        book.post(claims(1000, month="unknown"))


@pytest.mark.parametrize("month", ["2000-13", "2000", "april", "2000-4"])
def test_what_is_no_month_is_refused(book: Book, month: str) -> None:
    with pytest.raises(InputError, match=r"is no month; write YYYY-MM, as in 2026-11"):
        book.endow(SEVEN, 1, month=month)


@pytest.mark.parametrize("amount", [0, "-1", "0.00"])
def test_amounts_are_above_zero(book: Book, amount: str) -> None:
    with pytest.raises(InputError, match=r"is not above 0"):
        book.endow(SEVEN, amount)


def test_names_are_short(book: Book) -> None:
    for name in ("", "a b", "x" * 65):
        with pytest.raises(InputError, match=r"field reference: .* cannot be used"):
            book.hold(SEVEN, 1, name)
        with pytest.raises(InputError, match=r"field key: .* cannot be used"):
            book.endow(SEVEN, 1, key=name)


def test_a_memo_may_hold_anything(book: Book) -> None:
    book.endow(SEVEN, 1, memo="Grüße \udcff '; DROP TABLE ledger; --")

    assert book.history()[0].memo == "Grüße ? '; DROP TABLE ledger; --"
    assert sound(book)


def test_unknown_accounts_are_named(book: Book) -> None:
    with pytest.raises(InputError, match=r"there is no account user:9"):
        book.balances([Account("user", "9")])


def test_accounts_come_in_order(book: Book) -> None:
    for name in ("10", "9", "bob", "-1", "alice"):
        book.endow(Account("user", name), 1)
    book.endow(GROUP, 1)

    assert [str(balance.account) for balance in book.balances()] == [
        "group:1",
        "user:-1",
        "user:9",
        "user:10",
        "user:alice",
        "user:bob",
    ]


def test_who_gets_more_than_it_pays_is_credited(book: Book) -> None:
    """One of two jobs of a user gets 7.34; so the user needs 2.66 to pay 10 for the other."""
    book.endow(SEVEN, "2.66")
    bill = claims(1000, 0, -734)

    posted = book.post(bill)

    assert (posted.new, book.post(bill).new) == (True, False)
    [balance] = book.balances([SEVEN])
    assert balance.available == 0
    periods = book.reconcile(bill).periods
    assert sum(each.billed for each in periods) == 266
    assert [(one.account, one.charged, one.refunded) for one in book.income()] == [(SEVEN, 266, 0)]
    assert [line.available for line in book.history(SEVEN) if line.kind == "credit"] == [734]
    assert all(check.holds for check in book.verify())


def test_a_credit_is_undone_like_a_charge(book: Book) -> None:
    book.post(claims(-1234))
    with pytest.raises(InputError, match="job 1 was charged already, by posting"):
        book.post(claims(-1))

    book.undo(book.post(claims(-1234)).number)

    [balance] = book.balances([SEVEN])
    assert balance.available == 0
    assert [(one.charged, one.refunded) for one in book.income()] == [(-1234, 0), (0, -1234)]
    assert all(check.holds for check in book.verify())
    assert book.post(claims(-1234)).new


def test_another_process_sees_what_is_posted(book: Book, location: str) -> None:
    book.endow(SEVEN, 1)

    with Book(location) as other:
        assert other.balances() == book.balances()
        assert other.terms == book.terms
    with pytest.raises(InputError, match=r"there is a ledger already"):
        create(location)

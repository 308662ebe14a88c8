"""Documents: invoices and credit notes as rows of the ledger."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from plugins.centre.tests.accounts.conftest import NOW, Opened, cents
from plugins.centre.tests.accounts.forging import forge
from plugins.centre.tests.accounts.issued import (
    DAY,
    MONTH,
    cancel,
    credit,
    document_refund,
    given_back,
    invoices,
    unsound,
)
from plugins.centre.tests.accounts.runs import EIGHT, SEVEN, claims
from swfx import InputError
from tests.scale import many
from utilitysched_centre.accounts import (
    CREDIT_NOTE,
    INVOICE,
    Account,
    Book,
    Claims,
    Document,
    DocumentLine,
)


@pytest.fixture
def book(opened: Opened) -> Book:
    """A ledger in SU and cents whose accounts may owe anything."""
    return opened(cents(credit_limit=None))


def has(book: Book) -> dict[str, int]:
    return {str(one.account): one.available for one in book.balances()}


INVOICED = Document("2000-04-0001", INVOICE, MONTH, SEVEN, 300, 0, DAY)
NOTED = INVOICED._replace(number="2000-04-0002", kind=CREDIT_NOTE, corrects=INVOICED.number)
LINE = DocumentLine(NOTED.number, 0, "k", "job-1", "1", 300, 0, "why")


def issue(
    book: Book, documents: list[Document], lines: list[DocumentLine], *, broken: bool = False
) -> None:
    """Charge two jobs and issue documents as they are; the block ends by an exception if broken."""
    with book.issuing() as issue:
        issue.charge(claims(300, 400), "invoices")
        for one in documents:
            issue.add(one, [line for line in lines if line.document == one.number])
        1 / (not broken)


def test_invoices_and_credit_notes(book: Book) -> None:
    seven, eight = invoices(book, 300, 400, 500)

    assert [one.number for one in (seven, eight)] == ["HPC-2000-04-0001", "HPC-2000-04-0002"]
    note = credit(book, seven, 3, 200)
    assert (note.number, note.signed) == ("HPC-2000-04-0003", -200)
    assert book.documents() == book.documents(MONTH) == (seven, eight, note)
    assert book.documents("2000-05") == ()
    assert book.live(MONTH) == {SEVEN: seven, EIGHT: eight}
    assert given_back(book, seven) == {"job-3": 200}
    assert (cancel(book, seven).net, has(book)) == (600, {"user:7": 0, "user:8": -400})
    assert book.live(MONTH) == {EIGHT: eight}
    assert unsound(book) == {}


def test_an_invoice_has_credits_of_its_own(book: Book) -> None:
    seven, _ = invoices(book, 300, 400, own=100)

    assert (seven.amount, has(book)["user:7"]) == (200, -200)
    assert [line.amount for line in book.document_lines()] == [100]
    assert unsound(book) == {}
    cancel(book, seven)
    assert (has(book)["user:7"], unsound(book)) == (0, {})


def test_what_is_charged_again_is_the_later_invoice(book: Book) -> None:
    first, eight = invoices(book, 300, 400)
    credit(book, first, 1, 100)
    for one in (first, eight):
        cancel(book, one)

    second, _ = invoices(book, 250, 400)

    assert second.number == "HPC-2000-04-0006"
    credit(book, second, 1, 50)
    assert (given_back(book, first), given_back(book, second)) == ({"job-1": 300}, {"job-1": 50})
    assert (has(book), unsound(book)) == ({"user:7": -200, "user:8": -400}, {})


def test_a_refund_without_document_is_named_until_there_is_one(book: Book) -> None:
    seven, _ = invoices(book, 300, 400)
    posting = book.refund("job-1", 1).number

    assert unsound(book) == {
        "documents": f"posting {posting} gave back 1.00 SU for job 1 of HPC-2000-04-0001 without a"
        " credit note: the next billing-run issues one"
    }
    document_refund(book, seven, posting, 1, 100)
    assert (has(book)["user:7"], unsound(book)) == (-200, {})


def test_a_credit_that_is_taken_back_in_the_ledger_alone_is_named(book: Book) -> None:
    """A job below 0 gets money: to refund it takes that back."""
    seven, _ = invoices(book, 300, 400, -100, 50)
    assert seven.amount == 200

    posting = book.refund("job-3").number

    assert f"posting {posting} gave back -1.00 SU for job 3 of" in unsound(book)["documents"]
    document_refund(book, seven, posting, 3, -100)
    assert (has(book)["user:7"], unsound(book)) == (-300, {})
    assert {item.number: item.open for item in book.open_items()}[seven.number] == 300


def test_documents_are_dated_in_the_order_of_their_numbers(book: Book) -> None:
    seven, _ = invoices(book, 300, 400)
    early = NOTED._replace(number="HPC-2000-04-0003", issued="2000-05-01")

    with (
        pytest.raises(InputError, match="issued on 2000-05-01, and documents of 2000-04 were"),
        book.issuing() as issue,
    ):
        issue.add(early._replace(corrects=seven.number))

    assert len(book.documents()) == 2


def test_the_longest_name_of_an_account_can_be_given_back(book: Book) -> None:
    longest = Account("account", "x" * 64)
    jobs = [job._replace(account=longest) for job in claims(300).jobs]
    with book.issuing() as issue:
        issue.charge(Claims("", jobs), "invoices")
        invoice = issue.add(INVOICED._replace(account=longest))

    cancel(book, invoice)

    assert (has(book), unsound(book)) == ({str(longest): 0}, {})


def test_an_issue_that_breaks_off_leaves_nothing(book: Book) -> None:
    before = book.anchor()

    with pytest.raises(ZeroDivisionError):
        issue(book, [INVOICED], [], broken=True)

    assert (book.anchor(), book.documents()) == (before, ())
    assert len(invoices(book, 300, 400)) == 2
    assert unsound(book) == {}


def test_no_more_is_given_back_than_is_left(book: Book) -> None:
    seven, _ = invoices(book, 300, 400)
    book.refund("job-1", 1)

    with pytest.raises(InputError, match=r"2\.01 SU cannot be given back for job-1 of HPC-2000-04"):
        credit(book, seven, 1, 201)
    with pytest.raises(InputError, match=r"0\.00 SU are left of it"):
        credit(book, seven, 9, 1)
    assert len(book.documents()) == 2


@pytest.mark.parametrize(
    ("documents", "lines", "said"),
    [
        ([INVOICED._replace(net=99999900)], [], "is about 999,999.00 SU, but posting 1 charges us"),
        ([INVOICED._replace(account=EIGHT)], [], "is about 3.00 SU, but posting 1 charges user:8"),
        ([INVOICED._replace(number="2000-04-0002")], [], "document 1 of 2000-04 has the number 20"),
        ([INVOICED._replace(number="x12000-04-0001")], [], "document 1 of 2000-04 has the number"),
        ([INVOICED] * 2, [], "ledger_document only grows|numbered_once"),
        ([INVOICED, NOTED], [LINE], r"3\.00 SU are credited for job-1, of which the ledger gave b"),
        ([INVOICED, NOTED], [], "2000-04-0002 is not about what its lines add up to"),
        ([INVOICED, NOTED], [LINE._replace(net=299, tax=1)], "is not about what its lines add up"),
        ([INVOICED, NOTED._replace(corrects="x")], [LINE], "0002 corrects no invoice of user:7"),
        ([INVOICED, NOTED._replace(account=EIGHT)], [LINE], "0002 corrects no invoice of user:8"),
        ([INVOICED, NOTED._replace(cancels=True)], [], r"cancelled: of 3\.00 SU documents give b"),
    ],
)
def test_documents_that_could_never_be_put_right_are_refused(
    book: Book, documents: list[Document], lines: list[DocumentLine], said: str
) -> None:
    before = book.anchor()

    with pytest.raises(InputError, match=said):
        issue(book, documents, lines)

    assert (book.anchor(), book.documents()) == (before, ())


FORGED = (
    "UPDATE ledger_document SET net = 99999900 WHERE id = 1",
    "UPDATE ledger_document SET net = -40 WHERE id = 3",
    "UPDATE ledger_document SET number = 'HPC-2000-04-0009' WHERE id = 2",
    "UPDATE ledger_document SET id = 9 WHERE id = 1",
    "UPDATE ledger_document SET month = '2000-05' WHERE id = 2",
    "UPDATE ledger_document SET account = 4 WHERE id = 2",
    "UPDATE ledger_document SET kind = 'invoice' WHERE id = 3",
    "UPDATE ledger_document SET kind = 'receipt' WHERE id = 2",
    "UPDATE ledger_document SET cancels = 1 WHERE id = 3",
    "UPDATE ledger_document_line SET net = 99",
    "UPDATE ledger_document_line SET reference = 'job-3'",
    "DELETE FROM ledger_document WHERE id = 2",
    "DELETE FROM ledger_document_line",
    "UPDATE ledger_entry SET amount = 399 WHERE posting = 1 AND line = 1",
    "UPDATE ledger_entry SET amount = 401 WHERE kind = 'pay'",
    "UPDATE ledger_entry SET reference = 'HPC-2000-04-0001' WHERE kind = 'pay'",
)

ADDED = """INSERT INTO ledger_document
SELECT 9, 'HPC-2000-04-0004', kind, month, account, net, tax, issued, due, corrects, cancels,
digest, content, posting, {} FROM ledger_document WHERE id = 1"""


@pytest.mark.parametrize("statement", FORGED)
def test_forged_documents_are_found(book: Book, location: str, statement: str) -> None:
    """By their amounts and numbers as well as by their seals: those can be made anew."""
    seven, eight = invoices(book, 300, 400)
    credit(book, seven, 1, 100)
    book.pay(eight.number, on=NOW.date())

    forge(location, statement)

    assert {"documents", "seals"} <= unsound(book).keys()


@pytest.mark.parametrize("sealed_by", ["NULL", "2", "99"])
def test_an_added_document_is_found(book: Book, location: str, sealed_by: str) -> None:
    invoices(book, 300, 400)

    forge(location, ADDED.format(sealed_by))

    assert {"documents", "seals"} <= unsound(book).keys()


STEPS = 12


@pytest.mark.parametrize("seed", range(many(4)))
def test_whatever_happens_documents_payments_and_balances_agree(opened: Opened, seed: int) -> None:
    random = Random(seed)
    book = opened(cents(credit_limit=None))
    invoices(book, *(random.randrange(100, 500) for _ in range(4)))
    for _ in range(STEPS):
        invoice = random.choice([one for one in book.documents() if one.kind == INVOICE])
        job = 2 * random.randrange(2) + (1 if invoice.account == SEVEN else 2)
        with suppress(InputError):  # cancelled, paid, or given back already
            match random.randrange(6):
                case 0:
                    credit(book, invoice, job, random.randrange(1, 300))
                case 1:
                    cancel(book, book.live(MONTH).get(invoice.account, invoice))
                case 2:
                    units = random.randrange(1, 300)
                    posting = book.refund(f"job-{job}", book.money.plain(units)).number
                    document_refund(book, book.live(MONTH)[invoice.account], posting, job, units)
                case 3:
                    paid = random.choice([None, book.money.plain(random.randrange(1, 400))])
                    book.pay(invoice.number, paid, on=NOW.date())
                case 4:
                    book.pay(invoice.number, on=NOW.date(), back=True)
                case 5:
                    for one in book.live(MONTH).values():
                        cancel(book, one)
                    invoices(book, *(random.randrange(100, 500) for _ in range(4)))

    assert unsound(book) == {}
    owed = -sum(has(book).values())
    assert sum(item.open for item in book.open_items()) == owed
    closings = [book.statement(account).closing for account in (SEVEN, EIGHT)]
    assert [has(book)["user:7"], has(book)["user:8"]] == closings

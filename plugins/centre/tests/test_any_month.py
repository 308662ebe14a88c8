"""Whatever is done to a month, in whatever order: documents, ledger and files agree."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from plugins.centre.tests.test_billing_run import NAMES, NOVEMBER, OCTOBER, TODAY, Centre
from swfx import InputError
from tests.scale import many
from utilitysched_centre.accounts import INVOICE, Account, Book
from utilitysched_centre.adjustments import ADJUSTMENTS_FILE, Adjustment
from utilitysched_centre.billing_config import read_config
from utilitysched_centre.billing_run import adjust
from utilitysched_centre.register import INVOICES_FOLDER, check_register
from utilitysched_centre.report.statements.issued import read_document_file

SEEDS = many(5, least=2)
STEPS = 16

RULES = """\
[currency]
code = "SU"
rate = 1
[tax]
name = "VAT"
percent = 19
[invoice]
prefix = "HPC"
"""
FURTHER = """\
rules = "rules.toml"
[[recurring]]
name = "Storage"
account = "optics"
quantity = 3
unit = "TB"
unit_price = 4.99
[[shared]]
name = "Power"
amount = 10.01
"""
ACCOUNTS = ("optics", "phys:ics", "x" * 80)
"""Names of which a ledger can hold one as it is."""


class CrashError(Exception):
    """End of a process at some call."""


class AnyMonth:
    """Two months of a centre, to which things happen."""

    def __init__(self, folder: Path, seed: int, patch: pytest.MonkeyPatch) -> None:
        self.chance, self.patch, self.centre = Random(seed), patch, Centre(folder)
        self.ledger, self.billing = folder / "books.db", folder / "billing"
        self.adjustments = folder / ADJUSTMENTS_FILE
        (folder / "rules.toml").write_text(RULES, "utf-8")
        with self.centre.config.open("a", encoding="utf-8") as file:
            file.write(FURTHER)
        self.jobs = 6
        self.hours: dict[int, int] = {}
        self.grow()

    def grow(self) -> None:
        """Add jobs to the listings, and correct one of them."""
        self.jobs += self.chance.randrange(3)
        self.hours[self.chance.randrange(self.jobs)] = self.chance.randrange(1, 9)
        for month in (OCTOBER, NOVEMBER):
            rows = []
            for job in range(self.jobs):
                account, hours = ACCOUNTS[job % 3], self.hours.get(job, 1 + job % 5)
                times = f"{month}-0{1 + job % 9}T00:00:00|" * 2
                end = f"{month}-0{1 + job % 9}T0{hours}:{job % 60:02}:07"
                name = self.name(month, job)
                rows.append(f"{name}|{name}|ann|{account}|{times}{end}|COMPLETED|{1 + job % 4}")
            path = self.centre.folder / f"sacct-{month}.txt"
            path.write_text("\n".join([NAMES, *rows]) + "\n", "utf-8")

    def name(self, month: str, job: int) -> int:
        """Return the number of a job of a month."""
        return job + 100 * (month == NOVEMBER)

    def month(self) -> str:
        return self.chance.choice([OCTOBER, NOVEMBER])

    def run(self) -> None:
        self.centre.run(self.month())
        self.require_settled()

    def crash(self) -> None:
        """A billing run that ends at one of the calls that move its files."""
        left = self.chance.randrange(60)

        def replaced(source: Path, target: Path, real: Callable[..., object] = os.replace) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise CrashError
            real(source, target)

        with self.patch.context() as patch, suppress(CrashError):
            patch.setattr(os, "replace", replaced)
            patch.setattr(Path, "replace", replaced)
            self.centre.run(self.month())

    def adjust(self) -> None:
        part = self.chance.choice(
            [{"percent": Fraction(self.chance.choice([1, 33, 100]))}, {"amount": Fraction(1, 4)}]
        )
        month, reason = self.month(), self.chance.choice("abc")
        job = str(self.name(month, self.chance.randrange(self.jobs)))
        adjust(read_config(self.centre.config), Adjustment(job, reason, month=month, **part))

    def edit(self) -> None:
        """Remove, double or change a table of the file of adjustments."""
        tables = self.adjustments.read_text("utf-8").split("[[adjust]]")[1:]
        place = self.chance.choice(range(len(tables)))
        tables[place : place + 1] = self.chance.choice(
            [[], [tables[place]] * 2, [tables[place].replace('reason = "', 'reason = "x')]]
        )
        self.adjustments.write_text("".join(f"[[adjust]]{one}" for one in tables), "utf-8")

    def refund(self) -> None:
        with Book(self.ledger) as book:
            entry = self.chance.choice([one for one in book.history() if one.kind == "charge"])
            book.refund(str(entry.reference), self.chance.choice([None, "0.1", "0.37"]))

    def undo(self) -> None:
        with Book(self.ledger) as book:
            book.undo(self.chance.choice(book.documents()).posting)

    def pay(self) -> None:
        with Book(self.ledger) as book:
            number = self.chance.choice(book.documents()).number
            back, amount = self.chance.random() < 0.3, self.chance.choice([None, "1", "0.5"])
            key = self.chance.choice([None, "one", "two"])
            book.pay(number, amount, back=back, key=key)

    def close(self) -> None:
        with Book(self.ledger) as book:
            book.close(self.chance.choice(["2026-09", OCTOBER]))

    def tamper(self) -> None:
        """Change a file of the documents: it is named, and then it is as it was."""
        files = sorted(self.billing.glob(f"*/{INVOICES_FOLDER}/HPC*"))
        path = self.chance.choice([*files, self.billing / "register.csv"])
        before = path.read_bytes()
        path.write_bytes(before.replace(b"1", b"2"))
        with Book(self.ledger) as book:
            named = any(str(path) in fault for fault in check_register(self.billing, book))
        path.write_bytes(before)
        assert named or b"1" not in before

    def do(self, name: str) -> None:
        """Do it, if it can be done, and look whether all agrees."""
        with suppress(InputError, IndexError, FileNotFoundError):
            getattr(self, name)()
        self.require_agreement()

    def require_agreement(self) -> None:
        """Require that ledger, documents and statements agree, or that verify says why not."""
        with Book(self.ledger) as book:
            faults = {one.name: one.detail for one in book.verify() if not one.holds}
            has = {one.account: one.available for one in book.balances()}
            documents, items = book.documents(), book.open_items()
            statements = {account: book.statement(account, 9999).closing for account in has}
            history = book.history()
        assert faults.keys() <= {"documents"}
        pending = "without a credit note: the next billing-run issues one"
        assert pending in faults.get("documents", pending)
        assert statements == has
        paid = Counter[Account]()
        for line in history:
            paid[line.account] += line.available * (line.kind in {"pay", "repay"})
        owed = Counter[Account]()
        for one in documents:
            owed[one.account] += one.signed
        if not faults:
            assert {account: paid[account] - owed[account] for account in has} == has
            assert sum(item.open + item.covered for item in items) == -sum(has.values())

    def require_settled(self) -> None:
        """Require what holds after a billing run: all is documented, and files are as issued."""
        with Book(self.ledger) as book:
            assert check_register(self.billing, book) == []
            documents, decimals = book.documents(), book.money.decimals
        for one in documents:
            issued = read_document_file(
                self.billing / one.month / INVOICES_FOLDER / f"{one.number}.json"
            )
            assert issued.decimals == decimals
            assert (issued.net, issued.tax, issued.amount) == (one.net, one.tax, one.amount)
            assert (issued.kind, issued.corrects) == (one.kind, one.corrects)
        live = Counter((one.month, one.account) for one in documents if one.kind == INVOICE)
        live.subtract((one.month, one.account) for one in documents if one.cancels)
        assert set(live.values()) <= {0, 1}
        assert not (self.billing / ".staging").exists()


STEPS_OF_A_MONTH = {
    "run": 6,
    "crash": 3,
    "grow": 2,
    "adjust": 4,
    "edit": 2,
    "refund": 2,
    "undo": 1,
    "pay": 4,
    "close": 1,
    "tamper": 2,
}
"""What can happen, and how often beside the others."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS))
def test_documents_ledger_and_files_agree(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    month = AnyMonth(tmp_path, seed, monkeypatch)
    names = month.chance.choices([*STEPS_OF_A_MONTH], [*STEPS_OF_A_MONTH.values()], k=STEPS)
    for name in ("run", *names):
        month.do(name)

    month.adjustments.unlink(missing_ok=True)  # one that was edited would be refused
    for when in (OCTOBER, NOVEMBER):
        month.centre.run(when, TODAY)
    month.require_settled()
    month.require_agreement()
    with Book(month.ledger) as book:
        assert all(check.holds for check in book.verify())

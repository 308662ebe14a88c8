from __future__ import annotations

import csv
import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from pricing import KINDS
from pricing.basis import Basis
from tests.pricing.jobs import three_charges
from utilitysched_centre.rules.files import write_invoice
from utilitysched_centre.rules.invoice import invoice
from utilitysched_centre.rules.rules import (
    Accounts,
    Currency,
    Rules,
    Tax,
)

RULES = Rules(
    status={"failed": Fraction(0)},
    currency=Currency("EUR", Fraction(3, 100), 2),
    tax=Tax("VAT", Fraction(19)),
    accounts=Accounts({7: "physics"}),
)


def test_every_job_says_why(tmp_path: Path) -> None:
    write_invoice(tmp_path, invoice(three_charges("single-price").rounded(), RULES))

    assert (tmp_path / "invoice.csv").read_text("utf-8") == (
        "job_id,job,user,group,queue,account,month,status,charge,base,idle,allowed,due,net,tax,"
        "amount,currency,reason,how\n"
        "1,1,7,1,1,physics,2000-04,1,2.00,2.00,0.00,0.00,2.00,0.06,0.01,0.07,EUR,charged,"
        "2 CPUs x 1 h x 0.03 = 0.06 EUR + 19% = 0.07\n"
        "2,2,8,1,2,user 8,2000-04,0,4.00,4.00,0.00,0.00,0.00,0.00,0.00,0.00,EUR,"
        "not charged: failed,4 CPUs x 1 h x 0.03 = 0.12; let off (failed) = 0.00 EUR\n"
        "3,3,7,2,4,physics,2000-05,5,1.00,1.00,0.00,0.00,1.00,0.03,0.01,0.04,EUR,charged,"
        "1 CPU x 1 h x 0.03 = 0.03 EUR + 19% = 0.04\n"
    )


def test_statements_add_up_to_the_total(tmp_path: Path) -> None:
    written = write_invoice(tmp_path, invoice(three_charges("single-price"), RULES))

    report = json.loads(written[-1].read_text("utf-8"))
    assert report["reasons"] == {"charged": 2, "not charged: failed": 1}
    assert (report["net"], report["tax"], report["total"]) == ("0.09", "0.02", "0.11")
    assert len(written) == 2 + len(KINDS) + 1
    for kind in (*KINDS, "account"):
        with (tmp_path / f"invoice-by-{kind}.csv").open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
        assert sum(Decimal(line["amount"]) for line in lines) == Decimal("0.11")
        assert lines[0].keys() == report["statements"][kind][0].keys()


def test_a_statement_per_account(tmp_path: Path) -> None:
    write_invoice(tmp_path, invoice(three_charges("single-price"), RULES))

    assert (tmp_path / "invoice-by-account.csv").read_text("utf-8") == (
        "account,jobs,charged,charge,net,tax,amount\n"
        "physics,2,2,3.000000,0.09,0.02,0.11\n"
        "user 8,1,0,4.000000,0.00,0.00,0.00\n"
    )


def test_files_say_what_the_bill_rests_on(tmp_path: Path) -> None:
    basis = Basis.of("easy", ("curves; seed 2",), valued=True)

    written = write_invoice(tmp_path, invoice(replace(three_charges("single-price"), basis=basis)))

    for path in written[:-1]:
        with path.open(encoding="utf-8", newline="") as file:
            assert {row["basis"] for row in csv.DictReader(file)} == {basis.brief}, path.name
    assert json.loads(written[-1].read_text("utf-8"))["basis"]["seeds"] == [2]

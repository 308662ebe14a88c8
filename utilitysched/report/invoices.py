"""What is to be paid: on the terminal, and as one page for each payer, to be printed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from pathlib import Path

from pricing.ledger import amount, plain
from pricing.rules.files import in_decimals
from pricing.rules.invoice import Invoice
from pricing.rules.statements import lines
from swfx.atomic import atomic_write
from utilitysched.report.console import console, grid, show
from utilitysched.report.numbers import whole
from utilitysched.report.page import frame

SHOWN = 20
"""Lines of a statement that are printed; the file has them all."""

INDEX = "index.html"

STYLE = """\
@page { size: A4; margin: 12mm; }
h2 { margin-top: 1rem; }
a { color: var(--bar); }
td { white-space: nowrap; } td.text { white-space: normal; }
tfoot td, tfoot th { border-top: 1px solid var(--ink); border-bottom: 0; font-weight: 600;
  color: var(--ink); }
@media print {
  :root { color-scheme: light; --page: #fff; --ink: #000; --quiet: #444; --rule: #bbb;
    --panel: #fff; --bar: #000; }
  body { font-size: 8.5pt; line-height: 1.25; }
  main { display: block; }
  section { break-inside: auto; border: 0; padding: 0; overflow: visible; }
  h1 { font-size: 13pt; margin-bottom: .4rem; } h2 { font-size: 10pt; margin: .6rem 0 .2rem; }
  p { font-size: 8pt; } ul { margin: 0; padding: 0; font-size: 8pt; }
  li { display: inline; } li:not(:last-child)::after { content: "; "; }
  table { font-size: 7.5pt; line-height: 1.2; } th, td { padding: .05rem .4rem .05rem 0; }
  thead { display: table-header-group; } tfoot { display: table-row-group; }
  tr { break-inside: avoid; } nav { display: none; }
}
"""


def print_invoice(bill: Invoice, by: str) -> None:
    """Print a statement, the dearest first (months in order), and jobs by reason.

    Parameters
    ----------
    bill : Invoice
        What every job comes to.
    by : {"user", "group", "queue", "month", "account"}
        What each line is for.
    """
    to = console()
    to.print(f"To be paid by {bill.charges.mechanism} and the rules, per {by}:")
    to.print()
    found = lines(bill, by)
    if by != "month":
        found.sort(key=lambda line: line.amount, reverse=True)
    table = grid([by, "jobs", "charged", "charge (SU)", *_money_names(bill)])
    for line in found if by == "month" else found[:SHOWN]:
        money = [f"{line.charge:,.2f}", *(f"{each:,f}" for each in line[4:])]
        table.add_row(str(line.key), whole(line.jobs), whole(line.charged), *money)
    show(to, table)
    if by != "month" and found[SHOWN:]:
        to.print(f"and {len(found) - SHOWN:,} others, in invoice-by-{by}.csv")
    to.print()
    for reason, jobs in bill.reasons.items():
        to.print(f"{jobs:>9,}  {reason}")
    to.print()
    to.print(f"The lines add up to {bill.total:,f} {bill.currency}.")


def write_pages(bill: Invoice, folder: Path) -> list[Path]:
    """Write a page for each payer, and one that links them all.

    Each is a file of its own that refers to nothing else, to be printed on A4.

    Parameters
    ----------
    bill : Invoice
        What every job comes to.
    folder : Path
        Made if it does not exist.

    Returns
    -------
    list of Path
        The pages, that with the links last.

    Raises
    ------
    InputError
        If the folder cannot be written.
    """
    mine: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(bill.payer):
        mine[name].append(place)
    names = {name: f"{number:04}-{_plain(name)}.html" for number, name in enumerate(sorted(mine))}
    written = [
        _write(folder / file, frame(f"Statement: {name}", _payer(bill, mine[name]), style=STYLE))
        for name, file in names.items()
    ]
    return [*written, _write(folder / INDEX, frame("Statements", _index(bill, names), style=STYLE))]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]


def _write(path: Path, page: str) -> Path:
    with atomic_write(path, parents=True) as stream:
        stream.write(page.encode())
    return path


def _money_names(bill: Invoice) -> list[str]:
    return [f"{name} ({bill.currency})" for name in ("net", "tax", "amount")]


def _index(bill: Invoice, files: dict[str, str]) -> str:
    rows = [
        (f'<a href="{files[str(line.key)]}">{escape(str(line.key))}</a>', str(line.jobs),
         str(line.charged), *map(plain, line[3:]))
        for line in lines(bill, "account")
    ]  # fmt: skip
    total = ("total", str(len(bill)), "", plain(bill.charges.billed), *_totals(bill, None))
    heads = ["payer", "jobs", "charged", "charge (SU)", *_money_names(bill)]
    return f"<main><section class='wide'>{_table(heads, rows, total)}</section></main>"


def _totals(bill: Invoice, places: list[int] | None) -> list[str]:
    net, tax = (units if places is None else units[places] for units in (bill.net, bill.tax))
    both = bill.money(net), bill.money(tax)
    return [plain(money) for money in (*both, sum(both[1:], both[0]))]


def _payer(bill: Invoice, places: list[int]) -> str:
    months = sorted({str(bill.charges.month[place]) for place in places})
    span = months[0] if len(months) == 1 else f"{months[0]} to {months[-1]}"
    net, tax, total = _totals(bill, places)
    head = (
        f"<p>{escape(span)}, {len(places)} jobs, by {escape(bill.charges.mechanism)}.</p>"
        f"<h2>To be paid: {total} {escape(bill.currency)}</h2>"
        f"<p>{net} and {tax} {escape(_tax(bill))}.</p>"
    )
    rules = "".join(f"<li>{escape(rule)}</li>" for rule in applied(bill))
    body = f"<h2>Rules applied</h2><ul>{rules or '<li>none</li>'}</ul>"
    return (
        f"<nav><a href='{INDEX}'>all statements</a></nav><main><section class='wide'>{head}{body}"
        f"<h2>Jobs</h2>{_jobs(bill, places)}</section></main>"
    )


def _tax(bill: Invoice) -> str:
    tax = bill.rules.tax
    return f"{tax.name} ({in_decimals(tax.percent)}%)" if tax else "tax"


def _jobs(bill: Invoice, places: list[int]) -> str:
    charges, outcome = bill.charges, bill.charges.outcome
    rows = [
        (
            str(charges.workload.job_id[place]),
            str(charges.month[place]),
            str(charges.workload.queue[place]),
            str(charges.workload.size[place]),
            f"{outcome.processor_hours[place]:.2f}",
            "" if charges.rate[place] != charges.rate[place] else f"{charges.rate[place]:.6g}",
            _cents(bill.steps.base[place]),
            _cents(bill.steps.idle[place]),
            _cents(bill.steps.due[place]),
            plain(amount(int(bill.net[place] + bill.tax[place]), bill.decimals)),
            escape(bill.steps.reason[place]),
        )
        for place in places
    ]
    total = ("total", *[""] * 8, _totals(bill, places)[2], "")
    heads = [
        "job", "month", "queue", "processors", "processor-hours", "rate", "charge (SU)",
        "idle (SU)", "due (SU)", f"amount ({bill.currency})", "why",
    ]  # fmt: skip
    return _table(heads, rows, total)


def _cents(exact: Fraction) -> str:
    return plain(amount(round(exact * 100), 2))


def _table(heads: list[str], rows: Sequence[tuple[str, ...]], total: tuple[str, ...]) -> str:
    last = " class='text'" if heads[-1] == "why" else ""
    marks = [""] * (len(heads) - 1) + [last]
    head = "".join(f"<th{mark}>{escape(h)}</th>" for mark, h in zip(marks, heads, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"<td{m}>{cell}</td>" for m, cell in zip(marks, row, strict=True))
        + "</tr>"
        for row in rows
    )
    foot = "".join(f"<td>{cell}</td>" for cell in total)
    return (
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        f"<tfoot><tr>{foot}</tr></tfoot></table>"
    )


def applied(bill: Invoice) -> list[str]:
    """Return the rules in words, in the order in which they are applied."""
    rules, said = bill.rules, []
    if quantity := rules.quantity:
        what = "requested" if quantity.basis == "request" else "used"
        least = in_decimals(quantity.minimum_minutes)
        said.append(f"by time {what}, at least {least} minutes")
        if quantity.weights:
            said.append(f"{quantity.weights.combine} of the weights {quantity.weights.text}")
    if wake := rules.idle_wake:
        said.append(
            f"idle processors before jobs of {wake.width} or more: {in_decimals(wake.rate)} SU"
            " per processor-hour"
        )
    if rules.minimum_charge:
        said.append(f"at least {in_decimals(rules.minimum_charge)} SU per job")
    said += [f"{name} jobs pay {in_decimals(share)}%" for name, share in rules.status.items()]
    said += (
        [] if rules.exempt.names_nobody else ["some users, groups, queues or accounts are exempt"]
    )
    said += [f"{each.name}: {in_decimals(each.percent)}% off" for each in rules.discounts]
    if rules.allowance:
        said.append(f"{in_decimals(rules.allowance)} SU free in each month")
    if currency := rules.currency:
        said.append(f"1 SU is {in_decimals(currency.rate)} {currency.code}")
    return said + ([f"{_tax(bill)} on top"] if rules.tax else [])

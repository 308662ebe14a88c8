"""Studies of tariffs, as documents of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pricing.keys import words
from swfx.base.csv_rows import write_csv
from swfx.base.numbers import UNKNOWN, plural, whole
from utilitysched.analysis.documents import Column, Description, Estimate, ResultTable
from utilitysched.analysis.statistics.interval import LEAST, Interval
from utilitysched.market.tariff_study import TariffStudy

SHOWN = 20
"""Payers in the table; the file has them all."""


def study_document(study: TariffStudy) -> Description:
    """Return a study as a document: tariffs beside each other, and who pays more by them."""
    jobs, tariffs = plural(len(study.bills[0]), "job"), plural(len(study.tariffs), "tariff")
    return Description(f"{jobs} under {tariffs}", [_tariffs(study), _payers(study)])


def write_payers(study: TariffStudy, path: Path) -> Path:
    """Write what every payer pays by each tariff, as CSV."""
    decimals = [bill.decimals for bill in study.bills]
    header = [study.by, *(tariff.text for tariff in study.tariffs)]
    rows = (
        (name, *(f"{each:.{places}f}" for each, places in zip(paid, decimals, strict=True)))
        for name, paid in zip(study.payers, study.paid.sum(axis=2).T.tolist(), strict=True)
    )
    return write_csv(path, header, rows)


def _tariffs(study: TariffStudy) -> ResultTable:
    first, everybody = study.tariffs[0].text, range(len(study.payers))
    rows = [
        (
            f"{number + 1} {tariff.text}",
            study.revenue(number),
            _estimate(*study.change(number, everybody)) if number else None,
            study.pay_more(number) if number else None,
            _estimate(study.fairness(number), study.fairness_interval(number)),
        )
        for number, tariff in enumerate(study.tariffs)
    ]
    columns = [
        Column("tariff", left=True, key="tariff", fold=True),
        Column("revenue", study.bills[0].currency, _money, key="revenue"),
        Column("change", "%", _change, key="ratio"),
        Column("pay more", write=whole, key="pay_more"),
        Column("Gini", write=_gini, key="gini"),
    ]
    payers = plural(len(study.payers), words(study.by))
    weeks = study.paid.shape[2]
    intervals = (
        f"In brackets 95% intervals, for weeks like these {weeks}: weeks are resampled."
        if weeks >= LEAST
        else f"Intervals need {LEAST} weeks."
    )
    units = "SU: service units. " if study.bills[0].currency == "SU" else ""
    note = (
        f"{units}pay more: of {payers}, how many pay more than by {first}. Gini: of what each pays,"
        f" 0 = all the same. {intervals} This assumes the same jobs whatever they would have cost."
    )
    return ResultTable(columns, rows, "Tariffs", (*_warnings(study), note), key="tariffs")


def _warnings(study: TariffStudy) -> Iterator[str]:
    read = [bill.charges for bill in study.bills if bill.charges.reads_values]
    if read and read[0].basis is not None:
        yield from read[0].basis.warnings


def _payers(study: TariffStudy) -> ResultTable:
    others = range(1, len(study.tariffs))
    columns = [
        Column(words(study.by), left=True, key="payer"),
        Column("by 1", study.bills[0].currency, _money, key="first"),
        *(Column(f"change by {n + 1}", "%", _change, key=f"ratio_{n + 1}") for n in others),
    ]
    rows = list(_payer_rows(study))
    left = len(study.payers) - len(rows)
    notes = (f"The {SHOWN} that pay most by the first tariff; {left:,} others.",) if left else ()
    return ResultTable(columns, rows, "Who pays more, who less", notes, key="payers")


def _payer_rows(study: TariffStudy) -> Iterator[tuple[object, ...]]:
    paid = study.paid[0].sum(axis=1)
    for place in sorted(range(len(paid)), key=lambda place: -paid[place])[:SHOWN]:
        changes = (
            _estimate(*study.change(number, [place])) for number in range(1, len(study.tariffs))
        )
        yield (study.payers[place], float(paid[place]), *changes)


def _money(amount: float) -> str:
    return f"{amount:,.2f}"


def _estimate(value: float | None, interval: Interval | None) -> Estimate:
    return Estimate(value, *(interval or (None, None)))


def _change(ratio: Estimate | None) -> str:
    """Write a ratio as a change in percent."""
    return UNKNOWN if ratio is None else _written(ratio, lambda each: f"{100 * (each - 1):+,.0f}")


def _gini(found: Estimate) -> str:
    return _written(found, lambda each: f"{each:.2f}")


def _written(found: Estimate, write: Callable[[float], str]) -> str:
    if found.value is None:
        return UNKNOWN
    if found.low is None or found.high is None:
        return write(found.value)
    return f"{write(found.value)} [{write(found.low)}, {write(found.high)}]"

"""Formulas of jobs: read again and recomputed, number by number."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from plugins.centre.tests.rules.random_bills import random_bill
from tests.scale import enough, many
from utilitysched_centre.rules.formula import job_formula
from utilitysched_centre.rules.invoice import Invoice

NUMBER = r"(-?[0-9]+(?:\.[0-9]+)?)"
RESOURCE = r"(?:CPUs?|GPUs?(?: \(\w+\))?|GB|kW|nodes?|license/x)"
WEIGHED = rf"{NUMBER} {RESOURCE} x {NUMBER}"
PRICE = re.compile(
    rf"{NUMBER}(?: {RESOURCE})? x {NUMBER} h(?: requested| \(minimum time\))? x {NUMBER} = {NUMBER}"
)
UNITS = re.compile(rf"({WEIGHED}(?: \+ {WEIGHED})*) = {NUMBER} units(.*)")
BEATEN = re.compile(rf" ([>=]) {NUMBER} {RESOURCE}(?: x {NUMBER} = {NUMBER} units)?")
TAXED = re.compile(rf"(.*) [A-Z]{{2,3}}(?: \+ {NUMBER}% = {NUMBER})?")
ROUNDED = re.compile(rf"{NUMBER} (less|more) by rounding of the invoice = {NUMBER}")
STEPS = {
    "idle": re.compile(rf"\+ {NUMBER} idle CPU-hours x {NUMBER} = {NUMBER}"),
    "minimum": re.compile(rf"minimum charge = {NUMBER}"),
    "let off": re.compile(rf"let off \(.*\) = {NUMBER}"),
    "share": re.compile(rf"x {NUMBER}% \(.*\) = {NUMBER}"),
    "discount": re.compile(rf"- {NUMBER}% \(.*\) = {NUMBER}"),
    "added": re.compile(rf"([-+]) {NUMBER} [a-z ]+ = {NUMBER}"),
    "mechanism": re.compile(rf".* \(.*\) = {NUMBER}"),
}


def decimals_of(number: str) -> int:
    return len(number.partition(".")[2])


def check(exact: Fraction, printed: str) -> Fraction:
    """Require that a printed result is the exact one, rounded half to even to its decimals."""
    assert round(exact, decimals_of(printed)) == Fraction(printed), (exact, printed)
    return Fraction(printed)


class Reader:
    """Somebody who recomputes a formula."""

    def __init__(self, bill: Invoice, text: str, met: Counter[str]) -> None:
        self.bill, self.met = bill, met
        self.value, self.units = Fraction(0), Fraction(0)
        steps = text.split("; ")
        remark = ROUNDED.fullmatch(steps[-1])
        *before, last = steps[:-1] if remark else steps
        taxed = TAXED.fullmatch(last)
        assert taxed, last
        for step in (*before, taxed[1]):
            self.step(step)
        if taxed[2]:
            self.value = check(self.value * (1 + Fraction(taxed[2]) / 100), taxed[3])
        if remark:
            met["rounded"] += 1
            by = Fraction(remark[1]) * (1 if remark[2] == "more" else -1)
            self.value = check(self.value + by, remark[3])

    def step(self, text: str) -> None:
        if units := UNITS.fullmatch(text):
            self.unit_step(units)
            return
        if price := PRICE.fullmatch(text):
            self.met["price"] += 1
            units, hours, rate = map(Fraction, price.groups()[:3])
            assert self.units in (0, units)
            self.value = check(units * hours * rate, price[4])
            return
        kind, match = next(
            (kind, match) for kind, step in STEPS.items() if (match := step.fullmatch(text))
        )
        self.met[kind] += 1
        *shown, result = match.groups()
        self.value = check(self.after(kind, shown, Fraction(result)), result)

    def after(self, kind: str, shown: list[str], result: Fraction) -> Fraction:
        """The exact amount after a step, from the numbers that are printed."""
        if kind in ("mechanism", "minimum"):
            return result
        if kind == "let off":
            return Fraction(0)
        if kind == "idle":
            return self.value + Fraction(shown[0]) * Fraction(shown[1])
        if kind == "added":
            return self.value + Fraction(f"{shown[0]}{shown[1]}")
        share = Fraction(shown[0]) / 100
        return self.value * (share if kind == "share" else 1 - share)

    def unit_step(self, match: re.Match[str]) -> None:
        self.met["units"] += 1
        terms = re.findall(WEIGHED, match[1])
        total = sum((Fraction(amount) * Fraction(weight) for amount, weight in terms), Fraction(0))
        units, rest = match.groups()[-2:]
        self.units = check(total, units)
        beaten = BEATEN.findall(rest)
        assert "".join(each[0] for each in BEATEN.finditer(rest)) == rest
        for sign, amount, weight, product in beaten:
            self.met["beaten"] += 1
            count = Fraction(amount) * Fraction(weight or 1)
            if product:
                check(count, product)
            assert count < self.units if sign == ">" else count == self.units


def test_formulas_come_to_what_is_to_be_paid() -> None:
    met, jobs = Counter[str](), 0
    for seed in range(many(250)):
        bill = random_bill(seed)
        for place in range(len(bill)):
            text = job_formula(bill, place)
            assert not re.search(r"-0(\.0+)? ", text)
            value = Reader(bill, text, met).value
            assert value * 10**bill.decimals == bill.to_pay[place], (seed, text)
            jobs += 1
    assert jobs > enough(2000)
    assert met.keys() == {"units", "beaten", "price", "rounded", *STEPS}
    assert met["rounded"] < jobs / 5

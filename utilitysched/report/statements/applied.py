"""Rules of a centre in words."""

from __future__ import annotations

from pricing.rules.files import in_decimals
from pricing.rules.invoice import Invoice


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
    return said + ([f"{tax_name(bill)} on top"] if rules.tax else [])


def tax_name(bill: Invoice) -> str:
    """Return the name of the tax, with its percentage; ``tax`` without one."""
    tax = bill.rules.tax
    return f"{tax.name} ({in_decimals(tax.percent)}%)" if tax else "tax"

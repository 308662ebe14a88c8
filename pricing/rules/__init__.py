"""What centres do with a charge before it is paid: minimums, weights, exemptions, discounts, tax.

`read_rules` from a file, make an `invoice` of charges by them, and `write_invoice`.
"""

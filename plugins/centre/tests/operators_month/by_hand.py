"""Bill of a listing of sacct by hand: from the raw text alone, with nothing of the packages."""

from fractions import Fraction
from math import floor
from pathlib import Path

RATE, GPU, SHARE = Fraction("0.35"), 30, {"OUT_OF_MEMORY": Fraction(1, 2), "CANCELLED by 0": 0}
"""SU per hour of the dominant unit, units of a GPU, and what jobs of these states pay."""
NOT_OVER = ("PENDING", "RUNNING")
FAULTS = ("NODE_FAIL", "BOOT_FAIL")


def seconds(text: str) -> int:
    days, _, clock = text.rpartition("-")
    hours, minutes, rest = map(int, clock.split(":"))
    return int(days or 0) * 86_400 + hours * 3600 + minutes * 60 + rest


def cells_of(listing: Path) -> list[list[str]]:
    """Cells of records that are no steps; only the name of a job holds the separator."""
    found = []
    for line in listing.read_text("utf-8").splitlines()[1:]:
        head, rest = line.split("|")[:7], line.split("|")[7:]
        surplus = len(rest) - 14
        if "." not in head[0]:
            found.append([*head, "|".join(rest[: surplus + 1]), *rest[surplus + 1 :]])
    return found


def exact_bill(listing: Path) -> dict[str, list[tuple[str, Fraction]]]:
    """What each run pays (SU), by account, in the order of submission."""
    accounts: dict[str, list[tuple[str, Fraction]]] = {}
    for cells in sorted(cells_of(listing), key=lambda cells: cells[8]):
        account, start, elapsed, state, cpus = (cells[i] for i in (4, 9, 11, 13, 14))
        if start == "Unknown" or state in NOT_OVER or not seconds(elapsed):
            continue
        tres = dict(pair.split("=") for pair in cells[19].split(","))
        units = max(int(cpus), GPU * int(tres.get("gres/gpu:a100", 0)))
        share = 0 if state in FAULTS else SHARE.get(state, 1)
        due = RATE * units * seconds(elapsed) / 3600 * share
        accounts.setdefault(account, []).append((cells[0], due))
    return accounts


def in_cents(exact: list[Fraction]) -> list[int]:
    """Whole cents that add up to the rounded sum: largest remainders are rounded up."""
    cents = [floor(100 * each) for each in exact]
    left = round(100 * sum(exact)) - sum(cents)
    by_remainder = sorted(range(len(exact)), key=lambda i: cents[i] - 100 * exact[i])
    for place in by_remainder[:left]:
        cents[place] += 1
    return cents

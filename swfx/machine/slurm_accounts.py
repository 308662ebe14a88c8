"""Listings of associations and QOS by sacctmgr as limits and shares."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from swfx.accounting.quantities import memory
from swfx.accounting.record_error import RecordError
from swfx.base.errors import InputError
from swfx.machine.machine import PROCESSORS, Limit, Share
from swfx.machine.notes import MachineNotes
from swfx.machine.slurm_lines import read_text
from swfx.machine.slurm_nodes import MEMORY

__all__ = [
    "AssociationRow",
    "Associations",
    "LimitReader",
    "listing_rows",
    "note_replaced_limits",
    "qos_limits",
    "qos_priorities",
]

JOBS, SUBMITTED = "jobs", "submitted"
ROOT = "root"

GROUP_LIMITS = {"grptres": "", "grpjobs": JOBS, "grpsubmit": SUBMITTED}
USER_LIMITS = {"maxjobs": JOBS, "maxsubmit": SUBMITTED}
QOS_USER_LIMITS = {"maxtrespu": "", "maxjobspu": JOBS, "maxsubmitpu": SUBMITTED}
QOS_ACCOUNT_LIMITS = {"maxtrespa": "", "maxjobspa": JOBS, "maxsubmitpa": SUBMITTED}
"""What the columns of limits count; nothing where each amount says it itself."""

SAME_KIND = {
    "MaxJobsPU": "MaxJobs",
    "MaxSubmitPU": "MaxSubmit",
    **{column: column for column in ("GrpTRES", "GrpJobs", "GrpSubmit")},
}
"""Limits of a QOS in whose place Slurm does not look at those of an association."""


@dataclass(frozen=True)
class AssociationRow:
    """A row of a listing by sacctmgr.

    Attributes
    ----------
    file : Path
        The listing.
    number : int
        Line in it.
    written : mapping of str to str
        Texts by column; empty ones are left out.
    """

    file: Path
    number: int
    written: Mapping[str, str]

    @cached_property
    def cells(self) -> dict[str, str]:
        """Texts by column in small letters."""
        return {column.lower(): text for column, text in self.written.items()}

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def refused(self, message: str, column: str) -> InputError:
        """Return the error that says what is wrong with a cell."""
        return InputError(message, source=str(self.file), line=self.number, field=column)


class _Scope(NamedTuple):
    """The jobs that a limit is about: a kind of group, its name, and other groups."""

    of: str
    name: str | None = None
    within: Mapping[str, str] = MappingProxyType({})

    def limit(self, most: Mapping[str, int]) -> Limit:
        return Limit(self.of, dict(most), self.name, dict(self.within))


class LimitReader(NamedTuple):
    """Cells of limits as amounts.

    Attributes
    ----------
    resources : frozenset of str
        Resources of the machine.
    notes : MachineNotes
        Gets amounts of others.
    """

    resources: frozenset[str]
    notes: MachineNotes

    def most(self, row: AssociationRow, columns: Mapping[str, str]) -> dict[str, int]:
        """Return the largest amounts that columns of a row allow."""
        most: dict[str, int] = {}
        for column, measure in columns.items():
            text = row[column]
            found = {measure: _whole(row, column, text)} if measure else self._amounts(row, column)
            for name, amount in found.items() if text else ():
                most[name] = min(amount, most.get(name, amount))
        return most

    def _amounts(self, row: AssociationRow, column: str) -> dict[str, int]:
        """Return amounts of trackable resources, such as ``cpu=8,gres/gpu=2,mem=6G``."""
        amounts = {}
        for item in filter(None, row[column].split(",")):
            kind, equals, text = item.partition("=")
            resource = {"cpu": PROCESSORS, "mem": MEMORY}.get(kind, kind.rpartition("/")[2])
            if not equals:
                raise row.refused(f"is no list of resources: {row[column]!r}", column)
            if resource in self.resources:
                amounts[resource] = _size(row, column, text)
            else:
                self.notes.add(row.file, row.number, f"limit on {item}: no resource of a pool")
        return amounts


def _whole(row: AssociationRow, column: str, text: str) -> int:
    if text and not text.isdecimal():
        raise row.refused(f"is no whole number: {text!r}", column)
    return int(text or 0)


def _size(row: AssociationRow, column: str, text: str) -> int:
    """Return an amount; a number alone counts, and with a unit is in MB."""
    try:
        size = None if text.isdecimal() else memory(text, column, unit="M")
    except RecordError:
        size = None
    return int(size.kilobytes / 1024) if size else _whole(row, column, text or "?")


def listing_rows(file: Path, needed: Sequence[str], command: str) -> list[AssociationRow]:
    """Return the rows of a listing that sacctmgr wrote with -P or -p.

    Parameters
    ----------
    file : Path
        The listing.
    needed : sequence of str
        Columns that it must have.
    command : str
        Command that writes such a listing.

    Raises
    ------
    InputError
        It cannot be read, lacks a column, or has a row of another number of cells.
    """
    lines = [(n, text) for n, text in enumerate(read_text(file).splitlines(), 1) if text.strip()]
    names = [name.strip() for name in lines[0][1].split("|")] if lines else []
    known = {name.lower() for name in names}
    if missing := [name for name in needed if name.lower() not in known]:
        raise InputError(
            f"has no column {missing[0]}", source=str(file), remedy=f"write it by: {command}"
        )
    rows = []
    for number, text in lines[1:]:
        cells = text.split("|")
        row = AssociationRow(file, number, {k: v for k, v in zip(names, cells, strict=False) if v})
        if len(cells) != len(names):
            message = f"has {len(cells)} cells where the first line names {len(names)} columns"
            raise InputError(message, source=str(file), line=number)
        rows.append(row)
    return rows


class Associations:
    """Associations of a cluster: accounts, and users in them.

    Parameters
    ----------
    rows : sequence of AssociationRow
        Rows of the listing.
    cluster : str
        Name of the cluster, to leave out rows of others; empty if it is unknown.
    notes : MachineNotes
        Gets what is not simulated.
    """

    def __init__(self, rows: Sequence[AssociationRow], cluster: str, notes: MachineNotes) -> None:
        self._notes = notes
        self._rows: list[AssociationRow] = []
        for row in rows:
            if not cluster or row["cluster"] in {"", cluster}:
                self._rows.append(row)
            else:
                notes.add(row.file, row.number, f"associations of cluster {row['cluster']}")
        self._accounts = {row["account"].strip(): row for row in self._rows if not row["user"]}
        self._parents = self._parents_of_accounts()

    def shares(self) -> list[Share]:
        """Return the shares of every account and user, as all siblings count."""
        shares: dict[tuple[str, str], Share] = {}
        for row in self._rows:
            account, user = row["account"].strip(), row["user"]
            parent = "" if user else self._parents.get(account, "")
            if (user or account != ROOT) and (account, user) not in shares:
                number = self._number_of_shares(row)
                shares[account, user] = Share(number, account, user, parent)
        return list(shares.values())

    def limits(self, reader: LimitReader) -> list[Limit]:
        """Return the limits of accounts, and of users in accounts."""
        return [*self._group_limits(reader), *self._user_limits(reader)]

    def _parents_of_accounts(self) -> dict[str, str]:
        """Return the account above each account that is not right below the root.

        Versions call the column ParentName or Par Name. Without it, the indentation of ``sacctmgr
        show assoc tree`` tells.
        """
        listed = {
            name: row["parentname"] or row["par name"] for name, row in self._accounts.items()
        }
        parents = listed if any(listed.values()) else self._parents_by_indentation()
        return {name: parent for name, parent in parents.items() if parent not in {"", ROOT}}

    def _parents_by_indentation(self) -> dict[str, str]:
        above: list[tuple[int, str]] = []
        parents: dict[str, str] = {}
        for name, row in self._accounts.items():
            indent = len(row["account"]) - len(name)
            above = [each for each in above if each[0] < indent]
            parents[name] = above[-1][1] if above else ""
            above.append((indent, name))
        if len({*parents} - {ROOT}) > 1 and not any(parents.values()):
            first = next(iter(self._accounts.values()))
            self._notes.add(
                first.file,
                first.number,
                "the listing does not say which account is below which: all are taken as children "
                "of root; list with ParentName among the columns",
            )
        return parents

    def _number_of_shares(self, row: AssociationRow) -> int:
        text = row["share"] or "1"
        if text == "parent":
            note = "Share=parent is taken as 1 share: fair share of the parent is not simulated"
            self._notes.add(row.file, row.number, note)
            return 1
        return _whole(row, "Share", text)

    def _group_limits(self, reader: LimitReader) -> Iterator[Limit]:
        for row in self._rows:
            account = row["account"].strip()
            scope = _Scope("all") if account == ROOT else _Scope("account", account)
            most = reader.most(row, GROUP_LIMITS)
            if most and not row["user"]:
                yield scope.limit(most)

    def _user_limits(self, reader: LimitReader) -> Iterator[Limit]:
        """Yield limits of users; one for all users of an account where they are the same."""
        by_account: defaultdict[str, list[tuple[_Scope, dict[str, int]]]] = defaultdict(list)
        for row in self._rows:
            if row["user"]:
                account, partition = row["account"].strip(), row["partition"]
                groups = {"account": account} | ({"partition": partition} if partition else {})
                effective = replace(row, written={**self._inherited(account), **row.cells})
                most = reader.most(effective, {**GROUP_LIMITS, **USER_LIMITS})
                by_account[account].append((_Scope("user", row["user"], groups), most))
        for account, found in by_account.items():
            first, groups = found[0][1], {"account": account}
            same = all((scope.within, most) == (groups, first) for scope, most in found)
            each = [(_Scope("user", None, groups), first)] if same and len(found) > 1 else found
            yield from (scope.limit(most) for scope, most in each if most)

    def _inherited(self, account: str) -> dict[str, str]:
        """Return the limits that users of an account have from the accounts above them."""
        cells: dict[str, str] = {}
        seen: set[str] = set()
        while account in self._accounts and account not in seen:
            seen.add(account)
            row = self._accounts[account]
            cells = {key: row[key] for key in USER_LIMITS if row[key]} | cells
            account = self._parents.get(account, "" if account == ROOT else ROOT)
        return cells


def qos_priorities(rows: Sequence[AssociationRow]) -> dict[str, float]:
    """Return the priority of each QOS."""
    return {row["name"]: float(_whole(row, "Priority", row["priority"])) for row in rows}


def qos_limits(
    rows: Sequence[AssociationRow], partitions: Mapping[str, str], reader: LimitReader
) -> list[Limit]:
    """Return the limits of QOS.

    Parameters
    ----------
    rows : sequence of AssociationRow
        Rows of the listing.
    partitions : mapping of str to str
        QOS of each partition that has one: its limits hold for all jobs there.
    reader : LimitReader
        Reads the cells.
    """
    limits: list[Limit] = []
    for row in rows:
        has_it = [name for name, qos in partitions.items() if qos == row["name"]]
        if len(has_it) > 1:
            statement = f"the QOS of partitions {', '.join(has_it)}: each is limited by itself"
            reader.notes.add(row.file, row.number, f"{statement}, not what they have together")
        for group in [("qos", row["name"]), *(("partition", name) for name in has_it)]:
            scopes = [
                (_Scope(*group), GROUP_LIMITS),
                (_Scope("user", None, dict([group])), QOS_USER_LIMITS),
                (_Scope("account", None, dict([group])), QOS_ACCOUNT_LIMITS),
            ]
            found = [(scope, reader.most(row, columns)) for scope, columns in scopes]
            limits += [scope.limit(most) for scope, most in found if most]
    return limits


def note_replaced_limits(
    associations: Sequence[AssociationRow], rows: Sequence[AssociationRow], notes: MachineNotes
) -> None:
    """Note limits of QOS in whose place Slurm would not look at those of associations."""
    given = {column for row in associations for column in row.cells}
    for row in rows:
        for column, other in SAME_KIND.items():
            if row[column.lower()] and other.lower() in given:
                statement = f"{column} of a QOS replaces {other} of associations: here both hold"
                notes.add(row.file, row.number, statement)

"""Settings of a centre's monthly billing, and the TOML file that states them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

import pricing
from swfx.base.document import DocumentTable, read_document
from swfx.base.document_values import BesideFile, made_beside, valid, whole
from swfx.families.utilities.registry import make_model
from swfx.reading.located import located, located_source
from swfx.reading.workload_source import WorkloadSource
from utilitysched.engine.valued import AS_THEY_ARE
from utilitysched_centre.adjustments import ADJUSTMENTS_FILE
from utilitysched_centre.recurring import RecurringLine, SharedCost
from utilitysched_centre.rules import Rules, read_rules


def _utilities(text: str, folder: Path) -> str:
    text = located(text, folder)
    make_model(text)
    return text


@dataclass(frozen=True)
class BillingConfig(DocumentTable):
    """Settings of a centre's monthly billing; files are relative to the document.

    Attributes
    ----------
    log : str
        Source of the log: a file, or a pattern of several.
    mechanism : str
        Name and options of the mechanism.
    ledger : str
        Ledger of the accounts that pay: a file, or the address of a database.
    processors : int, optional
        Size of the machine; default: that of the log.
    rules : Rules
        Rules of the centre.
    folder : Path, optional
        Folder of the register, with a folder for each month; default: ``billing``.
    utilities : str
        Source of the jobs' utility functions; default: the log.
    adjustments : Path, optional
        File of adjustments; default: ``adjustments.toml``, if there is one.
    recurring : tuple of RecurringLine
        Lines that accounts are charged every month.
    shared : tuple of SharedCost
        Costs that the accounts of a month share.
    split : {"", "month-end"}
        ``month-end``: a job that runs over the end of a month is charged in each month for its use
        in it; default: in the month in which it completed.
    """

    log: Annotated[str, made_beside(located_source)]
    mechanism: Annotated[str, valid(pricing.make_mechanism)]
    ledger: Annotated[
        str, made_beside(lambda text, folder: text if "://" in text else str(folder / text))
    ]
    processors: Annotated[int | None, whole(1)] = None
    rules: Annotated[Rules, made_beside(lambda text, folder: read_rules(folder / text))] = field(
        default_factory=Rules
    )
    folder: BesideFile = Path("billing")
    utilities: Annotated[str, made_beside(_utilities)] = AS_THEY_ARE
    adjustments: BesideFile = Path(ADJUSTMENTS_FILE)
    recurring: tuple[RecurringLine, ...] = ()
    shared: tuple[SharedCost, ...] = ()
    split: Literal["", "month-end"] = ""

    @property
    def source(self) -> WorkloadSource:
        """The log and its machine."""
        return WorkloadSource(self.log, machine_size=self.processors)

    @property
    def is_split(self) -> bool:
        """Whether jobs are charged in each month for their use in it."""
        return bool(self.split)


def read_config(file: Path) -> BillingConfig:
    """Return the plan of a centre's monthly bills, read from a file.

    Parameters
    ----------
    file : Path
        TOML; docs/billing.md has its keys. Files are looked for beside it.

    Raises
    ------
    InputError
        The file cannot be read; a key is unknown or missing, or a value cannot be used.
    """
    config = read_document(BillingConfig, file, "a file that says how to bill")
    beside = {name: file.parent / getattr(config, name) for name in ("folder", "adjustments")}
    return replace(config, **beside)

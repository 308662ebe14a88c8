"""Documents: what is read, and how each kind of mistake is refused, with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import pytest

from swfx import InputError
from swfx.base.document import DocumentError, DocumentTable, check_document, read_document
from swfx.base.document_values import (
    BesideFile,
    Flag,
    Text,
    made,
    number,
    one_of,
    one_or_more,
    seconds,
    whole,
)
from swfx.base.options import split_options


@dataclass(frozen=True)
class Rate(DocumentTable):
    """A table in a list."""

    name: Text
    share: Annotated[float, number(ge=0, lt=0.5)] = 0.25

    def __post_init__(self) -> None:
        if self.name == "none" and self.share:
            raise DocumentError(f"{self.share} of nobody", "leave it out", at=("share",))


@dataclass(frozen=True)
class Tariff(DocumentTable):
    """A document with a value of every kind."""

    EXAMPLES: ClassVar[dict[str, str]] = {"name": 'write name = "summer"'}

    name: Text
    limit: Annotated[int, whole(1)] = 1
    period: Annotated[float, seconds(gt=0)] = 60.0
    final: Flag = False
    basis: Literal["use", "request"] = "use"
    rates: tuple[Rate, ...] = ()
    users: Annotated[tuple[str, ...], one_or_more] = ()
    options: Annotated[dict[str, str], made(lambda text: split_options(text, "options"))] = field(
        default_factory=dict
    )
    figures: dict[Literal["wait", "value"], Annotated[float, number()]] = field(
        default_factory=dict
    )
    state: Annotated[str, one_of(("failed", "cancelled"))] = "failed"
    accounts: BesideFile | None = None


def read(folder: Path, text: str) -> Tariff:
    file = folder / "tariff.toml"
    file.write_text(text, "utf-8")
    return read_document(Tariff, file, "a file of tariffs")


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as refused:
        read(folder, text)
    said = str(refused.value).replace(str(folder), "F")
    assert "\n" not in said
    return said


def test_every_kind_of_value_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEASON", "summer")

    assert read(
        tmp_path,
        'name = "${SEASON}"\nlimit = 3\nperiod = "2 min"\nfinal = true\nbasis = "request"\n'
        'users = "ann"\noptions = "a=1"\nfigures = {wait = 2}\naccounts = "list.csv"\n'
        '[[rates]]\nname = "low"\nshare = 0\n',
    ) == Tariff(
        "summer",
        3,
        120.0,
        final=True,
        basis="request",
        rates=(Rate("low", 0.0),),
        users=("ann",),
        options={"a": "1"},
        figures={"wait": 2.0},
        accounts=tmp_path / "list.csv",
    )


MISTAKES = {
    "limit = 3": 'F/tariff.toml:1: name is missing; write name = "summer"',
    "nam = 'x'": "F/tariff.toml:1: field nam: is not a known key; did you mean 'name'? known: ",
    "name = 3": 'F/tariff.toml:1: field name: is a number, not a text; write "3"',
    "name = ' '": "F/tariff.toml:1: field name: is empty",
    "name = '${NOT_SET}'": "the environment variable NOT_SET is not set; export NOT_SET=...",
    "name = 'x'\nlimit = 0": "F/tariff.toml:2: field limit: 0 is out of range; give 1 or more",
    "name = 'x'\nlimit = true": "field limit: is true or false, not a whole number",
    "name = 'x'\nlimit = 1.0": "field limit: is a number, not a whole number",
    "name = 'x'\nlimit = 99999999999999999999": "99999999999999999999 is out of range; give at mo",
    f"name = 'x'\nlimit = 0x{'f' * 6000}": "a number of hundreds of digits is out of range; give",
    f"name = 'x'\nperiod = 0x{'f' * 6000}": "period: a number of hundreds of digits is out",
    "name = 'x'\nperiod = 0": "field period: 0 is out of range; give a number above 0",
    "name = 'x'\nperiod = '0 s'": "field period: 0 is out of range; give a number above 0",
    "name = 'x'\nperiod = '3 q'": "field period: unknown unit of time: 'q'; known: d, h, min, s, w",
    "name = 'x'\nperiod = inf": "field period: inf: input should be a finite number",
    "name = 'x'\nfinal = 1": "field final: is a number, not true or false",
    "name = 'x'\nbasis = 'usee'": "field basis: 'usee' is not known; did you mean 'use'? known: r",
    "name = 'x'\nusers = []": "field users: is an empty list; leave it out, or name at least one",
    "name = 'x'\nusers = ['a',\n'a']": "F/tariff.toml:3: field users[1]: is named twice; once will",
    "name = 'x'\nusers = 3": "F/tariff.toml:2: field users: is a number, not a text",
    "name = 'x'\noptions = 'a'": "field options: options: 'a' is not of the form key=value; separ",
    "name = 'x'\nfigures = {wiat = 1}": "figures.wiat: is not a known key; did you mean 'wait'?",
    "name = 'x'\nfigures = 3": "field figures: is a number, not a table",
    "name = 'x'\nfigures = {wait = 'x'}": "field figures.wait: is a text, not a number",
    "name = 'x'\nstate = 'faild'": "field state: 'faild' is not known; did you mean 'failed'?",
    "name = 'x'\nrates = 3": "field rates: is a number, not a list",
    "name = 'x'\nrates = [3]": "field rates[0]: is a number, not a table",
    "name = 'x'\n[[rates]]\nshare = 0.1": "F/tariff.toml:2: field rates[0]: name is missing; add",
    "name = 'x'\n[[rates]]\nname = 'a'\nshare = 0.5": "toml:4: field rates[0].share: 0.5 is out",
    "name = 'x'\n[[rates]]\nname = 'a'\nhsare = 0.1": "rates[0].hsare: is not a known key; did y",
    "name = 'x'\n[[rates]]\nname = 'none'\nshare = 0.1": ":4: field rates[0].share: 0.1 of nobody",
    "name = 'x'\nlimit = ": "F/tariff.toml:2: is not TOML: invalid value",
}


@pytest.mark.parametrize(("text", "said"), MISTAKES.items())
def test_mistakes_are_refused_with_place_value_and_remedy(
    text: str, said: str, tmp_path: Path
) -> None:
    assert said in refusal(tmp_path, text)


def test_the_first_mistake_in_the_file_is_refused(tmp_path: Path) -> None:
    text = "state = 'x'\nname = 3\nrates = [{name = 1, share = 2}]\nlimit = 0\n"

    assert ":1: field state" in refusal(tmp_path, text)
    assert ":1: field name" in refusal(tmp_path, text.partition("\n")[2])
    assert ":1: field limit" in refusal(tmp_path, "limit = 0\nname = 'x'\nlimits = 3")
    assert ":3: field rates[0].share" in refusal(
        tmp_path, "name = 'x'\n\nrates = [{share = 2, name = 1}]\nlimit = 0\n"
    )


def test_a_result_made_of_the_document_is_refused_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "tariff.toml"
    file.write_text("name = 'x'\n[[rates]]\nname = 'a'\n", "utf-8")

    def refuse(tariff: Tariff) -> None:
        raise DocumentError(f"{tariff.rates[0].name!r} is no user", at=("rates", 0, "name"))

    with pytest.raises(InputError, match=r"toml:3: field rates\[0\]\.name: 'a' is no user"):
        read_document(Tariff, file, "a file of tariffs", refuse)
    assert read_document(Tariff, file, "a file of tariffs", lambda tariff: tariff.limit) == 1


def test_documents_without_lines_are_refused_with_their_fields() -> None:
    with pytest.raises(InputError, match=r"^tariff: field rates\[0\]: is null, not a table$"):
        check_document(Tariff, {"name": "x", "rates": [None]}, "tariff")


def test_what_is_no_file_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or directory; give the path of a file of t"):
        read_document(Tariff, tmp_path / "no.toml", "a file of tariffs")
    (tmp_path / "x.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(InputError, match="is not text in UTF-8"):
        read_document(Tariff, tmp_path / "x.toml", "a file of tariffs")


def test_declaring_documents_does_not_import_pydantic() -> None:
    import subprocess
    import sys

    code = "import swfx.base.document_values, sys; print('pydantic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

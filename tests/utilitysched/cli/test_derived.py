"""Commands derived from functions and dataclasses with annotated parameters."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
from typer.testing import CliRunner

from swfx.base.document_values import number, seconds, whole
from swfx.base.typed import Typed
from utilitysched.cli.layout import Commands

CALLS: list[dict[str, Any]] = []


@dataclass(frozen=True)
class Oven:
    """An oven.

    Attributes
    ----------
    degrees : int
        Temperature (C).
    fan : bool
        Whether air moves.
    """

    degrees: Annotated[int, whole(1, 300), Typed("--degrees N")]
    fan: Annotated[bool, Typed("--no-fan")] = True


def bake(
    dough: Annotated[Sequence[str], Typed("DOUGH...")],
    oven: Oven | None = None,
    time: Annotated[float, seconds(gt=0), Typed("--time TIME", shown="1min")] = 60.0,
    share: Annotated[float, number(ge=0, lt=0.5), Typed("--share X")] = 0.25,
    *,
    lid: Annotated[bool, Typed("--lid/--open", shown="lid")] = True,
    page: Annotated[Path | None, Typed("--page FILE", needs="--degrees N")] = None,
) -> None:
    """Bake.

    Parameters
    ----------
    dough : sequence of str
        What is baked.
    lid : bool
        Whether it is covered.
    """
    CALLS.append(locals())


def answer(*words: str) -> Any:
    """Run the command."""
    app = Commands()
    app.command("bake", plugins=False)(bake)
    CALLS.clear()
    return CliRunner().invoke(app, list(words))


def baked(*words: str) -> dict[str, Any]:
    """Arguments that the function got."""
    assert answer(*words).exit_code == 0
    return CALLS[0]


def test_defaults_are_those_of_the_function() -> None:
    assert baked("rye") == {
        "dough": ("rye",),
        "oven": None,
        "time": 60.0,
        "share": 0.25,
        "lid": True,
        "page": None,
    }


def test_a_dataclass_that_may_be_none_is_made_once_its_required_fields_are_typed() -> None:
    assert baked("rye", "--degrees", "220")["oven"] == Oven(220)
    assert baked("rye", "--degrees", "220", "--no-fan")["oven"] == Oven(220, fan=False)


def test_flags_with_two_names() -> None:
    assert [baked("rye", word)["lid"] for word in ("--lid", "--open")] == [True, False]


def test_times_have_units() -> None:
    assert baked("rye", "--time", "2 min")["time"] == 120.0


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--degrees", "0"], "give 1 or more"),
        (["--degrees", "301"], "give at most 300"),
        (["--degrees", "1_0"], "'1_0' is not a whole number"),
        (["--degrees", "²"], "'²' is not a whole number"),
        (["--degrees", "9" * 5000], "is not a whole number"),
        (["--time", "0"], "give a number above 0"),
        (["--time", "soon"], "'soon' is not a number"),
        (["--share", "nan"], "finite"),
        (["--share", "0.5"], "give less than 0.5"),
    ],
)
def test_values_out_of_bounds_are_refused(words: list[str], refusal: str) -> None:
    refused = answer("rye", *words)

    assert refused.exit_code == 2
    assert refusal in " ".join(refused.output.split())


def test_an_option_that_needs_another() -> None:
    assert "--page needs --degrees N" in str(answer("rye", "--page", "p").exception)
    assert baked("rye", "--page", "p", "--degrees", "9")["page"] == Path("p")


def test_help_texts_are_those_of_the_docstrings() -> None:
    text = " ".join(answer("--help").output.split())

    assert "What is baked." in text
    assert "Temperature (C)." in text
    assert "[default: lid]" in text

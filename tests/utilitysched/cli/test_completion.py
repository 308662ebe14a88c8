"""What a shell is offered when Tab is pressed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pricing import mechanism_names
from utilitysched import scheduler_names
from utilitysched.cli.entry import run

Offered = Callable[..., list[str]]


@pytest.fixture
def offered(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Offered:
    """What bash is offered behind some words, of which it has made these."""

    def offers(*typed: str) -> list[str]:
        monkeypatch.setenv("_UTILITYSCHED_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["utilitysched", *typed]))
        monkeypatch.setenv("COMP_CWORD", str(len(typed)))
        with pytest.raises(SystemExit):
            run([])
        return capsys.readouterr().out.split()

    return offers


def test_names_of_schedulers_and_mechanisms(offered: Offered) -> None:
    assert sorted(offered("simulate", "log.swf", "-s", "")) == scheduler_names()
    assert offered("compare", "easy", "fcf") == ["fcfs"]
    assert offered("bill", "runs", "--mechanism", "") == list(mechanism_names())


def test_options_of_a_name_with_their_defaults(offered: Offered) -> None:
    behind = ["simulate", "sample", ":", "-s", "easy", ":"]

    assert "placement=easy" in offered(*behind)
    assert offered(*behind, "pl") == ["placement=easy"]
    assert offered(*behind, "placement", "=", "none,b") == ["none,backfill="]


def test_an_option_is_offered_once(offered: Offered) -> None:
    found = offered("bill", "runs", "--mechanism", "single-price", ":", "rate", "=", "2,")

    assert found
    assert not any("rate=" in text for text in found)


def test_models_transformations_and_formats(offered: Offered) -> None:
    assert "scale-load" in offered("simulate", "log.swf", "--apply", "")
    assert "lublin" in offered("simulate", "model", ":")
    assert "lublin,machine_size=128" in offered("simulate", "model", ":", "lublin,")
    assert "slurm:" in offered("check", "s")
    assert "zipf" in offered("generate", "lublin", "--users", "")


def test_a_path_is_left_to_the_shell(offered: Offered) -> None:
    assert offered("check", "logs/") == []

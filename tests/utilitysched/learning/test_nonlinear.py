"""`utilitysched learn nonlinear` on the packaged workload."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from utilitysched.cli.entry import run
from utilitysched.experiments.inputs import Log
from utilitysched.kernels.trials import AIMS
from utilitysched.learning.nonlinear import FirstJobTrials

SMALL = ["--tuples", "3", "--warm-up", "4", "--ordered", "6", "--trials", "60"]
COMMAND = ["learn", "nonlinear", "sample:", *SMALL, "--processes", "1", "--quiet"]


def trials(aim: str = "slowdown", orders: int = 60) -> FirstJobTrials:
    return FirstJobTrials(Log("sample:"), (), "default", 4, 6, orders, aim, 1)


@pytest.mark.parametrize("aim", AIMS)
def test_scores_are_shares(aim: str) -> None:
    made = trials(aim)

    scores = [made.scores(drawn) for drawn in made.draw(3)]

    assert np.sum(scores, axis=1) == pytest.approx(np.ones(3))
    assert all((each >= 0).all() for each in scores)


def test_tuples_are_drawn_from_the_window_that_is_named() -> None:
    made = FirstJobTrials(Log("sample:", "2d 2"), (), "default", 4, 6, 60, "wait", 1)

    submit = made.workload.submit - trials().workload.submit.min()
    assert 2 * 86_400 <= submit.min() <= submit.max() < 4 * 86_400


def test_more_trials_come_nearer_to_one_another() -> None:
    drawn = trials().draw(20)

    few, more = (
        np.std([trials(orders=count).scores(each._replace(seed=s)) for s in range(20)], axis=0)
        for each in drawn[:1]
        for count in (60, 6000)
    )

    assert more.mean() < few.mean() / 4  # a hundred times the trials: a tenth of the error


def test_a_policy_is_written_and_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "policy.toml"

    assert run([*COMMAND, "-o", str(file)]) == 0

    printed = capsys.readouterr().out.splitlines()
    policy = tomllib.loads(file.read_text())["provenance"]["policy"]
    assert printed[-1] == f"wrote {file}: {policy}"
    assert policy in printed[1]
    errors = [float(line.split()[0]) for line in printed[1:-1]]
    assert errors == sorted(errors)
    assert run(["simulate", "sample:", "-s", f"nonlinear:weights={file}"]) == 0
    assert run([*COMMAND, "-o", str(file), "--write", "2"]) == 0
    policy = tomllib.loads(file.read_text())["provenance"]["policy"]
    assert policy in printed[2]


def test_a_broken_off_learning_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    whole, resumed = tmp_path / "whole.toml", tmp_path / "resumed.toml"
    run([*COMMAND, "-o", str(whole)])
    journal = (tmp_path / "whole.toml.journal").read_text()

    (tmp_path / "resumed.toml.journal").write_text("".join(journal.splitlines(keepends=True)[:2]))
    run([*COMMAND, "-o", str(resumed)])

    assert resumed.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--aim", "speed"], "speed"),
        (["--warm-up", "100000"], "fewer than a tuple"),
        (["--jobs", "x:"], "A:B"),
        (["--jobs", "2d"], "name one, as in '2d 1'"),
    ],
)
def test_what_cannot_be_learned_is_told(
    arguments: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "policy.toml"

    assert run([*COMMAND, *arguments, "-o", str(output)]) == 2

    assert part in capsys.readouterr().err
    assert not output.exists()

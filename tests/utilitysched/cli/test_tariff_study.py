"""Tariffs tried on what ran: revenue, who pays more, and how sure that is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swfx import InputError
from tests.utilitysched.cli.conftest import Command
from utilitysched.analysis.metrics.distribution import gini
from utilitysched.market.tariff_study import TariffStudy, read_tariff, tariff_study

NAMES = "JobID|User|Account|Submit|Start|End|State|AllocCPUS"


def listed(folder: Path, weeks: int) -> Path:
    """Physics runs 8 hours of 4 processors a week, biology 2 of 1 on odd weeks and 6 on even."""
    rows = []
    for week in range(weeks):
        day = f"2026-{1 + week // 4:02}-{5 + 7 * (week % 4):02}"
        begins = f"{day}T00:00:00|{day}T00:00:00"
        hours = 2 if week % 2 else 6
        rows.append(f"{2 * week + 1}|ann|physics|{begins}|{day}T08:00:00|COMPLETED|4")
        rows.append(f"{2 * week + 2}|bob|biology|{begins}|{day}T0{hours}:00:00|COMPLETED|1")
    path = folder / "sacct.txt"
    path.write_text("\n".join([NAMES, *rows]) + "\n", "utf-8")
    return path


def studied(command: Command, folder: Path, weeks: int, *tariffs: str) -> TariffStudy:
    log = listed(folder, weeks)
    answer = command("bill", f"slurm:{log}", "--mechanism", "single-price", "--out", folder / "run")
    assert answer.code == 0, answer.err
    return tariff_study(folder / "run" / "recorded", list(map(read_tariff, tariffs)))


def test_tariffs_are_compared_payer_by_payer(command: Command, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("minimum_charge = 10\n", "utf-8")

    study = studied(command, tmp_path, 8, "single-price", f"single-price:rate=0.5@{rules}")

    assert study.payers == ["biology", "physics"]
    assert study.paid.shape == (2, 2, 8)
    assert study.paid[0].tolist() == [[6, 2] * 4, [32] * 8]
    assert study.paid[1].tolist() == [[10] * 8, [16] * 8]
    assert (study.revenue(0), study.revenue(1)) == (288, 208)
    assert study.pay_more(1) == 1
    ratio, interval = study.change(1, [0])
    assert ratio == 80 / 32
    assert interval is not None
    assert 10 / 6 <= interval.low < 80 / 32 < interval.high <= 10 / 2
    assert study.change(1, [1]) == (0.5, (0.5, 0.5))
    assert study.fairness(0) == gini(np.array([32.0, 256.0]))
    spread = study.fairness_interval(0)
    assert spread is not None
    assert spread.low < float(study.fairness(0) or 0) < spread.high


def test_fewer_than_three_weeks_say_nothing_of_others(command: Command, tmp_path: Path) -> None:
    study = studied(command, tmp_path, 2, "single-price", "single-price:rate=0.5")
    assert study.change(1, [0]) == (0.5, None)
    assert study.fairness_interval(1) is None


def test_tariffs_in_two_currencies_are_refused(command: Command, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[currency]\ncode = "EUR"\nrate = 2\n', "utf-8")
    with pytest.raises(InputError, match="tariffs are in EUR and SU"):
        studied(command, tmp_path, 1, "single-price", f"single-price@{rules}")


def test_on_the_command_line(command: Command, tmp_path: Path) -> None:
    log = listed(tmp_path, 4)
    answer = command(
        *("tariff-study", f"slurm:{log}", "-t", "single-price", "-t", "single-price:rate=2"),
        *("--by", "user", "-o", tmp_path / "page.html", "--table", tmp_path / "payers.csv"),
        *("--folder", tmp_path / "run", "--procs", 8),
    )
    assert answer.code == 0, answer.err
    assert "+100 [+100, +100]" in answer.out
    assert "for weeks like these 4" in answer.out
    assert "+100 [+100, +100]" in (tmp_path / "page.html").read_text("utf-8")
    assert (tmp_path / "payers.csv").read_text("utf-8").splitlines() == [
        "user,single-price,single-price:rate=2",
        "ann,128.000000,256.000000",
        "bob,16.000000,32.000000",
    ]
    refused = command("tariff-study", f"slurm:{log}", "-t", "singel-price")
    assert refused.code == 2
    assert "did you mean 'single-price'" in refused.err


def test_values_that_were_drawn_are_warned_of_where_a_tariff_reads_them(
    command: Command, tmp_path: Path
) -> None:
    study = ("tariff-study", "sample:", "--by", "user", "--folder", tmp_path / "study")

    blind = command(*study, "-t", "single-price", "-t", "single-price:rate=2")
    reading = command(*study, "-t", "single-price", "-t", "first-price:reading=end")

    assert (blind.code, reading.code) == (0, 0)
    assert "drawn" not in blind.out
    assert "were drawn at random" in " ".join(reading.out.split())

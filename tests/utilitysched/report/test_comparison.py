from __future__ import annotations

import pytest

from utilitysched.analysis.metrics import LEE_LEVELS
from utilitysched.report.comparison import ComparedRun, print_comparison

LEE_4_1 = {
    "easy": ((0, 0, 5372, 59067, 116552), (1, 1, 1.55, 28, 131), 76, 1.16e9),
    "ga": ((0, 0, 822, 62758, 1355885), (1, 1, 1.12, 34, 2261), 148, 1.35e9),
}
EARNED = (0.904, 0.408, 0.00055, 0.0, 0.0)


def line(scheduler: str) -> ComparedRun:
    waits, factors, slowdown, utility = LEE_4_1[scheduler]
    summary: dict[str, object] = {
        "scheduler": scheduler,
        "bounded_slowdown_mean": float(slowdown),
        "aggregate_utility": utility,
        "utilisation": 0.703,
    }
    for name, values in (
        ("wait", waits),
        ("expansion_factor", factors),
        ("requested_expansion_factor", factors),
        ("start_value_share", EARNED),
    ):
        summary |= {f"{name}_p{level}": v for level, v in zip(LEE_LEVELS, values, strict=True)}
    return ComparedRun(summary, 43.21)


TABLE = """\
SDSC-Blue

                        wait (s)                bounded        utility         used  time
scheduler  25%  50%    75%     98%       100%  slowdown           (SU)  ratio   (%)   (s)
─────────  ──────────────────────────────────  ──────────────────────────────────────────
easy         0    0  5,372  59,067    116,552      76.0  1,160,000,000  1.000  70.3    43
ga           0    0    822  62,758  1,355,885       148  1,350,000,000  1.164  70.3    43

                 expansion factor           % of start value earned
scheduler   25%   50%   75%   98%   100%   25%   50%   75%  98%  100%
─────────  ─────────────────────────────  ───────────────────────────
easy       1.00  1.00  1.55  28.0    131  90.4  40.8  0.06    0     0
ga         1.00  1.00  1.12  34.0  2,261  90.4  40.8  0.06    0     0

"""


def test_the_table_of_lee(capsys: pytest.CaptureFixture[str]) -> None:
    print_comparison(["SDSC-Blue"], [line("easy"), line("ga")])

    printed, _, notes = capsys.readouterr().out.partition("x%: ")
    assert printed == TABLE
    assert "expansion factor: (wait + p) / p" in notes


def test_no_ratio_to_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    worthless = ComparedRun({**line("easy").summary, "aggregate_utility": 0.0}, 0.1)
    print_comparison([], [worthless, line("ga")])

    rows = [text.split() for text in capsys.readouterr().out.splitlines()]
    assert [row[8] for row in rows if row[:1] in (["easy"], ["ga"])][:2] == ["-", "-"]


LABEL = "ga:" + ",".join(f"option{i}={i}" for i in range(10))


def labelled() -> ComparedRun:
    return ComparedRun({**line("ga").summary, "scheduler": LABEL}, 1.0)


def test_a_long_label_is_never_cut(capsys: pytest.CaptureFixture[str]) -> None:
    print_comparison([], [labelled()])

    assert capsys.readouterr().out.count(LABEL) == 2


@pytest.mark.parametrize("columns", [50, 60, 80])
def test_nothing_is_wider_than_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    print_comparison([], [line("easy"), labelled()])

    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns
    assert sum(line.startswith("easy") for line in lines) > 2  # once in each part

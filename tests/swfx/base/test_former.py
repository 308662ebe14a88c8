"""Files and options of earlier versions, in their former words."""

from pathlib import Path

from pricing import make_mechanism
from swfx.base.csv_columns import read_columns
from swfx.base.former import FORMER, current
from utilitysched import make_scheduler


def test_former_options_make_what_they_made() -> None:
    pairs = (
        ("ga:preempt=true,bumps=1", "ga:preempt=true,preemptions=1"),
        ("priority-preempt:bumps=2", "priority-preempt:preemptions=2"),
    )
    for former, today in pairs:
        assert make_scheduler(former).label == make_scheduler(today).label == today
    for former, today in (("bumper", "preemptor"), ("bumped", "preempted")):
        assert (
            make_mechanism(f"first-price:reading=end,lost={former}").label
            == f"first-price:reading=end,lost={today}"
        )


def test_former_columns_have_todays_names(tmp_path: Path) -> None:
    file = tmp_path / "jobs.csv"
    file.write_text("job_id,bumps,failures\n1,2,3\n")

    assert list(read_columns(str(file)).cells) == ["job_id", "preemptions", "failures"]


def test_todays_words_stay() -> None:
    assert all(current(word) == word for word in FORMER.values())

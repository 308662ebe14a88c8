import pytest

from swfx import InputError
from swfx.reading.sources import open_workload
from swfx.slurm.limits import partition_limits_text, read_partition_limits

LISTING = """\
JobID|Submit|Start|End|State|ReqCPUS|Partition|Timelimit
1|2026-01-05T08:00:00|2026-01-05T08:00:00|2026-01-05T09:00:00|COMPLETED|1|main|UNLIMITED
2|2026-01-05T08:00:00|2026-01-05T08:00:00|2026-01-05T09:00:00|COMPLETED|1|other|UNLIMITED
3|2026-01-05T08:00:00|2026-01-05T08:00:00|2026-01-05T09:00:00|COMPLETED|1|main|02:00:00
"""


def test_unlimited_jobs_have_the_limit_of_their_partition(tmp_path):
    (tmp_path / "sacct.txt").write_text(LISTING)
    options = "partition_limits=main=4d+short=10min,limit=7d"
    jobs = open_workload(f"slurm,{options}:{tmp_path}/sacct.txt").workload
    assert jobs.request.tolist() == [4 * 86_400, 7 * 86_400, 7_200]


def test_limits_are_written_as_they_are_read():
    limits = read_partition_limits("main=24h+short=10min")
    assert limits == (("main", 86_400.0), ("short", 600.0))
    assert read_partition_limits(partition_limits_text(limits)) == limits


@pytest.mark.parametrize("text", ["main", "=4d", "main=4d+main=1h", "main=never"])
def test_what_are_no_limits_is_refused(text):
    with pytest.raises(InputError, match="partition_limits"):
        read_partition_limits(text)

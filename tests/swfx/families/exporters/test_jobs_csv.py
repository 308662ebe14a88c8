from __future__ import annotations

from swfx.families.exporters import EXPORTERS
from tests.swfx.families.exporters.jobs import awkward_jobs


def test_the_text_is_this() -> None:
    data, notes = EXPORTERS.make("jobs-csv").format(awkward_jobs())

    assert data.decode() == (
        "job_id,submission_time,requested_number_of_resources,requested_time,success,"
        "starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,"
        "allocated_resources,user,group,queue,status\n"
        "1,0,4,20,1,3,10,13,3,13,1.3,,1,-1,-1,1\n"
        "1,5,8,0,0,,0,,,,,,2,-1,-1,0\n"
        "3,6.25,2,1.5,0,6.25,1.5,7.75,0,1.5,1,,-1,-1,-1,5\n"
    )
    lost, unknown = notes
    assert lost == (
        "jobs.csv has no place for utility functions, checkpoints, header lines and SWF fields 6,"
        " 7, 10 and 14 to 18"
    )
    assert unknown == "1 job has no start: the log does not say how long jobs waited"

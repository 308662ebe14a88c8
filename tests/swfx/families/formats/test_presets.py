"""Packaged presets: small files made in the published schemas, and the jobs that they hold."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import swfx
from swfx import InputError
from swfx.families.formats.registry import IMPORTERS, Imported, format_of
from tests.scale import many

PRESETS = Path(swfx.__file__).parent / "presets"
DECLARED = {
    file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in PRESETS.glob("*.toml")
}
MOST_LINES = 60

Job = dict[str, Any]
"""Numbers of a job by column, and names by kind of label."""


@dataclass(frozen=True)
class Example:
    """A file in the schema of a data set, the jobs in it, and how many records are dropped why."""

    data: bytes
    jobs: tuple[Job, ...]
    dropped: dict[str, int] = field(default_factory=dict)
    unix_start: int | None = None


def text(rows: Iterable[Sequence[object]], separator: str = ",") -> bytes:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows).encode()


def named(columns: str, *rows: str | dict[str, object]) -> bytes:
    """Return a table with a line of names; rows are as in the file, or tell some of the columns."""
    target = io.StringIO()
    table_of_jobs = csv.DictWriter(target, columns.split(","), restval="", lineterminator="\n")
    table_of_jobs.writeheader()
    for row in rows:
        if isinstance(row, str):
            target.write(f"{row}\n")
        else:
            table_of_jobs.writerow(row)
    return target.getvalue().encode()


def table(**columns: list[Any]) -> bytes:
    target = io.BytesIO()
    parquet.write_table(pa.table(columns), target)
    return target.getvalue()


def moments(day: str, *times: str | None, zone: str = "") -> list[str | None]:
    return [None if time is None else f"{day} {time}{zone}" for time in times]


def stamps(*hours: float | None) -> list[datetime | None]:
    """Return moments of 1 May 2024 in UTC."""
    start = datetime(2024, 5, 1, tzinfo=UTC)
    return [None if hour is None else start + timedelta(hours=hour) for hour in hours]


DAY = 1_714_521_600  # 1 May 2024, 0:00 in UTC


def pm100() -> Example:
    return Example(
        table(
            job_id=[1, 2, 3, 4, 5],
            user_id=[10, 11, 10, 12, 12],
            partition=["1", "1", "2", "1", "1"],
            qos=["0", "0", "1", "0", "0"],
            job_state=["COMPLETED", "TIMEOUT", "CANCELLED", "CANCELLED", "RUNNING"],
            submit_time=stamps(0, 1, 2, 3, 4),
            eligible_time=stamps(0, 1, 2, 3, 4),
            start_time=stamps(0.5, 1, 2.25, None, 4.5),
            end_time=stamps(1.5, 2, 2.5, 3.5, None),
            run_time=[3600, 3600, 900, 0, 0],
            time_limit=[120, 60, 30, 60, 60],
            num_nodes_alloc=[1, 2, 1, 0, 1],
            num_cores_alloc=[128, 256, 4, 0, 8],
            num_cores_req=[128, 256, 4, 4, 8],
            num_gpus_alloc=[4, 8, 0, 0, 0],
            mem_req=[230, 460, 7, 7, 7],
            priority=[1, 2, 3, 4, 5],
        ),
        (
            {"job_id": 1, "wait": 1800, "run": 3600, "processors": 128, "requested_time": 7200,
             "tres/gres/gpu": 4, "tres/node": 1, "user": "10", "state": "COMPLETED"},
            {"job_id": 2, "wait": 0, "run": 3600, "processors": 256, "requested_time": 3600,
             "tres/gres/gpu": 8, "tres/node": 2, "user": "11", "state": "TIMEOUT", "status": 0},
            {"job_id": 3, "wait": 900, "run": 900, "processors": 4, "requested_time": 1800,
             "user": "10", "state": "CANCELLED", "status": 5},
        ),
        {"never-started": 1, "still-running": 1},
        DAY,
    )  # fmt: skip


def f_data() -> Example:
    day = "2024-05-01"
    return Example(
        table(
            jid=["jid_7", "jid_8", "jid_9", "jid_10"],
            usr=["usr_1", "usr_2", "usr_1", "usr_1"],
            jnam=["jnam_1", "jnam_1", "jnam_2", "jnam_2"],
            cnumr=[96, 48, 48, 48],
            cnumat=[96, 48, 0, 48],
            cnumut=[96, 48, 0, 48],
            nnumr=[2, 1, 1, 1],
            nnuma=[2, 1, 0, 1],
            adt=moments(day, "09:00:00", "09:01:00", "09:02:00", "09:03:00"),
            sdt=moments(day, "09:10:00", "09:01:00", None, "09:04:00"),
            edt=moments(day, "10:10:00", "09:02:00", "09:30:00", None),
            elpl=[7200.0, 600.0, 600.0, 600.0],
            duration=[3598.0, 59.0, 0.0, 0.0],
            econ=[10.0, 1.0, 0.0, 0.0],
            **{"exit state": ["completed", "failed", "failed", "completed"]},
        ),
        (
            {"job_id": 7, "wait": 600, "run": 3600, "processors": 96, "requested_processors": 96,
             "requested_time": 7200, "tres/node": 2, "user": "usr_1", "state": "COMPLETED"},
            {"job_id": 8, "wait": 0, "run": 60, "processors": 48, "requested_time": 600,
             "tres/node": 1, "user": "usr_2", "state": "FAILED", "status": 0},
        ),
        {"never-started": 1, "still-running": 1},
        DAY,  # 9:00 in Tokyo
    )  # fmt: skip


def mit_supercloud() -> Example:
    columns = (
        "id_job,id_array_job,id_user,nodes_alloc,nodelist,cpus_req,exit_code,gres_used,mem_req,"
        "partition,priority,state,timelimit,time_submit,time_eligible,time_start,time_end,"
        "time_suspended,tres_alloc,tres_req"
    )

    def row(job: int, state: int, start: int | None, end: int | None, **more: object) -> Job:
        return {
            "id_job": job, "id_user": 55, "state": state, "cpus_req": 20, "partition": "normal",
            "mem_req": 9223372036854780000, "time_submit": DAY + job, "time_eligible": DAY + job,
            "time_start": 0 if start is None else DAY + start,
            "time_end": 0 if end is None else DAY + end, "time_suspended": 0, **more,
        }  # fmt: skip

    return Example(
        named(
            columns,
            row(0, 3, 100, 3700, nodes_alloc=2, nodelist="['n1', 'n2']", timelimit=4294967295,
                tres_alloc="1=96,2=700000,4=2,1002=4"),
            row(10, 5, 10, 70, id_user=56, partition="gaia", nodes_alloc=1, timelimit=720,
                tres_alloc="1=40,2=100,1001=1,4=1"),
            row(20, 4, None, 800, nodes_alloc=0, nodelist="None assigned", timelimit=1440),
            row(30, 1, 40, None, nodes_alloc=1, timelimit=60, tres_alloc="1=4,4=1"),
            row(40, 0, None, None, nodes_alloc=0, nodelist="None assigned", timelimit=60),
        ),
        (
            {"job_id": 0, "wait": 100, "run": 3600, "processors": 96, "requested_time": -1,
             "requested_processors": 20, "tres/gres/gpu:volta": 4, "tres/gres/gpu:tesla": 0,
             "tres/node": 2, "user": "55", "partition": "normal", "state": "COMPLETED"},
            {"job_id": 10, "wait": 0, "run": 60, "processors": 40, "requested_time": 43_200,
             "tres/gres/gpu:tesla": 1, "user": "56", "partition": "gaia", "state": "FAILED"},
        ),
        {"never-started": 1, "still-running": 1, "still-waiting": 1},
        DAY,
    )  # fmt: skip


def alcf_djc() -> Example:
    columns = (
        "JOB_NAME,COBALT_JOBID,MACHINE_NAME,QUEUED_TIMESTAMP,QUEUED_DATE_ID,START_TIMESTAMP,"
        "START_DATE_ID,END_TIMESTAMP,END_DATE_ID,USERNAME_GENID,PROJECT_NAME_GENID,QUEUE_NAME,"
        "WALLTIME_SECONDS,RUNTIME_SECONDS,NODES_USED,NODES_REQUESTED,CORES_USED,CORES_REQUESTED,"
        "LOCATION,EXIT_STATUS,EXIT_CODE"
    )

    def row(job: int, *times: str, exit_code: int = 0, nodes: float = 1, **more: object) -> Job:
        queued, start, end = (f"2024-05-01 {time}" if time else "" for time in times)
        return {
            "JOB_NAME": f"{job}.aurora-pbs-0001", "COBALT_JOBID": -1, "MACHINE_NAME": "aurora",
            "QUEUED_TIMESTAMP": queued, "START_TIMESTAMP": start, "END_TIMESTAMP": end,
            "USERNAME_GENID": 78, "PROJECT_NAME_GENID": 88, "QUEUE_NAME": "prod",
            "WALLTIME_SECONDS": 7200.0, "NODES_USED": nodes, "CORES_USED": 208 * nodes,
            "CORES_REQUESTED": 208, "LOCATION": "x4001,x4002", "EXIT_STATUS": exit_code,
            "EXIT_CODE": exit_code, **more,
        }  # fmt: skip

    return Example(
        named(
            columns,
            row(41, "00:00:00", "00:10:00", "01:10:00", nodes=2.0, USERNAME_GENID=77),
            row(42, "00:01:00", "00:01:00.500000", "00:02:00.500000", exit_code=271),
            row(43, "00:02:00", "", "00:03:00", nodes=0),
            row(44, "00:03:00", "00:04:00", ""),
        ),
        (
            {"job_id": 41, "wait": 600, "run": 3600, "processors": 416, "requested_time": 7200,
             "requested_processors": 208, "tres/node": 2, "user": "77", "project": "88",
             "queue": "prod", "cluster": "aurora", "state": "COMPLETED"},
            {"job_id": 42, "wait": 0.5, "run": 60, "processors": 208, "tres/node": 1,
             "user": "78", "state": "FAILED", "status": 0},
        ),
        {"never-started": 1, "still-running": 1},
        DAY,
    )  # fmt: skip


def lassen() -> Example:
    columns = (
        "allocation_id,primary_job_id,launch_node_name,isolated_cores,user_flags,system_flags,"
        "ssd_min,ssd_max,num_nodes,num_processors,num_gpus,projected_memory,type,job_type,"
        "hashed_user_id,hashed_user_group_id,begin_time,end_time,exit_status,job_submit_time,queue,"
        "requeue,time_limit,smt_mode,core_blink"
    )

    def row(number: int, nodes: int, processes: int, user: str, *times: str, status: int) -> str:
        submit, begin, end = times
        return (
            f"{number},9{number},lassen708,1,,,0,0,{nodes},{processes},0,0,jsm,batch,{user},g1,"
            f"{begin},{end},{status},{submit},pbatch,false,43200,4,0"
        )

    return Example(
        named(
            columns,
            row(5, 2, 80, "ua", "2019-05-01 00:00:00", "2019-05-01 00:10:00.25",
                "2019-05-01 01:10:00.25", status=0),
            row(6, 1, 1, "ub", "2019-05-01 00:01:00", "2019-05-01 00:01:00",
                "2019-05-01 00:02:00", status=143),
            row(7, 1, 1, "ub", "2019-05-01 00:02:00", "", "2019-05-01 00:03:00", status=1),
            row(8, 1, 1, "ub", "2019-05-01 00:03:00", "2019-05-01 00:03:00", "", status=0),
        ),
        (
            {"job_id": 5, "wait": 600.25, "run": 3600, "processors": 88, "requested_time": 43_200,
             "tres/node": 2, "tres/gres/gpu": 8, "user": "ua", "group": "g1", "queue": "pbatch",
             "state": "COMPLETED"},
            {"job_id": 6, "wait": 0, "run": 60, "processors": 44, "tres/gres/gpu": 4,
             "user": "ub", "state": "FAILED"},
        ),
        {"never-started": 1, "still-running": 1},
        1_556_694_000,  # 1 May 2019, 0:00 in Los Angeles
    )  # fmt: skip


def frontier() -> Example:
    return Example(
        table(
            job_idx=["000007", "000008", "000009", "000010"],
            project_id=["p1", "p1", "p2", "p2"],
            user_id=["u1", "u2", "u2", "u2"],
            completion_state=["COMPLETED", "TIMEOUT", "CANCELLED", "COMPLETED"],
            submit_time=stamps(0, 1, 2, 3),
            start_time=stamps(0.5, 1, None, 3),
            end_time=stamps(1.5, 3, 2.5, None),
            run_time=[3600, 7200, 0, 0],
            wall_time=[120, 120, 60, 60],
            node_count=[1, 100, 1, 1],
            node_list=[["x1"], ["x1", "x2"], [], ["x1"]],
            date_dir=["2024-05-01"] * 4,
            mean_power=[600.0, 61_000.0, None, 1.0],
        ),
        (
            {"job_id": 7, "wait": 1800, "run": 3600, "processors": 64, "requested_time": 7200,
             "tres/node": 1, "tres/gres/gpu": 8, "user": "u1", "project": "p1",
             "state": "COMPLETED"},
            {"job_id": 8, "wait": 0, "run": 7200, "processors": 6400, "requested_time": 7200,
             "tres/node": 100, "tres/gres/gpu": 800, "user": "u2", "state": "TIMEOUT"},
        ),
        {"never-started": 1, "still-running": 1},
        DAY,
    )  # fmt: skip


def frontier_swf() -> Example:
    header = "; Computer: Frontier\n; UnixStartTime: 1704067200\n; MaxNodes: 9472\n"
    rows = [
        "1 0 60 3600 2500 -1 -1 2500 7200 -1 1 3 4 5 1 1 -1 -1 20000 -1 frontier:excl:2500x112",
        "2 10 0 60 224 -1 -1 224 600 -1 0 4 4 6 1 1 -1 -1 16 300 frontier:excl:2x112",
        "3 20 5 90 1 -1 -1 1 600 -1 5 4 4 6 1 1 -1 -1 -1 -1 frontier:excl:1x112",
        "4 30 -1 -1 -1 -1 -1 1 600 -1 5 4 4 6 1 1 -1 -1 -1 -1 frontier:excl:1x112",
    ]
    return Example(
        (header + "\n".join(rows) + "\n").encode(),
        (
            {"job_id": 1, "wait": 60, "run": 3600, "processors": 160_000, "requested_time": 7200,
             "tres/node": 2500, "tres/gres/gpu": 20_000, "user": "3", "state": "COMPLETED",
             "soft_estimate": -1},
            {"job_id": 2, "wait": 0, "run": 60, "processors": 128, "tres/node": 2,
             "tres/gres/gpu": 16, "user": "4", "state": "FAILED", "soft_estimate": 300},
            {"job_id": 3, "wait": 5, "run": 90, "processors": 64, "tres/gres/gpu": 0,
             "state": "CANCELLED", "status": 5},
        ),
        {"never-started": 1},
        1_704_067_200,
    )  # fmt: skip


def acme() -> Example:
    columns = (
        "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,"
        "submit_time,start_time,end_time,fail_time,stop_time,duration,queue,gpu_time"
    )

    def row(job: str, state: str, *times: str, nodes: int = 1) -> str:
        submit, start, end = (f"2023-05-17 {time}+00:00" if time else "" for time in times)
        return (
            f"{job},u7,{nodes},{8 * nodes},{120 * nodes},1000,100.0,Other,{state},{submit},{start},"
            f"{end},,,3610,10.0,0"
        )

    return Example(
        named(
            columns,
            row("11", "COMPLETED", "11:00:00", "11:00:10", "12:00:10", nodes=8),
            row("dlc1t2", "FAILED", "11:01:00", "11:01:00", "11:02:00"),
            row("dlc1t3", "CANCELLED", "11:02:00", "", "11:03:00"),
            row("dlc1t4", "RUNNING", "11:03:00", "11:03:00", ""),
        ),
        (
            {"job_id": 11, "wait": 10, "run": 3600, "processors": 960, "tres/node": 8,
             "tres/gres/gpu": 64, "user": "u7", "executable": "Other", "state": "COMPLETED",
             "requested_memory": 8000 * 1024**2 / 960},
            {"wait": 0, "run": 60, "processors": 120, "tres/gres/gpu": 8, "state": "FAILED"},
        ),
        {"never-started": 1, "still-running": 1},
        1_684_321_200,
    )  # fmt: skip


def helios() -> Example:
    columns = (
        "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
        "queue"
    )

    def row(job: int, state: str, *times: str, **more: object) -> Job:
        submit, start, end = (f"2020-06-09 {time}" if time else "None" for time in times)
        return {
            "job_id": job, "user": "uVM", "vc": "vch", "gpu_num": 1, "cpu_num": 1, "node_num": 1,
            "state": state, "submit_time": submit, "start_time": start, "end_time": end,
            "duration": 0, "queue": 30, **more,
        }  # fmt: skip

    return Example(
        named(
            columns,
            row(21, "COMPLETED", "18:00:00", "18:00:30", "19:00:30", user="uXB", vc="vcJ",
                gpu_num=4, cpu_num=16, node_num=2),
            row(22, "NODE_FAIL", "18:01:00", "18:01:00", "18:02:00"),
            row(23, "CANCELLED", "18:02:00", "", "18:03:00"),
            row(24, "RUNNING", "18:03:00", "18:03:00", ""),
        ),
        (
            {"job_id": 21, "wait": 30, "run": 3600, "processors": 16, "tres/node": 2,
             "tres/gres/gpu": 4, "user": "uXB", "partition": "vcJ", "state": "COMPLETED"},
            {"job_id": 22, "wait": 0, "run": 60, "processors": 1, "tres/gres/gpu": 1,
             "user": "uVM", "partition": "vch", "state": "NODE_FAIL", "status": 0},
        ),
        {"never-started": 1, "still-running": 1},
        1_591_696_800,  # 18:00 in Shanghai
    )  # fmt: skip


def philly() -> Example:
    def attempt(start: str | None, end: str | None, *gpus: int) -> dict[str, Any]:
        return {
            "start_time": start and f"2017-10-07 {start}",
            "end_time": end and f"2017-10-07 {end}",
            "detail": [
                {"ip": f"m{node}", "gpus": [f"gpu{gpu}" for gpu in range(held)]}
                for node, held in enumerate(gpus)
            ],
        }

    def job(number: int, status: str, submitted: str, *attempts: dict[str, Any]) -> dict[str, Any]:
        return {
            "status": status,
            "vc": "ee9e8c",
            "jobid": f"application_1506638472019_{number}",
            "attempts": list(attempts),
            "submitted_time": f"2017-10-07 {submitted}",
            "user": f"u{number}",
        }

    jobs = [
        job(1, "Pass", "01:00:00", attempt("01:00:30", "01:01:30", 8),
            attempt("01:02:00", "02:02:00", 8, 2)),
        job(2, "Failed", "01:01:00", attempt("01:01:00", "01:02:00", 1)),
        job(3, "Killed", "01:02:00", attempt("01:02:10", "01:02:40", 4)),
        job(4, "Killed", "01:03:00"),
        job(5, "Failed", "01:04:00", attempt(None, None, 1)),
        job(6, "Killed", "01:05:00", attempt("01:05:10", None, 1)),
    ]  # fmt: skip
    return Example(
        json.dumps(jobs, indent=1).encode(),
        (
            {"wait": 120, "run": 3600, "processors": 10, "tres/node": 2, "tres/gres/gpu": 10,
             "user": "u1", "partition": "ee9e8c", "state": "COMPLETED"},
            {"wait": 0, "run": 60, "processors": 1, "tres/gres/gpu": 1, "user": "u2",
             "state": "FAILED"},
            {"wait": 10, "run": 30, "processors": 4, "user": "u3", "state": "CANCELLED"},
        ),
        {"never-started": 2, "still-running": 1},
        1_507_363_200,  # 1:00 in Los Angeles
    )  # fmt: skip


def alibaba_2020() -> Example:
    return Example(
        text([
            ("j1", "worker", 2.0, "Terminated", 1_739_162.0, 1_739_200.0, 600.0, 29.296875, 50.0,
             "MISC"),
            ("j1", "ps", 1.0, "Failed", 1_739_163.0, 1_739_173.0, 50.0, 2.0, "", "CPU"),
            ("j2", "tensorflow", 1.0, "Waiting", "", "", 600.0, 29.3, 100.0, "V100"),
            ("j3", "tensorflow", 1.0, "Running", 1_739_170.0, "", 600.0, 29.3, 100.0, "V100"),
        ]),
        (
            {"wait": 0, "run": 38, "processors": 12, "tres/gres/gpu": 1, "job_name": "j1",
             "partition": "MISC", "state": "COMPLETED",
             "requested_memory": 2 * 29.296875 * 1024**2 / 12},
            {"wait": 0, "run": 10, "processors": 1, "tres/gres/gpu": -1, "job_name": "j1",
             "partition": "CPU", "state": "FAILED"},
        ),
        {"no-submission": 1, "still-running": 1},
        1_739_162,
    )  # fmt: skip


def alibaba_2023() -> Example:
    columns = (
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
        "deletion_time,scheduled_time"
    )
    return Example(
        named(
            columns,
            "openb-pod-0000,12000,16384,8,1000,V100M16|V100M32,LS,Succeeded,0,3600,60",
            "openb-pod-0001,3152,5600,1,460,,BE,Failed,10,20,10",
            "openb-pod-0002,8000,30517,0,0,,BE,Running,20,12902960,21",
            "openb-pod-0003,11908,47104,1,1000,,BE,Pending,30,60,",
        ),
        (
            {"job_id": 0, "submit": 0, "wait": 60, "run": 3540, "processors": 12,
             "tres/gres/gpu": 8, "qos": "LS", "partition": "V100M16|V100M32", "state": "COMPLETED",
             "requested_memory": 16_384 * 1024 / 12},
            {"job_id": 1, "submit": 10, "wait": 0, "run": 10, "processors": 4,
             "tres/gres/gpu": 0.46, "qos": "BE", "state": "FAILED"},
            {"job_id": 2, "submit": 20, "wait": 1, "run": 12_902_939, "processors": 8,
             "state": "CANCELLED"},
        ),
        {"never-started": 1},
    )  # fmt: skip


def alibaba_2025() -> Example:
    columns = (
        "instance_sn,role,app_name,cpu_request,cpu_limit,gpu_request,gpu_limit,rdma_request,"
        "rdma_limit,memory_request,memory_limit,disk_request,disk_limit,max_instance_per_node,"
        "creation_time,scheduled_time,deletion_time"
    )
    return Example(
        named(
            columns,
            "instance_0,HN,app_0,12,12,1,1,25,25,120.0,120.0,640.0,800.0,8,,,",
            "instance_1,CN,app_1,64,64,0,0,1,1,320.0,320.0,255.0,300.0,-1,0.0,5.0,136.0",
            "instance_2,HN,app_1,12,12,1,1,25,25,120.0,120.0,1.0,1.0,8,100.0,100.0,",
            "instance_3,HN,app_0,12,12,1,1,25,25,120.0,120.0,1.0,1.0,8,100.0,100.0,160.0",
            "instance_4,HN,app_0,12,12,1,1,25,25,120.0,120.0,1.0,1.0,8,100.0,,160.0",
        ),
        (
            {"job_id": 1, "submit": 0, "wait": 5, "run": 131, "processors": 64,
             "tres/gres/gpu": 0, "job_name": "app_1", "partition": "CN",
             "requested_memory": 5 * 1024**2},
            {"job_id": 3, "submit": 100, "wait": 0, "run": 60, "processors": 12,
             "tres/gres/gpu": 1, "job_name": "app_0", "partition": "HN"},
        ),
        {"no-submission": 1, "still-running": 1, "never-started": 1},
    )  # fmt: skip


def google_2019() -> Example:
    columns = (
        "collection_id,user,priority,collection_logical_name,submit_time,start_time,end_time,"
        "final_type,tasks"
    )
    return Example(
        named(
            columns,
            "382041,ua==,103,name=,600000000,601500000,4201500000,6,20",
            "382042,ub==,200,name=,660000000,660000000,720000000,5,1",
            "382043,ub==,200,name=,720000000,720000000,780000000,7,3",
            "382044,ub==,200,name=,720000000,,780000000,7,3",
            "382045,ub==,360,name=,780000000,780000000,,,1",
            "382046,ub==,360,name=,,780000000,900000000,6,1",
        ),
        (
            {"job_id": 382_041, "submit": 0, "wait": 1.5, "run": 3600, "processors": 20,
             "user": "ua==", "queue": "103", "state": "COMPLETED"},
            {"job_id": 382_042, "submit": 60, "wait": 0, "run": 60, "processors": 1,
             "user": "ub==", "queue": "200", "state": "FAILED"},
            {"job_id": 382_043, "submit": 120, "wait": 0, "run": 60, "processors": 3,
             "state": "CANCELLED"},
        ),
        {"never-started": 1, "still-running": 1, "no-submission": 1},
    )  # fmt: skip


def wta() -> Example:
    return Example(
        table(
            id=[1, 2, 3],
            ts_submit=[0, 1500, 3000],
            submission_site=pa.array([-1, -1, -1], pa.int32()),
            runtime=[3_600_000, 250, -1],
            resource_type=["core"] * 3,
            resource_amount_requested=[1.0, 2.5, 1.0],
            parents=[[], [1], [1, 2]],
            children=[[2, 3], [3], []],
            user_id=pa.array([4, -1, 4], pa.int32()),
            group_id=pa.array([1, -1, 1], pa.int32()),
            nfrs=["{}"] * 3,
            workflow_id=[9, 9, 9],
            wait_time=[60_000, 0, -1],
            type=["map", "reduce", "map"],
            memory_requested=[-1.0] * 3,
        ),
        (
            {"job_id": 1, "submit": 0, "wait": 60, "run": 3600, "processors": 1, "user": "4",
             "project": "9", "executable": "map"},
            {"job_id": 2, "submit": 1.5, "wait": 0, "run": 0.25, "processors": 3,
             "project": "9", "executable": "reduce"},
        ),
        {"never-started": 1},
    )  # fmt: skip


def gwf() -> Example:
    rest = "-1 -1 -1 -1 -1 -1 -1 -1 -1"
    rows = [
        f"1 1136070024 60 3600 4 3500.5 2048 4 7200 1024 1 U1 G1 X1 Q1 -1 S1 S2 {rest} V1 P1",
        f"2 1136070034 0 60 1 -1 -1 1 -1 -1 0 U2 G1 X2 Q1 -1 S1 S1 {rest} V1 P1",
        f"3 1136070044 -1 -1 -1 -1 -1 1 600 -1 5 U2 G1 X2 Q1 -1 S1 -1 {rest} V1 P1",
    ]
    header = "# JobID SubmitTime WaitTime RunTime NProcs\n# the Grid Workload Format\n"
    return Example(
        (header + "\n".join(row.replace(" ", "\t") for row in rows) + "\n").encode(),
        (
            {"job_id": 1, "wait": 60, "run": 3600, "processors": 4, "cpu_time": 3500.5,
             "memory": 2048, "requested_memory": 1024, "requested_time": 7200, "user": "U1",
             "group": "G1", "executable": "X1", "queue": "Q1", "cluster": "S2", "account": "V1",
             "project": "P1", "state": "COMPLETED"},
            {"job_id": 2, "wait": 0, "run": 60, "processors": 1, "requested_time": -1,
             "user": "U2", "state": "FAILED", "status": 0},
        ),
        {"never-started": 1},
        1_136_070_024,
    )  # fmt: skip


def metacentrum() -> Example:
    rows = [
        "0 1356996147 60 3600 4 1 1024 4 86400 4294967296 1 62 1 1 -1 1 1 1 {7,7,8,8} q_1d 2:ppn=2",
        "1 1356996157 0 60 1 1 1024 1 7200 -1 0 63 1 1 -1 1 1 1 {1288} q_2h 1:ppn=1:brno",
        "2 1356996167 -1 -1 0 1 1024 1 7200 -1 5 63 1 1 -1 1 1 1 {} q_2h 1:ppn=1",
    ]
    return Example(
        ("; MetaCentrum\n" + "\n".join(rows) + "\n").encode(),
        (
            {"job_id": 0, "wait": 60, "run": 3600, "processors": 4, "requested_time": 86_400,
             "requested_memory": 1024**2, "tres/node": 2, "user": "62", "queue": "q_1d",
             "state": "COMPLETED"},
            {"job_id": 1, "wait": 0, "run": 60, "processors": 1, "requested_time": 7200,
             "tres/node": 1, "user": "63", "queue": "q_2h", "state": "FAILED"},
        ),
        {"never-started": 1},
        1_356_996_147,
    )  # fmt: skip


def mustang() -> Example:
    columns = (
        "user_ID,group_ID,submit_time,start_time,end_time,wallclock_limit,job_status,node_count,"
        "tasks_requested"
    )

    def row(user: int, state: str, *times: str, limit: str, nodes: int, tasks: int) -> str:
        submit, start, end = (f"2011-11-06 {time}:00" if time else "" for time in times)
        return f"{user},1,{submit},{start},{end},{limit},{state},{nodes},{tasks}"

    return Example(
        named(
            columns,
            row(0, "COMPLETED", "00:19:35-06", "00:20:35-06", "01:20:35-06",
                limit="0 days 02:00:00", nodes=2, tasks=48),
            # Clocks went back.
            row(3, "TIMEOUT", "01:30:00-06", "01:30:00-07", "01:40:00-07", limit="16:00:00",
                nodes=1, tasks=1),
            row(3, "CANCELLED", "02:30:00-07", "", "02:40:00-07", limit="16:00:00", nodes=0,
                tasks=24),
            row(3, "RUNNING", "02:31:00-07", "02:31:00-07", "", limit="16:00:00", nodes=1,
                tasks=24),
        ),
        (
            {"wait": 60, "run": 3600, "processors": 48, "requested_processors": 48,
             "requested_time": 7200, "tres/node": 2, "user": "0", "group": "1",
             "state": "COMPLETED"},
            {"wait": 3600, "run": 600, "processors": 24, "requested_processors": 1,
             "requested_time": 57_600, "tres/node": 1, "user": "3", "state": "TIMEOUT"},
        ),
        {"never-started": 1, "still-running": 1},
        1_320_560_375,
    )  # fmt: skip


def trinity() -> Example:
    columns = (
        "user_ID,group_ID,submit_time,start_time,dispatch_time,queue_time,end_time,"
        "wallclock_limit,job_status,node_count,tasks_requested"
    )

    def row(*times: str, state: str, nodes: int) -> str:
        submit, start, end = (f"2016-02-02 {time}-07:00" if time else "" for time in times)
        return f"5,1,{submit},{start},{start},{submit},{end},01:00:00,{state},{nodes},{32 * nodes}"

    return Example(
        named(
            columns,
            row("06:53:00", "06:54:00", "07:54:00", state="JOBEND", nodes=2),
            row("06:54:00", "06:54:00", "06:55:00", state="JOBCANCEL", nodes=1),
            row("06:55:00", "", "06:56:00", state="JOBCANCEL", nodes=1),
        ),
        (
            {"wait": 60, "run": 3600, "processors": 64, "requested_time": 3600, "tres/node": 2,
             "user": "5", "state": "COMPLETED"},
            {"wait": 0, "run": 60, "processors": 32, "state": "CANCELLED"},
        ),
        {"never-started": 1},
        1_454_421_180,
    )  # fmt: skip


def azure_vm() -> Example:
    return Example(
        text([
            ("vm1", "sub1", "dep1", 0, 2_591_700, 99.4, 3.4, 10.2, "Delay-insensitive", 4, 32),
            ("vm2", "sub2", "dep1", 558_300, 1_673_700, 100, 6.1, 16.0, "Interactive", ">24",
             ">64"),
            ("vm3", "sub2", "dep1", 558_300, "", 100, 6.1, 16.0, "Unknown", 2, 4),
        ]),
        (
            {"submit": 0, "wait": 0, "run": 2_591_700, "processors": 4, "user": "sub1",
             "queue": "Delay-insensitive", "requested_memory": 8 * 1024**2},
            {"submit": 558_300, "wait": 0, "run": 1_115_400, "processors": 24, "user": "sub2",
             "queue": "Interactive", "requested_memory": 64 * 1024**2 / 24},
        ),
        {"still-running": 1},
    )  # fmt: skip


def kestrel() -> Example:
    return Example(
        table(
            id=["1", "2", "3", "4"],
            job_id=[31, 32, 33, 34],
            array_pos=pa.array([None] * 4, pa.int64()),
            user_hash=["ha", "hb", "hb", "hb"],
            account_hash=["p", "p", "p", "p"],
            partition=["gpu-h100", "shared", "shared", "shared"],
            state=["COMPLETED", "OUT_OF_MEMORY", "CANCELLED by 0", "RUNNING"],
            state_simple=["COMPLETED", "FAILED", "CANCELLED", "RUNNING"],
            submit_time=stamps(0, 1, 2, 3),
            start_time=stamps(0.5, 1, None, 3),
            end_time=stamps(1.5, 1.25, 2, None),
            nodes_req=[1, 1, 1, 1],
            nodes_used=[1, 1, None, 1],
            processors_req=[4, 2, 2, 2],
            processors_used=[8, 2, None, 2],
            wallclock_req=[timedelta(hours=2), timedelta(days=1), timedelta(hours=1), None],
            wallclock_used=[timedelta(hours=1), timedelta(minutes=15), timedelta(0), None],
            qos=["normal", "high", "normal", "normal"],
            gpus_requested=[4, None, None, None],
        ),
        (
            {"job_id": 31, "wait": 1800, "run": 3600, "processors": 8, "requested_processors": 4,
             "requested_time": 7200, "tres/gres/gpu": 4, "tres/node": 1, "user": "ha",
             "account": "p", "partition": "gpu-h100", "qos": "normal", "state": "COMPLETED"},
            {"job_id": 32, "wait": 0, "run": 900, "processors": 2, "requested_time": 86_400,
             "user": "hb", "qos": "high", "state": "OUT_OF_MEMORY", "status": 0},
        ),
        {"never-started": 1, "still-running": 1},
        DAY,
    )  # fmt: skip


def accounting_csv() -> Example:
    columns = (
        "job_id,user,account,partition,qos,wallclock_req,nodes_req,processors_req,gpus_req,mem_req,"
        "submit_time,start_time,end_time,run_time,state,name"
    )

    def row(job: int, state: str, *times: str, run: int, **more: object) -> Job:
        submit, start, end = (f"2024-05-01 {time}" if time else "" for time in times)
        return {
            "job_id": job, "user": "user2", "account": "acc1", "partition": "debug",
            "qos": "normal", "wallclock_req": 600, "nodes_req": 1, "processors_req": 1,
            "mem_req": "2000M", "submit_time": submit, "start_time": start, "end_time": end,
            "run_time": run, "state": state, "name": "b", **more,
        }  # fmt: skip

    return Example(
        named(
            columns,
            row(532_209, "COMPLETED", "00:00:00", "00:01:00", "01:01:00", run=3600, user="user1",
                processors_req=10, wallclock_req=172_800),
            row(532_210, "TIMEOUT", "00:01:00", "00:01:00", "00:11:01", run=601),
            row(532_211, "CANCELLED", "00:02:00", "", "00:03:00", run=0),
            row(532_212, "RUNNING", "00:03:00", "00:03:00", "", run=0),
        ),
        (
            {"job_id": 532_209, "wait": 60, "run": 3600, "processors": -1,
             "requested_processors": 10, "requested_time": 172_800, "user": "user1",
             "account": "acc1", "qos": "normal", "partition": "debug", "job_name": "b",
             "state": "COMPLETED", "requested_memory": 200 * 1024},
            {"job_id": 532_210, "wait": 0, "run": 601, "requested_processors": 1,
             "requested_time": 600, "user": "user2", "state": "TIMEOUT", "status": 0},
        ),
        {"never-started": 1, "still-running": 1},
        DAY,
    )  # fmt: skip


EXAMPLES = {
    made.__name__.replace("_", "-"): made()
    for made in (
        pm100, f_data, mit_supercloud, alcf_djc, lassen, frontier, frontier_swf, acme, helios,
        philly, alibaba_2020, alibaba_2023, alibaba_2025, google_2019, wta, gwf, metacentrum,
        mustang, trinity, azure_vm, kestrel, accounting_csv,
    )
}  # fmt: skip
"""By the name of the preset."""


def value_of(result: Imported, name: str, place: int) -> object:
    workload = result.workload
    if name in workload.labels.kinds:
        labels = workload.labels.required(name)
        return labels.names.get(labels.numbers[place].item(), "")
    return workload.column(name)[place].item()


def columns_of(data: bytes) -> set[str]:
    """Return the names of columns in the first line, in a Parquet file or in the first object."""
    if data.startswith(b"PAR1"):
        return set(parquet.read_schema(io.BytesIO(data)).names)
    if data.startswith(b"["):
        return set(json.loads(data)[0])
    return set(data.decode().splitlines()[0].split(","))


def in_order(data: bytes, random: Random) -> bytes:
    """Return a file with its records in random order; comments and names of columns stay ahead."""
    if data.startswith(b"PAR1"):
        records = parquet.read_table(io.BytesIO(data))
        target = io.BytesIO()
        parquet.write_table(records.take(random.sample(range(len(records)), len(records))), target)
        return target.getvalue()
    if data.startswith(b"["):
        objects = json.loads(data)
        return json.dumps(random.sample(objects, len(objects))).encode()
    lines = data.decode().splitlines(keepends=True)
    ahead = sum(line[0] in ";#" for line in lines) or (not lines[0].split(",")[-1][0].isdigit())
    return "".join((*lines[:ahead], *random.sample(lines[ahead:], len(lines) - ahead))).encode()


def check_jobs(result: Imported, example: Example) -> None:
    jobs = [
        {column: value_of(result, column, place) for column in job}
        for place, job in enumerate(example.jobs)
    ]
    assert jobs == [*map(pytest.approx, example.jobs)]
    assert len(result.workload) == len(example.jobs)
    assert result.report.counts("dropped") == example.dropped
    assert result.report.lines_accounted()
    assert result.workload.header.unix_start_time == example.unix_start


def test_every_preset_has_an_example() -> None:
    assert sorted(EXAMPLES) == sorted(DECLARED)


@pytest.mark.parametrize("name", EXAMPLES)
def test_jobs_of_a_preset(name: str) -> None:
    example = EXAMPLES[name]

    result = IMPORTERS.make(name).read(example.data, f"{name}.log")

    check_jobs(result, example)
    assert (result.workload.header.max_procs or 0) == DECLARED[name].get("machine_size", 0)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("seed", range(many(5)))
def test_the_order_of_the_records_changes_nothing(name: str, seed: int) -> None:
    example = EXAMPLES[name]

    result = IMPORTERS.make(name).read(in_order(example.data, Random(seed)), f"{name}.log")

    check_jobs(result, example)


@pytest.mark.parametrize("name", DECLARED)
def test_a_preset_names_its_source_and_schema(name: str) -> None:
    preset = DECLARED[name]

    assert all(preset[key] for key in ("title", "source", "schema"))
    assert len((PRESETS / f"{name}.toml").read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("name", [name for name in DECLARED if "recognise" in DECLARED[name]])
def test_no_other_preset_claims_the_file(name: str) -> None:
    columns = columns_of(EXAMPLES[name].data)

    claims = {
        other: len(preset["recognise"])
        for other, preset in DECLARED.items()
        if "recognise" in preset and columns.issuperset(preset["recognise"])
    }

    assert [other for other, count in claims.items() if count == max(claims.values())] == [name]
    if not EXAMPLES[name].data.startswith(b"PAR1"):
        assert format_of(EXAMPLES[name].data) == name
        return
    with pytest.raises(InputError, match=f"jobs.parquet: has no column .*; write {name}:jobs"):
        IMPORTERS.make("parquet").read(EXAMPLES[name].data, "jobs.parquet")


def test_a_packed_file_is_read_by_the_name_of_the_preset(tmp_path: Path) -> None:
    path = tmp_path / "mustang_release_v1.0beta.csv.gz"
    path.write_bytes(gzip.compress(EXAMPLES["mustang"].data))

    workload, _ = swfx.open_workload(f"mustang:{path}")

    assert workload.processors.tolist() == [48, 24]


def test_the_time_zone_of_a_preset_can_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "djc.csv"
    path.write_bytes(EXAMPLES["alcf-djc"].data)

    workload, _ = swfx.open_workload(f"alcf-djc,timezone=America/Chicago:{path}")

    assert workload.header.unix_start_time == DAY + 5 * 3600


@pytest.mark.parametrize("line", ["; UnixStartTime: 0\n", "; UnixStartTime: -1\n", "; none\n"])
def test_a_clock_without_dates_stays_without(line: str) -> None:
    data = EXAMPLES["frontier-swf"].data.replace(b"; UnixStartTime: 1704067200\n", line.encode())

    workload = IMPORTERS.make("frontier-swf").read(data, "frontier.swf").workload

    assert workload.header.unix_start_time is None
    assert workload.submit.tolist() == [0, 10, 20]


def test_the_log_of_metacentrum(traces: Path) -> None:
    workload, report = swfx.open_workload(f"metacentrum:{traces / 'wagap-2013.swf.gz'}")

    assert (report.kept, report.counts("dropped")) == (17_898, {"still-running": 2})
    queues = workload.labels.required("queue")
    assert Counter(queues.of_jobs()).most_common(3) == [
        ("q_1d", 5_301), ("q_2h", 4_392), ("q_1w", 3_414),
    ]  # fmt: skip
    assert workload.header.unix_start_time == 1_356_996_147
    first = workload[:1]
    assert (first.run.item(), first.processors.item(), first.request.item()) == (56_011, 64, 86_400)
    assert first.requested_memory.item() == 1024**2  # 64 GiB for 64 processors

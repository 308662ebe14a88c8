"""Tables of the study of requested times, with LEE's figures beside those of the log."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from swfx import Workload
from swfx.base.numbers import percent, plural, whole
from utilitysched.analysis.documents import ColumnChart, Description, ResultTable, plain_table
from utilitysched.analysis.estimates import (
    BELOW_FIFTH,
    BELOW_TENTH,
    CONFIDENT_SHARE,
    CUT,
    EXPLAINED,
    MEAN_USE,
    REVISED_SHARE,
    SURVEY,
    TENTHS,
    UNCHANGED_LEVELS,
    ExcludedJobs,
    Group,
    Padding,
    Study,
    Use,
    UserEstimates,
    used_by_tenths,
)

SHOWN = 10
"""Users in the terminal; --json has all."""

CONFIDENT = 4

NO_ANSWERS = "no soft estimates: attach answers with --soft-estimates FILE to study padding"

NOTES = """\
inaccuracy: mean of |time - run time| / time (LEE 5.3.1), of requests and of soft estimates, in %.
LEE: her survey on Blue Horizon, sections 5.3.1 and 5.3.2; other figures are from the logs she \
cites in 5.1.1. Jobs that ran to their limit may have been killed there and are left out."""


def _tables(study: Study) -> list[ResultTable]:
    tables = [_left_out(study), _use(study.use), _groups(study)]
    if study.answers.jobs:
        tables += [_padding(study.padding)]
    if study.levels:
        tables += [_levels(study)]
    return tables


def estimates_description(
    study: Study, jobs: Workload, source: str, users: int | None = None
) -> Description:
    """Return the study of jobs as a document, with the `users` of most jobs, or with all."""
    panels = [replace(table, key=f"table-{i}") for i, table in enumerate(_tables(study), 1)]
    notes = NOTES.splitlines() if study.answers.jobs else [NO_ANSWERS, *NOTES.splitlines()]
    panels[-1] = replace(panels[-1], notes=notes)
    shown = study.users[:users]
    others = len(study.users) - len(shown)
    more = [f"and {plural(others, 'other user')}"] if others else []
    everybody = replace(_users(study, shown), key="users", notes=more)
    requests = study.requests
    wrong = (
        f"Requests of {plural(requests.jobs, 'job')} were wrong by {percent(requests.requests)}%"
    )
    below = f"{percent(study.use.below_fifth)}% of {plural(study.use.jobs, 'job')}"
    sentences = [
        f"{wrong} of the requested time on average.",
        f"{below} used less than a fifth of what they asked for.",
    ]
    if study.answers.jobs:
        sentences.append(
            f"Own best guesses were wrong by {percent(study.answers.soft_estimates)}%, requests "
            f"for the same jobs by {percent(study.answers.requests)}%."
        )
    title = f"Requested times of {source}"
    return Description(title, [*_charts(jobs), *panels], sentences, [everybody])


def _charts(jobs: Workload) -> Iterator[ColumnChart]:
    """Yield how much of the requested times jobs use, and of soft estimates if there are any."""
    tenths = [*(f"{10 * (i + 1)}" for i in range(TENTHS)), "more"]
    for name, expected in (
        ("requested time", jobs.requested_time),
        ("soft estimate", jobs.soft_estimate),
    ):
        if (expected > 0).any():
            shares = 100 * used_by_tenths(jobs.effective_run, expected)
            columns = len(tenths) if shares[-1] else TENTHS  # no job runs beyond its request
            yield ColumnChart(
                f"used-{name.replace(' ', '-')}",
                f"Run time, in % of the {name}",
                "Each column: up to so many %. Had users been right, all jobs would be at 100.",
                "% of jobs",
                tenths[:columns],
                shares[:columns].tolist(),
            )


def _left_out(study: Study) -> ResultTable:
    judged = ExcludedJobs("judged", study.requests.jobs, study.answers.jobs)
    rows = (*study.left_out, judged)
    everything = sum(row.jobs for row in rows), sum(row.answers for row in rows)
    return _asked(
        study,
        2,
        "Jobs judged",
        ["jobs", "all", "with a soft estimate"],
        [
            (row.reason, whole(row.jobs), whole(row.answers))
            for row in (ExcludedJobs("in the log", *everything), *rows)
            if row.jobs or row.answers
        ],
    )


def _asked(
    study: Study, columns: int, caption: str, heads: Sequence[str], rows: Sequence[Sequence[object]]
) -> ResultTable:
    """Return a table; only its first columns if no user has given a soft estimate."""
    some = len(heads) if study.answers.jobs else columns
    return plain_table(heads[:some], [row[:some] for row in rows], caption=caption)


def _use(use: Use) -> ResultTable:
    return plain_table(
        ["", "log (%)", "other logs (%)"],
        [
            ("mean share of the request that is used", percent(use.mean), MEAN_USE),
            ("jobs that use less than a fifth", percent(use.below_fifth), BELOW_FIFTH),
            (
                "jobs that use less than a tenth, of requests over a minute",
                percent(use.below_tenth),
                BELOW_TENTH,
            ),
        ],
        caption=f"Use of requests, {plural(use.jobs, 'job')}",
    )


def _groups(study: Study) -> ResultTable:
    mean = study.user_mean
    users = plural(mean.jobs, "user")
    of_users = (users, percent(mean.requests), "", percent(mean.soft_estimates), "")
    parts = {
        "answers": "with a soft estimate",
        "revised": "  below the request",
        "unchanged": "  the same as the request",
    }
    return _asked(
        study,
        3,
        "Inaccuracy",
        ["", "jobs", "requests\n(%)", "LEE", "soft\nestimates (%)", "LEE"],
        [
            _group("all judged", study.requests),
            ("mean of users' means", *of_users),
            *(
                _group(title, getattr(study, name), SURVEY[name])
                for name, title in parts.items()
                if study.answers.jobs
            ),
        ],
    )


def _group(title: str, group: Group, lee: Group | None = None) -> tuple[str, ...]:
    published = (lee.requests, lee.soft_estimates) if lee else (None, None)
    return (
        title,
        whole(group.jobs),
        percent(group.requests),
        _published(published[0]),
        percent(group.soft_estimates),
        _published(published[1]),
    )


def _padding(padding: Padding) -> ResultTable:
    rows = (
        ("answers below the request: users admit padding", padding.revised, REVISED_SHARE),
        ("mean reduction in these", padding.cut, CUT),
        ("inaccuracy less by: 100 if users knew their run times", padding.explained, EXPLAINED),
        ("soft estimates above the run time (still padded)", padding.overestimates, None),
        ("requests of whole half days", padding.round_requests, None),
        ("soft estimates of whole half days", padding.round_estimates, None),
    )
    return plain_table(
        ["", "log (%)", "LEE (%)"],
        [(title, percent(share), _published(lee)) for title, share, lee in rows],
        caption="Padding of requests",
    )


def _levels(study: Study) -> ResultTable:
    everybody = sum(level.answers.jobs for level in study.levels)
    unchanged = sum(level.unchanged.jobs for level in study.levels)
    rows = [
        (
            str(level.level),
            percent(level.answers.jobs / everybody),
            "",
            percent(level.answers.soft_estimates),
            percent(level.unchanged.jobs / unchanged if unchanged else None),
            _published(UNCHANGED_LEVELS.get(level.level)),
            percent(level.unchanged.soft_estimates),
            percent(
                level.revised.jobs / (everybody - unchanged) if everybody > unchanged else None
            ),
            percent(level.revised.soft_estimates),
        )
        for level in study.levels
    ]
    confident = sum(level.answers.jobs for level in study.levels if level.level >= CONFIDENT)
    last = ("4 or 5", percent(confident / everybody), _published(CONFIDENT_SHARE), *[""] * 6)
    heads = ["confidence\n0 to 5", "answers\n(%)", "\nLEE", "in-\naccuracy"]
    heads += ["same as\nrequest (%)", "\nLEE", "in-\naccuracy"]
    heads += ["below\nrequest (%)", "in-\naccuracy"]
    return plain_table(heads, [*rows, last], caption="Confidence")


def _users(study: Study, users: tuple[UserEstimates, ...]) -> ResultTable:
    heads = ["user", "jobs", "requests\n(%)", "answers", "soft estimates\n(%)"]
    rows = [
        (
            str(user.user),
            whole(user.requests.jobs),
            percent(user.requests.requests),
            whole(user.answers.jobs),
            percent(user.answers.soft_estimates),
            percent(user.revised),
        )
        for user in users
    ]
    return _asked(study, 3, "Users", [*heads, "below\nrequest (%)"], rows)


def _published(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}"

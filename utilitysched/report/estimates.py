"""The estimate study as tables, with LEE's figures beside those of the log."""

from rich.table import Table

from utilitysched.analysis.estimates import ExcludedJobs, Group, Padding, Study, Use, UserFigures
from utilitysched.analysis.estimates.published import (
    BELOW_FIFTH,
    BELOW_TENTH,
    CONFIDENT_SHARE,
    CUT,
    EXPLAINED,
    MEAN_USE,
    REVISED_SHARE,
    SURVEY,
    UNCHANGED_LEVELS,
)
from utilitysched.report.console import console, grid, show
from utilitysched.report.numbers import percent, plural, whole

SHOWN = 10
"""Users that are printed; --json has all."""

CONFIDENT = 4

NO_ANSWERS = "no soft estimates: attach answers with --soft-estimates FILE to study padding"

NOTES = """\
inaccuracy: mean of |time - run time| / time (LEE 5.3.1), of requests and of soft estimates, in %.
LEE: her survey on Blue Horizon, sections 5.3.1 and 5.3.2; other figures from the logs she cites in
5.1.1. Jobs that ran to their limit may have been killed there and are not judged."""


def print_estimates(study: Study, *, shown: int = SHOWN) -> None:
    """Print the study; `shown` users, those with most jobs."""
    to = console()
    tables = [_left_out(study), _use(study.use), _groups(study)]
    if study.answers.jobs:
        tables += [_padding(study.padding)]
    if study.levels:
        tables += [_levels(study)]
    tables += [_users(study.users[:shown])]
    for table in tables:
        show(to, table)
        to.print()
    if len(study.users) > shown:
        to.print(f"and {len(study.users) - shown:,} other users")
    if not study.answers.jobs:
        to.print(NO_ANSWERS)
    to.print(NOTES)


def _left_out(study: Study) -> Table:
    table = grid(["jobs", "all", "with a soft estimate"])
    judged = ExcludedJobs("judged", study.requests.jobs, study.answers.jobs)
    rows = (*study.left_out, judged)
    everything = sum(row.jobs for row in rows), sum(row.answers for row in rows)
    for row in (ExcludedJobs("in the log", *everything), *rows):
        table.add_row(row.reason, whole(row.jobs), whole(row.answers))
    return table


def _use(use: Use) -> Table:
    table = grid([f"use of requests, {plural(use.jobs, 'job')} (%)", "log", "other logs"])
    table.add_row("mean share of the request that is used", percent(use.mean), MEAN_USE)
    table.add_row("jobs that use less than a fifth", percent(use.below_fifth), BELOW_FIFTH)
    table.add_row(
        "jobs that use less than a tenth, of requests over a minute",
        percent(use.below_tenth),
        BELOW_TENTH,
    )
    return table


def _groups(study: Study) -> Table:
    table = grid(["inaccuracy (%)", "jobs", "requests", "LEE", "soft\nestimates", "LEE"])
    _add_group(table, "all judged", study.requests)
    mean = study.user_mean
    table.add_row(
        "mean of users' means",
        plural(mean.jobs, "user"),
        percent(mean.requests),
        "",
        percent(mean.soft_estimates),
    )
    for name, title in (
        ("answers", "with a soft estimate"),
        ("revised", "  below the request"),
        ("unchanged", "  the same as the request"),
    ):
        _add_group(table, title, getattr(study, name), SURVEY[name])
    return table


def _add_group(table: Table, title: str, group: Group, lee: Group | None = None) -> None:
    published = (lee.requests, lee.soft_estimates) if lee else (None, None)
    table.add_row(
        title,
        whole(group.jobs),
        percent(group.requests),
        _published(published[0]),
        percent(group.soft_estimates),
        _published(published[1]),
    )


def _padding(padding: Padding) -> Table:
    table = grid(["are they padded? (%)", "log", "LEE"])
    for title, share, lee in (
        ("answers below the request: users know that they pad", padding.revised, REVISED_SHARE),
        ("mean cut of those", padding.cut, CUT),
        ("inaccuracy less by: 100 if users knew their run times", padding.explained, EXPLAINED),
        ("soft estimates above the run time: padded still", padding.overestimates, None),
        ("requests of whole half days", padding.round_requests, None),
        ("soft estimates of whole half days", padding.round_estimates, None),
    ):
        table.add_row(title, percent(share), _published(lee))
    return table


def _levels(study: Study) -> Table:
    table = grid(
        [
            "confidence\n0 to 5",
            "answers\n(%)",
            "\nLEE",
            "in-\naccuracy",
            "same as\nrequest (%)",
            "\nLEE",
            "in-\naccuracy",
            "below\nrequest (%)",
            "in-\naccuracy",
        ]
    )
    everybody = sum(level.answers.jobs for level in study.levels)
    unchanged = sum(level.unchanged.jobs for level in study.levels)
    for level in study.levels:
        table.add_row(
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
    confident = sum(level.answers.jobs for level in study.levels if level.level >= CONFIDENT)
    table.add_row("4 or 5", percent(confident / everybody), _published(CONFIDENT_SHARE))
    return table


def _users(users: tuple[UserFigures, ...]) -> Table:
    table = grid(
        ["user", "jobs", "requests\n(%)", "answers", "soft estimates\n(%)", "below\nrequest (%)"]
    )
    for user in users:
        table.add_row(
            str(user.user),
            whole(user.requests.jobs),
            percent(user.requests.requests),
            whole(user.answers.jobs),
            percent(user.answers.soft_estimates),
            percent(user.revised),
        )
    return table


def _published(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}"

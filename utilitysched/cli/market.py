"""`utilitysched market`."""

from pathlib import Path

import typer

from utilitysched.cli import shared
from utilitysched.cli.options import days_of, directory_of, option

EPILOG = """\b
Examples:
  utilitysched market sample: --strategy climb
  utilitysched market log.swf.gz --jobs 0:20000 -m first-price -m vcg --strategy exp3
  utilitysched market log.swf.gz --strategy truth --strategy spend --strategy scale:factor=10
"""

NO_BUDGET = "none"


def _share(text: str) -> str:
    """Refuse what is neither a number nor `NO_BUDGET`."""
    if text != NO_BUDGET:
        try:
            float(text)
        except ValueError:
            raise typer.BadParameter(f"{text!r} is neither a share nor {NO_BUDGET}") from None
    return text


def market(
    workload: str = shared.WORKLOAD,
    jobs: slice | None = shared.JOBS,
    procs: int | None = shared.PROCS,
    scheduler: str = option("--scheduler -s NAME", "NAME or NAME:key=value,...", "value-density"),
    mechanism: list[str] | None = option(
        "--mechanism -m NAME",
        "NAME or NAME:key=value,...; repeatable, each is simulated by itself.",
        shown="first-price, vcg",
    ),
    strategy: list[str] | None = option(
        "--strategy NAME",
        "truth, climb, exp3, pace or spend, or a lie about values, with options as in "
        "scale:factor=0.5; repeat to divide the users among several.",
        shown="climb",
    ),
    budget: str = option(
        "--budget SHARE",
        "Budget of a user, as a share of what their jobs are worth at most; 'none' for no limit.",
        "0.5",
        parser=_share,
    ),
    month: int = option(
        "--month TIME", "Time that a grant is for: days, or 30d, 4 weeks.", 30, parser=days_of
    ),
    utilities: str | None = shared.PLAYED_UTILITIES,
    seed: int = shared.SEED,
    utility_seed: int | None = shared.UTILITY_SEED,
    classes: dict[int, int] | None = shared.CLASSES,
    preemption: str | None = shared.PREEMPTION,
    failures: str | None = shared.FAILURES,
    out: Path | None = option(
        "--out -o DIR",
        "Write months, strategies and users as CSV files there.",
        parser=directory_of,
    ),
    page: Path | None = shared.PAGE,
    strict: bool | None = shared.STRICT,
    json: bool = shared.JSON,
    quiet: bool = shared.QUIET,
) -> None:
    """Simulate users with budgets who learn what to bid.

    The log is simulated once, day by day. Each user reports its jobs by a strategy that learns from
    what they earned and were charged. Shows who gains, what each mechanism earns, and whether bids
    settle.
    """
    from swfx.reading.workload_source import WorkloadSource
    from utilitysched.cli.notifier import notifier, noting_compilation, watcher
    from utilitysched.counterfactual.readings import as_read_by
    from utilitysched.market.agents import MarketRules
    from utilitysched.market.agents.study import MarketPlan, study
    from utilitysched.market.audit import AuditSubject
    from utilitysched.report.description import print_description, write_page
    from utilitysched.report.market import market_description
    from utilitysched.report.terminal import print_json
    from utilitysched.runs.plan import RunSeeds

    seeds = RunSeeds.of(seed, utility_seed)
    plan = MarketPlan(
        WorkloadSource(workload, jobs, procs, strict),
        utilities,
        seeds.utilities,
        AuditSubject(
            scheduler,
            tuple(mechanism or as_read_by(scheduler, ("first-price", "vcg"))),
            classes=classes,
            seed=seeds.scheduler,
            preemption=preemption,
            failures=failures,
        ),
        MarketRules(
            tuple(strategy or ("climb",)), None if budget == NO_BUDGET else float(budget), month
        ),
    )
    echo = notifier(quiet=quiet)
    with noting_compilation(echo):
        found = study(plan, out, echo=echo, watch=watcher(quiet=quiet))
    if out:
        echo(f"wrote {', '.join(path.name for path in found.write(out))} in {out}")
    description = market_description(found)
    if page:
        write_page(description, page)
        echo(f"wrote {page}")
    if json:
        print_json(found.document())
    else:
        print_description(description)

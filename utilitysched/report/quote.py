"""Quotes as tables, as JSON, and as lines of CSV."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import ascii_uppercase

from pricing import make_mechanism
from pricing.basis import COLUMN
from pricing.mechanisms.vcg import Vcg
from pricing.outcome import SECONDS_PER_HOUR
from swfx.base.csv_rows import csv_text as rows_text
from swfx.base.numbers import fixed, plural, span
from utilitysched.analysis.documents import Column, Description, ResultTable
from utilitysched.market.quote import Offer, Prospect, Quote, Spread
from utilitysched.report.bill import print_warnings
from utilitysched.report.terminal import print_answer
from utilitysched.runs.snapshot import Snapshot

NOBODY_ELSE = (
    "Later submissions are not considered: they may make the job wait longer and pay more."
)

PLAN_FOLLOWED = (
    "ga's present plan is followed; with a long queue, charges by vcg are computed in "
    "few samples: --replan is more reliable."
)


IN_BANDS = (
    "Charges that rest on others' bids are rounded to 1, 2, 5, 10, 20 and so on: exact ones would"
    " tell what others bid."
)


OTHER_CASES = {
    "re-runnable": "re-\nrunnable",
    "twice as fast": "twice\nas fast",
    "later": "later",
}
"""Headings of the cases beside the job as it is, by name in files."""


def print_quote(quote: Quote) -> None:
    """Print what to expect of a job."""
    print_warnings(quote.snapshot.basis)
    print_answer(quote_description(quote))


def quote_description(quote: Quote) -> Description:
    """Return a quote as a document."""
    times = replace(_times(quote), key="times", caption="When")
    charges = replace(_charges(quote), key="charges", caption="Charges", notes=list(_notes(quote)))
    lead = [*_verdicts(quote), *_head(quote)]
    return Description("What the job would cost", [times, charges], lead)


def document(quote: Quote) -> dict[str, object]:
    """Return the same for machines."""
    snapshot, job, terms = quote.snapshot, quote.job, quote.terms
    return {
        **({COLUMN: snapshot.basis.document()} if snapshot.basis else {}),
        "now": snapshot.now,
        "machine_size": snapshot.machine_size,
        "free": snapshot.free,
        "queued": len(snapshot.queued),
        "running": len(snapshot.running),
        "finished": len(snapshot.finished),
        "scheduler": terms.scheduler,
        "replan": terms.replan,
        "samples": terms.samples,
        "seed": terms.seed,
        "quantiles": list(terms.quantiles),
        "job": job.members,
        "offers": [
            {
                **_offer(offer, terms.quantiles),
                "below_reserve": quote.below_reserve(offer),
                "refusals": list(offer.refusals),
            }
            for offer in quote.offers
        ],
    }


def csv_text(quote: Quote) -> str:
    """Return a line for each utility function, case and figure."""
    shares = [_share(share) for share in quote.terms.quantiles]
    rows = (
        [offer.name, case, factor, prospect.submit, figure, spread.mean, *spread.quantiles]
        for offer in quote.offers
        for case, _, factor, prospect in _cases(offer)
        for figure, spread in _figures(prospect)
    )
    return rows_text(["curve", "case", "factor", "submit", "figure", "mean", *shares], rows)


def _offer(offer: Offer, shares: Sequence[float]) -> dict[str, object]:
    curve = offer.curve
    hurry = offer.hurry
    return {
        "curve": offer.name,
        "utility": [list(point) for point in zip(curve.times, curve.values, strict=True)],
        "now": _prospect(offer.now, shares),
        "twice_as_fast": {
            "factor": hurry.factor,
            "why_not": hurry.why or None,
            "expected": hurry.prospect and _prospect(hurry.prospect, shares),
        },
        "rerunnable": offer.rerunnable and _prospect(offer.rerunnable, shares),
        "later": offer.later and _prospect(offer.later, shares),
        "later_saves": offer.later and _saved(offer.now, offer.later),
    }


def _prospect(prospect: Prospect, shares: Sequence[float]) -> dict[str, object]:
    answer: dict[str, object] = {"submit": prospect.submit}
    for name in ("wait", "turnaround", "completion", "worth"):
        answer[name] = _spread(getattr(prospect, name), shares)
    answer["charges"] = {name: _spread(paid, shares) for name, paid in prospect.charges.items()}
    if (stops := prospect.displaced) is not None:
        answer["displaced"] = {
            "chance": stops.chance,
            "stops": stops.stops,
            "compensation": _spread(stops.compensation, shares),
            "payment": _spread(stops.payment, shares),
        }
    return answer


def _spread(spread: Spread, shares: Sequence[float]) -> dict[str, float]:
    pairs = zip(map(_share, shares), spread.quantiles, strict=True)
    return {"mean": spread.mean, **dict(pairs)}


def _share(share: float) -> str:
    return f"{100 * share:.15g}%"


def _saved(now: Prospect, later: Prospect) -> dict[str, float]:
    return {name: paid.mean - later.charges[name].mean for name, paid in now.charges.items()}


def _cases(offer: Offer) -> Iterator[tuple[str, str, float, Prospect]]:
    """Yield the cases of an offer: name in files, label in tables, factor of the bid, prospect."""
    yield "now", "now", 1.0, offer.now
    if offer.rerunnable is not None:
        yield "re-runnable", "now, re-runnable", 1.0, offer.rerunnable
    hurry = offer.hurry
    if hurry.prospect is not None and hurry.factor is not None:
        yield "twice as fast", f"bid x {hurry.factor:.3g}", hurry.factor, hurry.prospect
    if offer.later is not None:
        yield "later", "later", 1.0, offer.later


def _figures(prospect: Prospect) -> Iterator[tuple[str, Spread]]:
    for name in ("wait", "turnaround", "completion", "worth"):
        yield name, getattr(prospect, name)
    for mechanism, spread in prospect.charges.items():
        yield f"charge by {mechanism}", spread
    if prospect.displaced is not None:
        yield "compensation", prospect.displaced.compensation
        yield "payment to displaced", prospect.displaced.payment


def _head(quote: Quote) -> Iterator[str]:
    snapshot, job, terms = quote.snapshot, quote.job, quote.terms
    yield (
        f"{plural(job.processors, 'processor')} for at most {span(job.request)}, submitted"
        f" at {_when(quote, snapshot.now)}"
    )
    yield (
        f"{terms.scheduler}; {plural(len(snapshot.queued), 'job')} queued,"
        f" {len(snapshot.running):,} running, {snapshot.free:,} of"
        f" {plural(snapshot.machine_size, 'processor')} free{_down(snapshot)}"
    )


def _verdicts(quote: Quote) -> Iterator[str]:
    """Yield for each offer when the job would be done, its worth, and its charges."""
    for offer in quote.offers:
        now = offer.now
        charges = {name: paid.mean for name, paid in now.charges.items()}
        least, most = (bound(charges, key=charges.__getitem__) for bound in (min, max))
        paid = f"{fixed(charges[most])} SU by {most}"
        if fixed(charges[least]) != fixed(charges[most]):
            paid = f"from {fixed(charges[least])} SU by {least} to {paid}"
        yield (
            f"{_lead(quote, offer)}Done {span(now.turnaround.median)} after submission (median),"
            f" worth {fixed(now.worth.mean)} SU and charged {paid} on average."
        )
        yield from (f"{_lead(quote, offer)}{line}" for line in _refused(quote, offer))


def _down(snapshot: Snapshot) -> str:
    """Return the number of failed processors, empty if the machine never fails."""
    if not snapshot.down and snapshot.failures is None:
        return ""
    return f", {sum(outage.processors for outage in snapshot.down):,} down"


def _times(quote: Quote) -> ResultTable:
    shares = [_share(share) for share in quote.terms.quantiles]
    columns = [
        Column("", left=True),
        Column("worth\n(SU)", group=" ", main=True),
        Column("done at\n50%", group=" ", main=True),
        *(
            Column(share, group=event)
            for event in ("starts after", "done after")
            for share in shares
        ),
    ]
    rows = [
        (
            f"{_lead(quote, offer)}{label}",
            fixed(prospect.worth.mean),
            _moment(quote, prospect.completion.median),
            *(_after(seconds) for seconds in prospect.wait.quantiles),
            *(_after(seconds) for seconds in prospect.turnaround.quantiles),
        )
        for offer in quote.offers
        for _, label, _, prospect in _cases(offer)
    ]
    return ResultTable(columns, rows, broken=False)


def _charges(quote: Quote) -> ResultTable:
    """Return a row per offer and mechanism: means of all cases, quantiles of the job as it is."""
    heads = ["", "mean", *map(_share, quote.terms.quantiles)]
    groups = ["", *["charge now (SU)"] * (len(heads) - 1)]
    offers = [
        {case: prospect.charges for case, _, _, prospect in _cases(offer)} for offer in quote.offers
    ]
    for case, heading in OTHER_CASES.items():
        if any(case in charges for charges in offers):
            heads.append(heading)
            groups.append("mean charge (SU)")
    cases = [case for case, heading in OTHER_CASES.items() if heading in heads]
    if "later" in cases:
        heads.append("saves")
        groups.append("mean charge (SU)")
    rows = [
        (
            f"{_lead(quote, offer)}{mechanism}",
            *(fixed(amount) for amount in (paid.mean, *paid.quantiles)),
            *(fixed(charges[case][mechanism].mean) if case in charges else "-" for case in cases),
            *([fixed(paid.mean - charges["later"][mechanism].mean)] if "later" in cases else []),
        )
        for offer, charges in zip(quote.offers, offers, strict=True)
        for mechanism, paid in charges["now"].items()
    ]
    columns = [
        Column(head, left=not place, group=group, main=head == "mean")
        for place, (head, group) in enumerate(zip(heads, groups, strict=True))
    ]
    return ResultTable(columns, rows, broken=False)


def _lead(quote: Quote, offer: Offer) -> str:
    """Return the letter of an offer, ``A: ``; empty for a single offer."""
    place = quote.offers.index(offer)
    return f"{ascii_uppercase[place % 26]}{place // 26 or ''}: " if len(quote.offers) > 1 else ""


def _notes(quote: Quote) -> Iterator[str]:
    terms = quote.terms
    if len(quote.offers) > 1:
        for offer in quote.offers:
            yield f"{_lead(quote, offer)}{offer.name}"
    if terms.later is not None:
        yield f"Later: submitted at {_when(quote, terms.later)}."
    yield f"{plural(terms.samples, 'sample')} of how long jobs run, seed {terms.seed}."
    yield NOBODY_ELSE
    if terms.rounded and any(make_mechanism(name).tells_bids for name in terms.mechanisms):
        yield IN_BANDS
    if terms.scheduler.partition(":")[0] in ("ga", "climb") and not terms.replan:
        yield PLAN_FOLLOWED
    yield from _reserves(quote)
    yield "SU: service units. Times count from the job's submission, as its utility function does."
    for offer in quote.offers:
        lead = _lead(quote, offer)
        yield from (f"{lead}{line}" for line in _stops(offer))
        if offer.hurry.prospect is None:
            yield f"{lead}No bid halves the median turnaround: {offer.hurry.why}."
        else:
            yield f"{lead}{offer.hurry.factor:.3g} times the bid halves the median turnaround."


def _reserves(quote: Quote) -> Iterator[str]:
    """Yield sentences on the reserve charged for later submissions."""
    requested = quote.job.processors * quote.job.request / SECONDS_PER_HOUR
    for mechanism in map(make_mechanism, quote.terms.mechanisms):
        if isinstance(mechanism, Vcg) and mechanism.reserve:
            price = float(mechanism.reserve)
            verb, hour = "", "held"
            if mechanism.settle == "start":
                verb, hour = f"{price * requested:,.2f} SU, ", "requested"
            yield (
                f"Of the charge by {mechanism.label} the reserve for later submissions is"
                f" {verb}{price:g} SU for each processor-hour {hour}."
            )


def _refused(quote: Quote, offer: Offer) -> Iterator[str]:
    """Yield why the job had better not be submitted."""
    if quote.below_reserve(offer):
        yield (
            f"Worth less than {quote.reserve:g} SU per requested processor-hour, even at once:"
            f" {quote.terms.scheduler} starts it in idle time only."
        )
    if offer.refusals:
        yield (
            "Submitting it now does not pay: on average it is charged more than it is worth"
            f" under {', '.join(offer.refusals)}."
        )


def _stops(offer: Offer) -> Iterator[str]:
    """Yield sentences on the risk of a re-runnable job, and the price of displacing jobs."""
    if offer.rerunnable is None or (stops := offer.rerunnable.displaced) is None:
        return
    yield (
        f"Re-runnable: killed for others in {stops.chance:.0%} of the samples, {stops.stops:.2g}"
        f" times on average, for at most {stops.compensation.mean:,.2f} SU where the displaced are"
        " paid."
    )
    if (mine := offer.now.displaced) is not None:
        yield (
            f"It pays {mine.payment.mean:,.2f} SU for the jobs that it displaces, re-runnable"
            f" {stops.payment.mean:,.2f} SU."
        )


def _when(quote: Quote, seconds: float) -> str:
    clock = quote.snapshot.clock
    if clock is None:
        return f"{seconds:.15g} s"
    return f"{clock.date(seconds):%Y-%m-%d %H:%M %Z}"


def _moment(quote: Quote, seconds: float) -> str:
    clock = quote.snapshot.clock
    return f"{seconds:,.0f} s" if clock is None else f"{clock.date(seconds):%m-%d %H:%M}"


def _after(seconds: float) -> str:
    return "at once" if seconds == 0 else span(seconds)

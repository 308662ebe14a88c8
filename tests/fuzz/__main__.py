"""`python -m tests.fuzz`: a long run. Exit code 1 if a reader mistreats a file."""

from __future__ import annotations

import argparse
import time
import warnings

from tests.fuzz import FINDINGS
from tests.fuzz.campaign import Campaign
from tests.fuzz.targets import targets

TURN = 5.0  # s of one target before the next has its turn


def main() -> int:
    """Run, and say what was found."""
    options = _options()
    warnings.simplefilter("error")
    known = targets()
    campaigns = [Campaign(known[name], options.seed) for name in options.targets or known]
    began = time.monotonic()
    while (files := sum(c.files for c in campaigns)) < options.files:
        for campaign in campaigns:
            campaign.run(files=options.files - files, seconds=TURN)
        print(_progress(campaigns, time.monotonic() - began), flush=True)
    for campaign in campaigns:
        print(_summary(campaign))
    findings = [finding for campaign in campaigns for finding in campaign.findings]
    for finding in findings:
        print(f"{finding.save(FINDINGS)}: {finding.problem.splitlines()[-1]}")
    return 1 if findings else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("--files", type=int, default=1_000_000, help="mutated files, at least")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("targets", nargs="*", choices=[[], *targets()], help="by default all")
    return parser.parse_args()


def _progress(campaigns: list[Campaign], seconds: float) -> str:
    files = sum(c.files for c in campaigns)
    findings = sum(len(c.findings) for c in campaigns)
    return f"{files:,} files in {seconds:,.0f} s, {findings} findings"


def _summary(campaign: Campaign) -> str:
    return (
        f"{campaign.target.name}: {campaign.files:,} files, {campaign.accepted:,} accepted,"
        f" slowest {campaign.slowest:.3f} s, {len(campaign.findings)} findings"
    )


if __name__ == "__main__":
    raise SystemExit(main())

"""Former words of files and options, so that files of earlier versions are still read."""

FORMER = {
    "bumped": "preempted",
    "bumper": "preemptor",
    "bumps": "preemptions",
    "bumps_max": "preemptions_max",
    "jobs_bumped": "jobs_preempted",
    "share_bumped": "share_preempted",
}


def current(word: str) -> str:
    """Return today's word for one that may be a former one.

    Examples
    --------
    >>> current("bumps"), current("kills")
    ('preemptions', 'kills')
    """
    return FORMER.get(word, word)

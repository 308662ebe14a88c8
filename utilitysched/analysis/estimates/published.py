"""Published figures of LEE and others, to stand beside those of a log."""

from utilitysched.analysis.estimates.study import Group

SURVEY: dict[str, Group] = {
    "answers": Group(107, 0.61, 0.57),
    "revised": Group(51, 0.68, 0.60),
    "unchanged": Group(56, 0.55, 0.55),
}
"""Valid answers on Blue Horizon (LEE 5.3.1); an unchanged estimate is the request."""

REVISED_SHARE = 51 / 107
"""Of the answers, those that cut the request (LEE 5.3.1)."""

CUT = 0.35
"""Mean cut of those (LEE 5.3.1)."""

EXPLAINED = 1 - 57 / 61
"""Of the inaccuracy of the requests, what the soft estimates take away (from LEE 5.3.1)."""

CONFIDENT_SHARE = 0.70
"""Of the answers, those with a confidence of 4 or 5 (LEE 5.3.2)."""

UNCHANGED_LEVELS: dict[int, float] = {5: 0.60, 4: 0.22, 1: 0.0, 0: 0.0}
"""Of the unchanged answers, by confidence (LEE 5.3.2); of levels 2 and 3 there is no figure."""

MEAN_USE = "29"
"""% of the request that jobs of a Cray T3E used on average (Ward, Mahood, West; in LEE 5.1.1)."""

BELOW_FIFTH = "50 to 60"
"""% of jobs that used less than a fifth of their request, four logs (Cirne, Berman; ibid.)."""

BELOW_TENTH = "35"
"""% of jobs that used less than a tenth of a request of over a minute (Chiang et al.; ibid.)."""

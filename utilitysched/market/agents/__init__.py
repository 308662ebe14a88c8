"""Markets of users with budgets, who learn what to bid.

The log is played once, day by day. What users tell of the jobs of a day is decided by their
strategies, from what became of earlier jobs and from what is left of their budgets.

A strategy is one module in `strategies`; see `strategy`.
"""

from utilitysched.market.agents.play import MarketCourse, MarketRules, play
from utilitysched.market.agents.strategy import STRATEGIES, Ended, Purse, Strategy
from utilitysched.market.agents.summary import MonthRow, StrategyRow, by_month, by_strategy

__all__ = [
    "STRATEGIES",
    "Ended",
    "MarketCourse",
    "MarketRules",
    "MonthRow",
    "Purse",
    "Strategy",
    "StrategyRow",
    "by_month",
    "by_strategy",
    "play",
]

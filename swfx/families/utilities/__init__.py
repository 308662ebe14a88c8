"""Sources of utility functions: models, files of curves, answers to a survey.

Each module that holds a model registers it in `swfx.families.utilities.registry`.
"""

from swfx.families.utilities.curve_file import CurveFile, attach_curves, read_curves
from swfx.families.utilities.elicited import Answers, attach_answers, read_answers
from swfx.families.utilities.registry import UTILITY_MODELS, Drawn, Given, UtilityModel, make_model
from swfx.families.utilities.valuation import Override, Valuation

__all__ = [
    "UTILITY_MODELS",
    "Answers",
    "CurveFile",
    "Drawn",
    "Given",
    "Override",
    "UtilityModel",
    "Valuation",
    "attach_answers",
    "attach_curves",
    "make_model",
    "read_answers",
    "read_curves",
]

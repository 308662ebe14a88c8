"""Forms of nonlinear policies, and how they are fitted to the scores of jobs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from swfx.base.missing import importing
from utilitysched.model.state import Floats

Term = tuple[float, ...]
"""Exponents of p, log10 p, q, log10 q, r and log10 r."""

BASES = {"identity": (1.0, 0.0), "sqrt": (0.5, 0.0), "log10": (0.0, 1.0), "inverse": (-1.0, 0.0)}
"""Base functions of CARASTAN 3.2.3, as exponents of a number and of its logarithm."""

OPERATORS = "+*/"

LOG_R: Term = (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)

_NAMES = ("p", "log10(p)", "q", "log10(q)", "r", "log10(r)")
_LATEX = ("p", r"\log_{10} p", "q", r"\log_{10} q", "r", r"\log_{10} r")


class Observations(NamedTuple):
    """Jobs with the cost to all jobs of starting each of them first.

    Attributes
    ----------
    features : (n, 3) float64
        Run time p (s), processors q, and arrival r after the first job of its tuple (s), each at
        least 1.
    score : (n,) float64
        Share of the cost of all trials that is in those in which the job goes first.
    """

    features: Floats
    score: Floats

    def columns(self, terms: Sequence[Term]) -> Floats:
        """Return the value of each term for each job, (n, k); not finite where undefined."""
        powers = np.array(terms)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            bases = np.stack([self.features, np.log10(self.features)], axis=2).reshape(-1, 6)
            columns: Floats = np.prod(bases[:, np.newaxis, :] ** powers, axis=2)
        return columns

    @property
    def weight(self) -> Floats:
        """Weights of residuals: processor-seconds (CARASTAN equation 3.4), (n,)."""
        weight: Floats = self.features[:, 0] * self.features[:, 1]
        return weight


class FittedForm(NamedTuple):
    """A fitted form.

    Attributes
    ----------
    name : str
        Of its family.
    terms : tuple of Term
        What is summed.
    coefficients : tuple of float
        Of the terms.
    error : float
        Mean absolute error of the scores (CARASTAN equation 3.5).
    """

    name: str
    terms: tuple[Term, ...]
    coefficients: tuple[float, ...]
    error: float

    @property
    def simplified(self) -> tuple[float, ...]:
        """Coefficients over the first one's absolute value: the order of jobs is the same."""
        first = abs(self.coefficients[0])
        return tuple(c / first for c in self.coefficients) if first > 0 else self.coefficients

    @property
    def text(self) -> str:
        """The simplified formula."""
        return self._formula(_NAMES, " ", "{0}^{1:g}")

    @property
    def latex(self) -> str:
        """The simplified formula, for LaTeX's mathematics."""
        return self._formula(_LATEX, r" \, ", "{{{0}}}^{{{1:g}}}")

    def _formula(self, names: Sequence[str], between: str, power: str) -> str:
        formula = ""
        for coefficient, term in zip(self.simplified, self.terms, strict=True):
            factors = [
                name if exponent == 1 else power.format(name, round(exponent, 4))
                for name, exponent in zip(names, term, strict=True)
                if exponent
            ]
            if abs(coefficient) != 1 or not factors:
                factors.insert(0, f"{abs(coefficient):.3g}")
            sign = "-" if coefficient < 0 else "+"
            formula += f" {sign} {between.join(factors)}" if formula else ""
            formula = formula or f"{'-' if coefficient < 0 else ''}{between.join(factors)}"
        return formula


def _form(choice: tuple[str, str, str, str, str]) -> tuple[Term, ...]:
    """Return the terms of a form; products and quotients bind before sums."""
    first, one, second, two, third = choice
    terms: list[list[float]] = []
    for place, (operator, base) in enumerate((("+", first), (one, second), (two, third))):
        factor = [0.0] * 6
        sign = -1.0 if operator == "/" else 1.0
        factor[2 * place : 2 * place + 2] = (sign * exponent for exponent in BASES[base])
        if operator == "+":
            terms.append(factor)
        else:
            terms[-1] = [a + b for a, b in zip(terms[-1], factor, strict=True)]
    return tuple(tuple(term) for term in terms)


def published_forms() -> dict[tuple[Term, ...], int]:
    """Return the 576 forms of CARASTAN 3.2.3, each once, with how many of them it stands for.

    A form is (t1 f1(p)) op (t2 f2(q)) op (t3 f3(r)). Where factors are multiplied or divided, only
    the product of their coefficients can be told, so that each form is linear in those it has.
    """
    forms: dict[tuple[Term, ...], int] = {}
    for choice in product(BASES, OPERATORS, BASES, OPERATORS, BASES):
        terms = _form(choice)
        forms[terms] = forms.get(terms, 0) + 1
    return forms


def polynomial(degree: int) -> tuple[Term, ...]:
    """Return the terms of a polynomial in p, q and r, the highest powers of p first."""
    exponents = (e for e in product(range(degree + 1), repeat=3) if 0 < sum(e) <= degree)
    ordered = sorted(exponents, reverse=True)
    return tuple((float(p), 0.0, float(q), 0.0, float(r), 0.0) for p, q, r in ordered)


def fitted(name: str, terms: tuple[Term, ...], seen: Observations) -> FittedForm | None:
    """Return a form with the coefficients of the least weighted sum of squares.

    None where a term is not finite for some job, as 1 / log10 q is for q = 1.
    """
    columns = seen.columns(terms)
    if not np.isfinite(columns).all():
        return None
    weighted = columns * seen.weight[:, np.newaxis]
    scale = np.linalg.norm(weighted, axis=0)
    scale[scale == 0] = 1.0
    coefficients = np.linalg.lstsq(weighted / scale, seen.score * seen.weight)[0] / scale
    error = float(np.abs(columns @ coefficients - seen.score).mean())
    return FittedForm(name, terms, tuple(coefficients.tolist()), error)


def scipy_optimize() -> Any:
    """Import the optimizers of scipy, an extra.

    Raises
    ------
    InputError
        If scipy is not installed.
    """
    with importing("learning a formula", "scipy"):
        from scipy import optimize  # noqa: PLC0415  slow to import
    return optimize


def fitted_power(seen: Observations) -> FittedForm | None:
    """Return c1 p^a q^b + c2 log10 r with the exponents, too, of the least sum of squares.

    The published winners are of this form with exponents 0.5 and 1, or with log10 p.
    """

    def terms(exponents: Floats) -> tuple[Term, ...]:
        a, b = exponents.tolist()
        return (a, 0.0, b, 0.0, 0.0, 0.0), LOG_R

    def residuals(exponents: Floats) -> Floats:
        columns = seen.columns(terms(exponents))
        # the best coefficients of these exponents: only two numbers are left to be searched for
        weighted = columns * seen.weight[:, np.newaxis]
        goal = seen.score * seen.weight
        residual: Floats = weighted @ np.linalg.lstsq(weighted, goal)[0] - goal
        return residual

    bounds = (0.01, 0.01), (3.0, 3.0)
    fit = scipy_optimize().least_squares(residuals, (0.5, 1.0), bounds=bounds, x_scale=0.1)
    return fitted("power", terms(fit.x), seen)


def all_fits(seen: Observations) -> list[FittedForm]:
    """Return every form that can be fitted, the least mean absolute error first."""
    fits = [fitted("published", terms, seen) for terms in published_forms()]
    fits.append(fitted_power(seen))
    fits.append(fitted("polynomial", polynomial(2), seen))
    return sorted((fit for fit in fits if fit), key=lambda fit: fit.error)

"""Forms of nonlinear policies: found again where the scores are of such a form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from swfx.reading.sources import open_workload
from utilitysched import simulate
from utilitysched.learning.forms import (
    LOG_R,
    FittedForm,
    Observations,
    all_fits,
    fitted,
    polynomial,
    published_forms,
)
from utilitysched.learning.nonlinear import write_fit
from utilitysched.schedulers.orderings.nonlinear import TERMS

F2 = ((0.5, 0.0, 1.0, 0.0, 0.0, 0.0), LOG_R)


@pytest.fixture(scope="module")
def jobs() -> np.ndarray:
    random = np.random.default_rng(1)
    columns = random.integers(1, 90_000, 300), random.integers(1, 200, 300), np.arange(1, 301) * 60
    return np.stack(columns, axis=1).astype(np.float64)


def test_there_are_576_forms_some_of_them_alike() -> None:
    forms = published_forms()

    assert sum(forms.values()) == 576
    assert F2 in forms
    # p q r and p q / (1 / r)
    assert forms[((1.0, 0.0, 1.0, 0.0, 1.0, 0.0),)] == 4


def test_products_bind_before_sums() -> None:
    p, q_over_r = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0, -1.0, 0.0)

    assert (p, q_over_r) in published_forms()


def test_a_form_is_found_again(jobs: np.ndarray) -> None:
    features = Observations(jobs, np.empty(0)).columns(F2)
    seen = Observations(jobs, features @ [3e-9, 7e-5])

    best = all_fits(seen)[0]

    assert best.error == pytest.approx(0, abs=1e-12)
    assert best.terms[0][0] == pytest.approx(0.5)
    assert best.simplified[1] == pytest.approx(7e-5 / 3e-9)


def test_a_power_in_between_is_found(jobs: np.ndarray) -> None:
    terms = ((0.7, 0.0, 1.3, 0.0, 0.0, 0.0), LOG_R)
    columns = Observations(jobs, np.empty(0)).columns(terms)
    seen = Observations(jobs, columns @ [2e-9, 3e-5])

    best = all_fits(seen)[0]

    assert best.name == "power"
    assert (best.terms[0][0], best.terms[0][2]) == pytest.approx((0.7, 1.3), rel=1e-4)


def test_what_is_undefined_for_some_job_is_no_candidate(jobs: np.ndarray) -> None:
    one_processor = jobs.copy()
    one_processor[0, 1] = 1.0
    inverse_of_log = (0.0, 0.0, 0.0, -1.0, 0.0, 0.0)

    assert fitted("", (inverse_of_log,), Observations(one_processor, np.ones(len(jobs)))) is None


def test_a_negative_first_coefficient_keeps_its_sign() -> None:
    fit = FittedForm("", F2, (-2.0, 1.0), 0.0)

    assert fit.simplified == (-1.0, 0.5)
    assert fit.text == "-p^0.5 q + 0.5 log10(r)"
    assert fit.latex == r"-{p}^{0.5} \, q + 0.5 \, \log_{10} r"


def test_a_polynomial_has_no_more_terms_than_a_file() -> None:
    assert len(polynomial(2)) <= TERMS
    assert len(set(polynomial(2))) == 9


def test_a_written_policy_schedules_as_the_formula_says(tmp_path: Path) -> None:
    file = tmp_path / "f2.toml"
    write_fit(file, FittedForm("", F2, (1.0, 2.56e4), 0.0), {"policy": "F2"})
    workload = open_workload("sample:").workload

    written, published = (simulate(workload, name) for name in (f"nonlinear:weights={file}", "f2"))

    assert (written.start == published.start).all()

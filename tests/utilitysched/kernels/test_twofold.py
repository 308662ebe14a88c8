from __future__ import annotations

from fractions import Fraction
from random import Random

from utilitysched.kernels.others_losses import add, product, quotient


def drawn(rng: Random) -> float:
    return rng.choice([-1, 1]) * rng.random() * 10.0 ** rng.randint(-8, 8)


def exact(number: tuple[float, float]) -> Fraction:
    return Fraction(number[0]) + Fraction(number[1])


def test_a_product_is_exact() -> None:
    rng = Random(1)

    for _ in range(200):
        a, b = drawn(rng), drawn(rng)
        assert exact(product(a, b)) == Fraction(a) * Fraction(b)


def test_a_sum_has_twice_the_digits_of_a_float_though_its_parts_cancel() -> None:
    rng = Random(2)

    for _ in range(200):
        a, b = product(drawn(rng), drawn(rng)), product(drawn(rng), drawn(rng))
        close = add((-a[0], -a[1]), (0.0, a[0] * 1e-9))
        for other in (b, close):
            total = add(a, other)
            wanted = exact(a) + exact(other)
            assert abs(exact(total) - wanted) <= abs(wanted) / 2**100
            assert total[0] == float(exact(total))


def test_a_quotient_has_twice_the_digits_of_a_float() -> None:
    rng = Random(3)

    for _ in range(200):
        a, b = product(drawn(rng), drawn(rng)), abs(drawn(rng))
        wanted = exact(a) / Fraction(b)
        assert abs(exact(quotient(a, b)) - wanted) <= abs(wanted) / 2**98

"""The models that `model:NAME` and `swfx.families.generators.find_model` know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol, TypeVar

from swfx.base.errors import InputError
from swfx.base.options import nearest
from swfx.base.registry import check_free
from swfx.workload import Workload


class Generated(NamedTuple):
    """A workload from a model, and what there is to say about it (one sentence each)."""

    workload: Workload
    notes: tuple[str, ...]


class WorkloadModel(Protocol):
    """Anything that makes a workload from a number of jobs and a seed."""

    def generate(self, jobs: int, seed: int) -> Generated:
        """Make a workload of `jobs` jobs; the same seed makes the same workload."""

    def to_options(self) -> Mapping[str, str]:
        """Texts from which `from_options` of its class makes the same model."""


class ModelType(Protocol):
    """A model's class, which can read its parameters from text options."""

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> WorkloadModel:
        """Model from texts by parameter name; `jobs` and `seed` are not among them."""

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        """All names that `from_options` knows."""


MODELS: dict[str, ModelType] = {}
"""Workload models by name."""
Model = TypeVar("Model", bound=ModelType)


def register(name: str) -> Callable[[Model], Model]:
    """Class decorator that enters a model under a name."""

    def enter(model: Model) -> Model:
        check_free("model", name, MODELS.get(name), model)
        MODELS[name] = model
        return model

    return enter


def find_model(name: str) -> ModelType:
    """Model by name.

    Raises
    ------
    InputError
        An unknown name; the message lists the known ones.
    """
    if name not in MODELS:
        raise InputError(
            f"no model is named {name!r}", source="model", remedy=nearest(name, MODELS)
        )
    return MODELS[name]

"""A module in evaluation mode beside the module itself, whose own mode stays as it is."""

from __future__ import annotations

import copy
from typing import TypeVar

from torch import nn

Module = TypeVar("Module", bound=nn.Module)


def in_evaluation(module: Module) -> Module:
    """The same module in evaluation mode: it shares all weights and buffers, but not the mode.

    Threads that share a module must not switch its mode: whoever computes with it meanwhile would
    get dropout, or lose it. This costs microseconds, so make one for each call.

    Examples
    --------
    >>> model = nn.Sequential(nn.Linear(2, 2), nn.Dropout())
    >>> view = in_evaluation(model)
    >>> view.training, model.training, view[0].weight is model[0].weight
    (False, True, True)
    """
    return _view(module, {})


def _view(module: Module, seen: dict[int, nn.Module]) -> Module:
    # A module that occurs twice must still be one: a PowerMean that both levels share.
    found = seen.get(id(module))
    if found is None:
        if "forward" in vars(module):
            # A function of its own, such as torch.compile sets, computes with the module itself;
            # a copy would be compiled again.
            is_trained = any(part.training for part in module.modules())
            found = copy.deepcopy(module).eval() if is_trained else module
        else:
            found = copy.copy(module)
            children = module._modules.items()
            vars(found)["_modules"] = {
                name: None if child is None else _view(child, seen) for name, child in children
            }
            found.training = False
        seen[id(module)] = found
    return found  # type: ignore[return-value]

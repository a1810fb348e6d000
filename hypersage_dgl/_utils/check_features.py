"""The rules that features must meet, wherever they enter."""

from __future__ import annotations

import torch
from torch import Tensor

from .compressed import check_distinct, check_sparse_tensor
from .sparse import is_half, is_mapped, is_sparse

# Rows, or stored entries, that are looked at at once.
PART = 262_144


def is_autocast(feat: object) -> bool:
    """Whether torch converts types by itself on the device of these features."""
    if not isinstance(feat, Tensor):
        return False
    try:
        return torch.is_autocast_enabled(feat.device.type)
    except TypeError:  # before torch 2.4
        is_cpu = feat.device.type == "cpu"
        return torch.is_autocast_cpu_enabled() if is_cpu else torch.is_autocast_enabled()


def check_summable(feat: Tensor) -> None:
    """Refuse features of the one float type that DGL cannot sum on the CPU."""
    if feat.dtype == torch.float16 and feat.device.type == "cpu":
        raise TypeError(
            "features are of type torch.float16, which DGL cannot sum on the CPU; convert "
            "them, and the model, to torch.float32 or torch.bfloat16"
        )


def check_feat(
    feat: Tensor,
    columns: int | None = None,
    *,
    rows: int | None = None,
    dtype: torch.dtype | None = None,
    finite: bool = False,
    distinct: bool = True,
    stored: bool = False,
) -> None:
    """Refuse features, dense or sparse, that cannot work.

    Parameters
    ----------
    feat
        What was given as features.
    columns, rows
        Width that the model takes, and the number of nodes; None for any.
    dtype
        Type of the model's weights; None for any floating type.
    finite
        Whether to look for NaN and infinite values, which reads all.
    distinct
        Whether to refuse an entry that sparse features store twice; a linear map need not.
    stored
        Whether rows are taken one by one, and those of a mapped file of float16 as float32.

    Examples
    --------
    >>> check_feat(torch.rand(3, 2), 5)
    Traceback (most recent call last):
    ValueError: features have shape (3, 2); the model takes 5 columns, a row for each node
    """
    if not isinstance(feat, Tensor):
        raise TypeError(
            f"features are a {type(feat).__name__}; give a torch tensor, such as torch.from_numpy "
            "makes of an array"
        )
    shape = tuple(feat.shape)
    if feat.dim() != 2 or columns not in (None, shape[1]):
        width = "2 dimensions" if columns is None else f"{columns} columns"
        raise ValueError(
            f"features have shape {shape}; the model takes {width}, a row for each node"
        )
    if rows not in (None, shape[0]):
        raise ValueError(
            f"{shape[0]} rows of features for {rows} nodes, in the shape {shape}; give one for each"
        )
    if not feat.is_floating_point():
        wanted = dtype or torch.get_default_dtype()
        raise TypeError(
            f"features are of type {feat.dtype}, but must be floats; convert them with "
            f"feat.to({wanted})"
        )
    taken = torch.float32 if stored and is_mapped(feat) and is_half(feat) else feat.dtype
    if dtype not in (None, taken):
        raise TypeError(
            f"features are of type {feat.dtype} and the model's weights of {dtype}; convert the "
            f"features with feat.to({dtype})"
        )
    if is_sparse(feat):
        # Before anything follows its indices.
        check_sparse_tensor(feat)
        if distinct:
            check_distinct(feat)
    if finite:
        values = feat.to_sparse_csr().values() if is_sparse(feat) else feat
        # In parts: features of a mapped file may be more than memory holds.
        parts = (values[start : start + PART] for start in range(0, len(values), PART))
        if not all(bool(torch.isfinite(part).all()) for part in parts):
            raise ValueError("features hold NaN or infinite values; replace or impute them")

"""What features, labels and splits of a labelled hypergraph must be, and tensors made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from scipy import sparse
from torch import Tensor

from .._utils import (
    check_distinct,
    check_matrix,
    check_sparse_tensor,
    csr_from_scipy,
    is_mapped,
    is_sparse,
)
from .splits import PARTS, Split, check_split

# Without names for them, more classes than this need as many nodes.
MOST_CLASSES = 100_000


def as_feat(feat: Any, num_nodes: int, name: str) -> Tensor | None:
    """Features as a float32 tensor with a row for each node, dense or CSR; None stays None."""
    if feat is None:
        return None
    if is_mapped(feat) and len(feat) == num_nodes:
        return feat  # as it is on disk
    if sparse.issparse(feat):
        # scipy itself follows a wrong column index out of its memory.
        check_matrix(feat, f"the features of {name}")
        feat = sparse.csr_matrix(feat)
        check_matrix(feat, f"the features of {name}")
        if not feat.has_canonical_format:
            # A copy, for it is the caller's: repeated entries are one, as everywhere in scipy.
            feat = feat.copy()
            feat.sum_duplicates()
    elif isinstance(feat, np.ndarray):
        feat = torch.from_numpy(feat)
    elif not isinstance(feat, Tensor):
        raise TypeError(
            f"features are a {type(feat).__name__}; they must be a tensor, an array or a sparse "
            "matrix of scipy"
        )
    if feat.ndim != 2 or feat.shape[0] != num_nodes:
        raise ValueError(
            f"the features have the shape {tuple(feat.shape)}, but {name} has {num_nodes} nodes; "
            "give one row for each"
        )
    feat = _float32(feat, name)
    if not isinstance(feat, Tensor):
        return csr_from_scipy(feat)
    if is_sparse(feat):
        check_sparse_tensor(feat, f"the features of {name}")
        feat = feat.to_sparse_csr()
        check_distinct(feat, f"the features of {name}")
    return feat


def _float32(feat: Any, name: str) -> Any:
    """Real numbers of any width as float32, unless that makes them infinite."""
    dtype = str(feat.dtype).removeprefix("torch.")
    if dtype == "float32":
        return feat
    if not dtype.startswith(("float", "int", "uint", "bool")):
        raise ValueError(f"the features of {name} are {dtype}; they must be real numbers")
    with np.errstate(over="ignore"):
        made = feat.float() if isinstance(feat, Tensor) else feat.astype(np.float32)
    if not bool((np.isfinite(_values(made)) | ~np.isfinite(_values(feat))).all()):
        raise ValueError(
            f"the features of {name} have numbers beyond float32, which goes to 3.4e38; scale them"
        )
    return made


def _values(feat: Any) -> Any:
    if not isinstance(feat, Tensor):
        return feat.data
    return (feat.to_sparse_csr().values() if is_sparse(feat) else feat).detach().cpu().numpy()


def as_feature_names(names: Sequence[str], feat: Tensor | None) -> tuple[str, ...]:
    """Names of the features, one for each column, or none."""
    names, columns = tuple(names), 0 if feat is None else feat.shape[1]
    if names and len(names) != columns:
        raise ValueError(f"{len(names)} feature names for {columns} features; give one for each")
    return names


def as_labels(labels: Any, num_nodes: int, class_names: Sequence[str], name: str) -> Tensor | None:
    """Classes as int64, -1 without one, or rows of 0 and 1; None stays None."""
    if labels is None:
        return None
    if getattr(labels, "ndim", 1) == 2:
        return _multi_label(torch.as_tensor(labels), num_nodes, name)
    found, classes = _int64(labels, "labels"), len(class_names)
    if len(found) != num_nodes:
        raise ValueError(
            f"there are {len(found)} labels for the {num_nodes} nodes of {name}; give one for "
            "each, -1 where a node has no class"
        )
    low, high = (int(found.min()), int(found.max())) if num_nodes else (0, -1)
    if class_names and not (low >= -1 and high < classes):
        raise ValueError(
            f"labels go from {low} to {high}; with the {classes} classes {tuple(class_names)} they "
            f"must go from 0 to {classes - 1}, or be -1 where a node has no class"
        )
    if not class_names and high >= max(num_nodes, MOST_CLASSES):
        raise ValueError(
            f"label {high} makes {high + 1:,} classes of the {num_nodes} nodes of {name}; number "
            "the classes from 0 without gaps"
        )
    if low < -1:
        raise ValueError(
            f"labels go from {low} to {high}; they must count from 0, or be -1 where a node has no "
            "class"
        )
    return found


def as_numbers(numbers: Any, num_nodes: int, name: str) -> Tensor | None:
    """A float32 number for each node, NaN where it is not known; None stays None."""
    if numbers is None:
        return None
    given = numbers.detach().cpu() if isinstance(numbers, Tensor) else torch.as_tensor(numbers)
    if tuple(given.shape) != (num_nodes,) or given.is_complex():
        raise ValueError(
            f"the numbers have the shape {tuple(given.shape)} and the type {given.dtype}, but "
            f"{name} has {num_nodes} nodes; give one real number for each, NaN where it is not "
            "known"
        )
    # A copy: what was checked must not change with its maker's array.
    made = given.to(torch.float32, copy=True)
    if bool(made.isinf().any()):
        raise ValueError(f"the numbers of {name} have infinite values, or some beyond float32")
    return made


def as_splits(splits: Sequence[Split], num_nodes: int, name: str) -> tuple[Split, ...]:
    """All splits with int64 tensors of ids, each node at most once in a split."""
    made = []
    for number, split in enumerate(splits, start=1):
        parts = zip(PARTS, split)
        ids = (_int64(ids, f"{part} nodes of split {number}") for part, ids in parts)
        made.append(Split(*ids))
        check_split(made[-1], num_nodes, f"split {number} of {name}")
    return tuple(made)


def _multi_label(labels: Tensor, num_nodes: int, name: str) -> Tensor:
    if len(labels) != num_nodes:
        raise ValueError(
            f"the labels have the shape {tuple(labels.shape)}, but {name} has {num_nodes} nodes; "
            "give one row for each"
        )
    # A row of -1 is that of a node whose labels are not known.
    is_known = ~(labels == -1).all(dim=1) if labels.shape[1] else slice(None)
    if not bool(((labels == 0) | (labels == 1))[is_known].all()):
        raise ValueError(
            f"the labels have the shape {tuple(labels.shape)} and other values than 0 and 1; give "
            "one class for each node, or rows of 0 and 1 with a column for each class"
        )
    return labels


def _int64(values: Any, what: str) -> Tensor:
    array = values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        shape = "" if array.ndim == 1 else f" of shape {array.shape}"
        raise TypeError(f"{what} are {array.dtype}{shape}; they must be integers in one flat array")
    if array.size and int(array.max()) >= 2**63:
        raise ValueError(f"{what} have {int(array.max())}; numbers go up to 2**63 - 1")
    if isinstance(values, Tensor) and values.dtype == torch.int64:
        return values.detach().cpu()
    # A copy: what was checked must not change with its maker's array.
    return torch.from_numpy(array.astype(np.int64))

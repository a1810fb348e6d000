"""What was derived from a graph, kept as long as the graph and all that was read stay the same."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import dgl
import torch
from torch import Tensor

Derived = TypeVar("Derived")
# The tensors that were read, and how often each had been changed in place.
Read = tuple["weakref.ref[Tensor]", tuple[int, ...]]
Stamp = tuple[Any, tuple[Read, ...]]
Results = dict[Hashable, tuple[Stamp, Any]]
_Entry = tuple["weakref.ref[Any]", Results]


class GraphCache:
    """Results by graph and key, outside of the graphs' own data.

    A result is kept under the graph's own index, which every change of the structure replaces,
    even one in place, and holds only while the tensors that it was made of are the same objects,
    unchanged. Nothing is kept of tensors that need a gradient. Threads may share a cache: at worst
    two of them make the same result. It is a cache and not state: copies and pickles start empty,
    and it keeps no graph alive.

    Examples
    --------
    >>> g, cache = dgl.graph(([0, 1], [1, 2])), GraphCache()
    >>> first = cache.get(g, "degrees", g.in_degrees)
    >>> cache.get(g, "degrees", g.in_degrees) is first
    True
    >>> g.add_edges([2], [0])
    >>> cache.get(g, "degrees", g.in_degrees)
    tensor([1, 1, 1])
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # By the id of a graph's index, with a reference that tells whether it still is that index.
        self._kept: dict[int, _Entry] = {}

    def __reduce__(self) -> tuple[type[GraphCache], tuple[()]]:
        return GraphCache, ()

    def get(
        self,
        graph: dgl.DGLGraph,
        key: Hashable,
        make: Callable[[], Derived],
        reads: Sequence[Tensor | None] = (),
        given: Any = None,
    ) -> Derived:
        """The kept result of ``make()``, or a new one.

        Parameters
        ----------
        graph
            The graph that ``make`` reads the structure of. The result must not hold it.
        key
            Tells this result from others of the same graph.
        make
            Computes the result.
        reads
            The tensors besides the structure that ``make`` reads, such as weights. A change that
            torch does not count, as through ``.numpy()``, goes unseen.
        given
            What else decides the result: where it is not equal, a new one takes the place.
        """
        read = [tensor for tensor in reads if tensor is not None]
        if any(tensor.requires_grad for tensor in read):
            return make()
        # Taken before: what changes while the result is made is not what it was made of.
        stamp = (given, tuple((weakref.ref(tensor), _version(tensor)) for tensor in read))
        results = self._results(graph._graph)
        found = results.get(key)
        if found is not None and _is_same(found[0], read, given):
            return found[1]
        # Or a first call in inference mode would leave tensors that cannot be trained with.
        with torch.inference_mode(False), torch.no_grad():
            result = make()
        results[key] = (stamp, result)
        return result

    def _results(self, index: Any) -> Results:
        """What is kept of the graph with this index; DGL's indices have no hash."""
        with self._lock:
            entry = self._kept.get(id(index))
            if entry is None or entry[0]() is not index:
                kept, number = self._kept, id(index)
                # Its number may be another index's by the time that it is asked for again.
                entry = (weakref.ref(index, lambda _: kept.pop(number, None)), {})
                kept[number] = entry
            return entry[1]


def _is_same(stamp: Stamp, read: Sequence[Tensor], given: Any) -> bool:
    options, seen = stamp
    return (
        bool(options == given)
        and len(seen) == len(read)
        and all(
            ref() is tensor and version == _version(tensor)
            for (ref, version), tensor in zip(seen, read)
        )
    )


def _version(tensor: Tensor) -> tuple[int, ...]:
    """How often it was changed in place, and where it lies: ``x.data = y`` counts no change."""
    parts = [tensor]
    if tensor.layout == torch.sparse_csr:
        parts = [tensor.values(), tensor.col_indices(), tensor.crow_indices()]
    elif tensor.layout == torch.sparse_coo:
        parts = [tensor._values(), tensor._indices()]
    # Tensors of inference mode count no changes, and can hardly be changed.
    return tuple(
        number
        for part in parts
        for number in (0 if part.is_inference() else part._version, part.data_ptr())
    )

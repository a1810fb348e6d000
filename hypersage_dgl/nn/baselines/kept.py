"""What a model derives from a graph once and keeps, outside of the graph's own data."""

from __future__ import annotations

import weakref
from typing import Any, Callable, Generic, TypeVar

import dgl
from torch import Tensor

from ...hypergraphs import HYPEREDGE, IN, NODE

Derived = TypeVar("Derived")


class Kept(Generic[Derived]):
    """The last result of ``derive(graph, *tensors)``, as long as all of them stay what they were.

    It is derived anew for another graph or tensor, after nodes or edges were added or removed, and
    after weights or one of the tensors changed. A cache, not state: copies and pickles start empty,
    and it keeps no graph alive that is not part of the result.

    Examples
    --------
    >>> from hypersage_dgl import hypergraph
    >>> g = hypergraph([[0, 1, 2], [2, 3]])
    >>> sizes = Kept(lambda graph: graph.in_degrees(etype="in"))
    >>> sizes(g), sizes(g) is sizes(g)
    (tensor([3, 2]), True)
    """

    def __init__(self, derive: Callable[..., Derived]) -> None:
        self.derive = derive
        self._sources: tuple[weakref.ref[Any], ...] = ()
        self._state: tuple[int, ...] = ()
        self._result: Derived | None = None

    def __reduce__(self) -> tuple[type[Kept[Derived]], tuple[Callable[..., Derived]]]:
        return Kept, (self.derive,)

    def __call__(self, graph: dgl.DGLGraph, *tensors: Tensor) -> Derived:
        """The kept result if it still holds, else a new one."""
        watched = [*_weights(graph), *tensors]
        state = (*_counts(graph), *map(_version, watched))
        sources = [graph, *watched]
        is_same = len(sources) == len(self._sources) and state == self._state
        if is_same and all(ref() is source for ref, source in zip(self._sources, sources)):
            assert self._result is not None
            return self._result
        result = self.derive(graph, *tensors)
        self._sources, self._state = tuple(map(weakref.ref, sources)), state
        self._result = result
        return result


def _version(tensor: Tensor) -> int:
    # Tensors of torch.inference_mode count no changes, and can hardly be changed.
    return 0 if tensor.is_inference() else tensor._version


def _weights(graph: dgl.DGLGraph) -> list[Tensor]:
    frames = (graph.nodes[HYPEREDGE].data, graph.edges[IN].data)
    return [frame["weight"] for frame in frames if "weight" in frame]


def _counts(graph: dgl.DGLGraph) -> tuple[int, int, int]:
    return graph.num_nodes(NODE), graph.num_nodes(HYPEREDGE), graph.num_edges(IN)

"""Random hypergraphs for property tests: hypothesis draws the structure, torch the numbers."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass

import torch
from hypothesis import strategies as st
from oracle import Case

import hypersage_dgl

WIDTH = 3


@dataclass
class Drawn:
    """A drawn hypergraph with its weights, and features on demand."""

    hyperedges: list[list[int]]
    num_nodes: int
    weighted: bool
    seed: int
    idtype: torch.dtype

    def numbers(self, salt: int) -> torch.Generator:
        return torch.Generator().manual_seed(self.seed * 8 + salt)

    @property
    def hyperedge_weight(self):
        if not self.weighted:
            return None
        return self.positive(len(self.hyperedges), salt=0)

    @property
    def incidence_weight(self):
        if not self.weighted:
            return None
        return self.positive(sum(len(e) for e in self.hyperedges), salt=1)

    def positive(self, count: int, salt: int) -> torch.Tensor:
        """Draw positive float32 numbers from 0.001 to 1000."""
        return 10 ** (torch.rand(count, generator=self.numbers(salt)) * 6 - 3)

    def graph(self):
        return hypersage_dgl.hypergraph(
            self.hyperedges,
            self.num_nodes,
            hyperedge_weight=self.hyperedge_weight,
            incidence_weight=self.incidence_weight,
            idtype=self.idtype,
        )

    def features(self, signed: bool = False, least: float = 0.0, width: int = WIDTH):
        """Draw float64 features that float32 holds exactly: a third zeros, the rest of any size."""
        numbers = self.numbers(2)
        shape = (self.num_nodes, width)
        x = torch.rand(shape, generator=numbers) * 3
        scale = torch.randint(-2, 2, shape, generator=numbers)
        x = x * 10.0**scale * (torch.rand(shape, generator=numbers) > 1 / 3)
        if signed:
            x = x * (torch.randint(0, 2, shape, generator=numbers) * 2 - 1)
        return (x + least).double()

    def case(self, x: torch.Tensor, p: tuple[float, float], **options) -> Case:
        """Pose the same question to the oracle."""
        weights = self.incidence_weight
        pairs = [(v, e) for e, members in enumerate(self.hyperedges) for v in members]
        return Case(
            self.hyperedges,
            x.tolist(),
            p=p,
            hyperedge_weight=None if not self.weighted else self.hyperedge_weight.tolist(),
            incidence_weight={} if weights is None else dict(zip(pairs, weights.tolist())),
            **options,
        )


@st.composite
def hypergraphs(draw, max_nodes: int = 9, max_hyperedges: int = 7, weighted: bool | None = None):
    """Draw overlapping, equal and singleton hyperedges, isolated nodes, weights, both id types."""
    connected = draw(st.integers(1, max_nodes))
    # A set of nodes is a number whose bits say who is in: drawn evenly, unlike a list of lists.
    count = draw(st.integers(0, max_hyperedges))
    mask = st.integers(1, 2**connected - 1)
    masks = draw(st.lists(mask, min_size=count, max_size=count))
    if masks and draw(st.booleans()):
        masks.append(draw(st.sampled_from(masks)))
    if draw(st.booleans()):
        masks.append(1 << draw(st.integers(0, connected - 1)))
    seed = zlib.crc32(repr((masks, draw(st.integers(0, 2**32)))).encode())
    shuffle = random.Random(seed)
    members = [[v for v in range(connected) if mask >> v & 1] for mask in masks]
    return Drawn(
        [shuffle.sample(m, len(m)) for m in members],
        connected + draw(st.integers(0, 2)),
        draw(st.booleans()) if weighted is None else weighted,
        seed,
        draw(st.sampled_from([torch.int64, torch.int32])),
    )

"""Features of hyperedges, mixed into what their members give them."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor, nn

from .._utils import require_count
from ..hypergraphs import HYPEREDGE
from .stage import Stage

FEAT = "feat"
MakeMap = Callable[[int, int], nn.Module]


class HyperedgeMix(nn.Module):
    """U f_e, the rows that features of hyperedges add to F1.

    Parameters
    ----------
    hyperedge_feats, in_feats
        Width of the features of hyperedges, and of the layer.
    make
        Makes a module for these two widths in the place of U, a linear map without bias: of that,
        features of zero change nothing.
    """

    def __init__(self, hyperedge_feats: int, in_feats: int, make: MakeMap | None = None) -> None:
        super().__init__()
        self.feats = require_count(hyperedge_feats, "hyperedge_feats")
        self.width = in_feats
        self.map = make(self.feats, in_feats) if make else _linear(self.feats, in_feats)

    def reset_parameters(self) -> None:
        """Draw all weights again."""
        for module in self.map.modules():
            if callable(reset := getattr(module, "reset_parameters", None)):
                reset()

    def forward(self, intra: Stage) -> Tensor:
        """A row for each hyperedge of the stage, from its data ``feat``."""
        feat = intra.graph.dstnodes[HYPEREDGE].data.get(FEAT)
        wanted = (intra.num_destinations, self.feats)
        if feat is None or tuple(feat.shape) != wanted:
            shown = "there are none" if feat is None else f"they have shape {tuple(feat.shape)}"
            raise ValueError(
                f"the layer takes features of hyperedges of shape {wanted}, and {shown}; set "
                f"g.nodes['{HYPEREDGE}'].data['{FEAT}']"
            )
        dtype = next((p.dtype for p in self.parameters()), feat.dtype)
        out = self.map(feat.to(dtype))
        if out.shape != (len(feat), self.width):
            raise ValueError(
                f"hyperedge_map makes rows of shape {tuple(out.shape)}; the layer needs "
                f"{(len(feat), self.width)}"
            )
        return out


def _linear(feats: int, width: int) -> nn.Module:
    return nn.Linear(feats, width, bias=False)

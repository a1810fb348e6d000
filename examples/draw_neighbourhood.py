"""A picture of what one node sees: its hyperedges and their members.

    python examples/draw_neighbourhood.py --package whois

How it works:

    main
    ├── load                 Debian packages; a hyperedge is what a package depends on, or a source
    ├── neighbourhood        [HIGHLIGHT] cut a hypergraph with dgl's and this library's functions
    └── draw_hypergraph      hyperedges as hulls, classes as colours (matplotlib, the extra `viz`)
"""

from __future__ import annotations

import argparse

from hypersage_dgl import induced, remove_hyperedges
from hypersage_dgl.convert import Named
from hypersage_dgl.data import load
from hypersage_dgl.drawing import draw_hypergraph, save_figure

import dgl
import torch
from torch import Tensor


def neighbourhood(g: dgl.DGLGraph, node: int) -> tuple[dgl.DGLGraph, Tensor]:
    """The hyperedges of a node with all their members, and the ids of these."""
    joined = g.successors(node, etype="in")
    members = g.in_edges(joined, etype="in")[0].unique()
    is_other = torch.ones(g.num_nodes("hyperedge"), dtype=torch.bool)
    is_other[joined] = False
    # Members are in hyperedges without the node, too.
    return induced(remove_hyperedges(g, is_other.nonzero().flatten()), members), members


def main() -> None:
    """Draw what one package sees."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--package", default="whois", help="(default: %(default)s)")
    parser.add_argument("--out", default=".", help="folder of the picture (default: here)")
    args = parser.parse_args()

    debian = load("debian")
    if args.package not in debian.node_names:
        parser.error(f"{args.package} is none of the {debian.num_nodes} packages")
    g, members = neighbourhood(debian.graph, debian.node_names.index(args.package))
    if g.num_nodes("hyperedge") == 0:
        parser.error(f"{args.package} is in no hyperedge; take another package")
    print(f"{args.package}: {g.num_nodes('hyperedge')} hyperedges, {len(members)} members")
    packages = [debian.node_names[i] for i in members]
    named = Named(g, packages, class_names=debian.class_names)
    figure = draw_hypergraph(named, debian.labels[members])
    for path in save_figure(figure, args.out, args.package):
        print(path)


if __name__ == "__main__":
    main()

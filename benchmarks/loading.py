"""Loading: starting Python with each library, opening dblp, building of lists.

Peers have no reader that checks what it reads; their hypergraphs start from lists in memory. PyG
keeps the incidences as they come, so there is nothing to build.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec

from hypersage_dgl import hypergraph
from hypersage_dgl.data import LabelledHypergraph, load

from .measure import Case, Comparison, Settings, Step
from .peers import present
from .training import opened

LIBRARIES = ("dgl", "torch_geometric", "dhg", "hypertorch")


def comparisons(settings: Settings) -> Iterator[Comparison]:
    """Imports in fresh processes; open; build."""
    _, missing = present()
    there = [name for name in LIBRARIES if find_spec(name) is not None]
    # Ours first where it is DGL: it sets what DGL would ask for.
    cases = [Case("hypersage_dgl", partial(started, "hypersage_dgl"))]
    cases += [Case(name, partial(started, name), True) for name in there if name != "dgl"]
    yield Comparison("import", cases, settings.repeats(3), missing, weighed=False)
    cases = [Case("ours, from the cache", partial(open_again, settings))]
    yield Comparison("open", cases, settings.repeats(5))
    cases = [Case("ours", partial(ours, settings), goal=1.0)]
    cases += [Case("DHG", partial(of_dhg, settings), True)] if "dhg" in there else []
    cases += [Case("XGI", partial(of_xgi, settings), True)] if find_spec("xgi") else []
    yield Comparison("build from lists", cases, settings.repeats(3))


def started(name: str) -> Step:
    """A fresh Python that imports a library."""
    return lambda: subprocess.run([sys.executable, "-c", f"import {name}"], check=True)


def open_again(settings: Settings) -> Step:
    """Open, check, build the hypergraph with its features and splits."""
    return lambda: load(settings.dataset, data_dir=settings.data_dir)


def lists_of(data: LabelledHypergraph) -> list[list[int]]:
    """Members of each hyperedge."""
    nodes, edges = data.graph.edges(etype="in")
    order = edges.argsort(stable=True)
    sizes = data.graph.in_degrees(etype="in").tolist()
    return [part.tolist() for part in nodes[order].split(sizes)]


def ours(settings: Settings) -> Step:
    """The heterograph of lists of members."""
    data = opened(settings)
    lists = lists_of(data)
    return lambda: hypergraph(lists, num_nodes=data.num_nodes)


def of_dhg(settings: Settings) -> Step:
    """DHG's hypergraph of the same lists."""
    data = opened(settings)
    lists, make = lists_of(data), import_module("dhg").Hypergraph
    return lambda: make(data.num_nodes, lists)


def of_xgi(settings: Settings) -> Step:
    """XGI's hypergraph of the same lists."""
    lists, make = lists_of(opened(settings)), import_module("xgi").Hypergraph
    return lambda: make(lists)

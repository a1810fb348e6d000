"""The API reference: a page for each public package, from its docstrings; each name once."""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PACKAGES = (
    "hypersage_dgl",
    "hypersage_dgl.nn",
    "hypersage_dgl.nn.baselines",
    "hypersage_dgl.dataloading",
    "hypersage_dgl.training",
    "hypersage_dgl.data",
    "hypersage_dgl.convert",
    "hypersage_dgl.drawing",
    "hypersage_dgl.hypergraphs",
)
# Values have no docstring of their own.
VALUES = {
    "ALLSET": "the data sets of AllSet: files, hashes and counts",
    "ALLSET_NAMES": "names of the data sets of AllSet, as `load` takes them",
    "NOISY": "data sets of AllSet whose features are the class and Gaussian noise",
    "AGGREGATORS": "what aggregates at one level, by the name that recipes and the command use",
    "BASELINES": "the models to compare with, by the name that checkpoints and the command use",
    "BENCHMARKS": "the public benchmarks: files, hashes and counts",
    "CLASSIFICATION": "task: one class for each node",
    "CONTAINS": "the relation from hyperedges to their members",
    "DATA_DIR_VARIABLE": "environment variable that names a folder with copies of the benchmarks",
    "DEFAULT": "the recipe of `hypersage train`",
    "DERIVED": "data of a graph that are counted from its incidences, by node type",
    "EMBEDDING": "task: a place for each node, without labels",
    "FORMS": "forms that `load` reads",
    "HYPEREDGE": "the node type of hyperedges",
    "Hypergraph": "type: a graph, or a `Named` one",
    "IN": "the relation from nodes to their hyperedges",
    "Ids": "type: what is taken for ids",
    "MULTILABEL": "task: several labels for each node",
    "NEGATIVES": "kinds of sets that are no hyperedges",
    "MADE_BY_WIDTH": "aggregators that are made for each layer's width",
    "NODE": "the node type of nodes",
    "NODE_WEIGHTS": "what a node may weigh inside of hyperedges",
    "NUM_NEIGHBORS": "name under which blocks carry the number of neighbours",
    "Name": "type: what may name a node or a hyperedge",
    "NodeSet": "type: the ids of a set of nodes, ascending",
    "PALETTE": "eight colours that the colour-blind can tell apart (Okabe and Ito)",
    "PAPER": "the paper's recipe",
    "PREDICTION": "task: which sets of nodes are hyperedges",
    "PRESETS": "shapes of generated hypergraphs, by name",
    "RECIPES": "the recipes that come with the package, by name",
    "REGRESSION": "task: a number for each node",
    "SCORE_NAMES": "what validation goes by for a task; higher is better",
    "SEPARATORS": "separators of tables that are found by themselves",
    "SSH": "how another host is reached",
    "SplitLike": "type: the number of a split, its name, or a `Split`",
    "TASKS": "tasks that nodes can have",
    "TRUE_DEGREE": "name under which blocks carry the degrees of the whole hypergraph",
    "TRUE_SIZE": "name under which blocks carry the sizes of the whole hypergraph",
    "WEIGHTINGS": "weightings across hyperedges, the values of `inter`",
    "WITHOUT_SELF": "name under which parts keep |N(v)| without v",
    "WITH_SELF": "name under which parts keep |N(v)| with v",
    "Weights": "type: what is taken for weights",
    "__version__": "the version",
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, which mkdocstrings fills."""
    homes: dict[int, str] = {}
    for package in PACKAGES:
        text = page(importlib.import_module(package), homes)
        files.append(File.generated(config, f"api/{package}.md", content=text))
    return files


def page(package: ModuleType, homes: dict[int, str]) -> str:
    """What a package has: values in a table, then everything else in the order of names."""
    path, things, values, elsewhere = package.__name__, [], [], []
    for name in sorted(public(package), key=str.lower):
        thing, full = getattr(package, name), f"{path}.{name}"
        if inspect.ismodule(thing):
            elsewhere.append(f'<a id="{full}"></a>[{name}]({thing.__name__}.md)')
        elif name in VALUES:
            # A bar would end the cell.
            said = VALUES[name].replace("|", "\\|")
            values.append(f'| <a id="{full}"></a>`{name}` | {said} |')
        elif id(thing) in homes:
            home = homes[id(thing)]
            elsewhere.append(f'<a id="{full}"></a>[`{name}`]({home})')
        else:
            homes[id(thing)] = f"{path}.md#{full}"
            # A function of the name of its file is hidden by the file.
            hidden = thing.__module__ == full
            source = f"{full}.{name}" if hidden else full
            anchor = f'<a id="{full}"></a>\n\n' if hidden else ""
            things.append(f"{anchor}::: {source}\n")
    parts = [f"# {path} {{#{path}}}", (package.__doc__ or "").partition("\n\n")[0]]
    if elsewhere:
        parts.append("On other pages: " + ", ".join(elsewhere) + ".")
    if values:
        parts.append("\n".join(["| value | what it is |", "|---|---|", *values]))
    return "\n\n".join([*parts, *things]) + "\n"


def public(package: ModuleType) -> list[str]:
    """The names that a package promises."""
    made_here = [
        n for n, t in vars(package).items() if getattr(t, "__module__", "") == package.__name__
    ]
    return list(getattr(package, "__all__", [n for n in made_here if not n.startswith("_")]))

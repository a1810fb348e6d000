"""Every reader, and every public function that takes data from outside, with its inputs."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import torch
from scipy import sparse

from hypersage_dgl import hypergraph, hypergraph_from_incidence, validate
from hypersage_dgl.cli import main
from hypersage_dgl.convert import (
    from_coo,
    from_graph,
    from_hif_dict,
    from_hyperedges,
    from_networkx_bipartite,
    from_scipy,
    read_csv,
    read_folder,
    read_hif,
    read_table,
)
from hypersage_dgl.data import (
    LabelledHypergraph,
    NegativeSampler,
    Split,
    dual,
    from_tables,
    knn_hyperedges,
    load,
    map_features,
    read_about,
    read_features,
    read_mapped,
    read_split,
    split_hyperedges,
    with_labels,
)
from hypersage_dgl.data.benchmarks.unpickle import load_pickle
from hypersage_dgl.data.stored import pack
from hypersage_dgl.dataloading import HyperSAGESampler
from hypersage_dgl.nn import CandidateScorer, HyperedgePredictor, HyperSAGE, HyperSAGEConv
from hypersage_dgl.training import (
    FullGraph,
    HyperedgeBatches,
    Predictor,
    evaluate_labels,
    evaluate_numbers,
    fit,
    load_checkpoint,
    read_hosts,
    read_recipe,
    score_candidates,
)

from . import corpus
from .children import Reader
from .values import array, changed, damaged, forged, number, packed, to_text, value

Call = Callable[[], Any]
Random = random.Random
# Features up to it are predicted, says docs/layer.md; beyond it float32 may not hold their sums.
LARGEST_SUMMED = 1e37


def hif_text(rng: Random) -> bytes:
    document = changed(corpus.hif(), rng, rng.randrange(4))
    content = to_text(document, rng).encode("utf-8", "surrogatepass")
    if rng.random() < 0.3:
        content = damaged(content, rng)
    return content


def zipped(content: bytes, rng: Random) -> bytes:
    if rng.random() < 0.7:
        return content
    content = gzip.compress(content, 1)
    return damaged(content, rng) if rng.random() < 0.5 else content


def hif_file(rng: Random, folder: Path) -> Call:
    path = folder / "a.json"
    path.write_bytes(zipped(hif_text(rng), rng))
    return lambda: validate(read_hif(path).graph)


def csv_text(rng: Random, text: str) -> bytes:
    lines = [line.split(",") for line in text.splitlines()]
    for _ in range(rng.randrange(4)):
        line = rng.choice(lines)
        line[rng.randrange(len(line))] = rng.choice((str(number(rng)), str(value(rng, 0))))[:400]
    content = "\n".join(",".join(line) for line in lines).encode("utf-8", "surrogatepass")
    return damaged(content, rng) if rng.random() < 0.4 else content


def csv_file(rng: Random, folder: Path) -> Call:
    path, ids = folder / "a.csv", rng.random() < 0.5
    path.write_bytes(zipped(csv_text(rng, corpus.IDS if ids else corpus.CSV), rng))
    return lambda: validate(read_csv(path, ids=ids).graph)


def table_file(rng: Random, folder: Path) -> Call:
    made = corpus.parquet()
    if made is None or rng.random() < 0.5:
        path = folder / "a.csv"
        path.write_bytes(zipped(csv_text(rng, corpus.CSV), rng))
    else:
        path = folder / "a.parquet"
        path.write_bytes(damaged(made, rng))
    return lambda: _table(path)


def _table(path: Path) -> None:
    table = read_table(path, max_bytes=1 << 20)
    try:
        validate(from_tables(table, table, table).graph)
    except ValueError as error:
        # What is wrong with its cells names the table.
        raise ValueError(f"{path}: {error}") from None


def matrix_arrays(rng: Random) -> dict[str, Any]:
    kind = rng.choice(("csr", "csc", "coo", "bsr", "dia"))
    content = io.BytesIO()
    sparse.save_npz(content, corpus.matrix().asformat(kind))
    content.seek(0)
    arrays = dict(np.load(content))
    for _ in range(rng.randrange(3)):
        name = rng.choice(list(arrays))
        if rng.random() < 0.1:
            del arrays[name]
        else:
            arrays[name] = array(rng, arrays[name])
    if rng.random() < 0.05:
        arrays = {**arrays, "indptr": np.array([0, 50_000_000, 0, 0, 0])[: rng.randrange(6)]}
    return arrays


def npz_file(rng: Random, folder: Path) -> Call:
    path = folder / "a.npz"
    content = packed(matrix_arrays(rng), rng)
    path.write_bytes(damaged(content, rng) if rng.random() < 0.3 else content)
    return lambda: validate(load(path).graph)


def labelled_file(rng: Random, folder: Path) -> Call:
    path = folder / "a.npz"
    arrays = dict(pack(corpus.labelled(rng.randrange(2))))
    for _ in range(rng.randrange(3)):
        name = rng.choice(list(arrays))
        if name == "names" and rng.random() < 0.8:
            good = pack(corpus.labelled())[name].tobytes()
            document = changed(json.loads(good), rng, 2)
            text = to_text(document, rng).encode("utf-8", "surrogatepass")
            arrays[name] = np.frombuffer(text, np.uint8)
        elif rng.random() < 0.1:
            del arrays[name]
        else:
            arrays[name] = array(rng, arrays[name])
    content = packed(arrays, rng)
    path.write_bytes(damaged(content, rng) if rng.random() < 0.3 else content)
    return lambda: _labelled(path)


def _labelled(path: Path) -> None:
    data = load(path)
    validate(data.graph)
    data.statistics()
    if data.feat is not None:
        data.feat.to_dense().sum()


def feature_file(rng: Random, folder: Path) -> Call:
    kind = rng.randrange(3)
    path = folder / ("a.npy" if kind == 0 else "a.npz")
    if kind == 0:
        content = io.BytesIO()
        np.lib.format.write_array(content, array(rng, np.eye(4)), allow_pickle=True)
        made = content.getvalue() if rng.random() < 0.7 else forged(rng)
    else:
        made = packed(matrix_arrays(rng) if kind == 1 else {"a": array(rng, np.eye(4))}, rng)
    path.write_bytes(damaged(made, rng) if rng.random() < 0.3 else made)
    return lambda: _read_through(read_features(path))


def _read_through(feat: torch.Tensor) -> None:
    # A sparse matrix may be larger than any memory, and its values not.
    (feat.values() if feat.layout == torch.sparse_csr else feat).sum()


def folder_files(rng: Random, folder: Path) -> Call:
    good = corpus.saved()
    document = changed(good.document(), rng, rng.randrange(3))
    graph = next(name for name in good.files if name.startswith("graph-"))
    changes = {graph: damaged(good.files[graph], rng)} if rng.random() < 0.2 else {}
    _write(good, folder, document, rng, changes)
    return lambda: validate(
        load(folder, form="folder").graph if rng.random() < 0.5 else read_folder(folder).graph
    )


def _write(good: corpus.Folder, folder: Path, document: Any, rng: Random, changes: Any) -> None:
    with contextlib.suppress(ValueError):
        good.write(folder, document, rng.random() < 0.8, **changes)
        if rng.random() < 0.2:
            record = folder / good.record
            record.write_bytes(damaged(record.read_bytes(), rng))


def checkpoint_files(rng: Random, folder: Path) -> Call:
    _checkpoint(rng, folder)
    return lambda: load_checkpoint(folder)


def _checkpoint(rng: Random, folder: Path) -> None:
    good = corpus.checkpoint()
    document, changes = good.document(), {}
    if rng.random() < 0.5:
        part = rng.choice(("weights", "state"))
        name = document[part]["file"]
        changes[name] = safetensors(good.files[name], rng)
        if rng.random() < 0.9:
            document[part]["sha256"] = corpus.sha256(changes[name])
    else:
        document = changed(document, rng, rng.randrange(1, 3))
    _write(good, folder, document, rng, changes)


def safetensors(content: bytes, rng: Random) -> bytes:
    if rng.random() < 0.5:
        return damaged(content, rng)
    size = int.from_bytes(content[:8], "little")
    header = changed(json.loads(content[8 : 8 + size]), rng, 1)
    if isinstance(header, dict) and header and rng.random() < 0.5:
        entry = header[rng.choice(list(header))]
        if isinstance(entry, dict):
            entry["dtype"] = rng.choice(("F8_E5M2", "F4", "BF16", "I64", "C64", "BOOL", "X", "U64"))
    if isinstance(header, dict) and rng.random() < 0.3:
        header = {
            rng.choice((f"optimizer.99.{k}", "last.x", f"optimizer.0.{k}", k)): v
            for k, v in header.items()
        }
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content[8 + size :]


def resumed(rng: Random, folder: Path) -> Call:
    _checkpoint(rng, folder)
    model = HyperSAGE(3, 4, 2)
    batches = FullGraph(*corpus.parts(), model=model)
    return lambda: fit(model, batches, epochs=2, folder=folder, resume=True, progress=False)


def pickle_bytes(rng: Random, folder: Path) -> Call:
    content = damaged(rng.choice(corpus.pickles()), rng)
    return lambda: load_pickle(content, folder.name)


def command(rng: Random, folder: Path) -> Call:
    kind = rng.randrange(5)
    if kind == 0:
        path = folder / "a.json"
        path.write_bytes(hif_text(rng))
    elif kind == 1:
        path = folder / "a.csv"
        path.write_bytes(csv_text(rng, corpus.CSV))
    elif kind == 2:
        path = folder / "a.npz"
        path.write_bytes(packed(matrix_arrays(rng), rng))
    else:
        path = folder
        _checkpoint(rng, folder)
    words = ["info", str(path)]
    if rng.random() < 0.3:
        words = ["convert", str(path), str(folder / rng.choice(("b.csv", "b.json", "b.npz", "b")))]
    return lambda: _run(words)


def _run(words: list[str]) -> None:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    text = err.getvalue()
    assert code in (0, 1, 2), code
    if code:
        # The name of another type stands before its text, and none is documented.
        assert text.count("\n") == 1, text
        assert not re.search(r" error: \w+Error\b", text), text
        raise ValueError(f"standard error: {text}")
    out.flush()
    shown = out.buffer.getvalue().decode()
    assert all(c.isprintable() or c == "\n" for c in shown), shown


def recipe_file(rng: Random, folder: Path) -> Call:
    path = folder / "recipe.json"
    text = to_text(changed(corpus.RECIPE, rng, rng.randrange(1, 4)), rng)
    content = text.encode("utf-8", "surrogatepass")
    path.write_bytes(zipped(damaged(content, rng) if rng.random() < 0.2 else content, rng))

    def call() -> None:
        recipe = read_recipe(path)
        if recipe.num_layers * recipe.hidden_feats < 10_000:
            # What is wrong with a power is told where a model is made.
            with contextlib.suppress(ValueError):
                recipe.build(3, 2)

    return call


def split_table(rng: Random, folder: Path) -> Call:
    path = folder / "split.csv"
    path.write_bytes(zipped(csv_text(rng, corpus.SPLIT), rng))

    def call() -> None:
        try:
            split = read_split(path, corpus.labelled())
        except ValueError as error:
            # What is wrong with its cells names the table.
            raise ValueError(f"{path}: {error}") from None
        ids = torch.cat(split)
        assert len(ids.unique()) == len(ids)

    return call


def candidates_command(rng: Random, folder: Path) -> Call:
    place, data, path = folder / "model", folder / "data", folder / "sets.csv"
    place.mkdir()
    good = corpus.ranker()
    document = good.document()
    if rng.random() < 0.4:
        document = changed(document, rng, 1)
    _write(good, place, document, rng, {})
    corpus.saved().write(data_folder(data), corpus.saved().document())
    path.write_bytes(zipped(csv_text(rng, corpus.CANDIDATES), rng))
    # To a file: names go to a pipe as they are.
    words = ["predict", str(place), "--hypergraph", str(data), "--candidates", str(path)]
    words += ["--out", str(folder / "ranked.csv")]
    if rng.random() < 0.3:
        words = ["evaluate", str(place), "--hypergraph", str(data)]
    return lambda: _run(words)


def data_folder(path: Path) -> Path:
    path.mkdir()
    return path


def allset_files(rng: Random, folder: Path) -> Call:
    name = rng.choice(list(corpus.ALLSET))
    place = folder / name
    place.mkdir()
    for file, text in corpus.ALLSET[name].items():
        content = csv_text(rng, text)
        # They are separated by tabs.
        (place / file).write_bytes(content.replace(b",", b"\t") if name == "zoo" else content)
    return lambda: _opened(name, folder)


def _opened(name: str, folder: Path) -> None:
    data = load(name, data_dir=folder)
    validate(data.graph)
    assert bool(data.feat.isfinite().all())


def mapped_file(rng: Random, folder: Path) -> Call:
    path = folder / "a.npy"
    kind = rng.randrange(4)
    if kind == 0:
        made = forged(rng) + bytes(rng.choice((0, 10, 24, 1000)))
    elif kind == 1:
        made = packed({"a": array(rng, np.eye(5, dtype=np.float32))}, rng)
    else:
        rows = np.eye(5, 3, dtype=rng.choice((np.float16, np.float32)))
        content = io.BytesIO()
        np.save(content, array(rng, rows) if kind == 2 else rows)
        made = content.getvalue()
    path.write_bytes(damaged(made, rng) if rng.random() < 0.5 else made)
    data = corpus.labelled()

    def call() -> None:
        if rng.random() < 0.5:
            _read_through(read_mapped(path))
            return
        mapped = map_features(data, path)
        # What the numbers are is looked at where they are used.
        if mapped.num_feats == 3 and bool(mapped.feat.isfinite().all()):
            _predicted(mapped)

    return call


def _predicted(data: LabelledHypergraph) -> None:
    try:
        found = Predictor(HyperSAGE(3, 4, 2)).predict(data.graph, data.feat)
    except FloatingPointError:
        # Documented for features whose sums float32 does not hold, and for no others.
        assert float(data.feat.abs().max()) > LARGEST_SUMMED
    else:
        assert bool(found.probability.isfinite().all())


def parts_files(rng: Random, folder: Path) -> Call:
    path = folder / "hosts.txt"
    content = csv_text(rng, corpus.HOSTS.replace(" ", ",")).replace(b",", b" ")
    path.write_bytes(zipped(content, rng))
    text = to_text(changed(corpus.ABOUT, rng, rng.randrange(1, 3)), rng)
    content = text.encode("utf-8", "surrogatepass")
    (folder / "about.json").write_bytes(damaged(content, rng) if rng.random() < 0.3 else content)

    def call() -> None:
        if rng.random() < 0.5:
            for address, port in read_hosts(path):
                assert address.isascii(), address
                assert address[0] != "-", address
                assert 0 < port < 65_535, port
        else:
            assert read_about(folder)["parts"] == int(read_about(folder)["parts"])

    return call


def hif_document(rng: Random, folder: Path) -> Call:
    document = changed(corpus.hif(), rng, rng.randrange(1, 5))
    key = rng.choice(("label", "age", "weight"))

    def call() -> None:
        named = from_hif_dict(document)
        data = LabelledHypergraph.from_named(named)
        with contextlib.suppress(ValueError):
            with_labels(data, key)

    return call


def scipy_matrix(rng: Random, folder: Path) -> Call:
    matrix = corpus.matrix().asformat(rng.choice(("csr", "csc", "coo", "bsr", "dia", "lil", "dok")))
    for _ in range(rng.randrange(3)):
        name = rng.choice(("data", "indices", "indptr", "row", "col"))
        if isinstance(getattr(matrix, name, None), np.ndarray) and matrix.format not in (
            "lil",
            "dia",
        ):
            with contextlib.suppress(AttributeError, ValueError):
                setattr(matrix, name, array(rng, getattr(matrix, name)))
    return lambda: validate(from_scipy(matrix).graph)


def coo_index(rng: Random, folder: Path) -> Call:
    index: Any = array(rng, np.array([[0, 1, 2, 2], [0, 0, 0, 1]]))
    if rng.random() < 0.3 and index.dtype.kind in "iuf" and index.dtype.byteorder in "=|":
        index = torch.from_numpy(index)
    sizes = [rng.choice((None, 3, number(rng), "3")) for _ in range(2)]
    return lambda: validate(from_coo(index, *sizes).graph)


def member_lists(rng: Random, folder: Path) -> Call:
    members = changed(corpus.MEMBERS, rng, rng.randrange(1, 4))
    count = rng.choice((None, 5, number(rng)))
    if count in (200_000_000, 500_000_000):
        # A caller who says so gets so many nodes, which takes seconds and shows nothing.
        count //= 1000
    weight = value(rng) if rng.random() < 0.3 else None
    return lambda: validate(hypergraph(members, count, hyperedge_weight=weight))


def id_lists(rng: Random, folder: Path) -> Call:
    ids = [array(rng, np.array([0, 1, 2])) if rng.random() < 0.5 else value(rng) for _ in range(2)]
    weight = value(rng) if rng.random() < 0.3 else None
    return lambda: validate(hypergraph_from_incidence(*ids, incidence_weight=weight))


def named_members(rng: Random, folder: Path) -> Call:
    members = changed({"x": ["a", "b"], "y": ["b", 3]}, rng, rng.randrange(1, 4))
    names = value(rng) if rng.random() < 0.3 else None
    return lambda: validate(from_hyperedges(members, names).graph)


def networkx_graph(rng: Random, folder: Path) -> Call:
    graph: Any = nx.Graph()
    for _ in range(rng.randrange(6)):
        word = rng.choice(("a", "b", 1, 2))
        graph.add_node(word, bipartite=rng.choice((0, 1, 1.0, None, "x")), weight=value(rng, 0))
    nodes = list(graph)
    for _ in range(rng.randrange(8)):
        if nodes:
            graph.add_edge(rng.choice(nodes), rng.choice(nodes), weight=value(rng, 0))
    if rng.random() < 0.1:
        graph = value(rng)
    convert = rng.choice((from_networkx_bipartite, from_graph))
    return lambda: validate(convert(graph).graph)


@cache
def _predictor() -> Predictor:
    data = corpus.labelled()
    made = Predictor(HyperSAGE(3, 4, 2))
    made.attach(data.graph, data.feat)
    return made


def arrivals(rng: Random, folder: Path) -> Call:
    feat: Any = torch.rand(2, 3)
    if rng.random() < 0.3:
        feat = value(rng)
    elif rng.random() < 0.3:
        made = array(rng, np.eye(2, 3, dtype=np.float32))
        # Of unsigned 64 bits torch makes no tensor from lists.
        feat = torch.tensor(made.tolist()) if made.dtype.kind in "bif" else made
    joined, arriving = changed([[0], [1, 2]], rng, 1), changed([[5, 0], [6]], rng, 1)
    return lambda: _predictor().predict_new(feat, joined, arriving)


def growth(rng: Random, folder: Path) -> Call:
    """Nodes that arrive and leave for good, and what is predicted of those that are there."""
    data, joined = corpus.labelled(), changed([[0], [1, 2]], rng, 1)
    arriving, leaving = changed([[5, 0], [6]], rng, 1), changed([0, 3], rng, 1)
    feat = value(rng) if rng.random() < 0.2 else torch.rand(2, 3)
    names = value(rng) if rng.random() < 0.3 else None

    def call() -> None:
        predictor = Predictor(HyperSAGE(3, 4, 2))
        predictor.attach(data.graph, data.feat)
        step = rng.randrange(3)
        if step == 0:
            predictor.commit(feat, joined, arriving, names=names)
        elif step == 1:
            predictor.remove(nodes=leaving)
        found = predictor.predict_attached(leaving if step == 2 else [1])
        validate(predictor.attached().graph)
        assert bool(found.probability.isfinite().all())

    return call


def node_sets(rng: Random, folder: Path) -> Call:
    """Sets of nodes that are scored, and hyperedges that are split and drawn beside."""
    data, sets = corpus.labelled(), changed([[0, 1], [1, 2, 3]], rng, rng.randrange(1, 3))
    sets = (
        [tuple(s) if isinstance(s, list) else s for s in sets] if isinstance(sets, list) else sets
    )
    kind = rng.choice(("sized", "motif", "clique", value(rng, 0)))
    odd, what = number(rng), rng.randrange(4)
    shares = changed([0.6, 0.2, 0.2], rng, 1)
    if what == 0:
        model = HyperedgePredictor(HyperSAGE(3, 4, 2), CandidateScorer(2))
        return lambda: score_candidates(model, data.graph, data.feat, sets)
    if what == 1:
        return lambda: NegativeSampler(data.graph).draw(kind, sets, odd)
    if what == 2:
        return lambda: split_hyperedges(data.graph, shares, odd)
    split = split_hyperedges(hypergraph([[0, 1], [1, 2], [2, 3], [0, 4], [1, 3, 4]], 5))
    return lambda: list(HyperedgeBatches(split, data.feat, batch_size=odd))


def odd_tensor(rng: Random, like: Any) -> torch.Tensor:
    """A tensor of another type, shape or size; of what torch has no type for, the good one."""
    made = array(rng, like)
    is_known = made.dtype.isnative and made.dtype.str[1:] in TYPES
    return torch.from_numpy(made if is_known else like)


def sampled(rng: Random, folder: Path) -> Call:
    """Seeds, fan-outs and weights of a sampler; chunks and weights of inference in a stream."""
    data = corpus.labelled()
    seeds = changed([0, 3], rng, 1) if rng.random() < 0.5 else array(rng, np.array([0, 3]))
    fan, weight = (changed([2, 1], rng, 1) if rng.random() < 0.5 else -1 for _ in range(2))
    member = odd_tensor(rng, np.ones(5)) if rng.random() < 0.3 else None
    model = HyperSAGE(3, 4, 2, p=rng.choice((1, 2)))
    if rng.random() < 0.3:
        size = rng.choice((1, 3, number(rng)))
        given = odd_tensor(rng, np.ones(6, dtype=np.float32))
        return lambda: model.inference(data.graph, data.feat, size, given)

    def call() -> None:
        sampler = HyperSAGESampler(2, fan, weight, member_weight=member)
        inputs, _, pairs = sampler.sample(data.graph, seeds)
        found = model(pairs, data.feat[inputs["node"].long()])
        assert bool(found.isfinite().all())

    return call


def measured(rng: Random, folder: Path) -> Call:
    """Outputs that are scored, features whose neighbours are looked for, duals."""
    data, what = corpus.labelled(), rng.randrange(3)
    if what == 0:
        feat = odd_tensor(rng, np.eye(5, 3, dtype=np.float32))
        odd = rng.choice((1, 2, number(rng)))
        return lambda: hypergraph(knn_hyperedges(feat, odd), 5)
    if what == 1:
        logits = odd_tensor(rng, np.eye(5, 2, dtype=np.float32))
        nodes = odd_tensor(rng, np.array([0, 2]))
        score = rng.choice((evaluate_labels, evaluate_numbers))
        truth = data.labels if rng.random() < 0.5 else torch.eye(5, 2)
        return lambda: score(logits, truth, nodes)
    document = changed(corpus.hif(), rng, rng.randrange(3))
    return lambda: validate(dual(LabelledHypergraph.from_named(from_hif_dict(document))).graph)


def tensor_parts(rng: Random) -> torch.Tensor:
    odd = (-1, 0, 3, 4, 10**6, 10**9)
    starts, column = (
        torch.tensor([v if rng.random() < 0.9 else rng.choice(odd) for v in part])
        for part in ([0, 1, 1, 2, 3, 3], [0, 2, 1])
    )
    kept = [t[: rng.randrange(len(t) + 1)] if rng.random() < 0.1 else t for t in (starts, column)]
    if rng.random() < 0.2:
        place = torch.stack((torch.tensor([0, 1, 3]), column))
        return torch.sparse_coo_tensor(place, torch.ones(3), (5, 3), check_invariants=False)
    return torch.sparse_csr_tensor(*kept, torch.ones(3), (5, 3), check_invariants=False)


def sparse_tensor(rng: Random, folder: Path) -> Call:
    data, feat = corpus.labelled(), tensor_parts(rng)
    conv = HyperSAGEConv(3, 2, p=rng.choice((1, 2, 0.01, -1)), include_self=rng.random() < 0.5)
    kind = rng.randrange(3)
    if kind == 0:
        return lambda: conv(data.graph, feat)
    if kind == 1:
        return lambda: FullGraph(data.graph, feat, torch.zeros(5).long(), torch.tensor([0]))
    return lambda: LabelledHypergraph(data.graph, feat=feat)


def labelled_parts(rng: Random, folder: Path) -> Call:
    data = corpus.labelled()
    parts: dict[str, Any] = {
        "feat": np.eye(5, 3, dtype=np.float32),
        "labels": np.array([0, 1, 1, 0, -1]),
        "class_names": ("red", "blue"),
        "splits": [Split([0], [1], [2])],
        "feature_names": ("a", "b", "c"),
        "node_names": tuple("abcde"),
    }
    for name in rng.sample(list(parts), rng.randrange(1, 3)):
        whole = parts[name]
        if isinstance(whole, np.ndarray):
            parts[name] = array(rng, whole)
        elif name == "splits":
            parts[name] = [Split(*(array(rng, np.array([i])) for i in range(3)))]
        else:
            made = changed(list(whole), rng, 1)
            parts[name] = tuple(made) if isinstance(made, list) else made
    return lambda: LabelledHypergraph(data.graph, **parts)


TYPES = ("i8", "i4", "u1", "b1", "f4", "f8", "f2", "c8")
MEMORY = (ValueError, TypeError)
FILE = (ValueError, OSError)
READERS = (
    Reader("convert.read_hif", hif_file, FILE, share=2),
    Reader("convert.read_csv", csv_file, FILE),
    Reader("convert.read_table, data.from_tables", table_file, FILE),
    Reader("convert.read_folder", folder_files, FILE),
    Reader("data.load of a matrix", npz_file, FILE, share=2),
    Reader("data.load of a labelled npz", labelled_file, FILE, share=2),
    Reader("data.read_features", feature_file, FILE),
    Reader("data.unpickle", pickle_bytes, (ValueError,)),
    Reader("training.load_checkpoint", checkpoint_files, FILE),
    Reader("training.fit, resumed", resumed, FILE, share=1),
    Reader("hypersage info, convert", command, (ValueError,), share=1),
    Reader("hypersage predict --candidates, evaluate", candidates_command, (ValueError,), share=1),
    Reader("training.read_recipe", recipe_file, FILE, share=2),
    Reader("data.read_split", split_table, FILE, share=2),
    Reader("data.load of AllSet's texts", allset_files, FILE, share=2),
    Reader("data.read_mapped, map_features", mapped_file, FILE, share=2),
    Reader("training.read_hosts, data.read_about", parts_files, FILE, share=2),
    Reader("convert.from_hif_dict", hif_document, MEMORY, named=False, share=2),
    Reader("convert.from_scipy", scipy_matrix, MEMORY, named=False),
    Reader("convert.from_coo", coo_index, MEMORY, named=False),
    Reader("convert.from_hyperedges", named_members, MEMORY, named=False),
    Reader("convert.from_networkx_bipartite, from_graph", networkx_graph, MEMORY, named=False),
    Reader("hypergraph", member_lists, MEMORY, named=False),
    Reader("hypergraph_from_incidence", id_lists, MEMORY, named=False),
    Reader("data.LabelledHypergraph", labelled_parts, MEMORY, named=False),
    Reader("nn, training: sparse features", sparse_tensor, MEMORY, named=False, share=2),
    Reader("training.Predictor.predict_new", arrivals, MEMORY, named=False),
    Reader("training.Predictor.commit, remove", growth, MEMORY, named=False, share=2),
    Reader("score_candidates, NegativeSampler", node_sets, MEMORY, named=False, share=2),
    Reader("HyperSAGESampler, model.inference", sampled, MEMORY, named=False, share=2),
    Reader("knn_hyperedges, evaluate, dual", measured, MEMORY, named=False, share=2),
)

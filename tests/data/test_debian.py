"""The embedded data set against its datasheet, and the script that makes it on small records."""

import importlib.util
import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from hypersage_dgl.data.debian import debian_names, load_debian

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "build_debian_dataset.py"
FILES = ROOT / "hypersage_dgl" / "data" / "files"

RECORDS = """\
Package: perl-b
Source: perl-src (5.36)
Section: perl
Depends: perl-a (>= 1.0), perl-a:any | web-x, ghost [amd64], libc6
Description: fast parser for the Perl trees
 A second line that does not count.

Package: perl-a
Source: perl-src
Section: perl
Description: Perl parser

Package: web-x
Section: web
Depends: perl-a,
 perl-b (= 2)
Provides: ghost
Description: fast C++ x86 browser

Package: libc6
Section: libs
Depends: perl-a, perl-b
Description: parser parser parser

Package: other-area
Section: contrib/web
Depends: perl-a, perl-b
Description: fast

Package: lone
Section: web
Description: of the
"""


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("build_debian_dataset", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def build(script, tmp_path, monkeypatch):
    """Run the script in this process on some text; return the path of its output."""

    def run(text, output="out.npz"):
        source = tmp_path / "records.txt"
        source.write_text(text, encoding="utf-8")
        path = tmp_path / "made" / output
        arguments = ["build", "--input", str(source), "--output", str(path)]
        monkeypatch.setattr(sys, "argv", arguments)
        script.main()
        return path

    return run


@pytest.fixture(scope="module")
def debian():
    return load_debian()


@pytest.fixture(scope="module")
def names():
    return debian_names()


def datasheet():
    """Return all rows of the datasheet's tables, numbers as numbers, by their first cell."""
    text = (FILES / "debian.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", text, flags=re.MULTILINE)
    numbers = [(k, re.findall(r"\d[\d,]*\.?\d*", v)) for k, v in rows]
    return [(k, [float(n.strip(",").replace(",", "")) for n in found]) for k, found in numbers]


def test_datasheet_states_the_counts(debian, names):
    sizes = np.bincount(debian.hyperedge_ids, minlength=debian.num_hyperedges)
    degrees = np.bincount(debian.node_ids, minlength=debian.num_nodes)
    members = np.split(debian.node_ids, np.cumsum(sizes)[:-1])
    is_source = np.array(names.kinds) == "source"
    shape = [
        [round(float(s.mean()), 2), round(float(s.std()), 2), s.max()]
        for s in (sizes[~is_source], sizes[is_source])
    ]
    rows = datasheet()
    assert rows[:14] == [
        ("nodes", [debian.num_nodes]),
        ("classes", [len(debian.class_names)]),
        ("depends-hyperedges", [np.sum(~is_source)]),
        ("their size, mean ± sd, max", shape[0]),
        ("source-hyperedges", [np.sum(is_source)]),
        ("their size, mean ± sd, max", shape[1]),
        ("incidences", [len(debian.node_ids)]),
        ("hyperedges equal to an earlier one", [len(members) - len({tuple(m) for m in members})]),
        ("nodes in no hyperedge", [np.sum(degrees == 0)]),
        ("largest degree", [degrees.max()]),
        ("features", [debian.features.shape[1]]),
        ("non-zero features", [debian.features.nnz]),
        ("nodes with no word", [np.sum(np.diff(debian.features.indptr) == 0)]),
        ("train / val / test nodes", [len(ids) for ids in debian.splits[0]]),
    ]
    of_class = [debian.labels == k for k in range(len(debian.class_names))]
    assert [(k, v) for k, v in rows[14:] if v] == [
        (name, [mine.sum(), np.sum(mine & (degrees == 0))])
        for name, mine in zip(debian.class_names, of_class)
    ]


def test_is_a_sound_hypergraph(debian):
    debian.check()
    pairs = debian.hyperedge_ids * debian.num_nodes + debian.node_ids
    assert len(np.unique(pairs)) == len(pairs)
    assert np.bincount(debian.hyperedge_ids, minlength=debian.num_hyperedges).min() >= 2
    assert debian.features.dtype == np.float32
    assert set(debian.features.data) == {1.0}
    assert debian.features.has_canonical_format
    assert debian.node_ids.dtype == debian.hyperedge_ids.dtype == debian.labels.dtype == np.int64


def test_file_is_small_and_has_no_pickle():
    content = (FILES / "debian.npz").read_bytes()
    assert len(content) < 500_000
    with np.load(io.BytesIO(content), allow_pickle=False) as npz:
        assert {npz[key].dtype.kind for key in npz.files} == {"u"}


def test_ten_splits_by_class(debian):
    assert len(debian.splits) == 10
    per_class = np.bincount(debian.labels) // 20
    for split in debian.splits:
        assert np.array_equal(np.bincount(debian.labels[split.train]), per_class)
        assert np.array_equal(np.bincount(debian.labels[split.val]), per_class)
        assert np.array_equal(np.sort(np.concatenate(split)), np.arange(debian.num_nodes))
    # A node is in a given training set by one chance in twenty, so two sets share few.
    first, second = debian.splits[0].train, debian.splits[1].train
    assert 20 < len(np.intersect1d(first, second)) < 130


def test_names_lead_back_to_debian(debian, names):
    ids = {name: i for i, name in enumerate(names.packages)}
    hyperedges = {pair: i for i, pair in enumerate(zip(names.kinds, names.hyperedges))}

    def members(kind, name):
        found = debian.node_ids[debian.hyperedge_ids == hyperedges[kind, name]]
        return {names.packages[i] for i in found}

    assert len(hyperedges) == debian.num_hyperedges
    assert debian.class_names[debian.labels[ids["libmoose-perl"]]] == "perl"
    assert {"python3-asgiref", "python3-sqlparse"} < members("depends", "python3-django")
    assert {"openssh-client", "openssh-server"} < members("source", "openssh")
    # "Fast array facility to the Python 3 language"
    words = {names.words[j] for j in debian.features[ids["python3-numpy"]].indices}
    assert words == {"fast", "array", "python", "language"}


def accuracy_of_ridge_regression(features, labels, split):
    train = features[split.train].toarray()
    one_hot = np.eye(labels.max() + 1)[labels[split.train]]
    weight = np.linalg.solve(train.T @ train + 3 * np.eye(train.shape[1]), train.T @ one_hot)
    return np.mean((features[split.test] @ weight).argmax(1) == labels[split.test])


def test_features_tell_the_class_and_hyperedges_add_to_them(debian):
    """Majority class: 0.17. Measured: 0.73 on features, 0.81 with the hyperedges' means."""
    incidence = sparse.csr_matrix(
        (np.ones(len(debian.node_ids)), (debian.node_ids, debian.hyperedge_ids))
    )
    incidence.resize(debian.num_nodes, debian.num_hyperedges)
    met = incidence @ (incidence.T @ debian.features)
    num_met = np.maximum(incidence @ incidence.sum(0).T, 1)
    both = sparse.csr_matrix(sparse.hstack([debian.features, met.multiply(1 / num_met)]))
    alone = accuracy_of_ridge_regression(debian.features, debian.labels, debian.splits[0])
    together = accuracy_of_ridge_regression(both, debian.labels, debian.splits[0])
    assert alone > 0.65
    assert together > alone + 0.05


def test_parser_joins_folded_fields_and_needs_no_last_empty_line(script):
    lines = ["A: 1", " 2", "Package: p", "", "", "Package: q"]
    assert list(script.parse_records(lines)) == [{"A": "1\n2", "Package": "p"}, {"Package": "q"}]


@pytest.mark.parametrize(
    ("lines", "message"),
    [(["Package: p", "garbage"], "line 2 is 'garbage'"), (["A: 1", ""], "line 2 has no field")],
)
def test_parser_names_the_place_of_what_it_cannot_read(script, lines, message):
    with pytest.raises(ValueError, match=message):
        list(script.parse_records(lines))


def test_nodes_are_of_the_largest_topical_sections_of_main(script):
    records = list(script.parse_records(RECORDS.split("\n")))
    nodes, sections = script.choose_nodes(records, 10)
    assert (list(nodes), sections) == (["lone", "perl-a", "perl-b", "web-x"], ["perl", "web"])
    nodes, sections = script.choose_nodes([*records, {"Package": "n", "Section": "web"}], 1)
    assert (list(nodes), sections) == (["lone", "n", "web-x"], ["web"])


def test_built_file_has_what_the_records_say(build):
    path = build(RECORDS)
    arrays, names = load_debian(path), debian_names(path)
    # perl-b depends on 1 and 3, web-x on 1 and 2; perl-src is the source of 1 and 2.
    assert arrays.node_ids.tolist() == [1, 3, 1, 2, 1, 2]
    assert arrays.hyperedge_ids.tolist() == [0, 0, 1, 1, 2, 2]
    assert names.hyperedges == ("perl-b", "web-x", "perl-src")
    assert names.kinds == ("depends", "depends", "source")
    assert names.packages == ("lone", "perl-a", "perl-b", "web-x")
    assert arrays.class_names == ("perl", "web")
    assert arrays.labels.tolist() == [1, 0, 0, 1]
    assert names.words == ("fast", "parser", "perl", "browser", "trees")
    assert arrays.features.toarray().tolist() == [
        [0, 0, 0, 0, 0],
        [0, 1, 1, 0, 0],
        [1, 1, 1, 0, 1],
        [1, 0, 0, 1, 0],
    ]
    assert [len(ids) for ids in arrays.splits[9]] == [0, 0, 4]


def test_same_records_in_any_order_give_the_same_bytes(build, tmp_path):
    backwards = "\n\n".join(reversed(RECORDS.strip().split("\n\n")))
    first, second = build(RECORDS, "1.npz").read_bytes(), build(backwards, "2.npz").read_bytes()
    piped = tmp_path / "3.npz"
    subprocess.run(
        [sys.executable, SCRIPT, "--input", "-", "--output", piped],
        input=RECORDS,
        encoding="utf-8",
        check=True,
        cwd=ROOT,
    )
    assert first == second == piped.read_bytes()


def test_splits_hardly_change_when_a_package_comes_or_goes(script):
    names = [f"package-{i}" for i in range(400)]
    labels = np.arange(400) % 2
    before = script.fixed_splits(names, labels, 3)
    after = script.fixed_splits(names[1:], labels[1:], 3)
    assert np.bincount(before[0]).tolist() == [360, 20, 20]
    # One leaves a part, one fills its place, one fills the place of that.
    assert (before[:, 1:] != after).sum(axis=1).max() <= 4
    assert (before[0] != before[1]).any()


def test_unusable_input_changes_nothing(build, capsys, tmp_path):
    path = build(RECORDS)
    content = path.read_bytes()
    for text, message in [
        ("", "apt-get update"),
        ("Package: p\n", "topical"),
        ("?", "line 1"),
        (f"{RECORDS}\nPackage: lone\nSection: web\n", "package lone is there twice"),
    ]:
        with pytest.raises(SystemExit, match="2"):
            build(text)
        assert message in capsys.readouterr().err
    assert path.read_bytes() == content
    assert [p.name for p in path.parent.iterdir()] == ["out.npz"]


def npz_of_others():
    file = io.BytesIO()
    np.savez(file, labels=np.arange(3))
    return file.getvalue()


def npy():
    file = io.BytesIO()
    np.save(file, np.arange(3))
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"", b"garbage", (FILES / "debian.npz").read_bytes()[:9999], npz_of_others(), npy()],
    ids=["empty", "garbage", "cut off", "other npz", "npy"],
)
def test_other_files_are_refused_with_the_cure(tmp_path, content):
    path = tmp_path / "debian.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"debian\.npz is not a file of .* run that again"):
        load_debian(path)

"""The script that makes the embedded data set, on small records."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from plain_arrays import arrays_of

from hypersage_dgl.data.benchmarks.debian import load_debian

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "build_debian_dataset.py"

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
    data = load_debian(path)
    arrays = arrays_of(data)
    # perl-b depends on 1 and 3, web-x on 1 and 2; perl-src is the source of 1 and 2.
    assert arrays.node_ids.tolist() == [1, 3, 1, 2, 1, 2]
    assert arrays.hyperedge_ids.tolist() == [0, 0, 1, 1, 2, 2]
    assert data.hyperedge_names == ("depends perl-b", "depends web-x", "source perl-src")
    assert data.node_names == ("lone", "perl-a", "perl-b", "web-x")
    assert arrays.class_names == ("perl", "web")
    assert arrays.labels.tolist() == [1, 0, 0, 1]
    assert data.feature_names == ("fast", "parser", "perl", "browser", "trees")
    assert arrays.features.toarray().tolist() == [
        [0, 0, 0, 0, 0],
        [0, 1, 1, 0, 0],
        [1, 1, 1, 0, 1],
        [1, 0, 0, 1, 0],
    ]
    assert [len(ids) for ids in arrays.splits[9]] == [0, 0, 4]


@pytest.mark.exhaustive
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

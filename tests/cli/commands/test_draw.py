"""``hypersage draw`` writes a picture of what a node sees, found by name."""

from __future__ import annotations

import pytest

PNG = b"\x89PNG\r\n"


def test_a_picture_of_a_node_by_name(data, hypersage):
    words = ("draw", "recipes.json", "--node", "recipe 5", "--label", "kind")
    done = hypersage(*words)
    assert (done.code, done.err) == (0, "")
    assert done.out == "what recipe 5 sees: picture.svg\n"
    text = (data / "picture.svg").read_text(encoding="utf-8")
    assert text.startswith("<?xml")
    assert 'id="hyperedge-0"' in text
    assert hypersage(*words, "--out", "deep/recipe.png").code == 0
    assert (data / "deep" / "recipe.png").read_bytes().startswith(PNG)
    again = hypersage(*words, "--out", "again.svg")
    assert again.code == 0
    assert (data / "again.svg").read_text(encoding="utf-8") == text


def test_tables_and_their_classes(data, hypersage):
    words = ("memberships.csv", "--nodes", "nodes.csv", "--label", "topic", "--node", "recipe 3")
    done = hypersage("draw", *words)
    assert (done.code, done.err) == (0, "")
    other = ("memberships.csv", "--node-column", "ingredient", "--hyperedge-column", "recipe")
    done = hypersage("draw", *other, "--node", "e1", "--out", "e1.svg")
    assert (done.code, done.out) == (0, "what e1 sees: e1.svg\n")


def test_a_sample_is_drawn_with_a_seed(data, hypersage):
    files = []
    for out, seed in (("a.svg", 1), ("b.svg", 1)):
        words = ("--node", "0", "--alpha", "1", "--seed", seed, "--out", out)
        assert hypersage("draw", "recipes.npz", *words).code == 0
        files.append((data / out).read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("recipes.json", "--node", "nobody"), "recipes.json has no node 'nobody'; its nodes are"),
        (("nothing.json", "--node", "a"), "nothing.json"),
        (("recipes.json", "--node", "recipe 3", "--label", "no"), "no node has the attribute 'no'"),
        (("titles.csv", "--node", "a"), "say with --node-column and --hyperedge-column what"),
    ],
)
def test_what_cannot_be_drawn(data, fails, words, said):
    (data / "titles.csv").write_text("book,reader\nDune,ann\n")
    assert said in fails("draw", *words)


def test_too_many_for_a_picture_names_the_options(data, hypersage, fails):
    lines = "\n".join(f"guest {i},party" for i in range(300))
    (data / "party.csv").write_text(f"node,hyperedge\n{lines}")
    words = ("draw", "party.csv", "--node", "guest 3")
    said = fails(*words)
    assert "guest 3 sees 300 nodes in 1 hyperedges, too many for a picture" in said
    assert "--alpha 10 draws 10 members of each hyperedge, --beta 10 so many hyperedges" in said
    assert hypersage(*words, "--alpha", "10").code == 0

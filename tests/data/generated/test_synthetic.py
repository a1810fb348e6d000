"""Laws of generated hypergraphs, and the presets against what was measured on the benchmarks."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_arrays import arrays_of

from hypersage_dgl.data.benchmarks.files import BENCHMARKS
from hypersage_dgl.data.generated import synthetic
from hypersage_dgl.data.generated.synthetic import PRESETS


def generate(*args, **options):
    return arrays_of(synthetic.generate(*args, **options))


def preset(*args, **options):
    return arrays_of(synthetic.preset(*args, **options))


EXACT = ("nodes", "hyperedges", "isolated_nodes", "features", "classes", "train")


def sizes_of(arrays):
    return np.bincount(arrays.hyperedge_ids, minlength=arrays.num_hyperedges)


def degrees_of(arrays):
    return np.bincount(arrays.node_ids, minlength=arrays.num_nodes)


def pairs_of_one_class(arrays):
    """Share of the pairs of members that are of one class, by hyperedge."""
    counts = np.zeros((arrays.num_hyperedges, len(arrays.class_names)))
    np.add.at(counts, (arrays.hyperedge_ids, arrays.labels[arrays.node_ids]), 1)
    sizes = counts.sum(1)
    return (counts * (counts - 1)).sum(1) / (sizes * (sizes - 1))


def assert_sound(arrays):
    incidences = arrays.hyperedge_ids * arrays.num_nodes + arrays.node_ids
    assert len(np.unique(incidences)) == len(incidences), "a member is repeated"
    assert sizes_of(arrays).min() >= 2
    assert arrays.node_ids.dtype == arrays.hyperedge_ids.dtype == arrays.labels.dtype == np.int64
    # Sorted and unrepeated words in each row.
    assert arrays.features.has_canonical_format
    for split in arrays.splits:
        assert np.array_equal(np.sort(np.concatenate(split)), np.arange(arrays.num_nodes))


@given(
    num_classes=st.integers(1, 5),
    mean_size=st.floats(2, 6),
    tail=st.floats(0.1, 1000),
    homophily=st.floats(0, 1),
    feature_noise=st.floats(0, 1),
    isolated=st.floats(0, 0.6),
    seed=st.integers(0, 2**32),
)
def test_any_setting_gives_a_sound_hypergraph(num_classes, isolated, seed, **others):
    arrays = generate(
        300,
        200,
        num_classes=num_classes,
        num_feats=80,
        max_size=10,
        isolated=isolated,
        seed=seed,
        **others,
    )
    assert_sound(arrays)
    assert np.sum(degrees_of(arrays) == 0) == round(isolated * 300)
    assert sizes_of(arrays).max() <= 10
    assert (np.diff(arrays.features.indptr) == 8).all()
    assert set(arrays.features.data) == {1.0}
    assert set(np.bincount(arrays.labels[arrays.splits[0].train])) == {20}


def test_full_homophily_gives_hyperedges_of_one_class():
    assert (pairs_of_one_class(generate(homophily=1.0)) == 1).all()


@pytest.mark.parametrize("homophily", [0.0, 0.3, 0.7])
def test_homophily_is_the_share_of_members_drawn_from_the_own_class(homophily):
    arrays = generate(20_000, 10_000, homophily=homophily, num_classes=5, num_feats=80)
    frequency = np.bincount(arrays.labels) / arrays.num_nodes
    chance = (frequency**2).sum()
    # Two members meet in the own class, or else by chance.
    expected = homophily**2 + (1 - homophily**2) * chance
    assert pairs_of_one_class(arrays).mean() == pytest.approx(expected, abs=0.01)
    assert frequency == pytest.approx(0.2, abs=0.01)


@pytest.mark.parametrize("tail", [1.5, 3.0, 100.0])
@pytest.mark.parametrize("mean_size", [2.0, 3.5, 8.0])
def test_sizes_have_their_mean(mean_size, tail):
    arrays = generate(4000, 5000, mean_size=mean_size, tail=tail, max_size=60)
    assert sizes_of(arrays).mean() == pytest.approx(mean_size, rel=0.01)


def test_smaller_tail_means_heavier_tail():
    light, heavy = (sizes_of(generate(4000, 5000, tail=t, max_size=300)) for t in (50.0, 1.5))
    assert heavy.std() > 1.5 * light.std()
    assert heavy.max() > 3 * light.max()
    assert np.median(heavy) < np.median(light)


def test_as_many_members_as_nodes_are_dealt_out_once_each():
    arrays = generate(400, 200, mean_size=2.0, max_size=2, isolated=0.0, train_per_class=5)
    assert (degrees_of(arrays) == 1).all()


def test_without_noise_a_linear_map_tells_the_classes():
    arrays = generate(feature_noise=0.0)
    dense, one_hot = arrays.features.toarray(), np.eye(4)[arrays.labels]
    weight, *_ = np.linalg.lstsq(dense, one_hot, rcond=None)
    assert np.abs(dense @ weight - one_hot).max() < 1e-4


@pytest.mark.parametrize("noise", [0.4, 1.0])
def test_noise_is_the_share_of_words_from_any_class(noise):
    arrays = generate(10_000, 6000, feature_noise=noise)
    class_of_word = np.arange(64) // 16
    own = class_of_word[arrays.features.indices] == np.repeat(arrays.labels, 8)
    assert own.mean() == pytest.approx(1 - noise + noise / 4, abs=0.01)


def test_hyperedges_add_to_noisy_features():
    arrays = generate(2000, 2000, feature_noise=0.8, isolated=0.0)
    dense = arrays.features.toarray()
    members = np.zeros((arrays.num_hyperedges, 64))
    np.add.at(members, arrays.hyperedge_ids, dense[arrays.node_ids])
    met = np.zeros_like(dense)
    np.add.at(met, arrays.node_ids, members[arrays.hyperedge_ids])
    met /= met.sum(1, keepdims=True)

    def accuracy(features):
        split = arrays.splits[0]
        of_class = [arrays.labels[split.train] == k for k in range(4)]
        centres = np.stack([features[split.train][mine].mean(0) for mine in of_class])
        distance = ((features[split.test][:, None] - centres) ** 2).sum(-1)
        return np.mean(distance.argmin(1) == arrays.labels[split.test])

    assert accuracy(dense) > 0.3
    assert accuracy(met) > accuracy(dense) + 0.1


def contents(arrays):
    features = arrays.features
    split = np.concatenate([ids for split in arrays.splits for ids in split])
    return {
        "structure": [arrays.node_ids, arrays.hyperedge_ids, arrays.labels],
        "features": [features.data, features.indices, features.indptr],
        "splits": [split],
    }


def differing(first, second):
    first, second = contents(first), contents(second)
    return {
        part
        for part in first
        if not all(np.array_equal(a, b) for a, b in zip(first[part], second[part]))
    }


def test_seed_decides_everything_and_each_part_has_its_own_stream():
    assert differing(generate(seed=5), generate(seed=5)) == set()
    assert differing(generate(seed=5), generate(seed=6)) == {"structure", "features", "splits"}
    assert differing(generate(), generate(feature_noise=0.2)) == {"features"}
    assert differing(generate(), generate(train_per_class=21)) == {"splits"}
    trains = {tuple(split.train) for split in generate(num_splits=10).splits}
    assert len(trains) == 10


@pytest.mark.parametrize("name", BENCHMARKS)
def test_preset_has_the_shape_of_its_benchmark(name):
    arrays, measured = preset(name, seed=1), BENCHMARKS[name].measured
    assert_sound(arrays)
    sizes = sizes_of(arrays)
    assert {
        "nodes": arrays.num_nodes,
        "hyperedges": arrays.num_hyperedges,
        "isolated_nodes": np.sum(degrees_of(arrays) == 0),
        "features": arrays.features.shape[1],
        "classes": len(arrays.class_names),
        "train": len(arrays.splits[0].train),
        "splits": len(arrays.splits),
    } == {**{k: measured[k] for k in EXACT}, "splits": 10}
    assert len(arrays.node_ids) == pytest.approx(measured["incidences"], rel=0.02)
    assert arrays.features.nnz == pytest.approx(measured["nonzeros"], rel=0.02)
    assert sizes.mean() == pytest.approx(measured["size_mean"], rel=0.02)
    assert sizes.std() == pytest.approx(measured["size_sd"], rel=0.05)
    assert 0.75 * measured["size_max"] <= sizes.max() <= measured["size_max"]


@pytest.mark.exhaustive
def test_a_million_nodes_in_bounded_memory():
    tracemalloc.start()
    try:
        data = synthetic.preset("1m")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    arrays = arrays_of(data)
    assert arrays.num_nodes == 1_000_000
    assert np.sum(degrees_of(arrays) == 0) == 100_000
    assert sizes_of(arrays).mean() == pytest.approx(4.0, rel=0.01)
    # The result itself takes 68 bytes a node.
    assert peak < 200 * arrays.num_nodes


def test_the_large_presets_differ_only_in_scale():
    small, large = dict(PRESETS["1m"]), dict(PRESETS["10m"])
    for counted in ("num_nodes", "num_hyperedges", "train_per_class"):
        assert large.pop(counted) == 10 * small.pop(counted)
    assert small == large


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"num_nodes": 0}, "num_nodes is 0; it must be a positive integer"),
        ({"num_hyperedges": 2.5}, "num_hyperedges is 2.5"),
        ({"num_splits": True}, "num_splits is True"),
        ({"homophily": 1.2}, "homophily is 1.2; it must be from 0 to 1"),
        ({"feature_noise": -0.1}, "feature_noise is -0.1"),
        ({"isolated": float("nan")}, "isolated is nan"),
        ({"mean_size": 1.9}, "mean_size is 1.9 .* from 2 to halfway"),
        ({"mean_size": 30.0}, r"mean_size is 30.0 and max_size 50.*\(26.0\)"),
        ({"tail": 0.0}, "tail is 0.0; it must be from 0.1"),
        ({"num_hyperedges": 10}, "cannot cover the 900 nodes .* raise num_hyperedges"),
        ({"isolated": 1.0}, "a class only 0 nodes .* lower max_size"),
        ({"num_classes": 30, "num_feats": 900}, "it needs twice as many, so lower max_size"),
        ({"feats_per_node": 9}, "feats_per_node is 9, but a class has only 16 words"),
        ({"train_per_class": 900}, "train_per_class is 900, but class 0 has only 2.. nodes; lower"),
    ],
)
def test_impossible_settings_are_named(setting, message):
    with pytest.raises(ValueError, match=message):
        generate(**setting)


def test_unknown_preset_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match=r"no preset 'cora'; there are dblp, .*10m"):
        preset("cora")

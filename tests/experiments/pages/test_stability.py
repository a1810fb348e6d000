"""The stability as a table: a row for each data set and ratio."""

from made_up import parsed, runs

from experiments.pages import stability


def test_stability_has_a_row_for_each_ratio_of_a_data_set():
    results = [
        *runs([0.7, 0.8], method="hypersage", p=1.0, ratio=0.3333),
        *runs([0.7, 0.9], method="hypergcn", ratio=0.3333),
        *runs([0.5, 0.5], method="hypersage", p=1.0, ratio=0.1),
    ]
    all_nodes, connected = parsed(stability(results))
    assert all_nodes["DBLP"] == [
        {"train:test": "1:10", "HyperGCN": "-", "HyperSAGE (p=1)": "**50.0 ± 0.0**"},
        {"train:test": "1:3", "HyperGCN": "**80.0 ± 14.1**", "HyperSAGE (p=1)": "75.0 ± 7.1"},
    ]
    assert connected["DBLP"] == [
        {"train:test": "1:10", "HyperGCN": "-", "HyperSAGE (p=1)": "**75.0 ± 0.0**"},
        {"train:test": "1:3", "HyperGCN": "**75.0 ± 0.0**", "HyperSAGE (p=1)": "**75.0 ± 0.0**"},
    ]


def test_stability_without_a_connected_node_has_dashes_in_the_second_table():
    results = [
        *runs([0.7, 0.8], method="hypersage", p=1.0, ratio=0.25, connected_acc=None),
        *runs([0.6], method="hypergcn", ratio=0.25, connected_acc=0.6),
    ]
    _, connected = parsed(stability(results))
    (row,) = connected["DBLP"]
    assert row == {"train:test": "1:4", "HyperGCN": "**60.0**, 1 run", "HyperSAGE (p=1)": "-"}

"""``hypersage partition`` writes parts of data sets and files."""

from __future__ import annotations

from hypersage_dgl.cli import main
from hypersage_dgl.data import load, read_about


def test_parts_of_a_data_set(tmp_path, capsys):
    assert main(["partition", "synthetic", "--parts", "2", "--out", str(tmp_path / "parts")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"2 parts in {tmp_path / 'parts'}"
    assert read_about(tmp_path / "parts")["parts"] == 2


def test_parts_of_a_file_with_another_split(tmp_path, capsys):
    file = tmp_path / "data.npz"
    load("synthetic").save(file)
    words = [str(file), "--parts", "1", "--split", "stratified", "--out", str(tmp_path / "parts")]
    assert main(["partition", *words]) == 0
    assert "train 504" in capsys.readouterr().out
    assert main(["partition", *words]) == 1
    assert "holds parts already" in capsys.readouterr().err

"""``hypersage launch`` starts what follows ``--`` for each role."""

from __future__ import annotations

from hypersage_dgl.cli import main
from hypersage_dgl.data import load, partition


def test_starts_a_script_for_servers_and_trainers(tmp_path, capsys):
    partition(load("synthetic"), tmp_path / "parts", 1, neighbors="exact")
    words = ["launch", str(tmp_path / "parts"), "--trainers", "2", "--workspace", str(tmp_path)]
    script = ["sh", "-c", 'touch "ran-$DGL_ROLE-$RANK"']
    assert main([*words, "--", *script]) == 0
    assert {"ran-client-0", "ran-client-1"} <= {path.name for path in tmp_path.iterdir()}
    assert main([*words, "--timeout", "60", "--", "sh", "-c", "exit 4"]) == 1
    assert "ended with exit code 4; all others were ended too" in capsys.readouterr().err


def test_a_script_is_needed(capsys):
    assert main(["launch", "parts"]) == 2
    assert "SCRIPT" in capsys.readouterr().err

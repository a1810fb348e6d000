"""The folder of a training run: begun once, and gone on with by the same options alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..convert.files import read_json, to_json, write_text
from ..nn import HyperSAGE
from ..training import About, load_checkpoint
from ..training.checkpoint import has_checkpoint
from ..training.config import encode_config

OPTIONS = "options.json"


def begin(folder: str, model: HyperSAGE, about: About, options: Mapping[str, Any]) -> None:
    """Note the options of a run that starts, in a folder without another one."""
    if has_checkpoint(folder):
        raise ValueError(
            f"{folder} holds a checkpoint already; go on with it by --resume, or name another "
            "folder"
        )
    write_text(Path(folder) / OPTIONS, to_json(_noted(model, about, options)))


def resume(folder: str, model: HyperSAGE, about: About, options: Mapping[str, Any]) -> None:
    """Raise unless the run in the folder had the same options and data.

    The training loop itself checks the options of the optimizer, and the seed.
    """
    load_checkpoint(folder)
    file = Path(folder) / OPTIONS
    if not file.is_file():
        raise ValueError(
            f"{folder} has no {OPTIONS}: it was not trained by this command; resume it with "
            "hypersage_dgl.training.fit"
        )
    noted, now = read_json(file), _noted(model, about, options)
    differing = [key for key in now if not isinstance(noted, dict) or noted.get(key) != now[key]]
    if differing:
        earlier = noted.get(differing[0]) if isinstance(noted, dict) else None
        raise ValueError(
            f"{folder} was trained with {differing[0]}={earlier!r:.80}, not "
            f"{now[differing[0]]!r:.80}; resume with the same options and data, or start anew in "
            "another folder"
        )


def _noted(model: HyperSAGE, about: About, options: Mapping[str, Any]) -> dict[str, Any]:
    """All that shapes the curve, flat, so that a difference can be named."""
    return {
        **encode_config(model.config),
        **options,
        **{f"number of {key}": value for key, value in about.statistics.items()},
        "classes": list(about.classes),
        "feature_names": list(about.feature_names),
    }

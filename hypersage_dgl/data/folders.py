"""Where data lie on this machine."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

from .._utils import replacing


def cache_dir() -> Path:
    """Folder of downloaded and converted data sets.

    It is ``hypersage_dgl`` inside of ``DGL_DOWNLOAD_DIR`` if that is set, else
    ``~/.cache/hypersage_dgl``. Asking does not make it.
    """
    download_dir = os.environ.get("DGL_DOWNLOAD_DIR")
    if download_dir:
        return Path(download_dir) / "hypersage_dgl"
    try:
        return Path.home() / ".cache" / "hypersage_dgl"
    except RuntimeError as error:
        raise FileNotFoundError(
            f"there is no home directory to keep data in ({error}); set DGL_DOWNLOAD_DIR to a "
            "folder for them"
        ) from None


def keep(path: Path, content: bytes) -> None:
    """Keep a file in the cache; where that cannot be written, warn and do without."""
    try:
        with replacing(path) as file:
            file.write(content)
    except OSError as error:
        warnings.warn(
            f"{path} could not be kept ({error}), so the next load starts from scratch; set "
            "DGL_DOWNLOAD_DIR to a folder with room that you may write to",
            stacklevel=2,
        )

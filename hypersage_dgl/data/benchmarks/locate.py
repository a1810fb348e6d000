"""Find the files of a benchmark: in a folder that was named, in the cache, or in the internet."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Union

from tqdm import tqdm

from ..._utils import replacing
from .download import DownloadError, fetch
from .files import Benchmark

DATA_DIR_VARIABLE = "HYPERSAGE_DATA_DIR"
OFFLINE = 'Without the internet, load_dataset("debian") opens a real data set that comes embedded.'

Folder = Union[str, "os.PathLike[str]"]


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


def named_folder(source: Benchmark, data_dir: Folder | None) -> Path | None:
    """Folder of a benchmark's files in ``data_dir``, or else in ``HYPERSAGE_DATA_DIR``.

    Both may be a copy of the repository or of one of the ``roots`` of its origin. ``data_dir`` must
    have the files. The variable, which is set for all data sets alike, need not have this one: then
    the result is None and the search goes on.
    """
    variable = os.environ.get(DATA_DIR_VARIABLE)
    named = data_dir if data_dir is not None else variable
    if not named:
        return None
    origin = "data_dir" if data_dir is not None else DATA_DIR_VARIABLE
    root = Path(named).expanduser()
    if not root.is_dir():
        raise FileNotFoundError(
            f"{origin} is {root}, which is not a folder; name one with {source.folder} in it, or "
            "none to use the cache"
        )
    inner = [Path(source.folder).relative_to(each) for each in source.origin.roots]
    for folder in (root / source.folder, *(root / path for path in inner)):
        missing = [file for file in source.sha256 if not (folder / file).is_file()]
        if not missing:
            return folder
        if len(missing) < len(source.sha256):
            raise FileNotFoundError(
                f"{folder} lacks {_listed(missing)} of {source.name}; add what is missing"
            )
    if data_dir is None:
        return None
    raise FileNotFoundError(
        f"{source.name} is not in {origin} {root}: {root / source.folder} should have "
        f"{_listed(source.sha256)}. Leave data_dir out to use the cache. {OFFLINE}"
    )


def read_files(source: Benchmark, folder: Path) -> dict[str, bytes]:
    """Read a benchmark's files and check the SHA-256 of each that is known."""
    contents = {file: (folder / file).read_bytes() for file in source.sha256}
    for file, content in contents.items():
        if source.sha256[file] and not _is_declared(content, source.sha256[file]):
            raise ValueError(
                f"{folder / file} is damaged or another version: its SHA-256 is not "
                f"{source.sha256[file]}; copy it again"
            )
    return contents


def read_cache_or_download(source: Benchmark, base_url: str) -> dict[str, bytes]:
    """Read a benchmark's files from the cache, and fetch those that are not there or damaged."""
    if not source.is_pinned:
        raise FileNotFoundError(
            f"{source.name} is not downloaded, for no SHA-256 of its files is known; put "
            f"{_listed(source.sha256)} into {source.folder} of a folder, and name that by data_dir "
            f"or {DATA_DIR_VARIABLE}. {OFFLINE}"
        )
    folder = cache_dir() / source.origin.name / source.folder
    contents = {}
    # disable=None: no bar where nobody watches a terminal.
    with tqdm(
        total=source.num_bytes, desc=source.name, unit="B", unit_scale=True, disable=None
    ) as bar:
        for file, sha256 in source.sha256.items():
            path = folder / file
            content = path.read_bytes() if path.is_file() else b""
            if _is_declared(content, sha256):
                bar.update(len(content))
            else:
                url = f"{base_url.rstrip('/')}/{source.folder}/{file}"
                try:
                    content = fetch(url, sha256, limit=source.num_bytes, progress=bar.update)
                except DownloadError as error:
                    raise FileNotFoundError(_advice(source, folder, error)) from error
                keep(path, content)
            contents[file] = content
    return contents


def _advice(source: Benchmark, folder: Path, error: DownloadError) -> str:
    return (
        f"{source.name} is not on this machine and could not be downloaded: {error}. Put "
        f"{_listed(source.sha256)} into {folder}, or into {source.folder} of a folder that "
        f"data_dir or {DATA_DIR_VARIABLE} names. {OFFLINE}"
    )


def _is_declared(content: bytes, sha256: str) -> bool:
    return hashlib.sha256(content).hexdigest() == sha256


def _listed(files: Iterable[str]) -> str:
    return ", ".join(files)

"""Data sets that others have made: the declared files, how they come here, and their readers.

``files`` and ``allset_files`` declare the files and their SHA-256; ``locate`` finds them in a
folder, in the cache or by ``download``; ``hypergcn`` (by ``unpickle``), ``allset`` and ``debian``
read them.
"""

from .allset import load_allset, noisy_labels
from .allset_files import ALLSET, ALLSET_NAMES, NOISY
from .debian import load_debian
from .files import BASE_URL, BENCHMARKS, Benchmark
from .hypergcn import converted_file, load_benchmark
from .locate import DATA_DIR_VARIABLE, Folder, cache_dir, named_folder

__all__ = [
    "ALLSET",
    "ALLSET_NAMES",
    "BASE_URL",
    "BENCHMARKS",
    "DATA_DIR_VARIABLE",
    "NOISY",
    "Benchmark",
    "Folder",
    "cache_dir",
    "converted_file",
    "load_allset",
    "load_benchmark",
    "load_debian",
    "named_folder",
    "noisy_labels",
]

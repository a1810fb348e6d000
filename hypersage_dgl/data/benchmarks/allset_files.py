"""The declared table of the data sets of AllSet (Chien et al., ICLR 2022), and who reads which.

They are where another repository keeps a copy. Those whose files could not be had have no SHA-256:
they are read from a folder of the user's own and are never downloaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .files import Benchmark, Numbers, Origin
from .yelp import YELP_FILES

COMMIT = "e0b93279a084dd2a9a9c0151d57c8ad7e99af438"
FOLDER = "data/AllSet_all_raw_data"
REPOSITORY = Origin(
    "allset",
    f"https://raw.githubusercontent.com/talence-zcq/KP-HyperGNN/{COMMIT}",
    ("data", FOLDER),
)
UNKNOWN = ""
_COLUMNS = ("nodes", "hyperedges", "incidences", "isolated_nodes", "features", "classes")


def _measured(*values: float) -> Numbers:
    return MappingProxyType(dict(zip(_COLUMNS, values)))


def _row(name: str, files: Mapping[str, str], num_bytes: int = 0, *measured: float) -> Benchmark:
    return Benchmark(
        name,
        f"{FOLDER}/{name}",
        MappingProxyType(dict(files)),
        num_bytes,
        _measured(*measured),
        REPOSITORY,
    )


def _content(name: str, content: str = UNKNOWN, edges: str = UNKNOWN) -> dict[str, str]:
    return {f"{name}.content": content, f"{name}.edges": edges}


def _lists(name: str, hyperedges: str = UNKNOWN, labels: str = UNKNOWN) -> dict[str, str]:
    return {f"hyperedges-{name}.txt": hyperedges, f"node-labels-{name}.txt": labels}


_TABLE = (
    _row(
        "20newsW100",
        _content(
            "20newsW100",
            "e0a8193672f027c4eea54258a069473dd0bdcf3425ff3c6b50429c54ba5c18de",
            "b427937f20ab794e75e0a206f70bbe051ef60807a84f42cfa6cf7ee060acdf16",
        ),
        4_164_349,
        *(16242, 100, 65451, 0, 100, 4),
    ),
    _row(
        "Mushroom",
        _content(
            "Mushroom",
            "09dbb05cef3b7a98267a42daaf81d0c2f9c4453427dba33b1943eb4438828dc0",
            "116382d50f3bfc1feb16c0f104c76220ca4c56b56fda2b354cbd0bf09ebfb7f9",
        ),
        1_250_082,
        *(8124, 298, 40620, 0, 22, 2),
    ),
    _row(
        "walmart-trips",
        _lists(
            "walmart-trips",
            "641e580c64710d30da7621ae326137dbdcf503f10cf06fd39ab20b0e1b39ec00",
            "6799bfdc85df02f62a9f8b8ae8c34a61763e69eb3c4799cee12461cefacc58ed",
        ),
        2_669_821,
        *(88860, 69906, 460630, 0, 100, 11),
    ),
    _row("zoo", _content("zoo")),
    _row("NTU2012", _content("NTU2012")),
    _row("ModelNet40", _content("ModelNet40")),
    _row("house-committees", _lists("house-committees")),
    _row("yelp", dict.fromkeys(YELP_FILES, UNKNOWN)),
)
ALLSET: Mapping[str, Benchmark] = MappingProxyType({row.name: row for row in _TABLE})
# Whose features are made: sets without any, by the deviation of the noise. The first is usual.
NOISES = (1.0, 0.6)
NOISY = ("walmart-trips", "house-committees")
ALLSET_NAMES = (*ALLSET, *(f"{name}:{noise}" for name in NOISY for noise in NOISES[1:]))

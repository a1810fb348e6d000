"""The declared table of the benchmarks: files, their SHA-256, and what was measured on them.

They are the co-authorship and co-citation data of the repository of HyperGCN (Yadati et al.,
NeurIPS 2019; Apache-2.0), which the HyperSAGE paper uses with the same splits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

COMMIT = "de049387d8d8c9fe6ebab83cb4b49cacfd4ed534"
BASE_URL = f"https://raw.githubusercontent.com/malllabiisc/HyperGCN/{COMMIT}"

Numbers = Mapping[str, float]


@dataclass(frozen=True)
class Origin:
    """A public repository of data sets.

    Parameters
    ----------
    name
        What its part of the cache is called.
    base_url
        Where to download from.
    roots
        Folders of the repository that a user may have a copy of, in the place of all of it.
    """

    name: str
    base_url: str
    roots: tuple[str, ...] = ("data",)


HYPERGCN = Origin("hypergcn", BASE_URL)


@dataclass(frozen=True)
class Benchmark:
    """One benchmark.

    Parameters
    ----------
    name
        What ``load_dataset`` calls it.
    folder
        Where its files lie below the repository.
    sha256
        For each file, by its path in that folder, the SHA-256 of its content; empty where nobody
        has measured it, which is then read from a folder that is named, and never downloaded.
    num_bytes
        Size of all files together.
    measured
        Statistics of the files, means to two places; they are the same for each split.
    origin
        The repository.
    """

    name: str
    folder: str
    sha256: Mapping[str, str]
    num_bytes: int
    measured: Numbers
    origin: Origin = HYPERGCN

    @property
    def is_pinned(self) -> bool:
        """Whether the content of every file is known."""
        return all(self.sha256.values())

    @property
    def key(self) -> str:
        """A name for exactly this content."""
        lines = "".join(f"{digest}  {file}\n" for file, digest in sorted(self.sha256.items()))
        return hashlib.sha256(lines.encode()).hexdigest()[:16]


def _files(hypergraph: str, features: str, labels: str, *splits: str) -> Mapping[str, str]:
    content = {"hypergraph": hypergraph, "features": features, "labels": labels}
    content.update({f"splits/{number}": digest for number, digest in enumerate(splits, start=1)})
    return MappingProxyType({f"{name}.pickle": digest for name, digest in content.items()})


# Features, labels and splits 1 to 10. The two hypergraphs on Cora share them.
_DBLP = (
    "7d48e64c921fe380402066553a5a1b84c919388b2b6b5efe73a6719f3f394998",
    "8c95becadfa803f4dcfa56d535758619622a5f80ed18b481ab854754cd5927c8",
    "d24ed6070f615eb35912bc33a7d1b0271c5e26bf60a89b73df735590ca33fef1",
    "2f61fc4d209ab6ce1bc5f634cda063ad2a058ae338396b12185c124c99ea2f8e",
    "91511ed1f244d62ae15155d871b245f58e8f01c7c5e932065938f973e900e984",
    "c18258343cff451a5da4901585fe8692ec4066250e441ada86191e9ddcfe7f44",
    "22a11bd5eaaf442fd409167800ad3d7b023501bc0a2f2a58ddd4dc1270b2cafa",
    "932883568d75982486015e8a0c335967134e46bd68346e825caa53989a90dd90",
    "fb3ea136ef62d6a096dbaf3deb98b85cec18db4d1c77fc005f73d8324c1abf75",
    "1c2be4bcf333506b0f32c884ce35b599023983a1b9828d251cfe9a6a5ff0c44c",
    "9f37daae0cf8f7b769e7e8742a50bb324fa25ce03b77c0ea23799c38d9470391",
    "80f40e084adb047386ad8e9715021a1b57dac68ba9ecbba5a49037cc1288a6f1",
)
_CORA = (
    "a20ab3c4903d6cf97d277f5ce8d26735e31d08c888cdd11e3f0a5bb78d7c0602",
    "0e6edd0d971dde22c1116fa662362262163a7a6d557eafd60ac6857de4569527",
    "858c01eb7840ccde5658cf6dbd390306d7207e761dd5a7de3144ec5fcf7c1c50",
    "653cab3ccc01e47a88316a43623798fe7a60ea09810f07876ec335dbba4453c8",
    "5b59c16558e62a75ab57f8a344c563a860c104bd098506a04c356d0e98f7fd21",
    "cc7be482e7ecfe3f0a2ac464c9df971327fe4e1170f146e26e87bf9dcaaaa79d",
    "b2046f5a3421ebd91fc14fc676756dfae46493a5b6896d4b1d5dbf372e9e5f4e",
    "b555c4f43bf8789cb6f0c356f3ea472c22e889ab52029730c470d420e6787470",
    "06eca0840479684d1b61f96d86cc02b70e7afedda24d478dec7007b367c4460e",
    "6e0b4b5b8ed3d78c7d50804f05099ab611d2a949c811751e60b296fbabc405d5",
    "83065eeb78458770e371f4db6840511abb9daf03881424dff6735346e33ea749",
    "81671577cded62c8b9c0cb3d2fdec3207432bf30b129d4f4cef430ef9bd8412c",
)
_CITESEER = (
    "a1b1d07241c818e1551b1b4871bbf2116fe870773373372f9dbc5582c78236f4",
    "c3368a596786df4208f2777e1c8017b7a2a20307aee8c7ed4f2571d9f529611d",
    "7319e9eb5471e972de57dee7fd1a33fad954108c4484380f71002a58915e9673",
    "e845ba6c4724db5ec7d615729f612d6ac55aa7cd5beafc88a6b62a6fa375c454",
    "24e41bb4af0e74cb64d6dfe2809b1cd64c653f4cf22c7a2032e75a53cbc74e5b",
    "b892fe1d36702164a3fab11ceea9dd37f4714bf7531e9b79c5535c595f52409c",
    "501cb6bec93fb35aca42a3410ce53c61a03814dc1332bcfcf7cf1c0799bf93f7",
    "82b9cc27e4b4d310c293d61b4c85f5702b56d99f7446fd97041711e6b4ca9f2c",
    "e310c338701bc1faf5f22e0be92eeea2175791ec91de15114896e3b7232dfe0a",
    "a7f876d5287e65ef26f09b4c2d01b7bec9b4709a882ae07445bd0f3cf21d9099",
    "572946e55479c5e42892ce15c0d84e38dc080b81626e57d3843435fcbc85675e",
    "a69cc20a7014442dfae3e64cf68e5e7ab13a8b34c19d4fad6bdd0eca40f2b26b",
)
_PUBMED = (
    "bd06c0412db6524505f01f8783059f3727a98a32362b17567094536ca1714e8d",
    "1babaf269f6bc2c1453b9d4178d71c018575beb527576e29a3681e8414200827",
    "3d8e52735980ec98c3ec464a1ed9cc99202199fb354561737a50279e76617226",
    "d65b64fd775ee2ba1e9f5f5d91b21dfbbec54dc38d4eb92e544fad457d104e8d",
    "a1f93ccc2b1263ab175d7ecf9e8cf14b34253f6e2d632f8fedd2440c759d737e",
    "02085254fa6c3532aa438fef4f0f3c5a2e7c85fd3e1ae88369589a1534bd5404",
    "469a9c528241670316cec4ec78d337e93b9c15cd159033b83dc449a2ee84066e",
    "4b6a2c532128312e3df7f78c637eb6280f40302dc3e60f57e502cb272b9083b6",
    "e4a57306eb6514c5fef0df9994175a041f5de33a021600368a7060b653dc919a",
    "1ea2095ff88452096dea616ba2decccab06caacfcdad8680f39fc56574b3a0fa",
    "3194e6b292e47e6e79a12b3aad13e2b02d0991e3fed351c23bef0f0ce309f1d4",
    "f1092efa57e7790883b4900dc786340a08e86546dec8198dbe543b8392571b54",
)

_COLUMNS = (
    *("nodes", "hyperedges", "incidences", "size_mean", "size_sd", "size_max", "isolated_nodes"),
    *("duplicate_hyperedges", "features", "nonzeros", "classes", "train"),
)


def _measured(*values: float) -> Numbers:
    return MappingProxyType(dict(zip(_COLUMNS, values)))


_TABLE = (
    Benchmark(
        "dblp",
        "data/coauthorship/dblp",
        _files("a8dbbed2041a8c1b836cbc29986ca777128eb9d75f2e006da899a801971f3278", *_DBLP),
        21_672_399,
        _measured(41302, 22363, 99561, 4.45, 5.42, 202, 0, 1498, 1425, 1602890, 6, 1740),
    ),
    Benchmark(
        "cora-coauthorship",
        "data/coauthorship/cora",
        _files("777d661210bdd122a4ce25284e07c6368e875a28122e75dca912c631db0935f6", *_CORA),
        963_976,
        _measured(2708, 1072, 4585, 4.28, 4.24, 43, 320, 102, 1433, 49216, 7, 140),
    ),
    Benchmark(
        "cora-cocitation",
        "data/cocitation/cora",
        _files("49abc7fff72a07de24e50d9d740d5cc63a32a40b2508995c16816fcb2729de80", *_CORA),
        1_028_098,
        _measured(2708, 1579, 4786, 3.03, 1.02, 5, 1274, 96, 1433, 49216, 7, 140),
    ),
    Benchmark(
        "citeseer",
        "data/cocitation/citeseer",
        _files("b8deecbecef20618d4e23af5b81b1936b36810fc4565ca476353e8a6d7f5884d", *_CITESEER),
        1_564_605,
        _measured(3312, 1079, 3453, 3.20, 2.02, 26, 1854, 75, 3703, 105165, 6, 138),
    ),
    Benchmark(
        "pubmed",
        "data/cocitation/pubmed",
        _files("2814bec14eee7a9358781f0ae08dd2d15958754331aad7cf8d4ae7a5fd29cceb", *_PUBMED),
        12_408_298,
        _measured(19717, 7963, 34629, 4.35, 5.67, 171, 15877, 432, 500, 988031, 3, 78),
    ),
)
BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType({b.name: b for b in _TABLE})

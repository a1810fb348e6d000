"""Packaging of hypersage-dgl; tool settings live in pyproject.toml."""

import re
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).parent
VERSION = re.search(
    r'^__version__ = "(.+)"$',
    (HERE / "hypersage_dgl" / "_version.py").read_text(encoding="utf-8"),
    re.MULTILINE,
).group(1)
# The public address of the repository. It has none yet: who releases fills it in, see
# docs/releasing.md. Until then the package says nothing of it, rather than something untrue.
REPOSITORY = ""
PAPER = "https://arxiv.org/abs/2010.04558"

VIZ = ["matplotlib>=3.7"]
XGI = ["xgi>=0.10.2"]
# Peers of `python -m benchmarks`, which says why HyperTorch is not among them.
BENCH = [*VIZ, *XGI, "torch_geometric>=2.5", "dhg>=0.9.4"]
TABLES = ["pyarrow>=14"]
SCORES = ["scikit-learn>=1.2"]
TENSORBOARD = ["tensorboard>=2.10"]
TUNE = ["optuna>=4"]
DOCS = [
    *VIZ,
    "ipykernel>=6",
    "mkdocs-material>=9.7,<10",
    "mkdocs>=1.6,<2",
    "mkdocstrings[python]>=1",
    "nbclient>=0.10",
]
TEST = [
    *XGI,
    *TABLES,
    *SCORES,
    *TENSORBOARD,
    *TUNE,
    *DOCS,
    "fastjsonschema>=2.19",
    "hypothesis>=6.80",
    "mypy>=1.11",
    "pytest>=8",
    "pytest-xdist>=3.5",
    "ruff>=0.9",
    "selenium>=4.20",
    "setuptools>=77",
]


def long_description(readme: str, repository: str) -> str:
    """The README for a page that has no files beside it: links lead to the repository.

    Without a repository a link becomes its text, and a picture goes.
    """

    def image(path: str, words: str) -> str:
        return f"![{words}]({repository}/raw/v{VERSION}/{path})" if repository else ""

    def link(words: str, path: str) -> str:
        return f"[{words}]({repository}/blob/v{VERSION}/{path})" if repository else words

    readme = re.sub(
        r'<img src="(?!https?:)([^"]+)"[^>]*alt="([^"]*)"[^>]*>',
        lambda found: image(found[1], found[2]),
        readme,
    )
    readme = re.sub(
        r"!\[([^\]]*)\]\((?!https?:)([^)]+)\)", lambda found: image(found[2], found[1]), readme
    )
    return re.sub(
        r"(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)", lambda found: link(*found.groups()), readme
    )


def project_urls(repository: str) -> dict[str, str]:
    """The paper, and what the repository has, once it has an address."""
    urls = {"Paper": PAPER}
    if repository:
        urls |= {
            "Source": repository,
            "Issues": f"{repository}/issues",
            "Documentation": f"{repository}/tree/v{VERSION}/docs",
            "Changelog": f"{repository}/blob/v{VERSION}/CHANGELOG.md",
        }
    return urls


setup(
    name="hypersage-dgl",
    version=VERSION,
    description="HyperSAGE: inductive two-level message passing on hypergraphs, on DGL",
    long_description=long_description((HERE / "README.md").read_text("utf-8"), REPOSITORY),
    long_description_content_type="text/markdown",
    author="The hypersage-dgl authors",
    license="Apache-2.0",
    license_files=["LICENSE"],
    project_urls=project_urls(REPOSITORY),
    keywords=["hypergraph", "graph neural network", "message passing", "inductive", "dgl"],
    packages=find_packages(include=["hypersage_dgl", "hypersage_dgl.*"]),
    package_data={
        "hypersage_dgl": [
            "py.typed",
            "data/files/*",
            "convert/hif_schema.json",
            "drawing/*.html",
            "drawing/page.css",
        ]
    },
    # Outside of the package, whose import takes seconds in which Ctrl-C may come.
    py_modules=["hypersage_command"],
    entry_points={"console_scripts": ["hypersage=hypersage_command:main"]},
    # DGL has nothing for Python 3.13.
    python_requires=">=3.10,<3.13",
    install_requires=[
        # What works where, and how it was tried: docs/compatibility.md. 2.1.0 brings more that can
        # fail, and is the only one for Python 3.12 on Linux.
        'dgl>=1.1.3,!=2.1.0; python_version < "3.12"',
        'dgl>=2.1.0; python_version >= "3.12"',
        "torch>=2.1,<2.14",
        # DGL imports packaging without asking for it, and from 2.0 to 2.1 pandas too.
        "packaging",
        'pandas>=1.5; python_version >= "3.12" or platform_machine == "aarch64"',
        "numpy>=1.22",
        # The last torch for Intel Macs, 2.2.2, is built for numpy 1.
        'numpy<2; sys_platform == "darwin" and platform_machine == "x86_64"',
        "scipy>=1.9",
        "networkx>=2.8",
        "tqdm>=4.64",
        "jinja2>=3",
        "safetensors>=0.4",
        "filelock>=3.12",
    ],
    extras_require={
        "docs": DOCS,
        "bench": BENCH,
        "scores": SCORES,
        "tables": TABLES,
        "tensorboard": TENSORBOARD,
        "test": TEST,
        "tune": TUNE,
        "viz": VIZ,
        "xgi": XGI,
        "dev": [*TEST, "build>=1", "twine>=6"],
    },
    classifiers=[
        "Development Status :: 4 - Beta",
        "Intended Audience :: Developers",
        "Intended Audience :: Science/Research",
        "Operating System :: MacOS",
        "Operating System :: Microsoft :: Windows",
        "Operating System :: POSIX :: Linux",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3.10",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3 :: Only",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Software Development :: Libraries :: Python Modules",
        "Typing :: Typed",
    ],
)

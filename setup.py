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

VIZ = ["matplotlib>=3.7"]
XGI = ["xgi>=0.9"]
TEST = [
    *VIZ,
    *XGI,
    "fastjsonschema>=2.19",
    "hypothesis>=6.80",
    "mypy>=1.11",
    "pytest>=8",
    "pytest-xdist>=3.5",
    "ruff>=0.9",
]

setup(
    name="hypersage-dgl",
    version=VERSION,
    description="HyperSAGE: inductive two-level message passing on hypergraphs, on DGL",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    packages=find_packages(include=["hypersage_dgl", "hypersage_dgl.*"]),
    package_data={"hypersage_dgl": ["py.typed", "data/files/*", "convert/hif_schema.json"]},
    # Outside of the package, whose import takes seconds in which Ctrl-C may come.
    py_modules=["hypersage_command"],
    entry_points={"console_scripts": ["hypersage=hypersage_command:main"]},
    python_requires=">=3.10",
    install_requires=[
        # 2.1.0 works only with torch<=2.2.1 and an old torchdata.
        "dgl>=1.1.3,!=2.1.0",
        "torch>=2.1,<2.14",
        # DGL imports packaging without asking for it.
        "packaging",
        "numpy>=1.22",
        "scipy>=1.9",
        "networkx>=2.8",
        "tqdm>=4.64",
        "safetensors>=0.4",
        "filelock>=3.12",
    ],
    extras_require={"test": TEST, "viz": VIZ, "xgi": XGI, "dev": [*TEST, "build>=1"]},
    classifiers=[
        "Development Status :: 4 - Beta",
        "Intended Audience :: Science/Research",
        "Programming Language :: Python :: 3",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Typing :: Typed",
    ],
)

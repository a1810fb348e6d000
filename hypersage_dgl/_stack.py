"""Import DGL once, and turn an import that cannot work into one line that names the cure."""

from __future__ import annotations

import os

# Unset, DGL's first import writes a configuration file into the home directory.
os.environ.setdefault("DGLBACKEND", "pytorch")

CURE = "pip install 'dgl>=1.1.3,!=2.1.0' 'torch>=2.1,<2.14' packaging"

try:
    import dgl  # noqa: F401
# DGL 2.1.0 beside a newer torch fails with FileNotFoundError (its graphbolt library), an
# incompatible libtorch with OSError, a module it forgets to ask for with ImportError.
except (ImportError, OSError) as error:
    first_line = (str(error) or type(error).__name__).splitlines()[0]
    raise ImportError(
        f"hypersage_dgl needs a working DGL, but `import dgl` failed ({first_line}). Cure: {CURE}"
    ) from error

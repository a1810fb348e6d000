#!/usr/bin/env bash
# check_package.sh [PYTHON]: build the sdist and the wheel, check what they say, install one after the
# other into a fresh environment, and run the example and the command there, outside of the tree.
# Where PYTHON has torch, that environment gets the same build and no other, say one without CUDA.
set -euo pipefail
python=${1:-python3}
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export PIP_CONSTRAINT=$work/constraints.txt
"$python" -c "from importlib.metadata import version; print('torch==' + version('torch'))" \
  >"$PIP_CONSTRAINT" 2>/dev/null || echo "torch<2.14" >"$PIP_CONSTRAINT"

# From a copy, so that what other builds left in the tree is not packed.
mkdir "$work/tree"
git ls-files -z | xargs -0 cp --parents -t "$work/tree"
"$python" -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet build twine
"$work/tools/bin/python" -m build --outdir "$work/dist" "$work/tree"
"$work/tools/bin/twine" check --strict "$work"/dist/*
if grep -q '^REPOSITORY = ""$' setup.py; then
  echo "note: REPOSITORY in setup.py is empty, so the package links to no repository"
fi

# The sdist has all that the repository has.
tar -xzf "$work"/dist/*.tar.gz -C "$work"
source=$(echo "$work"/hypersage_dgl-*)
missing=$(cd "$work/tree" && find . -type f | sort |
  while read -r file; do [ -e "$source/$file" ] || echo "$file"; done)
if [ -n "$missing" ]; then
  echo "not in the sdist:" "$missing" >&2
  exit 1
fi

environment=$work/environment
"$python" -m venv "$environment"
mkdir "$work/elsewhere"
cd "$work/elsewhere"
cp "$source/examples/train_minibatch.py" .
for kind in whl tar.gz; do
  # What the first one asks for is there for the second; pip check finds what it asks for besides.
  again=$([ $kind = whl ] || echo "--force-reinstall --no-deps")
  "$environment/bin/pip" install --quiet $again "$(echo "$work"/dist/*."$kind")"
  "$environment/bin/pip" check
  "$environment/bin/python" train_minibatch.py --epochs 2 | tail -n 1
  "$environment/bin/hypersage" info debian >info.txt
  head -n 3 info.txt
  "$environment/bin/python" -c "
import hypersage_dgl, pathlib
here = pathlib.Path(hypersage_dgl.__file__)
assert 'site-packages' in here.parts and here.with_name('py.typed').exists(), here
print(hypersage_dgl.__version__, 'from the $kind')"
done

# The sdist is tested from itself.
cd "$source"
"$environment/bin/pip" install --quiet ".[test]"
"$environment/bin/python" -m pytest -q -n 0 --assert=plain --collect-only | tail -n 1
"$environment/bin/python" -m pytest -q -n 0 tests/test_import.py tests/data/test_package_data.py

# Types reach who uses the package: mypy asks for the last comment, since it knows the config's type.
cd "$work/elsewhere"
cat >typed.py <<'END_OF_FILE'
import torch
from hypersage_dgl import hypergraph
from hypersage_dgl.nn import HyperSAGE

model = HyperSAGE(16, 32, 4, num_layers=2, p=1.0)
logits: torch.Tensor = model(hypergraph([[0, 1], [1, 2]]), torch.rand(3, 16))
wrong: int = model.config  # type: ignore[assignment]
END_OF_FILE
"$environment/bin/mypy" --strict --cache-dir=/dev/null typed.py

#!/usr/bin/env bash
# check_python.sh VERSION [ENVIRONMENT]: the README's two commands, to run and to test, with another
# Python (3.10, 3.11 or 3.12), in a copy of the tree. docs/compatibility.md has what came out.
# ENVIRONMENT is a virtual environment to use in the place of a fresh one, say with a small torch.
set -euo pipefail
version=${1:?usage: check_python.sh 3.10|3.11|3.12 [ENVIRONMENT]}
environment=${2:+$(cd "$2" && pwd)}
cd "$(dirname "$0")/.."
work=$(mktemp -d)
clean() {
  # The environment of another must not point at what is no longer there.
  if [ -n "$environment" ]; then "$environment/bin/pip" uninstall --quiet --yes hypersage-dgl; fi
  rm -rf "$work"
}
trap clean EXIT
git ls-files -z | xargs -0 cp --parents -t "$work"
run_line=$(grep -m1 'examples/train_minibatch.py$' README.md)
test_line=$(grep -m1 'python -m pytest$' README.md)
cd "$work"

# Each of the two lines begins with a fresh environment.
for line in "$run_line" "$test_line"; do
  rm -rf .venv
  if [ -n "$environment" ]; then
    ln -s "$environment" .venv
    line=${line#*.venv && }
  else
    line=${line/python3 -m venv/python$version -m venv}
  fi
  echo "+ $line"
  bash -c "$line"
done
.venv/bin/python - <<'END'
import platform
from importlib.metadata import version

names = ("dgl", "torch", "numpy", "networkx")
print(f"Python {platform.python_version()},", ", ".join(f"{n} {version(n)}" for n in names))
END

#!/usr/bin/env bash
# check_python.sh VERSION [ENVIRONMENT]: the README's two commands, to run and to test, with another
# Python (3.10, 3.11 or 3.12), in a copy of the last commit. What came out is noted in pythons.json and
# in the table of docs/compatibility.md.
# ENVIRONMENT is a virtual environment to use in the place of a fresh one, say with a small torch.
set -euo pipefail
version=${1:?usage: check_python.sh 3.10|3.11|3.12 [ENVIRONMENT]}
environment=${2:+$(cd "$2" && pwd)}
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
clean() {
  # The environment of another must not point at what is no longer there.
  if [ -n "$environment" ]; then "$environment/bin/pip" uninstall --quiet --yes hypersage-dgl; fi
  rm -rf "$work"
}
trap clean EXIT
commit=$(git log -1 --format="%h of %cs")
mkdir "$work/tree"
git archive HEAD | tar -x -C "$work/tree"
cd "$work/tree"
# Nothing but the copy is tested.
unset PYTHONPATH

# Each of the two lines begins with a fresh environment.
run() {
  local line=$1
  rm -rf .venv
  if [ -n "$environment" ]; then
    ln -s "$environment" .venv
    line=${line#*.venv && }
  else
    line=${line/python3 -m venv/python$version -m venv}
  fi
  echo "+ $line"
  bash -c "$line"
}
run "$(grep -m1 'examples/train_minibatch.py$' README.md)" | tee "$work/example"
run "$(grep -m1 'python -m pytest$' README.md)" | tee "$work/tests"
.venv/bin/python "$root/scripts/pythons.py" "$work/example" "$work/tests" "$commit"

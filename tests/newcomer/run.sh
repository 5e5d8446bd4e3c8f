#!/usr/bin/env bash
# The newcomer's path, whole: a fresh clone, an empty home, nothing but the package index.
# make demo, make test, then the wheel in an empty environment with the locked dependencies, where the
# demo, the page and the commands of both CI recipes of docs/gate.md run; at last pip install of the clone.
# Takes a quarter of an hour; `make test-newcomer` runs it, NEWCOMER_TEST=no leaves make test out, and
# PYTHON=python3.13 takes that Python.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch/home" PYTHON=${PYTHON:-python3}
mkdir "$HOME"
git clone --quiet "$repository" "$scratch/clone"
cd "$scratch/clone"

step() { echo "== $*"; local begun=$SECONDS; "$@"; echo "== $1 $2: $((SECONDS - begun)) s"; }
step make demo TMPDIR="$scratch"  # its workspace goes with the rest
if [ "${NEWCOMER_TEST:-yes}" = yes ]; then step make test; fi
test -z "$(git status --porcelain)" || { echo "something is left behind:"; git status --short; exit 1; }

quiet=(--quiet --disable-pip-version-check)
.venv/bin/pip wheel "${quiet[@]}" --no-build-isolation --no-deps --wheel-dir "$scratch/wheel" .
"$PYTHON" -m venv "$scratch/empty"
pip="$scratch/empty/bin/pip"
step "$pip" install "${quiet[@]}" --require-hashes --no-deps -r constraints.txt
step "$pip" install "${quiet[@]}" --no-deps "$scratch"/wheel/*.whl
step "$pip" check
mkdir "$scratch/steps"
cd "$scratch/steps"
step "$scratch/empty/bin/python" "$scratch/clone/tests/newcomer/wheel.py" \
  "$scratch/clone/docs/gate.md" "$scratch"/wheel/*.whl

"$PYTHON" -m venv "$scratch/venv"
cd "$scratch/clone"
step "$scratch/venv/bin/pip" install "${quiet[@]}" .
cd "$scratch"
step "$scratch/venv/bin/assay" demo "$scratch/work"
echo "== the newcomer has arrived"

#!/usr/bin/env bash
# The newcomer's path, whole: a fresh clone, an empty home, nothing but the package index.
# make demo, make test, then pip install into an environment of its own and assay demo.
# Takes a quarter of an hour; `make test-newcomer` runs it, NEWCOMER_TEST=no leaves make test out.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export HOME="$scratch/home"
mkdir "$HOME"
git clone --quiet "$repository" "$scratch/clone"
cd "$scratch/clone"

step() { echo "== $*"; local begun=$SECONDS; "$@"; echo "== $1 $2: $((SECONDS - begun)) s"; }
step make demo
if [ "${NEWCOMER_TEST:-yes}" = yes ]; then step make test; fi
test -z "$(git status --porcelain)" || { echo "something is left behind:"; git status --short; exit 1; }

${PYTHON:-python3} -m venv "$scratch/venv"
step "$scratch/venv/bin/pip" install --quiet --disable-pip-version-check .
cd "$scratch"
step "$scratch/venv/bin/assay" demo "$scratch/work"
echo "== the newcomer has arrived"

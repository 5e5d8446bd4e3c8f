#!/usr/bin/env bash
# `make test-real-clients`: the libraries that people build services with, for real.
#
# Creates .venv-real-clients with assay, clients of models, LangChain, LlamaIndex, Haystack, DSPy and
# FastAPI, and runs the checks of this folder in it. check_real_clients.py makes each client fail
# against the fault server of tests/support; check_frameworks.py runs the examples of docs/adapters.md
# by the installed command. All models are on a loopback socket, and only packages are downloaded.
set -euo pipefail
cd "$(dirname "$0")/../.."

environment=.venv-real-clients
python="$environment/bin/python"
ready="$environment/ready"
pip=("$python" -m pip --disable-pip-version-check install --quiet)

for input in constraints.txt pyproject.toml tests/real_clients/run.sh tests/real_clients/requirements.txt; do
  if [[ ! -e $ready || $input -nt $ready ]]; then
    "${PYTHON:-python3}" -m venv --clear "$environment"
    echo '*' > "$environment/.gitignore"
    "${pip[@]}" --require-hashes --no-deps -r constraints.txt
    "${pip[@]}" --no-build-isolation --editable .
    "${pip[@]}" -r tests/real_clients/requirements.txt
    touch "$ready"
    break
  fi
done

# The suite's conftest needs libraries that this environment does not have, so it is not used.
# Warnings of the libraries are not ours.
exec "$python" -m pytest -W default --noconftest -p no:cacheprovider --basetemp="$environment/tmp" -v "$@" \
  tests/real_clients/check_real_clients.py tests/real_clients/check_frameworks.py

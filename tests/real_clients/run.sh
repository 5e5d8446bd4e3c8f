#!/usr/bin/env bash
# `make test-real-clients`: make the model clients that people use fail for real.
#
# Creates .venv-real-clients with assay, the client libraries and pydantic, and runs
# check_real_clients.py in it. Each client calls the fault server of tests/support on a loopback
# socket and raises its own exception; the checks compare how assay reads it. Only packages are
# downloaded.
set -euo pipefail
cd "$(dirname "$0")/../.."

environment=.venv-real-clients
python="$environment/bin/python"
ready="$environment/ready"
pip=("$python" -m pip --disable-pip-version-check install --quiet)

for input in constraints.txt pyproject.toml tests/real_clients/run.sh; do
  if [[ ! -e $ready || $input -nt $ready ]]; then
    "${PYTHON:-python3}" -m venv --clear "$environment"
    echo '*' > "$environment/.gitignore"
    "${pip[@]}" --require-hashes --no-deps -r constraints.txt
    "${pip[@]}" --no-build-isolation --editable .
    "${pip[@]}" pytest httpx requests tenacity openai langchain-openai litellm \
      pydantic pydantic-settings
    touch "$ready"
    break
  fi
done

# The suite's conftest needs libraries that this environment does not have, so it is not used.
exec "$python" -m pytest --noconftest -p no:cacheprovider --basetemp="$environment/tmp" -v "$@" \
  tests/real_clients/check_real_clients.py

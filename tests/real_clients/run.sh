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
    "${pip[@]}" pytest==9.2.0 pytest-timeout==2.4.0 httpx==0.28.1 requests==2.34.2 tenacity==9.2.1 openai==2.54.0 \
      langchain-core==1.7.2 langchain-openai==1.7.3 litellm==1.106.2 pydantic-settings==2.16.2
    touch "$ready"
    break
  fi
done

# The suite's conftest needs libraries that this environment does not have, so it is not used.
# Warnings of the libraries are not ours.
exec "$python" -m pytest -W default --noconftest -p no:cacheprovider --basetemp="$environment/tmp" -v "$@" \
  tests/real_clients/check_real_clients.py

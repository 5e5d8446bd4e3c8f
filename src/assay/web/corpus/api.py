"""The structs of searching the corpus and of the gold of a question.

    GET  /api/v1/corpus?path=…&question=…    CorpusView
    POST /api/v1/corpus/search   SearchRequest   FoundPassages
    POST /api/v1/corpus/gold     GoldChange      AskedQuestion

A search is a ``POST`` because it may call an embedding model, which costs something. ``path`` names
a file of questions of the workspace.
"""

from msgspec import Struct


class AskedQuestion(Struct, frozen=True, kw_only=True):
    """A question of a file with its gold; ``version`` is a hash of the file."""

    path: str
    id: str
    text: str
    gold: tuple[str, ...]
    version: str


class CorpusView(Struct, frozen=True, kw_only=True):
    """What can be searched and changed: the files of questions, and the question of the address.

    ``ids`` are the questions of the file, the first ones. ``problem`` says why the question cannot
    be shown.
    """

    files: tuple[str, ...]
    ids: tuple[str, ...] = ()
    question: AskedQuestion | None = None
    problem: str = ""


class SearchRequest(Struct, frozen=True, kw_only=True):
    """Words to search for; ``source`` is a document, or a part of its name ("" is any)."""

    text: str
    source: str = ""
    limit: int = 10


class FoundPassage(Struct, frozen=True, kw_only=True):
    """A passage of the corpus; ``start`` and ``end`` are its place in the document."""

    id: str
    source: str
    text: str
    score: float
    page: int | None = None
    start: int | None = None
    end: int | None = None


class FoundPassages(Struct, frozen=True, kw_only=True):
    """The best passages, the best first, and the documents of the corpus."""

    passages: tuple[FoundPassage, ...]
    sources: tuple[str, ...]


class GoldChange(Struct, frozen=True, kw_only=True):
    """A passage becomes gold of a question, or no longer is."""

    path: str
    question: str
    version: str
    passage: FoundPassage
    is_gold: bool

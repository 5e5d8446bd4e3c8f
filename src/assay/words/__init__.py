"""The catalogue: all that assay says, in English, Chinese and Russian, and the language in use.

``en.toml``, ``zh.toml`` and ``ru.toml`` have the words of reports and of the page by their keys.
``command/zh.toml`` and ``command/ru.toml`` have what commands say and their help, by the English
text, so that English needs no file.
"""

from assay.words.language import (
    LANGUAGES,
    VARIABLE,
    Lang,
    chosen_language,
    language,
    speaking,
    use_language,
)
from assay.words.plural import Count
from assay.words.say import listed, say
from assay.words.translation import Translation, translation

__all__ = [
    "LANGUAGES",
    "VARIABLE",
    "Count",
    "Lang",
    "Translation",
    "chosen_language",
    "language",
    "listed",
    "say",
    "speaking",
    "translation",
    "use_language",
]

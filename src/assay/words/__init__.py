"""The catalogue: all that assay says, in English, Chinese and Russian, and the language in use.

``en.toml``, ``zh.toml`` and ``ru.toml`` have the words of reports and of the page by their keys.
``command/zh.toml`` and ``command/ru.toml`` have what commands say and their help, by the English
text, so that English needs no file.
"""

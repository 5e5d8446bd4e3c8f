"""All that assay says, in English, Chinese and Russian, and the language in use.

The English text is the key; ``locale/zh.po`` and ``locale/ru.po`` have the translations.
"""

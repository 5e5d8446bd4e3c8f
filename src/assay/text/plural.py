"""Nouns after a number: "1 document", "2 documents"; 1 документ, 2 документа, 5 документов."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its English noun; ``plural`` is for nouns that do not just take an "s".

    >>> counted(1, "document"), counted(2, "document"), counted(0, "entry", "entries")
    ('1 document', '2 documents', '0 entries')
    """
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"

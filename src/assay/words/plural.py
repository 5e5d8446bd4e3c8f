"""Forms of nouns after a number."""


class Count(int):
    """A number that chooses the form of a noun where a text is filled in.

    Two forms are for one and for more, as in English; three are those of Russian.

    >>> "{n} {n:row is|rows are} left".format(n=Count(1))
    '1 row is left'
    >>> ["{n} {n:вопрос|вопроса|вопросов}".format(n=Count(n)) for n in (1, 3, 11, 21)]
    ['1 вопрос', '3 вопроса', '11 вопросов', '21 вопрос']
    """

    def __format__(self, spec: str) -> str:
        if "|" not in spec:
            return super().__format__(spec)
        forms = spec.split("|")
        if len(forms) == 2:
            return forms[self != 1]
        last, tens = self % 10, self % 100
        if last == 1 and tens != 11:
            return forms[0]
        return forms[1] if 2 <= last <= 4 and not 12 <= tens <= 14 else forms[2]

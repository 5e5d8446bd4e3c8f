"""Whether a whole answer abstains. This module is quick to import: metrics are declared with it."""


def abstains(answer: str, question: str | None = None) -> bool:
    """Whether ``answer`` as a whole says that there is no answer.

    >>> abstains("The contract is silent on subletting."), abstains("Не указано, вероятно 5000.")
    (True, False)
    >>> answer = "The rent is 5,000; the deposit is not mentioned."
    >>> abstains(answer, "How much is the rent?"), abstains(answer, "How much is the deposit?")
    (False, True)

    An empty answer says nothing, so it does not abstain.
    """
    # its patterns take long to compile, and who shows a metric needs none of them
    from assay.scorers.abstention.verdict import is_abstention  # noqa: PLC0415

    return is_abstention(answer, question)

"""An answer divided into statements: sentences, cut at semicolons, "but" and "so"."""

from assay.scorers.abstention import context
from assay.scorers.abstention.question import Focus
from assay.scorers.abstention.sentence import answer_sentences
from assay.scorers.abstention.statement import Statement
from assay.scorers.abstention.stretch import cut


def statements(text: str, asked: Focus | None = None) -> list[Statement]:
    """The statements of ``text`` in order; a quotation is no statement.

    If it is known what the question asks for, a statement that denies only that refuses, too.

    >>> text = "The text discusses rivers, but does not mention the capital. Please ask again."
    >>> [(statement.role, statement.span.of(text)) for statement in statements(text)]
    [('support', 'The text discusses rivers'), ('refusal', 'does not mention the capital'), ('support', 'Please ask again')]
    """
    collected: list[Statement] = []
    for sentence in answer_sentences(text):
        label = context.LABEL.match(sentence.text)
        end = label.end() if label else 0
        for stretch in cut(sentence.text, context.BREAK, end, len(sentence.text)):
            joint = sentence.text[end : stretch.start]
            before = collected[-1] if collected else None
            collected.append(Statement(text, sentence, stretch, joint, before, asked))
            end = stretch.end
    return collected

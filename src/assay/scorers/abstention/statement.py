"""The statements of an answer, and what each of them does in an answer that abstains.

The answer is cut into sentences, each sentence into statements (at semicolons, "but", "so"), and
each statement into parts (at commas). A statement

* *refuses* if it contains a phrase that says that the information is not there or cannot be
  given ("the contract is silent on", "из документа не следует", "材料未载明"). A statement whose
  subject is carried over counts too: "The text discusses A and B, but does not mention C".
* *supports* a refusal if it says nothing about the matter: regret, advice, an offer, a request to
  upload or rephrase, what the text covers in general, a quotation that shows the gap.
* *reports* what the text says: "The article states that the mill employed 300 people".
* is *plain* otherwise.

These are not refusals: a rule about what is left open ("if the term is not specified…",
"没有约定的，…"), a prohibition ("must not be mentioned"), and the silence of a person.
"""

import re
from functools import cached_property
from typing import Final, Literal, TypeAlias

from assay.scorers.abstention import context
from assay.scorers.abstention.denial import repeats_question
from assay.scorers.abstention.field import is_report_field
from assay.scorers.abstention.part import (
    abstaining_phrases,
    claims_beside,
    denied_parts,
    gap_stretches,
    is_fragment,
    is_report,
    pauses,
    sign_stretches,
    supports,
)
from assay.scorers.abstention.place import (
    begins_with_reference,
    has_reason_label,
    is_vain_search,
    past_marks,
)
from assay.scorers.abstention.question import Focus, content_words
from assay.scorers.abstention.sentence import Sentence
from assay.scorers.abstention.sign import has_refusing_sign, is_text_gap, matter, matter_inside
from assay.scorers.abstention.stretch import Stretch
from assay.scorers.abstention.wording import Part, Wording
from assay.scorers.abstention.world import without_world
from assay.text import Span, normalised

Role: TypeAlias = Literal["refusal", "support", "report", "plain"]

_LIST_MARK: Final = re.compile(r"\W*(?:[-*•·–]|\d{1,2}[.)])\s")
_FIRST_ITEM: Final = re.compile(r":\W*1\W*$")


_SHORT_ANSWER: Final = 80
"""An answer of so few characters has no room for more than a refusal."""
_OBJECT: Final = 24
"""So many characters after a phrase tell what it denies."""
_LEAD_IN: Final = 8
"""How many words may lead up to a quotation."""


class Statement(Wording):
    """One statement of an answer. All spans are offsets in the answer.

    What a statement does is found out when it is asked for: most answers contain no refusal,
    and then only that is asked.

    Args:
        answer: the whole answer.
        sentence: the sentence of the statement.
        stretch: where the statement is in it.
        joint: the words between the statement before and this one, such as "but".
        before: the statement before it in the answer, if any.
        asked: what the question asks for, if it is known.
    """

    def __init__(
        self,
        answer: str,
        sentence: Sentence,
        stretch: Stretch,
        joint: str,
        before: "Statement | None",
        asked: Focus | None,
    ) -> None:
        super().__init__(answer, sentence, stretch)
        self._joint = joint
        self._before = before
        self._asked = asked
        self._begins = before is None or before.sentence is not sentence

    @cached_property
    def role(self) -> Role:
        """What the statement does, see the top of this module."""
        if self.refuses:
            return "refusal"
        if context.POLAR.match(self.form):
            return "plain"
        if context.QUOTATION_LABEL.match(self.form) or self.form.rstrip(" *_").endswith(":"):
            return "support"
        if self.sentence.text[self._stretch.end :].lstrip(" *_)").startswith("?"):
            return "support"  # a question that is asked back
        if supports(self.form) or self.is_listed_coverage or self._is_report_field:
            return "support"
        if self.follows_refusal and has_reason_label(self.answer, self.span.start, self.text):
            return "support"
        return "report" if self._reports else "plain"

    @cached_property
    def is_listed_coverage(self) -> bool:
        """Whether the statement is a line of a list of what the text has instead."""
        before = self._before
        if before is None or before.role != "support":
            return False
        if _FIRST_ITEM.search(before.form):
            return True  # "You can: 1. Check the spelling": the number ends a sentence
        if not _LIST_MARK.match(self.form):
            return False
        if context.ADVICE.search(before.form):
            return True
        is_heading = before.form.rstrip(" *_").endswith(":")
        return before.is_listed_coverage or (is_heading and before.follows_refusal)

    @property
    def _is_report_field(self) -> bool:
        """Whether the statement, with its label, is a field of a program's report."""
        end = self._stretch.end
        line = self.sentence.text[:end] if self._begins else self.form
        return is_report_field(line, self._asked)

    @cached_property
    def follows_refusal(self) -> bool:
        """Whether a statement before it refuses."""
        before = self._before
        return before is not None and (before.refuses or before.follows_refusal)

    @cached_property
    def refuses(self) -> bool:
        """Whether the statement says that the information is not there or cannot be given."""
        return bool(self._stretches)

    @cached_property
    def phrases(self) -> tuple[Span, ...]:
        """The words that refuse."""
        return tuple(self.sentence.span(*stretch) for stretch in self._stretches)

    @cached_property
    def claims(self) -> tuple[Part, ...]:
        """The parts of a refusal that claim something."""
        if not self.refuses:
            return ()
        stretches = claims_beside(
            self.sentence.text, *self._stretch, self._stretches, asked=self._asked
        )
        return tuple(
            Part(self.sentence.cased[start:end], self.sentence.span(start, end))
            for start, end in stretches
        )

    @cached_property
    def is_whole(self) -> bool:
        """Whether a refusal is about the question as a whole: "I cannot answer"."""
        return self.refuses and (
            context.WHOLE.search(self.form) is not None or has_refusing_sign(self.form)
        )

    @cached_property
    def matter(self) -> frozenset[str]:
        """What a refusal is about: the words after what refuses, or its subject if there are none."""
        if self.object_words or not self._stretches:
            return self.object_words
        inside = self.sentence.text[slice(*self._stretches[0])]
        return matter(self.lead, follows_phrase=False) or matter_inside(inside)

    @cached_property
    def object_words(self) -> frozenset[str]:
        """The words after what refuses."""
        if not self._stretches:
            return frozenset()
        last = self._stretches[-1].end
        part = next((p for p in pauses(self.sentence.text, *self._stretch) if last <= p.end), None)
        return matter(self.sentence.text[last : part.end if part else last], follows_phrase=True)

    @cached_property
    def refusing_parts(self) -> str:
        """The parts between commas that refuse, in lower case."""
        text, starts = self.sentence.text, [stretch.start for stretch in self._stretches]
        parts = pauses(text, *self._stretch)
        return " ".join(text[a:b] for a, b in parts if any(a <= start < b for start in starts))

    @cached_property
    def denials(self) -> list[str]:
        """What refuses, each with the words after it."""
        text, end = self.sentence.text, self._stretch.end
        return [text[start : min(end, stop + _OBJECT)] for start, stop in self._stretches]

    @cached_property
    def first_part(self) -> str:
        """What precedes the first comma, unless it refuses itself."""
        first = pauses(self.sentence.text, *self._stretch)[0]
        if self._stretches and self._stretches[0].start < first.end:
            return ""
        return self.sentence.cased[first.start : first.end]

    @cached_property
    def lead(self) -> str:
        """What precedes the words that refuse, in lower case."""
        end = self._stretches[0].start if self._stretches else self._stretch.end
        return self.sentence.text[self._stretch.start : end]

    @cached_property
    def adds(self) -> bool:
        """Whether the statement adds something to what was said: "In addition, …"."""
        return self._begins and context.ADDITION.match(self.form) is not None

    @cached_property
    def is_limited(self) -> bool:
        """Whether only a part of something is missing: "but not the amount"."""
        # The expression is the cheapest test, and it nearly always fails.
        if not context.CARRIED_PART.search(self.form):
            return False
        return self.follows_text and not self._phrase_stretches

    @cached_property
    def contrasts(self) -> bool:
        """Whether the statement is set against the one before it: "but", "however"."""
        if self._begins and context.CONTRAST_START.match(self.form):
            return True
        if self._begins and context.CONTRAST_INSIDE.match(self.form):
            return True
        return context.CONTRAST.search(self._joint) is not None

    @cached_property
    def concludes(self) -> bool:
        """Whether the statement follows from the one before it: "so", "therefore"."""
        if self._begins:
            return context.CONCLUSION_START.match(self.sentence.text) is not None
        return context.CONCLUSION.search(self._joint) is not None

    @cached_property
    def is_fragment(self) -> bool:
        """Whether the statement opens the answer, is short and has no verb, as "Gate B7" is."""
        if self._before is not None and self._before.role != "support":
            return False
        return is_fragment(self.form)

    @cached_property
    def full_text(self) -> str:
        """The statement, and if it is a report, also what it quotes in it or directly after it."""
        if self.role != "report":
            return self.text
        after = context.QUOTATION.match(self.answer, past_marks(self.answer, self.span.end))
        quoted = [match.group() for match in context.QUOTATION.finditer(self.segment)]
        quoted += [after.group()] if after else []
        return " ".join((self.text, *map(normalised, quoted)))

    @cached_property
    def news(self) -> str:
        """The full text, and if it is a report, without the words that name the text."""
        if self.role != "report":
            return self.text
        match = context.REPORT.match(self.full_text.lower())
        return self.full_text[match.end() :] if match else self.full_text

    @cached_property
    def _stretches(self) -> list[Stretch]:
        if self.is_limited:
            return [self._stretch]
        return self._phrase_stretches

    @cached_property
    def _phrase_stretches(self) -> list[Stretch]:
        found = self._find_stretches() or self._find_signs()
        if not found or self._is_about_person or self._is_caveat:
            return []
        return without_world(self.sentence.text, *self._stretch, found)

    def _find_stretches(self) -> list[Stretch]:
        start, end = self._stretch
        if context.TRIGGER.search(self.form):
            stretches = abstaining_phrases(
                self.sentence.text, start, end, has_text_before=lambda: self.follows_text
            )
            if self._asked is not None and self._asked.is_polar:
                stretches = [s for s in stretches if not self._repeats_question(s, self._asked)]
                if self._is_no(self._asked):
                    return []  # "It was not cleared up, and nobody knows where they are": a no
            if stretches:
                return stretches
        if self._asked is None:
            return []
        denied = denied_parts(self.sentence.text, start, end, self._asked)
        # After an answer, a denial is a part of it, or tells which of two things is missing.
        is_part = denied and not self._asked.asks_two and self.follows_answer(self._asked)
        return [] if is_part else denied

    def _is_no(self, asked: Focus | None) -> bool:
        """Whether the statement denies what is asked, and not that it can be told."""
        if asked is None or not asked.is_denied_by(self.text) or context.SOURCE.search(self.form):
            return False
        return context.CANNOT_TELL.search(self.form) is None

    def _find_signs(self) -> list[Stretch]:
        """The signs that the answer is not given, if nothing says so."""
        is_polar = self._asked is not None and self._asked.is_polar
        if is_polar and (self._is_no(self._asked) or context.POLAR.match(self.form)):
            return []
        if self._before is not None and is_vain_search(self._before.form, self.form):
            return [self._stretch]
        found = sign_stretches(self.sentence.text, *self._stretch, self._asked)
        if found:
            return found
        if self._asked is None:
            return self._find_gap_without_question()
        gaps = gap_stretches(self.sentence.text, *self._stretch, self._asked)
        return [] if gaps and self.follows_answer(self._asked) else gaps

    def _find_gap_without_question(self) -> list[Stretch]:
        """The whole answer, if it is short and only says that a given text lacks something."""
        if self._before is not None or len(self.answer) > _SHORT_ANSWER:
            return []
        return [self._stretch] if is_text_gap(self.form) else []

    @cached_property
    def _is_about_person(self) -> bool:
        """Whether a person did not tell or know, and the statement is not about the text."""
        if not context.PERSON_SUBJECT.match(self.form) or context.SOURCE.search(self.form):
            return False
        return not self.follows_text

    @cached_property
    def _is_caveat(self) -> bool:
        """Whether the statement only limits what an answer before it is worth."""
        return context.CAVEAT.search(self.form) is not None and self.comes_after_claim

    @cached_property
    def comes_after_claim(self) -> bool:
        """Whether a statement before tells something that could be the answer."""
        before = self._before
        if before is None or before.refuses:
            return False
        if self._asked is not None and self._asked.asks_advice:
            return True
        if before.role in {"plain", "report"} and (
            self._asked is None
            or self._asked.is_touched_by(before.full_text)
            or self._asked.has_figure(before.full_text)
        ):
            return True
        return before.comes_after_claim

    def _repeats_question(self, stretch: Stretch, asked: Focus) -> bool:
        phrase = self.sentence.text[stretch.start : stretch.end]
        return repeats_question(phrase, self.sentence.text[stretch.end :], asked)

    def follows_answer(self, asked: Focus) -> bool:
        """Whether a statement before could be the answer, and this one is not set against it."""
        named = content_words(self.form) & asked.words
        return not self.contrasts and self.answer_before(asked, named)

    def answer_before(self, asked: Focus, named: frozenset[str]) -> bool:
        """Whether a statement before could be the answer to these words of the question."""
        before = self._before
        if before is None:
            return False
        if before.role == "plain" and asked.is_answered_by(before.text, named):
            return True
        return not before.contrasts and before.answer_before(asked, named)

    @cached_property
    def _reports(self) -> bool:
        if is_report(self.form, has_text_before=lambda: self.follows_text):
            return True
        if begins_with_reference(self.answer, self.span.start, self.form, opens=self._begins):
            return True
        # "As the report puts it, “…”": nothing but the quotation and where it is from.
        is_short = len(self.form.split()) <= _LEAD_IN and context.DOCUMENT.search(self.form)
        return bool(is_short) and context.QUOTATION.search(self.segment) is not None

    @cached_property
    def is_about_text(self) -> bool:
        """Whether the statement names the text, or tells what it has or lacks."""
        return context.DOCUMENT.search(self.form) is not None or self.refuses or self._reports

    @cached_property
    def follows_text(self) -> bool:
        """Whether the statement before is about the text, or one before it in the sentence."""
        before = self._before
        if before is None:
            return False
        return before.is_about_text or (not self._begins and before.follows_text)

"""The offline sample: a generated chronicle, which no model knows, and the windowed reader.

With the default lengths and window, the map shows that everything is found in contexts up to the
size of the window, that the middle of longer contexts is lost, and that only the two ends of the
longest contexts are read.
"""

import hashlib
from typing import Final

import msgspec

from assay.data.chronicle import chronicle
from assay.data.novel import Novel, TokenizedNovel
from assay.jobs.depth.novel_data import NovelData, text_sha256
from assay.text import Language
from assay.text.tokenizer import load_tokenizer

LENGTHS: Final = (4_000, 8_000, 16_000, 32_000)
SYSTEM: Final = "reader:12000"
QUESTIONS: Final = 30
MOST_TOKENS: Final = 1_000_000


def sample_novel_data(
    language: Language,
    *,
    longest: int,
    tokenizer: str = "o200k",
    seed: int = 0,
    questions: int = QUESTIONS,
) -> NovelData:
    """A chronicle that is a quarter longer than the longest context, with its questions.

    It is at least 2,000 tokens longer, and never longer than ``MOST_TOKENS``.
    """
    tokens = min(MOST_TOKENS, longest + max(longest // 4, 2_000))
    story = chronicle(language, tokens=tokens, seed=seed, questions=questions)
    name = f"chronicle_{language}_{tokens}_{seed}"
    return NovelData(
        name=f"sample_{language}",
        novel=TokenizedNovel(Novel(text=story.text), load_tokenizer(tokenizer)),
        novel_name=name,
        novel_sha256=text_sha256(story.text),
        questions=story.questions,
        questions_name=f"{name}_questions",
        questions_sha256=hashlib.sha256(msgspec.json.encode(story.questions)).hexdigest(),
        set_metadata={"language": language, "seed": seed, "tokens": tokens},
    )

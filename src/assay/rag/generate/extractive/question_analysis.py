"""Analysis of a question: its content words, the kinds of answer it expects, and its parts."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from assay.text import CYRILLIC, HAN, LATIN, AnswerType, Language, expected_types, words
from assay.text.lexicon import alternatives, lazy_pattern

_FUNCTION_WORDS: Final[Mapping[Language, str]] = {
    "en": "a an the of in on at to by for from with without into onto over under about as than then"
    " and or but if so nor not no yes is are was were be been being am do does did done doing have"
    " has had having will would shall should can could may might must i me my mine we us our you"
    " your he him his she her it its they them their one ones this that these those there here"
    " who whom whose what which when where why how much many long often soon far old quickly ever"
    " any some all each every both either such same other another own more most less least very"
    " just only also too still already yet up down out off back again once while during before"
    " after between against through per via get gets got give given gives take put let go goes"
    " please tell say says said themselves himself herself itself myself",
    "ru": "и в во на с со к ко о об обо от из у по за до под над при про для без через между перед"
    " а но или либо же ли бы то что чтобы как так если когда где куда откуда кто кого кому кем чей"
    " чья чьи чьё какой какая какое какие какого какую каким каких каков какова каково каковы"
    " сколько скольких насколько почему зачем почём отчего я мне меня мы нас нам вы вас вам он она"
    " оно они его её ему ей их им ими этот эта это эти этого этой этому том тот та те того той тех"
    " тем сам сама сами себя себе свой своя своё свои своего своей своих который которая которое"
    " которые которого которой которых не ни нет да есть был была было были быть будет будут стал"
    " стала стало стали может могут можно нужно надо ещё уже только лишь даже весь вся всё все всех"
    " всего теперь тогда там тут здесь ведь более менее очень также тоже другой раз",
    "zh": "的 了 着 过 地 得 是 在 有 和 与 及 或 而 且 并 也 都 就 才 又 还 再 很 太 最 更 吗 呢 吧 啊 呀 么"
    " 嘛 我 你 您 他 她 它 我们 你们 他们 她们 咱们 自己 这 那 哪 这个 那个 哪个 这些 那些 哪些 这里 那里"
    " 哪里 哪儿 什么 怎么 怎样 如何 为什么 为何 谁 几 多少 多久 多长 多大 多高 多远 何时 何处 是否 能 能否 可以"
    " 可 会 要 想 得 该 应该 需要 不 没 没有 别 把 被 给 让 叫 从 到 向 对 为 为了 由 于 以 按 照 跟 比 如果"
    " 要是 因为 因此 所以 但 但是 却 只 只能 一 一个 个 每 某 各 本 该 其 之 所 者 时候 里 上 下 中 内 外 前 后"
    " 请 请问 问 说 一下 有没有 能不能 是不是 行不行 要不要 可不可以 起码 最多 最少 至少 最晚 最迟 最久 算 来 去 家"
    " 家里 人 人家 东西 事 事情 样 一样 这样 那样 时 等 几个 几天 几点 几次 几年 几种 几名 第几 哪天 哪年",
}
_QUESTION_SIGN: Final = lazy_pattern(lambda: alternatives("question_analysis.question_sign"))
# In Russian a comma may begin a relative clause, as in "тех, кто".
_CLAUSE: Final = lazy_pattern(lambda: alternatives("question_analysis.clause"))
_NAME: Final = re.compile(rf"(?<=[{CYRILLIC}{LATIN}0-9,;] )[«\"“]?([A-ZА-ЯЁ][{CYRILLIC}{LATIN}]+)")


class QuestionAnalysis(Struct, frozen=True, kw_only=True):
    """The content words of a question with their weights, and the expected kinds of answer."""

    weights: Mapping[str, float]
    kinds: tuple[AnswerType, ...]


@lru_cache(maxsize=1024)
def analyse_question(question: str) -> QuestionAnalysis:
    """Analyse a question. The weights of its words do not depend on a corpus.

    A number has the weight 1. A Chinese word has 0.5 for one character, 1 for two and 1.3 for
    more. Any other word has 0.3 + 0.15 per letter, at most 1.2. The weight of a name is
    multiplied by 1.5.

    >>> sorted(analyse_question("How many days of notice must I give?").weights)
    ['day', 'notic']
    """
    names = {stem for match in _NAME.finditer(question) for stem in words(match[1])}
    weights = {
        word: _weight(word) * (1.5 if word in names else 1.0) for word in content_words(question)
    }
    return QuestionAnalysis(weights=weights, kinds=expected_types(question))


def question_parts(question: str) -> list[str]:
    """The clauses of a question that each ask something; empty if there are fewer than two.

    >>> question_parts("Who signs the form, and when is it due?")
    ['Who signs the form', 'when is it due']
    >>> question_parts("Who signs the form?")
    []
    """
    clauses = [clause.strip() for clause in _CLAUSE.split(question)]
    asking = [c for c in clauses if _QUESTION_SIGN.search(c) and analyse_question(c).weights]
    return asking if len(asking) > 1 else []


def content_words(text: str) -> list[str]:
    """The words of ``text`` without function words, in order, as ``assay.text.words`` gives them."""
    return [word for word in words(text) if word not in _function_stems()]


def _weight(word: str) -> float:
    if word[0].isdigit():
        return 1.0
    if re.match(f"[{HAN}]", word):
        return (0.5, 1.0, 1.3)[min(len(word), 3) - 1]
    return min(1.2, 0.3 + 0.15 * len(word))


@lru_cache(maxsize=1)
def _function_stems() -> frozenset[str]:
    """The function words of all languages, as written and as ``assay.text.words`` gives them."""
    return frozenset(
        form
        for listed in _FUNCTION_WORDS.values()
        for word in listed.split()
        for form in (word, *words(word))
    )

"""What heatmaps say in English, Chinese and Russian, and how they write numbers."""

from collections.abc import Mapping
from typing import Final

from assay.report.words.label import Lang

_ORDER: Final[tuple[Lang, ...]] = ("en", "zh", "ru")

_WORDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "depth map": ("Recall by depth", "深度召回热力图", "Полнота по глубине"),
    "coverage map": ("Questions along the novel", "问题在小说中的分布", "Вопросы по ходу романа"),
    "accuracy map": ("Recall along the novel", "沿小说位置的召回", "Полнота по ходу романа"),
    "no data": ("no data", "无数据", "нет данных"),
    "no data short": ("–", "无", "–"),
    "context length": ("context length, tokens", "上下文长度（词元）", "длина контекста, токены"),
    "depth": ("depth of the answer", "答案深度", "глубина ответа"),
    "position": (
        "position in the novel, tokens",
        "在小说中的位置（词元）",
        "место в романе, токены",
    ),
    "model": ("model", "模型", "модель"),
    "colon": (": ", "：", ": "),
    "data set": ("data set", "数据集", "набор данных"),
    "file": ("file", "文件", "файл"),
    "accuracy": ("accuracy", "准确率", "точность"),
    "interval": ("{percent}% interval", "{percent}% 区间", "интервал {percent}\u00a0%"),
    "questions": ("questions", "问题数", "вопросов"),
    "answers": ("answers", "回答数", "ответов"),
    "unparsed": ("unparsed", "未解析", "не разобрано"),
    "failed": ("failed", "失败", "сбой"),
    "skipped": ("skipped", "跳过", "пропущено"),
    "length": ("context", "上下文", "контекст"),
    "tip depth": ("depth", "深度", "глубина"),
    "tokens": ("{n} tokens", "{n} 词元", "{n} токенов"),
    "stretch": ("tokens", "词元", "токены"),
    "covered": ("tokens that are evidence", "证据词元占比", "доля токенов-свидетельств"),
    "coverage": ("relative to the densest", "相对最密处", "относительно самого плотного"),
    "mean of cells": ("mean of cells", "单元格均值", "среднее по ячейкам"),
    "mean of questions": ("mean of questions", "问题均值", "среднее по вопросам"),
    "mean": ("mean", "均值", "среднее"),
    "cells": ("cells", "单元格", "ячеек"),
    "answers counted": ("Answers counted", "计入的回答", "Учтённые ответы"),
    "all": ("all", "全部", "все"),
    "parsed": ("parsed only", "仅已解析", "только разобранные"),
    "view all": (
        "unparsed answers count as 0",
        "未解析的回答计为 0",
        "неразобранные ответы считаются за 0",
    ),
    "view parsed": (
        "unparsed answers left out",
        "不计未解析的回答",
        "неразобранные ответы не учтены",
    ),
    "means": ("Means", "均值", "Средние"),
    "of cells": ("of cells", "按单元格", "по ячейкам"),
    "of questions": ("of questions", "按问题", "по вопросам"),
    "colours": ("Colours", "配色", "Цвета"),
    "green-red": ("green to red", "绿—红", "зелёный–красный"),
    "safe": ("colour-blind safe", "色盲友好", "для дальтоников"),
    "difference": ("difference", "差值", "разность"),
    "difference of": ("{model} − {baseline}", "{model} − {baseline}", "{model} − {baseline}"),
    "points": ("{n} points", "{n} 个百分点", "{n} п.п."),
    "pairs": ("paired questions", "配对问题", "общих вопросов"),
    "gained": ("scored higher", "得分更高", "стало лучше"),
    "lost": ("scored lower", "得分更低", "стало хуже"),
    "p": ("p, corrected", "p（已校正）", "p с поправкой"),
    "verdict": ("verdict", "判定", "вывод"),
    "significant": ("significant", "显著", "значимо"),
    "not significant": ("no difference shown", "未显示差异", "различие не показано"),
    "framed": ("significant after correction", "校正后显著", "значимо с поправкой"),
    "few": ("few", "少", "мало"),
    "many": ("many", "多", "много"),
    "lower": ("lower", "更低", "хуже"),
    "higher": ("higher", "更高", "лучше"),
    "close": ("Close", "关闭", "Закрыть"),
    "wrong only": ("only those not fully right", "仅显示未全对的", "только не вполне верные"),
    "changed only": ("only those that changed", "仅显示有变化的", "только изменившиеся"),
    "none listed": ("Nothing to list.", "没有可列出的内容。", "Список пуст."),
    "correct answer": ("right answer", "正确答案", "верный ответ"),
    "score": ("score", "得分", "балл"),
    "no answer": ("(nothing)", "（无）", "(пусто)"),
    "at depth": ("placed at {depth}", "实际深度 {depth}", "место {depth}"),
    "at tokens": (
        "tokens {start}–{end} of the novel",
        "小说第 {start}–{end} 词元",
        "токены романа {start}–{end}",
    ),
    "more": (
        "… and {n} more: {right} right, {wrong} not fully right.",
        "……另有 {n} 条：{right} 条全对，{wrong} 条未全对。",
        "… и ещё {n}: верных {right}, не вполне верных {wrong}.",
    ),
    "more pairs": (
        "… and {n} more: {changed} changed.",
        "……另有 {n} 条：{changed} 条有变化。",
        "… и ещё {n}: изменившихся {changed}.",
    ),
    "keys": (
        "Arrow keys move between cells, Enter lists a cell's questions.",
        "方向键在单元格间移动，回车列出该单元格的问题。",
        "Стрелки переходят между ячейками, Enter показывает вопросы ячейки.",
    ),
    "needs script": (
        "The maps are drawn by a script inside this file; the table below needs none.",
        "热力图由本文件内的脚本绘制；下表无需脚本。",
        "Карты рисует сценарий внутри этого файла; таблица ниже обходится без него.",
    ),
    "note replaced": (
        "{model}: {n} rows replaced by a later row of the same case.",
        "{model}：{n} 行被同一用例的后一行取代。",
        "{model}: строк, заменённых более поздней строкой того же случая: {n}.",
    ),
    "note unplaced": (
        "{model}: {n} rows without a context length or a depth are not shown.",
        "{model}：{n} 行没有上下文长度或深度，未显示。",
        "{model}: строк без длины контекста или глубины, они не показаны: {n}.",
    ),
    "note unscored": (
        "{model}: {n} answers without a score are not shown.",
        "{model}：{n} 个回答没有得分，未显示。",
        "{model}: ответов без оценки, они не показаны: {n}.",
    ),
    "note excluded": (
        "{model}: {n} answers to {questions} questions known by heart are left out.",
        "{model}：{questions} 个模型凭记忆即可答对的问题（{n} 个回答）未计入。",
        "{model}: не учтены ответы на вопросы, известные модели наизусть: {n} (вопросов: {questions}).",
    ),
    "note unknown": (
        "{model}: the file does not say which questions are known by heart; none is left out.",
        "{model}：文件未说明哪些问题可凭记忆答对；未排除任何问题。",
        "{model}: в файле не сказано, какие вопросы известны наизусть; ни один не исключён.",
    ),
    "note unpaired": (
        "{model} and {baseline} share no question in any cell: there is nothing to compare.",
        "{model} 与 {baseline} 没有任何共同的单元格与问题：无从比较。",
        "У {model} и {baseline} нет общих вопросов ни в одной ячейке: сравнивать нечего.",
    ),
    "note difference": (
        (
            "Differences are over paired questions. Framed cells are significant (p < 0.05) after "
            "Holm's correction; cells in which an answer changed: {cells}. For any to pass, one needs "
            "at least {changes} changed answers, all one way. Margins pool the cells and are "
            "corrected among themselves."
        ),
        (
            "差值按配对问题计算。加框单元格经 Holm 校正后显著（p < 0.05）；有回答发生变化的单元格数：{cells}。"
            "其中须有一格至少出现 {changes} 个同向变化的回答，才可能有显著结果。"
            "边缘为合并各单元格的结果，单独校正。"
        ),
        (
            "Разности взяты по общим вопросам. Ячейки в рамке значимы с поправкой Холма "
            "(p < 0,05); ячеек, где изменился хоть один ответ: {cells}. Чтобы прошла хоть одна, в ней "
            "должно измениться в одну сторону ответов: не менее {changes}. Поля объединяют ячейки и "
            "поправлены отдельно."
        ),
    ),
    "note positions": (
        "{model}: {n} questions have no position in the novel and are not shown.",
        "{model}：{n} 个问题没有小说位置，未显示。",
        "{model}: вопросов без места в романе, они не показаны: {n}.",
    ),
}


def heat_word(key: str, lang: Lang, **fields: str) -> str:
    """A word of a heatmap, its fields filled.

    >>> heat_word("no data", "zh"), heat_word("tokens", "en", n="4,000")
    ('无数据', '4,000 tokens')
    """
    return _WORDS[key][_ORDER.index(lang)].format(**fields)


def shown_count(number: int, lang: Lang) -> str:
    r"""A whole number with its thousands set apart.

    >>> shown_count(163840, "en"), shown_count(163840, "ru")
    ('163,840', '163\xa0840')
    """
    return f"{number:,}".replace(",", "\u00a0" if lang == "ru" else ",")


def shown_decimal(value: float, digits: int, lang: Lang) -> str:
    """A number with so many digits, a comma before them in Russian, no minus before zero."""
    text = f"{value:.{digits}f}"
    text = text.removeprefix("-") if float(text) == 0 else text.replace("-", "−")
    return text.replace(".", ",") if lang == "ru" else text


def shown_percent(value: float, lang: Lang, digits: int = 2) -> str:
    r"""A share in percent.

    >>> shown_percent(0.890909, "en"), shown_percent(0.5, "ru", 1)
    ('89.09%', '50,0\xa0%')
    """
    return shown_decimal(100 * value, digits, lang) + ("\u00a0%" if lang == "ru" else "%")


def short_percent(value: float, lang: Lang) -> str:
    """A share in a tile: one digit where it is not whole, so that 99.6 does not read 100.

    >>> short_percent(1.0, "en"), short_percent(0.9963, "en"), short_percent(0.9999, "en")
    ('100', '99.6', '99.9')
    """
    tenths = round(1000 * value)
    if tenths == 1000 and value < 1:
        tenths = 999
    if tenths == 0 and value > 0:
        tenths = 1
    return shown_decimal(tenths / 10, 0 if tenths % 10 == 0 else 1, lang)


def whole_percent(value: float) -> str:
    """A share in a narrow tile; neither 0 nor 100 unless it is.

    >>> whole_percent(0.996), whole_percent(1.0), whole_percent(0.001)
    ('99', '100', '1')
    """
    number = round(100 * value)
    if number == 100 and value < 1:
        number = 99
    if number == 0 and value > 0:
        number = 1
    return str(number)


def shown_length(tokens: int, lang: Lang = "en") -> str:
    """A number of tokens as short as it stays true to a tenth of a thousand.

    >>> shown_length(32000), shown_length(163840), shown_length(1_000_000), shown_length(512)
    ('32K', '163.8K', '1M', '512')
    """
    if tokens < 1000:
        return str(tokens)
    if tokens < 999_950:
        return shown_decimal(tokens / 1000, 1, lang).removesuffix("0").rstrip(".,") + "K"
    return shown_decimal(tokens / 1_000_000, 2, lang).rstrip("0").rstrip(".,") + "M"


def length_labels(lengths: tuple[int, ...], lang: Lang = "en") -> tuple[str, ...]:
    """Labels of context lengths, written in full where two would read the same.

    >>> length_labels((32000, 32010, 64000))
    ('32000', '32010', '64K')
    """
    short = [shown_length(length, lang) for length in lengths]
    return tuple(
        str(length) if short.count(label) > 1 else label
        for length, label in zip(lengths, short, strict=True)
    )

"""Thirty invented documents in three languages and seven formats, as a folder of somebody's own might be.

All sentences are made from the words below by a generator with a fixed seed, so the folder is the same each time.
"""

import random
import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

from fpdf import FPDF
from openpyxl import Workbook

SECTIONS: Final = 12
SENTENCES: Final = 6
_DOCX: Final = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

Section = tuple[str, Sequence[str]]

WORDS: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "en": {
        "topic": ("Harbour", "Library", "Ferry", "Workshop", "Orchard", "Archive", "Bakery", "Mill", "School", "Depot"),
        "head": ("Opening", "Staff", "Fees", "Repairs", "Members", "Deliveries"),
        "place": ("Harlow", "Port Mellin", "Stanbury", "Quill Hill", "Ashdale", "Merrow"),
        "person": ("Nicholas Barrow", "Edith Farrow", "Simon Tully", "Clara Winslow", "Hugh Penrose"),
        "thing": ("north hall", "reading room", "stone pier", "drying house", "tool store", "ticket office"),
        "sentence": (
            "The {thing} of the {topic} in {place} was opened by {person} in {year}.",
            "{person} has been responsible for the {thing} in {place} since {year}.",
            "A yearly card for the {thing} in {place} costs {n} crowns.",
            "The {topic} in {place} employed {n} people in {year}.",
            "Anyone who returns a key late pays {n} crowns to the office in {place}.",
            "Repairs of the {thing} took {n} days and were paid for by {person}.",
            "Visitors of the {thing} are asked to leave wet coats at the entrance.",
        ),
    },
    "ru": {
        "topic": ("Пристань", "Библиотека", "Мастерская", "Мельница", "Школа", "Пекарня", "Архив", "Музей", "Склад", "Сад"),
        "head": ("Открытие", "Сотрудники", "Плата", "Ремонт", "Участники", "Поставки"),
        "place": ("Зареченске", "Лугове", "Каменске", "Белогорске", "Озёрске"),
        "person": ("Николай Барсов", "Анна Ветрова", "Семён Тулин", "Клара Зимина", "Пётр Ольхин"),
        "thing": ("северный зал", "читальный зал", "каменный причал", "сушильный цех", "билетный киоск"),
        "sentence": (
            "В {place} {thing} был построен в {year} году.",
            "{person} отвечает за {thing} в {place} с {year} года.",
            "Годовой билет в {thing} в {place} стоит {n} рублей.",
            "В {year} году в {place} работали {n} человек.",
            "За опоздание с возвратом ключа в {place} взимается плата в размере {n} рублей.",
            "Ремонт продолжался {n} дней, и его оплатил {person}.",
            "Посетителей просят оставлять мокрую одежду у входа.",
        ),
    },
    "zh": {
        "topic": ("码头", "图书馆", "渡口", "工坊", "果园", "档案室", "面包房", "磨坊", "学校", "仓库"),
        "head": ("开放", "人员", "费用", "维修", "会员", "送货"),
        "place": ("青河镇", "石桥镇", "云岭镇", "白沙镇", "东湖镇"),
        "person": ("李明", "王芳", "张伟", "陈静", "刘洋"),
        "thing": ("北厅", "阅览室", "石码头", "烘干房", "售票处"),
        "sentence": (
            "{place}{topic}的{thing}于{year}年由{person}建成。",
            "{person}自{year}年起担任{place}{thing}的负责人。",
            "{place}{thing}的年票价格为{n}元。",
            "{year}年，{place}{topic}共有员工{n}人。",
            "逾期归还钥匙者，应向{place}办公室缴纳{n}元。",
            "{place}{thing}的维修历时{n}天，费用由{person}承担。",
            "参观者应当将湿外套留在入口处。",
        ),
    },
}  # fmt: skip


def write_documents(folder: Path) -> list[Path]:
    """Write the documents into a new folder, in folders of their languages; return their paths."""
    chosen = random.Random(46)
    paths = []
    for lang, words in WORDS.items():
        (folder / lang).mkdir(parents=True)
        # the letters of the other languages are not in the fonts that every PDF reader has
        last = _pdf if lang == "en" else _docx
        kinds = {
            "md": _markdown,
            "txt": _text,
            "html": _html,
            "csv": _csv,
            "docx": _docx,
            "xlsx": _xlsx,
        }
        order = ["md", "txt", "html", "csv", "docx", "md", "txt", "html", "xlsx", "docx"]
        for topic, suffix in zip(words["topic"], order, strict=True):
            is_last = topic == words["topic"][-1]
            write = last if is_last else kinds[suffix]
            name = "pdf" if is_last and lang == "en" else suffix
            paths.append(folder / lang / f"{topic.lower()}.{name}")
            write(paths[-1], topic, _sections(words, topic, chosen))
    return paths


def _sections(
    words: Mapping[str, Sequence[str]], topic: str, chosen: random.Random
) -> list[Section]:
    return [
        (
            f"{words['head'][number % len(words['head'])]} {number + 1}",
            [_sentence(words, topic, chosen) for _ in range(SENTENCES)],
        )
        for number in range(SECTIONS)
    ]


def _sentence(words: Mapping[str, Sequence[str]], topic: str, chosen: random.Random) -> str:
    said = chosen.choice(words["sentence"]).format(
        topic=topic,
        place=chosen.choice(words["place"]),
        person=chosen.choice(words["person"]),
        thing=chosen.choice(words["thing"]),
        year=chosen.randrange(1820, 2020),
        n=chosen.randrange(3, 400),
    )
    return said[0].upper() + said[1:]


def _gap(sentences: Sequence[str]) -> str:
    """Sentences in a paragraph; those of Chinese follow each other without a space."""
    return ("" if sentences[0].endswith("。") else " ").join(sentences)


def _markdown(path: Path, topic: str, sections: Sequence[Section]) -> None:
    parts = [f"# {topic}", *(f"## {head}\n\n{_gap(said)}" for head, said in sections)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _text(path: Path, topic: str, sections: Sequence[Section]) -> None:
    parts = [topic, *(f"{head}\n{_gap(said)}" for head, said in sections)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _html(path: Path, topic: str, sections: Sequence[Section]) -> None:
    parts = [f"<h2>{escape(head)}</h2><p>{escape(_gap(said))}</p>" for head, said in sections]
    page = f"<nav>Home</nav><h1>{topic}</h1>{''.join(parts)}<footer>Printed on both sides</footer>"
    path.write_text(f"<!doctype html><meta charset=utf-8><body>{page}</body>", encoding="utf-8")


def _csv(path: Path, topic: str, sections: Sequence[Section]) -> None:
    rows = [f'{number},{head},"{_gap(said)}"' for number, (head, said) in enumerate(sections, 1)]
    path.write_text("\n".join([f"no,{topic},note", *rows]) + "\n", encoding="utf-8")


def _xlsx(path: Path, topic: str, sections: Sequence[Section]) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["no", topic, "note"])
    for number, (head, said) in enumerate(sections, 1):
        sheet.append([number, head, _gap(said)])
    book.save(path)


def _docx(path: Path, topic: str, sections: Sequence[Section]) -> None:
    lines = [topic, *(line for head, said in sections for line in (head, _gap(said)))]
    body = "".join(f"<w:p><w:r><w:t>{escape(line)}</w:t></w:r></w:p>" for line in lines)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml",
            f'<?xml version="1.0"?><w:document xmlns:w="{_DOCX}"><w:body>{body}</w:body></w:document>',
        )


def _pdf(path: Path, topic: str, sections: Sequence[Section]) -> None:
    page = FPDF()
    page.set_font("helvetica", size=11)
    page.add_page()
    for line in (topic, *(line for head, said in sections for line in (head, _gap(said)))):
        page.multi_cell(170, 6, line, align="L", new_x="LMARGIN", new_y="NEXT")
    page.output(str(path))

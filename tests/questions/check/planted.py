"""A small corpus in three languages with clean questions, and questions with one known fault each."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assay.data.corpus.chunk import Chunk

FACTS = {
    "harbour.md": [
        (
            "The north mole of Tarn Harbour was rebuilt in 1987 after a winter storm broke it.",
            "In which year did builders repair the mole?",
            "1987",
        ),
        (
            "Pilots board inbound tankers two miles west of Gull Rock, in daylight only.",
            "Where does a pilot come on board of a tanker?",
            "two miles west of Gull Rock",
        ),
        (
            "A berth for a fishing vessel costs 46 crowns a night, water and power included.",
            "How much does a fisherman pay for one night at the quay?",
            "46 crowns",
        ),
        (
            "The harbour master, Edith Lowell, keeps the register of moorings in her office.",
            "Who is in charge of the list of moorings?",
            "Edith Lowell",
        ),
        (
            "Fog signals are given every ninety seconds while visibility is below one mile.",
            "At what interval does the horn sound when one cannot see far?",
            "every ninety seconds",
        ),
        (
            "Ballast water may be discharged only into the barge that the port company provides.",
            "Into what can a ship empty its ballast tanks?",
            "the barge that the port company provides",
        ),
        (
            "Dredging of the inner basin ends each year on 15 April, before the eels arrive.",
            "When must the dredger stop its work?",
            "15 April",
        ),
        (
            "The customs shed was designed by the architect Paul Renwick and opened by the queen.",
            "Which architect drew the plans of the shed?",
            "Paul Renwick",
        ),
    ],
    "museum.md": [
        (
            "Музей часов в Верхнелуцке открылся 12 мая 1994 года в здании бывшей аптеки.",
            "Когда начал работать музей?",
            "12 мая 1994 года",
        ),
        (
            "Самый старый экспонат, башенный механизм из Риги, весит 310 килограммов.",
            "Сколько весит башенный механизм?",
            "310 килограммов",
        ),
        (
            "Реставрацией занимается мастер Игнат Полозов, ученик женевской школы.",
            "Кто чинит старые часы?",
            "Игнат Полозов",
        ),
        (
            "По средам вход для школьников бесплатный, в остальные дни билет стоит 80 рублей.",
            "В какой день недели дети не платят?",
            "По средам",
        ),
        (
            "Коллекцию карманных хронометров подарил музею капитан дальнего плавания Рунов.",
            "Чей подарок составляют карманные хронометры?",
            "капитан дальнего плавания Рунов",
        ),
        (
            "Температура в хранилище не поднимается выше семнадцати градусов даже летом.",
            "Какой предел тепла держат в хранилище?",
            "семнадцати градусов",
        ),
        (
            "Экскурсии на английском языке проводит Лидия Шмелёва, заявки принимают за неделю.",
            "За какой срок надо записаться на прогулку с гидом?",
            "за неделю",
        ),
        (
            "Крышу здания покрыли медью на деньги завода «Анкер», который делал пружины.",
            "Какой завод заплатил за медную кровлю?",
            "завода «Анкер»",
        ),
    ],
    "garden.md": [
        ("青禾植物园占地三百二十亩，园内有一座百年温室。", "这座园子有多大？", "三百二十亩"),
        ("温室由工程师陆文昭主持修建，历时四年完工。", "谁负责建造玻璃房？", "陆文昭"),
        ("每年3月21日举行樱花节，当天门票减半。", "哪一天买票便宜一半？", "3月21日"),
        ("园内水池养着从云南引进的睡莲十二种。", "睡莲是从什么地方运来的？", "云南"),
        ("夜间巡查每两小时一次，由保安队轮流负责。", "晚上隔多久有人来看一遍？", "每两小时一次"),
        ("图书角收藏植物图谱四百余册，只供馆内阅读。", "图谱能借回家吗，在哪里看？", "馆内"),
        ("园区北门通往地铁五号线，步行约六分钟。", "从北门走到车站要多长时间？", "约六分钟"),
        ("标本馆的干花由志愿者许青整理编号。", "干花是什么人编的号？", "许青"),
    ],
}


def chunks() -> list[Chunk]:
    """The passages of the corpus, one for each fact, with their offsets."""
    made = []
    for source, facts in FACTS.items():
        start = 0
        for number, (text, _, _) in enumerate(facts):
            made.append(
                Chunk(
                    id=f"{source}-{number}",
                    text=text,
                    source=source,
                    start=start,
                    end=start + len(text),
                )
            )
            start += len(text) + 1
    return made


def clean_rows() -> list[dict[str, Any]]:
    """A question for each passage, without a fault."""
    return [
        {
            "id": f"{source}-{number}",
            "question": question,
            "answer": answer,
            "source": source,
            "gold": [{"source": source, "text": text}],
        }
        for source, facts in FACTS.items()
        for number, (text, question, answer) in enumerate(facts)
    ]


def write(path: Path, rows: Iterable[dict[str, Any] | str]) -> Path:
    """Write rows as lines; a text is written as it is."""
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path

"""Sixty and more kinds of values, each in a sentence, and a workspace that is full of them.

A file ``canaries.json`` of the workspace has the values; the systems in ``echo.py`` repeat them bare,
without the words that give them away, in answers, errors and what they print.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.golden.file import json_lines, json_text, pdf
from tests.redact.drawn import DRAWN

_LETTERS: Final = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_DRAWN: Final = (
    *(("PHONE_CN", "电话{}，请记下。"), ("LANDLINE_CN", "公司总机：{}。")),
    *(("PHONE_RU", "Телефон {} отключён."), ("PHONE_US", "Please call {} by noon.")),
    *(("PHONE_INT", "Her number is {} now."), ("EMAIL", "抄送{}谢谢。")),
    *(("ID_NUMBER", "身份证号码{}，男。"), ("USCC", "统一社会信用代码：{}。")),
    *(("CARD_CN", "卡号{}，工商银行。"), ("CARD_GROUPED", "Charge card {} twice.")),
    *(("IBAN", "Wire it to IBAN {} today."), ("INN", "ИНН {}, КПП в приложении.")),
    *(("SNILS", "СНИЛС лица: {}."), ("OGRN", "ОГРН {} присвоен.")),
    *(("PASSPORT_RU", "Паспорт {}, выдан отделом."), ("PLATE_CN", "车牌号{}被扣押。")),
    *(("PLATE_RU", "Автомобиль с госномером {} угнан."), ("IP", "The request came from {}.")),
    *(("IP6", "IPv6 traffic from {} stopped."), ("MAC", "устройство {} сломано")),
    *(("BIRTH_CN", "出生日期：{}，籍贯湖南。"), ("BIRTH_RU", "Дата рождения: {}.")),
    *(("BIRTH_EN", "Her date of birth is {}."), ("ADDRESS_CN", "收件地址：{}，邮编另附。")),
    *(("ADDRESS_RU", "Проживает по адресу: {}."), ("ADDRESS_EN", "She lives at {}.")),
    *(("PASSWORD", "Пароль от ящика: {}, смените."), ("TOKEN", "see https://x.example/v1?token={} now")),
    *(("USERPASS", "clone https://{}@git.example/repo"),),
)  # fmt: skip
_KEYS: Final = (
    *(("sk-", 40), ("sk-ant-", 40), ("sk-proj-", 40), ("sk_live_", 24), ("rk_live_", 24)),
    *(("sk_test_", 24), ("ghp_", 36), ("gho_", 36), ("ghs_", 36), ("github_pat_", 40)),
    *(("glpat-", 20), ("AIza", 35), ("ya29.", 40), ("xoxb-", 30), ("xoxp-", 30), ("hf_", 34)),
    *(("npm_", 36), ("pypi-", 60), ("gsk_", 48), ("r8_", 37), ("pplx-", 48), ("LTAI", 20)),
    *(("AQVN", 35),),
)
_PEM: Final = ("RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY")
WORD: Final = "Blue Heron"
PATTERN: Final = "MAT-[0-9]{6}"


class Canary(NamedTuple):
    """A value and a sentence with it; ``parts`` are the texts that must not be anywhere."""

    name: str
    sentence: str
    value: str
    parts: tuple[str, ...]


def canaries() -> list[Canary]:
    """All of them, the same every time."""
    chance = random.Random(21)

    def letters(count: int, alphabet: str = _LETTERS) -> str:
        return "".join(chance.choice(alphabet) for _ in range(count))

    made: list[Canary] = []
    for name, sentence in _DRAWN:
        value = DRAWN[name](chance)[1]
        made.append(Canary(name, sentence.format(value), value, (value,)))
    for start, count in _KEYS:
        value = start + letters(count)
        made.append(Canary(start, f"The key is {value} until May.", value, (value,)))
    hexadecimal = "dapi" + letters(32, "0123456789abcdef")
    amazon = "AKIA" + letters(16, "ABCDEFGHJKLMNPQRSTUVWXYZ")
    web = f"eyJ{letters(20)}.eyJ{letters(30)}.{letters(30)}"
    for name, value in (("dapi", hexadecimal), ("AKIA", amazon), ("jwt", web)):
        made.append(Canary(name, f"Он дал ключ {value} вчера.", value, (value,)))
    for name in _PEM:
        body = letters(48)
        value = f"-----BEGIN {name}-----\n{body}\n-----END {name}-----"
        made.append(Canary(name, f"Keep this: {value} safe.", value, (body,)))
    made.append(Canary("word", f"The name of the deal is {WORD}, as agreed.", WORD, (WORD,)))
    made.append(Canary("pattern", "Her file is MAT-204915 there.", "MAT-204915", ("MAT-204915",)))
    return made


def _pdf_lines(text: str) -> list[str]:
    """The lines of a text that a simple PDF can show."""
    return [line.translate({40: None, 41: None}) for line in text.splitlines() if line.isascii()]


ECHO: Final = '''\
"""Answers with the value of its case and nothing else; sometimes fails, prints or dies."""

import json
import os
import re
import signal
import sys
from pathlib import Path

VERSION = "1"
VALUES = json.loads(Path(__file__).with_name("canaries.json").read_text(encoding="utf-8"))


async def ask(question):
    number = int(re.findall(r"case (\\d+)", question)[-1])
    value = VALUES[number]
    print("asked about", value)
    print("asked about", value, file=sys.stderr)
    if number % 9 == 4:
        raise RuntimeError(f"no route to {value}")
    if number == 20 and Path("crash").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    return {
        "answer": f"It is {value} [1].",
        "passages": [{"id": f"chunk-{value}", "text": value}],
        "citations": [{"page": 1, "text": value}],
        "extra": {"said": [value]},
    }
'''
EXPERIMENTS: Final = f"""\
redact:
  mode: MODE
  words: ["{WORD}"]
  patterns: ["{PATTERN}"]
defaults:
  questions_path: questions.jsonl
  system: "SYSTEM"
  run: {{concurrency: 2, retries: 0, timeout_s: 60}}
models:
  far: {{model: far, base_url: "http://model.example/v1", api_key_env: null, retries: 0}}
systems:
  apart: {{kind: python, target: "echo:ask", isolate: process}}
  remote: {{kind: reference, embedder: "openai:far", generator: "openai:far"}}
  service:
    kind: http
    url: "http://model.example/ask?q={{{{question}}}}"
    body: {{q: "{{{{question}}}}", id: "{{{{question_id}}}}"}}
    answer: answer
experiments:
  - name: echo
    ablation_variable: seed
    values: [1, 2]
"""


class CanaryWorkspace:
    """A workspace in ``root`` with the input files of all five jobs."""

    def __init__(
        self,
        root: Path,
        *,
        mode: str = "outputs",
        system: str = "python:echo:ask",
        count: int | None = None,
    ) -> None:
        self.root = root
        self.canaries = canaries()[:count]
        self.system = system
        for path, content in self._files(mode):
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.inputs = {path for path in root.rglob("*") if path.is_file()}

    @property
    def commands(self) -> dict[str, str]:
        """The command of each job, and the results that it writes."""
        shared = f"--system {self.system} --concurrency 2 --retries 0"
        named = f"{self.canaries[0].value}.pdf"  # a file that is named after somebody's phone
        return {
            "ablate": "ablate -e echo --no-report",
            "depth": f"depth --novel novel.txt --questions depth.jsonl {shared} "
            "--context-length 500 --depth-mode fixed --depth 50 --out experiments/depth.jsonl",
            "quality": f"quality --pdf '{named}' --questions quality.jsonl {shared}",
            "review": "review --data clauses.json --config review.yaml --no-report",
            "bench": f"bench legal {shared} --no-report",
        }

    def written(self) -> Iterator[Path]:
        """All files below the root that are not inputs, also those that are hidden."""
        return (path for path in self.root.rglob("*") if path.is_file() and path not in self.inputs)

    def leaks(self, data: bytes) -> list[str]:
        """The canaries in data, as they are or as JSON writes them."""
        return [
            canary.name
            for canary in self.canaries
            for part in canary.parts
            if part.encode() in data or json.dumps(part)[1:-1].encode() in data
        ]

    def _files(self, mode: str) -> Iterator[tuple[str, str | bytes]]:
        texts = [f"{canary.sentence} (case {n})" for n, canary in enumerate(self.canaries)]
        values = [canary.value for canary in self.canaries]
        config = EXPERIMENTS.replace("MODE", mode).replace("SYSTEM", self.system)
        yield "experiments/experiments.yaml", config
        yield "review.yaml", config.replace("name: echo", "name: clauses")
        yield "canaries.json", json.dumps(values)
        yield "echo.py", ECHO
        yield (
            "questions.jsonl",
            json_lines(
                {
                    "id": f"q-{n}-{values[n] if n < 3 else ''}",
                    "question": text,
                    "gold_chunk_ids": ["c"],
                }
                for n, text in enumerate(texts)
            ),
        )
        novel = "\n".join(f"Day {n} was quiet. {text}" for n, text in enumerate(texts))
        yield "novel.txt", novel
        yield "depth.jsonl", json_lines(
            {"id": f"d{n}", "question": f"{text} What is it?", "answer": [values[n]],
             "evidence": text}
            for n, text in enumerate(texts)
        )  # fmt: skip
        yield f"{values[0]}.pdf", pdf(*((line,) for text in texts for line in _pdf_lines(text)))
        yield (
            "quality.jsonl",
            json_lines(
                {"id": f"k{n}", "question": text, "must_include": [values[n]], "weight": 1 + n % 3}
                for n, text in enumerate(texts)
            ),
        )
        clauses: list[dict[str, Any]] = [
            {"id": f"c{n}", "source": f"{values[0]}.docx", "text": text,
             "ground_truth": {"risk_level": "high", "reason_keywords": [values[n]]}}
            for n, text in enumerate(texts)
        ]  # fmt: skip
        yield "clauses.json", json_text(clauses)
        yield "legal/deed.txt", "\f".join(texts)
        facts = [
            {"id": f"f{n}", "question": text, "expected": {"entity": values[n]},
             "required_evidence": [{"page": n + 1, "must_include": values[n].splitlines()[-1]}],
             "metadata": {"difficulty": "easy", "category": "entity"}}
            for n, text in enumerate(texts)
        ]  # fmt: skip
        yield "legal/facts.json", json_text({
            "schema_version": "1.0.0", "benchmark_type": "fact_exact", "document": "deed.txt",
            "evaluation_criteria": {"min_score": 0.6}, "questions": facts,
        })  # fmt: skip

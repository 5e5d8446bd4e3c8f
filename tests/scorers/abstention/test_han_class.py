"""Classes of Chinese refusals, and of Chinese answers that look like them."""

import pytest

from assay import abstains


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # Somebody who knows does not tell, or has not answered yet.
        ("小刘分到了哪个班？", "他没跟我提过。"),
        ("这车多少钱买的？", "问了两回，他都不肯讲。"),
        ("货什么时候到？", "我联系了货代，那边还没回复。"),
        ("新店开在哪儿？", "老板没吭声。"),
        # The speaker cannot know, or is not in charge.
        ("他家几口人？", "我上哪儿知道去啊。"),
        ("报销走哪个科目？", "这块我们不负责，你得问财务。"),
        # It is still to come.
        ("谁当选了？", "结果还没揭晓。"),
        ("录取名单有谁？", "名单月底才公布。"),
        ("赔偿金额是多少？", "鉴定意见尚未出具，不宜对赔偿数额发表意见。"),
        # A text is vague, damaged, cut off or not enclosed.
        ("这则消息是谁采写的？", "署名是“编辑部”，没有具体到人。"),
        ("债务利息是多少？", "欠条上就写了借两万块，利息提都没提。"),
        ("这本谱系最早记到哪一代？", "前几页失载，起始世代待考。"),
        ("墓主叫什么？", "墓碑字迹漫漶，姓名看不到了。"),
        ("证件号是多少？", "证件照片打了马赛克。"),
        ("合同期多长？", "期限一栏画了斜杠。"),
        ("车牌号是多少？", "车牌那一角被剪掉了。"),
        ("验收标准是什么？", "验收标准见附表三，附表三不在手头。"),
        ("甲方的付款义务是什么？", "合同对乙方写得很详细，对甲方的却只字未提。"),
        ("哪家航空公司承运？", "运单里没点名。"),
        # Programs: no hits, a low score, values that are masked or were not measured.
        ("设备的额定功率是多少？", "[INFO] 0 条匹配 | 状态:未命中 | 请修改关键词"),
        ("端口默认值是多少？", "WARN: 相似度得分低于阈值(0.31 < 0.60),未生成答案。"),
        ("收款人姓名", "收款人：已脱敏"),
        ("样品重量？", "重量：未称重"),
        ("上线日期是哪天？", "里程碑日期是TBD。"),
        (None, "查询完成，用时 0.12 秒。命中文档：0。暂无可用结果。"),
        (None, "未找到答案。您是不是想问：①如何退货 ②如何改签"),
        # Scaffolding beside a refusal.
        ("该县面积多大？", "这份报道的主题是春耕，里面没有面积数据。"),
        ("老宅归谁？", "这事说来话长，到现在也没个准话。"),
        (None, "这个问题我答不了：你贴的内容到第二步就断了。把后面的步骤贴过来，我马上给你整理。"),
        (None, "您尚未上传任何附件，请先上传再提问。"),
    ],
)  # fmt: skip
def test_these_manners_of_not_telling_refuse(question: str | None, answer: str):
    """What is not told by a person, a text or a program is a refusal in any manner."""
    assert abstains(answer, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # A scruple after an answer.
        ("这种花能耐多少度？", "零下十度左右，不过我不是园艺师，仅供参考。"),
        ("伞在谁那儿？", "应该在老马那儿，我不敢打包票。"),
        # What nobody knows, and what is thought all the same.
        ("黑洞里面是什么？", "科学家目前还不知道，视界之内超出了现有的观测能力。"),
        ("这种病怎么得的？", "病因尚未完全阐明，目前认为与免疫有关。"),
        # What an error means, what is said of things that are not public, why something was refused.
        ("E07 是什么意思？", "E07 表示系统未找到指定的设备。"),
        ("哪些资料不外借？", "未公开的手稿、信件和照片都属于不外借的资料。"),
        ("签证被拒的原因是什么？", "材料不全：缺少在职证明，流水也没有提供。"),
        ("案件结果如何？", "因证据不足，检察院作出不起诉决定。"),
        # None, no, and what a shop does not do.
        ("他有几个徒弟？", "一个也没有，他从不收徒。"),
        ("方程有解吗？", "无解，两条直线平行。"),
        ("退货寄到哪里？", "本店不支持退货，只支持换货。"),
        ("保密期是多久？", "没有期限，永久保密。"),
        # A person in a story.
        (None, "他不肯说出同伴的名字，被判了十年。"),
    ],
)  # fmt: skip
def test_these_answers_only_look_like_refusals(question: str | None, answer: str):
    """Scruples, unknowns of the world, reasons and a plain no are answers."""
    assert not abstains(answer, question)

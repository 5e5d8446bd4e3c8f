"""The Chinese words, sentences and facts of the chronicle."""

from assay.jobs.depth.chronicle.story_words import ChronicleLanguage, Fact, Person

_MEN = (
    "铁匠赵平", "船夫钱海", "书吏孙文", "木匠李顺", "牧人周大山", "郎中吴安", "石匠郑石头",
    "磨坊主王满仓", "猎户冯虎", "渔夫陈阿水", "账房褚先生", "更夫卫老三",
)  # fmt: skip
_WOMEN = (
    "织女蒋秀", "绣娘沈梅", "药婆韩大娘", "店家杨二嫂", "厨娘朱桂花", "染坊主秦红",
    "茶娘许兰", "养蜂人何小妹", "陶工吕青", "琴师施云",
)  # fmt: skip
_PLACES = (
    "柳溪镇", "白石村", "青枫渡", "长亭驿", "落雁湾", "黑松寨", "望江城", "桃花坞", "石桥镇",
    "南塘村", "北岭关", "双井村", "大榆镇", "月牙湖", "杏林村", "风铃镇", "银沙滩", "竹山寺",
    "老槐庄", "芦花荡",
)  # fmt: skip
_SEASONS = ("初春", "盛夏", "秋收之后", "霜降之前", "隆冬时节", "清明前后", "岁末")
_THINGS = (
    "一袋燕麦", "两桶咸鱼", "一匹灰布", "一篮苹果", "一本旧账册", "一把铜壶", "一车柴火",
    "一串干蘑菇", "一对耕牛", "一罐蜂蜜", "一箱工具", "一盘麻绳",
)  # fmt: skip

_FILLER = (
    "{season}，{p}来到{place}，想借住一晚。",
    "{p}把{thing}卖给了{q}，两人都觉得价钱不合适。",
    "{place}的人都说{p}从不说谎，只是心里藏着许多事。",
    "{p}和{q}沿着河边散步，谈的无非是天气。",
    "{place}的老屋又漏雨了，{p}便搬来梯子，爬上屋顶去修。",
    "雾散之后，{p}发现通往{place}的大路上空无一人。",
    "{q}给{p}写了一封长信，可惜信差在沼泽里把它弄丢了。",
    "{season}，{place}的水井快要见底，{p}只好到山泉边挑水。",
    "{p}把{thing}借给了邻居，从此再没有提起。",
    "{place}的集市上起了争执，大家请{p}来评理。",
    "没有人记得{place}的椴树是谁种下的，但{p}每天傍晚都去浇水。",
    "{p}在路边捡到{thing}，在原地等了失主一整天。",
    "{season}，{place}的孩子们用树枝搭了一座堡垒，{p}假装没有看见。",
    "桥塌了，{p}和{q}只好提着鞋子蹚水过河。",
    "{p}多年来一直梦见大海，却从未离开过{place}。",
    "{season}，{place}的长老们商议了两回，什么也没有定下来。",
    "{q}送来{thing}作礼物，{p}的脸一下子红了。",
    "猫头鹰在{p}家的门楣上做了窝，整条街都说这是好兆头。",
    "{p}修好了北边的篱笆，山羊总是从那里跑出去。",
    "{season}，流浪的歌手在{place}住下，教会了{p}一首古老的歌谣。",
    "雨下了许多天，放晴的那个早晨，{p}推开窗户笑了起来。",
    "{p}托{q}照看房子，直到自己回来为止。",
    "{place}的人至今还在讲，{p}怎样劝小偷把{thing}还了回来。",
    "镇长当众夸奖了{p}，{q}那天再也没有说话。",
    "{p}把羊群数了好几遍，每一遍的数目都不一样。",
    "要不是{q}敲了敲窗户，{p}就会在马厩失火的夜里一直睡到天亮。",
    "{season}，{place}家家户户炊烟升起，空气里满是松柏的香味。",
    "{p}教孤儿们认字，从来不收一文钱。",
    "有个外乡人想用{thing}换一张{place}的山川图，{p}没有答应。",
    "夜深了，{p}和{q}还坐在炉边，为月亮的形状争论不休。",
    "磨坊之间的小路长满了野草，{p}用镰刀把它清理干净。",
    "{p}很少生病，可是{season}的一场咳嗽让人担心了很久。",
    "谁也没有觉得奇怪。",
    "此事很快就被人忘了。",
    "后来又安静下来。",
    "那时候这样的事常有。",
)  # fmt: skip

_FACTS = (
    Fact(
        sentence="{year}年，一艘名为“{answer}”的大船在{place}下水。",
        question="{year}年在{place}下水的大船叫什么名字？",
        category="name",
    ),
    Fact(
        sentence="{year}年，{place}的粮仓共收进大麦{answer}袋。",
        question="{year}年{place}的粮仓共收进大麦多少袋？",
        category="number",
    ),
    Fact(
        sentence="{year}年，在{place}庙会上得奖的是{first}、{second}和{third}。",
        question="{year}年在{place}庙会上得奖的有谁？",
        category="names",
    ),
    Fact(
        sentence="{year}年为{place}铸成的大钟取名为“{answer}”。",
        question="{year}年为{place}铸成的大钟取了什么名字？",
        category="name",
    ),
    Fact(
        sentence="{year}年，{place}的书院收到无名氏捐赠的书籍{answer}册。",
        question="{year}年{place}的书院收到无名氏捐赠的书籍多少册？",
        category="number",
    ),
    Fact(
        sentence="{year}年在{place}签订和约的使者是{first}、{second}和{third}。",
        question="{year}年在{place}签订和约的使者有哪些？",
        category="names",
    ),
    Fact(
        sentence="{year}年{place}赛马会上夺魁的是一匹叫“{answer}”的母马。",
        question="{year}年{place}赛马会上夺魁的母马叫什么？",
        category="name",
    ),
    Fact(
        sentence="{year}年在{place}上空看见彗星的星官名叫{answer}。",
        question="{year}年在{place}上空看见彗星的星官名叫什么？",
        category="name",
    ),
)

LANGUAGE = ChronicleLanguage(
    title="低地编年史",
    heading="第{number}章 {year}年的{place}",
    space="",
    people=[
        *(Person(feminine=False, forms={"": name}) for name in _MEN),
        *(Person(feminine=True, forms={"": name}) for name in _WOMEN),
    ],
    places=[{"place": place} for place in _PLACES],
    seasons=[{"season": text} for text in _SEASONS],
    things=[{"thing": thing} for thing in _THINGS],
    filler=_FILLER,
    facts=_FACTS,
    syllables=(
        "珩玥璟琰瑄琮璇瑾瑜珏琛琬璋琦珺瑗璐珣",
        "澜沅淇湘沚泠浔涵泓潇渊滢沐漪",
        "霁霖霄霭霓雯霏昀晏昱晗曦暄晔曜昶",
    ),
)  # fmt: skip

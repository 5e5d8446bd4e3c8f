"""The English words, sentences and facts of the chronicle."""

from assay.jobs.depth.chronicle.story_words import ChronicleLanguage, Fact, Person

_MEN = (
    "Aldous the miller", "Bertram the smith", "Cuthbert the clerk", "Dunstan the ferryman",
    "Edric the mason", "Godwin the shepherd", "Harold the cooper", "Ivo the beekeeper",
    "Leofric the tanner", "Osbert the tailor", "Piers the carpenter", "Wilfred the baker",
)  # fmt: skip
_WOMEN = (
    "Agnes the weaver", "Beatrice the midwife", "Cecily the brewer", "Edith the potter",
    "Hilda the herbalist", "Isolde the lacemaker", "Matilda the innkeeper", "Rowena the dyer",
    "Sybil the candlemaker", "Winifred the gardener",
)  # fmt: skip
_PLACES = (
    "Ashcombe", "Barrowford", "Coldharbour", "Dunmere", "Eastholt", "Fernleigh", "Greywater",
    "Hartwell", "Ironbridge", "Kelmscote", "Longmarsh", "Mossgate", "Northwick", "Oakhampton",
    "Pinewold", "Ravenscar", "Saltmouth", "Thornbury", "Upwater", "Whitcombe",
)  # fmt: skip
_SEASONS = ("in early spring", "at midsummer", "after the harvest", "before the first frost",
            "in the depth of winter", "during Lent", "at the turn of the year")  # fmt: skip
_THINGS = (
    "a sack of oats", "two barrels of herring", "a roll of grey cloth", "a basket of apples",
    "an old ledger", "a copper kettle", "a cartload of peat", "a string of dried mushrooms",
    "a pair of oxen", "a jar of honey", "a chest of tools", "a coil of rope",
)  # fmt: skip

_FILLER = (
    "{p} came to {place} {season} and asked for a night's lodging.",
    "{season} {p} sold {thing} to {q}, and neither was content with the price.",
    "People in {place} said that {p} had never told a lie, though [he/she] had kept many secrets.",
    "{p} walked along the river with {q}, speaking of nothing but the weather.",
    "The roof of the old hall in {place} leaked again, so {p} climbed up with a ladder and a bucket.",
    "When the fog lifted, {p} saw that the road to {place} was empty.",
    "{q} wrote a long letter to {p}, but the messenger lost it in the marsh.",
    "{season} the wells of {place} ran low, and {p} carried water from the spring.",
    "{p} lent {thing} to a neighbour and never spoke of it again.",
    "There was a quarrel in the market of {place}, and {p} was called to settle it.",
    "Nobody remembered who had planted the lime trees in {place}, but {p} watered them every evening.",
    "{p} found {thing} by the roadside and waited all day for the owner.",
    "{season} the children of {place} built a fort of branches, and {p} pretended not to see it.",
    "Because the bridge was down, {p} and {q} had to cross the ford with their shoes in their hands.",
    "{p} had dreamed of the sea for years, yet [he/she] had never left {place}.",
    "The council of {place} met twice {season} and decided nothing.",
    "{q} brought {thing} as a gift, which made {p} blush.",
    "An owl nested above the door of {p}, and the whole street took it for a good sign.",
    "{p} mended the fence on the north side, where the goats used to get out.",
    "{season} a travelling singer stayed in {place} and taught {p} an old ballad.",
    "It rained for nine days, and on the tenth {p} opened the shutters and laughed.",
    "{p} asked {q} to keep an eye on the house until [he/she] returned.",
    "In {place} they still tell how {p} talked a thief into giving back {thing}.",
    "The mayor praised {p} in front of everyone, and {q} was silent for the rest of the day.",
    "{p} counted the sheep three times and each time came to a different number.",
    "If {q} had not knocked at the window, {p} would have slept through the fire in the stable.",
    "{season} smoke rose from every chimney in {place}, and the air smelled of juniper.",
    "{p} taught the orphans to read, for which [he/she] took no money.",
    "A stranger offered {thing} for a map of the hills around {place}, but {p} refused.",
    "Late at night {p} and {q} sat by the stove and argued about the shape of the moon.",
    "The path between the two mills was overgrown, and {p} cleared it with a sickle.",
    "{p} was seldom ill, but {season} a cough kept [him/her] in bed.",
    "It was soon forgotten.",
    "Nobody wondered at it.",
    "Then it grew quiet again.",
    "Such things happened often in those days.",
)  # fmt: skip

_FACTS = (
    Fact(
        sentence="In the year {year} a ship named {answer} was launched at {place}.",
        question="What was the name of the ship launched at {place} in the year {year}?",
        category="name",
    ),
    Fact(
        sentence="In the year {year} the granary of {place} took in exactly {answer} sacks of barley.",
        question="How many sacks of barley did the granary of {place} take in during the year {year}?",
        category="number",
    ),
    Fact(
        sentence="In the year {year} three players won prizes at the fair of {place}: {first}, {second} and {third}.",
        question="Who won prizes at the fair of {place} in the year {year}?",
        category="names",
    ),
    Fact(
        sentence="The great bell that was cast for {place} in the year {year} was given the name {answer}.",
        question="What name was given to the great bell cast for {place} in the year {year}?",
        category="name",
    ),
    Fact(
        sentence="In the year {year} the library of {place} received {answer} books from a nameless donor.",
        question="How many books did the library of {place} receive from a nameless donor in the year {year}?",
        category="number",
    ),
    Fact(
        sentence="The envoys who signed the peace at {place} in the year {year} were {first}, {second} and {third}.",
        question="Which envoys signed the peace at {place} in the year {year}?",
        category="names",
    ),
    Fact(
        sentence="In the year {year} the horse race at {place} was won by a mare called {answer}.",
        question="What was the mare called that won the horse race at {place} in the year {year}?",
        category="name",
    ),
    Fact(
        sentence="The astronomer who saw a comet above {place} in the year {year} was called {answer}.",
        question="Which astronomer saw a comet above {place} in the year {year}?",
        category="name",
    ),
)

LANGUAGE = ChronicleLanguage(
    title="The Chronicle of the Lowlands",
    heading="Chapter {number}. The year {year} at {place}",
    space=" ",
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
        ("Bra", "Cle", "Dro", "Fal", "Gri", "Hul", "Jor", "Kva", "Lum", "Mor", "Nev", "Olm",
         "Pra", "Quo", "Rus", "Sko", "Tul", "Umb", "Vax", "Wro", "Yol", "Zan"),
        ("ba", "ci", "do", "fu", "ga", "hi", "jo", "ku", "la", "mi", "no", "pu", "ra", "so",
         "tu", "va", "we", "xi", "zo"),
        ("bick", "dorn", "fex", "gund", "hast", "lunk", "mund", "nost", "park", "quam", "rith",
         "stok", "thop", "vorn", "wulf", "zark"),
    ),
)  # fmt: skip

from pathlib import Path

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UseError
from assay.text.tokenizer import CharacterEstimate, load_tokenizer

ANY = st.text(st.characters(exclude_categories=("Cs",)), max_size=80)


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small byte-level tokenizer.json that cuts every input to four tokens."""
    trained = tokenizers.Tokenizer(tokenizers.models.BPE())
    trained.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=400,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    trained.train_from_iterator(["Река течёт в море. 河流入海。 The river runs."] * 4, trainer)
    trained.enable_truncation(4)
    path = tmp_path_factory.mktemp("model") / "tokenizer.json"
    trained.save(str(path))
    return path


@given(ANY)
def test_starts_lie_on_characters_and_ascend(text: str):
    """Each token has an offset inside the text, in ascending order; the first offset is 0."""
    for name in ("o200k", "cl100k", "chars"):
        tokenizer = load_tokenizer(name)
        starts = list(tokenizer.starts(text))
        assert len(starts) == tokenizer.count(text)
        assert starts == sorted(starts)
        assert not text or starts[0] == 0
        assert all(0 <= start < len(text) for start in starts)


def test_all_tokens_of_one_character_start_at_it():
    """Tokens that contain bytes of the same character all have the offset of that character."""
    text = "а\U0001f9ff𠀀б"
    starts = list(load_tokenizer("o200k").starts(text))
    assert len(starts) > len(text)
    assert set(starts) == {0, 1, 2, 3}
    assert starts.count(1) + starts.count(2) == len(starts) - 2


def test_the_vocabularies_give_the_published_numbers_of_tokens():
    """Known texts have the numbers of tokens that both vocabularies are published with."""
    text = "tiktoken is great! 小说第一章。"
    o200k, cl100k = load_tokenizer("o200k"), load_tokenizer("cl100k")
    assert cl100k.count("tiktoken is great!") == 6
    assert cl100k.count("お誕生日おめでとう") == 9
    assert o200k.count("お誕生日おめでとう") == 8
    assert cl100k.count(text) > o200k.count(text)
    assert load_tokenizer("cl100k_base").name == cl100k.name == "cl100k"


def test_a_spelt_out_control_token_is_ordinary_text():
    """If a text contains the spelling of a control token, its letters are counted."""
    assert load_tokenizer("o200k").count("<|endoftext|>") > 1


def test_the_estimate_counts_chinese_by_characters_and_the_rest_by_fours():
    """Each Chinese character counts as one token, and so do four other characters."""
    assert CharacterEstimate().count("河流入海。") == 5
    assert CharacterEstimate().count("abcdefghi") == 3


def test_a_tokenizer_file_is_read_without_its_truncation(model_file: Path):
    """The length limit of the file does not limit the count, and offsets are in characters."""
    tokenizer = load_tokenizer(f"hf:{model_file}")
    text = "Река течёт в море. 河流入海。"
    starts = list(tokenizer.starts(text))
    assert tokenizer.count(text) == len(starts) > 4
    assert starts == sorted(starts)
    assert starts[-1] == len(text) - 1


def test_the_name_of_a_tokenizer_file_depends_on_its_content_and_not_its_folder(
    model_file: Path, tmp_path: Path
):
    """The name changes with the content of the file, and does not contain its folder."""
    other = tmp_path / "tokenizer.json"
    other.write_bytes(model_file.read_bytes() + b"\n")
    name, other_name = load_tokenizer(f"hf:{model_file}").name, load_tokenizer(f"hf:{other}").name
    assert name != other_name
    assert name.startswith("hf:tokenizer.json@")
    assert str(tmp_path) not in other_name


@pytest.mark.parametrize(
    ("name", "part"), [("gpt", "tokenizers are: o200k"), ("hf:nowhere.json", "cannot be read")]
)
def test_an_unknown_tokenizer_is_refused_in_one_line(name: str, part: str):
    """An unknown name or a missing file is a ``UseError`` that says what is wrong."""
    with pytest.raises(UseError, match=part):
        load_tokenizer(name)


def test_a_file_that_is_no_tokenizer_is_refused(tmp_path: Path):
    """A JSON file with other content is refused as not being a tokenizer."""
    path = tmp_path / "other.json"
    path.write_text("{}")
    with pytest.raises(UseError, match=r"not a tokenizer\.json"):
        load_tokenizer(f"hf:{path}")

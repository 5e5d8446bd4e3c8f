"""The ONNX embedder, with a small real model and tokenizer that the tests create."""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers

from assay.errors import UseError
from assay.rag.embed.local import LocalEmbedder, OnnxEmbedder

WORDS = ["[PAD]", "[UNK]", "gold", "silver", "copper", "tin", "query:", "passage:"]
SIZE = 6
TABLE = np.random.default_rng(5).normal(size=(len(WORDS), SIZE)).astype(np.float32)


def write_tokenizer(folder: Path) -> None:
    """Write a tokenizer that splits at white space and numbers the words."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(folder / "tokenizer.json"))


def write_model(
    path: Path,
    *,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    kind: int = TensorProto.INT64,
    output: str = "last_hidden_state",
    table: NDArray[np.float32] = TABLE,
) -> None:
    """Write a model that looks each token up in a table.

    With the output ``sentence_embedding`` it returns the sum of the tokens. It reads every input,
    so that a missing input is an error.
    """
    summed = output == "sentence_embedding"
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["tokens"]),
        *(helper.make_node("Shape", [name], [f"shape of {name}"]) for name in inputs[1:]),
        helper.make_node("ReduceSum", ["tokens", "axis"], [output], keepdims=0)
        if summed
        else helper.make_node("Identity", ["tokens"], [output]),
    ]
    shape = ["batch", SIZE] if summed else ["batch", "length", SIZE]
    graph = helper.make_graph(
        nodes,
        "lookup",
        [helper.make_tensor_value_info(name, kind, ["batch", "length"]) for name in inputs],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(path))


def model_folder(folder: Path, name: str = "model.onnx", **options: Any) -> Path:
    """Write a complete model folder."""
    write_model(folder / name, **options)
    write_tokenizer(folder)
    return folder


def mean_of(text: str) -> NDArray[np.float32]:
    """The mean of the vectors of a text's words, scaled to length 1."""
    rows = TABLE[[WORDS.index(word) if word in WORDS else 1 for word in text.split()]]
    return rows.mean(axis=0) / np.linalg.norm(rows.mean(axis=0))


def embed(embedder: LocalEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the vectors of documents."""
    return asyncio.run(embedder.embed(texts))


def test_token_vectors_are_averaged_over_what_is_not_padding(tmp_path: Path):
    """In a batch of texts of different lengths, padding does not change the mean of a text."""
    texts = ["gold silver", "tin", "gold gold copper tin unheard-of"]
    embedder = OnnxEmbedder(model_folder(tmp_path))
    vectors = embed(embedder, texts)
    assert np.allclose(vectors, [mean_of(text) for text in texts], atol=1e-6)
    assert vectors.dtype == np.float32
    assert embedder.size == SIZE


def test_many_texts_come_back_in_their_order(tmp_path: Path):
    """Texts are batched by length, and the rows are returned in the order of the texts."""
    texts = [" ".join(["gold"] * (number * 7 % 11) + ["tin"]) for number in range(80)]
    vectors = embed(OnnxEmbedder(model_folder(tmp_path)), texts)
    assert np.allclose(vectors, [mean_of(text) for text in texts], atol=1e-6)


@pytest.mark.parametrize(
    "inputs",
    [
        ["input_ids"],
        ["input_ids", "attention_mask", "token_type_ids"],
        ["input_ids", "attention_mask", "position_ids"],
    ],
)
@pytest.mark.parametrize("kind", [TensorProto.INT64, TensorProto.INT32])
def test_inputs_are_found_by_name_and_type(tmp_path: Path, inputs: list[str], kind: int):
    """The model gets exactly the inputs that it declares, with the declared integer type."""
    embedder = OnnxEmbedder(model_folder(tmp_path, inputs=inputs, kind=kind))
    assert np.allclose(embed(embedder, ["gold tin"]), [mean_of("gold tin")], atol=1e-6)


def test_an_input_that_a_text_does_not_give_is_refused(tmp_path: Path):
    """A model with an input that a text does not have is refused."""
    with pytest.raises(UseError, match=r"model.onnx: it needs the inputs \['pixel_values'\]"):
        OnnxEmbedder(model_folder(tmp_path, inputs=["input_ids", "pixel_values"]))


def test_a_sentence_embedding_is_taken_as_it_is(tmp_path: Path):
    """An output that already has one vector per text is not pooled again."""
    folder = model_folder(tmp_path, output="sentence_embedding")
    vectors = embed(OnnxEmbedder(folder), ["gold silver"])
    assert np.allclose(vectors, [mean_of("gold silver")], atol=1e-6)


@pytest.mark.parametrize(
    "config",
    [{"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, {"pooling_mode": "cls"}],
)
def test_a_model_s_own_pooling_is_obeyed(tmp_path: Path, config: dict[str, Any]):
    """The pooling ``cls`` can be set by the model's configuration or by an option."""
    folder = model_folder(tmp_path)
    by_name = OnnxEmbedder(folder, pooling="cls")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))
    for embedder in (OnnxEmbedder(folder), by_name):
        assert np.allclose(embed(embedder, ["gold tin"]), [mean_of("gold")], atol=1e-6)


def test_a_pooling_that_is_not_known_is_refused(tmp_path: Path):
    """An unsupported pooling is an error, because the vectors would be wrong."""
    folder = model_folder(tmp_path)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_lasttoken": true}')
    with pytest.raises(UseError, match="pooling 'pooling_mode_lasttoken' is not supported"):
        OnnxEmbedder(folder)


@pytest.mark.parametrize(
    ("options", "config", "kept"),
    [
        ({"max_tokens": 2}, {"model_max_length": 3}, "gold tin"),
        ({}, {"model_max_length": 3}, "gold tin tin"),
        ({}, {"model_max_length": int(1e30)}, "gold" + " tin" * 511),
        ({}, {}, "gold" + " tin" * 511),
    ],
)
def test_long_texts_are_cut_at_the_limit(
    tmp_path: Path, options: dict[str, Any], config: dict[str, Any], kept: str
):
    """The limit is ``max_tokens``, that of the tokenizer's configuration, or 512."""
    folder = model_folder(tmp_path)
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    vectors = embed(OnnxEmbedder(folder, **options), ["gold" + " tin" * 600])
    assert np.allclose(vectors, [mean_of(kept)], atol=1e-6)


def test_prompts_and_rotation_hold_for_questions(tmp_path: Path):
    """A question gets its own prompt and is rotated in the same way as the documents."""
    texts = [f"{a} {b} {c}" for a in WORDS[2:6] for b in WORDS[2:6] for c in WORDS[2:6]]
    embedder = OnnxEmbedder(
        model_folder(tmp_path), query_prompt="query: ", document_prompt="passage: "
    )

    async def story() -> tuple[Any, Any]:
        vectors = await embedder.embed(texts)
        space = embedder.space(texts, vectors)
        plain = OnnxEmbedder(tmp_path, nested=True).space(texts, vectors)
        rotated, raw = await space.query(texts[9]), await plain.query("query: " + texts[9])
        assert plain.matrix is vectors
        assert not np.allclose(rotated, raw, atol=0.01)
        return space.matrix @ rotated, vectors @ raw

    rotated_scores, raw_scores = asyncio.run(story())
    assert np.allclose(rotated_scores, raw_scores, atol=1e-5)
    first = embed(embedder, ["gold"])
    assert np.allclose(first, [mean_of("passage: gold")], atol=1e-6)


def test_the_identity_changes_with_every_file_and_setting(tmp_path: Path):
    """The identity depends on weights, tokenizer and settings, but not on a README file."""
    folder = model_folder(tmp_path / "tiny")
    identities = {OnnxEmbedder(folder).identity}
    assert next(iter(identities)).startswith("onnx:tiny#")
    (folder / "README.md").write_text("About this model")
    identities.add(OnnxEmbedder(folder).identity)
    assert len(identities) == 1
    for options in ({"nested": True}, {"query_prompt": "q"}, {"pooling": "cls"}, {"max_tokens": 9}):
        identities.add(OnnxEmbedder(folder, **options).identity)
    assert len(identities) == 5
    write_model(folder / "model.onnx", table=TABLE + np.float32(1e-3))
    identities.add(OnnxEmbedder(folder).identity)
    (folder / "model.onnx_data").write_bytes(b"more weights")
    identities.add(OnnxEmbedder(folder).identity)
    (folder / "tokenizer_config.json").write_text("{}")
    identities.add(OnnxEmbedder(folder).identity)
    assert len(identities) == 8


@pytest.mark.parametrize("name", ["model.onnx", "onnx/model.onnx", "anything.onnx"])
def test_the_model_is_found_where_exports_put_it(tmp_path: Path, name: str):
    """The model is vectors under its usual names, or as the only ``.onnx`` file."""
    assert OnnxEmbedder(model_folder(tmp_path, name)).size == SIZE


def _no_model(folder: Path) -> None:
    (folder / "model.onnx").unlink()


def _two_models(folder: Path) -> None:
    (folder / "model.onnx").rename(folder / "a.onnx")
    (folder / "b.onnx").write_bytes(b"")


def _no_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def _bad_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}")


def _bad_model(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"not a graph")


def _bad_config(folder: Path) -> None:
    (folder / "tokenizer_config.json").write_text("[]")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_no_model, "no .onnx file; name the file to use model.onnx"),
        (_two_models, "2 .onnx files, none model.onnx"),
        (_no_tokenizer, "tokenizer.json: no such file"),
        (_bad_tokenizer, "tokenizer.json: not a tokenizer"),
        (_bad_model, "model.onnx: cannot be loaded"),
        (_bad_config, "tokenizer_config.json: not a JSON object"),
    ],
)
def test_a_folder_that_is_not_whole_is_one_line(tmp_path: Path, spoil: Any, message: str):
    """A missing or damaged file is reported in one line with its path."""
    folder = model_folder(tmp_path)
    spoil(folder)
    with pytest.raises(UseError, match=message) as caught:
        OnnxEmbedder(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("module", ["onnxruntime", "tokenizers"])
def test_without_a_library_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
):
    """If a library is missing, the message says which extra to install."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UseError, match=rf"needs {module} .*: pip install 'assay-eval\[onnx\]'$"):
        OnnxEmbedder(tmp_path)

"""Cross-encoders as rerankers: a small ONNX model built here, and a fake sentence-transformers."""

import asyncio
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from assay.errors import UseError
from assay.judge.verifier import (
    CrossEncoderReranker,
    OnnxReranker,
    Reranker,
    probabilities,
    verify_quotation_with,
)

WORDS = ["[PAD]", "[UNK]", "[SEP]", "gold", "silver", "tin"]
WEIGHTS = np.array([0.0, 0.1, 0.0, 1.5, -2.0, 0.5], dtype=np.float32)


def write_tokenizer(folder: Path) -> None:
    """Write a tokenizer that splits at white space and puts a separator between two texts."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A", pair="$A [SEP] $B:1", special_tokens=[("[SEP]", 2)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def write_model(
    path: Path, *, columns: int = 1, output: str = "logits", extra: Sequence[str] = ()
) -> None:
    """Write a model that adds up the weights of the tokens of the second text.

    If the model has two columns, the first one is the negative sum. The weight of padding is 0.
    """
    table = np.stack([-WEIGHTS, WEIGHTS], axis=1)[:, 2 - columns :]
    inputs = ("input_ids", "attention_mask", "token_type_ids", *extra)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["weights"]),
        helper.make_node("Mul", ["attention_mask", "token_type_ids"], ["second"]),
        helper.make_node("Cast", ["second"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["column"]),
        helper.make_node("Mul", ["weights", "column"], ["masked"]),
        helper.make_node("ReduceSum", ["masked", "axis"], [output], keepdims=0),
        *(helper.make_node("Shape", [name], [f"shape of {name}"]) for name in extra),
    ]
    graph = helper.make_graph(
        nodes,
        "pairs",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
            for name in inputs
        ],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["batch", columns])],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
            numpy_helper.from_array(np.array([-1], dtype=np.int64), "last"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(path))


def model_folder(folder: Path, **options: Any) -> Path:
    """Write a complete model folder and return it."""
    write_model(folder / "model.onnx", **options)
    write_tokenizer(folder)
    return folder


def weight_of(text: str) -> float:
    """The sum of weights that the model computes for a text."""
    return float(sum(WEIGHTS[WORDS.index(word) if word in WORDS else 1] for word in text.split()))


def scores(reranker: Reranker, candidates: Sequence[str]) -> list[float]:
    """The scores of candidates for the same evidence."""
    results = asyncio.run(reranker.rerank("silver silver", candidates, clause=" ".join(candidates)))
    return [result.score for result in results]


def test_an_onnx_model_scores_each_pair(tmp_path: Path):
    """Logits of pairs of different lengths become numbers in 0..1, in the same order."""
    candidates = ["gold", "silver tin tin", "unheard-of gold gold tin"] * 20
    actual = scores(OnnxReranker(model_folder(tmp_path)), candidates)
    expected = [1 / (1 + np.exp(-weight_of(candidate))) for candidate in candidates]
    assert np.allclose(actual, expected, atol=1e-6)


def test_two_columns_are_no_and_yes(tmp_path: Path):
    """The scores of a model with two columns are the softmax of the second column, "yes"."""
    actual = scores(OnnxReranker(model_folder(tmp_path, columns=2)), ["gold", "tin"])
    expected = [1 / (1 + np.exp(-2 * weight_of(candidate))) for candidate in ("gold", "tin")]
    assert np.allclose(actual, expected, atol=1e-6)


def test_the_output_is_found_by_its_shape(tmp_path: Path):
    """The output with the logits may have any name; without candidates there are no scores."""
    reranker = OnnxReranker(model_folder(tmp_path, output="score"))
    assert np.allclose(scores(reranker, ["tin"]), [1 / (1 + np.exp(-0.5))], atol=1e-6)
    assert scores(reranker, []) == []


def test_a_model_decides_in_stage_two(tmp_path: Path):
    """The check has the model's score of the best candidate, and no reasons."""
    reranker = OnnxReranker(model_folder(tmp_path))
    clause = "tin tin . Gold silver . gold gold ."
    result = asyncio.run(verify_quotation_with("gold", clause, reranker=reranker, threshold=0.9))
    assert result.candidate is not None
    assert result.score == max(candidate.score for candidate in result.candidates)
    assert result.valid == (result.score >= 0.9)
    assert result.reasons == ()


def test_the_identity_changes_with_files_and_settings(tmp_path: Path):
    """Another model in the same folder, or another token limit, gives another identity."""
    folder = model_folder(tmp_path)
    first = OnnxReranker(folder).identity
    assert OnnxReranker(folder).identity == first
    assert OnnxReranker(folder, max_tokens=9).identity != first
    write_model(folder / "model.onnx", columns=2)
    assert OnnxReranker(folder).identity != first


def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path):
    """A model with unknown inputs and a folder that does not exist are refused in one line."""
    with pytest.raises(UseError, match=r"it needs the inputs \['pixels'\]"):
        OnnxReranker(model_folder(tmp_path, extra=["pixels"]))
    with pytest.raises(UseError, match="elsewhere: no such model folder"):
        OnnxReranker(tmp_path / "elsewhere")


def test_more_than_two_columns_are_refused():
    """Three columns cannot be read as the score of a pair."""
    with pytest.raises(UseError, match="one or two numbers for each pair, not 3"):
        probabilities(np.zeros((2, 3)))


def test_huge_logits_stay_in_bounds():
    """Very large logits give probabilities of 0 and 1 without an overflow."""
    assert probabilities(np.array([[-1e9], [1e9]])).tolist() == pytest.approx([0.0, 1.0])


class FakeCrossEncoder:
    """The part of sentence-transformers that is used, with its parameter names and defaults."""

    constructor_calls: list[dict[str, Any]]

    def __init__(
        self,
        model_name_or_path: str,
        *,
        max_length: int | None = None,
        device: str | None = None,
        local_files_only: bool = False,
    ) -> None:
        if not Path(model_name_or_path, "config.json").exists():
            raise ValueError("Unrecognized model\nin that folder")
        self.constructor_calls.append(
            {"device": device, "max_length": max_length, "local_files_only": local_files_only}
        )

    def predict(
        self,
        sentences: list[tuple[str, str]],
        *,
        batch_size: int = 32,
        show_progress_bar: bool | None = None,
        activation_fn: Any = None,
        convert_to_numpy: bool = True,
    ) -> NDArray[np.float32]:
        """Return logits, as the library does with the identity as activation function."""
        assert show_progress_bar is False
        assert convert_to_numpy
        assert activation_fn == "identity"
        return np.array([weight_of(second) for _, second in sentences], dtype=np.float32)


@pytest.fixture(name="saved")
def _saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like those that sentence-transformers saves, with fakes of the libraries."""
    library, torch = types.ModuleType("sentence_transformers"), types.ModuleType("torch")
    vars(library)["CrossEncoder"] = FakeCrossEncoder
    vars(torch)["nn"] = types.SimpleNamespace(Identity=lambda: "identity")
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(FakeCrossEncoder, "constructor_calls", [], raising=False)
    folder = tmp_path / "saved"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def test_sentence_transformers_is_called_correctly(saved: Path):
    """The model is loaded offline with device and token limit; its logits become scores in 0..1."""
    reranker = CrossEncoderReranker(saved, device="cpu", max_tokens=64)
    expected = [1 / (1 + np.exp(-weight_of(candidate))) for candidate in ("gold", "tin tin")]
    assert np.allclose(scores(reranker, ["gold", "tin tin"]), expected, atol=1e-6)
    assert FakeCrossEncoder.constructor_calls == [
        {"device": "cpu", "max_length": 64, "local_files_only": True}
    ]
    assert reranker.identity.startswith("cross-encoder:saved#")


def test_a_folder_that_is_no_cross_encoder_is_refused(saved: Path):
    """The error message of the library is passed on in one line."""
    (saved / "config.json").unlink()
    with pytest.raises(UseError, match="saved: cannot load a cross-encoder: Unrecognized model in"):
        CrossEncoderReranker(saved)


@pytest.mark.parametrize(
    ("module", "extra", "reranker_class"),
    [
        ("sentence_transformers", "sentence-transformers", CrossEncoderReranker),
        ("onnxruntime", "onnx", OnnxReranker),
        ("tokenizers", "onnx", OnnxReranker),
    ],
)
def test_without_a_library_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, extra: str, reranker_class: Any
):
    """If a library is missing, one line says what to install."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UseError, match=rf"needs {module} .*: pip install 'assay-eval\[{extra}\]'$"):
        reranker_class(tmp_path)

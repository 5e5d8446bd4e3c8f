"""The cross-encoder reranker with the real library and a tiny random BERT model.

The file is not named ``test_…`` because PyTorch is too large for the ordinary suite. To run it::

    pip install --editable '.[sentence-transformers]' pytest
    python -m pytest --noconftest tests/real_model/check_cross_encoder.py

The scores of a random model mean nothing; the checks compare them with the library's own scores.
"""

import asyncio
from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import CrossEncoder
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

from assay.errors import UseError
from assay.judge.verifier import CrossEncoderReranker, verify_quotation_with

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "gold", "silver", "tin"]
CANDIDATES = ["gold tin .", "silver silver tin .", "tin ."]


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a cross-encoder with one label as the library does, and return its folder."""
    bert, saved = tmp_path_factory.mktemp("bert"), tmp_path_factory.mktemp("saved") / "tiny"
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=1,
        initializer_range=1.0,
    )
    BertForSequenceClassification(config).save_pretrained(bert)
    words = models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]")
    tokenizer = Tokenizer(words)
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", model_max_length=64
    ).save_pretrained(bert)
    CrossEncoder(str(bert), local_files_only=True).save_pretrained(str(saved))
    return saved


def test_scores_are_the_library_s_own(folder: Path):
    """The score of each pair is the logistic function of the library's logit."""
    library = CrossEncoder(str(folder), local_files_only=True)
    logits = library.predict(
        [("gold", candidate) for candidate in CANDIDATES], activation_fn=torch.nn.Identity()
    )
    ranking = asyncio.run(
        CrossEncoderReranker(folder, device="cpu").rerank("gold", CANDIDATES, clause="")
    )
    expected = 1 / (1 + np.exp(-np.asarray(logits, dtype=np.float64).ravel()))
    assert np.allclose([candidate.score for candidate in ranking], expected, atol=1e-5)
    assert len(set(expected.round(4))) == 3


def test_evidence_is_verified_with_it(folder: Path):
    """Evidence is verified with the model's score, compared with the threshold."""
    reranker = CrossEncoderReranker(folder, device="cpu")
    verdict = asyncio.run(verify_quotation_with("gold", "Gold tin. Silver tin.", reranker=reranker))
    assert verdict.score is not None
    assert verdict.valid == (verdict.score >= verdict.threshold)


def test_a_folder_without_a_model_is_one_line(tmp_path: Path):
    """The library's complaint comes as one line."""
    with pytest.raises(UseError, match="cannot load a cross-encoder"):
        CrossEncoderReranker(tmp_path)

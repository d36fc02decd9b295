"""Text as data: plain text out of markup, normal forms, words, languages, sentences, hosts. Pure and cheap."""

from pipeline.text.excerpts import excerpt, sentences
from pipeline.text.forms import HAN, normalise, simplified
from pipeline.text.hosts import host_of, registrable
from pipeline.text.languages import language
from pipeline.text.lexicons import lexicon, stopwords
from pipeline.text.markup import all_whole, plain, whole
from pipeline.text.outlets import without_outlet
from pipeline.text.pool import Corpus, Ragged, corpus
from pipeline.text.words import any_in, content_tokens, tokens

__all__ = [
    "HAN", "Corpus", "Ragged", "all_whole", "any_in", "content_tokens", "corpus", "excerpt", "host_of", "language",
    "lexicon", "normalise", "plain", "registrable", "sentences", "simplified", "stopwords", "tokens", "whole", "without_outlet",
]  # fmt: skip

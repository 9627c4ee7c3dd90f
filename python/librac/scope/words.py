"""Words by which somebody chooses signals."""

from __future__ import annotations


def matches(text: str, words: str) -> bool:
    """Whether all words are in the text, in any case; "#12" is the number 12 and no other."""
    text = text.lower()
    tokens = set(text.split())
    return all(
        word in tokens if word.startswith("#") else word in text for word in words.lower().split()
    )

"""Makes docs/Operators.md: a table a chapter, of the first sentences of the comments."""

import re

from swift_abi import Fault
import doc_comment

HEAD = "| C | does | RAC 2.5 | Rx |\n|---|---|---|---|"


def page(template, name, chapters):
    """The page: in place of a line "@CHAPTER@ Title" its heading, prose and table."""
    titles = {chapter.title: chapter for chapter in chapters}
    out = []
    for number, line in enumerate(template.splitlines(), 1):
        place = re.fullmatch(r"@CHAPTER@ (.+?)\s*", line)
        if not place:
            out.append(line)
            continue
        chapter = titles.pop(place.group(1), None)
        if chapter is None:
            raise Fault(name, number, "no chapter left is called " + place.group(1))
        out += ["## " + chapter.title, ""]
        out += [markdown(line) for line in chapter.prose]
        out += table(chapter)
    return "\n".join(out) + "\n"


def table(chapter):
    rows = []
    for function in chapter.functions:
        parts = doc_comment.take_apart(function)
        rows.append("| `{}` | {} | {} | {} |".format(
            function.name,
            first_sentence(parts.body),
            names(parts.rac or ""),
            names(parts.rx or ""),
        ))
    return HEAD.splitlines() + rows


def first_sentence(body):
    """Without its full stop, functions as code."""
    paragraph = []
    for line in body:
        if not line.strip():
            break
        paragraph.append(line.strip())
    sentence = re.match(r".*?[.](?=\s+[A-Z]|$)", " ".join(paragraph))
    text = sentence.group(0)[:-1] if sentence else " ".join(paragraph)
    return markdown(text).replace("|", "\\|")


def markdown(text):
    """Functions as code, pages as links."""
    text = re.sub(r"\b(rac_\w+)\(\)", r"`\1`", text)
    return re.sub(r"\bdocs/(\w+[.]md)", r"[\1](\1)", text)


def names(text):
    """Names as code; not what is said of them in brackets."""
    if text in ("", "none"):
        return text or "–"
    return re.sub(r"[^\s,()](?:[^,()]*[^\s,()])?(?![^(]*\))", r"`\g<0>`", text)

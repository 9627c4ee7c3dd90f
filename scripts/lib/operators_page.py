"""Makes docs/Operators.md: a table a chapter, of the first sentences of the comments, and below
it the pictures that scripts/draw-operators has made."""

import re

from swift_abi import Fault
import doc_comment

HEAD = "| C | does | RAC 2.5 | Rx |\n|---|---|---|---|"


def page(template, name, chapters, drawn):
    """The page: in place of a line "@CHAPTER@ Title" its heading, prose, table and pictures;
    `drawn` is the folder of those."""
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
        pictured = {each.name: pictures(each.name, drawn) for each in chapter.functions}
        out += table(chapter, pictured)
        for function in chapter.functions:
            out += gallery(function, pictured[function.name])
    return "\n".join(out) + "\n"


def pictures(function, drawn):
    """The names of its files: that of the operator, and with _2 that of its second diagram."""
    short = re.sub("^rac_(signal_)?", "", function)
    names = [short + ".svg"] + ["{}_{}.svg".format(short, index) for index in range(2, 9)]
    return [name for name in names if (drawn / name).exists()]


def gallery(function, names):
    if not names:
        return []
    alt = first_sentence(doc_comment.take_apart(function).body).replace("`", "").replace("\\|", "|")
    return ["", "### " + function.name] + [
        line for name in names for line in ("", "![{}](operators/{})".format(alt, name))
    ]


def table(chapter, pictured):
    rows = []
    for function in chapter.functions:
        parts = doc_comment.take_apart(function)
        link = "[`{0}`](#{0})" if pictured[function.name] else "`{}`"
        rows.append("| {} | {} | {} | {} |".format(
            link.format(function.name),
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

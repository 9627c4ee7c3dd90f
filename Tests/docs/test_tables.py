"""The tables of docs name every function of the header, and only such; links lead
to files that exist."""

import functools
import json
import os
import re
import sys
import unittest

from documents import TREE, documents, pages, read

sys.path.insert(0, os.path.join(TREE, "Tests", "operators"))
import rows  # noqa: E402

# What makes signals or changes none, and so is no operator.
NOT_OPERATORS = {
    "rac_signal_first",
    "rac_signal_first_or_default",
    "rac_signal_asynchronous_first_or_default",
    "rac_signal_asynchronously_wait_until_completed",
    "rac_signal_to_array",
    "rac_signal_wait_until_completed",
    "rac_signal_get_key",
    "rac_signal_set_name",
    "rac_signal_describe",
}


@functools.lru_cache(maxsize=None)
def functions():
    return {each["name"] for each in json.loads(read("include", "rac.json"))["functions"]}


def named(page):
    """The functions a page names; a name with … stands for all that match."""
    names = set()
    for text in re.findall(r"`((?:rac_|…)[\w…]*)(?:\([^`]*\))?`", page):
        pattern = re.compile(text.replace("…", r"\w+"))
        names.update((text, name) for name in functions() if pattern.fullmatch(name))
        if not any(pattern.fullmatch(name) for name in functions()):
            names.add((text, None))
    return names


def anchor_of(heading):
    """As GitHub makes it of a heading."""
    return re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-")


class TableTest(unittest.TestCase):
    def test_threads_names_every_function(self):
        table = read("docs", "Threads.md")
        covered = {name for _, name in named(table)}
        self.assertEqual(functions() - covered, set())

    def test_operators_names_every_operator(self):
        covered = {name for _, name in named(read("docs", "Operators.md"))}
        operators = {
            name for name in functions() if name.startswith("rac_signal_")
        } - NOT_OPERATORS
        self.assertGreater(len(operators), 40)
        self.assertEqual(operators - covered, set())

    def test_what_makes_handles_is_tried_without_memory(self):
        """Each stands in a table of Tests/c/test_refused_memory.c."""
        header = re.sub(r"/\*.*?\*/", " ", read("include", "rac.h"), flags=re.S)
        makers = set(re.findall(r"RAC_API\s+(?:RAC_NODISCARD\s+)?rac_\w+\s*\*\s*(rac_\w+)\(", header))
        others = read("Tests", "c", "creation_table.h")
        tried = {"rac_" + name for name in re.findall(r"\bX\((\w+),", others)}
        tried.update(re.findall(r"\b(rac_\w+)\(", others))
        tried.update("rac_signal_" + row.name for row in rows.of_signals())
        tried.update("rac_sequence_" + row.name for row in rows.of_sequences())
        lenders = {
            name for name in makers if re.search("_(?:get|as)_|_(?:main|immediate)$", name)
        }
        self.assertGreater(len(makers), 150)
        # Inside a job, where it gives the handle that is known already.
        others = {"rac_scheduler_current"}
        self.assertEqual(makers - tried - lenders - others, set())

    def test_pages_name_no_other_function(self):
        others = ("rac_types.h", "rac_glib.h", "rac_uv.h", "rac_marbles.h", "rac_replay.h", "rac_replay_file.h", "rac_callbacks.hpp", "rac_functions.hpp", "rac_step.hpp", "rac.hpp")
        text = "".join(read("include", name) for name in others)
        text += read("machines", "redis", "include", "rac_redis.h")
        text += read("machines", "mqtt", "include", "rac_mqtt.h")
        types = set(re.findall(r"\brac_\w+", text))
        inline = r"static inline [^(]*?(rac_\w+)\("
        types |= set(re.findall(inline, read("include", "rac.h")))
        for page in documents():
            text = read(page)
            if page == "CHANGELOG.md":  # where names that went stand in a table of their own
                text = text.partition("\n### Old names\n")[0]
            with self.subTest(page=page):
                unknown = {text for text, name in named(text) if name is None}
                self.assertEqual(unknown - types, set())

    def test_readme_leads_to_every_page(self):
        linked = set(re.findall(r"\]\(docs/(\w+)\.md\)", read("README.md")))
        there = {os.path.basename(path)[: -len(".md")] for path in pages()} - {"README"}
        self.assertEqual(there - linked, set())

    def test_links_lead_somewhere(self):
        extra = ["CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md"]
        for path in pages() + [os.path.join(TREE, name) for name in extra]:
            # Lambdas are no links.
            prose = re.sub(r"^```cpp\n.*?^```$", "", read(path), flags=re.M | re.S)
            for link in re.findall(r"\]\(([^)#]+)[^)]*\)", prose):
                target = os.path.join(os.path.dirname(path), link)
                with self.subTest(page=os.path.relpath(path, TREE), link=link):
                    self.assertTrue(os.path.exists(target))

    def test_links_lead_to_headings(self):
        for path in pages():
            for link, anchor in re.findall(r"\]\(([^)#]*\.md|)#([^)]+)\)", read(path)):
                target = os.path.join(os.path.dirname(path), link) if link else path
                headings = re.findall(r"^#+ (.*)$", read(target), flags=re.M)
                with self.subTest(page=os.path.relpath(path, TREE), link=link, anchor=anchor):
                    self.assertIn(anchor, {anchor_of(heading) for heading in headings})


if __name__ == "__main__":
    unittest.main()

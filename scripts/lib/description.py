"""include/rac.json: what rac.h and rac_types.h declare, for programs that write bindings.

Types and names come from the declarations. Who owns what, and what may be NULL, comes
from the comments, which say it in few words that are the same everywhere; a comment
that does not say it is refused. docs/Bindings.md tells what is in it.
"""

import json
import re

import doc_comment
from swift_abi import Fault

# How a comment begins, and what that means for what is passed in.
GIVEN = re.compile(r"(transferred|given back|its reference moves)\b")
LENT = re.compile(r"(borrowed|retained once by this call|anything)\b")
# The memory must stay as it is when the call has returned.
KEPT = re.compile(r"^anything|must not change|must never change|must outlive|a static name")
NULLABLE = re.compile(
    r"(?<!callbacks )[Mm]ay be NULL|(?:(?:^|[.;:]) |, or )NULL\b(?! there)|NULL included"
)
BLOCKS = re.compile(r"\bMay\s+block\b")
STATUS = re.compile(r"\bRAC_(?:OK|QUEUED|PENDING|DROPPED|E[A-Z0-9]+)\b")
# Of what a callback writes, not of the callback.
OF_THE_RESULT = re.compile(r"; NULL counts as")


def one_line(lines):
    return " ".join(" ".join(lines).split())


def prose(lines):
    """Paragraphs in one line each; what is indented stays as it is."""
    return "\n".join(doc_comment.fill(lines, 1 << 20))


class Description:
    """All of it: `data` is what the file has."""

    def __init__(self, types, book):
        self.types = types
        self.kinds = {each["type"]: each["name"] for each in types.handles}
        self.callbacks = {each["name"] for each in types.callbacks}
        self.structs = {each["name"] for each in types.structs}
        self.functions, self.prose = {}, {}
        for chapter in book:
            for function in chapter.functions:
                self.prose[function.name] = chapter.prose
                parts = doc_comment.take_apart(function)
                doc_comment.check(function, parts)
                self.functions[function.name] = (function, parts)
        self.data = {
            "format": 1,
            "version": self.version(),
            "handles": types.handles,
            "scalars": types.scalars,
            "constants": types.constants,
            "enums": types.enums,
            "structs": [self.struct(each) for each in types.structs],
            "callbacks": [self.callback(each) for each in types.callbacks],
            "chapters": [
                {"number": c.number, "part": c.part, "title": c.title, "doc": prose(c.prose)}
                for c in book
            ],
            "functions": [self.function(f, c) for c in book for f in c.functions],
            "inlines": types.inlines,
        }

    def version(self):
        numbers = {each["name"]: each["value"] for each in self.types.constants}
        parts = ("MAJOR", "MINOR", "PATCH")
        return ".".join(str(numbers["RAC_VERSION_" + part]) for part in parts)

    def text(self):
        return rendered(self.data) + "\n"

    # ---- What parameters and fields have in common -----------------------------

    def pointee(self, ctype):
        """ "rac_signal" of "rac_signal *", "rac_signal **" and "rac_signal *const *"."""
        return ctype.replace("const", " ").replace("*", " ").strip()

    def of_type(self, ctype):
        """What follows from the type alone."""
        entry = {}
        if self.pointee(ctype) in self.kinds:
            entry["handle"] = self.kinds[self.pointee(ctype)]
        if ctype in self.callbacks:
            entry["role"] = "destroy" if ctype == "rac_destroy_fn" else "callback"
        return entry

    def enum(self, doc):
        """The enumeration whose constants a comment speaks of first."""
        found = re.search(r"\bRAC_[A-Z]\w*", doc)
        name = found.group(0).rstrip("_") if found else None
        for each in self.types.enums if name else []:
            if any(member["name"].startswith(name) for member in each["members"]):
                return {"enum": each["name"]}
        return {}

    def sizes(self, parameters):
        """Which number says how long an array, a text or a buffer is."""
        for i, one in enumerate(parameters):
            for other in parameters[i + 1 :]:
                if other["type"] != "size_t":
                    continue
                array = one["type"].endswith("*const *") or (
                    one["type"].startswith("const ")
                    and self.pointee(one["type"]) not in self.structs - {"rac_value"}
                ) or (one["type"], other["name"]) == ("rac_value *", "count")
                buffer = one["type"] == "char *"
                if other["name"] == "capacity" and buffer:
                    one["capacity"] = other["name"]
                elif other["name"] == "length" and one["type"].startswith("const "):
                    one["length"] = other["name"]
                elif other["name"] == "count" and array:
                    one["count"] = other["name"]
                else:
                    continue
                other["role"] = "size"
                break
        return parameters

    # ---- Types -----------------------------------------------------------------

    def struct(self, struct):
        out = {"name": struct["name"], "size": struct["size"], "fields": []}
        if struct["name"] == "rac_value":
            out["passing"] = self.passing(struct)
        for field in struct["fields"]:
            entry = {"name": field["name"], "offset": field["offset"]}
            if "function" in field:
                entry["function"] = field["function"]
            else:
                entry["type"] = field["type"]
                entry.update(self.of_type(field["type"]))
                if field["name"] == "context":
                    entry["role"] = "context"
                    # An observer is for one subscription.
                    entry["overlap"] = False
                if field["type"] in ("int32_t", "uint8_t"):
                    entry.update(self.enum(field["doc"]))
            out["fields"].append(documented(entry, field["doc"]))
        return documented(out, struct["doc"])

    def passing(self, struct):
        """How it travels by value: in registers for integers, one for each eight bytes."""
        integers = all(not each.get("type", "*").startswith(("double", "float"))
            for each in struct["fields"])
        if struct["size"] != 16 or not integers:
            raise Fault("include/rac_types.h", 1, struct["name"] + " fits no two registers")
        return {"by": "value", "registers": ["integer", "integer"]}

    def callback(self, callback):
        """What it gets is lent; what it writes is the library's from then on."""
        listed = []
        for parameter in callback["parameters"]:
            ctype = parameter["type"]
            entry = {"name": parameter["name"], "type": ctype}
            entry.update(self.of_type(ctype))
            out = ctype.endswith("*") and not ctype.startswith("const ")
            if parameter["name"] == "context":
                entry["role"] = "context"
            elif out and (ctype.endswith("**") or self.pointee(ctype) not in self.kinds):
                entry["direction"] = "out"
                if ctype in ("rac_value *",) or "handle" in entry:
                    entry["ownership"] = "given"
            elif ctype.endswith("*") or ctype == "rac_value":
                entry["direction"] = "in"
                entry["ownership"] = "lent"
            if ctype == "const rac_value *" and parameter["name"] == "rest":
                entry["nullable"] = True
            listed.append(entry)
        out = {"name": callback["name"], "parameters": self.sizes(listed)}
        out["returns"] = {"type": callback["returns"]}
        return documented(out, callback["doc"])

    # ---- Functions -------------------------------------------------------------

    def function(self, function, chapter):
        parts = self.functions[function.name][1]
        docs = {name: self.said(name, lines) for name, lines in parts.parameters}
        listed = []
        for parameter in function.parameters:
            listed.append(self.parameter(function, parameter, docs.get(parameter.name, "")))
        for entry in self.sizes(listed):
            documented(entry, docs.get(entry["name"], ""))
        out = {"name": function.name, "chapter": chapter.number}
        of = self.operator(function)
        if of:
            out["operator"] = of
        out["parameters"] = listed
        contexts = self.contexts(function, listed, docs)
        if contexts:
            out["contexts"] = contexts
        out["returns"] = self.returns(function, one_line(parts.returns))
        out["doc"] = prose(parts.body)
        out["statuses"] = self.statuses(function)
        if BLOCKS.search("\n".join(function.comment)):
            out["blocks"] = True
        for key, text in (("thread", parts.thread), ("rac", parts.rac), ("rx", parts.rx)):
            if text and text != "none":
                out[key] = text
        if parts.notes:
            out["notes"] = [one_line(note) for note in parts.notes]
        out["since"] = parts.since
        return out

    def said(self, name, lines):
        """Of a parameter; of one that is as another function's, what is said there."""
        doc = one_line(lines)
        same = re.match(r"as (?:that of|for) (rac_\w+)\(\)", doc)
        if same and same.group(1) in self.functions:
            there = dict(self.functions[same.group(1)][1].parameters)
            return self.said(name, there[name]) if name in there else doc
        return doc

    def operator(self, function):
        """The kind that it makes another one of, as map() of a signal."""
        first = function.parameters[0].name if function.parameters else ""
        for kind in ("signal", "sequence"):
            applied = first in ("source", kind + "s")
            made = function.result == "rac_{} *".format(kind)
            if applied and made and function.name.startswith("rac_{}_".format(kind)):
                return kind
        return None

    def parameter(self, function, parameter, doc):
        ctype = parameter.ctype
        entry = {"name": parameter.name, "type": ctype}
        entry.update(self.of_type(ctype))
        if ctype == "void *" and parameter.name == "context":
            entry["role"] = "context"
        elif ctype == "void *" and parameter.name == "pointer" and self.is_destroyed(function):
            entry["role"] = "context"
        elif ctype == "void *" and parameter.name == "handle":
            entry["handle"] = "any"
        if ctype in ("int32_t", "uint32_t", "rac_status"):
            entry.update(self.enum(doc))
        pointer = ctype.endswith("*") or ctype in self.callbacks
        if "role" in entry:
            is_null = entry["role"] != "callback" or NULLABLE.search(
                " " + OF_THE_RESULT.sub("", doc))
            entry["nullable"] = bool(is_null)
        elif ctype == "rac_value" or pointer:
            entry.update(self.ownership(function, entry, doc))
            if pointer:
                entry["nullable"] = bool(NULLABLE.search(" " + doc))
        return entry

    def is_destroyed(self, function):
        return any(p.ctype == "rac_destroy_fn" for p in function.parameters)

    def ownership(self, function, entry, doc):
        ctype = entry["type"]
        written = not ctype.startswith("const ") and not ctype.endswith("*const *")
        handle = self.pointee(ctype) in self.kinds
        if ctype == "void **" and doc.startswith("holds"):
            return {"direction": "inout", "ownership": "owned"}
        if (ctype.endswith("**") or (ctype.endswith("*") and not handle and ctype != "void *")
                or re.fullmatch(r"const (char|void) \*\*", ctype)):
            if written or ctype.endswith("**"):
                return self.written(function, entry, doc)
        if GIVEN.match(doc):
            return {"direction": "in", "ownership": "given"}
        if KEPT.search(doc):
            return {"direction": "in", "ownership": "kept"}
        if LENT.match(doc):
            return {"direction": "in", "ownership": "lent"}
        raise Fault(function.path, function.line, "{}: the comment does not say whether {} is "
            "borrowed or transferred".format(function.name, entry["name"]))

    def written(self, function, entry, doc):
        out = {"direction": "out"}
        of_value = self.pointee(entry["type"]) == "rac_value"
        if "handle" in entry or of_value:
            if re.search(r"\b(owned|owns|one reference)\b", doc):
                out["ownership"] = "owned"
            elif re.search(r"\blent\b", doc):
                out["ownership"] = "lent"
            else:
                raise Fault(function.path, function.line, "{}: the comment does not say who owns "
                    "what {} gets".format(function.name, entry["name"]))
        elif entry["type"].endswith("**"):
            out["ownership"] = "lent"  # as long as what it was read from
        return out

    def statuses(self, function, seen=()):
        """What it answers, or leaves as the last error where it answers with something else, in
        the order of the enumeration. Those of another function where it is "as" that one."""
        parts = self.functions[function.name][1]
        text = one_line(parts.returns) + " " + (parts.thread or "")
        found = set(STATUS.findall(text))
        if "else as said above" in text:
            found |= set(STATUS.findall(" ".join(self.prose[function.name])))
        for name in re.findall(r"\b[Aa]s (?:with |in )?(rac_\w+)\(\)", text):
            if name in self.functions and name not in seen and name != function.name:
                other = self.functions[name][0]
                found |= set(self.statuses(other, seen + (function.name,)))
        codes = next(e for e in self.types.enums if e["name"] == "rac_status_code")
        return [each["name"] for each in codes["members"] if each["name"] in found]

    def contexts(self, function, listed, docs):
        """Which callbacks get which pointer, and what frees it."""
        destroy = [p["name"] for p in listed if p.get("role") == "destroy"]
        callbacks = [p["name"] for p in listed if p.get("role") == "callback"]
        contexts = [p["name"] for p in listed if p.get("role") == "context"]
        if not destroy and not callbacks:
            return []
        if len(destroy) > 1 or len(contexts) != 1:
            raise Fault(function.path, function.line,
                function.name + ": one context and at most one destroy are expected")
        entry = {"context": contexts[0], "callbacks": callbacks}
        entry["destroy"] = destroy[0] if destroy else None
        # Subscriptions share an operator's, and each has its own thread.
        alone = not destroy or not callbacks or "one at a time" in docs.get(contexts[0], "")
        entry["overlap"] = not alone
        return [entry]

    def returns(self, function, doc):
        ctype = function.result
        entry = {"type": ctype}
        if ctype == "void":
            return entry
        handle = self.kinds.get(self.pointee(ctype)) if ctype.endswith("*") else None
        if handle or ctype in ("void *", "rac_value", "const char *"):
            entry.update({"handle": handle} if handle else {})
            entry["ownership"] = self.owner(function, doc)
        if handle or ctype == "void *":
            entry["nullable"] = True
        if ctype in ("int32_t", "uint32_t") and doc.startswith("RAC_"):
            entry.update(self.enum(doc))
        if ctype == "rac_status":
            entry["enum"] = "rac_status_code"
        return documented(entry, doc)

    def owner(self, function, doc):
        """"owned", "lent", "view" (of an argument), or "plain": nothing to release."""
        same = re.match(r"as (rac_\w+)\(\)", doc)
        if same and same.group(1) in self.functions:
            other = self.functions[same.group(1)]
            return self.owner(other[0], one_line(other[1].returns))
        if "one reference" in doc or "an owned value" in doc:
            return "owned"
        if function.result == "rac_value":
            if doc.startswith("a view"):
                return "view"
            if re.match(r"a (scalar-like )?value\b|$", doc):
                return "plain"
            if re.match(r"the (value|error)\b", doc):
                return "lent"
        elif doc.startswith("a static string"):
            return "static"
        elif doc.startswith(("lent", "text")):
            return "lent"
        raise Fault(function.path, function.line,
            function.name + ": the comment does not say who owns the result")


def documented(entry, doc):
    if doc:
        entry["doc"] = doc
    return entry


def rendered(value, depth=0):
    """JSON, one function, type or parameter a line, so that a change is a line's."""
    flat = json.dumps(value, ensure_ascii=False)
    if depth > 3 or not isinstance(value, (dict, list)) or len(flat) < 72:
        return flat
    indent, end = "\n" + " " * (depth + 1), "\n" + " " * depth
    if isinstance(value, list):
        return "[" + ",".join(indent + rendered(each, depth + 1) for each in value) + end + "]"
    return "{" + ",".join(
        "{}{}: {}".format(indent, json.dumps(key), rendered(each, depth + 1))
        for key, each in value.items()
    ) + end + "}"
